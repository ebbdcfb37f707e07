//! What a program is for, and what it costs: two programs that do the same work may be written differently.

use crate::erase::{Access, Call, Queue, Work};
use crate::order::before;
use crate::program::{Program, Stream, Var};

/// One access of data: by a stream, or by the host.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Item {
    /// `None` for the host.
    pub queue: Option<(Queue, Work)>,
    /// What is read and written.
    pub accesses: Vec<Access>,
}

/// The data accesses of a program in the order of their submission, and where their buffers are allocated. How they are
/// ordered is left out. Streams and buffers are named by first mention.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Job {
    /// Where `x` is allocated, if it is used.
    pub x: Option<Stream>,
    /// Where `y` is allocated, if it is used.
    pub y: Option<Stream>,
    /// The accesses.
    pub items: Vec<Item>,
}

/// What it takes to order a job's accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cost {
    /// Event records and event waits of streams.
    pub events: usize,
    /// Waits of the host.
    pub host_waits: usize,
    /// Which accesses happen before which, as bits: order that was not asked for is concurrency lost.
    pub order: u128,
}

impl Cost {
    /// Whether nothing is dearer: no more calls of either sort, and no pair ordered that is not there.
    pub fn at_most(&self, other: &Cost) -> bool {
        self.events <= other.events && self.host_waits <= other.host_waits && self.order & !other.order == 0
    }
}

/// The job of a program with these calls, and what it spends on it.
///
/// # Panics
/// If there are more than 16 accesses.
pub fn job(program: &Program, calls: &[Call]) -> (Job, Cost) {
    let made = 2 * (usize::from(program.x.is_some()) + usize::from(program.y.is_some()));
    let skip = made + usize::from(program.has_pinned());
    let mut items = Vec::new();
    let mut numbers = Vec::new();
    let (mut events, mut host_waits) = (0, 0);
    for (number, call) in calls.iter().enumerate().skip(skip) {
        let item = match call {
            Call::Submit(_, Work::Free, _) | Call::Reused(..) => continue,
            Call::Submit(queue, work, accesses) => Item { queue: Some((*queue, *work)), accesses: accesses.clone() },
            Call::Host(access) => Item { queue: None, accesses: vec![*access] },
            Call::Record(..) | Call::Wait(..) => {
                events += 1;
                continue;
            }
            Call::SyncStream(_) | Call::SyncEvent(_) | Call::SyncContext => {
                host_waits += 1;
                continue;
            }
        };
        items.push(item);
        numbers.push(number);
    }
    let job = Job { x: program.x, y: program.y, items }.named_in_order();
    (job, Cost { events, host_waits, order: order(calls, &numbers) })
}

fn order(calls: &[Call], numbers: &[usize]) -> u128 {
    assert!(numbers.len() <= 16, "{} accesses are more than a set of pairs holds", numbers.len());
    let before = before(calls);
    let mut pairs = 0;
    let mut bit = 1;
    for (place, &second) in numbers.iter().enumerate() {
        for &first in &numbers[..place] {
            if before[second] & (1 << first) != 0 {
                pairs |= bit;
            }
            bit <<= 1;
        }
    }
    pairs
}

impl Job {
    fn named_in_order(self) -> Job {
        let uses = |var| self.items.iter().any(|item| item.accesses.iter().any(|access| access.var.whole() == var));
        let parted = self.items.iter().any(|item| item.accesses.iter().any(|access| access.var.is_part()));
        let (x, y) = (self.x.filter(|_| uses(Var::X)), self.y.filter(|_| uses(Var::Y)));
        let this = Job { x, y, items: self.items };
        match (x, y) {
            (None, Some(_)) => this.swapped().streams_in_order(),
            (Some(_), Some(_)) if !parted => {
                let swapped = this.swapped().streams_in_order();
                this.streams_in_order().min(swapped)
            }
            _ => this.streams_in_order(),
        }
    }

    fn swapped(&self) -> Job {
        let other = |var| match var {
            Var::X => Var::Y,
            Var::Y => Var::X,
            other => other,
        };
        let swap = |access: &Access| Access { var: other(access.var), write: access.write };
        let item = |item: &Item| Item { queue: item.queue, accesses: item.accesses.iter().map(swap).collect() };
        Job { x: self.y, y: self.x, items: self.items.iter().map(item).collect() }
    }

    fn streams_in_order(self) -> Job {
        let mut mentioned: Vec<Stream> = Vec::new();
        let of_item = |item: &Item| match item.queue {
            Some((Queue::Of(stream), _)) => Some(stream),
            _ => None,
        };
        for stream in self.x.into_iter().chain(self.y).chain(self.items.iter().filter_map(of_item)) {
            if !mentioned.contains(&stream) {
                mentioned.push(stream);
            }
        }
        let rename = |stream: Stream| {
            let mut of_kind = mentioned.iter().filter(|other| stream.kind().contains(other));
            stream.kind()[of_kind.position(|&other| other == stream).expect("the job mentions it")]
        };
        let queue = |(queue, work)| match queue {
            Queue::Of(stream) => (Queue::Of(rename(stream)), work),
            Queue::Device => (queue, work),
        };
        let item = |item: Item| Item { queue: item.queue.map(queue), ..item };
        Job { x: self.x.map(rename), y: self.y.map(rename), items: self.items.into_iter().map(item).collect() }
    }
}
