//! Brands are types, and a random program has numbers: the table from one to the other.

use antecede::{Buffer, Loose, Memory, On, OnDevice, Stream, Synced};
use antecede_tests::{A, B, C, E};

/// A buffer in any state.
#[derive(Default)]
pub(crate) enum Held<D, M: Memory> {
    /// There is none, or it is in a record.
    #[default]
    Nothing,
    A(Buffer<u32, On<A, D>, M>),
    B(Buffer<u32, On<B, D>, M>),
    C(Buffer<u32, On<C, D>, M>),
    E(Buffer<u32, On<E, D>, M>),
    Loose(Buffer<u32, Loose<D>, M>),
    Synced(Buffer<u32, Synced<D>, M>),
}

/// A stream brand with a number.
pub(crate) trait Lane: antecede::StreamBrand {
    const NUMBER: usize;
    fn held<D, M: Memory>(buffer: Buffer<u32, On<Self, D>, M>) -> Held<D, M>
    where
        Self: Sized;
    /// The buffer, if it is on this stream by its type.
    fn typed<D, M: Memory>(held: Held<D, M>) -> Result<Buffer<u32, On<Self, D>, M>, Held<D, M>>
    where
        Self: Sized;
}

macro_rules! lanes {
    ($($name:ident $number:literal,)+) => { $(
        impl Lane for $name {
            const NUMBER: usize = $number;

            fn held<D, M: Memory>(buffer: Buffer<u32, On<Self, D>, M>) -> Held<D, M> {
                Held::$name(buffer)
            }
            fn typed<D, M: Memory>(held: Held<D, M>) -> Result<Buffer<u32, On<Self, D>, M>, Held<D, M>> {
                match held {
                    Held::$name(buffer) => Ok(buffer),
                    other => Err(other),
                }
            }
        }
    )+ };
}

lanes! { A 0, B 1, C 2, E 3, }

/// Runs `$body` with `$stream` as the stream of a lane.
macro_rules! with_lane {
    ($streams:expr, $lane:expr, |$stream:ident| $body:expr) => {{
        let (a, b, c, e) = $streams;
        match $lane {
            0 => {
                let $stream = a;
                $body
            }
            1 => {
                let $stream = b;
                $body
            }
            2 => {
                let $stream = c;
                $body
            }
            _ => {
                let $stream = e;
                $body
            }
        }
    }};
}
pub(crate) use with_lane;

/// Does the same with the buffer in whatever state it is.
macro_rules! in_any_state {
    ($held:expr, |$buffer:ident| $body:expr, nothing => $nothing:expr) => {
        match $held {
            Held::Nothing => $nothing,
            Held::A($buffer) => $body,
            Held::B($buffer) => $body,
            Held::C($buffer) => $body,
            Held::E($buffer) => $body,
            Held::Loose($buffer) => $body,
            Held::Synced($buffer) => $body,
        }
    };
}
pub(crate) use in_any_state;

impl<D, M: Memory> Held<D, M> {
    pub(crate) fn is_there(&self) -> bool {
        !matches!(self, Held::Nothing)
    }

    pub(crate) fn is_synced(&self) -> bool {
        matches!(self, Held::Synced(_))
    }

    pub(crate) fn loose(self) -> Option<Buffer<u32, Loose<D>, M>> {
        match self {
            Held::Loose(buffer) => Some(buffer),
            Held::A(buffer) => Some(buffer.loose()),
            Held::B(buffer) => Some(buffer.loose()),
            Held::C(buffer) => Some(buffer.loose()),
            Held::E(buffer) => Some(buffer.loose()),
            Held::Synced(buffer) => Some(buffer.loose()),
            Held::Nothing => None,
        }
    }

    /// Takes it over with the hand-over that the library makes.
    pub(crate) fn take<S: Lane>(self, stream: Stream<S, D>) -> antecede::Result<Held<D, M>>
    where
        Buffer<u32, On<S, D>, M>: OnDevice<D>,
    {
        Ok(in_any_state!(self, |buffer| S::held(stream.take(buffer)?), nothing => Held::Nothing))
    }

    /// Takes it over with none.
    pub(crate) fn take_without_waiting<S: Lane>(self, device: antecede::Device<D>, stream: Stream<S, D>) -> Held<D, M> {
        in_any_state!(
            self,
            |buffer| S::held(antecede_tests::take_without_waiting(device, stream, buffer)),
            nothing => Held::Nothing
        )
    }
}
