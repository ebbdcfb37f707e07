//! The side whose memory it is.

use crate::connection::{self, Connection};
use crate::debts::Debt;
use crate::element::{self, Element};
use crate::exported::{Exported, Kept, Lent, NotLent, Published};
use crate::link::{Deadline, Foreign, HandshakeError, Link, LinkError, Listener, as_exporter, random, readable};
use crate::trusted::Out;
use crate::wire::{ExportId, Offer, PoolId};
use crate::{Error, Failed, Result};
use antecede::driver::DeviceUuid;
use antecede::ipc::{Parcel, ReadyFor};
use antecede::{Device, DeviceBrand, PeerAccess, Primary, ReadOnly, ReadWrite};
use std::fmt;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Hands buffers to other processes on the same device, and takes them back.
///
/// Each method that waits for another process does so for the [time limit](Exporter::set_time_limit) at most.
pub struct Exporter<D = Primary> {
    device: Device<D>,
    uuid: DeviceUuid,
    number: u64,
    listener: Option<Listener>,
    time_limit: Duration,
    importers: Vec<Connection>,
}

/// An importer that an exporter is connected to. `Copy`; never another's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ImporterId {
    pub(crate) exporter: u64,
    pub(crate) number: usize,
}

impl<D: DeviceBrand> Exporter<D> {
    /// Exports buffers of `device`, to nobody yet: [`add`](Exporter::add) importers.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn new(device: Device<D>) -> Result<Self> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        Ok(Exporter {
            device,
            uuid: device.uuid()?,
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            listener: None,
            time_limit: crate::TIME_LIMIT,
            importers: Vec::new(),
        })
    }

    /// Exports buffers of `device` to whoever connects to a socket at `path`, which only processes of the same user may
    /// open (mode 0600). The socket that a dead process left there is replaced. It is removed when the exporter is dropped.
    ///
    /// # Errors
    /// [`Error::Device`], [`Error::Link`].
    pub fn listen(device: Device<D>, path: impl AsRef<Path>) -> Result<Self> {
        let listener = Some(Listener::bind(path.as_ref())?);
        Ok(Exporter { listener, ..Exporter::new(device)? })
    }

    /// How long each wait for another process lasts at most. 10 seconds unless set.
    pub fn set_time_limit(&mut self, limit: Duration) {
        self.time_limit = limit;
    }

    /// Waits for an importer to connect to the socket.
    ///
    /// # Errors
    /// [`Error::NotListening`]; [`Error::Link`]: a time limit; [`Error::Handshake`]: an importer of another user, device or
    /// version (which is told so), or one that says nothing within the time limit. The exporter goes on.
    pub fn accept(&mut self) -> Result<ImporterId> {
        self.accept_as(Foreign::Refused)
    }

    pub(crate) fn accept_as(&mut self, foreign: Foreign) -> Result<ImporterId> {
        let deadline = Deadline::after(self.time_limit);
        loop {
            let link = self.listener.as_ref().ok_or(Error::NotListening)?.accept(deadline)?;
            match self.greet(link, foreign, deadline) {
                // Another listener that asks whether this one lives, or an importer that has died: it was never one.
                Err(Error::Handshake(HandshakeError::Link(LinkError::PeerGone))) => {}
                greeted => return greeted,
            }
        }
    }

    /// Connects to an importer over one end of a socket pair ([`pair`](crate::pair)), whose other end it has: a child
    /// process, say.
    ///
    /// # Errors
    /// [`Error::Link`]: not such a socket; [`Error::Handshake`] as for [`accept`](Exporter::accept).
    pub fn add(&mut self, socket: OwnedFd) -> Result<ImporterId> {
        self.add_as(socket, Foreign::Refused)
    }

    pub(crate) fn add_as(&mut self, socket: OwnedFd, foreign: Foreign) -> Result<ImporterId> {
        self.greet(Link::from_fd(socket)?, foreign, Deadline::after(self.time_limit))
    }

    fn greet(&mut self, link: Link, foreign: Foreign, deadline: Deadline) -> Result<ImporterId> {
        connection::let_go_of_those_that_have_ended(&mut self.importers)?;
        let accepted = as_exporter(link, self.uuid, foreign, deadline)?;
        let id = ImporterId { exporter: self.number, number: self.importers.len() };
        self.importers.push(Connection::new(id, accepted));
        Ok(id)
    }

    /// Whose buffers it exports.
    pub fn device(&self) -> Device<D> {
        self.device
    }

    /// The importers that are connected.
    pub fn importers(&self) -> impl Iterator<Item = ImporterId> {
        self.importers.iter().filter(|importer| importer.link().is_some()).map(Connection::id)
    }

    /// The importer's process.
    ///
    /// # Errors
    /// [`Error::UnknownImporter`].
    pub fn pid(&self, importer: ImporterId) -> Result<u32> {
        Ok(self.connection(importer)?.pid())
    }

    /// Gives a buffer to one other process, to read and write.
    ///
    /// What is given: a [`Synced`](antecede::Synced) buffer of [`Exportable`](antecede::Exportable) memory, or the record of
    /// one (`stream.record(buf)?`), for which the other side's stream waits, and neither host.
    ///
    /// The calls of [`Parcel::pack`], and `cuMemPoolExportToShareableHandle` for the first buffer of a pool on a connection.
    ///
    /// # Errors
    /// [`Error::UnknownImporter`], [`Error::ImporterGone`], [`Error::Link`] (a time limit, if the importer reads nothing),
    /// [`Error::Device`]. What was given comes back, or the [`Lent`] buffer to be reclaimed. (Receipts that are there are read
    /// on the way; what is wrong with one is told by [`reclaim`](Exporter::reclaim).)
    pub fn lend<R: ReadyFor<ReadWrite, D, Back = B>, B>(
        &mut self,
        ready: R,
        to: ImporterId,
    ) -> Result<Lent<B, D>, NotLent<R, B, D>> {
        if let Err(error) = self.connection(to) {
            return Err(Failed { error, kept: Kept::Given(ready) });
        }
        let mut out = match Parcel::pack(ready) {
            Ok(parcel) => Out::new(parcel, Element::of::<R::Element>(), self.number),
            Err(failed) => return Err(Failed { error: failed.error.into(), kept: Kept::Given(failed.buffers) }),
        };
        match self.tell(&mut out, to) {
            Ok(()) => Ok(Lent(out)),
            Err(error) => Err(Failed { error, kept: Kept::Out(Lent(out)) }),
        }
    }

    /// Makes a buffer ready for any number of other processes, to read: [`offer`](Exporter::offer) it to each.
    ///
    /// What is given: as for [`lend`](Exporter::lend), or a [`Shared`](antecede::Shared) buffer.
    ///
    /// The calls of [`Parcel::pack`].
    ///
    /// # Errors
    /// [`Error::Device`]; what was given comes back.
    pub fn publish<R: ReadyFor<ReadOnly, D, Back = B>, B>(&mut self, ready: R) -> Result<Published<B, D>, Failed<R>> {
        match Parcel::pack(ready) {
            Ok(parcel) => Ok(Published(Out::new(parcel, Element::of::<R::Element>(), self.number))),
            Err(failed) => Err(Failed { error: failed.error.into(), kept: failed.buffers }),
        }
    }

    /// Offers a published buffer to one more importer.
    ///
    /// # Errors
    /// [`Error::OtherExporter`], and those of [`lend`](Exporter::lend). If the message may have been delivered all the same,
    /// the importer counts as having it.
    pub fn offer<B>(&mut self, published: &mut Published<B, D>, to: ImporterId) -> Result<()> {
        self.is_ours(published)?;
        self.tell(&mut published.0, to)
    }

    /// Waits until every importer that was told has let go, and gives the buffer back.
    ///
    /// A [`Synced`](antecede::Synced) one as that; the record of one as a [`Loose`](antecede::Loose) buffer on the stream of
    /// its record, which needs no event there: `stream.claim(exporter.reclaim(lent)?)?`; a [`Shared`](antecede::Shared) one
    /// as that. Nothing is called on the device: whoever let go has seen the end of its work.
    ///
    /// # Errors
    /// [`Error::NoReceipt`] at the time limit; [`Error::ImporterGone`] if an importer is gone without its receipt, whose work
    /// may still be going on; [`Error::UnknownReceipt`], [`Error::Unexpected`], [`Error::Link`]: from a peer that breaks the
    /// protocol; [`Error::OtherExporter`]. What was exported comes back, to be tried again.
    pub fn reclaim<E: Exported>(&mut self, exported: E) -> Result<E::Back, Failed<E>> {
        let collected = self.is_ours(&exported).and_then(|()| {
            let deadline = Deadline::after(self.time_limit);
            self.collect(exported.out().debts(), deadline)
        });
        match collected {
            Ok(()) => {
                exported.into_out().settled().map_err(|out| Failed { error: Error::StillHeld, kept: E::from_out(out) })
            }
            Err(error) => Err(Failed { error, kept: exported }),
        }
    }

    /// Reads receipts until these debts are settled.
    pub(crate) fn collect(&mut self, debts: &[Arc<Debt>], deadline: Deadline) -> Result<()> {
        loop {
            let mut open: Vec<usize> =
                debts.iter().filter(|debt| !debt.is_settled()).map(|debt| debt.importer().number).collect();
            open.sort_unstable();
            open.dedup();
            let Some(&first) = open.first() else { return Ok(()) };
            if let Some(error) = open.iter().find_map(|&number| self.importers[number].unheard()) {
                return Err(error);
            }
            let mut links: Vec<&Link> = Vec::with_capacity(open.len());
            for importer in open.iter().map(|&number| &self.importers[number]) {
                links.push(importer.link().ok_or_else(|| importer.gone())?);
            }
            let Some(ready) = readable(&links, deadline)? else {
                return Err(Error::NoReceipt {
                    importer: self.importers[first].id(),
                    pid: self.importers[first].pid(),
                });
            };
            for place in ready {
                self.importers[open[place]].read_receipt(deadline)?;
            }
        }
    }

    /// Tells an importer of what is out.
    fn tell<B, A: PeerAccess>(&mut self, out: &mut Out<B, A, D>, to: ImporterId) -> Result<()> {
        self.connection(to)?;
        let parcel = out.parcel();
        let pool = PoolId(parcel.pool().identity());
        let connection = &mut self.importers[to.number];
        let descriptor = if connection.knows(pool) { None } else { Some(parcel.pool().descriptor()?) };
        let offer = Offer {
            export: ExportId(random()?),
            access: element::access::<A>(),
            element: out.element().name,
            element_size: out.element().size,
            alignment: out.element().alignment,
            length: parcel.element_count() as u64,
            offset: 0,
            device: self.uuid,
            pool,
            pointer: *parcel.pointer(),
            event: parcel.ready().copied(),
            pool_attached: descriptor.is_some(),
        };
        connection.offer(&offer, descriptor.as_ref(), out, Deadline::after(self.time_limit))
    }

    pub(crate) fn connection(&self, importer: ImporterId) -> Result<&Connection> {
        let ours = (importer.exporter == self.number).then(|| self.importers.get(importer.number)).flatten();
        let known = ours.ok_or(Error::UnknownImporter)?;
        if known.link().is_none() { Err(known.gone()) } else { Ok(known) }
    }

    /// Reads receipts until these debts are settled; of importers that are gone, waits for the end of their processes.
    pub(crate) fn collect_or_see_end<E: Exported>(&mut self, exported: &E) -> Result<()> {
        self.is_ours(exported)?;
        let deadline = Deadline::after(self.time_limit);
        let mut rest: Vec<Arc<Debt>> = exported.out().debts().to_vec();
        loop {
            rest.retain(|debt| !debt.is_settled());
            match self.collect(&rest, deadline) {
                Err(Error::ImporterGone { importer, pid, .. }) => {
                    // Kept as long as it owes what somebody asks for.
                    let peer = self.importers[importer.number].peer();
                    if !peer.map_or(Ok(false), |peer| peer.has_exited(deadline))? {
                        return Err(Error::StillRunning { pid });
                    }
                    rest.retain(|debt| debt.importer() != importer);
                }
                other => return other,
            }
        }
    }

    fn is_ours<E: Exported>(&self, exported: &E) -> Result<()> {
        if exported.out().exporter() == self.number { Ok(()) } else { Err(Error::OtherExporter) }
    }
}

impl<D> fmt::Debug for Exporter<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Exporter({} importers)", self.importers.len())
    }
}

impl fmt::Display for ImporterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.number)
    }
}
