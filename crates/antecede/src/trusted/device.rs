//! One opened device: what its streams, buffers and events share.

use super::cache::Cache;
use super::driver::{ContextRef, Driver, EventId, EventRef};
use super::event::EventPool;
use super::group::Group;
use super::host_fn::{self, Panics};
#[cfg(unix)]
use super::ipc::{Imports, InterprocessEvents};
use super::managed::ConcurrentAccess;
use super::module::ModuleCore;
use super::place::Place;
use super::pool::Pools;
use super::staging::StagingPool;
use super::stream_core::StreamCore;
use crate::{Error, Result};
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Locks also after a panic elsewhere: every critical section of this crate leaves its data whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An opened device. Lives for ever (`Primary`), or until its scope has ended and every stream of it is drained.
pub(super) struct DeviceCore {
    pub(super) driver: Arc<dyn Driver>,
    pub(super) context: ContextRef,
    pub(super) group: Arc<Group>,
    leaked: AtomicUsize,
    /// The streams of brands.
    pub(super) streams: Mutex<HashMap<TypeId, Place<StreamCore>>>,
    /// The other streams: those without a brand of their own, and the built-in ones.
    pub(super) more_streams: Mutex<Vec<Place<StreamCore>>>,
    pub(super) modules: Mutex<HashMap<usize, Place<ModuleCore>>>,
    pub(super) events: EventPool,
    pub(super) staging: StagingPool,
    pub(super) cache: Cache,
    pub(super) pools: Pools,
    #[cfg(unix)]
    pub(super) interprocess_events: InterprocessEvents,
    #[cfg(unix)]
    pub(super) imports: Imports,
    pub(super) concurrent_access: ConcurrentAccess,
    pub(super) panics: Panics,
}

impl DeviceCore {
    /// Opens the context of `ordinal`.
    pub(super) fn open(driver: Arc<dyn Driver>, ordinal: u32, group: Arc<Group>) -> Result<Place<DeviceCore>> {
        host_fn::outside()?;
        let count = driver.device_count()?;
        if ordinal >= count {
            return Err(Error::NoSuchDevice { ordinal, count });
        }
        // SAFETY: no handle is passed.
        let context = unsafe { driver.context_open(ordinal) }?;
        Ok(Place::new(DeviceCore {
            driver,
            context,
            group,
            leaked: AtomicUsize::new(0),
            streams: Mutex::default(),
            more_streams: Mutex::default(),
            modules: Mutex::default(),
            events: EventPool::default(),
            staging: StagingPool::default(),
            cache: Cache::default(),
            pools: Pools::default(),
            #[cfg(unix)]
            interprocess_events: InterprocessEvents::default(),
            #[cfg(unix)]
            imports: Imports::default(),
            concurrent_access: ConcurrentAccess::default(),
            panics: Panics::default(),
        }))
    }

    pub(super) fn is(&self, other: &DeviceCore) -> bool {
        std::ptr::eq(self, other)
    }

    /// `Err` if this device does not reach the memory of another one, or is not known to. Only devices that share a brand
    /// (`Device::scope_all`) can meet here.
    pub(super) fn reaches(&self, other: &DeviceCore) -> Result<()> {
        let mesh = || Arc::ptr_eq(&self.group, &other.group) && self.group.is_meshed();
        if self.is(other) || mesh() { Ok(()) } else { Err(self.reached_from(other)) }
    }

    /// The error of using another device's buffer or module here.
    pub(super) fn reached_from(&self, other: &DeviceCore) -> Error {
        Error::DeviceMismatch { expected: self.context.ordinal, found: other.context.ordinal }
    }

    /// `Err` once the device is poisoned, and in a host function. Asked before every driver call. A plain load on the path
    /// of every launch; more only in a process that has used host functions, or poisoned a device.
    pub(super) fn usable(&self) -> Result<()> {
        if host_fn::is_watchful() { self.looked_at() } else { Ok(()) }
    }

    #[cold]
    fn looked_at(&self) -> Result<()> {
        host_fn::outside()?;
        if self.is_poisoned() { Err(Error::Poisoned { ordinal: self.context.ordinal }) } else { Ok(()) }
    }

    /// Nothing more is submitted to this device, nor to those that share its memory, and nothing of it is freed.
    pub(super) fn poison(&self) {
        self.group.poison();
        host_fn::be_watchful();
    }

    pub(super) fn is_poisoned(&self) -> bool {
        self.group.is_poisoned()
    }

    /// Counts an allocation that could not be freed.
    pub(super) fn leak(&self) {
        self.leaked.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn leaked(&self) -> usize {
        self.leaked.load(Ordering::Relaxed)
    }

    /// Waits for every stream of the context (`cuCtxSynchronize`).
    pub(super) fn sync(&self) -> Result<()> {
        // SAFETY: (1) the context is open as long as its core lives.
        Ok(unsafe { self.driver.context_sync(&self.context) }?)
    }

    pub(super) fn new_event(&self) -> Result<EventRef> {
        self.usable()?;
        let id = EventId::fresh();
        // SAFETY: (1) the context is open.
        let handle = unsafe { self.driver.event_create(&self.context, id) }?;
        Ok(EventRef { id, context: self.context, handle })
    }
}
