//! The side that uses another process's memory.

use crate::let_go::LetGo;
use crate::link::{Accepted, Deadline, Foreign, Link, LinkError, as_importer, connect, connect_when_ready};
use crate::offer::{Offer, Unanswered};
use crate::owed::Owed;
use crate::pause::Pause;
use crate::wire::{Frame, Kind, PoolId};
use crate::{Error, Failed, Result};
use antecede::driver::DeviceUuid;
use antecede::ipc::ImportedPool;
use antecede::{Buffer, Device, DeviceBrand, Imported, Memory, On, PeerAccess, Primary, Stream, Synced};
use bytemuck::Pod;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Receives buffers of another process on the same device, and lets go of them.
///
/// Each method that waits for the other process does so for the [time limit](Importer::set_time_limit) at most.
///
/// A buffer that is dropped instead of [released](Importer::release) is let go as well: its free is queued on its stream, and
/// the exporter is told by the next call of a method here that finds that it has taken effect, or by
/// [`settle`](Importer::settle). An importer that is dropped, or whose process ends, tells nothing more: the exporter takes
/// nothing back then.
pub struct Importer<D = Primary> {
    device: Device<D>,
    uuid: DeviceUuid,
    owed: Arc<Owed<D>>,
    /// The exporter's pools that were opened here.
    pools: HashMap<PoolId, ImportedPool<D>>,
}

impl<D: DeviceBrand> Importer<D> {
    /// Connects to the exporter that listens at `path`.
    ///
    /// # Errors
    /// [`Error::Device`]; [`Error::Link`]: nobody listens there; [`Error::Handshake`]: it is of another user, device or
    /// version, or says nothing within 10 seconds.
    pub fn connect(device: Device<D>, path: impl AsRef<Path>) -> Result<Self> {
        let deadline = Deadline::after(crate::TIME_LIMIT);
        Importer::greet(device, connect(path.as_ref(), deadline)?, Foreign::Refused, deadline)
    }

    /// Waits for an exporter to listen at `path`, and connects to it.
    ///
    /// # Errors
    /// As for [`connect`](Importer::connect), when the limit has passed.
    pub fn connect_within(device: Device<D>, path: impl AsRef<Path>, limit: Duration) -> Result<Self> {
        let deadline = Deadline::after(limit);
        Importer::greet(device, connect_when_ready(path.as_ref(), deadline)?, Foreign::Refused, deadline)
    }

    /// Imports over one end of a socket pair, which this process inherited, say ([`pair`](crate::pair)).
    ///
    /// # Errors
    /// [`Error::Device`]; [`Error::Link`]: not such a socket; [`Error::Handshake`] as for [`connect`](Importer::connect).
    pub fn over(device: Device<D>, socket: OwnedFd) -> Result<Self> {
        Importer::greet(device, Link::from_fd(socket)?, Foreign::Refused, Deadline::after(crate::TIME_LIMIT))
    }

    pub(crate) fn greet(device: Device<D>, link: Link, foreign: Foreign, deadline: Deadline) -> Result<Self> {
        let uuid = device.uuid()?;
        let Accepted { link, peer, .. } = as_importer(link, uuid, foreign, deadline)?;
        Ok(Importer { device, uuid, owed: Arc::new(Owed::new(link, peer)), pools: HashMap::new() })
    }

    /// How long each wait for the other process lasts at most. 10 seconds unless set.
    pub fn set_time_limit(&mut self, limit: Duration) {
        self.owed.set_time_limit(limit);
    }

    /// The exporter's process.
    pub fn pid(&self) -> u32 {
        self.owed.peer().pid()
    }

    /// How many buffers have come by it whose end has not been seen.
    pub fn held(&self) -> usize {
        self.owed.held()
    }

    /// Waits for the next offer: to look at it, and import it, or not.
    ///
    /// # Errors
    /// [`Error::Link`]: a time limit, the end of the connection, a malformed frame (which is passed over), too many open
    /// descriptors in this process (the offer is declined);
    /// [`Error::Unexpected`]; [`Error::WrongDevice`]; [`Error::UnknownPool`]; [`Error::Device`] if its pool cannot be opened.
    /// An offer that is understood and not taken is declined.
    pub fn next_offer(&mut self) -> Result<Offer<D>> {
        self.owed.tell_what_has_ended()?;
        let (frame, descriptor) = self.owed.link().receive(self.owed.deadline()).inspect_err(|error| {
            if let LinkError::ControlTruncated { offer: Some(export), .. } = error {
                // Its pool cannot be opened: it is declined, and the pool's descriptor comes again with the next one.
                drop(Unanswered::new(self.owed.clone(), *export));
            }
        })?;
        let told = match frame {
            Frame::Offer(offer) => offer,
            other => return Err(Error::Unexpected { expected: Kind::Offer, found: other.kind(), pid: self.pid() }),
        };
        // From here on it is declined unless it is taken.
        let unanswered = Unanswered::new(self.owed.clone(), told.export);
        if told.device != self.uuid {
            return Err(Error::WrongDevice { expected: self.uuid, found: told.device });
        }
        let pool = self.pool(told.pool, descriptor.as_ref().map(AsFd::as_fd))?;
        Ok(Offer::new(self.device, pool, told, unanswered))
    }

    /// The exporter's pool, opened by its descriptor if that came along. One that is open already stays so.
    fn pool(&mut self, pool: PoolId, descriptor: Option<BorrowedFd<'_>>) -> Result<ImportedPool<D>> {
        match (self.pools.entry(pool), descriptor) {
            (Entry::Occupied(known), _) => Ok(known.get().clone()),
            (Entry::Vacant(place), Some(descriptor)) => Ok(place.insert(self.device.import_pool(descriptor)?).clone()),
            (Entry::Vacant(_), None) => Err(Error::UnknownPool { pool }),
        }
    }

    /// Waits for the next offer, and imports it for use on `stream`, which waits for the exporter's event if one came
    /// along: `importer.import::<f32, ReadOnly, _>(compute)?`.
    ///
    /// # Errors
    /// As for [`next_offer`](Importer::next_offer) and [`Offer::import`]; the offer is declined then.
    pub fn import<T: Pod, A: PeerAccess, S>(&mut self, stream: Stream<S, D>) -> Result<Buffer<T, On<S, D>, Imported<A>>>
    where
        Imported<A>: Memory,
    {
        Ok(self.next_offer()?.import(stream)?)
    }

    /// Lets go of a buffer whose use is over: `importer.release(stream.sync(buf)?)?`.
    ///
    /// `cuMemFreeAsync` and `cuStreamSynchronize`, on a stream where nothing else is; then the exporter is told.
    ///
    /// # Errors
    /// [`Error::OtherImporter`], [`Error::Device`] (a part, among others): the buffer comes back. Without the buffer:
    /// [`Error::Device`] if its free, or the wait for it, failed: the exporter will not be told; [`Error::Link`] if the
    /// exporter could not be told: it will be by a later call, if it is still there.
    pub fn release<T, St: LetGo<D>, A: PeerAccess>(
        &mut self,
        buffer: Buffer<T, St, Imported<A>>,
    ) -> Result<(), Failed<Option<Buffer<T, Synced<D>, Imported<A>>>>>
    where
        Imported<A>: Memory,
    {
        let buffer = St::complete(buffer);
        if !buffer.import_id().is_some_and(|id| self.owed.holds(id)) {
            return Err(Failed { error: Error::OtherImporter, kept: Some(buffer) });
        }
        if let Err(failed) = buffer.end_import() {
            return Err(Failed { error: failed.error.into(), kept: failed.buffers });
        }
        self.owed.tell_what_has_ended().map_err(|error| Failed { error, kept: None })
    }

    /// Waits until every dropped buffer's free has taken effect, and tells the exporter. Returns how many imports are left:
    /// in use, forgotten, or lost.
    ///
    /// # Errors
    /// [`Error::FreeNotOver`] at the time limit; [`Error::Link`]; [`Error::Device`].
    pub fn settle(&mut self) -> Result<usize> {
        let deadline = self.owed.deadline();
        let mut pause = Pause::default();
        loop {
            // In this order: a free that is found to be over by the first look is told of by the second.
            let ending = self.owed.is_ending()?;
            self.owed.tell_what_has_ended()?;
            if !ending {
                return Ok(self.owed.held());
            }
            if !pause.within(deadline) {
                return Err(Error::FreeNotOver);
            }
        }
    }
}

impl<D> fmt::Debug for Importer<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Importer({} held)", self.owed.held())
    }
}
