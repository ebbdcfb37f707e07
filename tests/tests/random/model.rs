//! What a program means: its data, computed in the order of its steps, and its order, as reachability in a graph.
//!
//! Knows nothing of the library, the trace or the judge, and has no clocks: every pair of accesses is looked at, and is
//! ordered if one is an ancestor of the other.

use crate::program::{HOST_LANE, LEN};
use std::ops::Range;

/// The contents of a buffer; `None` where they are unspecified.
pub(crate) type Words = [Option<u32>; LEN];

pub(crate) fn sequence(first: u32) -> [u32; LEN] {
    std::array::from_fn(|i| first.wrapping_add(i as u32).wrapping_mul(0x9E37_79B1))
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

/// The happens-before graph of a program so far.
#[derive(Default)]
pub(crate) struct Graph {
    vertices: Vec<Vertex>,
    /// The latest operation of each stream.
    tails: [Option<Node>; HOST_LANE + 1],
    /// The latest thing that the host did or saw.
    host: Option<Node>,
    memories: usize,
}

impl Graph {
    pub(crate) fn memory(&mut self) -> Memory {
        self.memories += 1;
        self.memories
    }

    /// An operation on a stream.
    pub(crate) fn submit(&mut self, lane: usize, accesses: Vec<Access>) -> Node {
        let node = self.add([self.tails[lane], self.host], accesses);
        self.tails[lane] = Some(node);
        node
    }

    /// A wait of the stream for a record, which is an operation of another stream.
    pub(crate) fn wait(&mut self, lane: usize, record: Node) {
        let node = self.add([self.tails[lane], self.host, Some(record)], Vec::new());
        self.tails[lane] = Some(node);
    }

    /// The host sees that the operation has taken effect.
    pub(crate) fn seen(&mut self, node: Node) {
        self.host = Some(self.add([self.host, Some(node)], Vec::new()));
    }

    /// The host waits for a stream.
    pub(crate) fn sync(&mut self, lane: usize) {
        if let Some(tail) = self.tails[lane] {
            self.seen(tail);
        }
    }

    /// The host accesses memory itself.
    pub(crate) fn host_access(&mut self, access: Access) {
        self.host = Some(self.add([self.host], vec![access]));
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

    fn add<const N: usize>(&mut self, parents: [Option<Node>; N], accesses: Vec<Access>) -> Node {
        let node = self.vertices.len();
        let mut before = vec![0; node / 64 + 1];
        for parent in parents.into_iter().flatten() {
            for (mine, theirs) in before.iter_mut().zip(&self.vertices[parent].before) {
                *mine |= theirs;
            }
            before[parent / 64] |= 1 << (parent % 64);
        }
        self.vertices.push(Vertex { before, accesses });
        node
    }
}
