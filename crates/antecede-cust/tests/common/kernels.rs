//! Declarations of the project's kernels, and launches of them.

use std::ffi::c_void;

use antecede::driver::{
    Access, DevicePtr, Driver, DriverResult, KernelDecl, Launch, LoadedModule, ModuleDecl, ParamDecl, ParamKind,
    StreamRef, TwinArgs,
};

use super::Gpu;

pub(crate) static MATH: ModuleDecl = ModuleDecl {
    name: "Math",
    ptx: Some(include_str!("../../../../kernels/math.ptx")),
    kernels: &[
        kernel("saxpy", &[scalar("n", 4), scalar("a", 4), read("x", 4), write("y", 4)]),
        kernel("scale", &[scalar("n", 4), scalar("a", 4), read("x", 4), write("y", 4)]),
        kernel("increment", &[scalar("n", 4), write("x", 4)]),
    ],
};

pub(crate) static PATTERN: ModuleDecl = ModuleDecl {
    name: "PatternOf",
    ptx: Some(include_str!("../../../../kernels/pattern.ptx")),
    kernels: &[
        kernel("fill_pattern", &[scalar("n", 4), scalar("seed", 4), write("out", 4)]),
        kernel("verify_pattern", &[scalar("n", 4), scalar("seed", 4), read("x", 4), write("first_bad", 4)]),
    ],
};

pub(crate) static HISTOGRAM: ModuleDecl = ModuleDecl {
    name: "Histogram",
    ptx: Some(include_str!("../../../../kernels/histogram.ptx")),
    kernels: &[kernel("histogram", &[scalar("n", 4), read("x", 1), write("bins", 4)])],
};

pub(crate) static CHACHA20: ModuleDecl = ModuleDecl {
    name: "ChaCha20",
    ptx: Some(include_str!("../../../../kernels/chacha20.ptx")),
    kernels: &[kernel(
        "chacha20",
        &[scalar("n", 4), read("key_nonce", 4), scalar("counter", 4), read("in", 1), write("out", 1)],
    )],
};

pub(crate) static BUSY: ModuleDecl = ModuleDecl {
    name: "Busy",
    ptx: Some(include_str!("../../../../kernels/busy.ptx")),
    kernels: &[kernel("burn", &[scalar("clocks", 8), write("out", 4)])],
};

pub(crate) const fn kernel(name: &'static str, params: &'static [ParamDecl]) -> KernelDecl {
    KernelDecl { name, entry: name, params, twin: no_twin }
}

pub(crate) const fn scalar(name: &'static str, bytes: usize) -> ParamDecl {
    ParamDecl { name, kind: ParamKind::Scalar { bytes } }
}

pub(crate) const fn read(name: &'static str, element: usize) -> ParamDecl {
    ParamDecl { name, kind: ParamKind::Read { element } }
}

pub(crate) const fn write(name: &'static str, element: usize) -> ParamDecl {
    ParamDecl { name, kind: ParamKind::Write { element } }
}

/// These kernels run on the GPU only.
fn no_twin(_: &TwinArgs<'_>) {
    unreachable!("a GPU runs the PTX")
}

/// An argument of a launch.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    U32(u32),
    U64(u64),
    F32(f32),
    Read(DevicePtr, usize),
    Write(DevicePtr, usize),
}

impl Gpu {
    pub(crate) fn load(&self, decl: &'static ModuleDecl) -> LoadedModule {
        // SAFETY: an open context; the declarations above tell the truth.
        unsafe { self.driver.module_load(&self.context, decl) }.expect("the module loads")
    }

    /// Loads the module and launches its kernel of that name, in 7 blocks of 96 threads: a grid that no kernel here
    /// fits exactly.
    pub(crate) fn launch(&self, stream: &StreamRef, module: &'static ModuleDecl, name: &str, args: &[Arg]) {
        let loaded = self.load(module);
        self.try_launch(stream, module, &loaded, name, args).expect("a launch");
    }

    pub(crate) fn try_launch(
        &self,
        stream: &StreamRef,
        module: &'static ModuleDecl,
        loaded: &LoadedModule,
        name: &str,
        args: &[Arg],
    ) -> DriverResult {
        let index = module.kernels.iter().position(|kernel| kernel.name == name).expect("a declared kernel");
        // On a little-endian machine the first bytes of a word are the value, whatever its width.
        let mut values: Vec<u64> = args.iter().map(|arg| arg.value()).collect();
        let params: Vec<_> = values.iter().map(|value| (&raw const *value).cast::<c_void>()).collect();
        let accesses: Vec<_> = args.iter().filter_map(|arg| arg.access()).collect();
        let launch = Launch {
            function: loaded.functions[index],
            decl: &module.kernels[index],
            grid: [7, 1, 1],
            block: [96, 1, 1],
            shared_bytes: 0,
            params: &params,
            accesses: &accesses,
        };
        // SAFETY: the tests give live ranges, in order, as long as the kernel wants them.
        let result = unsafe { self.driver.launch(stream, &launch) };
        // The driver has its copy: what the values are after the call is nothing to the kernel.
        values.fill(u64::MAX);
        std::hint::black_box(&values);
        result
    }
}

impl Arg {
    fn value(self) -> u64 {
        match self {
            Arg::U32(value) => value.into(),
            Arg::U64(value) => value,
            Arg::F32(value) => value.to_bits().into(),
            Arg::Read(ptr, _) | Arg::Write(ptr, _) => ptr.0,
        }
    }

    fn access(self) -> Option<Access> {
        match self {
            Arg::Read(ptr, bytes) => Some(Access { ptr, bytes, write: false }),
            Arg::Write(ptr, bytes) => Some(Access { ptr, bytes, write: true }),
            _ => None,
        }
    }
}
