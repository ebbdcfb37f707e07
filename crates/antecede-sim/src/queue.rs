//! Streams as queues: what was submitted, what has taken effect, and what holds what back.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use antecede::driver::{ContextId, StreamId};

use crate::order::Head;
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

/// A submitted operation.
#[derive(Debug)]
struct Op {
    sequence: u64,
    /// What must have taken effect first, besides the operations before it in its stream. An edge of any other kind
    /// than an event wait (that of the legacy default stream, drawn for each operation) is one more point here.
    after: Vec<Point>,
    work: Work,
}

#[derive(Debug)]
struct Queue {
    context: ContextId,
    /// Not yet taken effect; the first one may be running.
    ops: VecDeque<Op>,
    done: u64,
    clock: Clock,
    /// Destroyed streams stay until they are drained.
    destroyed: bool,
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
    sequence: u64,
}

impl Queues {
    pub(crate) fn add(&mut self, stream: StreamId, context: ContextId) {
        let queue = Queue { context, ops: VecDeque::new(), done: 0, clock: Clock::new(), destroyed: false };
        self.queues.insert(stream, queue);
    }

    /// The context that the stream was created in.
    pub(crate) fn context(&self, stream: StreamId) -> Option<ContextId> {
        self.queues.get(&stream).map(|queue| queue.context)
    }

    pub(crate) fn destroy(&mut self, stream: StreamId) {
        if let Some(queue) = self.queues.get_mut(&stream) {
            queue.destroyed = true;
        }
        self.remove_if_drained(stream);
    }

    /// Adds an operation to the end of the stream, and returns the new end.
    pub(crate) fn submit(&mut self, stream: StreamId, after: Vec<Point>, work: Work) -> Point {
        if let Some(queue) = self.queues.get_mut(&stream) {
            self.sequence += 1;
            queue.ops.push_back(Op { sequence: self.sequence, after, work });
        }
        self.end(stream)
    }

    /// Submits an event record.
    pub(crate) fn record(&mut self, stream: StreamId) -> Record {
        let point = self.submit(stream, Vec::new(), Work::nothing());
        let mut clock = self.queues.get(&stream).map(|queue| queue.clock.clone()).unwrap_or_default();
        clock.insert(stream, point.position);
        Record { point, clock: Arc::new(clock) }
    }

    /// Submits a wait for a record.
    pub(crate) fn wait(&mut self, stream: StreamId, record: &Record) {
        self.submit(stream, vec![record.point], Work::nothing());
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

    /// Whether everything up to the point has taken effect. A stream that is gone was drained.
    pub(crate) fn reached(&self, point: Point) -> bool {
        self.queues.get(&point.stream).is_none_or(|queue| queue.done >= point.position)
    }

    /// Whether everything up to `point` takes effect before anything submitted to `stream` from now on.
    pub(crate) fn ordered_before(&self, point: Point, stream: StreamId) -> bool {
        self.reached(point)
            || point.stream == stream
            || self
                .queues
                .get(&stream)
                .and_then(|queue| queue.clock.get(&point.stream))
                .is_some_and(|&position| position >= point.position)
    }

    pub(crate) fn pending(&self) -> usize {
        self.queues.values().map(|queue| queue.ops.len()).sum()
    }

    /// How far each stream has to go before the goal is reached.
    pub(crate) fn needed(&self, goal: &[Point]) -> Clock {
        let mut needed = Clock::new();
        let mut open = goal.to_vec();
        while let Some(Point { stream, position }) = open.pop() {
            let Some(queue) = self.queues.get(&stream) else { continue };
            let seen = needed.entry(stream).or_insert(queue.done);
            if *seen >= position {
                continue;
            }
            let (from, to) = ((*seen - queue.done) as usize, (position - queue.done) as usize);
            *seen = position;
            open.extend(queue.ops.range(from..to).flat_map(|op| op.after.iter().copied()));
        }
        needed
    }

    /// The operations that nothing holds back.
    pub(crate) fn heads(&self, needed: &Clock) -> Vec<Head> {
        let ready = |op: &Op| op.after.iter().all(|&point| self.reached(point));
        let head = |(&stream, queue): (&StreamId, &Queue)| {
            let op = queue.ops.front().filter(|op| ready(op))?;
            let needed = needed.get(&stream).is_some_and(|&position| position > queue.done);
            Some(Head { stream, sequence: op.sequence, needed })
        };
        self.queues.iter().filter_map(head).collect()
    }

    /// Takes the work of a stream's head. The head itself stays until [`finish`](Self::finish).
    pub(crate) fn start(&mut self, stream: StreamId) -> Option<Work> {
        let op = self.queues.get_mut(&stream)?.ops.front_mut()?;
        Some(std::mem::replace(&mut op.work, Work::nothing()))
    }

    /// The stream's head has taken effect.
    pub(crate) fn finish(&mut self, stream: StreamId) {
        if let Some(queue) = self.queues.get_mut(&stream) {
            queue.ops.pop_front();
            queue.done += 1;
        }
        self.remove_if_drained(stream);
    }

    fn remove_if_drained(&mut self, stream: StreamId) {
        if self.queues.get(&stream).is_some_and(|queue| queue.destroyed && queue.ops.is_empty()) {
            self.queues.remove(&stream);
        }
    }
}
