//! Values of `cust` beside this driver's.

use antecede::driver::{Driver, Pattern, StreamId, StreamKind, StreamRef};
use antecede_cust::interop::{context_handle, device_range, function_handle, stream_handle};
use cust::context::{Context, CurrentContext};
use cust::device::Device;
use cust::memory::{CopyDestination, DeviceBuffer};
use cust::module::Module;
use cust::stream::{Stream, StreamFlags};

use crate::common::kernels::{Arg, MATH};
use crate::common::{Gpu, words_of};

#[test]
#[ignore = "needs a GPU"]
fn both_work_on_the_same_values() {
    let gpu = Gpu::open();
    let context = Context::new(Device::get_device(0).expect("a GPU")).expect("its context");
    assert_eq!(context_handle(&context), gpu.context.handle);
    CurrentContext::set_current(&context).expect("is current");

    // What `cust` makes of the flag decides the kind, not what it was asked for.
    let theirs = Stream::new(StreamFlags::NON_BLOCKING, None).expect("a stream");
    let handle = stream_handle(&theirs);
    let id = StreamId::fresh();
    // SAFETY: `theirs` lives.
    let kind = unsafe { gpu.driver.stream_adopt(&gpu.context, handle, id) }.expect("can be adopted");
    assert_eq!(kind, StreamKind::BlockingStream);
    let stream = StreamRef { id, context: gpu.context, handle, kind };

    let buffer = DeviceBuffer::from_slice(&[0u32; 1000]).expect("a buffer");
    let (ptr, bytes) = device_range(&buffer);
    assert_eq!(bytes, 4000);
    gpu.fill(&stream, ptr, Pattern::D32(6), 1000);

    let module = Module::from_ptx(MATH.ptx.expect("PTX"), &[]).expect("loads");
    let function = module.get_function("increment").expect("is there");
    let mut loaded = gpu.load(&MATH);
    let place = MATH.kernels.iter().position(|kernel| kernel.name == "increment").expect("is declared");
    assert_ne!(loaded.functions[place], function_handle(&function));
    loaded.functions[place] = function_handle(&function);
    gpu.try_launch(&stream, &MATH, &loaded, "increment", &[Arg::U32(1000), Arg::Write(ptr, bytes)]).expect("a launch");

    theirs.synchronize().expect("gets there");
    let mut seen = [0u32; 1000];
    buffer.copy_to(&mut seen).expect("a copy");
    assert_eq!(seen, [7; 1000]);
    assert_eq!(words_of(&gpu.download(&stream, ptr, bytes)), [7; 1000]);
}

/// The typed layer on `cust`'s stream and memory, and memory of the typed layer given to `cust`.
#[test]
#[ignore = "needs a GPU"]
fn the_typed_layer_works_on_custs_values() {
    use antecede::Device as Typed;
    use cust::memory::DevicePointer;

    let gpu = Gpu::open();
    let context = Context::new(Device::get_device(0).expect("a GPU")).expect("its context");
    CurrentContext::set_current(&context).expect("is current");
    let theirs = Stream::new(StreamFlags::NON_BLOCKING, None).expect("a stream");
    let mut buffer = DeviceBuffer::from_slice(&[1u32; 1000]).expect("a buffer");

    Typed::scope(gpu.driver, 0, |device| {
        let (ptr, bytes) = device_range(&buffer);
        // SAFETY: `theirs` lives, is not captured, and nothing else is submitted to it meanwhile.
        let ours = unsafe {
            device.adopt(stream_handle(&theirs), |stream| {
                // SAFETY: `buffer` lives and is used by nobody else meanwhile; its upload was complete when it returned.
                let mut lent = stream.borrow_raw::<u32>(ptr, bytes / 4)?;
                stream.fill(&mut lent[500..], 9)?;
                let mut ours = stream.alloc::<u32>(1000)?;
                stream.copy(&lent, &mut ours)?;
                Ok(ours.loose())
            })
        }?;
        // The adoption is over: `ours` is on a stream of the device's own, ordered after it.
        let ours = device.sync(ours)?;
        assert_eq!((ours.to_vec()?[499], ours.to_vec()?[500]), (1, 9));

        // And the other way: `cust` reads memory of ours, which is complete.
        // SAFETY: read by a blocking copy, before `ours` is used again.
        let address = unsafe { ours.address() };
        // SAFETY: live device memory of that many elements; forgotten below, so that it is freed once.
        let seen = unsafe { DeviceBuffer::<u32>::from_raw_parts(DevicePointer::from_raw(address.0), 1000) };
        let mut host = [0u32; 1000];
        seen.copy_to(&mut host).expect("a copy");
        std::mem::forget(seen);
        assert_eq!((host[0], host[999]), (1, 9));
        Ok(())
    })
    .expect("a scope");

    let mut host = [0u32; 1000];
    theirs.synchronize().expect("gets there");
    buffer.copy_to(&mut host).expect("a copy");
    assert_eq!((host[499], host[500]), (1, 9));
    buffer.copy_from(&[0u32; 1000]).expect("still theirs");
}
