use antecede::driver::{Driver, DriverError, ErrorKind, ModuleDecl, ModuleRef};

use crate::common::Gpu;
use crate::common::kernels::{Arg, BUSY, CHACHA20, HISTOGRAM, MATH, PATTERN, kernel, read, scalar, write};

fn refusal(decl: &'static ModuleDecl) -> DriverError {
    let gpu = Gpu::open();
    // SAFETY: an open context; what is declared untruly is refused.
    unsafe { gpu.driver.module_load(&gpu.context, decl) }.expect_err("is refused")
}

#[test]
#[ignore = "needs a GPU"]
fn every_module_loads_and_unloads() {
    let gpu = Gpu::open();
    for decl in [&MATH, &PATTERN, &HISTOGRAM, &CHACHA20, &BUSY] {
        let loaded = gpu.load(decl);
        assert_eq!(loaded.functions.len(), decl.kernels.len());
        assert!(loaded.handle != 0 && loaded.functions.iter().all(|&function| function != 0));
        let module = ModuleRef { context: gpu.context, handle: loaded.handle };
        // SAFETY: loaded above, and never launched.
        unsafe { gpu.driver.module_unload(&module) }.expect("unloads");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn untrue_declarations_of_real_ptx_are_refused() {
    static WRONG_SIZE: ModuleDecl = ModuleDecl {
        kernels: &[kernel("saxpy", &[scalar("n", 4), read("a", 4), read("x", 4), write("y", 4)])],
        ..MATH
    };
    static WRONG_NUMBER: ModuleDecl = ModuleDecl { kernels: &[kernel("increment", &[scalar("n", 4)])], ..MATH };
    static NO_ENTRY: ModuleDecl = ModuleDecl { kernels: &[kernel("axpy", &[])], ..MATH };
    for (decl, message) in [
        (
            &WRONG_SIZE,
            "kernel `saxpy` of module `Math`: parameter 1 `a` is 4 bytes in the PTX, 8 bytes (a pointer) in the declaration",
        ),
        (&WRONG_NUMBER, "kernel `increment` of module `Math`: 2 parameters in the PTX, 1 in the declaration"),
        (
            &NO_ENTRY,
            "kernel `axpy` of module `Math`: no entry `axpy` in the PTX, which has `saxpy`, `scale`, `increment`",
        ),
    ] {
        let error = refusal(decl);
        assert_eq!((error.kind, &*error.message), (ErrorKind::KernelMismatch, message));
    }
}

#[test]
#[ignore = "needs a GPU"]
fn ptx_that_does_not_compile_is_refused_with_the_compilers_words() {
    static BROKEN: ModuleDecl = ModuleDecl {
        name: "Broken",
        ptx: Some(
            ".version 8.1\n.target sm_70\n.address_size 64\n.visible .entry broken(.param .u32 n)\n{\n nonsense;\n}\n",
        ),
        kernels: &[kernel("broken", &[scalar("n", 4)])],
    };
    let error = refusal(&BROKEN);
    assert_eq!((error.kind, error.call), (ErrorKind::InvalidModule, "cuModuleLoadDataEx"));
    assert!(error.message.starts_with("module `Broken`: CUDA_ERROR_INVALID_PTX: "), "{error}");
    let (_, log) = error.message.split_once('\n').expect("the compiler's words on a line of their own");
    assert!(log.contains("line 6"), "{log}");
}

#[test]
#[ignore = "needs a GPU"]
fn kernels_without_ptx_are_refused() {
    static HOST_ONLY: ModuleDecl = ModuleDecl { name: "HostOnly", ptx: None, kernels: &[] };
    let error = refusal(&HOST_ONLY);
    assert_eq!(error.kind, ErrorKind::InvalidModule);
    assert_eq!(&*error.message, "kernels `HostOnly` are declared without PTX: they run on the simulator only");
}

#[test]
#[ignore = "needs a GPU"]
fn a_launch_with_too_few_parameters_is_refused() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let loaded = gpu.load(&MATH);
    let error = gpu.try_launch(&stream, &MATH, &loaded, "increment", &[Arg::U32(0)]).expect_err("is refused");
    assert_eq!((error.kind, error.call), (ErrorKind::InvalidValue, "cuLaunchKernel"));
    assert_eq!(&*error.message, "kernel `increment`: 1 parameters given, 2 declared");
}
