//! The form without any layer: what one writes with the driver's functions and a check of their codes.

use super::{STEPS, STREAMS, first_and_last, line, step};

const HEAD: &str = "\
use cust::sys::*;
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

fn check(code: CUresult) -> Result<(), CUresult> {
    if code == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(code) }
}

struct Context {
    streams: [CUstream; 16],
    events: [CUevent; 16],
    increment: CUfunction,
    scale: CUfunction,
    saxpy: CUfunction,
    add: CUfunction,
}

fn function(module: CUmodule, name: &CStr) -> Result<CUfunction, CUresult> {
    let mut function = null_mut();
    check(unsafe { cuModuleGetFunction(&mut function, module, name.as_ptr()) })?;
    Ok(function)
}
";

const MAIN: &str = "\
fn main() -> Result<(), CUresult> {
    let (mut context, mut module) = (null_mut(), null_mut());
    check(unsafe { cuInit(0) })?;
    check(unsafe { cuDevicePrimaryCtxRetain(&mut context, 0) })?;
    check(unsafe { cuCtxSetCurrent(context) })?;
    check(unsafe { cuModuleLoadData(&mut module, c\"\".as_ptr().cast()) })?;
    let mut context = Context {
        streams: [null_mut(); 16],
        events: [null_mut(); 16],
        increment: function(module, c\"increment\")?,
        scale: function(module, c\"scale\")?,
        saxpy: function(module, c\"saxpy\")?,
        add: function(module, c\"add\")?,
    };
    for (stream, event) in context.streams.iter_mut().zip(&mut context.events) {
        check(unsafe { cuStreamCreate(stream, 1) })?;
        check(unsafe { cuEventCreate(event, 2) })?;
    }
    let n = 1u32 << 20;
    let mut three = [0; 3];
    for ptr in &mut three {
        check(unsafe { cuMemAllocAsync(ptr, 4 << 20, context.streams[0]) })?;
        check(unsafe { cuMemsetD8Async(*ptr, 0, 4 << 20, context.streams[0]) })?;
    }
";

pub(super) fn program(change: u32) -> String {
    let mut text = HEAD.to_owned();
    for number in 0..STEPS {
        line(
            &mut text,
            &format!(
                "fn step_{number}(context: &Context, n: u32, three: &[CUdeviceptr; 3]) -> Result<(), CUresult> {{"
            ),
        );
        line(&mut text, "    let [x, y, z] = three;");
        step(
            &mut text,
            number,
            change,
            |text, from, to| {
                line(
                    text,
                    &format!(
                        "    check(unsafe {{ cuEventRecord(context.events[{from}], context.streams[{from}]) }})?;"
                    ),
                );
                line(
                    text,
                    &format!(
                        "    check(unsafe {{ cuStreamWaitEvent(context.streams[{to}], context.events[{from}], 0) }})?;"
                    ),
                );
            },
            |text, kernel, on, factor| {
                let (name, buffers) = [
                    ("increment", &["x"][..]),
                    ("scale", &["x", "y"]),
                    ("saxpy", &["y", "z"]),
                    ("add", &["x", "y", "z"]),
                ][kernel];
                let pointers: String =
                    buffers.iter().map(|name| format!(", (&raw const *{name}) as *mut c_void")).collect();
                line(text, &format!("    let a: f32 = {factor};"));
                line(
                    text,
                    &format!(
                        "    let mut params = [(&raw const n) as *mut c_void, (&raw const a) as *mut c_void{pointers}];"
                    ),
                );
                line(text, "    check(unsafe {");
                line(
                    text,
                    &format!(
                        "        cuLaunchKernel(context.{name}, n.div_ceil(256), 1, 1, 256, 1, 1, 0, context.streams[{on}], params.as_mut_ptr(), null_mut())"
                    ),
                );
                line(text, "    })?;");
            },
        );
        line(&mut text, "    Ok(())\n}");
    }
    text += MAIN;
    (0..STEPS).for_each(|s| line(&mut text, &format!("    step_{s}(&context, n, &three)?;")));
    let last = first_and_last(STEPS).0;
    line(&mut text, &format!("    check(unsafe {{ cuStreamSynchronize(context.streams[{last}]) }})?;"));
    line(
        &mut text,
        &format!("    for ptr in three {{ check(unsafe {{ cuMemFreeAsync(ptr, context.streams[{last}]) }})?; }}"),
    );
    line(
        &mut text,
        &format!(
            "    for s in 0..{STREAMS} {{ check(unsafe {{ cuStreamDestroy_v2(context.streams[s]) }})?; }}\n    Ok(())\n}}"
        ),
    );
    text
}
