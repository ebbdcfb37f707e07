//! Everything that a simulator keeps, under its one lock.

use std::collections::{BTreeMap, HashMap};

use antecede::driver::{
    ContextId, ContextRef, DevicePtr, DriverResult, ErrorKind, EventId, EventRef, KernelDecl, ModuleRef, StreamId,
    StreamRef,
};

use crate::call::{Call, Calls};
use crate::error::{error, invalid_handle, invalid_value};
use crate::faults::Plan;
use crate::memory::{Memory, Space};
use crate::order::Order;
use crate::queue::{Point, Queues, Record};
use crate::rng::Rng;
use crate::sim::{Builder, Poison};
use crate::thread::ThreadNumber;
use crate::trusted::Span;

/// The context of one device.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) id: ContextId,
    pub(crate) opened: u64,
    /// Why its work fails from now on.
    pub(crate) failed: Option<Box<str>>,
    /// Bytes of device memory that are allocated, rounded up.
    pub(crate) used: u64,
}

/// A stream that is not destroyed.
#[derive(Debug)]
pub(crate) struct StreamEntry {
    pub(crate) context: ContextRef,
    pub(crate) handle: u64,
}

/// An event that is not destroyed.
#[derive(Debug)]
pub(crate) struct EventEntry {
    pub(crate) context: ContextRef,
    pub(crate) handle: u64,
    pub(crate) latest: Option<Record>,
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
    fn from(next: u64) -> Self {
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
    pub(crate) streams: BTreeMap<StreamId, StreamEntry>,
    pub(crate) events: BTreeMap<EventId, EventEntry>,
    /// By handle; handles of modules and functions are not used again.
    pub(crate) modules: BTreeMap<u64, ModuleEntry>,
    pub(crate) stream_handles: Handles,
    pub(crate) event_handles: Handles,
    pub(crate) module_handles: Handles,
    pub(crate) next_function: u64,
    pub(crate) queues: Queues,
    pub(crate) memory: Memory,
    pub(crate) memory_limit: u64,
    pub(crate) peer_access: bool,
    pub(crate) order: Order,
    pub(crate) seed: u64,
    pub(crate) poison: Poison,
    pub(crate) rng: Rng,
    pub(crate) calls: Calls,
    pub(crate) calls_by_thread: HashMap<ThreadNumber, Calls>,
    pub(crate) faults: Plan,
    /// Whether some thread runs an operation. It does so without the lock.
    pub(crate) running: bool,
}

impl State {
    pub(crate) fn new(builder: &Builder, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let poison = Poison::draw(&mut rng);
        let context = |_| Context { id: ContextId::fresh(), opened: 0, failed: None, used: 0 };
        State {
            contexts: (0..builder.devices).map(context).collect(),
            streams: BTreeMap::new(),
            events: BTreeMap::new(),
            modules: BTreeMap::new(),
            stream_handles: Handles::from(0x5000),
            event_handles: Handles::from(0xe000),
            module_handles: Handles::from(0x1000),
            next_function: 0xf000,
            queues: Queues::default(),
            memory: Memory::new(poison),
            memory_limit: builder.memory,
            peer_access: builder.peer_access,
            order: builder.order,
            seed,
            poison,
            rng,
            calls: Calls::default(),
            calls_by_thread: HashMap::new(),
            faults: Plan::default(),
            running: false,
        }
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

    /// Checks that the stream is one of this driver's, in the context it names, and not destroyed.
    pub(crate) fn stream(&mut self, call: Call, stream: &StreamRef) -> DriverResult {
        self.context(call, &stream.context)?;
        let entry = self.streams.get(&stream.id);
        match entry.filter(|entry| entry.handle == stream.handle && entry.context == stream.context) {
            Some(_) => Ok(()),
            None => Err(invalid_handle(call, format!("no stream with handle {:#x} and this id", stream.handle))),
        }
    }

    /// The same for an event.
    pub(crate) fn event(&mut self, call: Call, event: &EventRef) -> DriverResult<&mut EventEntry> {
        self.context(call, &event.context)?;
        let entry = self.events.get_mut(&event.id);
        entry
            .filter(|entry| entry.handle == event.handle && entry.context == event.context)
            .ok_or_else(|| invalid_handle(call, format!("no event with handle {:#x} and this id", event.handle)))
    }

    /// The end of the stream, as of now.
    pub(crate) fn end_of(&mut self, call: Call, stream: &StreamRef) -> DriverResult<Point> {
        self.stream(call, stream)?;
        Ok(self.queues.end(stream.id))
    }

    /// The same for a module.
    pub(crate) fn module(&mut self, call: Call, module: &ModuleRef) -> DriverResult {
        self.context(call, &module.context)?;
        match self.modules.get(&module.handle) {
            Some(entry) if entry.context == module.context => Ok(()),
            _ => Err(invalid_handle(call, format!("no module with handle {:#x}", module.handle))),
        }
    }

    /// The pinned allocation at `ptr`.
    pub(crate) fn pinned(&mut self, call: Call, context: &ContextRef, ptr: DevicePtr) -> DriverResult<Span> {
        self.context(call, context)?;
        match self.memory.allocation(ptr) {
            Some((span, Space::Pinned)) => Ok(span),
            _ => Err(invalid_value(call, format!("no pinned memory is allocated at {ptr:?}"))),
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
