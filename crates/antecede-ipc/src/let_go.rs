//! When an importer may let go.

use antecede::{Buffer, Imported, Memory, PeerAccess, State, Synced};

/// A state in which another process's memory is let go. Sealed.
///
/// Implemented by [`Synced`] alone: the exporter is told when the host has seen the end of all work on the memory.
#[diagnostic::on_unimplemented(
    message = "this buffer cannot be let go yet: its state is `{Self}`",
    label = "work on it may still be in flight, and the other process would use the memory again",
    note = "finish it first: `importer.release(stream.sync(buf)?)?`",
    note = "without a wait: drop it; `importer.settle()?` tells the other process when its free has taken effect"
)]
pub trait LetGo<D>: State + sealed::LetGo<D> {
    #[doc(hidden)]
    fn complete<T, A: PeerAccess>(buffer: Buffer<T, Self, Imported<A>>) -> Buffer<T, Synced<D>, Imported<A>>
    where
        Self: Sized,
        Imported<A>: Memory;
}

impl<D> LetGo<D> for Synced<D> {
    fn complete<T, A: PeerAccess>(buffer: Buffer<T, Self, Imported<A>>) -> Buffer<T, Self, Imported<A>>
    where
        Imported<A>: Memory,
    {
        buffer
    }
}

/// With the same parameter: a device of a program's own would let it implement the relation.
mod sealed {
    use antecede::Synced;

    pub trait LetGo<D> {}
    impl<D> LetGo<D> for Synced<D> {}
}
