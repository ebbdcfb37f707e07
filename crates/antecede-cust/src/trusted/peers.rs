//! Several devices: who may address whose memory, and copies between them.

use antecede::driver::{ContextRef, DevicePtr, DriverResult};
use cust::sys::{CUcontext, CUresult, CUstream};

use super::call::cuda;
use super::cuda::device;
use super::pools::Pools;

/// Whether `context`'s device can address the memory of `peer`'s. A device can always address its own: the driver, asked
/// about one device twice, says no, as there is nothing to enable.
pub(super) fn possible(context: &ContextRef, peer: &ContextRef) -> DriverResult<bool> {
    if context.ordinal == peer.ordinal {
        return Ok(true);
    }
    let mut can = 0;
    let (device, of) = (device(context.ordinal)?, device(peer.ordinal)?);
    // SAFETY: `can` outlives the call; the devices come from `cuDeviceGet`.
    unsafe { cuda!(cuDeviceCanAccessPeer(&mut can, device, of)) }?;
    Ok(can != 0)
}

/// Lets `context`'s device address the memory of `peer`'s, from now on. Of one device nothing has to be enabled.
///
/// # Safety
/// 1. Both contexts are live.
pub(super) unsafe fn enable(pools: &Pools, context: &ContextRef, peer: &ContextRef) -> DriverResult {
    if context.ordinal == peer.ordinal {
        return Ok(());
    }
    let enable = || {
        // SAFETY: the peer's context is live (1), and the other one current.
        match unsafe { cuda!(cuCtxEnablePeerAccess(peer.handle as CUcontext, 0)) } {
            // By other code of this process, or by a call here that failed later on.
            Err(error) if error.code == CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED as i32 => Ok(()),
            result => result,
        }
    };
    // SAFETY: both contexts are live (1); `enable` is one call, which does not unwind.
    unsafe { pools.let_into_all(context, peer, enable) }
}

/// Copies between the memory of two contexts, in stream order.
///
/// # Safety
/// 1. A live stream of the current context.
/// 2. Both ranges are live memory of the context beside them, that nothing else uses out of order.
pub(super) unsafe fn copy(
    stream: CUstream,
    to: (&ContextRef, DevicePtr),
    from: (&ContextRef, DevicePtr),
    bytes: usize,
) -> DriverResult {
    let (to_context, from_context) = (to.0.handle as CUcontext, from.0.handle as CUcontext);
    // SAFETY: (1) and (2), which are the call's obligations.
    unsafe { cuda!(cuMemcpyPeerAsync(to.1.0, to_context, from.1.0, from_context, bytes, stream)) }
}
