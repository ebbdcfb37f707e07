//! A buffer that the exporter has offered.

use crate::element::{self, Element};
use crate::importer::Importer;
use crate::pause::Pause;
use crate::wire::{self, Access};
use crate::{Error, Failed, Result, trusted};
use antecede::ipc::Manifest;
use antecede::{Buffer, DeviceBrand, Imported, Memory, On, PeerAccess, Primary, Stream};
use bytemuck::Pod;
use std::fmt;
use std::os::fd::BorrowedFd;

/// A buffer that the exporter has offered: [`import`](Offer::import) it, or [`decline`](Offer::decline) it, as its drop does.
///
/// A forgotten offer is never answered: the exporter takes nothing back then.
#[must_use = "dropping it declines the offer"]
pub struct Offer<'a, D: DeviceBrand = Primary> {
    /// `None` once it has been answered, or will be by the end of an import.
    importer: Option<&'a mut Importer<D>>,
    told: wire::Offer,
}

impl<'a, D: DeviceBrand> Offer<'a, D> {
    pub(crate) fn new(importer: &'a mut Importer<D>, told: wire::Offer) -> Self {
        Offer { importer: Some(importer), told }
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
    /// others); the offer comes back.
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
        let (expected, found) = (element::access::<A>(), self.told.access);
        if expected != found {
            return Err(Error::WrongAccess { expected, found });
        }
        let (expected, found) = (Element::of::<T>(), self.element());
        if expected != found {
            return Err(Error::WrongElement { expected, found });
        }
        let Some(importer) = &mut self.importer else { return Err(Error::Answered) };
        let pool = importer.pool(self.told.pool)?;
        let len = usize::try_from(self.told.length).map_err(|_| Error::TooLong { len: self.told.length })?;
        let manifest = Manifest { pool: self.told.pool.0, pointer: self.told.pointer, ready: self.told.event, len };
        let imported = trusted::import(stream, pool, &manifest);
        match imported {
            Ok((buffer, import)) => {
                importer.hold(self.told.export, import);
                // From here on the end of the import is the answer.
                self.importer = None;
                Ok(buffer)
            }
            Err(error) => {
                if importer.is_poisoned() {
                    // It may be mapped: to decline it would be a lie.
                    self.importer = None;
                }
                Err(error.into())
            }
        }
    }

    /// Whether everything that the exporter had in flight on it is over (`cuIpcOpenEventHandle`, `cuEventQuery`). The host
    /// does not block.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn is_ready(&self) -> Result<bool> {
        match (&self.importer, &self.told.event) {
            (Some(importer), Some(event)) => Ok(importer.device().peer_event(event)?.has_passed()?),
            _ => Ok(true),
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
        let (Some(importer), Some(event)) = (&self.importer, &self.told.event) else { return Ok(()) };
        let event = importer.device().peer_event(event)?;
        let deadline = importer.deadline();
        let mut pause = Pause::default();
        while !event.has_passed()? {
            importer.exporter_lives()?;
            if !pause.within(deadline) {
                return Err(Error::NotReady);
            }
        }
        Ok(())
    }

    /// Refuses it: the exporter may have its buffer back.
    ///
    /// # Errors
    /// [`Error::Link`] if the exporter could not be told: it will be by a later call.
    pub fn decline(mut self) -> Result<()> {
        self.answer().unwrap_or(Ok(()))
    }

    fn answer(&mut self) -> Option<Result<()>> {
        self.importer.take().map(|importer| importer.decline(self.told.export))
    }

    pub(crate) fn check_device(&self) -> Result<()> {
        let Some(importer) = &self.importer else { return Err(Error::Answered) };
        let (expected, found) = (importer.uuid(), self.told.device);
        if expected == found { Ok(()) } else { Err(Error::WrongDevice { expected, found }) }
    }

    pub(crate) fn open_pool(&mut self, descriptor: Option<BorrowedFd<'_>>) -> Result<()> {
        match (&mut self.importer, descriptor) {
            (Some(importer), Some(descriptor)) => importer.open_pool(self.told.pool, descriptor),
            (Some(importer), None) => importer.pool(self.told.pool).map(drop),
            (None, _) => Err(Error::Answered),
        }
    }
}

impl<D: DeviceBrand> Drop for Offer<'_, D> {
    fn drop(&mut self) {
        // Nobody is left to hear of an error; the receipt stays due.
        let _ = self.answer();
    }
}

impl<D: DeviceBrand> fmt::Debug for Offer<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Offer({} elements of {}, {:?})", self.told.length, self.element(), self.told.access)
    }
}
