//! A driver that asks the test before each call.

use std::fmt;
#[cfg(unix)]
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;

use antecede::driver::{
    Access, ContextRef, DeviceAttribute, DevicePtr, DeviceUuid, Driver, DriverError, DriverId, DriverResult, ErrorKind,
    EventData, EventId, EventRef, HostFn, Launch, LoadedModule, ModuleDecl, ModuleRef, Pattern, PointerData,
    PoolAttribute, PoolRef, Space, StreamId, StreamKind, StreamRef,
};
use antecede_trace::{Call, NullDriver};

type Hook = dyn Fn(Call) -> DriverResult + Send + Sync;

/// Does nothing, as [`NullDriver`] does, once the hook has returned `Ok`; or fails as the hook says.
pub(crate) struct Hooked {
    inner: NullDriver,
    hook: Box<Hook>,
}

impl Hooked {
    pub(crate) fn driver(hook: impl Fn(Call) -> DriverResult + Send + Sync + 'static) -> Arc<dyn Driver> {
        Arc::new(Hooked { inner: NullDriver::with_devices(2), hook: Box::new(hook) })
    }
}

pub(crate) fn injected(call: Call) -> DriverError {
    DriverError { call: call.cuda_name(), kind: ErrorKind::Injected, code: 999, message: "injected".into() }
}

impl fmt::Debug for Hooked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooked").finish_non_exhaustive()
    }
}

macro_rules! forward {
    ($($(#[$when:meta])? $method:ident($($arg:ident: $type:ty),*) -> $answer:ty = $call:ident;)*) => {$(
        $(#[$when])?
        unsafe fn $method(&self, $($arg: $type),*) -> DriverResult<$answer> {
            (self.hook)(Call::$call)?;
            // SAFETY: the caller's promises are the inner driver's.
            unsafe { self.inner.$method($($arg),*) }
        }
    )*};
}

// SAFETY: all promises are those of `NullDriver`; a call that the hook refuses is not made, and no hook panics.
unsafe impl Driver for Hooked {
    fn id(&self) -> DriverId {
        self.inner.id()
    }

    fn name(&self) -> &'static str {
        "hooked"
    }

    fn device_count(&self) -> DriverResult<u32> {
        (self.hook)(Call::DeviceCount)?;
        self.inner.device_count()
    }

    fn note_host_access(&self, access: Access) {
        // A host access cannot be refused.
        let _ = (self.hook)(if access.write { Call::HostWrite } else { Call::HostRead });
    }

    forward! {
        context_open(ordinal: u32) -> ContextRef = ContextOpen;
        context_close(context: &ContextRef) -> () = ContextClose;
        context_sync(context: &ContextRef) -> () = ContextSync;
        stream_create(context: &ContextRef, id: StreamId, kind: StreamKind, priority: i32, name: &'static str)
            -> u64 = StreamCreate;
        stream_destroy(stream: &StreamRef) -> () = StreamDestroy;
        stream_sync(stream: &StreamRef) -> () = StreamSync;
        stream_query(stream: &StreamRef) -> bool = StreamQuery;
        event_create(context: &ContextRef, id: EventId) -> u64 = EventCreate;
        event_destroy(event: &EventRef) -> () = EventDestroy;
        event_record(event: &EventRef, stream: &StreamRef) -> () = EventRecord;
        event_wait(stream: &StreamRef, event: &EventRef) -> () = EventWait;
        event_sync(event: &EventRef) -> () = EventSync;
        event_query(event: &EventRef) -> bool = EventQuery;
        alloc_async(stream: &StreamRef, bytes: usize) -> DevicePtr = Alloc;
        free_async(stream: &StreamRef, ptr: DevicePtr) -> () = Free;
        pinned_alloc(context: &ContextRef, bytes: usize) -> DevicePtr = PinnedAlloc;
        pinned_free(context: &ContextRef, ptr: DevicePtr) -> () = PinnedFree;
        fill_async(stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> () = Fill;
        copy_async(stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> () = Copy;
        module_load(context: &ContextRef, decl: &'static ModuleDecl) -> LoadedModule = ModuleLoad;
        module_unload(module: &ModuleRef) -> () = ModuleUnload;
        launch(stream: &StreamRef, launch: &Launch<'_>) -> () = Launch;
        stream_adopt(context: &ContextRef, handle: u64, id: StreamId) -> StreamKind = StreamAdopt;
        stream_is_capturing(stream: &StreamRef) -> bool = StreamIsCapturing;
        priority_range(context: &ContextRef) -> (i32, i32) = PriorityRange;
        host_fn(stream: &StreamRef, function: HostFn, accesses: &[Access]) -> () = HostFn;
        attribute(context: &ContextRef, attribute: DeviceAttribute) -> i32 = Attribute;
        managed_alloc(context: &ContextRef, bytes: usize) -> DevicePtr = ManagedAlloc;
        managed_free(context: &ContextRef, ptr: DevicePtr) -> () = ManagedFree;
        pool_create(context: &ContextRef, space: Space) -> u64 = PoolCreate;
        pool_destroy(pool: &PoolRef) -> () = PoolDestroy;
        pool_trim(pool: &PoolRef, keep: usize) -> () = PoolTrim;
        pool_attribute(pool: &PoolRef, attribute: PoolAttribute) -> u64 = PoolAttribute;
        pool_set(pool: &PoolRef, attribute: PoolAttribute, value: u64) -> () = PoolSet;
        pool_alloc_async(stream: &StreamRef, pool: &PoolRef, bytes: usize) -> DevicePtr = PoolAlloc;
        peer_possible(context: &ContextRef, peer: &ContextRef) -> bool = PeerPossible;
        peer_enable(context: &ContextRef, peer: &ContextRef) -> () = PeerEnable;
        peer_copy_async(stream: &StreamRef, to: (&ContextRef, DevicePtr), from: (&ContextRef, DevicePtr), bytes: usize)
            -> () = PeerCopy;
        device_uuid(context: &ContextRef) -> DeviceUuid = DeviceUuid;
        exportable_pool_create(context: &ContextRef) -> u64 = ExportablePoolCreate;
        #[cfg(unix)]
        pool_export(pool: &PoolRef) -> OwnedFd = PoolExport;
        #[cfg(unix)]
        pool_import(context: &ContextRef, descriptor: BorrowedFd<'_>) -> u64 = PoolImport;
        pool_of(context: &ContextRef, ptr: DevicePtr) -> u64 = PoolOf;
        allocation_bytes(context: &ContextRef, ptr: DevicePtr) -> usize = AllocationBytes;
        pointer_export(context: &ContextRef, ptr: DevicePtr) -> PointerData = PointerExport;
        pointer_import(pool: &PoolRef, data: &PointerData) -> DevicePtr = PointerImport;
        interprocess_event_create(context: &ContextRef, id: EventId) -> u64 = InterprocessEventCreate;
        event_export(event: &EventRef) -> EventData = EventExport;
        event_import(context: &ContextRef, id: EventId, data: &EventData) -> u64 = EventImport;
    }
}
