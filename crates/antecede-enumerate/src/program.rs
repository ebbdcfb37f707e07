//! Programs as plain data.

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

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident($($field:ty),*),)+) => {
        /// One operation: one call of the library, in which a user could have it wrong.
        ///
        /// To add one: a variant here, its text in `render`, its driver calls in `erase`, its place in a
        /// [`Language`](crate::Language), and its run in `door`. Order between processes is not in the language: an
        /// export and an import would be variants like `Share` and `Wait`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Op { $($(#[$doc])* $name($($field),*),)+ }
    };
}

ops! {
    /// A fill.
    Write(Stream, Var),
    /// A launch that reads.
    Read(Stream, Var),
    /// A launch that reads the first and writes the second; where one is pinned, a copy.
    Mix(Stream, Var, Var),
    /// A copy to a Rust slice, which waits for its stream.
    Download(Stream, Var),
    /// The host reads: `to_vec` of device memory, a slice of pinned memory.
    HostRead(Var),
    /// The host writes pinned memory.
    HostWrite(Var),
    /// A hand-over.
    Take(Stream, Var),
    /// A hand-over of `x` and `y` at once.
    TakeBoth(Stream),
    /// Gives what the host has seen complete to a stream.
    On(Stream, Var),
    /// Forgets the stream in the type.
    Loose(Var),
    /// From a blocking stream to the legacy default stream, without a call.
    AfterBlocking(Stream, Var),
    /// The host waits for a stream.
    Sync(Stream, Var),
    /// The host waits for a stream that both `x` and `y` are on.
    SyncBoth(Stream),
    /// The host waits for all streams.
    SyncDevice(Var),
    /// The host waits for all streams, for `x` and `y`.
    SyncDeviceBoth(),
    /// An event record.
    Record(Stream, Var),
    /// One event record for `x` and `y`.
    RecordBoth(Stream),
    /// A wait of a stream for the event of the latest `Record`.
    Wait(Stream, Var),
    /// A wait for the event of the latest `RecordBoth`.
    WaitBoth(Stream),
    /// A wait of the host for the event of the latest `Record`.
    Finish(Var),
    /// Drops what `Record` gave.
    DropRecord(Var),
    /// Shares.
    Share(Stream, Var),
    /// A launch that reads through a lease of its own.
    Lease(Stream, Var),
    /// A launch that reads the first through a lease of its own, and writes the second.
    LeaseMix(Stream, Var, Var),
    /// Takes a lease, to keep.
    Hold(Stream, Var),
    /// A launch that reads through the lease that is kept.
    Look(Stream, Var),
    /// Ends the lease that is kept.
    Release(Var),
    /// Takes what is shared back.
    Reunite(Stream, Var),
    /// Drops what is shared.
    DropShared(Var),
    /// Parts `x`.
    Split(),
    /// Joins the parts of `x`.
    Unsplit(),
    /// Drops a buffer.
    Drop(Var),
}

impl Op {
    /// The streams that it names.
    pub fn streams(self) -> impl Iterator<Item = Stream> {
        let mut found = None;
        let _ = self.map(|stream| *found.insert(stream), |var| var);
        let legacy = matches!(self, Op::AfterBlocking(..)).then_some(Stream::Legacy);
        found.into_iter().chain(legacy)
    }

    /// The buffers that it names.
    pub fn vars(self) -> Vec<Var> {
        let mut found = Vec::new();
        let _ = self.map(
            |stream| stream,
            |var| {
                found.push(var);
                var
            },
        );
        match self {
            _ if self.is_batch() => vec![Var::X, Var::Y],
            Op::Split() | Op::Unsplit() => vec![Var::X],
            _ => found,
        }
    }

    /// Whether it speaks of `x` and `y` at once.
    pub fn is_batch(self) -> bool {
        matches!(
            self,
            Op::TakeBoth(_) | Op::SyncBoth(_) | Op::SyncDeviceBoth() | Op::RecordBoth(_) | Op::WaitBoth(_)
        )
    }

    /// The same with other streams and buffers.
    pub fn map(self, stream: impl FnOnce(Stream) -> Stream, mut var: impl FnMut(Var) -> Var) -> Op {
        match self {
            Op::Write(s, v) => Op::Write(stream(s), var(v)),
            Op::Read(s, v) => Op::Read(stream(s), var(v)),
            Op::Mix(s, from, to) => Op::Mix(stream(s), var(from), var(to)),
            Op::Download(s, v) => Op::Download(stream(s), var(v)),
            Op::HostRead(v) => Op::HostRead(var(v)),
            Op::HostWrite(v) => Op::HostWrite(var(v)),
            Op::Take(s, v) => Op::Take(stream(s), var(v)),
            Op::TakeBoth(s) => Op::TakeBoth(stream(s)),
            Op::On(s, v) => Op::On(stream(s), var(v)),
            Op::Loose(v) => Op::Loose(var(v)),
            Op::AfterBlocking(s, v) => Op::AfterBlocking(stream(s), var(v)),
            Op::Sync(s, v) => Op::Sync(stream(s), var(v)),
            Op::SyncBoth(s) => Op::SyncBoth(stream(s)),
            Op::SyncDevice(v) => Op::SyncDevice(var(v)),
            Op::SyncDeviceBoth() => Op::SyncDeviceBoth(),
            Op::Record(s, v) => Op::Record(stream(s), var(v)),
            Op::RecordBoth(s) => Op::RecordBoth(stream(s)),
            Op::Wait(s, v) => Op::Wait(stream(s), var(v)),
            Op::WaitBoth(s) => Op::WaitBoth(stream(s)),
            Op::Finish(v) => Op::Finish(var(v)),
            Op::DropRecord(v) => Op::DropRecord(var(v)),
            Op::Share(s, v) => Op::Share(stream(s), var(v)),
            Op::Lease(s, v) => Op::Lease(stream(s), var(v)),
            Op::LeaseMix(s, from, to) => Op::LeaseMix(stream(s), var(from), var(to)),
            Op::Hold(s, v) => Op::Hold(stream(s), var(v)),
            Op::Look(s, v) => Op::Look(stream(s), var(v)),
            Op::Release(v) => Op::Release(var(v)),
            Op::Reunite(s, v) => Op::Reunite(stream(s), var(v)),
            Op::DropShared(v) => Op::DropShared(var(v)),
            Op::Split() => Op::Split(),
            Op::Unsplit() => Op::Unsplit(),
            Op::Drop(v) => Op::Drop(var(v)),
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
            stream.kind().iter().take_while(|&&earlier| earlier != stream).all(|earlier| {
                of_kind.next() == Some(earlier)
            })
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
