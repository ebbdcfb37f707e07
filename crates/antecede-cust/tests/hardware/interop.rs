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
