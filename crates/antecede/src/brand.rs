//! Names for streams and devices, at the level of types.
//!
//! A brand has no values: it tells the compiler which stream, or which device, a value belongs to.

use crate::driver::StreamKind;
use std::fmt;
use std::marker::PhantomData;

/// Makes a type invariant in `X`, so that no subtyping can exchange one brand for another: `fn(&'static ())` and
/// `for<'a> fn(&'a ())` are two types with two `TypeId`s, yet one coerces to the other.
pub(crate) type Invariant<X> = PhantomData<fn(X) -> X>;

/// The brand of a stream: on one device, one brand is always the same stream.
///
/// Declared with [`streams!`](crate::streams). An implementation by hand is as safe: it holds no code, and
/// [`Device::stream`](crate::Device::stream) is the only way from a brand to a stream.
///
/// Implemented by no type of this crate but what `streams!` makes. Not implemented for lifetimes: a brand is `'static`.
/// A brand that is not `Send` binds its streams, and the buffers whose type names it, to their thread.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the brand of a stream",
    label = "no stream has this name",
    note = "declare it: `antecede::streams! {{ {Self} }}`",
    note = "in generic code, ask for it: `{Self}: StreamBrand`"
)]
pub trait StreamBrand: 'static {
    /// [`NonBlocking`] or [`Blocking`].
    type Kind: Kind;
    /// The name in messages and logs.
    const NAME: &'static str;
    /// `cuStreamCreateWithPriority`: lower is sooner; clamped to what the device has.
    const PRIORITY: i32 = 0;
}

/// Whether the legacy default stream gives a stream any order. Sealed: the driver's flags follow from it alone.
pub trait Kind: kind::Sealed + 'static {}

/// `CU_STREAM_NON_BLOCKING`: ordered by events only. What `streams! { Name }` declares.
#[derive(Debug)]
pub enum NonBlocking {}

/// `CU_STREAM_DEFAULT`: also ordered with operations on the legacy default stream. `streams! { Name: Blocking }`.
///
/// Two blocking streams give each other no order: a hand-over between them costs an event, like any other.
#[derive(Debug)]
pub enum Blocking {}

impl Kind for NonBlocking {}
impl Kind for Blocking {}

/// The brand of the legacy default stream, from [`Device::legacy`](crate::Device::legacy).
#[derive(Debug)]
pub enum Legacy {}

/// What binds the per-thread stream to its thread: neither `Send` nor `Sync`.
#[allow(unreachable_pub, reason = "it shows in messages of the compiler")]
pub trait StaysOnItsThread {}

/// The brand of the calling thread's own default stream, from [`Device::per_thread`](crate::Device::per_thread).
#[derive(Debug)]
pub struct PerThread(PhantomData<dyn StaysOnItsThread>);

/// The brand of a stream that was chosen at run time, for the length of one use of it: see
/// [`AnyStream::with`](crate::AnyStream::with). Never a [`StreamBrand`].
pub struct Lane<'id>(Invariant<&'id ()>);

impl fmt::Debug for Lane<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lane")
    }
}

/// The legacy default stream orders streams of this kind; `S` is the brand of such a stream. Sealed.
///
/// Implemented by [`Blocking`]. Not by [`NonBlocking`].
#[diagnostic::on_unimplemented(
    message = "the legacy default stream gives no order to stream `{S}`, which is non-blocking",
    label = "only blocking streams are ordered with it",
    note = "hand it over with an event: `let buf = legacy.take(buf)?`",
    note = "or declare the stream blocking: `streams! {{ {S}: Blocking }}`"
)]
pub trait SyncsWithLegacy<S>: kind::SyncsWithLegacy<S> {}

impl<S> SyncsWithLegacy<S> for Blocking {}

pub(crate) mod kind {
    use super::{Blocking, NonBlocking, StreamKind};

    /// The one source of the driver's flags.
    pub trait Sealed {
        const KIND: StreamKind;
    }
    impl Sealed for NonBlocking {
        const KIND: StreamKind = StreamKind::NonBlockingStream;
    }
    impl Sealed for Blocking {
        const KIND: StreamKind = StreamKind::BlockingStream;
    }

    /// See `state::sealed`: a relation is sealed by one with the same parameters.
    pub trait SyncsWithLegacy<S> {}
    impl<S> SyncsWithLegacy<S> for Blocking {}
}

/// The brand of one device.
///
/// Implemented by [`Primary`], by [`Scoped`], and by what [`devices!`](crate::devices) declares. Not by [`Several`], which
/// stands for several devices.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the brand of one device",
    label = "no single device has this name",
    note = "the default is `Primary`; inside `Device::scope` it is the scope's own brand; declare others: `antecede::devices! {{ Left }}`",
    note = "where a brand stands for several devices, take a stream without a brand: `device.any_stream()?`"
)]
pub trait DeviceBrand {}

/// The process's own device, from [`Device::primary`](crate::Device::primary). The default of every type that has a
/// device, so it does not show in signatures.
#[derive(Debug)]
pub enum Primary {}

/// The device of one run of [`Device::scope`](crate::Device::scope).
///
/// `'id` is the proof: it is another lifetime in every run, so what belongs to one run fits no other and cannot leave
/// it. `Tag` is for the reader of error messages.
pub struct Scoped<'id, Tag = Anonymous>(Invariant<(&'id (), Tag)>);

impl<Tag> fmt::Debug for Scoped<'_, Tag> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scoped")
    }
}

/// The tag of a scope that was given none.
#[derive(Debug)]
pub enum Anonymous {}

impl DeviceBrand for Primary {}
impl<Tag> DeviceBrand for Scoped<'_, Tag> {}

/// Devices told apart at run time: those of one [`Device::scope_all`](crate::Device::scope_all).
pub struct Several<'id>(Invariant<&'id ()>);

impl fmt::Debug for Several<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Several")
    }
}

/// Declares device brands, each bound to one device by [`Device::bind`](crate::Device::bind).
///
/// ```
/// antecede::devices! { Left, pub Right }
/// ```
#[macro_export]
macro_rules! devices {
    ($($(#[$attribute:meta])* $visibility:vis $name:ident),* $(,)?) => { $(
        $(#[$attribute])*
        #[derive(::core::fmt::Debug)]
        $visibility enum $name {}

        impl $crate::DeviceBrand for $name {}
    )* };
}

/// Declares stream brands.
///
/// ```
/// antecede::streams! {
///     /// Copies to the device.
///     pub Upload,
///     Compute,
///     Worker: Blocking,
/// }
/// # use antecede::StreamBrand;
/// assert_eq!(Compute::NAME, "Compute");
/// ```
///
/// Each becomes a type without values, with the visibility written before it. A brand is one type for one line of
/// source: in a loop or a generic function it is the same brand, hence the same stream, at every run.
#[macro_export]
macro_rules! streams {
    ($($(#[$attribute:meta])* $visibility:vis $name:ident $(: $kind:ident)?),* $(,)?) => { $(
        $(#[$attribute])*
        #[derive(::core::fmt::Debug)]
        $visibility enum $name {}

        impl $crate::StreamBrand for $name {
            type Kind = $crate::streams!(@kind $($kind)?);
            const NAME: &'static ::core::primitive::str = ::core::stringify!($name);
        }
    )* };
    (@kind) => { $crate::NonBlocking };
    (@kind NonBlocking) => { $crate::NonBlocking };
    (@kind Blocking) => { $crate::Blocking };
    (@kind $other:ident) => {
        ::core::compile_error!("a declared stream is `NonBlocking` (the default) or `Blocking`")
    };
}
