//! Streams that can be held, and the two ways to get buffers from one to another.

use antecede::{Buffer, Device, DeviceBrand, On, OnDevice, ReadyOn, Result, Stream, View};
use antecede_testkit::Burn;
use antecede_tests::take_without_waiting;

/// Clock cycles for which a stream is held on a GPU: some 30 ms, when what goes ahead takes microseconds.
const HOLD: u64 = 60_000_000;

/// The elements of most buffers.
pub(crate) const LEN: usize = 4096;

/// How buffers get from one stream to another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// As the types ask.
    HandOver,
    /// Through the unsafe door: the types are content, and no call is made.
    WithoutWaiting,
}

impl Way {
    pub(crate) fn go<S, D, X: OnDevice<D>>(
        self,
        device: Device<D>,
        to: Stream<S, D>,
        buffers: X,
    ) -> Result<X::With<On<S, D>>> {
        match self {
            Way::HandOver => Ok(to.take(buffers)?),
            Way::WithoutWaiting => Ok(take_without_waiting(device, to, buffers)),
        }
    }
}

/// A stream that can be held; what could wait for the device has been done once.
pub(crate) struct Held<S, D> {
    stream: Stream<S, D>,
    burn: Burn<D>,
    done: Buffer<u32, On<S, D>>,
}

impl<S, D: DeviceBrand> Held<S, D> {
    pub(crate) fn new(device: Device<D>, stream: Stream<S, D>) -> Result<Self> {
        warm(stream)?;
        let burn = device.load::<Burn>()?;
        let mut done = stream.zeroed(1)?;
        burn.burn(stream, 1, &mut done)?;
        assert_eq!(stream.download(&done)?, [1]);
        Ok(Held { stream, burn, done })
    }

    /// What is given to the stream from now on runs when all that goes ahead is over.
    pub(crate) fn hold(&mut self) -> Result<()> {
        self.burn.burn(self.stream, HOLD, &mut self.done)
    }
}

/// Does on a stream all that could wait for the device the first time, and waits for the stream.
pub(crate) fn warm<S, D: DeviceBrand>(stream: Stream<S, D>) -> Result<()> {
    let (x, mut y) = (complete(stream, LEN, 0)?, complete(stream, LEN, 1)?);
    stream.copy(&x, &mut y)?;
    assert!(all(stream, &y, 0)?, "what was copied");
    Ok(())
}

/// A buffer of that value, complete.
pub(crate) fn complete<S, D: DeviceBrand>(
    stream: Stream<S, D>,
    len: usize,
    value: u32,
) -> Result<Buffer<u32, On<S, D>>> {
    let mut x = stream.alloc(len)?;
    stream.fill(&mut x, value)?;
    Ok(stream.sync(x)?.on(stream))
}

/// Allocates and fills on a stream what may be memory that was freed there, and waits for it.
pub(crate) fn use_again<S, D>(stream: Stream<S, D>, len: usize) -> Result<()> {
    let mut buffers = Vec::new();
    for _ in 0..16 {
        let mut buffer = stream.alloc::<u32>(len)?;
        stream.fill(&mut buffer, 1)?;
        buffers.push(buffer);
    }
    Ok(stream.sync(())?)
}

/// Whether all elements have the value, when the stream has ended.
pub(crate) fn all<S, D>(stream: Stream<S, D>, x: &View<u32, impl ReadyOn<S, D>>, value: u32) -> Result<bool> {
    Ok(stream.download(x)?.iter().all(|&element| element == value))
}
