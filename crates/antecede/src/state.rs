//! What a buffer's type says about the work on it.

use crate::Primary;
use crate::brand::Invariant;
use std::marker::PhantomData;

/// Every earlier operation on the buffer, its allocation included, happens before anything that is submitted to stream
/// `S` of device `D` from now on.
///
/// What may be done: launch, copy, fill and free on `S`; hand it over; record; sync.
#[derive(Debug)]
pub struct On<S, D = Primary>(PhantomData<(S, fn(S, D) -> (S, D))>);

/// Every earlier operation on the buffer has completed, and the host has seen it.
///
/// What may be done: host access where the memory allows it; giving it to any stream of its device at no cost.
#[derive(Debug)]
pub struct Synced<D = Primary>(Invariant<D>);

/// Like [`On`], for the stream that the buffer remembers at run time.
///
/// What may be done: [`take`](crate::Stream::take) makes it typed again, [`claim`](crate::Stream::claim) does so
/// without an event or fails. The default state, for fields whose stream changes.
#[derive(Debug)]
pub struct Loose<D = Primary>(Invariant<D>);

/// A state of a buffer. Sealed.
///
/// Implemented by [`On`], [`Synced`] and [`Loose`]. Not by brands: `Buffer<f32, On<Compute>>`, not
/// `Buffer<f32, Compute>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the state of a buffer",
    label = "a state says what is known of the work on the buffer",
    note = "ready on a stream: `On<{Self}>`; seen complete by the host: `Synced`; on the stream it remembers: `Loose`",
    note = "in generic code, ask for it: `{Self}: State`"
)]
pub trait State: sealed::State {
    /// The brand of the device that the buffer's memory belongs to.
    type Device;
}

impl<S, D> State for On<S, D> {
    type Device = D;
}
impl<D> State for Synced<D> {
    type Device = D;
}
impl<D> State for Loose<D> {
    type Device = D;
}

/// A state in which a buffer may be used on stream `S` of device `D`. Sealed.
///
/// Implemented by `On<S, D>` for its own `S` and `D`. Not by [`Synced`] (give the buffer to the stream first), nor by
/// [`Loose`] (its stream is known at run time only).
#[diagnostic::on_unimplemented(
    message = "this buffer is not ready on stream `{S}`",
    label = "its state is `{Self}`",
    note = "hand it over first: `let buf = stream.take(buf)?` (one event, the host does not block)",
    note = "several at once: `let (a, b) = stream.take((a, b))?`"
)]
pub trait ReadyOn<S, D>: sealed::ReadyOn<S, D> {}

// The next two impls are shaped for rustc's messages: see the module `never`.
#[diagnostic::do_not_recommend]
impl<S, D, S2, D2> ReadyOn<S, D> for On<S2, D2> where On<S2, D2>: sealed::ReadyOn<S, D> {}
impl<S, D, St: never::OnNoStream> ReadyOn<S, D> for St
where
    St::Host: never::GivenTo<S>,
    St::RunTime: never::ClaimedBy<S>,
{
}

/// A state in which the host may look at a buffer. Sealed.
///
/// Implemented by [`Synced`] alone.
#[diagnostic::on_unimplemented(
    message = "the host cannot touch this buffer yet: its state is `{Self}`",
    label = "work on it may still be in flight",
    note = "finish it first, on its own stream: `let buf = stream.sync(buf)?`, or `stream.download(&buf)?` to copy it out",
    note = "`Loose` remembers its stream at run time only: `let buf = stream.sync(stream.take(buf)?)?`"
)]
pub trait HostReady: sealed::HostReady {}

impl<D> HostReady for Synced<D> {}

/// Device `Self` and device `D` are one. Sealed.
#[diagnostic::on_unimplemented(
    message = "this buffer lives on device `{Self}`, not on device `{D}`",
    label = "a buffer stays with the streams of its own device",
    note = "copy it: `there.copy_across(here, &buf, &mut target)?`, or through the host: `there.upload(&here.download(&buf)?)?`",
    note = "in generic code: the same `D` on both, `Stream<S, D>` and `On<S, D>`"
)]
pub trait SameDevice<D>: sealed::SameDevice<D> {}

impl<D> SameDevice<D> for D {}

/// Bounds that no state satisfies. They carry messages: why a [`Synced`] or a [`Loose`] buffer is not ready on a stream,
/// each in its own words. (`Self` of the bound that fails must be another type than the state, else rustc prints the
/// message of `ReadyOn`.)
///
/// The impl of [`ReadyOn`] for [`On`] is less direct than `for On<S, D>` would be, and there are two impls of its seal,
/// so that rustc does not infer `S` from the state: else each ordinary mistake is followed by seven lines on the one
/// impl that could apply. An impl for a type parameter, as that for `OnNoStream`, is never listed.
#[doc(hidden)]
pub mod never {
    use super::{Loose, State, Synced};

    /// A state that says of no stream, in its type, that the buffer is ready there.
    pub trait OnNoStream: State {
        type Host;
        type RunTime;
    }
    impl<D> OnNoStream for Synced<D> {
        type Host = WithHost;
        type RunTime = NotTheReason;
    }
    impl<D> OnNoStream for Loose<D> {
        type Host = NotTheReason;
        type RunTime = StreamAtRunTime;
    }

    #[derive(Debug)]
    pub enum WithHost {}
    #[derive(Debug)]
    pub enum StreamAtRunTime {}
    #[derive(Debug)]
    pub enum NotTheReason {}

    #[diagnostic::on_unimplemented(
        message = "this buffer is with the host; give it to stream `{S}` first",
        label = "its state is `Synced`",
        note = "give it to the stream: `let buf = buf.on(stream)` (no driver call)",
        note = "several at once: `let (a, b) = stream.take((a, b))?`"
    )]
    pub trait GivenTo<S>: super::sealed::Never<S> {}
    impl<S> GivenTo<S> for NotTheReason {}

    #[diagnostic::on_unimplemented(
        message = "this buffer is not known to be ready on stream `{S}`: its stream is known at run time only",
        label = "its state is `Loose`",
        note = "hand it over: `let buf = stream.take(buf)?` (nothing if it is there already, else one event)",
        note = "to refuse a buffer of another stream instead: `let buf = stream.claim(buf)?`"
    )]
    pub trait ClaimedBy<S>: super::sealed::Never<S> {}
    impl<S> ClaimedBy<S> for NotTheReason {}
}

/// The orphan rule lets a user implement a foreign trait for foreign types as soon as a local brand is among its
/// parameters. So each relation is sealed by a private relation *with the same parameters*.
pub(crate) mod sealed {
    use super::{Loose, On, Synced, never};

    pub trait State {
        /// Whether work may be in flight, ordered by the stream that the buffer remembers.
        const IN_FLIGHT: bool;
    }
    impl<S, D> State for On<S, D> {
        const IN_FLIGHT: bool = true;
    }
    impl<D> State for Synced<D> {
        const IN_FLIGHT: bool = false;
    }
    impl<D> State for Loose<D> {
        const IN_FLIGHT: bool = true;
    }

    pub trait ReadyOn<S, D> {}
    impl<S, D> ReadyOn<S, D> for On<S, D> {}
    impl<S, D> ReadyOn<NoStream<S>, D> for On<S, D> {}
    impl<S, D, St: never::OnNoStream> ReadyOn<S, D> for St
    where
        St::Host: never::GivenTo<S>,
        St::RunTime: never::ClaimedBy<S>,
    {
    }

    /// The brand of no stream: nobody outside can name it, and nothing makes a `Stream` of it.
    #[derive(Debug)]
    pub struct NoStream<S>(std::convert::Infallible, std::marker::PhantomData<S>);

    pub trait HostReady {}
    impl<D> HostReady for Synced<D> {}

    pub trait SameDevice<D> {}
    impl<D> SameDevice<D> for D {}

    /// Implemented by what is never the reason alone: so at least one of `GivenTo`, `ClaimedBy` fails for each state.
    pub trait Never<S> {}
    impl<S> Never<S> for never::NotTheReason {}
}
