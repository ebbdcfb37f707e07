//! Everything that a simulator keeps, under its one lock.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use antecede::driver::{
    ContextId, ContextRef, DevicePtr, DriverResult, ErrorKind, EventId, EventRef, KernelDecl, ModuleRef, StreamId,
};

use crate::call::{Call, Calls};
use crate::error::{error, invalid_handle, invalid_value};
use crate::faults::Plan;
use crate::memory::{Memory, Place};
use crate::order::Order;
use crate::pools::Pools;
use crate::processes::{Courier, Exports, Sharing};
use crate::queue::{CaptureId, Point, Queues, Record};
use crate::rng::Rng;
use crate::sim::{Builder, Features, Poison};
use crate::streams::Streams;
use crate::thread::ThreadNumber;
use crate::trusted::Span;

/// The context of one device.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) id: ContextId,
    /// Of its legacy default stream, and of that stream's queue.
    pub(crate) legacy: StreamId,
    pub(crate) opened: u64,
    /// Why its work fails from now on.
    pub(crate) failed: Option<Box<str>>,
    /// Bytes of device memory that are allocated, rounded up.
    pub(crate) used: u64,
}

/// An event that is not destroyed.
#[derive(Debug)]
pub(crate) struct EventEntry {
    pub(crate) context: ContextRef,
    pub(crate) handle: u64,
    /// Of another process's event nothing is known here.
    pub(crate) latest: Option<Latest>,
    pub(crate) sharing: Sharing,
}

/// The latest record of an event.
#[derive(Clone, Debug)]
pub(crate) enum Latest {
    Submitted(Record),
    Captured(CaptureId),
}

/// A loaded module; its functions are numbered from `functions` on.
#[derive(Debug)]
pub(crate) struct ModuleEntry {
    pub(crate) context: ContextRef,
    pub(crate) functions: u64,
    pub(crate) kernels: &'static [KernelDecl],
}

/// Handles as small numbers. A number that is given back is the next one to come out: code that tells things apart by
/// handle is wrong, and shows it here.
#[derive(Debug)]
pub(crate) struct Handles {
    next: u64,
    back: Vec<u64>,
}

impl Handles {
    pub(crate) fn from(next: u64) -> Self {
        Handles { next, back: Vec::new() }
    }

    pub(crate) fn issue(&mut self) -> u64 {
        self.back.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next
        })
    }

    pub(crate) fn give_back(&mut self, handle: u64) {
        self.back.push(handle);
    }
}

/// The state of a simulator.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) contexts: Vec<Context>,
    pub(crate) streams: Streams,
    pub(crate) events: BTreeMap<EventId, EventEntry>,
    /// By handle; handles of modules and functions are not used again.
    pub(crate) modules: BTreeMap<u64, ModuleEntry>,
    pub(crate) event_handles: Handles,
    pub(crate) module_handles: Handles,
    pub(crate) next_function: u64,
    pub(crate) queues: Queues,
    pub(crate) memory: Memory,
    pub(crate) pools: Pools,
    /// `(from, to)`: launches and fills on `from` reach the memory of `to`.
    pub(crate) peers: BTreeSet<(u32, u32)>,
    pub(crate) memory_limit: u64,
    pub(crate) features: Features,
    pub(crate) order: Order,
    pub(crate) seed: u64,
    pub(crate) poison: Poison,
    pub(crate) rng: Rng,
    pub(crate) calls: Calls,
    pub(crate) calls_by_thread: HashMap<ThreadNumber, Calls>,
    pub(crate) faults: Plan,
    /// Whether some thread runs an operation. It does so without the lock.
    pub(crate) running: bool,
    /// The room of an exportable pool.
    pub(crate) exportable_bytes: u64,
    /// The interprocess events that were made here, once there was one.
    pub(crate) exports: Option<Exports>,
    /// The thread that talks with other simulators, once there is something to say.
    pub(crate) courier: Option<Courier>,
    /// What other simulators wait for.
    pub(crate) demanded: Vec<Point>,
    /// Whether the last handle is gone.
    pub(crate) closing: bool,
}

impl State {
    pub(crate) fn new(builder: &Builder, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let poison = Poison::draw(&mut rng);
        let context = |_| {
            let (id, legacy) = (ContextId::fresh(), StreamId::fresh());
            Context { id, legacy, opened: 0, failed: None, used: 0 }
        };
        let mut state = State {
            contexts: (0..builder.devices).map(context).collect(),
            streams: Streams::default(),
            events: BTreeMap::new(),
            modules: BTreeMap::new(),
            event_handles: Handles::from(0xe000),
            module_handles: Handles::from(0x1000),
            next_function: 0xf000,
            queues: Queues::default(),
            memory: Memory::new(poison),
            pools: Pools::default(),
            peers: BTreeSet::new(),
            memory_limit: builder.memory,
            features: builder.features,
            order: builder.order,
            seed,
            poison,
            rng,
            calls: Calls::default(),
            calls_by_thread: HashMap::new(),
            faults: Plan::default(),
            running: false,
            exportable_bytes: builder.exportable.min(builder.memory),
            exports: None,
            courier: None,
            demanded: Vec::new(),
            closing: false,
        };
        (0..builder.devices).for_each(|ordinal| {
            state.add_legacy_stream(ordinal);
            state.add_default_pool(ordinal);
        });
        state
    }

    /// What names a device's context; `None` without such a device.
    pub(crate) fn context_ref(&self, ordinal: u32) -> Option<ContextRef> {
        let Context { id, legacy, .. } = *self.contexts.get(ordinal as usize)?;
        Some(ContextRef { id, ordinal, handle: Self::context_handle(ordinal), legacy })
    }

    /// The handle of a device's context.
    pub(crate) fn context_handle(ordinal: u32) -> u64 {
        0xc000 + u64::from(ordinal)
    }

    /// The context that is meant, which must be open and, for most calls, not have failed.
    pub(crate) fn context(&mut self, call: Call, context: &ContextRef) -> DriverResult<&mut Context> {
        let known = context.handle == Self::context_handle(context.ordinal);
        let entry = self.contexts.get_mut(context.ordinal as usize).filter(|entry| known && entry.id == context.id);
        let Some(entry) = entry.filter(|entry| entry.opened > 0) else {
            return Err(error(call, ErrorKind::InvalidContext, "no open context of this driver"));
        };
        match &entry.failed {
            Some(cause) if !call.survives_failure() => Err(error(call, ErrorKind::LaunchFailed, cause.clone())),
            _ => Ok(entry),
        }
    }

    /// Checks that the event is one of this driver's, in the context it names, and not destroyed.
    pub(crate) fn event(&mut self, call: Call, event: &EventRef) -> DriverResult<&mut EventEntry> {
        self.context(call, &event.context)?;
        let entry = self.events.get_mut(&event.id);
        entry
            .filter(|entry| entry.handle == event.handle && entry.context == event.context)
            .ok_or_else(|| invalid_handle(call, format!("no event with handle {:#x} and this id", event.handle)))
    }

    /// The same for a module.
    pub(crate) fn module(&mut self, call: Call, module: &ModuleRef) -> DriverResult {
        self.context(call, &module.context)?;
        match self.modules.get(&module.handle) {
            Some(entry) if entry.context == module.context => Ok(()),
            _ => Err(invalid_handle(call, format!("no module with handle {:#x}", module.handle))),
        }
    }

    /// The allocation at `ptr`, which must be from no pool, and at that place.
    pub(crate) fn unpooled(
        &mut self,
        call: Call,
        context: &ContextRef,
        place: Place,
        ptr: DevicePtr,
    ) -> DriverResult<Span> {
        self.context(call, context)?;
        match self.memory.allocation(ptr) {
            Some(region) if region.place == place && region.pool.is_none() => Ok(region.span),
            _ => Err(invalid_value(call, format!("no {place:?} memory that this call frees is allocated at {ptr:?}"))),
        }
    }

    /// The kernel with this function handle, in a module of that context.
    pub(crate) fn function(&self, context: &ContextRef, function: u64) -> Option<&'static KernelDecl> {
        self.modules.values().filter(|module| module.context.id == context.id).find_map(|module| {
            let place = usize::try_from(function.checked_sub(module.functions)?).ok()?;
            module.kernels.get(place)
        })
    }
}
