//! Programs that reach the port of a process and do not know the secret.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bestfirst::engine::{ClusterError, DistributedError, Secret};
use bestfirst::{Cluster, Distributed, FnProblem, Report};

/// The first bytes of every connection, and the number of bytes of the first message.
const MARK: &[u8] = b"bestfst2";
const OPENING: usize = 40;

/// However busy the machine is.
const LONG: Duration = Duration::from_secs(60);

type Answer = Result<Report<u32, (), u32>, DistributedError<u32>>;

fn addresses(count: usize) -> Vec<String> {
    let ports: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    ports.iter().map(|port| port.local_addr().unwrap().to_string()).collect()
}

/// A process of a search, on a thread.
fn start(
    addresses: &[String],
    process: usize,
    secret: &str,
    timeout: Duration,
) -> JoinHandle<Answer> {
    let cluster = Cluster::processes_at(addresses, process, 1).unwrap();
    let secret = Secret::from_bytes(format!("a secret of these tests: {secret}")).unwrap();
    let cluster = cluster.connect_timeout(timeout).secret(secret);
    thread::spawn(move || {
        let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 50);
        Distributed::new(&line).cluster(cluster).run(0)
    })
}

fn assert_found(answers: impl IntoIterator<Item = JoinHandle<Answer>>) {
    for answer in answers {
        assert_eq!(answer.join().unwrap().unwrap().cost(), Some(50));
    }
}

fn call(address: &str) -> TcpStream {
    let began = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => {
                stream.set_read_timeout(Some(LONG)).unwrap();
                return stream;
            }
            Err(error) => assert!(began.elapsed() < LONG, "{error}"),
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// What a process says to one that says `bytes`, until it closes the connection.
fn listen(mut stream: TcpStream, bytes: &[u8], ends: bool) -> Vec<u8> {
    // It may be closed at any time.
    let _ = stream.write_all(bytes);
    if ends {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut heard = Vec::new();
    let end = stream.read_to_end(&mut heard);
    assert!(end.is_ok_and(|_| true) || heard.len() <= OPENING);
    heard
}

#[test]
fn strangers_are_told_nothing_and_do_not_end_the_start() {
    let addresses = addresses(2);
    let first = start(&addresses, 0, "", LONG);
    let opening = [MARK, &[7; OPENING - 8]].concat();
    let wrong = [&opening[..], &[9; 32]].concat();
    let long = [&opening[..], &[0xff; 10_000]].concat();
    let old = [b"bestfst1", &[0; 40][..]].concat();
    for (says, hears) in [
        (&b"GET / HTTP/1.1\r\n\r\n"[..], 0),
        (&old, 0),
        (&[0; 100], 0),
        (b"", 0),
        (MARK, 0),
        (&opening[..39], 0),
        (&opening, OPENING),
        (&opening[..], OPENING),
        (&wrong, OPENING),
        (&wrong[..71], OPENING),
        (&long, OPENING),
    ] {
        let heard = listen(call(&addresses[0]), says, true);
        // The system may lose the answer where more was sent than was read.
        let is_right = heard.len() == hears || (heard.is_empty() && says.len() > OPENING);
        assert!(is_right, "{} bytes for {says:?}", heard.len());
        assert!(heard.is_empty() || heard.starts_with(MARK));
    }
    // One that says nothing more, as long as the connection stands.
    assert!(listen(call(&addresses[0]), &opening, false).len() == OPENING);
    let second = start(&addresses, 1, "", LONG);
    assert_found([first, second]);
}

#[test]
fn who_says_a_byte_now_and_then_is_dropped_after_some() {
    let addresses = addresses(2);
    let first = start(&addresses, 0, "", LONG);
    let mut stream = call(&addresses[0]);
    stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let opening = [MARK, &[7; OPENING - 8]].concat();
    let mut said = 0;
    for byte in &opening {
        if stream.write_all(&[*byte]).is_err() {
            break;
        }
        said += 1;
        match stream.read(&mut [0; 100]) {
            Ok(0) => break,
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
            Ok(_) | Err(_) => {}
        }
    }
    // Three seconds, in which there is time for 10.
    assert!(said < 30, "{said}");
    assert_found([first, start(&addresses, 1, "", LONG)]);
}

#[test]
fn many_that_say_nothing_do_not_keep_others_out() {
    let addresses = addresses(3);
    let first = start(&addresses, 0, "", LONG);
    let strangers: Vec<_> = (0..200).map(|_| call(&addresses[0])).collect();
    let others = [1, 2].map(|process| start(&addresses, process, "", LONG));
    assert_found(others.into_iter().chain([first]));
    drop(strangers);
}

#[test]
fn processes_with_different_secrets_do_not_meet() {
    let addresses = addresses(2);
    let timeout = Duration::from_secs(2);
    let answers = ["one", "other"].iter().enumerate();
    let answers: Vec<_> =
        answers.map(|(process, secret)| start(&addresses, process, secret, timeout)).collect();
    for (process, answer) in answers.into_iter().enumerate() {
        let error = answer.join().unwrap().unwrap_err();
        let DistributedError::Cluster(ClusterError::Missing { refused, .. }) = error else {
            panic!("{error}")
        };
        assert!(refused > 0, "{process}");
        let expected = format!("{refused} connections were dropped");
        assert!(error.to_string().contains(&expected), "{error}");
    }
}

/// Passes on what comes from each side to the other, until one of them ends; returns what the first has said.
fn pass_on(one: &TcpStream, other: &TcpStream) -> Vec<u8> {
    let copy = |mut from: &TcpStream, mut to: &TcpStream| {
        let mut said = Vec::new();
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            said.extend_from_slice(&bytes[..count]);
            if to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Write);
        said
    };
    thread::scope(|scope| {
        scope.spawn(|| copy(other, one));
        copy(one, other)
    })
}

#[test]
fn what_was_said_once_is_of_no_use_again() {
    let addresses = addresses(2);
    let between = TcpListener::bind("127.0.0.1:0").unwrap();
    let first = start(&addresses, 0, "", LONG);
    let by_way = vec![between.local_addr().unwrap().to_string(), addresses[1].clone()];
    let second = start(&by_way, 1, "", LONG);
    let (one, _) = between.accept().unwrap();
    let said = pass_on(&one, &call(&addresses[0]));
    assert_found([first, second]);
    assert!(said.len() > 200, "{}", said.len());
    // The same once more, to the same program.
    let first = start(&addresses, 0, "", LONG);
    let heard = listen(call(&addresses[0]), &said, false);
    assert!(heard.len() <= OPENING, "{}", heard.len());
    assert_found([first, start(&addresses, 1, "", LONG)]);
}

#[test]
fn a_process_that_is_connected_with_itself_waits_for_the_other() {
    let addresses = addresses(2);
    let between = TcpListener::bind("127.0.0.1:0").unwrap();
    let by_way = vec![between.local_addr().unwrap().to_string(), addresses[1].clone()];
    let second = start(&by_way, 1, "", LONG);
    let (one, _) = between.accept().unwrap();
    pass_on(&one, &call(&addresses[1]));
    // And what it says, said back.
    let (one, _) = between.accept().unwrap();
    pass_on(&one, &one);
    let first = start(&addresses, 0, "", LONG);
    let (one, _) = between.accept().unwrap();
    pass_on(&one, &call(&addresses[0]));
    assert_found([first, second]);
}
