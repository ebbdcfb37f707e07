//! What may run next, and what has run.

use antecede::driver::StreamId;

use super::{Clock, Op, Point, Queue, Queues};
use crate::order::Head;
use crate::processes::{Beyond, Signal};
use crate::trusted::Work;

impl Queues {
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
        let ready = |op: &Op| {
            op.after.iter().all(|&point| self.reached(point)) && op.beyond.as_ref().is_none_or(Beyond::is_reached)
        };
        let head = |(&stream, queue): (&StreamId, &Queue)| {
            let op = queue.ops.front().filter(|op| ready(op))?;
            let needed = needed.get(&stream).is_some_and(|&position| position > queue.done);
            Some(Head { stream, sequence: op.sequence, needed })
        };
        self.queues.iter().filter_map(head).collect()
    }

    /// What other simulators hold back, of the first operations of the streams that have to go on.
    pub(crate) fn held(&self, needed: &Clock) -> Vec<Beyond> {
        let needed = self.queues.iter().filter(|(stream, queue)| needed.get(stream).is_some_and(|&to| to > queue.done));
        let beyond = needed.filter_map(|(_, queue)| queue.ops.front()?.beyond.clone());
        beyond.filter(|beyond| !beyond.is_reached()).collect()
    }

    /// Takes the work of a stream's head. The head itself stays until [`finish`](Self::finish).
    pub(crate) fn start(&mut self, stream: StreamId) -> Option<Work> {
        let op = self.queues.get_mut(&stream)?.ops.front_mut()?;
        Some(std::mem::replace(&mut op.work, Work::nothing()))
    }

    /// The stream's head has taken effect. Returns what others are to be told.
    pub(crate) fn finish(&mut self, stream: StreamId) -> Option<Signal> {
        let signal = self.queues.get_mut(&stream).and_then(|queue| {
            queue.done += 1;
            queue.ops.pop_front()?.signal
        });
        self.remove_if_drained(stream);
        signal
    }
}
