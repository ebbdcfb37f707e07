//! A buffer that the exporter has offered.

use crate::element::{self, Element};
use crate::link::Deadline;
use crate::owed::Owed;
use crate::pause::Pause;
use crate::wire::{self, Access, ExportId};
use crate::{Error, Failed, Result, trusted};
use antecede::ipc::{Import, ImportedPool, Manifest};
use antecede::{Buffer, Device, DeviceBrand, Imported, Memory, On, PeerAccess, Primary, Stream};
use bytemuck::Pod;
use std::fmt;
use std::sync::Arc;

/// A buffer that the exporter has offered: [`import`](Offer::import) it, or [`decline`](Offer::decline) it, as its drop does.
///
/// A forgotten offer is never answered: the exporter takes nothing back then.
#[must_use = "dropping it declines the offer"]
pub struct Offer<D = Primary> {
    device: Device<D>,
    pool: ImportedPool<D>,
    told: wire::Offer,
    answer: Unanswered<D>,
}

/// An offer's answer, which is still to come. Dropped, it is that the offer was declined.
pub(crate) struct Unanswered<D> {
    /// `None` once it has been answered, or will be by the end of an import.
    owed: Option<Arc<Owed<D>>>,
    export: ExportId,
}

impl<D> Offer<D> {
    pub(crate) fn new(device: Device<D>, pool: ImportedPool<D>, told: wire::Offer, answer: Unanswered<D>) -> Self {
        Offer { device, pool, told, answer }
    }

    /// What its elements are.
    pub fn element(&self) -> Element {
        Element { name: self.told.element, size: self.told.element_size, alignment: self.told.alignment }
    }

    /// Number of elements.
    pub fn len(&self) -> u64 {
        self.told.length
    }

    /// Never: an empty buffer is not exported.
    pub fn is_empty(&self) -> bool {
        self.told.length == 0
    }

    /// Whether it may be written.
    pub fn access(&self) -> Access {
        self.told.access
    }

    /// Whether work of the exporter's may still be in flight on it, which the stream will wait for.
    pub fn has_event(&self) -> bool {
        self.told.event.is_some()
    }

    /// Imports it, for use on `stream`, which waits for the exporter's event if one came along. The host does not block.
    ///
    /// The calls of [`Stream::import`](antecede::Stream::import). If the exporter may die before its work is over, see
    /// [`wait_until_ready`](Offer::wait_until_ready).
    ///
    /// # Errors
    /// [`Error::WrongElement`], [`Error::WrongAccess`], [`Error::Device`] (this process has the memory already, among
    /// others); the offer comes back. [`Error::Spent`] if an earlier attempt has failed so late that its end is the answer,
    /// or that nothing is known.
    pub fn import<T: Pod, A: PeerAccess, S>(
        mut self,
        stream: Stream<S, D>,
    ) -> Result<Buffer<T, On<S, D>, Imported<A>>, Failed<Self>>
    where
        Imported<A>: Memory,
    {
        match self.import_on(stream) {
            Ok(buffer) => Ok(buffer),
            Err(error) => Err(Failed { error, kept: self }),
        }
    }

    fn import_on<T: Pod, A: PeerAccess, S>(&mut self, stream: Stream<S, D>) -> Result<Buffer<T, On<S, D>, Imported<A>>>
    where
        Imported<A>: Memory,
    {
        if self.answer.owed.is_none() {
            return Err(Error::Spent);
        }
        let (expected, found) = (element::access::<A>(), self.told.access);
        if expected != found {
            return Err(Error::WrongAccess { expected, found });
        }
        let (expected, found) = (Element::of::<T>(), self.element());
        if expected != found {
            return Err(Error::WrongElement { expected, found });
        }
        let len = usize::try_from(self.told.length).map_err(|_| Error::TooLong { len: self.told.length })?;
        let manifest = Manifest { pool: self.told.pool.0, pointer: self.told.pointer, ready: self.told.event, len };
        match trusted::import(stream, &self.pool, &manifest) {
            Ok((buffer, import)) => {
                self.answer_by_its_end(import);
                Ok(buffer)
            }
            Err(failed) => {
                match failed.buffers {
                    Some(ending) => self.answer_by_its_end(ending),
                    // It may be mapped: to decline it would be a lie.
                    None if self.device.is_poisoned() => self.answer.owed = None,
                    None => {}
                }
                Err(failed.error.into())
            }
        }
    }

    /// From here on the end of the import is the answer.
    fn answer_by_its_end(&mut self, import: Import<D>) {
        if let Some(owed) = self.answer.owed.take() {
            owed.hold(self.told.export, import);
        }
    }

    /// Refuses it: the exporter may have its buffer back. Of one that is [spent](Error::Spent) nothing is said here.
    ///
    /// # Errors
    /// [`Error::Link`] if the exporter could not be told: it will be by a later call on the importer.
    pub fn decline(mut self) -> Result<()> {
        match self.answer.owed.take() {
            Some(owed) => owed.decline(self.told.export, owed.deadline()),
            None => Ok(()),
        }
    }
}

impl<D: DeviceBrand> Offer<D> {
    /// Whether everything that the exporter had in flight on it is over (`cuIpcOpenEventHandle`, `cuEventQuery`). The host
    /// does not block.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn is_ready(&self) -> Result<bool> {
        match &self.told.event {
            Some(event) => Ok(self.device.peer_event(event)?.has_passed()?),
            None => Ok(true),
        }
    }

    /// Makes the host wait until everything that the exporter had in flight on it is over.
    ///
    /// For an exporter that may die. The stream of an [`import`](Offer::import) waits for the exporter's event, and if the
    /// exporter dies before that has happened the stream waits for ever (seen on an H200), and so does whoever waits for the
    /// stream. A wait by the host ends at the time limit.
    ///
    /// # Errors
    /// [`Error::NotReady`] at the time limit, [`Error::Link`] if the exporter is gone before: the offer may be dropped, or
    /// asked again. [`Error::Device`].
    pub fn wait_until_ready(&self) -> Result<()> {
        let (Some(owed), Some(event)) = (&self.answer.owed, &self.told.event) else { return Ok(()) };
        let event = self.device.peer_event(event)?;
        let deadline = owed.deadline();
        let mut pause = Pause::default();
        while !event.has_passed()? {
            owed.exporter_lives()?;
            if !pause.within(deadline) {
                return Err(Error::NotReady);
            }
        }
        Ok(())
    }
}

impl<D> Unanswered<D> {
    pub(crate) fn new(owed: Arc<Owed<D>>, export: ExportId) -> Self {
        Unanswered { owed: Some(owed), export }
    }
}

impl<D> Drop for Unanswered<D> {
    fn drop(&mut self) {
        if let Some(owed) = self.owed.take() {
            // Nobody is left to hear of an error; the receipt stays due.
            let _ = owed.decline(self.export, Deadline::now());
        }
    }
}

impl<D> fmt::Debug for Offer<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Offer({} elements of {}, {:?})", self.told.length, self.element(), self.told.access)
    }
}
