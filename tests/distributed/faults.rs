//! Bad options, bad files, and problems that panic.

use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bestfirst::engine::{ClusterError, DistributedError, Secret};
use bestfirst::{Cluster, Distributed, FnProblem};

fn fault(line: &str) -> String {
    Cluster::from_args(line.split(' ').map(String::from)).unwrap_err().to_string()
}

#[test]
fn options_are_read_and_the_rest_is_left() {
    let args = "run -w 3 --hostfile=nowhere -x -- -n 7".split(' ').map(String::from);
    // One process needs no addresses, but a file that is named must be there.
    assert!(matches!(Cluster::from_args(args).unwrap_err(), ClusterError::Hosts { .. }));
    let args = "run -w 3 -x -n 2 -- -n 7".split(' ').map(String::from);
    let (cluster, rest) = Cluster::from_args(args).unwrap();
    assert_eq!((cluster.workers(), cluster.processes(), cluster.process()), (3, 2, 0));
    assert_eq!(cluster.addresses(), ["localhost:2101", "localhost:2102"]);
    assert_eq!(rest, ["run", "-x", "--", "-n", "7"]);
}

#[test]
fn bad_options_are_errors_that_say_what_would_be_right() {
    assert_eq!(fault("-n"), "-n has no value; give it a number from 1");
    assert_eq!(fault("-n 0"), "-n is \"0\"; give it a number from 1");
    assert_eq!(fault("-w many"), "-w is \"many\"; give it a number from 1 to 1024");
    assert_eq!(fault("--process=-1"), "--process is \"-1\"; give it a number from 0");
    assert_eq!(fault("-n 2 -p 2"), "this is process 2 of 2; give -p a number from 0 to 1");
    let expected = "--secret-file has no value; give it a file with the secret of the processes";
    assert_eq!(fault("-n 2 --secret-file"), expected);
    let unread = fault("-n 2 --secret-file=/nowhere/secret");
    assert!(unread.starts_with("the secret in /nowhere/secret cannot be used: "), "{unread}");
    assert_eq!(fault("-h"), "-h has no value; give it a file with the addresses of the processes");
    assert_eq!(fault("-w 100000"), "-w is \"100000\"; give it a number from 1 to 1024");
    for (option, count) in [("-n", "99999999999"), ("--processes", "63436")] {
        let right = "a number from 1 to 63435, or name a file of addresses with -h";
        let expected = format!("{option} is \"{count}\"; give it {right}");
        assert_eq!(fault(&format!("{option} {count}")), expected);
    }
    let (most, _) = Cluster::from_args(["-n", "63435"].map(String::from)).unwrap();
    assert_eq!(most.addresses().last().unwrap(), "localhost:65535");
    assert_eq!(Cluster::threads(usize::MAX).workers(), 1024);
    let error = Cluster::processes_at(["a:1", "b:1"], 0, 1025).unwrap_err();
    let expected = "the number of workers is \"1025\"; give it a number from 1 to 1024";
    assert_eq!(error.to_string(), expected);
    let error = Cluster::processes_at(["here"], 0, 1).unwrap_err();
    assert_eq!(error.to_string(), "the address of a process is \"here\"; write HOST:PORT");
}

#[test]
fn bad_files_of_addresses_are_errors_with_the_line() {
    let file = std::env::temp_dir().join(format!("bestfirst-{}-bad", std::process::id()));
    let shown = file.display().to_string();
    let fault = |text: &str| {
        std::fs::write(&file, text).unwrap();
        fault(&format!("-n 3 --hosts {shown}"))
    };
    assert_eq!(
        fault("a:1\n\n# none\nb 2\n"),
        format!("line 4 of {shown} is \"b 2\"; write the address of a process as HOST:PORT")
    );
    assert_eq!(
        fault("a:1 # first\nb:2\n"),
        format!("{shown} has 2 addresses for 3 processes; write a line HOST:PORT for each")
    );
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn an_address_that_is_not_of_this_machine_is_an_error() {
    let line = FnProblem::new(|&n: &u8| [(n + 1, 1_u8)], |_: &u8| 0, |&n: &u8| n == 9);
    // Kept for documentation: no machine has it.
    let cluster = Cluster::processes_at(["192.0.2.1:1", "127.0.0.1:2"], 0, 1).unwrap();
    let cluster = cluster.connect_timeout(Duration::from_secs(1));
    let cluster = cluster.secret(Secret::from_bytes("a secret of this test").unwrap());
    let error = Distributed::new(&line).cluster(cluster).run(0).unwrap_err();
    let DistributedError::Cluster(ClusterError::Listen { address, .. }) = &error else {
        panic!("{error}")
    };
    assert_eq!(address, "192.0.2.1:1");
}

#[test]
fn without_a_secret_all_addresses_are_of_this_machine() {
    let line = FnProblem::new(|&n: &u8| [(n + 1, 1_u8)], |_: &u8| 0, |&n: &u8| n == 9);
    for (address, is_exposed) in [
        ("192.0.2.1:1", true),
        ("example.org:1", true),
        ("localhost.example.org:1", true),
        ("0.0.0.0:1", true),
        ("[::]:1", true),
        ("[2001:db8::1]:1", true),
        ("127.0.0.1:1", false),
        ("127.9.9.9:1", false),
        ("LocalHost:1", false),
        ("[::1]:1", false),
    ] {
        // Process 0 calls nobody; it waits where no other does.
        let own = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let cluster = Cluster::processes_at([own, address.to_owned()], 0, 1).unwrap();
        let cluster = cluster.connect_timeout(Duration::ZERO);
        let error = Distributed::new(&line).cluster(cluster).run(0).unwrap_err();
        let DistributedError::Cluster(error) = error else { panic!("{error}") };
        match error {
            ClusterError::NoSecret { process: 1, address: found } => {
                assert!(is_exposed && found == address, "{address}");
            }
            error => assert!(!is_exposed, "{address}: {error}"),
        }
    }
}

#[test]
fn a_problem_that_panics_panics_here_and_ends_the_other_workers() {
    for workers in 1..=3 {
        let bad = FnProblem::new(
            |&n: &u32| {
                assert!(n < 200, "too far");
                [(n + 1, 1_u32), (n + 2, 2)]
            },
            |_: &u32| 0,
            |_: &u32| false,
        );
        let run = || Distributed::new(&bad).workers(workers).run(0);
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"too far"));
    }
}
