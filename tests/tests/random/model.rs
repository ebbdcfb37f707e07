//! What a program means: its data, computed in the order of its steps, and its order, as reachability in a graph.
//!
//! Knows nothing of the library, the trace or the judge, and has no clocks: every pair of accesses is looked at, and is
//! ordered if one is an ancestor of the other.

use crate::lanes::LaneKind;
use std::ops::Range;

/// The contents of a buffer; `None` where they are unspecified.
pub(crate) type Words = Vec<Option<u32>>;

pub(crate) fn sequence(first: u32, len: usize) -> Vec<u32> {
    (0..len).map(|i| first.wrapping_add(i as u32).wrapping_mul(0x9E37_79B1)).collect()
}

/// What the kernel `mix` does to a word.
pub(crate) fn mixed(x: u32, y: u32, seed: u32) -> u32 {
    y.rotate_left(5).wrapping_mul(31) ^ x.wrapping_add(seed)
}

/// One piece of memory, from its allocation to its free.
pub(crate) type Memory = usize;

/// An access of a range of elements.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) memory: Memory,
    pub(crate) range: Range<usize>,
    pub(crate) write: bool,
}

/// A place in the graph.
pub(crate) type Node = usize;

struct Vertex {
    /// Every node that happens before it, as a set of bits.
    before: Vec<u64>,
    accesses: Vec<Access>,
}

/// A stream, as far as order goes.
#[derive(Clone, Copy)]
struct Stream {
    kind: LaneKind,
    device: usize,
    /// Its latest operation.
    tail: Option<Node>,
}

/// The happens-before graph of a program so far. At most one device has a legacy default stream.
#[derive(Default)]
pub(crate) struct Graph {
    vertices: Vec<Vertex>,
    streams: Vec<Stream>,
    /// The latest operation on the legacy default stream that orders the blocking streams after it.
    legacy: Option<Node>,
    /// The latest thing that the host did or saw.
    host: Option<Node>,
    memories: usize,
}

impl Graph {
    /// Its streams, by kind and device.
    pub(crate) fn new(streams: impl IntoIterator<Item = (LaneKind, usize)>) -> Self {
        let streams = streams.into_iter().map(|(kind, device)| Stream { kind, device, tail: None }).collect();
        Graph { streams, ..Graph::default() }
    }

    pub(crate) fn memory(&mut self) -> Memory {
        self.memories += 1;
        self.memories
    }

    /// An operation on a stream: with the edges of the legacy default stream.
    pub(crate) fn submit(&mut self, lane: usize, accesses: Vec<Access>) -> Node {
        self.submit_after(lane, None, accesses)
    }

    /// An operation that is not submitted if it accesses nothing.
    pub(crate) fn operate(&mut self, lane: usize, accesses: Vec<Access>) {
        if accesses.iter().any(|access| !access.range.is_empty()) {
            self.submit(lane, accesses);
        }
    }

    /// An allocation: on the legacy default stream it makes no edge, neither to it nor from it.
    pub(crate) fn allocate(&mut self, lane: usize, access: Access) {
        let node = self.add(&[self.streams[lane].tail, self.host], vec![access]);
        self.streams[lane].tail = Some(node);
    }

    /// A wait of the stream for a record, which is an operation of another stream.
    pub(crate) fn wait(&mut self, lane: usize, record: Node) {
        self.submit_after(lane, Some(record), Vec::new());
    }

    /// What `take` does between two streams: nothing from a blocking stream to the legacy default stream, back the record
    /// alone, else a record and a wait.
    pub(crate) fn hand_over(&mut self, from: usize, to: usize) {
        match (self.streams[from].kind, self.streams[to].kind) {
            (LaneKind::Blocking, LaneKind::Legacy) => {}
            (LaneKind::Legacy, LaneKind::Blocking) => drop(self.submit(from, Vec::new())),
            _ => {
                let record = self.submit(from, Vec::new());
                self.wait(to, record);
            }
        }
    }

    /// The host sees that the operation has taken effect.
    pub(crate) fn seen(&mut self, node: Node) {
        self.host = Some(self.add(&[self.host, Some(node)], Vec::new()));
    }

    /// The host waits for a stream; if it is the legacy default stream, for the blocking ones as well.
    pub(crate) fn drain(&mut self, lane: usize) {
        let mut ends = vec![self.host, self.streams[lane].tail];
        if self.streams[lane].kind == LaneKind::Legacy {
            ends.extend(self.blocking_tails());
        }
        self.host = Some(self.add(&ends, Vec::new()));
    }

    /// The same, and for what the legacy default stream orders before what would be submitted now: by a record.
    pub(crate) fn sync(&mut self, lane: usize) {
        if self.streams[lane].kind == LaneKind::Blocking {
            self.submit(lane, Vec::new());
        }
        self.drain(lane);
    }

    /// The host waits for a device.
    pub(crate) fn sync_device(&mut self, device: usize) {
        let of_device = self.streams.iter().filter(|stream| stream.device == device);
        let ends: Vec<_> = of_device.map(|stream| stream.tail).chain([self.host]).collect();
        self.host = Some(self.add(&ends, Vec::new()));
    }

    /// The host accesses memory itself.
    pub(crate) fn host_access(&mut self, access: Access) {
        self.host = Some(self.add(&[self.host], vec![access]));
    }

    fn submit_after(&mut self, lane: usize, record: Option<Node>, accesses: Vec<Access>) -> Node {
        let Stream { kind, tail, .. } = self.streams[lane];
        let mut before = vec![tail, self.host, record];
        match kind {
            LaneKind::Legacy => before.extend(self.blocking_tails()),
            LaneKind::Blocking => before.push(self.legacy),
            LaneKind::NonBlocking => {}
        }
        let node = self.add(&before, accesses);
        self.streams[lane].tail = Some(node);
        if kind == LaneKind::Legacy {
            self.legacy = Some(node);
        }
        node
    }

    fn blocking_tails(&self) -> impl Iterator<Item = Option<Node>> {
        self.streams.iter().filter(|stream| stream.kind == LaneKind::Blocking).map(|stream| stream.tail)
    }

    /// How many operations race with an earlier one.
    pub(crate) fn racing(&self) -> usize {
        (0..self.vertices.len()).filter(|&node| (0..node).any(|earlier| self.race(earlier, node))).count()
    }

    fn race(&self, earlier: Node, later: Node) -> bool {
        let conflict = |a: &Access, b: &Access| {
            let overlap = a.range.start.max(b.range.start) < a.range.end.min(b.range.end);
            a.memory == b.memory && overlap && (a.write || b.write)
        };
        let (one, two) = (&self.vertices[earlier], &self.vertices[later]);
        one.accesses.iter().any(|a| two.accesses.iter().any(|b| conflict(a, b))) && !self.is_before(earlier, later)
    }

    fn is_before(&self, earlier: Node, later: Node) -> bool {
        self.vertices[later].before.get(earlier / 64).is_some_and(|word| word >> (earlier % 64) & 1 == 1)
    }

    fn add(&mut self, parents: &[Option<Node>], accesses: Vec<Access>) -> Node {
        let node = self.vertices.len();
        let mut before = vec![0; node / 64 + 1];
        for &parent in parents.iter().flatten() {
            for (mine, theirs) in before.iter_mut().zip(&self.vertices[parent].before) {
                *mine |= theirs;
            }
            before[parent / 64] |= 1 << (parent % 64);
        }
        self.vertices.push(Vertex { before, accesses });
        node
    }
}
