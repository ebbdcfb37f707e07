//! What this process has of others, and how far its use has ended.

use super::import::{ImportedPoolCore, Manifest};
use super::retired::Retired;
use crate::brand::Invariant;
use crate::driver::{ContextId, ContextRef, DevicePtr, EventRef, PointerData};
use crate::trusted::buffer::Buffer;
use crate::trusted::cache::Freed;
use crate::trusted::device::{DeviceCore, lock};
use crate::trusted::event::PooledEvent;
use crate::{Error, Failed, Imported, Memory, PeerAccess, Primary, Result, Synced};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Watches over one import: over the [`Buffer`], its parts, and whatever they become, until the memory is let go.
pub struct Import<D = Primary> {
    core: Arc<ImportCore>,
    _device: Invariant<D>,
}

/// Tells one import from another. Never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ImportId(u64);

/// How far this process's use of a memory has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ImportState {
    /// A buffer has it, or one that was forgotten.
    Held,
    /// Its free has been queued.
    Ending,
    /// Its free has taken effect: the exporter may be told.
    Ended,
    /// Its free failed: whether it will take effect is not known, ever.
    Lost,
}

/// What makes two imports the same memory, in one process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    context: ContextId,
    pool: u128,
    pointer: PointerData,
}

/// One import.
pub(super) struct ImportCore {
    id: ImportId,
    key: Key,
    pool: Arc<ImportedPoolCore>,
    /// The exporter's event, opened here. Destroyed with the import.
    pub(super) event: Option<EventRef>,
    state: Mutex<State>,
}

enum State {
    /// No buffer has it yet.
    New,
    Held,
    Ending(PooledEvent),
    Ended,
    Lost,
}

/// The memory that this process has from others, over all devices and connections: the driver gives the same address
/// for a second import, and the first free ends both.
static IMPORTED: LazyLock<Mutex<HashSet<Key>>> = LazyLock::new(Mutex::default);

/// The imports of one device that buffers hold, by address; and what is to be destroyed.
#[derive(Default)]
pub(in crate::trusted) struct Imports {
    held: Mutex<BTreeMap<DevicePtr, Arc<ImportCore>>>,
    pub(super) retired: Retired,
}

impl Key {
    pub(super) fn new(context: &ContextRef, manifest: &Manifest) -> Key {
        Key { context: context.id, pool: manifest.pool, pointer: manifest.pointer }
    }
}

impl ImportCore {
    /// Claims the memory for this process.
    pub(super) fn new(key: Key, pool: Arc<ImportedPoolCore>) -> Result<ImportCore> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        if !lock(&IMPORTED).insert(key) {
            return Err(Error::AlreadyImported);
        }
        let id = ImportId(NEXT.fetch_add(1, Ordering::Relaxed));
        Ok(ImportCore { id, key, pool, event: None, state: Mutex::new(State::New) })
    }

    fn device(&self) -> &'static DeviceCore {
        self.pool.device()
    }

    /// Whether the memory is still mapped is not known: it stays claimed.
    pub(super) fn lose(&self) {
        self.set(State::Lost);
    }

    fn set(&self, state: State) {
        // Dropped outside of the lock: an event goes back to its pool.
        drop(std::mem::replace(&mut *lock(&self.state), state));
    }

    /// The free has taken effect.
    fn end(&self, state: &mut State) {
        *state = State::Ended;
        lock(&IMPORTED).remove(&self.key);
    }
}

impl Drop for ImportCore {
    fn drop(&mut self) {
        if let Some(event) = self.event {
            self.device().imports.retired.event(self.device(), event);
        }
        match std::mem::replace(self.state.get_mut().unwrap_or_else(PoisonError::into_inner), State::Lost) {
            State::New => drop(lock(&IMPORTED).remove(&self.key)),
            State::Ended => {}
            // Nobody will look whether it has ended, so it stays claimed; but its pool is destroyed only after that.
            State::Ending(event) => self.device().imports.retired.after(event, self.pool.clone()),
            // It may be mapped for ever, and so is its pool.
            State::Held | State::Lost => std::mem::forget(self.pool.clone()),
        }
    }
}

impl Imports {
    /// A buffer has the memory from now on.
    pub(super) fn hold(&self, device: &DeviceCore, ptr: DevicePtr, import: ImportCore) -> Result<Arc<ImportCore>> {
        import.set(State::Held);
        let import = Arc::new(import);
        let mut held = lock(&self.held);
        if held.contains_key(&ptr) {
            // The same memory under another name: the driver gave the address again. The one free ends both, so there
            // is nothing to undo; but the other must end first, and this claim is never given back.
            device.leak();
            return Err(Error::AlreadyImported);
        }
        held.insert(ptr, import.clone());
        Ok(import)
    }

    fn take(&self, ptr: DevicePtr) -> Option<Arc<ImportCore>> {
        lock(&self.held).remove(&ptr)
    }

    fn id(&self, ptr: DevicePtr) -> Option<ImportId> {
        lock(&self.held).get(&ptr).map(|import| import.id)
    }

    /// Lets go of everything, at the end of a scope: before its events are.
    pub(in crate::trusted) fn close(&self, device: &DeviceCore) {
        let held = std::mem::take(&mut *lock(&self.held));
        drop(held);
        self.retired.close(device);
    }
}

impl Freed {
    /// Ends an import in stream order: `cuMemFreeAsync`, and an event record after it, so that its end can be seen.
    pub(crate) fn end_import(self) {
        let device = self.home.device;
        let Some(import) = device.imports.take(self.ptr) else { return device.leak() };
        let ended = self.home.as_home(|home| {
            home.usable()?;
            home.not_captured()?;
            // SAFETY: (1, 7) the stream lives as long as the device, and this is its thread. (4) imported, and held by the
            // buffer (I2), which was ready on this stream, or synced (I1): every use is ordered before this.
            unsafe { home.driver().free_async(&home.stream, self.ptr) }?;
            PooledEvent::recorded(home)
        });
        import.set(match ended {
            Ok(event) => State::Ending(event),
            Err(_) => {
                device.leak();
                State::Lost
            }
        });
    }
}

impl<T, D, A: PeerAccess> Buffer<T, Synced<D>, Imported<A>>
where
    Imported<A>: Memory,
{
    /// Which import it is of; a part is of the whole's.
    pub fn import_id(&self) -> Option<ImportId> {
        let home = self.home()?;
        let start = if self.is_part() {
            home.device.group.parents.start_of(self.address_or_null())
        } else {
            self.address_or_null()
        };
        home.device.imports.id(start)
    }

    /// Ends the import, and sees its end: `cuMemFreeAsync` and `cuStreamSynchronize`, on a stream of the device's own, on
    /// which nothing else is. The host waits for that free alone.
    ///
    /// # Errors
    /// With the buffer: [`Error::Part`] unless all parts have been joined; [`Error::Driver`], [`Error::Poisoned`] before the
    /// free. Without: the free, or the wait for it, failed; [`Import::state`] tells what is known.
    pub fn end_import(self) -> Result<(), Failed<Option<Self>>> {
        let Some(home) = self.home() else { return Ok(()) };
        let (device, ptr) = (home.device, self.address_or_null());
        let own = match device.usable().and_then(|()| device.stream_of_its_own()) {
            Ok(own) => own,
            Err(error) => return Err(Failed::new(error, Some(self))),
        };
        if self.is_part() && !device.group.parents.rejoin(ptr, self.len() * size_of::<T>()) {
            return Err(Failed::new(Error::Part, Some(self)));
        }
        std::mem::forget(self);
        // Nothing is in flight on the memory, so any stream of the device may free it.
        let Some(import) = device.imports.take(ptr) else {
            device.leak();
            return Ok(());
        };
        // SAFETY: (1) the stream lives as long as the device. (4) as in `Freed::end_import`; the host has seen the end of
        // every use.
        let freed = unsafe { own.driver().free_async(&own.stream, ptr) }.map_err(Error::from);
        if let Err(error) = freed.and_then(|()| own.drain()) {
            device.leak();
            import.lose();
            return Err(Failed::new(error, None));
        }
        import.end(&mut lock(&import.state));
        Ok(())
    }
}

impl<D> Import<D> {
    pub(super) fn new(core: Arc<ImportCore>) -> Self {
        Import { core, _device: PhantomData }
    }

    /// Tells it from others.
    pub fn id(&self) -> ImportId {
        self.core.id
    }

    /// How far it has ended (`cuEventQuery`, if its free has been queued). The host does not block.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn state(&self) -> Result<ImportState> {
        self.look(PooledEvent::has_passed)
    }

    /// Makes the host wait for the queued free, if there is one (`cuEventSynchronize`): for everything before it on its
    /// stream.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn wait(&self) -> Result<ImportState> {
        self.look(|event| event.wait().map(|()| true))
    }

    fn look(&self, has_passed: impl FnOnce(&PooledEvent) -> Result<bool>) -> Result<ImportState> {
        let mut state = lock(&self.core.state);
        if let State::Ending(event) = &*state
            && has_passed(event)?
        {
            self.core.end(&mut state);
        }
        Ok(match &*state {
            State::New | State::Held => ImportState::Held,
            State::Ending(_) => ImportState::Ending,
            State::Ended => ImportState::Ended,
            State::Lost => ImportState::Lost,
        })
    }
}

impl<D> fmt::Debug for Import<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Import({})", self.core.id.0)
    }
}
