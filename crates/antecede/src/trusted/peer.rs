//! From one device to another.

use super::registry::Device;
use super::stream::{Stream, same_length};
use super::view::View;
use crate::brand::Invariant;
use crate::{Error, ReadyOn, Result};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;

/// Shows that device `D` may address the memory of device `E` ([`Device::peer`]): copies from it go directly, and not
/// through the host. Never revoked. Nothing asks for it: it is for the reader, and makes copies faster.
pub struct Peer<D, E> {
    _devices: Invariant<(D, E)>,
}

impl<D> Device<D> {
    /// Lets this device address the memory of another one (`cuDeviceCanAccessPeer`, `cuCtxEnablePeerAccess`,
    /// `cuMemPoolSetAccess`).
    ///
    /// # Errors
    /// [`Error::DeviceMismatch`] if it cannot; [`Error::Driver`], [`Error::Poisoned`].
    pub fn peer<E>(self, other: Device<E>) -> Result<Peer<D, E>> {
        let (here, there) = (self.core(), other.core());
        here.usable()?;
        if here.driver.id() != there.driver.id() {
            return Err(here.reached_from(there));
        }
        // SAFETY: (1) both contexts are open, and of this driver.
        if !unsafe { here.driver.peer_possible(&here.context, &there.context) }? {
            return Err(here.reached_from(there));
        }
        // SAFETY: as above.
        unsafe { here.driver.peer_enable(&here.context, &there.context) }?;
        Ok(Peer { _devices: PhantomData })
    }
}

impl<S, D> Stream<S, D> {
    /// Copies all elements of `source`, which is ready on `from`, a stream of another device, to `target`, on this one
    /// (`cuMemcpyPeerAsync`). The host does not block. Without a [`Peer`] between the two the driver goes through the
    /// host.
    ///
    /// Both buffers stay where they are: a hand-over there and back, two event records and two waits, orders the copy
    /// after what is earlier on `from`, and before what is later there.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::DeviceMismatch`] (of two drivers), [`Error::Driver`], [`Error::Poisoned`]. If
    /// the hand-over back fails, both devices are poisoned: the source could no longer be called ready on `from`.
    pub fn copy_across<T: Pod, S2, D2>(
        self,
        from: Stream<S2, D2>,
        source: &View<T, impl ReadyOn<S2, D2>>,
        target: &mut View<T, impl ReadyOn<S, D>>,
    ) -> Result<()> {
        let (here, there) = (self.core(), from.core());
        same_length(target.len(), source.len())?;
        let (read, written) = (source.access(false), target.access(true));
        here.usable()?;
        there.usable()?;
        if here.driver().id() != there.driver().id() {
            return Err(here.device.reached_from(there.device));
        }
        if read.bytes == 0 {
            return Ok(());
        }
        there.order_before(here)?;
        let (to, from) = ((&here.device.context, written.ptr), (&there.device.context, read.ptr));
        // SAFETY: (1) the stream lives as long as its device, both contexts are open. (2, 3) the target is ready here and
        // borrowed exclusively; the source is ready there, what is earlier there is ordered before, by the hand-over, and
        // what is later, by the hand-over back: until that both are borrowed.
        let copied = unsafe { here.driver().peer_copy_async(&here.stream, to, from, read.bytes) };
        // Also after an error: it may be an older one, and the copy be on its way.
        if let Err(error) = here.order_before(there) {
            here.device.poison();
            there.device.poison();
            return Err(copied.err().map_or(error, Error::from));
        }
        Ok(copied?)
    }
}

impl<D, E> Clone for Peer<D, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D, E> Copy for Peer<D, E> {}

impl<D, E> fmt::Debug for Peer<D, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Peer")
    }
}
