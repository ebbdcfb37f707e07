//! What devices are, and how they reach each other.

use antecede::driver::{ContextRef, DeviceAttribute, DevicePtr, DriverResult, ErrorKind, StreamRef};

use crate::Call;
use crate::error::{error, invalid_value};
use crate::memory::{Place, Region};
use crate::state::State;
use crate::streams::PRIORITIES;
use crate::trusted::{Span, Work};

impl State {
    pub(crate) fn attribute(&mut self, context: &ContextRef, attribute: DeviceAttribute) -> DriverResult<i32> {
        let call = Call::Attribute;
        self.context(call, context)?;
        let features = &self.features;
        Ok(match attribute {
            DeviceAttribute::ConcurrentManagedAccess => features.concurrent_managed_access.into(),
            DeviceAttribute::PinnedPools => features.pinned_pools.into(),
            DeviceAttribute::ManagedPools => features.managed_pools.into(),
            other => return Err(error(call, ErrorKind::NotSupported, format!("{other:?}"))),
        })
    }

    pub(crate) fn priority_range(&mut self, context: &ContextRef) -> DriverResult<(i32, i32)> {
        self.context(Call::PriorityRange, context).map(|_| PRIORITIES)
    }

    /// A device is no peer of itself.
    pub(crate) fn peer_possible(&mut self, context: &ContextRef, peer: &ContextRef) -> DriverResult<bool> {
        self.context(Call::PeerPossible, context)?;
        self.context(Call::PeerPossible, peer)?;
        Ok(self.features.peer_access && context.ordinal != peer.ordinal)
    }

    pub(crate) fn enable_peer(&mut self, context: &ContextRef, peer: &ContextRef) -> DriverResult {
        let call = Call::PeerEnable;
        self.context(call, context)?;
        self.context(call, peer)?;
        if context.ordinal == peer.ordinal {
            return Err(invalid_value(call, "a device is no peer of itself"));
        }
        if !self.features.peer_access {
            return Err(error(call, ErrorKind::NotSupported, "the devices cannot reach each other's memory"));
        }
        self.peers.insert((context.ordinal, peer.ordinal));
        Ok(())
    }

    pub(crate) fn copy_between(
        &mut self,
        stream: &StreamRef,
        (to, dst): (&ContextRef, DevicePtr),
        (from, src): (&ContextRef, DevicePtr),
        bytes: usize,
    ) -> DriverResult {
        let call = Call::PeerCopy;
        let queue = self.usable(call, stream)?;
        self.context(call, to)?;
        self.context(call, from)?;
        if ![to.id, from.id].contains(&stream.context.id) {
            return Err(invalid_value(call, "the stream is of neither context"));
        }
        let work = match bytes {
            0 => Work::nothing(),
            bytes => {
                let (dst, src) = (self.range_of(call, to, dst, bytes)?, self.range_of(call, from, src, bytes)?);
                if dst.overlaps(&src) {
                    return Err(invalid_value(call, "source and destination overlap"));
                }
                Work::copy(dst, src)
            }
        };
        self.queues.submit(queue, Vec::new(), work);
        Ok(())
    }

    /// Whether fills and launches on a device reach that memory. A pool that was created is open to its own device alone.
    pub(crate) fn check_reach(&self, ordinal: u32, region: &Region) -> Result<(), String> {
        let Place::Device(home) = region.place else { return Ok(()) };
        if home == ordinal {
            Ok(())
        } else if !self.peers.contains(&(ordinal, home)) {
            Err(format!("memory of device {home}, and no peer access"))
        } else if region.pool.is_some_and(|pool| !self.pools.is_default(pool)) {
            Err(format!("memory of a pool of device {home} to which no peer has access"))
        } else {
            Ok(())
        }
    }

    /// A range of a device's own memory.
    fn range_of(&self, call: Call, context: &ContextRef, ptr: DevicePtr, bytes: usize) -> DriverResult<Span> {
        let region = self.range(call, ptr, bytes)?;
        match region.place {
            Place::Device(home) if home == context.ordinal => Ok(region.span),
            place => {
                Err(invalid_value(call, format!("{ptr:?} is {place:?} memory, not of device {}", context.ordinal)))
            }
        }
    }
}
