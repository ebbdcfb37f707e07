//! antecede on a real GPU: [`Cuda`] is the [`Driver`](antecede::driver::Driver) that makes CUDA's own calls, through
//! [`cust`] 0.3.2.
//!
//! ```no_run
//! use std::sync::Arc;
//! use antecede::driver::Driver;
//! use antecede_cust::Cuda;
//!
//! let driver: Arc<dyn Driver> = Cuda::new()?.into();
//! println!("{} devices", driver.device_count()?);
//! # Ok::<(), antecede::driver::DriverError>(())
//! ```
//!
//! # What makes which call
//!
//! | Method | Calls | Notes |
//! |---|---|---|
//! | [`Cuda::new`] | `cuInit`, `cuDeviceGetCount` | once a process |
//! | `device_count` | `cuDeviceGetCount` | |
//! | `context_open` | `cuDeviceGet`, `cuDeviceGetAttribute` (2), `cuDevicePrimaryCtxRetain` | one more retain at an ordinal's first opening: see below |
//! | `context_close` | `cuDeviceGet`, `cuDevicePrimaryCtxRelease` | |
//! | `context_sync` | `cuCtxSynchronize` | |
//! | `stream_create` | `cuCtxGetStreamPriorityRange`, `cuStreamCreateWithPriority`, `cuStreamGetFlags` | the priority is clamped to the device's range; no call for the built-in streams |
//! | `stream_destroy` | `cuStreamDestroy` | no call for the built-in streams |
//! | `stream_adopt` | `cuStreamGetCtx`, `cuStreamIsCapturing`, `cuStreamGetFlags` | |
//! | `stream_is_capturing` | `cuStreamIsCapturing` | |
//! | `priority_range` | `cuCtxGetStreamPriorityRange` | |
//! | `stream_sync`, `stream_query` | `cuStreamSynchronize`, `cuStreamQuery` | |
//! | `event_create` | `cuEventCreate` | `CU_EVENT_DISABLE_TIMING` |
//! | `event_destroy` | `cuEventDestroy` | |
//! | `event_record`, `event_wait` | `cuEventRecord`, `cuStreamWaitEvent` | |
//! | `event_sync`, `event_query` | `cuEventSynchronize`, `cuEventQuery` | |
//! | `alloc_async`, `free_async` | `cuMemAllocAsync`, `cuMemFreeAsync` | the device's current pool |
//! | `pinned_alloc` | `cuMemHostAlloc` | `CU_MEMHOSTALLOC_PORTABLE` |
//! | `pinned_free` | `cuMemFreeHost` | waits for the device |
//! | `managed_alloc` | `cuMemAllocManaged` | `CU_MEM_ATTACH_GLOBAL` |
//! | `managed_free` | `cuMemFree` | waits for the device |
//! | `pool_create` | `cuMemPoolCreate`, `cuMemPoolSetAccess` | the attribute of its space is asked for first; access for the device itself if the memory is pinned, and for each peer |
//! | `pool_destroy`, `pool_trim` | `cuMemPoolDestroy`, `cuMemPoolTrimTo` | |
//! | `pool_attribute`, `pool_set` | `cuMemPoolGetAttribute`, `cuMemPoolSetAttribute` | |
//! | `pool_alloc_async` | `cuMemAllocFromPoolAsync` | |
//! | `fill_async` | `cuMemsetD8Async`, `cuMemsetD16Async`, `cuMemsetD32Async` | |
//! | `copy_async` | `cuMemcpyAsync` | the addresses say which kinds of memory; from pinned to pinned memory, CUDA may return only when the copy is done |
//! | `host_fn` | `cuLaunchHostFunc` | |
//! | `attribute` | `cuDeviceGet`, `cuDeviceGetAttribute` | for `ManagedPools`, of every device, after `cuDriverGetVersion` |
//! | `peer_possible` | `cuDeviceGet` (2), `cuDeviceCanAccessPeer` | no call, and true, of one device twice |
//! | `peer_enable` | `cuCtxEnablePeerAccess`, `cuDeviceGetDefaultMemPool`, `cuDeviceGetMemPool`, `cuMemPoolSetAccess` | the last one for each of the peer's pools; no call the second time, or of one device twice |
//! | `peer_copy_async` | `cuMemcpyPeerAsync` | |
//! | `device_uuid` | `cuDeviceGet`, `cuDeviceGetUuid` | the second revision: of a slice of a device (MIG), its own |
//! | `exportable_pool_create` | `cuDeviceGet`, `cuDeviceGetAttribute`, `cuMemPoolCreate`, `cuMemPoolSetAccess` | `CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR`; access for each peer |
//! | `pool_export` | `cuMemPoolExportToShareableHandle` | the descriptor is duplicated, to be closed on `exec` |
//! | `pool_import` | `cuMemPoolImportFromShareableHandle`, `cuMemPoolSetAccess` | access for each peer |
//! | `pool_of`, `allocation_bytes` | `cuPointerGetAttribute`, `cuMemGetAddressRange` | |
//! | `pointer_export`, `pointer_import` | `cuMemPoolExportPointer`, `cuMemPoolImportPointer` | |
//! | `interprocess_event_create` | `cuEventCreate` | `CU_EVENT_INTERPROCESS`, `CU_EVENT_DISABLE_TIMING` |
//! | `event_export`, `event_import` | `cuIpcGetEventHandle`, `cuIpcOpenEventHandle` | |
//! | `module_load` | `cuModuleLoadDataEx`; for each kernel `cuModuleGetFunction`, `cuFuncGetAttribute` | the attribute makes a lazily loading driver load the kernel now: a first launch would wait for the device |
//! | `module_unload` | `cuModuleUnload` | waits for the device |
//! | `launch` | `cuLaunchKernel` | |
//! | [`Timer::new`] | `context_open`'s calls, `cuStreamCreate`, `cuEventCreate`, `cuEventRecord`, `cuEventSynchronize`, `cuStreamDestroy` | in no other use of this crate |
//! | [`Timer::mark`], [`Timer::micros`] | `cuEventCreate` and `cuEventRecord`; `cuEventElapsedTime` | `CU_EVENT_DEFAULT`: with timing |
//! | any error | `cuGetErrorName`, `cuGetErrorString` | for its text |
//!
//! **Contexts.** Each method that is given a handle starts with `cuCtxGetCurrent`. Only where another context (or none)
//! is current on the thread, it adds `cuCtxPushCurrent` before and `cuCtxPopCurrent` after, on errors too: no method
//! changes what is current. An ordinal has *one* context and one `ContextId`, that of its primary context, which `Cuda`
//! keeps from the first opening to the end of the process. Closing gives back what opening took, and never destroys the
//! context: opening again is quick and finds the same one.
//!
//! **Built-in streams.** The legacy default stream goes by the handle 1 (`CU_STREAM_LEGACY`), the per-thread ones by 2
//! (`CU_STREAM_PER_THREAD`), never by NULL. Each stands for the stream of the context that a method makes current, so one
//! handle serves every device, and is no identity. `stream_adopt` refuses both, and NULL.
//!
//! **Not enforced.** `cuDevicePrimaryCtxReset` (`cudaDeviceReset`) by other code in the process destroys what handles of
//! this driver name. Other code may also change the device's memory pool, push a broken context, or capture a stream.
//!
//! **Memory pools.** `alloc_async` takes from the device's current pool and leaves its attributes alone. With the default
//! release threshold of zero, that pool returns unused memory to the system at each synchronisation. A program that
//! allocates in a loop can raise `CU_MEMPOOL_ATTR_RELEASE_THRESHOLD` itself. Pools of pinned memory want a driver of CUDA
//! 13.0 and `CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED`; pools of managed memory want that driver and concurrent
//! managed access of every device. Elsewhere `pool_create` returns `NotSupported`.
//!
//! **Between processes.** Exportable pools are those of `exportable_pool_create`, on Linux; other pools cannot be exported
//! later. Such a pool gives nothing back to the system while it exists: a trim or a release threshold has no effect on it.
//! An imported pool is addressed by its own device and by the peers that this process has enabled, whomever the exporting
//! process has let in. An imported allocation is let go of by `free_async`, like any other.
//!
//! **Peers.** A device that was let into a peer's memory is let into the pools that this driver creates for the peer
//! later. It is not let into a pool that other code makes the peer's current one (`cuDeviceSetMemPool`) later.
//!
//! **Errors.** The [`kind`](antecede::driver::DriverError::kind) follows from the code; the message is the driver's name
//! and text for it. An error of class `LaunchFailed` is final: the context is lost, and every later call returns it.
//!
//! # Linking
//!
//! A program that uses this crate links `libcuda.so`. Where no CUDA is installed, a stub stands in for it:
//! `scripts/with-stub.sh cargo build -p antecede-cust`. The program finds the real library on a machine with a GPU; with
//! the stub, [`Cuda::new`] returns an error of kind `NoDevice`.

mod declared;
pub mod interop;
mod kind;
mod ptx;
mod trusted;

pub use trusted::{Cuda, Timer};
