//! Runs driver calls in a given context, on any thread, and leaves the thread as found.

use std::ptr;

use antecede::driver::{ContextRef, DriverResult};
use cust::sys::CUcontext;

use super::call::cuda;

/// Runs `calls` with `context` current on this thread, then makes current what was.
///
/// The context is pushed only where it is not current already. When what was current cannot be restored, that is an
/// error even if `calls` succeeded; what they created is then leaked. (`cuCtxPopCurrent` fails when the driver has been
/// shut down under the thread, and no call succeeds after that.)
///
/// # Safety
/// 1. The context is live (the caller's promise 1 of `Driver`).
/// 2. `calls` returns without unwinding, and leaves current what it found.
pub(super) unsafe fn within<T>(context: &ContextRef, calls: impl FnOnce() -> DriverResult<T>) -> DriverResult<T> {
    let wanted = context.handle as CUcontext;
    let mut found: CUcontext = ptr::null_mut();
    // SAFETY: `found` outlives the call.
    unsafe { cuda!(cuCtxGetCurrent(&mut found)) }?;
    if found == wanted {
        return calls();
    }
    // SAFETY: the context is live (1).
    unsafe { cuda!(cuCtxPushCurrent_v2(wanted)) }?;
    let result = calls();
    let mut popped: CUcontext = ptr::null_mut();
    // SAFETY: `popped` outlives the call; the top of this thread's stack is the context pushed above (2).
    let restored = unsafe { cuda!(cuCtxPopCurrent_v2(&mut popped)) };
    result.and_then(|value| restored.map(|()| value))
}
