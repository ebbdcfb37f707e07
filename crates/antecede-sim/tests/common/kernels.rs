//! Kernels that have a host twin only.

use antecede::driver::{KernelDecl, ModuleDecl, ParamDecl, ParamKind, TwinArgs};

pub const ADD: usize = 0;
pub const PANIC: usize = 1;
pub const PANIC_WITH_BOMB: usize = 2;

const BYTES: ParamDecl = ParamDecl { name: "bytes", kind: ParamKind::Write { element: 1 } };

/// The module of the tests.
pub static MODULE: ModuleDecl = ModuleDecl {
    name: "tests",
    ptx: None,
    kernels: &[
        KernelDecl {
            name: "add",
            entry: "add",
            params: &[
                ParamDecl { name: "value", kind: ParamKind::Scalar { bytes: 4 } },
                ParamDecl { name: "x", kind: ParamKind::Read { element: 4 } },
                ParamDecl { name: "y", kind: ParamKind::Write { element: 4 } },
            ],
            twin: add,
        },
        KernelDecl { name: "fail", entry: "fail", params: &[BYTES], twin: fail },
        KernelDecl { name: "bomb", entry: "bomb", params: &[], twin: bomb },
    ],
};

/// `y[i] = x[i] + value`.
///
/// # Safety
/// 1. The arguments are those declared.
unsafe fn add(args: &TwinArgs<'_>) {
    // SAFETY: as declared (1), each slice once.
    let (value, x, y) = unsafe { (args.scalar::<u32>(0), args.slice::<u32>(0), args.slice_mut::<u32>(1)) };
    for (y, x) in y.iter_mut().zip(x) {
        *y = x.wrapping_add(value);
    }
}

/// Writes, then panics.
///
/// # Safety
/// 1. The arguments are those declared.
unsafe fn fail(args: &TwinArgs<'_>) {
    // SAFETY: as declared (1).
    let bytes = unsafe { args.slice_mut::<u8>(0) };
    bytes.fill(1);
    panic!("index out of range");
}

/// Panics with a value that panics when it is dropped.
///
/// # Safety
/// None.
unsafe fn bomb(_: &TwinArgs<'_>) {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    std::panic::panic_any(Bomb);
}
