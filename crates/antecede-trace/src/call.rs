//! The kinds of entry that a log holds.

use std::fmt;

/// What a driver was asked for: one kind for one method of [`Driver`](antecede::driver::Driver), and the two kinds of
/// host access, which are no driver calls.
///
/// Prints as the CUDA driver API names it: `cuEventRecord`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Call {
    /// `cuDeviceGetCount`.
    DeviceCount,
    /// `cuDevicePrimaryCtxRetain`.
    ContextOpen,
    /// `cuDevicePrimaryCtxRelease`.
    ContextClose,
    /// `cuCtxSynchronize`.
    ContextSync,
    /// `cuStreamCreateWithPriority`.
    StreamCreate,
    /// `cuStreamDestroy`.
    StreamDestroy,
    /// `cuStreamSynchronize`.
    StreamSync,
    /// `cuStreamQuery`.
    StreamQuery,
    /// `cuEventCreate`.
    EventCreate,
    /// `cuEventDestroy`.
    EventDestroy,
    /// `cuEventRecord`.
    EventRecord,
    /// `cuStreamWaitEvent`.
    EventWait,
    /// `cuEventSynchronize`.
    EventSync,
    /// `cuEventQuery`.
    EventQuery,
    /// `cuMemAllocAsync`.
    Alloc,
    /// `cuMemFreeAsync`.
    Free,
    /// `cuMemHostAlloc`.
    PinnedAlloc,
    /// `cuMemFreeHost`.
    PinnedFree,
    /// `cuMemsetD8Async` and its wider forms, printed as `cuMemsetD*Async`.
    Fill,
    /// `cuMemcpyAsync`.
    Copy,
    /// `cuModuleLoadDataEx`.
    ModuleLoad,
    /// `cuModuleUnload`.
    ModuleUnload,
    /// `cuLaunchKernel`.
    Launch,
    /// `cuStreamGetFlags`, with `cuStreamGetCtx` and `cuStreamIsCapturing`: a stream is adopted.
    StreamAdopt,
    /// `cuStreamIsCapturing`.
    StreamIsCapturing,
    /// `cuCtxGetStreamPriorityRange`.
    PriorityRange,
    /// `cuDeviceGetAttribute`.
    Attribute,
    /// `cuLaunchHostFunc`.
    HostFn,
    /// `cuMemAllocManaged`.
    ManagedAlloc,
    /// `cuMemFree`.
    ManagedFree,
    /// `cuMemPoolCreate`.
    PoolCreate,
    /// `cuMemPoolDestroy`.
    PoolDestroy,
    /// `cuMemPoolTrimTo`.
    PoolTrim,
    /// `cuMemPoolGetAttribute`.
    PoolAttribute,
    /// `cuMemPoolSetAttribute`.
    PoolSet,
    /// `cuMemAllocFromPoolAsync`.
    PoolAlloc,
    /// `cuDeviceCanAccessPeer`.
    PeerPossible,
    /// `cuCtxEnablePeerAccess`, with `cuMemPoolSetAccess`.
    PeerEnable,
    /// `cuMemcpyPeerAsync`.
    PeerCopy,
    /// `cuDeviceGetUuid`.
    DeviceUuid,
    /// `cuMemPoolCreate` of a pool whose allocations other processes import.
    ExportablePoolCreate,
    /// `cuMemPoolExportToShareableHandle`.
    PoolExport,
    /// `cuMemPoolImportFromShareableHandle`.
    PoolImport,
    /// `cuPointerGetAttribute`: the pool of an allocation.
    PoolOf,
    /// `cuMemGetAddressRange`.
    AllocationBytes,
    /// `cuMemPoolExportPointer`.
    PointerExport,
    /// `cuMemPoolImportPointer`.
    PointerImport,
    /// `cuEventCreate` of an event that other processes wait for.
    InterprocessEventCreate,
    /// `cuIpcGetEventHandle`.
    EventExport,
    /// `cuIpcOpenEventHandle`.
    EventImport,
    /// The host reads pinned or managed memory: no driver call.
    HostRead,
    /// The host writes pinned or managed memory: no driver call.
    HostWrite,
}

impl Call {
    /// Every kind, in the order of their declaration.
    pub const ALL: [Call; 52] = [
        Call::DeviceCount,
        Call::ContextOpen,
        Call::ContextClose,
        Call::ContextSync,
        Call::StreamCreate,
        Call::StreamDestroy,
        Call::StreamSync,
        Call::StreamQuery,
        Call::EventCreate,
        Call::EventDestroy,
        Call::EventRecord,
        Call::EventWait,
        Call::EventSync,
        Call::EventQuery,
        Call::Alloc,
        Call::Free,
        Call::PinnedAlloc,
        Call::PinnedFree,
        Call::Fill,
        Call::Copy,
        Call::ModuleLoad,
        Call::ModuleUnload,
        Call::Launch,
        Call::StreamAdopt,
        Call::StreamIsCapturing,
        Call::PriorityRange,
        Call::Attribute,
        Call::HostFn,
        Call::ManagedAlloc,
        Call::ManagedFree,
        Call::PoolCreate,
        Call::PoolDestroy,
        Call::PoolTrim,
        Call::PoolAttribute,
        Call::PoolSet,
        Call::PoolAlloc,
        Call::PeerPossible,
        Call::PeerEnable,
        Call::PeerCopy,
        Call::DeviceUuid,
        Call::ExportablePoolCreate,
        Call::PoolExport,
        Call::PoolImport,
        Call::PoolOf,
        Call::AllocationBytes,
        Call::PointerExport,
        Call::PointerImport,
        Call::InterprocessEventCreate,
        Call::EventExport,
        Call::EventImport,
        Call::HostRead,
        Call::HostWrite,
    ];

    /// Whether this is a call of the driver. A host access is none.
    pub const fn is_driver_call(self) -> bool {
        !matches!(self, Call::HostRead | Call::HostWrite)
    }

    /// Whether the call may take long, or wait for the device. Such a call has two entries in a log, one where it
    /// begins and one where it ends, and other threads' calls may lie between them.
    pub const fn has_two_entries(self) -> bool {
        matches!(
            self,
            Call::ContextOpen
                | Call::ContextClose
                | Call::ContextSync
                | Call::StreamSync
                | Call::EventSync
                | Call::PinnedFree
                | Call::ManagedFree
                | Call::ModuleLoad
                | Call::ModuleUnload
                | Call::PoolDestroy
                | Call::PoolTrim
                | Call::PeerEnable
                | Call::PoolImport
                | Call::PointerImport
        )
    }

    /// Whether the call allocates memory, or maps that of another process.
    pub const fn allocates(self) -> bool {
        matches!(self, Call::Alloc | Call::PoolAlloc | Call::PinnedAlloc | Call::ManagedAlloc | Call::PointerImport)
    }

    /// Whether the call frees memory.
    pub const fn frees(self) -> bool {
        matches!(self, Call::Free | Call::PinnedFree | Call::ManagedFree)
    }

    /// Whether the call submits to a stream something that takes effect in its order.
    pub const fn is_submission(self) -> bool {
        matches!(
            self,
            Call::EventRecord
                | Call::EventWait
                | Call::Alloc
                | Call::PoolAlloc
                | Call::Free
                | Call::Fill
                | Call::Copy
                | Call::PeerCopy
                | Call::Launch
                | Call::HostFn
        )
    }

    /// The plain word for reports: `fill`, `free`.
    pub const fn word(self) -> &'static str {
        match self {
            Call::Alloc | Call::PinnedAlloc | Call::ManagedAlloc | Call::PoolAlloc => "alloc",
            Call::PointerImport => "import",
            Call::Free | Call::PinnedFree | Call::ManagedFree => "free",
            Call::Fill => "fill",
            Call::Copy | Call::PeerCopy => "copy",
            Call::Launch => "launch",
            Call::HostFn => "host function",
            Call::HostRead => "read",
            Call::HostWrite => "write",
            other => other.cuda_name(),
        }
    }

    /// The name in the CUDA driver API, or `host read` and `host write`.
    pub const fn cuda_name(self) -> &'static str {
        match self {
            Call::DeviceCount => "cuDeviceGetCount",
            Call::ContextOpen => "cuDevicePrimaryCtxRetain",
            Call::ContextClose => "cuDevicePrimaryCtxRelease",
            Call::ContextSync => "cuCtxSynchronize",
            Call::StreamCreate => "cuStreamCreateWithPriority",
            Call::StreamDestroy => "cuStreamDestroy",
            Call::StreamSync => "cuStreamSynchronize",
            Call::StreamQuery => "cuStreamQuery",
            Call::EventCreate => "cuEventCreate",
            Call::EventDestroy => "cuEventDestroy",
            Call::EventRecord => "cuEventRecord",
            Call::EventWait => "cuStreamWaitEvent",
            Call::EventSync => "cuEventSynchronize",
            Call::EventQuery => "cuEventQuery",
            Call::Alloc => "cuMemAllocAsync",
            Call::Free => "cuMemFreeAsync",
            Call::PinnedAlloc => "cuMemHostAlloc",
            Call::PinnedFree => "cuMemFreeHost",
            Call::Fill => "cuMemsetD*Async",
            Call::Copy => "cuMemcpyAsync",
            Call::ModuleLoad => "cuModuleLoadDataEx",
            Call::ModuleUnload => "cuModuleUnload",
            Call::Launch => "cuLaunchKernel",
            Call::StreamAdopt => "cuStreamGetFlags",
            Call::StreamIsCapturing => "cuStreamIsCapturing",
            Call::PriorityRange => "cuCtxGetStreamPriorityRange",
            Call::Attribute => "cuDeviceGetAttribute",
            Call::HostFn => "cuLaunchHostFunc",
            Call::ManagedAlloc => "cuMemAllocManaged",
            Call::ManagedFree => "cuMemFree",
            Call::PoolCreate => "cuMemPoolCreate",
            Call::PoolDestroy => "cuMemPoolDestroy",
            Call::PoolTrim => "cuMemPoolTrimTo",
            Call::PoolAttribute => "cuMemPoolGetAttribute",
            Call::PoolSet => "cuMemPoolSetAttribute",
            Call::PoolAlloc => "cuMemAllocFromPoolAsync",
            Call::PeerPossible => "cuDeviceCanAccessPeer",
            Call::PeerEnable => "cuCtxEnablePeerAccess",
            Call::PeerCopy => "cuMemcpyPeerAsync",
            Call::DeviceUuid => "cuDeviceGetUuid",
            Call::ExportablePoolCreate => "cuMemPoolCreate (exportable)",
            Call::PoolExport => "cuMemPoolExportToShareableHandle",
            Call::PoolImport => "cuMemPoolImportFromShareableHandle",
            Call::PoolOf => "cuPointerGetAttribute",
            Call::AllocationBytes => "cuMemGetAddressRange",
            Call::PointerExport => "cuMemPoolExportPointer",
            Call::PointerImport => "cuMemPoolImportPointer",
            Call::InterprocessEventCreate => "cuEventCreate (interprocess)",
            Call::EventExport => "cuIpcGetEventHandle",
            Call::EventImport => "cuIpcOpenEventHandle",
            Call::HostRead => "host read",
            Call::HostWrite => "host write",
        }
    }

    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.cuda_name())
    }
}

#[cfg(test)]
mod tests {
    use super::Call;

    #[test]
    fn the_list_of_all_kinds_is_in_order_and_whole() {
        for (place, call) in Call::ALL.into_iter().enumerate() {
            assert_eq!(call.index(), place);
        }
        assert_eq!(Call::ALL.last(), Some(&Call::HostWrite), "the last kind declared");
    }
}
