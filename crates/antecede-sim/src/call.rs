//! The driver calls, by name, and their counts.

use std::fmt;

/// Declares [`Call`] from one table, so that a variant, its CUDA name and its place in the counts cannot disagree.
macro_rules! calls {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A method of the driver that stands for a driver call. Its `Display` is the name that CUDA gives the call.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Call { $($(#[$doc])* $variant,)* }

        impl Call {
            /// Every call.
            pub const ALL: &'static [Call] = &[$(Call::$variant),*];

            /// The name of the call in the CUDA driver API.
            pub const fn name(self) -> &'static str {
                match self { $(Call::$variant => $name,)* }
            }
        }
    };
}

calls! {
    /// `device_count`.
    DeviceCount = "cuDeviceGetCount",
    /// `context_open`.
    ContextOpen = "cuDevicePrimaryCtxRetain",
    /// `context_close`.
    ContextClose = "cuDevicePrimaryCtxRelease",
    /// `context_sync`.
    ContextSync = "cuCtxSynchronize",
    /// `stream_create`.
    StreamCreate = "cuStreamCreateWithPriority",
    /// `stream_destroy`.
    StreamDestroy = "cuStreamDestroy",
    /// `stream_sync`.
    StreamSync = "cuStreamSynchronize",
    /// `stream_query`.
    StreamQuery = "cuStreamQuery",
    /// `event_create`.
    EventCreate = "cuEventCreate",
    /// `event_destroy`.
    EventDestroy = "cuEventDestroy",
    /// `event_record`.
    EventRecord = "cuEventRecord",
    /// `event_wait`.
    EventWait = "cuStreamWaitEvent",
    /// `event_sync`.
    EventSync = "cuEventSynchronize",
    /// `event_query`.
    EventQuery = "cuEventQuery",
    /// `alloc_async`.
    Alloc = "cuMemAllocAsync",
    /// `free_async`.
    Free = "cuMemFreeAsync",
    /// `pinned_alloc`.
    PinnedAlloc = "cuMemHostAlloc",
    /// `pinned_free`.
    PinnedFree = "cuMemFreeHost",
    /// `fill_async`, of any width.
    Fill = "cuMemsetD8Async",
    /// `copy_async`.
    Copy = "cuMemcpyAsync",
    /// `module_load`.
    ModuleLoad = "cuModuleLoadDataEx",
    /// `module_unload`.
    ModuleUnload = "cuModuleUnload",
    /// `launch`.
    Launch = "cuLaunchKernel",
    /// `stream_adopt`; named by the first of its calls.
    StreamAdopt = "cuStreamGetFlags",
    /// `stream_is_capturing`.
    StreamIsCapturing = "cuStreamIsCapturing",
    /// `priority_range`.
    PriorityRange = "cuCtxGetStreamPriorityRange",
    /// `host_fn`.
    HostFn = "cuLaunchHostFunc",
    /// `attribute`.
    Attribute = "cuDeviceGetAttribute",
    /// `managed_alloc`.
    ManagedAlloc = "cuMemAllocManaged",
    /// `managed_free`.
    ManagedFree = "cuMemFree",
    /// `pool_create`.
    PoolCreate = "cuMemPoolCreate",
    /// `pool_destroy`.
    PoolDestroy = "cuMemPoolDestroy",
    /// `pool_trim`.
    PoolTrim = "cuMemPoolTrimTo",
    /// `pool_attribute`.
    PoolAttribute = "cuMemPoolGetAttribute",
    /// `pool_set`.
    PoolSet = "cuMemPoolSetAttribute",
    /// `pool_alloc_async`.
    PoolAlloc = "cuMemAllocFromPoolAsync",
    /// `peer_possible`.
    PeerPossible = "cuDeviceCanAccessPeer",
    /// `peer_enable`; named by the call for what is in no pool.
    PeerEnable = "cuCtxEnablePeerAccess",
    /// `peer_copy_async`.
    PeerCopy = "cuMemcpyPeerAsync",
    /// `device_uuid`.
    DeviceUuid = "cuDeviceGetUuid",
    /// `exportable_pool_create`.
    ExportablePoolCreate = "cuMemPoolCreate",
    /// `pool_export`.
    PoolExport = "cuMemPoolExportToShareableHandle",
    /// `pool_import`.
    PoolImport = "cuMemPoolImportFromShareableHandle",
    /// `pool_of`.
    PoolOf = "cuPointerGetAttribute",
    /// `allocation_bytes`.
    AllocationBytes = "cuMemGetAddressRange",
    /// `pointer_export`.
    PointerExport = "cuMemPoolExportPointer",
    /// `pointer_import`.
    PointerImport = "cuMemPoolImportPointer",
    /// `interprocess_event_create`.
    InterprocessEventCreate = "cuEventCreate",
    /// `event_export`.
    EventExport = "cuIpcGetEventHandle",
    /// `event_import`.
    EventImport = "cuIpcOpenEventHandle",
}

impl Call {
    /// Whether the call makes something that the caller then owns: a handle, or memory. An error of such a call has made
    /// nothing.
    pub const fn creates(self) -> bool {
        matches!(
            self,
            Call::ContextOpen
                | Call::StreamCreate
                | Call::EventCreate
                | Call::Alloc
                | Call::PinnedAlloc
                | Call::ModuleLoad
                | Call::ManagedAlloc
                | Call::PoolCreate
                | Call::PoolAlloc
                | Call::ExportablePoolCreate
                | Call::PoolExport
                | Call::PoolImport
                | Call::PointerImport
                | Call::InterprocessEventCreate
                | Call::EventImport
        )
    }

    /// Whether the call works in a context that has failed: only what lets go of handles does.
    pub(crate) const fn survives_failure(self) -> bool {
        matches!(self, Call::StreamDestroy | Call::EventDestroy | Call::PoolDestroy | Call::ContextClose)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How often each driver call was made, refused and failed calls included.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Calls([u64; Call::ALL.len()]);

impl Calls {
    /// All calls.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The calls of one kind.
    pub fn of(&self, call: Call) -> u64 {
        self.0[call as usize]
    }

    /// The calls that were made since `earlier` was taken (none of a kind where `earlier` has more).
    pub fn since(&self, earlier: &Calls) -> Calls {
        Calls(std::array::from_fn(|place| self.0[place].saturating_sub(earlier.0[place])))
    }

    /// The kinds that were called, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Call, u64)> + '_ {
        Call::ALL.iter().map(|&call| (call, self.of(call))).filter(|&(_, count)| count > 0)
    }

    pub(crate) fn count(&mut self, call: Call) {
        self.0[call as usize] += 1;
    }
}

impl Default for Calls {
    fn default() -> Self {
        Calls([0; Call::ALL.len()])
    }
}

/// A map from CUDA's names to the counts, without those that are zero.
impl fmt::Debug for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(call, count)| (call.name(), count))).finish()
    }
}
