//! What the library asks of a device: the [`Driver`] trait and the plain values that cross it.
//!
//! Nothing here knows a brand or a state. The typed layer above decides *which* calls are made; a driver only makes
//! them. The calls are the ones a careful engineer would write by hand, one trait method to one call of the CUDA
//! driver API.

use std::ffi::c_void;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Declares a process-wide identifier: issued once, never reused.
macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u64);

        impl $name {
            /// A new identifier, different from every other one of this process, those of ended things included.
            pub fn fresh() -> Self {
                static NEXT: AtomicU64 = AtomicU64::new(1);
                Self(NEXT.fetch_add(1, Ordering::Relaxed))
            }

            /// The number behind it, for logs.
            pub const fn number(self) -> u64 {
                self.0
            }
        }
    };
}

identifier! {
    /// Tells one driver value from another. Two handles of one driver have one id.
    DriverId
}
identifier! {
    /// Tells one device context from another.
    ContextId
}
identifier! {
    /// Tells one stream from another. A raw handle cannot: `CU_STREAM_LEGACY` is 1 in every context, and the value of
    /// a destroyed handle comes back.
    StreamId
}
identifier! {
    /// Tells one event from another.
    EventId
}

/// A context of one device: where streams, events, memory and modules live.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ContextRef {
    /// One id for one context, however often it is opened.
    pub id: ContextId,
    /// The device's ordinal in the driver.
    pub ordinal: u32,
    /// The driver's own handle.
    pub handle: u64,
}

/// A stream of a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StreamRef {
    /// Issued by the library at the stream's creation.
    pub id: StreamId,
    /// The context that it was created in.
    pub context: ContextRef,
    /// The driver's own handle.
    pub handle: u64,
    /// Whether the legacy default stream orders it.
    pub kind: StreamKind,
}

/// An event of a context. Made without timing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EventRef {
    /// Issued by the library at the event's creation.
    pub id: EventId,
    /// The context that it was created in.
    pub context: ContextRef,
    /// The driver's own handle.
    pub handle: u64,
}

/// A loaded module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ModuleRef {
    /// The context that it was loaded in.
    pub context: ContextRef,
    /// The driver's own handle.
    pub handle: u64,
}

/// An address in the one address space that host and devices share (CUDA's unified virtual addressing).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct DevicePtr(pub u64);

impl DevicePtr {
    /// No memory.
    pub const NULL: DevicePtr = DevicePtr(0);

    /// The address `bytes` further on.
    pub const fn offset(self, bytes: usize) -> DevicePtr {
        DevicePtr(self.0 + bytes as u64)
    }
}

impl fmt::Debug for DevicePtr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// How a stream stands to the legacy default stream.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StreamKind {
    /// `CU_STREAM_NON_BLOCKING`: the legacy default stream gives it no order.
    NonBlocking,
    /// `CU_STREAM_DEFAULT`: ordered with operations on the legacy default stream.
    Blocking,
}

/// A byte range that an operation reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// First byte.
    pub ptr: DevicePtr,
    /// Length in bytes.
    pub bytes: usize,
    /// Whether the operation writes there (it may read as well).
    pub write: bool,
}

/// The value that a fill repeats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// `cuMemsetD8Async`.
    D8(u8),
    /// `cuMemsetD16Async`; the destination is aligned to 2 bytes.
    D16(u16),
    /// `cuMemsetD32Async`; the destination is aligned to 4 bytes.
    D32(u32),
}

impl Pattern {
    /// Bytes of one repetition: 1, 2 or 4.
    pub const fn width(self) -> usize {
        match self {
            Pattern::D8(_) => 1,
            Pattern::D16(_) => 2,
            Pattern::D32(_) => 4,
        }
    }
}

/// The declaration of a module: what `kernels!` promises about its PTX.
#[derive(Debug)]
pub struct ModuleDecl {
    /// The name given in `kernels!`.
    pub name: &'static str,
    /// PTX text; `None` for kernels that have a host twin only.
    pub ptx: Option<&'static str>,
    /// The kernels, in the order of their declaration; a kernel's index is its place here.
    pub kernels: &'static [KernelDecl],
}

/// The declaration of one kernel.
#[derive(Debug)]
pub struct KernelDecl {
    /// The method's name.
    pub name: &'static str,
    /// The name of the `.entry` in the PTX.
    pub entry: &'static str,
    /// Its parameters, in order.
    pub params: &'static [ParamDecl],
    /// The same function for the host.
    pub twin: Twin,
}

/// One parameter of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamDecl {
    /// The parameter's name.
    pub name: &'static str,
    /// What is passed.
    pub kind: ParamKind,
}

/// What a kernel's parameter passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// A plain value of that many bytes.
    Scalar {
        /// `size_of` the value.
        bytes: usize,
    },
    /// `&[T]`: one 8-byte device pointer, read.
    Read {
        /// `size_of::<T>()`.
        element: usize,
    },
    /// `&mut [T]`: one 8-byte device pointer, written.
    Write {
        /// `size_of::<T>()`.
        element: usize,
    },
}

impl ParamKind {
    /// Bytes of the kernel parameter: the scalar's size, or 8 for a pointer.
    pub const fn bytes(self) -> usize {
        match self {
            ParamKind::Scalar { bytes } => bytes,
            ParamKind::Read { .. } | ParamKind::Write { .. } => 8,
        }
    }
}

/// The host version of a kernel. It is called with the arguments of one launch.
pub type Twin = unsafe fn(&TwinArgs<'_>);

/// The arguments that a host twin is called with.
#[derive(Debug)]
pub struct TwinArgs<'a> {
    params: &'a [*const c_void],
    accesses: &'a [Access],
}

impl<'a> TwinArgs<'a> {
    /// # Safety
    /// 1. `params[i]` points to the value of parameter `i` of the kernel's declaration (for a slice, its address).
    /// 2. `accesses` holds one entry for each slice parameter, in order; each range is host memory that is live,
    ///    initialised, aligned for its element, and, where written, not otherwise accessed until the twin returns.
    pub unsafe fn new(params: &'a [*const c_void], accesses: &'a [Access]) -> Self {
        TwinArgs { params, accesses }
    }

    /// The scalar parameter at place `index` among *all* parameters.
    ///
    /// # Safety
    /// 1. That parameter is declared as a scalar of type `T`.
    pub unsafe fn scalar<T: bytemuck::Pod>(&self, index: usize) -> T {
        // SAFETY: `params[index]` points to a `T` (1, and `new` 1); it may be unaligned.
        unsafe { self.params[index].cast::<T>().read_unaligned() }
    }

    /// The read slice at place `index` among the *slice* parameters.
    ///
    /// # Safety
    /// 1. That parameter is declared `&[T]`.
    pub unsafe fn slice<T: bytemuck::Pod>(&self, index: usize) -> &'a [T] {
        let access = self.accesses[index];
        match elements::<T>(access.bytes) {
            0 => &[],
            // SAFETY: live, initialised, aligned host memory of that length (`new` 2), of any bit pattern (`Pod`).
            len => unsafe { std::slice::from_raw_parts(access.ptr.0 as *const T, len) },
        }
    }

    /// The written slice at place `index` among the *slice* parameters.
    ///
    /// # Safety
    /// 1. That parameter is declared `&mut [T]`.
    /// 2. It is asked for once in a run of the twin.
    #[allow(clippy::mut_from_ref, reason = "the exclusive memory is named by `accesses`, not owned by `self`")]
    pub unsafe fn slice_mut<T: bytemuck::Pod>(&self, index: usize) -> &'a mut [T] {
        let access = self.accesses[index];
        match elements::<T>(access.bytes) {
            0 => &mut [],
            // SAFETY: as in `slice`, and not otherwise accessed (`new` 2, and 2).
            len => unsafe { std::slice::from_raw_parts_mut(access.ptr.0 as *mut T, len) },
        }
    }
}

fn elements<T>(bytes: usize) -> usize {
    bytes.checked_div(size_of::<T>()).unwrap_or(0)
}

/// One kernel launch.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The driver's handle of the function, from [`LoadedModule::functions`].
    pub function: u64,
    /// The kernel's declaration.
    pub decl: &'static KernelDecl,
    /// Blocks in x, y and z; none is zero.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z; none is zero.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// One pointer for each parameter, to its value (for a slice, to its 8-byte address).
    pub params: &'a [*const c_void],
    /// One entry for each slice parameter, in order. Empty slices have `bytes == 0`.
    pub accesses: &'a [Access],
}

/// What loading a module gives.
#[derive(Debug)]
pub struct LoadedModule {
    /// The driver's handle of the module.
    pub handle: u64,
    /// The driver's handles of its functions, in the order of [`ModuleDecl::kernels`].
    pub functions: Vec<u64>,
}

/// The class of a driver's error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Not enough memory on the device or the host.
    OutOfMemory,
    /// An argument that the driver does not accept.
    InvalidValue,
    /// No such device, or the driver is not there.
    NoDevice,
    /// A handle whose context is gone or wrong.
    InvalidContext,
    /// A handle that names nothing.
    InvalidHandle,
    /// The module's PTX does not load here.
    InvalidModule,
    /// The module's PTX does not match its declaration.
    KernelMismatch,
    /// The device or the driver does not have this.
    NotSupported,
    /// A kernel or copy failed on the device; the context is lost.
    LaunchFailed,
    /// A failure asked for by a test.
    Injected,
    /// Any other code.
    Other,
}

/// An error that a driver call returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DriverError {
    /// The call, as the driver names it.
    pub call: &'static str,
    /// Its class.
    pub kind: ErrorKind,
    /// The driver's own code.
    pub code: i32,
    /// The driver's own words.
    pub message: Box<str>,
}

impl DriverError {
    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` failed: {} (code {})", self.call, self.message, self.code)
    }
}

impl std::error::Error for DriverError {}

/// What a driver call returns.
pub type DriverResult<T = ()> = Result<T, DriverError>;

/// A device driver: CUDA, a simulator, or a wrapper around another driver.
///
/// Each method names the CUDA driver call that it stands for. An operation *is submitted to* a stream; it *takes
/// effect* later.
///
/// # Safety
///
/// The soundness of the safe API rests on these promises of an implementation:
///
/// 1. **Stream order.** What is submitted to one stream takes effect one after the other, in the order of submission,
///    from whichever threads it was submitted.
/// 2. **Events.** What is submitted to a stream after an `event_wait` takes effect after everything that was submitted
///    to the recording stream before the event's latest `event_record` at the time of the wait. Recording the event
///    again later, or destroying it, does not change a wait already submitted.
/// 3. **Host waits.** `stream_sync`, `event_sync`, `context_sync` return `Ok`, and `stream_query`, `event_query` return
///    `Ok(true)`, only when what they speak of has taken effect and the host sees it. `context_sync` speaks of every
///    stream of the context.
/// 4. **Memory.** `alloc_async` and `pinned_alloc` return memory of at least the asked size, aligned to 256 bytes, that
///    overlaps no memory in use: none that is not yet freed, and none whose free is not ordered before this allocation.
///    Every byte pattern is a value there (the contents are unspecified, not undefined).
/// 5. **Nothing else is touched.** A copy, a fill or a launch reads and writes only the ranges it is given, and not
///    after it has taken effect. A launch runs the function of the module that it names, with the values that `params`
///    points to *at the time of the call*.
/// 6. **No unwinding.** No method panics.
/// 7. **Any thread, right context.** Every method works from any thread, in the context of the handle it is given,
///    whatever is current on that thread, and leaves that thread's current context as it found it.
/// 8. **Errors.** An `Err` from a method that submits may report an earlier failure: the operation may or may not have
///    been submitted, and if it was, promises 1 to 5 hold of it. An `Err` from a sync or a query says nothing of what
///    has taken effect. An `Err` from a method that creates has created nothing.
/// 9. **Identity.** `id` is the same for two handles of one driver and differs for any other. `context_open` returns the
///    same `ContextId` exactly when the context is the same.
/// 10. **Modules.** `module_load` refuses a module whose PTX lacks a declared entry, or has one with another number or
///     other sizes of parameters.
/// 11. **Return at once.** Methods that submit, and `event_destroy` and `stream_destroy`, do not wait for the device
///     while holding a lock that another method needs.
///
/// The methods are `unsafe` to *call*: safe code that holds a driver value must not get at memory through it. A caller
/// promises:
///
/// 1. Handles come from this driver, were created in the context they name, and are not destroyed yet.
/// 2. Ranges lie in live memory of that driver, and the allocation is ordered before the operation.
/// 3. No other access of a range that is written, and no write of a range that is read, is unordered with the operation.
/// 4. `free_async` and `pinned_free` are given an address that was allocated by the sibling method, once, ordered after
///    every use (for `pinned_free`: every use has completed).
/// 5. A stream is destroyed when nothing is submitted to it any more; a context is closed, and a module unloaded, when
///    everything in it has taken effect.
/// 6. For a launch, the arguments satisfy the kernel's contract.
pub unsafe trait Driver: Send + Sync + fmt::Debug + 'static {
    /// The driver's identity (promise 9).
    fn id(&self) -> DriverId;

    /// A short name for messages: `cuda`, `sim`.
    fn name(&self) -> &'static str;

    /// Number of devices (`cuDeviceGetCount`).
    fn device_count(&self) -> DriverResult<u32>;

    /// The host is about to read or write this range of pinned memory. No driver call; a tracing driver notes it.
    fn note_host_access(&self, access: Access) {
        let _ = access;
    }

    /// Opens the device's context (`cuDevicePrimaryCtxRetain`). Opened n times, it is closed n times.
    ///
    /// # Safety
    /// The caller's promises of the trait; the same for all methods below.
    unsafe fn context_open(&self, ordinal: u32) -> DriverResult<ContextRef>;

    /// Gives a context back (`cuDevicePrimaryCtxRelease`).
    ///
    /// # Safety
    /// Promises 1 and 5.
    unsafe fn context_close(&self, context: &ContextRef) -> DriverResult;

    /// Waits for everything submitted to any stream of the context (`cuCtxSynchronize`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn context_sync(&self, context: &ContextRef) -> DriverResult;

    /// Creates a stream (`cuStreamCreateWithPriority`) and returns its handle. Its id is `id`; `name` is for logs.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn stream_create(
        &self,
        context: &ContextRef,
        id: StreamId,
        kind: StreamKind,
        priority: i32,
        name: &'static str,
    ) -> DriverResult<u64>;

    /// Destroys a stream (`cuStreamDestroy`); what is submitted to it still takes effect.
    ///
    /// # Safety
    /// Promises 1 and 5.
    unsafe fn stream_destroy(&self, stream: &StreamRef) -> DriverResult;

    /// Waits for everything submitted to the stream (`cuStreamSynchronize`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn stream_sync(&self, stream: &StreamRef) -> DriverResult;

    /// Whether everything submitted to the stream has taken effect (`cuStreamQuery`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn stream_query(&self, stream: &StreamRef) -> DriverResult<bool>;

    /// Creates an event without timing (`cuEventCreate` with `CU_EVENT_DISABLE_TIMING`) and returns its handle.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn event_create(&self, context: &ContextRef, id: EventId) -> DriverResult<u64>;

    /// Destroys an event (`cuEventDestroy`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn event_destroy(&self, event: &EventRef) -> DriverResult;

    /// Records the event on the stream (`cuEventRecord`).
    ///
    /// # Safety
    /// Promise 1; event and stream are of one context.
    unsafe fn event_record(&self, event: &EventRef, stream: &StreamRef) -> DriverResult;

    /// Makes the stream wait for the event's latest record (`cuStreamWaitEvent`). The host does not block.
    ///
    /// # Safety
    /// Promise 1; the event has been recorded.
    unsafe fn event_wait(&self, stream: &StreamRef, event: &EventRef) -> DriverResult;

    /// Makes the host wait for the event's latest record (`cuEventSynchronize`).
    ///
    /// # Safety
    /// Promise 1; the event has been recorded.
    unsafe fn event_sync(&self, event: &EventRef) -> DriverResult;

    /// Whether the event's latest record has taken effect (`cuEventQuery`).
    ///
    /// # Safety
    /// Promise 1; the event has been recorded.
    unsafe fn event_query(&self, event: &EventRef) -> DriverResult<bool>;

    /// Allocates device memory in stream order (`cuMemAllocAsync`). `bytes` is not zero.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn alloc_async(&self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr>;

    /// Frees device memory in stream order (`cuMemFreeAsync`).
    ///
    /// # Safety
    /// Promises 1 and 4.
    unsafe fn free_async(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult;

    /// Allocates pinned host memory that the context's device can read and write (`cuMemHostAlloc`). Not ordered by any
    /// stream: usable when the call returns. `bytes` is not zero.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn pinned_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr>;

    /// Frees pinned host memory (`cuMemFreeHost`). May wait for the device.
    ///
    /// # Safety
    /// Promises 1 and 4.
    unsafe fn pinned_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult;

    /// Repeats `pattern` `count` times from `dst` on (`cuMemsetD8Async` and its wider forms).
    ///
    /// # Safety
    /// Promises 1 to 3; `dst` is aligned to the pattern's width.
    unsafe fn fill_async(&self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult;

    /// Copies between any two kinds of memory that this driver allocated (`cuMemcpyAsync`). The ranges do not overlap.
    ///
    /// # Safety
    /// Promises 1 to 3.
    unsafe fn copy_async(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult;

    /// Loads a module (`cuModuleLoadDataEx`, `cuModuleGetFunction`) after checking it against its declaration.
    ///
    /// # Safety
    /// Promise 1; the declaration's own promises hold.
    unsafe fn module_load(&self, context: &ContextRef, decl: &'static ModuleDecl) -> DriverResult<LoadedModule>;

    /// Unloads a module (`cuModuleUnload`).
    ///
    /// # Safety
    /// Promises 1 and 5.
    unsafe fn module_unload(&self, module: &ModuleRef) -> DriverResult;

    /// Launches a kernel (`cuLaunchKernel`).
    ///
    /// # Safety
    /// Promises 1 to 3 for every range in `accesses`, and 6.
    unsafe fn launch(&self, stream: &StreamRef, launch: &Launch<'_>) -> DriverResult;
}
