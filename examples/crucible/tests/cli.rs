//! The example program `crucible`: its answers, messages, files and exit codes.
//!
//! It runs inside the test, so that nothing depends on where a binary was built.

use std::fs;
use std::path::{Path, PathBuf};

use yaml_rust2::YamlLoader;

const EXAMPLE: &str = "\
2413432311323
3215453535623
3255245654254
3446585845452
4546657867536
1438598798454
4457876987766
3637877979653
4654967986887
4564679986453
1224686865563
2546548887735
4322674655533
";

/// Exit code, output and error output of the program, without colours.
fn crucible_reads(args: &str, mut input: &[u8]) -> (u8, String, String) {
    let args = ["crucible"].into_iter().chain(args.split_whitespace());
    let mut out = program::Styled::plain(Vec::new());
    let mut err = program::Styled::plain(Vec::new());
    let code = crucible::main(args.map(Into::into), &mut input, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(out.into_inner()), text(err.into_inner()))
}

fn crucible(args: &str) -> (u8, String, String) {
    crucible_reads(args, b"")
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Checks for exit code 2 and an empty output, and returns the error message.
fn fault(args: &str, input: &[u8]) -> String {
    let (code, out, err) = crucible_reads(args, input);
    assert_eq!((code, out.as_str()), (2, ""), "{args}: {err}");
    err
}

#[test]
fn answers_the_public_example() {
    assert_eq!(crucible("--quiet"), (0, "102\n94\n".into(), String::new()));
    assert_eq!(crucible("-q --min 4 --max 10").1, "94\n");
    let (code, out, _) = crucible("");
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "runs of 1 to 3: the least heat loss is 102");
    let grid = &lines[1..14];
    assert!(grid.iter().all(|line| line.chars().count() == 13), "{out}");
    // Adding up what the arrows cover gives the answer.
    let covered = grid.iter().zip(EXAMPLE.lines()).flat_map(|(drawn, digits)| {
        drawn.chars().zip(digits.chars()).filter(|(drawn, _)| ">v<^".contains(*drawn))
    });
    assert_eq!(covered.map(|(_, digit)| digit.to_digit(10).unwrap()).sum::<u32>(), 102);
    assert!(lines.contains(&"runs of 4 to 10: the least heat loss is 94"));
}

#[test]
fn reads_files_and_standard_input() {
    let name = file("long_way_round.txt");
    let ones = format!("{}\n", "1".repeat(12));
    fs::write(&name, format!("{ones}{0}{0}{0}{0}", format!("{}1\n", "9".repeat(11)))).unwrap();
    let args = format!("-q --min 4 --max 10 {}", name.display());
    assert_eq!(crucible(&args), (0, "71\n".into(), String::new()));
    assert_eq!(crucible_reads("- -q", EXAMPLE.as_bytes()).1, "102\n94\n");
    assert_eq!(crucible_reads("- -q", b"5").1, "0\n0\n");
}

#[test]
fn every_engine_gives_the_same_answer() {
    let engines = "dijkstra,astar:manhattan,astar:next-run,idastar:without-turns,\
                   branch-and-bound:next-run,branch-and-bound:manhattan,breadth-first:manhattan";
    let (code, out, _) = crucible(&format!("--engine {engines}"));
    assert_eq!(code, 0);
    for engine in engines.split(',') {
        let answers: Vec<_> = out
            .lines()
            .filter(|line| line.split_whitespace().next() == Some(engine))
            .map(|line| line.split_whitespace().nth(1).unwrap())
            .collect();
        assert_eq!(answers, ["102", "94"], "{engine}");
        assert_eq!(crucible(&format!("-q --engine {engine}")).1, "102\n94\n");
    }
    assert_eq!(crucible("-q --engine astar --heuristic manhattan").1, "102\n94\n");
    assert_eq!(crucible("-q --engine beam:5000").1, "102\n94\n");
    assert_eq!(crucible("-q --engine beam:5000:manhattan").1, "102\n94\n");
    let (code, out, _) = crucible("--compare --stats");
    assert_eq!(code, 0);
    let engines = ["dijkstra", "astar", "idastar", "branch-and-bound", "breadth-first"];
    for engine in engines.into_iter().chain(["beam", "rectangle"]) {
        let answers = out.lines().filter(|line| line.starts_with(engine) && line.contains(" 94 "));
        let heuristics = if engine == "dijkstra" { 1 } else { 3 };
        assert_eq!(answers.count(), heuristics, "{engine}: {out}");
    }
    assert!(out.contains("duplicates"), "{out}");
}

#[test]
fn random_grids_are_the_same_for_the_same_seed() {
    let answer = |args: &str| crucible(&format!("-q {args}")).1;
    assert_eq!(answer("--random 30x40 --seed 7"), answer("--random 30X40 --seed 7"));
    assert_ne!(answer("--random 30x40 --seed 7"), answer("--random 30x40 --seed 8"));
}

#[test]
fn no_solution_is_printed_in_words() {
    let (code, out, err) = crucible_reads("- --min 2 --max 3", b"12345");
    assert_eq!((code, err.as_str()), (1, ""));
    assert_eq!(out, "runs of 2 to 3: there is no path from corner to corner\n\n");
    // Of both parts one has a path: that is found.
    assert_eq!(crucible_reads("- -q", b"12345"), (0, "no way\n14\n".into(), String::new()));
    assert_eq!(crucible_reads("- -q --best 2", b"12345").0, 0);
    let (code, out, _) = crucible_reads("-", b"12345");
    assert!(code == 0 && out.contains("runs of 1 to 3: there is no path"), "{out}");
    assert_eq!(crucible_reads("- -q", b"12\n34\n\n").1, "6\nno way\n");
    assert_eq!(
        crucible_reads("- -q", b"123456789123"),
        (1, "no way\nno way\n".into(), String::new())
    );
}

#[test]
fn a_stopped_search_is_reported() {
    let (code, out, _) =
        crucible("--random 600x600 --min 1 --max 3 --engine idastar:manhattan --time 0");
    assert_eq!(code, 3);
    assert!(out.contains("stopped before a path was found"), "{out}");
    assert!(out.contains("the loss is at least"), "{out}");
}

#[test]
fn bad_grids_are_marked() {
    assert_eq!(
        fault("-", b"123\n4x6\n"),
        "crucible: standard input: line 2, column 2: 'x' is not a digit from 0 to 9\n\n    4x6\n     ^\n"
    );
    assert_eq!(
        fault("-", b"123\n45\n"),
        "crucible: standard input: line 2, column 3: the row ends after 2 digits; \
         like line 1 it must have 3\n\n    45\n      ^\n"
    );
    assert!(fault("-", b"").contains("the map is empty"));
    assert!(fault("-", b"12\n\xff2\n").contains("line 2, column 1"));
    // Only the part of a long line around the error.
    let long = format!("{}x{}", "1".repeat(500), "2".repeat(500));
    let err = fault("-", long.as_bytes());
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].ends_with("line 1, column 501: 'x' is not a digit from 0 to 9"));
    assert!(lines[2].len() < 80);
    assert!(lines[2].contains('x'), "{err}");
    assert_eq!(lines[2].find('x'), lines[3].find('^'));
}

#[test]
fn bad_usage_is_explained() {
    assert!(fault("--min 0 --max 3", b"").contains("min must be at least 1"));
    assert!(fault("--min 4 --max 3", b"").contains("at least 4 and at most 3"));
    assert!(fault("--min 4", b"").contains("--max"));
    assert!(fault("--min x --max 3", b"").contains("invalid value"));
    assert!(fault("--engine bestfirst", b"").contains("there are dijkstra, astar, idastar"));
    assert!(fault("--engine dijkstra:manhattan", b"").contains("uses no heuristic"));
    assert!(fault("--engine astar:best", b"").contains("there are manhattan, without-turns"));
    assert!(fault("--engine beam:-1", b"").contains("or give a number of states"));
    assert!(fault("--random 3", b"").contains("ROWSxCOLUMNS"));
    assert!(fault("--random 0x5", b"").contains("empty"));
    assert!(fault("--random 99999999x99999999", b"").contains("too large"));
    assert!(fault("--random 4000000000x4000000000", b"").contains("16000000000000000000 blocks"));
    assert!(fault("--random 3x3 some.txt", b"").contains("cannot be used with"));
    assert!(fault("there/is/no/such/file", b"").contains("there/is/no/such/file"));
    assert!(fault("--plot picture.gif", b"").contains("must end in .png or .svg"));
    assert!(fault("--plot-expansions", b"").contains("--plot"));
    assert!(fault("-q --stats", b"").contains("cannot be used with"));
    assert!(fault("--memory x", b"").contains("whole number of megabytes"));
    assert!(fault("--memory -1", b"").contains("whole number of megabytes"));
    assert!(fault("--time -1", b"").contains("number of seconds"));
    assert!(fault("--min -1 --max 3", b"").contains("invalid value '-1'"));
    assert!(fault("--seed 7", b"").contains("--random"));
    for engines in ["dijkstra", "astar:next-run,focal:2:manhattan,dijkstra"] {
        let args = format!("--heuristic manhattan --engine {engines}");
        assert!(fault(&args, b"").contains("--heuristic has no effect"), "{engines}");
    }
    assert!(fault("--heuristic manhattan --compare", b"").contains("cannot be used with"));
    assert_eq!(crucible("-q --heuristic manhattan --engine dijkstra,astar").0, 0);
    assert!(fault("--trace trace.txt --min 1 --max 3", b"").contains(".jsonl or .yaml"));
    assert!(fault("--trace trace.yaml", b"").contains("--trace writes one search"));
    assert!(fault("--no-such-flag", b"").contains("--no-such-flag"));
    let (code, out, _) = crucible("--help");
    assert_eq!(code, 0);
    assert!(out.contains("Usage: crucible") && out.contains("Exit status"));
}

#[cfg(not(feature = "plot"))]
#[test]
fn a_plot_without_its_feature_is_refused() {
    let says = fault("--plot loss.png", b"");
    assert!(says.contains("--features plot"), "{says}");
}

#[cfg(feature = "plot")]
#[test]
fn pictures_are_written() {
    let png = file("example.png");
    assert_eq!(crucible(&format!("-q --plot {}", png.display())).0, 0);
    let decoder = pictures::png::Decoder::new(fs::File::open(&png).unwrap());
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut pixels).unwrap();
    // Two square maps side by side, in many colours.
    assert!(info.width > 2 * info.height && info.height > 300, "{info:?}");
    let mut seen = [false; 256];
    for &index in &pixels {
        seen[usize::from(index)] = true;
    }
    assert!(seen.iter().filter(|&&seen| seen).count() > 15);

    let svg = file("expansions.svg");
    let args = format!(
        "-q --random 20x30 --plot-expansions --engine dijkstra,astar --plot {}",
        svg.display()
    );
    assert_eq!(crucible(&args).0, 0);
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
    for title in ["Dijkstra", "A*, exact without turns", "expanded as number"] {
        assert!(text.contains(title), "{title}");
    }
    // No solution, one block, a single row, a map larger than its picture.
    for args in ["--random 1x5 --min 9 --max 9", "--random 1x1", "--random 1x50", "--random 900x3"]
    {
        let (code, _, err) = crucible(&format!("-q {args} --plot {}", png.display()));
        assert!(code < 2, "{args}: {err}");
    }
    let says = fault("- -q --plot no/folder.png", b"no map");
    assert!(says.starts_with("crucible: --plot: no/folder.png: "), "{says}");
}

/// Before the search, and without an effect on what is there.
#[test]
fn files_that_cannot_be_written_are_refused_at_once() {
    let folder = file("refused");
    fs::create_dir_all(&folder).unwrap();
    let (map, trace) = (folder.join("map.jsonl"), folder.join("trace.jsonl"));
    fs::write(&map, EXAMPLE).unwrap();
    let _ = fs::remove_file(&trace);
    let (map_name, trace_name) = (map.display(), trace.display());
    let one = format!("-q --min 4 --max 10 {map_name}");
    for option in ["--trace", "--certificate"] {
        let says = fault(&format!("{one} {option} {map_name}"), b"");
        assert!(
            says.contains(&format!("{option}: ")) && says.contains("is also the input"),
            "{says}"
        );
    }
    let says = fault(&format!("{one} --trace {trace_name} --certificate {trace_name}"), b"");
    assert!(says.contains("is also the file of --trace; name another file"), "{says}");
    assert!(!trace.exists() && fs::read_to_string(&map).unwrap() == EXAMPLE);
    // The fault is that of the file, although the map is none.
    for option in ["--trace no/folder.yaml", "--certificate no/folder"] {
        let says = fault(&format!("- --min 4 --max 10 {option}"), b"no map");
        assert!(says.starts_with(&format!("crucible: {}: ", option.replace(' ', ": "))), "{says}");
    }
    // A file stays what it is if the search fails: this map has no place for the path of its losses.
    fs::write(&trace, "an old trace").unwrap();
    let says = fault(&format!("- -q --min 4 --max 10 --trace {trace_name}"), b"no map");
    assert!(says.contains("line 1, column 1"), "{says}");
    assert_eq!(fs::read_to_string(&trace).unwrap(), "an old trace");
    assert_eq!(crucible(&format!("{one} --trace {trace_name}")).0, 0);
    assert!(fs::read_to_string(&trace).unwrap().starts_with('{'));
}

/// The numbers beside the colour bar do not overlap, whatever the height of the map.
#[cfg(feature = "plot")]
#[test]
fn the_colour_bar_of_a_map_of_one_row_can_be_read() {
    let svg = file("one_row.svg");
    for options in ["", "--plot-expansions --engine dijkstra"] {
        let args = format!("-q --random 1x50 --min 1 --max 60 {options} --plot {}", svg.display());
        assert_eq!(crucible(&args).0, 0);
        let text = fs::read_to_string(&svg).unwrap();
        // The numbers beside the bar are right of all others.
        let number = |tag: &str, name: &str| {
            let (_, value) = tag.split_once(&format!(" {name}=\""))?;
            value.split('"').next()?.parse::<f64>().ok()
        };
        let tags = text.split("<text").skip(1);
        let places: Vec<(f64, f64)> =
            tags.filter_map(|tag| Some((number(tag, "x")?, number(tag, "y")?))).collect();
        let right = places.iter().map(|place| place.0).fold(0.0, f64::max);
        let at_right = |place: &&(f64, f64)| place.0 >= right;
        let mut heights: Vec<f64> = places.iter().filter(at_right).map(|place| place.1).collect();
        heights.sort_by(f64::total_cmp);
        assert!(heights.len() > 1, "{heights:?}");
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 13.0), "{heights:?}");
    }
}

#[test]
fn a_search_is_stopped_at_its_memory_limit() {
    let (code, out, err) = crucible("--random 1500x1500 --min 1 --max 3 --memory 20");
    assert_eq!((code, err.as_str()), (3, ""), "{out}");
    assert!(out.contains("stopped before a path was found") && out.contains("memory"), "{out}");
}

#[test]
fn a_byte_order_mark_before_a_map_is_ignored() {
    let marked = |text: &str| format!("\u{FEFF}{text}");
    assert_eq!(crucible_reads("- -q", marked(EXAMPLE).as_bytes()).1, "102\n94\n");
    // The mark has no column.
    assert!(fault("-", marked("1x").as_bytes()).contains("line 1, column 2: 'x'"));
}

#[test]
fn traces_are_written() {
    let (lines, yaml) = (file("trace.jsonl"), file("example.trace.yaml"));
    for trace in [&lines, &yaml] {
        let args = format!("-q --min 4 --max 10 --trace {}", trace.display());
        assert_eq!(crucible(&args), (0, "94\n".into(), String::new()));
    }
    let events: Vec<serde_json::Value> = fs::read_to_string(&lines)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // The map, for the playground.
    let rows: Vec<&str> = EXAMPLE.lines().collect();
    assert_eq!((&events[0]["event"], &events[0]["rows"]), (&"setup".into(), &rows.into()));
    assert_eq!(events[1]["id"], "start");
    let end = events.last().unwrap();
    assert_eq!((&end["event"], &end["x"], &end["y"]), (&"solution".into(), &12.into(), &12.into()));
    let trace = &YamlLoader::load_from_str(&fs::read_to_string(&yaml).unwrap()).unwrap()[0];
    assert_eq!(trace["version"].as_str(), Some("1.4.0"));
    assert_eq!(trace["events"][0]["type"].as_str(), Some("source"));
}

/// Runs itself again in a process of its own with at most 300 MB of address space.
#[cfg(target_os = "linux")]
#[test]
fn maps_beyond_the_memory_limit_are_errors() {
    const LIMITED: &str = "BESTFIRST_LIMITED_MEMORY";
    if std::env::var_os(LIMITED).is_some() {
        // The map alone is too large.
        assert_eq!(
            fault("--random 20000x20000", b""),
            "crucible: --random: a map of 20000 rows and 20000 columns (400000000 blocks) is too \
             large for the available memory: 400000000 bytes cannot be allocated; use a smaller map \
             or raise the memory limit\n"
        );
        // The map takes 32 MB, the table of its heuristic 64 MB.
        assert!(fault("--random 4000x4000", b"").contains("64000000 bytes cannot be allocated"));
        return;
    }
    let program = std::env::current_exe().expect("this program has a path");
    let script = "ulimit -v 90000 && exec \"$0\" --exact --test-threads 1 \"$1\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script]).arg(program).arg("maps_beyond_the_memory_limit_are_errors");
    let output = command.env(LIMITED, "1").output().expect("sh runs");
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{printed}", output.status);
    assert!(printed.contains("1 passed"), "the test did not run:\n{printed}");
}

/// Engines that need not find the least loss say so, and are within their factor.
#[test]
fn suboptimal_engines_say_how_far_they_may_be_off() {
    assert_eq!(crucible("-q --engine anytime").1, "102\n94\n");
    let (code, out, _) = crucible("--engine anytime --random 60x60 --min 4 --max 10");
    assert!(code == 0 && out.starts_with("runs of 4 to 10: the least heat loss is "), "{out}");
    let least: f64 = crucible("-q --random 60x60 --min 4 --max 10").1.trim().parse().unwrap();
    for engine in ["weighted:2:manhattan", "focal:1.5:manhattan", "focal:1.2"] {
        let options = format!("--random 60x60 --min 4 --max 10 --engine {engine}");
        let loss: f64 = crucible(&format!("-q {options}")).1.trim().parse().unwrap();
        assert!(loss >= least && loss <= 2.0 * least, "{engine}: {loss}, {least}");
        let (code, out, _) = crucible(&options);
        assert_eq!(code, 0);
        assert!(loss <= least || out.contains("a heat loss of "), "{out}");
        // Beside an engine that proves the optimum, it does not disagree.
        assert_eq!(crucible(&format!("{options},astar")).0, 0);
    }
    // A beam of one width promises no factor: 105 and 102 here.
    let (code, out, err) = crucible("--engine beam:1,astar --min 1 --max 3");
    assert_eq!((code, &err[..]), (0, ""));
    assert!(out.starts_with("runs of 1 to 3: the least heat loss is 102"), "{out}");
    let map = "24134\n32154\n32552\n34465\n";
    let args = "- -q --min 1 --max 3 --engine beam:3,idastar --heuristic manhattan";
    let least = crucible_reads("- -q --min 1 --max 3", map.as_bytes());
    assert_eq!((crucible_reads(args, map.as_bytes()), least.0), (least.clone(), 0));
    assert_eq!(crucible("--engine anytime --time 0.0").0, 3);
    assert!(fault("--engine weighted", b"").contains("takes a number from 1 to 1000000"));
    assert!(fault("--engine focal:0.9", b"").contains("takes a number from 1 to 1000000"));
    assert!(fault("--engine focal:2:manhattan:3", b"").contains("a word too many: \"3\""));
    for beam in ["beam:0", "beam:"] {
        let fault = fault(&format!("--engine {beam}"), b"");
        assert!(fault.contains("as in beam:1000"), "{fault}");
    }
    assert!(fault("--time x", b"").contains("a number of seconds"));
}

#[cfg(feature = "plot")]
#[test]
fn the_best_paths_are_drawn() {
    let svg = file("best.svg");
    assert_eq!(crucible(&format!("-q --best 12 --plot {}", svg.display())).0, 0);
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.contains("the 12 best paths") && text.contains("losses 94 to 114"), "{text}");
}

#[test]
fn the_best_paths_come_in_the_order_of_their_losses() {
    for engine in ["astar", "dijkstra", "astar:manhattan"] {
        let (code, out, err) = crucible(&format!("-q --best 4 --engine {engine}"));
        assert_eq!((code, &out[..]), (0, "102\n102\n102\n102\n94\n99\n106\n106\n"), "{err}");
    }
    let (code, out, _) = crucible_reads("- -q --min 1 --max 3 --best 2", b"1\n");
    assert_eq!((code, &out[..]), (0, "0\n"));
    let (code, out, _) = crucible_reads("- -q --min 4 --max 9 --best 2", b"12\n34\n");
    assert_eq!((code, &out[..]), (1, "no way\n"));
    let (code, _, err) = crucible("--best 2 --engine astar,dijkstra");
    assert_eq!(code, 2);
    assert!(err.contains("--best is for one engine"), "{err}");
    assert_eq!(crucible("--best 0").0, 2);
}
