//! The side that uses another process's memory.

use crate::link::{Accepted, Deadline, Foreign, Link, LinkError, Peer, as_importer, connect, connect_when_ready};
use crate::offer::Offer;
use crate::pause::Pause;
use crate::wire::{ExportId, Frame, How, Kind, PoolId, Receipt};
use crate::{Error, Failed, Result};
use antecede::driver::DeviceUuid;
use antecede::ipc::{Import, ImportId, ImportState, ImportedPool};
use antecede::{Buffer, Device, DeviceBrand, Imported, Memory, On, PeerAccess, Primary, Stream, Synced};
use bytemuck::Pod;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
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
    link: Link,
    peer: Peer,
    time_limit: Duration,
    /// The exporter's pools that were opened here.
    pools: HashMap<PoolId, ImportedPool<D>>,
    held: HashMap<ImportId, Held<D>>,
    /// Receipts that are due and could not be sent.
    due: Vec<Receipt>,
}

/// What was imported.
struct Held<D> {
    export: ExportId,
    import: Import<D>,
}

impl<D: DeviceBrand> Importer<D> {
    /// Connects to the exporter that listens at `path`.
    ///
    /// # Errors
    /// [`Error::Device`]; [`Error::Link`]: nobody listens there, or it is of another user, device or version.
    pub fn connect(device: Device<D>, path: impl AsRef<Path>) -> Result<Self> {
        let deadline = Deadline::after(crate::TIME_LIMIT);
        Importer::greet(device, connect(path.as_ref(), deadline)?, Foreign::Refused, deadline)
    }

    /// Waits for an exporter to listen at `path`, and connects to it.
    ///
    /// # Errors
    /// As for [`connect`](Importer::connect); a time limit if nobody listens there.
    pub fn connect_within(device: Device<D>, path: impl AsRef<Path>, limit: Duration) -> Result<Self> {
        let deadline = Deadline::after(limit);
        Importer::greet(device, connect_when_ready(path.as_ref(), deadline)?, Foreign::Refused, deadline)
    }

    /// Imports over one end of a socket pair, which this process inherited, say ([`inherited`](crate::inherited)).
    ///
    /// # Errors
    /// [`Error::Device`]; [`Error::Link`]: not such a socket, or as for [`connect`](Importer::connect).
    pub fn over(device: Device<D>, socket: OwnedFd) -> Result<Self> {
        Importer::greet(device, Link::from_fd(socket)?, Foreign::Refused, Deadline::after(crate::TIME_LIMIT))
    }

    pub(crate) fn greet(device: Device<D>, link: Link, foreign: Foreign, deadline: Deadline) -> Result<Self> {
        let uuid = device.uuid()?;
        let Accepted { link, peer, .. } = as_importer(link, uuid, foreign, deadline)?;
        let (pools, held, due) = (HashMap::new(), HashMap::new(), Vec::new());
        Ok(Importer { device, uuid, link, peer, time_limit: crate::TIME_LIMIT, pools, held, due })
    }

    /// How long each wait for the other process lasts at most. 10 seconds unless set.
    pub fn set_time_limit(&mut self, limit: Duration) {
        self.time_limit = limit;
    }

    /// Waits for the next offer: to look at it, and import it, or not.
    ///
    /// # Errors
    /// [`Error::Link`]: a time limit, the end of the connection, a malformed frame (which is passed over);
    /// [`Error::Unexpected`]; [`Error::WrongDevice`]; [`Error::UnknownPool`]; [`Error::Device`] if its pool cannot be opened.
    /// An offer that is understood and not taken is declined.
    pub fn next(&mut self) -> Result<Offer<'_, D>> {
        self.tell_what_has_ended()?;
        let deadline = Deadline::after(self.time_limit);
        let (frame, descriptor) = self.link.receive(deadline)?;
        let told = match frame {
            Frame::Offer(offer) => offer,
            other => {
                return Err(Error::Unexpected { expected: Kind::Offer, found: other.kind(), pid: self.peer.pid() });
            }
        };
        // From here on it is declined unless it is taken.
        let mut offer = Offer::new(self, told);
        offer.check_device()?;
        offer.open_pool(descriptor.as_ref().map(AsFd::as_fd))?;
        Ok(offer)
    }

    /// Waits for the next offer, and imports it for use on `stream`, which waits for the exporter's event if one came
    /// along: `importer.import::<f32, ReadOnly, _>(compute)?`.
    ///
    /// # Errors
    /// As for [`next`](Importer::next) and [`Offer::import`]; the offer is declined then.
    pub fn import<T: Pod, A: PeerAccess, S>(&mut self, stream: Stream<S, D>) -> Result<Buffer<T, On<S, D>, Imported<A>>>
    where
        Imported<A>: Memory,
    {
        Ok(self.next()?.import(stream)?)
    }

    /// Lets go of a buffer whose use is over: `importer.release(stream.sync(buf)?)?`.
    ///
    /// `cuMemFreeAsync` and `cuStreamSynchronize`, on a stream where nothing else is; then the exporter is told.
    ///
    /// # Errors
    /// [`Error::OtherImporter`], [`Error::Device`] (a part, among others): the buffer comes back. Without the buffer:
    /// [`Error::Device`] if its free, or the wait for it, failed: the exporter will not be told; [`Error::Link`] if the
    /// exporter could not be told: it will be by a later call, if it is still there.
    pub fn release<T, A: PeerAccess>(
        &mut self,
        buffer: Buffer<T, Synced<D>, Imported<A>>,
    ) -> Result<(), Failed<Option<Buffer<T, Synced<D>, Imported<A>>>>>
    where
        Imported<A>: Memory,
    {
        let Some(id) = buffer.import_id().filter(|id| self.held.contains_key(id)) else {
            return Err(Failed { error: Error::OtherImporter, kept: Some(buffer) });
        };
        if let Err(failed) = buffer.end_import() {
            return Err(Failed { error: failed.error.into(), kept: failed.buffers });
        }
        let told = self.note_ended(id).and_then(|()| self.tell_what_has_ended());
        told.map_err(|error| Failed { error, kept: None })
    }

    /// Waits until every dropped buffer's free has taken effect, and tells the exporter. Returns how many imports are left:
    /// in use, or lost.
    ///
    /// # Errors
    /// [`Error::Link`]: a time limit, also on the device's side; the end of the connection. [`Error::Device`].
    pub fn settle(&mut self) -> Result<usize> {
        let deadline = Deadline::after(self.time_limit);
        let mut pause = Pause::default();
        loop {
            self.tell_what_has_ended()?;
            let mut ending = false;
            for held in self.held.values() {
                ending |= held.import.state()? == ImportState::Ending;
            }
            if !ending {
                return Ok(self.held.len());
            }
            if !pause.within(deadline) {
                return Err(Error::FreeNotOver);
            }
        }
    }

    /// Sends the receipts of what is found to have ended.
    fn tell_what_has_ended(&mut self) -> Result<()> {
        let mut ended = Vec::new();
        for (&id, held) in &self.held {
            if held.import.state()? == ImportState::Ended {
                ended.push(id);
            }
        }
        ended.into_iter().try_for_each(|id| self.note_ended(id))?;
        self.send_due()
    }

    fn send_due(&mut self) -> Result<()> {
        while let Some(receipt) = self.due.pop() {
            let deadline = Deadline::after(self.time_limit);
            if let Err(error) = self.link.send(&Frame::Receipt(receipt), None, deadline) {
                if !error.may_have_left {
                    self.due.push(receipt);
                }
                return Err(error.cause.into());
            }
        }
        Ok(())
    }

    /// The receipt of an import becomes due, if it has ended: once.
    fn note_ended(&mut self, id: ImportId) -> Result<()> {
        if let Entry::Occupied(held) = self.held.entry(id)
            && held.get().import.state()? == ImportState::Ended
        {
            self.due.push(Receipt { export: held.remove().export, how: How::Released });
        }
        Ok(())
    }

    pub(crate) fn device(&self) -> Device<D> {
        self.device
    }

    pub(crate) fn deadline(&self) -> Deadline {
        Deadline::after(self.time_limit)
    }

    /// `Err` once the exporter's process has ended.
    pub(crate) fn exporter_lives(&self) -> Result<()> {
        if self.peer.has_exited(Deadline::now())? { Err(LinkError::PeerGone.into()) } else { Ok(()) }
    }

    pub(crate) fn uuid(&self) -> DeviceUuid {
        self.uuid
    }

    pub(crate) fn is_poisoned(&self) -> bool {
        self.device.is_poisoned()
    }

    pub(crate) fn pool(&self, pool: PoolId) -> Result<&ImportedPool<D>> {
        self.pools.get(&pool).ok_or(Error::UnknownPool { pool })
    }

    /// Opens a pool of the exporter's. One that is open already stays so: the exporter did not know that it had been
    /// understood.
    pub(crate) fn open_pool(&mut self, pool: PoolId, descriptor: BorrowedFd<'_>) -> Result<()> {
        if let Entry::Vacant(place) = self.pools.entry(pool) {
            place.insert(self.device.import_pool(descriptor)?);
        }
        Ok(())
    }

    pub(crate) fn hold(&mut self, export: ExportId, import: Import<D>) {
        self.held.insert(import.id(), Held { export, import });
    }

    /// Tells the exporter that an offer was not taken.
    pub(crate) fn decline(&mut self, export: ExportId) -> Result<()> {
        self.due.push(Receipt { export, how: How::Declined });
        self.send_due()
    }
}

/// Tells the exporter of what has ended by now, without waiting.
impl<D> Drop for Importer<D> {
    fn drop(&mut self) {
        for held in self.held.values() {
            if held.import.state() == Ok(ImportState::Ended) {
                self.due.push(Receipt { export: held.export, how: How::Released });
            }
        }
        for receipt in self.due.drain(..) {
            let _ = self.link.send(&Frame::Receipt(receipt), None, Deadline::now());
        }
    }
}

impl<D> fmt::Debug for Importer<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Importer({} held)", self.held.len())
    }
}
