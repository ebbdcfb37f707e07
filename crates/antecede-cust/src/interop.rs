//! Raw handles of `cust`'s own values, for programs that use both.
//!
//! Both see the same device: [`cust::context::Context`] is the primary context, which is also the context that
//! [`Cuda`](crate::Cuda) opens. Taking a handle is safe and changes nothing: the `cust` value keeps what it owns, and
//! ends it when it is dropped. Using the handle is what has obligations, and those are stated by what takes it: that the
//! value is still alive then, and that its work is ordered with the other's.
//!
//! | From `cust` | To the typed layer |
//! |---|---|
//! | a stream | `unsafe { device.adopt(stream_handle(&stream), \|stream\| ..) }` |
//! | a `DeviceBuffer`, `DeviceSlice` | `unsafe { stream.borrow_raw::<T>(ptr, len) }` with [`device_range`] |
//! | a `Function` | [`function_handle`], for a driver's own [`Launch`](antecede::driver::Launch); a typed launch wants a declaration: `kernels!` |
//!
//! | From the typed layer | To `cust` |
//! |---|---|
//! | a buffer | `DeviceBuffer::from_raw_parts(DevicePointer::from_raw(ptr.0), len)`, with the address from `unsafe { buffer.address() }` (forget the `DeviceBuffer`), or for good from `unsafe { buffer.into_raw() }` |
//! | a stream | its handle, `unsafe { stream.raw() }`: `cust` 0.3.2 makes no `Stream` of a handle |
//!
//! `cust` 0.3.2 shows no handle of a [`Module`](cust::module::Module) or an [`Event`](cust::event::Event).

use antecede::driver::DevicePtr;
use cust::context::Context;
use cust::function::Function;
use cust::memory::{DeviceCopy, DeviceSlice};
use cust::stream::Stream;

/// The `CUstream` of a stream. `cust` 0.3.2 drops the flag `NON_BLOCKING` when it makes a stream: whatever it was asked
/// for, the stream is a blocking one.
pub fn stream_handle(stream: &Stream) -> u64 {
    stream.as_inner() as u64
}

/// The `CUcontext` of a context.
pub fn context_handle(context: &Context) -> u64 {
    context.as_raw() as u64
}

/// The `CUfunction` of a kernel.
pub fn function_handle(function: &Function<'_>) -> u64 {
    function.to_raw() as u64
}

/// The address of device memory, a [`DeviceBuffer`](cust::memory::DeviceBuffer) for example, and its length in bytes.
pub fn device_range<T: DeviceCopy>(memory: &DeviceSlice<T>) -> (DevicePtr, usize) {
    (DevicePtr(memory.as_device_ptr().as_raw()), memory.len() * size_of::<T>())
}
