//! The example program `grid`: its answers, messages, files and exit codes.
//!
//! It runs inside the test, so that nothing depends on where a binary was built.

#[path = "../../../tests/support/data.rs"]
mod data;

use std::fs;
use std::path::{Path, PathBuf};

const MAP: &str = "\
type octile
height 5
width 7
map
.......
.@@@@@.
.@...@.
.@.@@@.
.......
";

/// From the top left to the bottom right, and from both into the room.
const QUERIES: &str = "\
version 1
0\troom.map\t7\t5\t0\t0\t6\t4\t10
0\troom.map\t7\t5\t0\t0\t4\t2\t10
1\troom.map\t7\t5\t6\t4\t4\t2\t8
";

/// Exit code, output and error output of the program, without colours.
fn grid_reads(args: &str, mut input: &[u8]) -> (u8, String, String) {
    let args = ["grid"].into_iter().chain(args.split_whitespace());
    let mut out = program::Styled::plain(Vec::new());
    let mut err = program::Styled::plain(Vec::new());
    let code = grid::main(args.map(Into::into), &mut input, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(out.into_inner()), text(err.into_inner()))
}

fn grid(args: &str) -> (u8, String, String) {
    grid_reads(args, b"")
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Writes the map and its queries into files of this test; returns the name of the map.
fn room(test: &str) -> String {
    let map = file(&format!("{test}.map"));
    fs::write(&map, MAP).unwrap();
    fs::write(file(&format!("{test}.map.scen")), QUERIES).unwrap();
    map.display().to_string()
}

/// Checks for exit code 2 and an empty output, and returns the error message.
fn fault(args: &str, input: &[u8]) -> String {
    let (code, out, err) = grid_reads(args, input);
    assert_eq!((code, out.as_str()), (2, ""), "{args}: {err}");
    err
}

const LENGTHS: &str = "10.00000000\n10.00000000\n8.00000000\n";

#[test]
fn lengths_are_printed_one_a_line() {
    let map = room("lengths");
    assert_eq!(grid(&map), (0, LENGTHS.into(), String::new()));
    let ways = ["", "--jump-points", "--landmarks 3", "--jump-points --landmarks 3"];
    for way in ways {
        let mut engines = vec!["", "--engine astar", "--weight 1"];
        if !way.contains("jump") {
            engines.push("--engine bidirectional");
        }
        if !way.contains("landmarks") {
            engines.push("--engine dijkstra");
        }
        for engine in engines {
            let args = format!("{map} {map}.scen --check {way} {engine}");
            assert_eq!(grid(&args), (0, LENGTHS.into(), String::new()), "{args}");
        }
        for engine in ["--engine greedy", "--weight 3"] {
            let (code, out, _) = grid(&format!("{map} {way} {engine}"));
            let lengths = out.lines().map(|line| line.parse::<f64>().unwrap());
            assert_eq!((code, lengths.clone().count()), (0, 3));
            assert!(lengths.zip([10.0, 10.0, 8.0]).all(|(length, least)| length >= least));
        }
    }
    assert_eq!(grid(&format!("{map} --query 3")).1, "8.00000000\n");
    assert_eq!(grid_reads("- --from 0,0 --to 6,4", MAP.as_bytes()).1, "10.00000000\n");
    assert_eq!(grid_reads(&format!("{map} -"), QUERIES.as_bytes()).1, LENGTHS);
    assert_eq!(grid(&format!("{map} --from 2,2 --to 4,2")).1, "2.00000000\n");
}

#[test]
fn paths_are_drawn() {
    let map = room("drawn");
    let drawn = "8.00000000\n.......\n.@@@@@.\n.@***@.\n.@*@@@.\n..*****\n";
    for way in ["", "--jump-points", "--landmarks 2", "--jump-points --landmarks 2"] {
        assert_eq!(grid(&format!("{map} --query 3 --draw {way}")).1, drawn, "{way}");
    }
    assert!(fault(&format!("{map} --draw"), b"").contains("draw one query"));
}

#[test]
fn statistics_are_printed() {
    let map = room("statistics");
    let (code, out, _) = grid(&format!("{map} --stats"));
    assert_eq!(code, 0);
    let rest = out.strip_prefix(LENGTHS).unwrap();
    assert!(rest.starts_with("queries      3, 3 with a path\nexpanded     "), "{rest}");
    assert!(rest.contains(" a query\npreparation  ") && rest.contains("time         "), "{rest}");
}

#[test]
fn queries_without_a_path_are_told() {
    let map = room("without");
    let args = format!("{map} --from 0,0 --to 1,1");
    for way in ["", "--jump-points", "--landmarks 2", "--engine greedy"] {
        assert_eq!(grid(&format!("{args} {way}")), (1, "no path\n".into(), String::new()));
    }
}

#[test]
fn a_stopped_search_is_reported() {
    let open =
        format!("height 1000\nwidth 1000\nmap\n{}", format!("{}\n", ".".repeat(1000)).repeat(1000));
    let args = "- --from 0,0 --to 999,5 --engine dijkstra --time 0";
    assert_eq!(grid_reads(args, open.as_bytes()), (3, "stopped\n".into(), String::new()));
    let args = "- --from 0,0 --to 999,5 --landmarks 3 --time 0";
    let (code, out, err) = grid_reads(args, open.as_bytes());
    assert_eq!((code, &out[..]), (3, ""));
    assert!(err.contains("--landmarks: the preparation was stopped: the time is up"), "{err}");
}

/// Before the search, and without an effect on what is there.
#[test]
fn files_that_cannot_be_written_are_refused_at_once() {
    let map = room("files");
    let copy = format!("{map}.png");
    fs::copy(&map, &copy).unwrap();
    let args = format!("{copy} --from 0,0 --to 1,0 --plot {copy}");
    assert!(fault(&args, b"").contains("is also the map; name another file"));
    assert_eq!(fs::read_to_string(&copy).unwrap(), MAP);
    // The fault is that of the picture, although the map is none.
    fs::write(&copy, "no map").unwrap();
    let args = format!("{copy} --from 0,0 --to 1,0 --plot there/is/no/such/folder.png");
    assert!(fault(&args, b"").starts_with("grid: --plot: there/is/no/such/folder.png: "));
    // Nothing is left of a picture that is not drawn.
    let picture = file("not-drawn.png");
    let args = format!("{copy} --from 0,0 --to 1,0 --plot {}", picture.display());
    assert!(fault(&args, b"").contains("line 1, column 1"));
    assert!(!picture.exists());
}

#[test]
fn bad_input_is_named_with_its_place() {
    let map = room("bad");
    let message = fault("- --from 0,0 --to 0,0", b"height 1\nwidth 3\nmap\n.x.\n");
    assert_eq!(
        message,
        "grid: standard input: line 4, column 2: found `x`, expected one of . G S @ O T W #\n\n    \
         .x.\n     ^\n"
    );
    let hexagons = MAP.replace("octile", "hex");
    assert_eq!(
        fault("- --from 0,0 --to 0,0", hexagons.as_bytes()),
        "grid: standard input: line 1, column 6: found `hex`, expected a map of squares, as `octile`\n\n    \
         type hex\n         ^\n"
    );
    let rows = fault("- --from 0,0 --to 0,0", b"type octile\nheight 2\nwidth 1\nmap\n.\n");
    assert!(rows.contains("line 2, column 8: found 1 rows, expected 2"), "{rows}");
    assert!(fault("- --from 0,0 --to 0,0", b"\xff").contains("line 1, column 1"));
    let scen = file("bad.scen");
    let write = |text: &str| fs::write(&scen, text).unwrap();
    let args = format!("{map} {}", scen.display());
    write("version 1\n0\troom.map\t7\t5\t0\t9\t6\t4\t10\n");
    assert!(fault(&args, b"").contains("bad.scen: line 2, column 18: found `9`"));
    write("version 1\n0\troom.map\t8\t5\t0\t0\t6\t4\t10\n");
    assert!(fault(&args, b"").contains(
        "bad.scen: line 2, column 12: query 1 is for a map of 8 columns and 5 rows, but"
    ));
    write("version 1\n0\troom.map\t7\t5\t0\t0\t6\t4\t11\n");
    assert_eq!(grid(&args).0, 0);
    let (code, out, wrong) = grid(&format!("{args} --check"));
    assert_eq!((code, out.as_str()), (2, "10.00000000\n"));
    assert_eq!(wrong, "grid: query 1: the length is 10.00000000, but the file says 11\n");
    write("version 1\n0\troom.map\t7\t5\t0\t0\t1\t1\t11\n");
    let (code, out, wrong) = grid(&format!("{args} --check"));
    assert_eq!((code, out.as_str()), (2, "no path\n"));
    assert_eq!(wrong, "grid: query 1: there is no path, but the file says 11\n");
}

#[test]
fn bad_usage_is_explained() {
    let map = room("usage");
    assert!(fault("there/is/no/such.map", b"").contains("there/is/no/such.map: "));
    assert!(fault("-", MAP.as_bytes()).contains("name a file of queries, or give --from and --to"));
    assert!(fault(&format!("{map} --query 4"), b"").contains("has the queries 1 to 3, not 4"));
    assert!(fault(&format!("{map} --query 0"), b"").contains("not 0"));
    assert!(fault(&format!("{map} --from 0,0"), b"").contains("--to"));
    assert!(fault(&format!("{map} --from 0,0 --to 7,0"), b"").contains("--to: (7, 0) is not on"));
    assert!(fault(&format!("{map} --from 0;0 --to 7,0"), b"").contains("COLUMN,ROW"));
    assert!(fault(&format!("{map} --from -1,0 --to 7,0"), b"").contains("COLUMN,ROW"));
    assert!(fault(&format!("{map} --query -1"), b"").contains("invalid value '-1'"));
    for landmarks in ["0", "-1", "257", "99999999999"] {
        let fault = fault(&format!("{map} --landmarks {landmarks}"), b"");
        assert!(fault.contains(landmarks) && fault.contains("--landmarks <N>"), "{fault}");
    }
    let fault_of = fault(&format!("{map} --landmarks 2 --engine dijkstra"), b"");
    assert!(fault_of.contains("takes no heuristic: leave out --landmarks"), "{fault_of}");
    let fault_of = fault("- -", MAP.as_bytes());
    assert!(fault_of.contains("the queries: the standard input is read for the map"), "{fault_of}");
    assert!(fault(&format!("{map} --engine best"), b"").contains("dijkstra"));
    assert!(fault(&format!("{map} --weight -1"), b"").contains("--weight"));
    for weight in ["inf", "NaN", "0.5", "0", "1e300"] {
        let fault = fault(&format!("{map} --weight {weight}"), b"");
        assert!(fault.contains("from 1 to 1000000"), "{fault}");
    }
    assert!(fault(&format!("{map} --weight 2 --engine greedy"), b"").contains("--weight is for"));
    assert!(
        fault(&format!("{map} --jump-points --engine bidirectional"), b"")
            .contains("choose another engine")
    );
    assert!(fault(&format!("{map} --engine greedy --check"), b"").contains("the least lengths"));
    assert!(fault(&format!("{map} --query 1 --plot way.gif"), b"").contains(".png or .svg"));
    assert!(fault(&format!("{map} --plot way.png"), b"").contains("draw one query"));
    let (code, out, _) = grid("--help");
    assert_eq!(code, 0);
    assert!(out.contains("Usage: grid") && out.contains("Exit status"));
}

#[test]
fn pictures_are_written() {
    let map = room("pictures");
    let (png, svg) = (file("way.png"), file("way.svg"));
    for picture in [&png, &svg] {
        for way in ["", "--jump-points --landmarks 2", "--engine dijkstra"] {
            let args = format!("{map} --query 2 {way} --plot {}", picture.display());
            assert_eq!(grid(&args), (0, "10.00000000\n".into(), String::new()), "{args}");
        }
    }
    let decoder = pictures::png::Decoder::new(fs::File::open(&png).unwrap());
    let info = decoder.read_info().unwrap().info().clone();
    assert!(info.width > 300 && info.height > 300, "{info:?}");
    let text = fs::read_to_string(&svg).unwrap();
    assert!(
        text.starts_with("<svg") && text.contains("Dijkstra") && text.contains("length 10.000")
    );
    let args = format!("{map} --from 0,0 --to 1,1 --plot {}", svg.display());
    assert_eq!(grid(&args).0, 1);
    assert!(fs::read_to_string(&svg).unwrap().contains("no path"));
    let args = format!("{map} --query 1 --plot there/is/no/such/folder.png");
    assert_eq!(grid(&args).0, 2);
}

#[test]
fn jump_points_have_the_lengths_of_the_benchmark() {
    for name in ["arena", "den312d"] {
        let Some(map) = data::data(&format!("movingai/{name}.map")) else { return };
        let plain = grid(&format!("{} --check", map.display()));
        let jumps = grid(&format!("{} --check --jump-points", map.display()));
        assert_eq!((plain.0, &plain.2[..]), (0, ""));
        assert_eq!(plain, jumps);
    }
}

/// An output that notes how much was written when it was flushed, and is full after some bytes.
struct Noting {
    written: Vec<u8>,
    most: usize,
    flushed: Vec<usize>,
}

impl std::io::Write for Noting {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.written.len() >= self.most {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.flushed.push(self.written.len());
        Ok(())
    }
}

#[test]
fn each_answer_is_printed_before_the_next_is_looked_for() {
    let map = room("one-by-one");
    let run = |most| {
        let mut out = Noting { written: Vec::new(), most, flushed: Vec::new() };
        let mut err = Vec::new();
        let args = ["grid".into(), map.clone().into()];
        let code = grid::main(args, &mut &b""[..], &mut out, &mut err);
        (code, out, String::from_utf8(err).unwrap())
    };
    let (code, out, says) = run(usize::MAX);
    assert_eq!((code, says.as_str()), (0, ""));
    assert_eq!(String::from_utf8(out.written).unwrap(), LENGTHS);
    assert!(out.flushed.starts_with(&[12, 24, 35]), "{:?}", out.flushed);
    // The program ends at the first answer that cannot be written.
    let (code, out, says) = run(12);
    assert!(code == 2 && says.starts_with("grid: cannot write the output: "), "{says}");
    assert_eq!(
        (out.written.as_slice(), out.flushed.as_slice()),
        (&b"10.00000000\n"[..], &[12][..])
    );
}

#[test]
fn a_query_that_is_wrong_hides_no_other() {
    let map = room("wrong-ones");
    let wrong = QUERIES.replace("\t10\n", "\t11\n");
    fs::write(file("wrong-ones.map.scen"), wrong).unwrap();
    let (code, out, says) = grid(&format!("{map} --check --stats"));
    assert!(
        code == 2 && out.starts_with(LENGTHS) && out.contains("queries      3, 3 with"),
        "{out}"
    );
    let expected = "grid: query 1: the length is 10.00000000, but the file says 11\n\
                    query 2: the length is 10.00000000, but the file says 11\n";
    assert_eq!(says, expected);
    let many = "0\troom.map\t7\t5\t0\t0\t6\t4\t9\n".repeat(50);
    fs::write(file("wrong-ones.map.scen"), format!("version 1\n{many}")).unwrap();
    let (code, out, says) = grid(&format!("{map} --check"));
    assert_eq!((code, out.lines().count(), says.lines().count()), (2, 50, 21), "{says}");
    assert!(says.ends_with("\nand 30 more\n"), "{says}");
}
