//! Streams as queues: what was submitted, what has taken effect, and what holds what back.

mod capture;
mod progress;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use antecede::driver::{ContextId, StreamId, StreamKind};

use crate::processes::{Beyond, Signal};
use crate::trusted::Work;

/// A place in a stream: its first `position` operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Point {
    pub(crate) stream: StreamId,
    pub(crate) position: u64,
}

/// For each stream, how much of it is ordered before something. Streams that are not there count as 0.
pub(crate) type Clock = BTreeMap<StreamId, u64>;

/// What an event remembers of its latest record.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) point: Point,
    clock: Arc<Clock>,
}

/// A capture that foreign code has begun: the queue that it was begun on, and a number of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CaptureId {
    pub(crate) origin: StreamId,
    number: u64,
}

/// A submitted operation.
#[derive(Debug)]
struct Op {
    sequence: u64,
    /// What must have taken effect first, besides the operations before it in its stream: what an event wait waits for,
    /// and the edges of the legacy default stream, drawn for each operation.
    after: Vec<Point>,
    /// What must have taken effect in another simulator.
    beyond: Option<Beyond>,
    /// What other simulators are told when it has taken effect.
    signal: Option<Signal>,
    work: Work,
}

impl Op {
    fn new(after: Vec<Point>, work: Work) -> Self {
        Op { sequence: 0, after, beyond: None, signal: None, work }
    }
}

#[derive(Debug)]
struct Queue {
    context: ContextId,
    kind: StreamKind,
    /// Not yet taken effect; the first one may be running.
    ops: VecDeque<Op>,
    done: u64,
    clock: Clock,
    /// Destroyed streams stay until they are drained.
    destroyed: bool,
    /// While it is captured, what is submitted goes nowhere.
    capture: Option<CaptureId>,
}

impl Queue {
    fn submitted(&self) -> u64 {
        self.done + self.ops.len() as u64
    }
}

/// All streams of a simulator. In a `BTreeMap`, so that one seed meets them in one order.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    queues: BTreeMap<StreamId, Queue>,
    /// For each context, the latest operation on its legacy default stream that orders blocking streams after it.
    legacy: BTreeMap<ContextId, Record>,
    sequence: u64,
    captures: u64,
}

impl Queues {
    pub(crate) fn add(&mut self, stream: StreamId, context: ContextId, kind: StreamKind) {
        let (ops, clock) = (VecDeque::new(), Clock::new());
        let queue = Queue { context, kind, ops, done: 0, clock, destroyed: false, capture: None };
        self.queues.insert(stream, queue);
    }

    /// The context that the stream was created in.
    pub(crate) fn context(&self, stream: StreamId) -> Option<ContextId> {
        self.queues.get(&stream).map(|queue| queue.context)
    }

    pub(crate) fn destroy(&mut self, stream: StreamId) {
        if let Some(capture) = self.capture(stream).filter(|capture| capture.origin == stream) {
            self.end_capture(capture);
        }
        if let Some(queue) = self.queues.get_mut(&stream) {
            queue.destroyed = true;
        }
        self.remove_if_drained(stream);
    }

    /// Adds an operation to the end of the stream, and returns the new end.
    pub(crate) fn submit(&mut self, stream: StreamId, after: Vec<Point>, work: Work) -> Point {
        self.submit_op(stream, Op::new(after, work))
    }

    fn submit_op(&mut self, stream: StreamId, op: Op) -> Point {
        if self.capture(stream).is_some() {
            return self.end(stream);
        }
        let implicit = self.implicit(stream);
        let point = self.push(stream, Op { after: [op.after, implicit].concat(), ..op });
        let legacy = self.queues.get(&stream).filter(|queue| queue.kind == StreamKind::LegacyStream);
        if let Some(context) = legacy.map(|queue| queue.context) {
            self.legacy.insert(context, self.snapshot(point));
        }
        point
    }

    /// Notes what an allocation on the stream will come after, so that it may have memory that was freed before.
    pub(crate) fn before_allocation(&mut self, stream: StreamId) -> Vec<Point> {
        match self.queues.get(&stream) {
            Some(queue) if queue.kind.is_blocking() && queue.capture.is_none() => self.implicit(stream),
            _ => Vec::new(),
        }
    }

    /// Adds an allocation. On the legacy default stream it makes no edge, neither from blocking streams nor to them.
    pub(crate) fn submit_allocation(&mut self, stream: StreamId, after: Vec<Point>, work: Work) {
        if self.capture(stream).is_none() {
            self.push(stream, Op::new(after, work));
        }
    }

    /// Submits an event record.
    pub(crate) fn record(&mut self, stream: StreamId, signal: Option<Signal>) -> Record {
        let point = self.submit_op(stream, Op { signal, ..Op::new(Vec::new(), Work::nothing()) });
        self.snapshot(point)
    }

    /// Submits a wait for a record.
    pub(crate) fn wait(&mut self, stream: StreamId, record: &Record) {
        self.submit(stream, vec![record.point], Work::nothing());
        self.learn(stream, record);
    }

    /// Submits a wait for a record in another simulator. What came before it there is not known here.
    pub(crate) fn wait_beyond(&mut self, stream: StreamId, beyond: Beyond) {
        self.submit_op(stream, Op { beyond: Some(beyond), ..Op::new(Vec::new(), Work::nothing()) });
    }

    fn push(&mut self, stream: StreamId, op: Op) -> Point {
        if let Some(queue) = self.queues.get_mut(&stream) {
            self.sequence += 1;
            queue.ops.push_back(Op { sequence: self.sequence, ..op });
        }
        self.end(stream)
    }

    /// The rule of the legacy default stream: what an operation comes after that is submitted now. The stream's clock
    /// takes note of it.
    fn implicit(&mut self, stream: StreamId) -> Vec<Point> {
        let Some(queue) = self.queues.get(&stream) else { return Vec::new() };
        let before: Vec<Record> = match queue.kind {
            StreamKind::LegacyStream => {
                let ends = self.blocking_ends(queue.context);
                ends.into_iter().map(|end| self.snapshot(end)).collect()
            }
            kind if kind.is_blocking() => self.legacy.get(&queue.context).cloned().into_iter().collect(),
            _ => Vec::new(),
        };
        before.iter().for_each(|record| self.learn(stream, record));
        before.into_iter().map(|record| record.point).filter(|&point| !self.reached(point)).collect()
    }

    /// What an event recorded at this end of a stream knows.
    fn snapshot(&self, end: Point) -> Record {
        let mut clock = self.queues.get(&end.stream).map(|queue| queue.clock.clone()).unwrap_or_default();
        clock.insert(end.stream, end.position);
        Record { point: end, clock: Arc::new(clock) }
    }

    /// What is submitted to the stream from now on comes after the record.
    fn learn(&mut self, stream: StreamId, record: &Record) {
        let mut clock = self.queues.get_mut(&stream).map(|queue| std::mem::take(&mut queue.clock)).unwrap_or_default();
        for (&other, &position) in record.clock.iter() {
            let known = clock.entry(other).or_default();
            *known = position.max(*known);
        }
        // What has taken effect is before everything: kept, it would only grow.
        clock.retain(|&stream, &mut position| !self.reached(Point { stream, position }));
        if let Some(queue) = self.queues.get_mut(&stream) {
            queue.clock = clock;
        }
    }

    /// The end of a stream, as of now.
    pub(crate) fn end(&self, stream: StreamId) -> Point {
        Point { stream, position: self.queues.get(&stream).map_or(0, Queue::submitted) }
    }

    /// The ends of a context's streams, or of all, destroyed ones that are not drained included.
    pub(crate) fn ends(&self, context: Option<ContextId>) -> Vec<Point> {
        let wanted = self.queues.iter().filter(|(_, queue)| context.is_none_or(|context| context == queue.context));
        wanted.map(|(&stream, queue)| Point { stream, position: queue.submitted() }).collect()
    }

    /// The ends of a context's blocking streams.
    fn blocking_ends(&self, context: ContextId) -> Vec<Point> {
        let wanted = self.queues.iter().filter(|(_, queue)| queue.context == context && queue.kind.is_blocking());
        wanted.map(|(&stream, queue)| Point { stream, position: queue.submitted() }).collect()
    }

    /// What a sync of the stream waits for: its end, and for the legacy default stream those of blocking streams too.
    pub(crate) fn goal(&self, stream: StreamId) -> Vec<Point> {
        let legacy = self.queues.get(&stream).filter(|queue| queue.kind == StreamKind::LegacyStream);
        let mut goal = legacy.map(|queue| self.blocking_ends(queue.context)).unwrap_or_default();
        goal.push(self.end(stream));
        goal
    }

    /// Whether everything up to the point has taken effect. A stream that is gone was drained.
    pub(crate) fn reached(&self, point: Point) -> bool {
        self.queues.get(&point.stream).is_none_or(|queue| queue.done >= point.position)
    }

    pub(crate) fn all_reached(&self, points: &[Point]) -> bool {
        points.iter().all(|&point| self.reached(point))
    }

    /// Whether events, or the legacy default stream, order everything up to `point` before anything that is submitted to
    /// `stream` from now on. What has taken effect may have been forgotten.
    pub(crate) fn is_followed_by(&self, point: Point, stream: StreamId) -> bool {
        let clock = self.queues.get(&stream).map(|queue| &queue.clock);
        clock.and_then(|clock| clock.get(&point.stream)).is_some_and(|&position| position >= point.position)
    }

    pub(crate) fn pending(&self) -> usize {
        self.queues.values().map(|queue| queue.ops.len()).sum()
    }

    fn remove_if_drained(&mut self, stream: StreamId) {
        if self.queues.get(&stream).is_some_and(|queue| queue.destroyed && queue.ops.is_empty()) {
            self.queues.remove(&stream);
        }
    }
}
