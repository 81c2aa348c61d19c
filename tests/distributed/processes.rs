//! Several processes over 127.0.0.1: this program again, as [`a_process_of_the_cluster`].

use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, Cluster, Distributed, Limits};

/// What a process is told: its arguments, and what it is to search.
const ARGS: &str = "BESTFIRST_TEST_CLUSTER";
const BOARD: &str = "BESTFIRST_TEST_BOARD";

/// A puzzle that takes a moment, and the longest of Korf's hundred.
const SHORT: &str = "8 7 6 0 4 1 2 5 3";
const LONG: &str = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4";

/// Not a test but what the processes of the other tests run.
#[test]
fn a_process_of_the_cluster() {
    let Ok(args) = std::env::var(ARGS) else { return };
    let (cluster, _) = Cluster::from_args(args.split('\n').map(String::from)).unwrap();
    let cluster = cluster.connect_timeout(Duration::from_secs(2));
    let board = std::env::var(BOARD).unwrap();
    let width = if board == LONG { 4 } else { 3 };
    let puzzle = SlidingTiles::<Packed>::new(width, width).unwrap();
    let board: Board = board.parse().unwrap();
    let search = Distributed::new(&puzzle).cluster(cluster).limits(Limits::new().memory(1 << 30));
    match search.run(puzzle.state(&board).unwrap()) {
        Ok(report) => {
            assert_eq!(report.path().unwrap().verify(&puzzle), Ok(()));
            println!("report: {report:?}");
        }
        Err(error) => println!("error: {error}"),
    }
}

/// Free ports of this machine.
fn addresses(count: usize) -> Vec<String> {
    let ports: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    ports.iter().map(|port| port.local_addr().unwrap().to_string()).collect()
}

/// A file of addresses, removed when it is dropped.
struct Hosts(std::path::PathBuf);

impl Hosts {
    fn new(name: &str, addresses: &[String]) -> Self {
        let file = std::env::temp_dir().join(format!("bestfirst-{}-{name}", std::process::id()));
        std::fs::write(&file, format!("# the processes\n{}\n", addresses.join("\n"))).unwrap();
        Self(file)
    }

    fn start(&self, process: usize, processes: usize, workers: usize, board: &str) -> Child {
        let hosts = self.0.to_str().unwrap();
        let args = format!("--hosts\n{hosts}\n-n\n{processes}\n-p\n{process}\n-w\n{workers}");
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "processes::a_process_of_the_cluster", "--nocapture"])
            .env(ARGS, args)
            .env(BOARD, board)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The line of the output that begins so.
fn line(output: &Output, begin: &str) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let found = text.lines().find_map(|line| line.split_once(begin));
    let faults = String::from_utf8_lossy(&output.stderr);
    found.unwrap_or_else(|| panic!("no {begin}: {text} {faults}")).1.to_owned()
}

#[test]
fn processes_have_one_report_which_is_that_of_as_many_workers() {
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let start = puzzle.state(&SHORT.parse::<Board>().unwrap()).unwrap();
    for (processes, workers) in [(2, 1), (3, 1), (2, 2)] {
        let hosts = Hosts::new(&format!("{processes}{workers}"), &addresses(processes));
        let children: Vec<_> =
            (0..processes).map(|process| hosts.start(process, processes, workers, SHORT)).collect();
        let own = Distributed::new(&puzzle).workers(processes * workers).run(start).unwrap();
        assert_eq!(own.cost(), AStar::new(&puzzle).search(start).run().unwrap().cost());
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!(line(&output, "report: "), format!("{own:?}"));
        }
    }
}

#[test]
fn a_process_that_is_killed_ends_the_others_with_an_error() {
    let hosts = Hosts::new("killed", &addresses(3));
    let mut children: Vec<_> = (0..3).map(|process| hosts.start(process, 3, 1, LONG)).collect();
    std::thread::sleep(Duration::from_secs(2));
    let mut killed = children.pop().unwrap();
    killed.kill().unwrap();
    let began = Instant::now();
    killed.wait().unwrap();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        let error = line(&output, "error: ");
        // The first to give up may be seen before the one that was killed.
        assert!(error.contains("is lost") && error.contains("127.0.0.1:"), "{error}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    }
}

#[test]
fn a_process_that_does_not_come_is_named() {
    let addresses = addresses(3);
    let hosts = Hosts::new("missing", &addresses);
    let children = [0, 2].map(|process| hosts.start(process, 3, 1, SHORT));
    for child in children {
        let output = child.wait_with_output().unwrap();
        let error = line(&output, "error: ");
        let expected = format!("no connection to process 1 at {} within ", addresses[1]);
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn processes_with_different_starts_are_told_so() {
    let hosts = Hosts::new("different", &addresses(2));
    let children = [hosts.start(0, 2, 1, SHORT), hosts.start(1, 2, 1, LONG)];
    for child in children {
        let output = child.wait_with_output().unwrap();
        let error = line(&output, "error: ");
        assert!(error.starts_with("the hash of the starts is "), "{error}");
    }
}
