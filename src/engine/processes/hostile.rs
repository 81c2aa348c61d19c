//! A process that knows the secret, and then sends what it should not. Those that do not know it are in
//! `tests/distributed/strangers.rs`.

#![expect(clippy::disallowed_methods, reason = "a test may read the clock")]

use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use super::connect::{Hello, Proven, connect};
use super::frame::{Kind, Sequence};
use super::messages::tests::header;
use super::wire::{Socket, Sockets, Wire};
use super::{Cluster, ClusterError, Distributed, DistributedError, Loss, Secret, hello_of};
use crate::encode::Encode;
use crate::problem::FnProblem;

fn addresses() -> [String; 2] {
    let ports = [0; 2].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    ports.map(|port| port.local_addr().unwrap().to_string())
}

fn cluster(addresses: &[String; 2], process: usize) -> Cluster {
    Cluster::processes_at(addresses, process, 1)
        .unwrap()
        .secret(Secret::from_bytes("a secret of these tests").unwrap())
        .connect_timeout(Duration::from_secs(60))
        .stall_timeout(Duration::from_secs(2))
}

fn connect_by_hand(addresses: &[String; 2], hello: Hello) -> Proven<Socket> {
    let cluster = cluster(addresses, 1);
    let mut network = Sockets::new(&cluster).unwrap();
    let mut connections = connect(&mut network, &cluster, Hello { process: 1, ..hello }).unwrap();
    let proven = connections[0].take().unwrap();
    proven.wire.set_waiting(true).unwrap();
    proven
}

fn send(wire: &Socket, sequence: &mut Sequence, kind: Kind, content: &[u8]) -> bool {
    let bytes = [&sequence.head(kind, content)[..], content].concat();
    // The other process may have had enough.
    wire.send(&bytes, &[]).is_ok_and(|count| count == bytes.len())
}

/// The end of a search of which one process does `attack`, which says whether to go on with it after a while.
fn end(attack: impl Fn(&Socket, &mut Sequence) -> bool + Send + 'static) -> ClusterError {
    let line = || FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 2000);
    let addresses = addresses();
    let hello = hello_of::<_, u32>(&cluster(&addresses, 0), &line(), &[(0, 0)]);
    let its_addresses = addresses.clone();
    let attacker = thread::spawn(move || {
        let Proven { wire, mut sending, .. } = connect_by_hand(&its_addresses, hello);
        let began = Instant::now();
        // As long as the other process is there.
        let mut bytes = [0; 4096];
        while began.elapsed() < Duration::from_secs(60) && attack(&wire, &mut sending) {
            thread::sleep(Duration::from_millis(100));
            wire.set_waiting(false).unwrap();
            while let Ok(count @ 1..) = wire.receive(&mut bytes) {
                let _ = count;
            }
            wire.set_waiting(true).unwrap();
        }
        began.elapsed()
    });
    let search = Distributed::new(line()).cluster(cluster(&addresses, 0));
    let error = search.run(0).unwrap_err();
    let took = attacker.join().unwrap();
    // Far above what the documentation says, for busy machines.
    assert!(took < Duration::from_secs(45), "{took:?}");
    match error {
        DistributedError::Cluster(error) => error,
        error @ DistributedError::Search(_) => panic!("{error}"),
    }
}

fn loss(attack: impl Fn(&Socket, &mut Sequence) -> bool + Send + 'static) -> Loss {
    match end(attack) {
        ClusterError::Lost { process: 1, loss, .. } => loss,
        error => panic!("{error}"),
    }
}

#[test]
fn heartbeats_alone_are_not_enough() {
    let beats = |waits: bool| {
        move |wire: &Socket, sequence: &mut Sequence| {
            let mut content = [0; <(u64, bool)>::BYTES];
            (0_u64, waits).encode(&mut content);
            send(wire, sequence, Kind::Beat, &content)
        }
    };
    assert_eq!(loss(beats(false)), Loss::Stalled);
    assert_eq!(loss(beats(true)), Loss::Stalled);
}

#[test]
fn a_wrong_length_or_target_is_a_named_error() {
    for numbers in [
        [5, 1, 0, 1, 1 << 60, 0],
        [5, 1, 5, 6, 8, 0],
        [3, 1, 0, u64::MAX, 8, 0],
        [4, 1, 0, 1, 8, 0],
    ] {
        let attack = move |wire: &Socket, sequence: &mut Sequence| {
            send(wire, sequence, Kind::Data, &[&header(numbers)[..], &[0; 8]].concat())
        };
        assert_eq!(loss(attack), Loss::Garbled, "{numbers:?}");
    }
}

#[test]
fn bytes_that_are_no_frames_are_a_named_error() {
    assert_eq!(loss(|wire, _| wire.send(&[0xff; 5000], &[]).is_ok()), Loss::Garbled);
    assert_eq!(loss(|wire, _| wire.send(&[0; 5000], &[]).is_ok()), Loss::Garbled);
}

#[test]
fn contents_that_timely_cannot_read_are_a_named_error() {
    for channel in [3, 5] {
        for content in [vec![0xff; 64], vec![0x01; 200], vec![0xff; 3]] {
            let attack = move |wire: &Socket, sequence: &mut Sequence| {
                let header = header([channel, 1, 0, 1, content.len() as u64, 0]);
                send(wire, sequence, Kind::Data, &[&header[..], &content].concat())
            };
            let error = end(attack);
            assert!(matches!(error, ClusterError::Confused), "channel {channel}: {error}");
        }
    }
}
