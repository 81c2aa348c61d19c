//! The example program `route`: its answers, messages and exit codes.
//!
//! It runs inside the test, so that nothing depends on where a binary was built.

#[path = "../../../tests/support/data.rs"]
mod data;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Two ways of cost 4 from 1 to 4, one of them twice, a way back, and a node without arcs.
const GRAPH: &str = "\
c a diamond
p sp 5 6
a 1 2 1
a 1 3 2
a 2 4 3
a 2 4 3
a 3 4 2
a 4 1 1
";

/// Exit code, output and error output of the program.
fn route_reads(args: &str, mut input: &[u8]) -> (u8, String, String) {
    let args = ["route"].into_iter().chain(args.split_whitespace());
    let mut out = program::Styled::plain(Vec::new());
    let mut err = program::Styled::plain(Vec::new());
    let code = route::main(args.map(Into::into), &mut input, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(out.into_inner()), text(err.into_inner()))
}

fn route(args: &str) -> (u8, String, String) {
    route_reads(args, GRAPH.as_bytes())
}

/// What a quiet run prints.
fn costs(args: &str) -> (u8, String) {
    let (code, out, err) = route(&format!("- {args} --quiet"));
    assert_eq!(err, "", "{args}");
    (code, out)
}

/// A file of this content for one test.
fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

#[test]
fn every_engine_finds_the_least_cost() {
    for engine in ["dijkstra", "astar", "bidirectional", "weighted:1 --landmarks 1"] {
        assert_eq!(costs(&format!("1 4 --engine {engine}")), (0, "4\n".into()), "{engine}");
        assert_eq!(costs(&format!("4 5 --engine {engine}")), (1, "no route\n".into()), "{engine}");
        assert_eq!(costs(&format!("2 2 --engine {engine}")), (0, "0\n".into()), "{engine}");
    }
    assert_eq!(costs("1 4 --landmarks 2"), (0, "4\n".into()));
    assert_eq!(costs("1 4 --landmarks 2 --engine bidirectional"), (0, "4\n".into()));
}

#[test]
fn a_byte_order_mark_before_a_file_is_ignored() {
    let pairs = file("marked.pairs", "\u{FEFF}1 4\n".as_bytes());
    let args = format!("- --pairs {} --quiet", pairs.display());
    let (code, out, err) = route_reads(&args, format!("\u{FEFF}{GRAPH}").as_bytes());
    assert_eq!((code, out.as_str(), err.as_str()), (0, "4\n", ""));
}

#[test]
fn the_best_routes_come_in_the_order_of_their_costs() {
    for options in ["", "--engine dijkstra", "--landmarks 2"] {
        // Round the cycle of cost 5 once more, by each of three ways, then twice more.
        let expected = "4\n4\n4\n9\n9\n9\n9\n9\n9\n9\n9\n9\n14\n";
        let all = costs(&format!("1 4 --best 13 --parallel {options}"));
        assert_eq!(all, (0, expected.into()), "{options}");
        let simple = costs(&format!("1 4 --best 13 --simple --parallel {options}"));
        assert_eq!(simple, (0, "4\n4\n4\n".into()), "{options}");
        // The copy of an arc makes no other route unless it is asked for: two ways then.
        let different = costs(&format!("1 4 --best 7 {options}"));
        assert_eq!(different, (0, "4\n4\n9\n9\n9\n9\n14\n".into()), "{options}");
        let simple = costs(&format!("1 4 --best 7 --simple {options}"));
        assert_eq!(simple, (0, "4\n4\n".into()), "{options}");
    }
    assert_eq!(costs("1 5 --best 3"), (1, "no route\n".into()));
    let (code, out, _) = route("- 1 4 --best 7 --simple --path --parallel");
    assert_eq!(code, 0);
    assert_eq!(out.matches("    1 2 4\n").count(), 2, "{out}");
    assert_eq!(out.matches("    1 3 4\n").count(), 1, "{out}");
    assert!(out.contains("  no other route\n"), "{out}");
}

#[test]
fn all_cheapest_routes_are_counted() {
    for options in ["", "--simple", "--engine dijkstra", "--landmarks 1"] {
        let all = costs(&format!("1 4 --all --parallel {options}"));
        assert_eq!(all, (0, "3\n".into()), "{options}");
        assert_eq!(costs(&format!("1 4 --all {options}")), (0, "2\n".into()), "{options}");
    }
    assert_eq!(costs("1 5 --all"), (1, "no route\n".into()));
    let (code, out, _) = route("- 1 4 --all --path --parallel");
    assert_eq!(code, 0);
    assert!(out.contains("  4, 3 routes over 4 nodes and 5 arcs\n"), "{out}");
    assert_eq!(out.matches("    1 2 4\n").count(), 2, "{out}");
    let free = "p sp 2 3\na 1 2 1\na 2 1 0\na 1 1 0\n";
    let (code, out, _) = route_reads("- 1 2 --all --quiet", free.as_bytes());
    assert_eq!((code, &out[..]), (0, "infinitely many\n"));
    let (code, out, _) = route_reads("- 1 2 --all --simple --quiet", free.as_bytes());
    assert_eq!((code, &out[..]), (0, "1\n"));
}

#[test]
fn pairs_are_read_from_a_file() {
    let pairs = file("pairs.txt", b"c pairs\np aux sp p2p 3\nq 1 4\n2 1\n\n1,\t5\n");
    let (code, out) = costs(&format!("--pairs {}", pairs.display()));
    assert_eq!((code, &out[..]), (1, "4\n4\nno route\n"));
    let (code, out) = costs(&format!("3 4 --pairs {}", pairs.display()));
    assert_eq!((code, &out[..]), (1, "2\n4\n4\nno route\n"));
    let (code, out) = costs(&format!("--best 2 --parallel --pairs {}", pairs.display()));
    assert_eq!((code, &out[..]), (1, "4\n4\n4\n4\nno route\n"));
}

#[test]
fn any_of_the_files_may_be_the_standard_input() {
    let graph = file("of-a-file.gr", GRAPH.as_bytes()).display().to_string();
    let (code, out, err) = route_reads(&format!("{graph} --pairs - --quiet"), b"1 4\n2 1\n");
    assert_eq!((code, &out[..], &err[..]), (0, "4\n4\n", ""));
    let places = "p aux sp co 5\nv 1 0 0\nv 2 1 0\nv 3 0 1\nv 4 1 1\nv 5 9 9\n";
    let (code, out, err) =
        route_reads(&format!("{graph} 1 4 --coordinates - --quiet"), places.as_bytes());
    assert_eq!((code, &out[..], &err[..]), (0, "4\n", ""));
}

#[test]
fn limits_stop_the_making_of_landmarks() {
    for limit in ["--time 0", "--memory 0"] {
        let (code, out, err) = route(&format!("- 1 4 --landmarks 2 {limit}"));
        assert_eq!((code, &out[..]), (3, ""), "{err}");
        assert!(err.starts_with("route: --landmarks: the preparation was stopped: "), "{err}");
    }
}

#[test]
fn compressed_files_are_read() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(GRAPH.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let graph = file("packed.gr", &packed);
    let (code, out, err) = route(&format!("{} 1 4 --quiet", graph.display()));
    assert_eq!((code, &out[..], &err[..]), (0, "4\n", ""));
    let (code, out, _) = route_reads("- 1 4 --quiet", &packed);
    assert_eq!((code, &out[..]), (0, "4\n"));
    let (code, _, err) = route_reads("- 1 4", &packed[..packed.len() / 2]);
    assert_eq!(code, 2);
    assert!(err.starts_with("route: standard input: line "), "{err}");
}

#[test]
fn nodes_are_counted_from_zero_where_there_is_no_line_for_their_number() {
    let graph = "\u{FEFF}c of another program\n\na 0 1 1\na 0 2 2\na 1 3 3\na 2 3 2\na 3 0 1\n";
    let run = |args: &str| route_reads(args, graph.as_bytes());
    let (code, out, err) = run("- 0 3 --best 2 --path");
    assert_eq!((code, &err[..]), (0, ""));
    assert!(out.starts_with("0 to 3\n") && out.contains("    0 2 3\n"), "{out}");
    assert_eq!(run("- 3 1 --quiet"), (0, "2\n".into(), String::new()));
    let (code, _, err) = run("- 0 4");
    assert_eq!(code, 2);
    assert!(err.contains("there is no node 4; standard input has the nodes 0 to 3"), "{err}");
    let (_, _, err) = route_reads("- 0 1", b"c\na 0 1 2\na 0 1\n");
    assert!(err.starts_with("route: standard input: line 3, column 6"), "{err}");
}

/// What separates words need not be one blank, and comments may be long.
#[test]
fn what_counts_from_zero_is_known_by_its_first_arc() {
    let long = format!("c {}\n", "x".repeat(1000)).repeat(100);
    for before in ["c\tof another program\n", "  c indented\n", &long] {
        for arc in ["a 0 1 7", "a\t0\t1\t7", "  a 0 1 7"] {
            let graph = format!("{before}{arc}\n");
            let (code, out, err) = route_reads("- 0 1 --quiet", graph.as_bytes());
            assert_eq!((code, &out[..], &err[..]), (0, "7\n", ""), "{arc}");
        }
        let graph = format!("{before}p\tsp 2 1\na 1 2 7\n");
        assert_eq!(route_reads("- 1 2 --quiet", graph.as_bytes()).1, "7\n");
    }
}

/// A file of this name that is not there.
fn no_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn a_hierarchy_is_made_once_and_answers_everything() {
    let path = no_file("diamond.ch");
    for round in 0..2 {
        for (options, expected) in [
            ("1 4", (0, "4\n")),
            ("4 5", (1, "no route\n")),
            ("1 4 --best 3", (0, "4\n4\n9\n")),
            ("1 4 --all", (0, "2\n")),
            ("1 4 --engine bidirectional", (0, "4\n")),
            ("1 4 --engine weighted:2", (0, "4\n")),
        ] {
            let (code, out) = costs(&format!("{options} --hierarchy {}", path.display()));
            assert_eq!((code, &out[..]), expected, "{options}, {round}");
        }
        assert!(path.exists());
    }
    let other = GRAPH.replace("a 3 4 2", "a 3 4 1");
    let args = format!("- 1 4 --hierarchy {}", path.display());
    let (code, _, err) = route_reads(&args, other.as_bytes());
    assert_eq!(code, 2);
    assert!(err.contains("diamond.ch: the file was made of another problem"), "{err}");
    let path = no_file("stopped.ch");
    let (code, _, err) = route(&format!("- 1 4 --memory 0 --hierarchy {}", path.display()));
    assert_eq!(code, 3);
    assert!(err.starts_with("route: --hierarchy: the preparation was stopped"), "{err}");
    assert!(!path.exists());
}

#[test]
fn a_table_has_the_distances_of_all_pairs() {
    let (hierarchy, table) = (no_file("table.ch"), no_file("table.csv"));
    let pairs = file("table-pairs.txt", b"1 4\n2 5\n1 1\n4 4\n");
    let args = format!(
        "- --pairs {} --hierarchy {} --table {}",
        pairs.display(),
        hierarchy.display(),
        table.display()
    );
    // One of them is not there.
    assert_eq!(route(&args), (1, String::new(), String::new()));
    let text = fs::read_to_string(&table).unwrap();
    assert_eq!(text, "from,4,5,1\n1,4,,0\n2,3,,4\n4,0,,1\n");
    // A pair without a route is asked again, within the limits.
    let (code, _, err) = route(&format!("{args} --memory 0"));
    assert_eq!(code, 3, "{err}");
    assert!(
        err.starts_with("route: --table: a query was stopped: there is no more memory"),
        "{err}"
    );
}

#[test]
fn a_cost_that_does_not_fit_is_an_error_in_a_table_too() {
    let graph = "p sp 4 3\na 1 2 4294967295\na 2 3 1\na 3 4 1\n";
    let (hierarchy, table) = (no_file("large.ch"), no_file("large.csv"));
    let args = format!("- 1 3 --hierarchy {}", hierarchy.display());
    let (code, _, expected) = route_reads(&args, graph.as_bytes());
    assert_eq!(code, 2, "{expected}");
    let args = format!("{args} --table {}", table.display());
    assert_eq!(route_reads(&args, graph.as_bytes()), (2, String::new(), expected));
    assert!(!table.exists());
}

#[test]
fn a_table_of_no_pairs_has_no_rows() {
    let (hierarchy, table) = (no_file("no-pairs.ch"), no_file("no-pairs.csv"));
    let pairs = file("no-pairs.txt", b"c none\n");
    let args = format!("- --pairs {} --hierarchy {}", pairs.display(), hierarchy.display());
    assert_eq!(costs(&args[2..]), (0, String::new()));
    assert!(hierarchy.exists());
    fs::remove_file(&hierarchy).unwrap();
    assert_eq!(route(&format!("{args} --table {}", table.display())).0, 0);
    assert!(hierarchy.exists());
    assert_eq!(fs::read_to_string(&table).unwrap(), "from\n");
}

#[test]
fn alternatives_are_printed_after_the_best_route() {
    // Two roads of equal length, and a detour.
    let graph = "p sp 8 9\na 1 2 1\na 2 3 30\na 3 8 1\na 1 4 1\na 4 5 31\na 5 8 1\na 1 6 30\na 6 7 30\na 7 8 30\n";
    let (code, out, err) = route_reads("- 1 8 --alternatives 3 --path", graph.as_bytes());
    assert_eq!((code, &err[..]), (0, ""));
    let (best, other) = (out.find("    1 2 3 8\n").unwrap(), out.find("    1 4 5 8\n").unwrap());
    assert!(best < other && !out.contains(" 6 ") && out.contains("  no other route\n"), "{out}");
    let (code, out, _) = route_reads("- 1 8 --alternatives 1 --quiet", graph.as_bytes());
    assert_eq!((code, &out[..]), (0, "32\n33\n"));
    assert_eq!(costs("4 5 --alternatives 2"), (1, "no route\n".into()));
}

#[test]
fn traffic_makes_arcs_dearer() {
    let hierarchy = no_file("traffic.ch");
    let traffic = file("traffic.txt", b"# a jam\n2 4 1.5\n3 4, 1\n1 3 2\n");
    for options in ["", "--engine dijkstra", "--landmarks 2", "--hierarchy"] {
        let options = match options {
            "--hierarchy" => format!("--hierarchy {}", hierarchy.display()),
            options => options.to_owned(),
        };
        // 1 + 5 by way of 2, where a half is rounded up; 4 + 2 by way of 3.
        let args = format!("1 4 --best 2 --traffic {} {options}", traffic.display());
        assert_eq!(costs(&args), (0, "6\n6\n".into()), "{options}");
        let args = format!("2 4 --traffic {} {options}", traffic.display());
        assert_eq!(costs(&args), (0, "5\n".into()), "{options}");
    }
    for (name, text, expected) in [
        (
            "a",
            "1 2 0.5\n",
            "line 1, column 5: found `0.5`, expected two nodes and a factor from 1 on",
        ),
        ("b", "1 2\n", "line 1, column 4: found the end of the line"),
        ("c", "\n2 1 3\n", "line 2, column 1: there is no arc from 2 to 1"),
        ("d", "1 9 3\n", "line 1, column 1: there is no arc from 1 to 9"),
        ("e", "1 2 NaN\n", "line 1, column 5: found `NaN`"),
        ("g", "1 2 +3\n", "line 1, column 5: found `+3`"),
        ("f", "1 2 2\n\n1 2 3\n", "line 3, column 1: the arc from 1 to 2 has a factor already"),
    ] {
        let traffic = file(&format!("bad-traffic-{name}.txt"), text.as_bytes());
        let (code, _, err) = route(&format!("- 1 4 --traffic {}", traffic.display()));
        assert_eq!(code, 2);
        assert!(err.contains(expected), "{err}");
    }
}

#[test]
fn dearer_weights_are_exact_or_an_error() {
    let graph = b"p sp 3 2\na 1 2 100\na 2 3 4294967295\n";
    let run = |text: &str| {
        let traffic = file("exact-traffic.txt", text.as_bytes()).display().to_string();
        route_reads(&format!("- 1 2 -q --traffic {traffic}"), graph)
    };
    for (factor, expected) in
        [("1.1", 110), ("1.15", 115), ("1.101", 111), ("1e6", 100_000_000), ("1.0000000001", 101)]
    {
        let (code, out, err) = run(&format!("1 2 {factor}\n"));
        assert_eq!((code, out, err), (0, format!("{expected}\n"), String::new()), "{factor}");
    }
    assert_eq!(run("2 3 1\n").0, 0);
    let (code, _, err) = run("c\n2 3 1.5\n");
    let expected = "line 2, column 5: the weight 4294967295 times 1.5 is more than 4294967295\n";
    assert!(code == 2 && err.ends_with(expected), "{err}");
}

#[test]
fn routes_are_drawn() {
    let places = "p aux sp co 5\nv 1 0 0\nv 2 100 100\nv 3 100 -100\nv 4 200 0\nv 5 900 90\n";
    let places = file("drawn.co", places.as_bytes());
    let hierarchy = no_file("drawn.ch");
    for options in ["", "--engine dijkstra", "--best 2", "--alternatives 2", "--hierarchy"] {
        let options = match options {
            "--hierarchy" => format!("--hierarchy {}", hierarchy.display()),
            options => options.to_owned(),
        };
        for ending in ["svg", "png"] {
            let picture = no_file(&format!("drawn.{ending}"));
            let (at, to) = (places.display(), picture.display());
            let (code, _, err) = route(&format!("- 1 4 --coordinates {at} --plot {to} {options}"));
            assert_eq!((code, &err[..]), (0, ""), "{options}");
            let bytes = fs::read(&picture).unwrap();
            if ending == "svg" {
                let text = String::from_utf8(bytes).unwrap();
                let has_second =
                    ["--best", "--alternatives"].iter().any(|it| options.starts_with(it));
                assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
                assert!(text.contains("rgb(0,114,178)") && text.contains("1 to 4: 4"), "{text}");
                assert_eq!(text.contains("rgb(213,94,0)"), has_second, "{text}");
                assert!(!text.contains("0 nodes that were expanded"), "{text}");
            } else {
                assert!(bytes.starts_with(b"\x89PNG"));
            }
        }
    }
}

#[test]
fn limits_stop_a_search() {
    let (code, out, _) = route("- 1 4 --best 9 --memory 0 --quiet");
    assert_eq!((code, &out[..]), (3, "stopped\n"));
    let (code, out, _) = route("- 1 4 --memory 0");
    assert_eq!(code, 3);
    assert!(out.contains("stopped: ") && out.contains("at least 0"), "{out}");
    assert_eq!(route("- 1 4 --all --time 0 --quiet"), (3, "stopped\n".into(), String::new()));
}

#[test]
fn invalid_usage_is_an_error() {
    for (args, expected) in [
        ("-", "<FROM>"),
        ("- 1", "<TO>"),
        ("- 1 x", "'x' for '[TO]'"),
        ("- 1 6", "TO: there is no node 6; standard input has the nodes 1 to 5"),
        ("- 0 4", "FROM: there is no node 0"),
        ("- 1 4 --best 0", "1.."),
        ("- 1 4 --best 2 --all", "cannot be used with"),
        ("- 1 4 --simple", "--simple is for --best or --all"),
        ("- 1 4 --best 2 --engine bidirectional", "--best and --all are for"),
        ("- 1 4 --engine bogus", "there is no engine \"bogus\""),
        ("- 1 4 --engine weighted", "as in weighted:1.5"),
        ("- 1 4 --engine weighted:0.5", "from 1 to 1000000"),
        ("- 1 4 --engine dijkstra --landmarks 2", "takes no heuristic"),
        (
            "- 1 4 --engine weighted:2",
            "needs a heuristic: give --coordinates, --landmarks or --hierarchy",
        ),
        ("- 1 4 --landmarks 0", "1..=256"),
        ("- 1 4 --landmarks -2", "1..=256"),
        ("- 1 -4", "invalid value '-4' for '[TO]': a node is a number from 0 to 4294967295"),
        ("- - 4", "invalid value '-' for '[FROM]': a node is a number"),
        ("- +1 4", "invalid value '+1' for '[FROM]': a node is a number"),
        ("- 1 4294967296", "invalid value '4294967296' for '[TO]': a node is a number"),
        ("- 1 4 --time -1", "number of seconds"),
        ("- 1 4 --memory -1", "megabytes"),
        ("- --pairs -", "--pairs: the standard input is read for the network"),
        ("a --pairs - --coordinates -", "--coordinates: the standard input is read for --pairs"),
        ("- 1 4 --time soon", "number of seconds"),
        ("- 1 4 --memory x", "megabytes"),
        ("- 1 4 --coordinates no-such-file", "no-such-file: "),
        ("- 1 4 --alternatives 2 --best 3", "cannot be used with"),
        ("- 1 4 --alternatives 2 --engine bidirectional", "leave out --engine"),
        ("- 1 4 --table x.csv", "--hierarchy"),
        ("- 1 4 --plot x.png", "--coordinates"),
        ("- 1 4 --plot x.gif --coordinates no-such-file", "--plot: x.gif: the name must end in"),
        ("- 1 4 --traffic -", "--traffic: the standard input is read for the network"),
        ("- 1 4 --engine dijkstra --hierarchy x.ch", "takes no heuristic"),
        ("- 1 4 --hierarchy no-such-folder/x.ch", "--hierarchy: no-such-folder/x.ch"),
        ("a 1 4 --hierarchy -", "--hierarchy: the standard output is for the answers"),
        ("- 1 4 --hierarchy x.ch --table -", "--table: the standard output is for the answers"),
        ("no-such-file 1 4", "no-such-file: "),
        ("- --pairs no-such-file", "no-such-file: "),
    ] {
        let (code, out, err) = route(args);
        assert_eq!(code, 2, "{args}: {out}{err}");
        assert!(err.contains(expected), "{args}: {err}");
        assert_eq!(out, "", "{args}");
    }
}

#[test]
fn errors_in_the_input_have_positions() {
    let (code, _, err) = route_reads("- 1 2", b"p sp 2 1\na 1 x 3\n");
    assert_eq!(code, 2);
    assert!(err.starts_with("route: standard input: line 2, column 5"), "{err}");
    let (_, _, err) = route_reads("- 1 2", b"c\np sp 2 3\na 1 2 3\n");
    assert!(err.contains("standard input: line 2, column 8: found 1 arcs, expected 3"), "{err}");
    for (pairs, expected) in [
        (&b"1 4\n1 2 3\n"[..], "line 2, column 5: found `3`, expected two nodes, as in `12 340`"),
        (b"1 9\n", "line 1, column 3: there is no node 9; standard input has the nodes 1 to 5"),
        (b"1 99999999999\n", "line 1, column 3: there is no node 99999999999; standard input has"),
        (b"q  7 \t1\n", "line 1, column 4: there is no node 7"),
        (b"1 -4\n", "line 1, column 3: found `-4`"),
        (b"1 4\n\n 1\n", "line 3, column 3: found the end of the line, expected two nodes"),
        (b"1 +4\n", "line 1, column 3: found `+4`, expected two nodes, as in `12 340`"),
        (b"q 1,x\n", "line 1, column 5: found `x`"),
        (b"1 \xFF\n", "line 1, column 3: found `\u{FFFD}`"),
    ] {
        let pairs = file(&format!("bad-pairs-{}.txt", pairs.len()), pairs);
        let (code, _, err) = route(&format!("- --pairs {}", pairs.display()));
        assert_eq!(code, 2);
        assert!(err.contains(expected), "{err}");
    }
    let (_, _, err) = route_reads("- 1 1", b"p sp 0 0\n");
    assert_eq!(err, "route: FROM: there is no node 1; standard input has no nodes\n");
}

/// The costs of one route and of ten, with every heuristic, on the roads of Rome.
#[test]
fn heuristics_change_no_cost() {
    let Some(rome) = data::data("roads/rome99.gr") else { return };
    let ten = |options: &str| {
        let (code, out, err) =
            route(&format!("{} 1 3353 --best 10 --quiet {options}", rome.display()));
        assert_eq!((code, &err[..]), (0, ""));
        out
    };
    let expected = ten("--engine dijkstra");
    assert_eq!(expected.lines().count(), 10);
    assert_eq!(ten(""), expected);
    assert_eq!(ten("--landmarks 8"), expected);
    let (_, one, _) = route(&format!("{} 1 3353 --quiet", rome.display()));
    assert_eq!(expected.lines().next(), one.lines().next());
}

#[test]
fn a_line_without_an_end_is_refused_by_name() {
    let run = |args: &str| {
        let args = ["route"].into_iter().chain(args.split_whitespace());
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code =
            route::main(args.map(Into::into), &mut std::io::repeat(b'1'), &mut out, &mut err);
        (code, out.len(), String::from_utf8(err).unwrap())
    };
    let (code, written, says) = run("- 1 2");
    assert_eq!((code, written), (2, 0), "{says}");
    assert!(
        says.starts_with("route: standard input: line 1") && says.contains("too long"),
        "{says}"
    );
    let graph = file("endless.gr", GRAPH.as_bytes());
    let (code, written, says) = run(&format!("{} --pairs -", graph.display()));
    assert_eq!((code, written), (2, 0), "{says}");
    assert!(
        says.starts_with("route: standard input: line 1") && says.contains("too long"),
        "{says}"
    );
}
