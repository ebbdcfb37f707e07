//! The operations of a program.

use crate::program::{Stream, Var};

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
    /// A hand-over of `x` and `p` at once.
    TakeWithPinned(Stream),
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
    /// The host waits for a stream that both `x` and `p` are on.
    SyncWithPinned(Stream),
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
            Op::TakeWithPinned(_) | Op::SyncWithPinned(_) => vec![Var::X, Var::P],
            _ if self.is_batch() => vec![Var::X, Var::Y],
            Op::Split() | Op::Unsplit() => vec![Var::X],
            _ => found,
        }
    }

    /// Whether it reads or writes a buffer.
    pub fn accesses_data(self) -> bool {
        matches!(
            self,
            Op::Write(..)
                | Op::Read(..)
                | Op::Mix(..)
                | Op::Download(..)
                | Op::HostRead(_)
                | Op::HostWrite(_)
                | Op::Lease(..)
                | Op::LeaseMix(..)
                | Op::Look(..)
        )
    }

    /// Whether it speaks of two buffers at once.
    pub fn is_batch(self) -> bool {
        matches!(self, Op::TakeBoth(_) | Op::SyncBoth(_) | Op::SyncDeviceBoth() | Op::RecordBoth(_) | Op::WaitBoth(_))
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
            Op::TakeWithPinned(s) => Op::TakeWithPinned(stream(s)),
            Op::SyncWithPinned(s) => Op::SyncWithPinned(stream(s)),
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
