//! Several processes over 127.0.0.1: this program again, as [`a_process_of_the_cluster`].

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, Cluster, Distributed, Limits};

/// What a process is told: its arguments, and what it is to search.
const ARGS: &str = "BESTFIRST_TEST_CLUSTER";
const BOARD: &str = "BESTFIRST_TEST_BOARD";
const CONNECT_SECONDS: &str = "BESTFIRST_TEST_CONNECT_SECONDS";

/// What a process says to begin a line when it has expanded some states.
const PROGRESS: &str = "progress: ";

/// A puzzle that takes a moment, and the longest of Korf's hundred.
const SHORT: &str = "8 7 6 0 4 1 2 5 3";
const LONG: &str = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4";

/// Not a test but what the processes of the other tests run.
#[test]
fn a_process_of_the_cluster() {
    let Ok(args) = std::env::var(ARGS) else { return };
    let (cluster, _) = Cluster::from_args(args.split('\n').map(String::from)).unwrap();
    let patience = std::env::var(CONNECT_SECONDS).unwrap().parse().unwrap();
    let cluster = cluster.connect_timeout(Duration::from_secs(patience));
    let board = std::env::var(BOARD).unwrap();
    let width = if board == LONG { 4 } else { 3 };
    let puzzle = SlidingTiles::<Packed>::new(width, width).unwrap();
    let board: Board = board.parse().unwrap();
    let search = Distributed::new(&puzzle).cluster(cluster).limits(Limits::new().memory(1 << 30));
    let mut is_told = false;
    let search = search.on_progress(|now| {
        if now.expanded > 10_000 && !is_told {
            println!("{PROGRESS}{now:?}");
            is_told = true;
        }
    });
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

/// Does something with free ports, and once more with others if another program has taken one since.
fn on_free_ports(
    count: usize,
    run: impl Fn(&[String]) -> Vec<Output>,
) -> (Vec<String>, Vec<Output>) {
    let is_taken = |output: &Output| {
        String::from_utf8_lossy(&output.stdout).contains("this process cannot wait for the others")
    };
    let first = addresses(count);
    let outputs = run(&first);
    if !outputs.iter().any(is_taken) {
        return (first, outputs);
    }
    let second = addresses(count);
    let outputs = run(&second);
    (second, outputs)
}

fn outputs(children: impl IntoIterator<Item = Child>) -> Vec<Output> {
    children.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
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
        // However busy the machine is.
        self.start_within(60, (process, processes, workers), board)
    }

    fn start_within(
        &self,
        seconds: u64,
        (process, processes, workers): (usize, usize, usize),
        board: &str,
    ) -> Child {
        self.command(seconds, (process, processes, workers), board).spawn().unwrap()
    }

    fn command(
        &self,
        seconds: u64,
        (process, processes, workers): (usize, usize, usize),
        board: &str,
    ) -> Command {
        let hosts = self.0.to_str().unwrap();
        let args = format!("--hosts\n{hosts}\n-n\n{processes}\n-p\n{process}\n-w\n{workers}");
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "processes::a_process_of_the_cluster", "--nocapture"])
            .env(ARGS, args)
            .env(BOARD, board)
            .env(CONNECT_SECONDS, seconds.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
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
        let own = Distributed::new(&puzzle).workers(processes * workers).run(start).unwrap();
        assert_eq!(own.cost(), AStar::new(&puzzle).search(start).run().unwrap().cost());
        let (_, outputs) = on_free_ports(processes, |addresses| {
            let hosts = Hosts::new(&format!("{processes}{workers}"), addresses);
            let start = |process| hosts.start(process, processes, workers, SHORT);
            outputs((0..processes).map(start).collect::<Vec<_>>())
        });
        for output in outputs {
            assert_eq!(line(&output, "report: "), format!("{own:?}"));
        }
    }
}

/// Waits for a line of progress, or the end.
fn wait_for_progress(from: &mut impl BufRead) -> String {
    let mut text = String::new();
    while !text.contains(PROGRESS) && from.read_line(&mut text).unwrap() > 0 {}
    text
}

#[test]
fn a_process_that_is_killed_ends_the_others_with_an_error() {
    let (_, outputs) = on_free_ports(3, |addresses| {
        let hosts = Hosts::new("killed", addresses);
        let mut children: Vec<_> = (0..3).map(|process| hosts.start(process, 3, 1, LONG)).collect();
        let mut first = BufReader::new(children[0].stdout.take().unwrap());
        let mut text = wait_for_progress(&mut first);
        let mut killed = children.pop().unwrap();
        killed.kill().unwrap();
        let began = Instant::now();
        let mut all = vec![killed.wait_with_output().unwrap()];
        first.read_to_string(&mut text).unwrap();
        all.extend(outputs(children));
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        all[1].stdout = text.into_bytes();
        all
    });
    line(&outputs[1], PROGRESS);
    for output in &outputs[1..] {
        let error = line(output, "error: ");
        // The first to give up may be seen before the one that was killed.
        assert!(error.contains("is lost") && error.contains("127.0.0.1:"), "{error}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    }
}

#[test]
fn a_process_that_does_not_come_is_named() {
    let (addresses, outputs) = on_free_ports(3, |addresses| {
        let hosts = Hosts::new("missing", addresses);
        outputs([0, 2].map(|process| hosts.start_within(2, (process, 3, 1), SHORT)))
    });
    for output in outputs {
        let error = line(&output, "error: ");
        let expected = format!("no connection to process 1 at {} within ", addresses[1]);
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn processes_with_different_starts_are_told_so() {
    let (_, outputs) = on_free_ports(2, |addresses| {
        let hosts = Hosts::new("different", addresses);
        outputs([hosts.start(0, 2, 1, SHORT), hosts.start(1, 2, 1, LONG)])
    });
    for output in outputs {
        let error = line(&output, "error: ");
        assert!(error.starts_with("the hash of the starts is "), "{error}");
    }
}

#[test]
fn a_secret_comes_from_the_environment_or_a_file() {
    let (_, outputs) = on_free_ports(3, |addresses| {
        let hosts = Hosts::new("secret", addresses);
        let file = hosts.0.with_extension("txt");
        std::fs::write(&file, "the secret of this test\n").unwrap();
        let by_environment = ["the secret of this test", "\tthe secret of this test "];
        let mut commands: Vec<_> =
            (0..3).map(|process| hosts.command(60, (process, 3, 1), SHORT)).collect();
        for (command, secret) in commands.iter_mut().zip(by_environment) {
            command.env("BESTFIRST_SECRET", secret);
        }
        let args = commands[2].get_envs().find(|(name, _)| *name == ARGS).unwrap().1.unwrap();
        let args = format!("{}\n--secret-file\n{}", args.to_str().unwrap(), file.display());
        // A file that is named counts more.
        commands[2].env(ARGS, args).env("BESTFIRST_SECRET", "another secret, of nobody");
        let children: Vec<_> =
            commands.into_iter().map(|mut command| command.spawn().unwrap()).collect();
        let outputs = outputs(children);
        std::fs::remove_file(&file).unwrap();
        outputs
    });
    let reports: Vec<_> = outputs.iter().map(|output| line(output, "report: ")).collect();
    assert!(reports.iter().all(|report| *report == reports[0]));
}
