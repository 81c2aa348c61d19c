//! Models of how threads work together: loom runs each in all orders that its memory model allows, and fails where a thread
//! waits for ever, or an assertion does not hold in one of them.

#[path = "../../src/engine/threads/workers.rs"]
mod workers;

/// What `src/sync.rs` is to the crate.
mod sync {
    pub(crate) use std::sync::PoisonError;
    pub(crate) use std::thread::panicking;

    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use loom::thread::yield_now;

    /// How long a helper polls before it blocks changes only the number of orders.
    pub(crate) const SPINS: u32 = 0;
    pub(crate) const YIELDS: u32 = 0;
}

use std::cell::Cell;
use std::time::Instant;

use loom::sync::Arc;
use loom::thread;

use sync::{AtomicUsize, Ordering, yield_now};
use workers::{End, Workers};

/// Runs the model in all orders, with at most so many switches from a thread that could go on.
fn check(name: &str, most_switches: Option<usize>, model: impl Fn() + Send + Sync + 'static) {
    thread_local! {
        static ORDERS: Cell<u64> = const { Cell::new(0) };
    }
    let began = Instant::now();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = most_switches;

    ORDERS.set(0);
    builder.check(move || {
        ORDERS.set(ORDERS.get() + 1);
        model();
    });
    println!("{name}: {} orders, {:.1} s", ORDERS.get(), began.elapsed().as_secs_f64());
}

/// Every item is worked on once in each round, by whichever thread, and is put back; then all helpers end.
fn rounds(helpers: usize, items: usize, rounds: usize) {
    let workers = Arc::new(Workers::new(items, true));
    let help = |workers: Arc<Workers<usize>>| move || workers.run_helper(|item| *item += 1);
    let helpers: Vec<_> = (0..helpers).map(|_| thread::spawn(help(Arc::clone(&workers)))).collect();
    let mut all: Vec<_> = (0..items).map(|item| Box::new(100 * item)).collect();
    {
        let _end = End(&*workers);
        for round in 1..=rounds {
            assert!(workers.run_round(&mut all, |item| *item += 1));
            assert!(all.iter().map(|item| **item).eq((0..items).map(|item| 100 * item + round)));
        }
    }
    for helper in helpers {
        helper.join().expect("no helper panics");
    }
}

/// While one thread works on an item, a helper takes the other: each item is done when both are begun.
fn meeting() {
    let begun = Arc::new(AtomicUsize::new(0));
    let work = |begun: Arc<AtomicUsize>| {
        move |_: &mut ()| {
            begun.fetch_add(1, Ordering::AcqRel);
            while begun.load(Ordering::Acquire) < 2 {
                yield_now();
            }
        }
    };
    let workers = Arc::new(Workers::new(2, true));
    let (helped, help) = (Arc::clone(&workers), work(Arc::clone(&begun)));
    let helper = thread::spawn(move || helped.run_helper(help));
    {
        let _end = End(&*workers);
        assert!(workers.run_round(&mut vec![Box::new(()), Box::new(())], work(begun)));
    }
    helper.join().expect("no helper panics");
}

fn main() {
    check("shards: 1 helper, 1 item, 2 rounds", Some(3), || rounds(1, 1, 2));
    check("shards: a helper comes for the second item", Some(3), meeting);
    check("shards: 1 helper, 2 items, 2 rounds", Some(3), || rounds(1, 2, 2));
    check("shards: 2 helpers, 2 items, 1 round", Some(2), || rounds(2, 2, 1));
}
