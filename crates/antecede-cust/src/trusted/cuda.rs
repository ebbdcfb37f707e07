//! The driver value, and the contexts that it has opened.

use std::collections::BTreeMap;
use std::fmt;
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use antecede::driver::{ContextId, ContextRef, Driver, DriverError, DriverId, DriverResult, ErrorKind, StreamId};
use cust::sys::{CUcontext, CUdevice};

use super::attributes;
use super::call::cuda;
use super::pools::Pools;

/// The CUDA driver of this process, as an antecede [`Driver`].
///
/// Every value is a handle to the same driver and has the same [`DriverId`]; a clone is free. The crate's documentation
/// says which CUDA calls are made.
#[derive(Clone, Copy)]
pub struct Cuda {
    pub(super) shared: &'static Shared,
}

impl Cuda {
    /// The CUDA driver, initialised (`cuInit`) by the first call.
    ///
    /// # Errors
    /// - `NoDevice` when the machine has no CUDA device or no driver, or when the program runs against the stub that it
    ///   was linked with. A later call tries again.
    /// - Whatever else `cuInit` reports.
    pub fn new() -> DriverResult<Cuda> {
        static SHARED: OnceLock<Shared> = OnceLock::new();
        if let Some(shared) = SHARED.get() {
            return Ok(Cuda { shared });
        }
        // `cust::init` makes this call too, but reads its result as an enum (see `call`).
        // SAFETY: `cuInit` has no obligations; it may be called from any thread, and again.
        unsafe { cuda!(cuInit(0)) }?;
        if count_devices()? == 0 {
            let message = "the CUDA driver is there, and shows no device".into();
            return Err(DriverError { call: "cuDeviceGetCount", kind: ErrorKind::NoDevice, code: 0, message });
        }
        // Of two first calls at once, one value is kept.
        let shared = SHARED.get_or_init(|| Shared {
            id: DriverId::fresh(),
            contexts: Mutex::default(),
            pools: Pools::default(),
        });
        Ok(Cuda { shared })
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cuda").field("id", &self.shared.id).finish_non_exhaustive()
    }
}

impl From<Cuda> for Arc<dyn Driver> {
    fn from(cuda: Cuda) -> Self {
        Arc::new(cuda)
    }
}

/// What all handles share.
pub(super) struct Shared {
    pub(super) id: DriverId,
    /// The context of each ordinal that was ever opened. Locked by opening and closing only.
    contexts: Mutex<BTreeMap<u32, ContextRef>>,
    pub(super) pools: Pools,
}

impl Shared {
    /// Retains the primary context of the ordinal.
    ///
    /// At its first opening it is retained once more, for good. Were it destroyed at the last closing, a later opening
    /// would be another context, perhaps with the same handle, and its identity could not be told.
    pub(super) fn open(&self, ordinal: u32) -> DriverResult<ContextRef> {
        let device = device(ordinal)?;
        require(device, ordinal, attributes::UNIFIED_ADDRESSING, "unified addressing")?;
        require(device, ordinal, attributes::MEMORY_POOLS, "memory pools")?;
        let mut contexts = self.contexts.lock().unwrap_or_else(PoisonError::into_inner);
        let handle = retain(device)?;
        if let Some(context) = contexts.get(&ordinal)
            && context.handle == handle
        {
            return Ok(*context);
        }
        if let Err(error) = retain(device) {
            // The first error is what the caller wants to hear of.
            let _ = release(device);
            return Err(error);
        }
        let context = ContextRef { id: ContextId::fresh(), ordinal, handle, legacy: StreamId::fresh() };
        contexts.insert(ordinal, context);
        Ok(context)
    }

    /// Gives back what one `open` retained.
    pub(super) fn close(&self, context: &ContextRef) -> DriverResult {
        let device = device(context.ordinal)?;
        let _opening = self.contexts.lock().unwrap_or_else(PoisonError::into_inner);
        release(device)
    }
}

/// Number of devices that the driver shows.
pub(super) fn count_devices() -> DriverResult<u32> {
    let mut count = 0;
    // SAFETY: `count` outlives the call.
    unsafe { cuda!(cuDeviceGetCount(&mut count)) }?;
    Ok(u32::try_from(count).unwrap_or(0))
}

/// The driver's handle of the device.
pub(super) fn device(ordinal: u32) -> DriverResult<CUdevice> {
    let mut device = 0;
    // An ordinal beyond `i32` is no device either.
    let place = i32::try_from(ordinal).unwrap_or(i32::MAX);
    // SAFETY: `device` outlives the call.
    unsafe { cuda!(cuDeviceGet(&mut device, place)) }.map_err(|error| {
        let message = format!("device {ordinal}: {}", error.message).into();
        DriverError { message, ..error }
    })?;
    Ok(device)
}

/// An error if the device lacks something that the calls of this driver rest on.
fn require(device: CUdevice, ordinal: u32, attribute: i32, what: &str) -> DriverResult {
    if attributes::number(device, attribute)? != 0 {
        return Ok(());
    }
    let message = format!("device {ordinal} has no {what}").into();
    Err(DriverError { call: "cuDeviceGetAttribute", kind: ErrorKind::NotSupported, code: 0, message })
}

fn retain(device: CUdevice) -> DriverResult<u64> {
    let mut context: CUcontext = ptr::null_mut();
    // SAFETY: `context` outlives the call; the device comes from `cuDeviceGet`.
    unsafe { cuda!(cuDevicePrimaryCtxRetain(&mut context, device)) }?;
    Ok(context as u64)
}

fn release(device: CUdevice) -> DriverResult {
    // SAFETY: each release follows a retain of its own, and the context outlives it: one retain is kept for good.
    unsafe { cuda!(cuDevicePrimaryCtxRelease_v2(device)) }
}
