//! Programs as plain data.

pub use crate::op::Op;
use std::fmt;

/// A stream, as a program names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stream {
    /// Non-blocking.
    A,
    /// Non-blocking.
    B,
    /// Non-blocking.
    C,
    /// Blocking.
    J,
    /// Blocking.
    K,
    /// The legacy default stream.
    Legacy,
}

impl Stream {
    /// All of them.
    pub const ALL: [Stream; 6] = [Stream::A, Stream::B, Stream::C, Stream::J, Stream::K, Stream::Legacy];

    /// The streams that it can be exchanged for, itself included: a program with other names for them is the same.
    pub fn kind(self) -> &'static [Stream] {
        match self {
            Stream::A | Stream::B | Stream::C => &[Stream::A, Stream::B, Stream::C],
            Stream::J | Stream::K => &[Stream::J, Stream::K],
            Stream::Legacy => &[Stream::Legacy],
        }
    }

    /// Whether the legacy default stream orders it.
    pub fn is_blocking(self) -> bool {
        matches!(self, Stream::J | Stream::K)
    }
}

/// A buffer, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Var {
    /// Device memory.
    X,
    /// Device memory.
    Y,
    /// Pinned host memory.
    P,
    /// The first half of `X`.
    X0,
    /// The second half of `X`.
    X1,
}

impl Var {
    /// The whole buffer that it is, or is part of.
    pub fn whole(self) -> Var {
        match self {
            Var::X | Var::X0 | Var::X1 => Var::X,
            Var::Y => Var::Y,
            Var::P => Var::P,
        }
    }

    /// Whether it is half a buffer.
    pub fn is_part(self) -> bool {
        matches!(self, Var::X0 | Var::X1)
    }

    /// The half of the whole that it is, or both.
    pub fn halves(self) -> std::ops::Range<u8> {
        match self {
            Var::X0 => 0..1,
            Var::X1 => 1..2,
            Var::X | Var::Y | Var::P => 0..2,
        }
    }

    /// The name of the variable.
    pub fn name(self) -> &'static str {
        match self {
            Var::X => "x",
            Var::Y => "y",
            Var::P => "p",
            Var::X0 => "x0",
            Var::X1 => "x1",
        }
    }
}

/// A program: the streams that its buffers are allocated on, and what is done. All buffers are dropped at its end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Program {
    /// Where `x` is allocated, if the program has it.
    pub x: Option<Stream>,
    /// Where `y` is allocated, if the program has it.
    pub y: Option<Stream>,
    /// What is done, in order.
    pub ops: Vec<Op>,
}

impl Program {
    /// Whether it has the pinned buffer.
    pub fn has_pinned(&self) -> bool {
        self.ops.iter().any(|op| op.vars().contains(&Var::P))
    }

    /// The streams that it names, each once, in the order of their first mention.
    pub fn streams(&self) -> Vec<Stream> {
        let mut streams = Vec::new();
        for stream in self.x.into_iter().chain(self.y).chain(self.ops.iter().flat_map(|op| op.streams())) {
            if !streams.contains(&stream) {
                streams.push(stream);
            }
        }
        streams
    }

    /// The same with `x` and `y` exchanged, if it has both and neither is parted; streams are named anew.
    pub fn twin(&self) -> Option<Program> {
        let parted = self.ops.iter().any(|op| matches!(op, Op::Split()) || op.vars().iter().any(|var| var.is_part()));
        if self.x.is_none() || self.y.is_none() || parted {
            return None;
        }
        Some(Program { x: self.y, y: self.x, ops: self.ops.iter().map(|&op| swap(op)).collect() }.in_order())
    }

    /// Whether the streams of each kind are named in the order of their first mention. If not, no program that begins
    /// with this one is canonical.
    pub fn names_in_order(&self) -> bool {
        let mentioned = self.streams();
        mentioned.iter().all(|&stream| {
            let mut of_kind = mentioned.iter().filter(|other| stream.kind().contains(other));
            stream
                .kind()
                .iter()
                .take_while(|&&earlier| earlier != stream)
                .all(|earlier| of_kind.next() == Some(earlier))
        })
    }

    /// The same with the streams of each kind named in the order of their first mention.
    fn in_order(&self) -> Program {
        let mentioned = self.streams();
        let rename = |stream: Stream| {
            let kind = stream.kind();
            let place = mentioned.iter().filter(|other| kind.contains(other)).position(|&other| other == stream);
            kind[place.expect("the program mentions it")]
        };
        Program {
            x: self.x.map(rename),
            y: self.y.map(rename),
            ops: self.ops.iter().map(|op| op.map(rename, |var| var)).collect(),
        }
    }
}

fn swap(op: Op) -> Op {
    let other = |var| match var {
        Var::X => Var::Y,
        Var::Y => Var::X,
        other => other,
    };
    op.map(|stream| stream, other)
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
