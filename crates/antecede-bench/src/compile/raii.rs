//! The form through a plain wrapper: values that free what they hold, codes checked, no word about order.

use super::{STEPS, STREAMS, first_and_last, line, step};

/// The wrapper.
pub const WRAPPER: &str = "\
//! A plain wrapper of the driver.
use cust::sys::*;
use std::ffi::{CStr, c_void};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::null_mut;

pub struct Error(CUresult);

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, \"{:?}\", self.0)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, \"driver error {:?}\", self.0)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

fn check(code: CUresult) -> Result<()> {
    if code == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(Error(code)) }
}

pub fn init() -> Result<()> {
    let mut context = null_mut();
    check(unsafe { cuInit(0) })?;
    check(unsafe { cuDevicePrimaryCtxRetain(&mut context, 0) })?;
    check(unsafe { cuCtxSetCurrent(context) })
}

pub struct Module(CUmodule);

impl Module {
    pub fn load(text: &CStr) -> Result<Module> {
        let mut module = null_mut();
        check(unsafe { cuModuleLoadData(&mut module, text.as_ptr().cast()) })?;
        Ok(Module(module))
    }

    pub fn function(&self, name: &CStr) -> Result<Function> {
        let mut function = null_mut();
        check(unsafe { cuModuleGetFunction(&mut function, self.0, name.as_ptr()) })?;
        Ok(Function(function))
    }
}

pub struct Function(CUfunction);

pub struct Stream {
    stream: CUstream,
    event: CUevent,
}

impl Stream {
    pub fn new() -> Result<Stream> {
        let mut stream = Stream { stream: null_mut(), event: null_mut() };
        check(unsafe { cuStreamCreate(&mut stream.stream, 1) })?;
        check(unsafe { cuEventCreate(&mut stream.event, 2) })?;
        Ok(stream)
    }

    pub fn wait_for(&self, other: &Stream) -> Result<()> {
        check(unsafe { cuEventRecord(other.event, other.stream) })?;
        check(unsafe { cuStreamWaitEvent(self.stream, other.event, 0) })
    }

    /// # Safety
    /// The arguments are those of the function.
    pub unsafe fn launch<A: Arguments>(&self, function: &Function, threads: u32, arguments: A) -> Result<()> {
        arguments.with(|params| {
            let grid = threads.div_ceil(256);
            check(unsafe { cuLaunchKernel(function.0, grid, 1, 1, 256, 1, 1, 0, self.stream, params.as_mut_ptr(), null_mut()) })
        })
    }

    pub fn zeroed<T>(&self, len: usize) -> Result<Buffer<T>> {
        let mut ptr = 0;
        check(unsafe { cuMemAllocAsync(&mut ptr, len * size_of::<T>(), self.stream) })?;
        let buffer = Buffer { ptr, stream: self.stream, _element: PhantomData };
        check(unsafe { cuMemsetD8Async(ptr, 0, len * size_of::<T>(), self.stream) })?;
        Ok(buffer)
    }

    pub fn synchronize(&self) -> Result<()> {
        check(unsafe { cuStreamSynchronize(self.stream) })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        unsafe {
            let _ = cuEventDestroy_v2(self.event);
            let _ = cuStreamDestroy_v2(self.stream);
        }
    }
}

pub struct Buffer<T> {
    ptr: CUdeviceptr,
    stream: CUstream,
    _element: PhantomData<T>,
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        let _ = unsafe { cuMemFreeAsync(self.ptr, self.stream) };
    }
}

pub trait Argument {
    fn pointer(&self) -> *mut c_void;
}

impl Argument for u32 {
    fn pointer(&self) -> *mut c_void {
        (&raw const *self) as *mut c_void
    }
}

impl Argument for f32 {
    fn pointer(&self) -> *mut c_void {
        (&raw const *self) as *mut c_void
    }
}

impl<T> Argument for &Buffer<T> {
    fn pointer(&self) -> *mut c_void {
        (&raw const self.ptr) as *mut c_void
    }
}

impl<T> Argument for &mut Buffer<T> {
    fn pointer(&self) -> *mut c_void {
        (&raw const self.ptr) as *mut c_void
    }
}

pub trait Arguments {
    fn with<R>(&self, f: impl FnOnce(&mut [*mut c_void]) -> R) -> R;
}

macro_rules! arguments {
    ($($($name:ident)+;)+) => { $(
        #[allow(non_snake_case)]
        impl<$($name: Argument),+> Arguments for ($($name,)+) {
            fn with<R>(&self, f: impl FnOnce(&mut [*mut c_void]) -> R) -> R {
                let ($($name,)+) = self;
                f(&mut [$($name.pointer()),+])
            }
        }
    )+ };
}

arguments! { A B C; A B C D; A B C D E; }
";

const HEAD: &str = "\
use plain::{Buffer, Function, Module, Result, Stream};

struct Math {
    increment: Function,
    scale: Function,
    saxpy: Function,
    add: Function,
}

type Three = (Buffer<f32>, Buffer<f32>, Buffer<f32>);
";

pub(super) fn program(change: u32) -> String {
    let mut text = HEAD.to_owned();
    for number in 0..STEPS {
        line(
            &mut text,
            &format!(
                "fn step_{number}(streams: &[Stream; {STREAMS}], math: &Math, n: u32, three: Three) -> Result<Three> {{"
            ),
        );
        line(&mut text, "    let (mut x, mut y, mut z) = three;");
        step(
            &mut text,
            number,
            change,
            |text, from, to| line(text, &format!("    streams[{to}].wait_for(&streams[{from}])?;")),
            |text, kernel, on, factor| {
                let (name, buffers) = [
                    ("increment", "&mut x"),
                    ("scale", "&x, &mut y"),
                    ("saxpy", "&y, &mut z"),
                    ("add", "&x, &y, &mut z"),
                ][kernel];
                line(
                    text,
                    &format!("    unsafe {{ streams[{on}].launch(&math.{name}, n, (n, {factor}, {buffers})) }}?;"),
                );
            },
        );
        line(&mut text, "    Ok((x, y, z))\n}");
    }
    line(&mut text, "fn main() -> Result<()> {\n    plain::init()?;\n    let module = Module::load(c\"\")?;");
    let functions = ["increment", "scale", "saxpy", "add"].map(|name| format!("{name}: module.function(c\"{name}\")?"));
    line(&mut text, &format!("    let math = Math {{ {} }};", functions.join(", ")));
    line(&mut text, &format!("    let streams = [{}];", vec!["Stream::new()?"; STREAMS].join(", ")));
    line(&mut text, "    let n = 1u32 << 20;\n    let len = n as usize;");
    line(&mut text, "    let three = (streams[0].zeroed(len)?, streams[0].zeroed(len)?, streams[0].zeroed(len)?);");
    (0..STEPS).for_each(|s| line(&mut text, &format!("    let three = step_{s}(&streams, &math, n, three)?;")));
    line(
        &mut text,
        &format!("    streams[{}].synchronize()?;\n    drop(three);\n    Ok(())\n}}", first_and_last(STEPS).0),
    );
    text
}
