//! [`Exchange`]: the dataflow, seen from a worker: what it sends, what it receives, and the frontier.
//!
//! The dataflow is a loop of two operators: one that hands batches in and out, and timely's feedback, which makes the
//! round of a batch the next one. The search runs outside, so problems may borrow.

use std::cell::RefCell;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;
use std::time::Duration;

use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::OutputBuilder;
use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback};
use timely::scheduling::Activator;
use timely::worker::Worker;

use super::batch::{Batch, ByAddress, take_buffer};
use super::time::{Rounds, Time};
use super::wire::Turn;
use super::worker::GivenUp;
use crate::cost::Cost;
use crate::encode::Encode;

/// One worker's end of the dataflow.
pub(super) struct Exchange<C: Cost + Encode + Send + 'static> {
    worker: Worker,
    port: Rc<RefCell<Port<C>>>,
    activator: Activator,
    /// Whether all workers are of this process.
    is_alone: bool,
    /// Dropped last: it says that the worker has ended.
    turn: Option<Box<dyn Turn>>,
}

/// What passes between the search and the operator.
struct Port<C: Cost + Encode + Send + 'static> {
    incoming: Vec<(Time<C>, Batch)>,
    outgoing: Vec<Batch>,
    spare: Spare,
    /// The right to send, from its time on. `None` when the worker has done its part.
    capability: Option<Capability<Time<C>>>,
    /// What the worker has promised since.
    promise: Option<Promise<C>>,
    /// No batch with a smaller time will come. `None` if none will come at all.
    frontier: Option<Time<C>>,
}

/// Buffers of batches that were sent, to be used again.
struct Spare {
    buffers: Vec<Vec<u8>>,
    /// It keeps no more: one that is filled and one that is sent for each other worker.
    most: usize,
}

impl Spare {
    fn keep(&mut self, buffer: Option<Vec<u8>>) {
        if self.buffers.len() < self.most {
            self.buffers.extend(buffer);
        }
    }
}

/// A worker promises to send nothing before a time, or nothing at all.
#[derive(Clone, Copy)]
enum Promise<C> {
    NothingBefore(Time<C>),
    Nothing,
}

impl<C: Cost + Encode + Send + 'static> Exchange<C> {
    pub(super) fn new(mut worker: Worker, is_alone: bool, turn: Option<Box<dyn Turn>>) -> Self {
        let port = Rc::new(RefCell::new(Port {
            incoming: Vec::new(),
            outgoing: Vec::new(),
            spare: Spare { buffers: Vec::new(), most: 2 * worker.peers() },
            capability: None,
            promise: None,
            frontier: Some(Time::at(C::ZERO)),
        }));
        let shared = Rc::clone(&port);
        let activator = worker.dataflow::<Time<C>, _, _>(|scope| {
            let (handle, cycle) = scope.feedback::<Batch>(Rounds(1));
            let mut builder = OperatorBuilder::new("Shard".to_owned(), scope);
            let mut input = builder.new_input(cycle, DistributorPact(|_peers| ByAddress));
            let (output, stream) = builder.new_output::<Batch>();
            let mut output = OutputBuilder::<_, NoopBuilder<Batch>>::from(output);
            let address = builder.operator_info().address;
            builder.build(|mut capabilities| {
                shared.borrow_mut().capability = capabilities.pop();
                move |frontiers| {
                    let mut port = shared.borrow_mut();
                    let Port { incoming, outgoing, spare, capability, promise, frontier } =
                        &mut *port;
                    if let Some(capability) = capability {
                        let mut active = output.activate();
                        let mut session = active.session_with_builder(capability);
                        for mut batch in outgoing.drain(..) {
                            session.give_container(&mut batch);
                            spare.keep(take_buffer(&mut batch));
                        }
                    }
                    match promise.take() {
                        Some(Promise::NothingBefore(time)) => {
                            if let Some(capability) = capability {
                                capability.downgrade(&time);
                            }
                        }
                        Some(Promise::Nothing) => *capability = None,
                        None => {}
                    }
                    input.for_each(|received, batch| {
                        let Some(&time) = received.least() else { return };
                        incoming.push((time, mem::take(batch)));
                        if capability.as_ref().is_none_or(|held| time < *held.time()) {
                            *capability = received.retain_least(0);
                        }
                    });
                    *frontier = frontiers[0].frontier().first().copied();
                }
            });
            stream.connect_loop(handle);
            scope.activator_for(address)
        });
        Self { worker, port, activator, is_alone, turn }
    }

    /// The number of this worker among all of all processes.
    pub(super) fn index(&self) -> usize {
        self.worker.index()
    }

    /// The number of workers of all processes.
    pub(super) fn peers(&self) -> usize {
        self.worker.peers()
    }

    /// The least time that this worker has to do with; `None` if it has done its part.
    pub(super) fn time(&self) -> Option<Time<C>> {
        let port = self.port.borrow();
        match port.promise {
            Some(Promise::NothingBefore(time)) => Some(time),
            Some(Promise::Nothing) => None,
            None => port.capability.as_ref().map(|held| *held.time()),
        }
    }

    /// Whether all batches of this time, and of those before it, have come.
    pub(super) fn is_complete(&self, time: Time<C>) -> bool {
        self.port.borrow().frontier.is_none_or(|frontier| frontier > time)
    }

    /// Whether each of the other workers has sent a batch of this time that is the last of its batches by `is_last`, so that all
    /// have come. [`is_complete`](Self::is_complete) says so later: when the others have told that what was sent to them has come, too.
    pub(super) fn has_last_of_each(&self, time: Time<C>, is_last: impl Fn(&Batch) -> bool) -> bool {
        let others = self.worker.peers() - 1;
        let incoming = &self.port.borrow().incoming;
        let last = incoming.iter().filter(|(at, batch)| *at == time && is_last(batch));
        others > 0 && last.count() == others
    }

    /// An empty list for the bytes of a batch.
    pub(super) fn buffer(&self) -> Vec<u8> {
        let mut buffer = self.port.borrow_mut().spare.buffers.pop().unwrap_or_default();
        buffer.clear();
        buffer
    }

    /// Keeps the list of a batch that is done with.
    pub(super) fn recycle(&self, batch: Batch) {
        self.port.borrow_mut().spare.keep(batch.into_buffer());
    }

    /// Sends a batch to another worker; it comes in the next round. It leaves with the second [`step`](Self::step) from now, or
    /// by [`flush`](Self::flush).
    pub(super) fn send(&self, batch: Batch) {
        self.port.borrow_mut().outgoing.push(batch);
        self.activator.activate();
    }

    /// Moves the batches that came up to this time into `batches`, in the order in which they came.
    pub(super) fn receive(&self, time: Time<C>, batches: &mut Vec<Batch>) {
        let mut port = self.port.borrow_mut();
        let due = port.incoming.extract_if(.., |(at, _)| *at <= time);
        batches.extend(due.map(|(_, batch)| batch));
    }

    /// Promises to send nothing before `time`, which must not be before the present one, or before the time of a batch
    /// that has come and is still to be [received](Self::receive).
    pub(super) fn advance(&self, time: Time<C>) {
        let due = self.port.borrow().incoming.iter().map(|(at, _)| *at).min();
        self.promise(Promise::NothingBefore(due.map_or(time, |due| due.min(time))));
    }

    /// Promises to send nothing any more.
    pub(super) fn finish(&self) {
        self.promise(Promise::Nothing);
    }

    /// The batches that were sent before leave first.
    fn promise(&self, promise: Promise<C>) {
        self.port.borrow_mut().promise = Some(promise);
        self.activator.activate();
    }

    /// Sends all batches off.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub(super) fn flush(&mut self) -> Result<(), GivenUp> {
        // By the first step they come to the feedback, which sends them to the others in the second.
        for _ in 0..2 {
            self.step(Duration::ZERO)?;
        }
        Ok(())
    }

    /// Sends and receives; sleeps for at most so long if there is nothing to do. Whether the dataflow goes on.
    ///
    /// # Errors
    ///
    /// [`GivenUp`] if timely cannot read what came from another process.
    pub(super) fn step(&mut self, sleep: Duration) -> Result<bool, GivenUp> {
        let Self { worker, turn, .. } = self;
        let mut step = || match turn {
            None => worker.step_or_park(Some(sleep)),
            Some(turn) => {
                turn.wait(sleep);
                worker.step()
            }
        };
        if self.is_alone {
            return Ok(step());
        }
        // Timely panics then.
        panic::catch_unwind(AssertUnwindSafe(step)).map_err(|_| GivenUp)
    }
}
