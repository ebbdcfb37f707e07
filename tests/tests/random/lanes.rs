//! Streams of every kind, by number.

use antecede::{AnyStream, Device, DeviceBrand, Legacy, PerThread, Result, Several, Stream};
use antecede_tests::{A, B};

antecede::streams! { pub(crate) K: Blocking, pub(crate) L: Blocking }

/// A stream, as a program names it by a number.
pub(crate) enum Lane<D> {
    A(Stream<A, D>),
    B(Stream<B, D>),
    K(Stream<K, D>),
    L(Stream<L, D>),
    Legacy(Stream<Legacy, D>),
    PerThread(Stream<PerThread, D>),
    /// A stream without a brand of its own.
    Any(AnyStream<D>),
}

/// How the legacy default stream stands to a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LaneKind {
    NonBlocking,
    Blocking,
    Legacy,
}

impl<D> Lane<D> {
    pub(crate) fn kind(self) -> LaneKind {
        match self {
            Lane::A(_) | Lane::B(_) | Lane::Any(_) => LaneKind::NonBlocking,
            Lane::K(_) | Lane::L(_) | Lane::PerThread(_) => LaneKind::Blocking,
            Lane::Legacy(_) => LaneKind::Legacy,
        }
    }
}

/// The eight lanes of one device.
pub(crate) fn of_one<D: DeviceBrand>(device: Device<D>) -> Result<Vec<Lane<D>>> {
    Ok(vec![
        Lane::A(device.stream()?),
        Lane::B(device.stream()?),
        Lane::K(device.stream()?),
        Lane::L(device.stream()?),
        Lane::Legacy(device.legacy()?),
        Lane::PerThread(device.per_thread()?),
        Lane::Any(device.any_stream()?),
        Lane::Any(device.any_stream()?),
    ])
}

/// Four lanes of each of two devices: of one brand that stands for both, there are none with a brand.
pub(crate) fn of_two<'id>(devices: &[Device<Several<'id>>]) -> Result<Vec<Lane<Several<'id>>>> {
    let each = devices.iter().flat_map(|device| (0..4).map(|_| device.any_stream().map(Lane::Any)));
    each.collect()
}

impl<D> Clone for Lane<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Lane<D> {}

/// Runs `$body` with `$stream` as the stream of a lane. It is a closure's body where the stream has no brand of its own:
/// no `?` in it.
macro_rules! on {
    ($lane:expr, |$stream:ident| $body:expr) => {
        match $lane {
            $crate::lanes::Lane::A($stream) => $body,
            $crate::lanes::Lane::B($stream) => $body,
            $crate::lanes::Lane::K($stream) => $body,
            $crate::lanes::Lane::L($stream) => $body,
            $crate::lanes::Lane::Legacy($stream) => $body,
            $crate::lanes::Lane::PerThread($stream) => $body,
            $crate::lanes::Lane::Any(any) => any.with(|$stream| $body),
        }
    };
}
pub(crate) use on;
