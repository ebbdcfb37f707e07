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

pub(crate) mod kind {
    use super::{Blocking, NonBlocking, StreamKind};

    /// The one source of the driver's flags.
    pub trait Sealed {
        const KIND: StreamKind;
    }
    impl Sealed for NonBlocking {
        const KIND: StreamKind = StreamKind::NonBlocking;
    }
    impl Sealed for Blocking {
        const KIND: StreamKind = StreamKind::Blocking;
    }
}

/// The brand of one device. Sealed.
///
/// Implemented by [`Primary`] and by [`Scoped`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the brand of a device",
    label = "no device has this name",
    note = "the default is `Primary`; inside `Device::scope` it is the scope's own brand",
    note = "in generic code, ask for it: `{Self}: DeviceBrand`"
)]
pub trait DeviceBrand: device::Sealed {}

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

mod device {
    pub trait Sealed {}
    impl Sealed for super::Primary {}
    impl<Tag> Sealed for super::Scoped<'_, Tag> {}
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
