//! Kernels that have a host twin only.

use std::sync::{Barrier, LazyLock, OnceLock};

use antecede::driver::{ContextRef, Driver, ErrorKind, KernelDecl, ModuleDecl, ParamDecl, ParamKind, TwinArgs};
use antecede_sim::Sim;

pub const ADD: usize = 0;
pub const PANIC: usize = 1;
pub const PANIC_WITH_BOMB: usize = 2;
pub const STAMP: usize = 3;
pub const CALL_DRIVER: usize = 4;
pub const HOLD: usize = 5;

/// What `CALL_DRIVER` calls.
pub static CALLED_BY_KERNEL: OnceLock<(Sim, ContextRef)> = OnceLock::new();

/// `HOLD` passes it twice: when it starts, and to be let go.
pub static HELD: LazyLock<Barrier> = LazyLock::new(|| Barrier::new(2));

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
        KernelDecl {
            name: "stamp",
            entry: "stamp",
            params: &[
                ParamDecl { name: "clock", kind: ParamKind::Write { element: 4 } },
                ParamDecl { name: "slot", kind: ParamKind::Write { element: 4 } },
            ],
            twin: stamp,
        },
        KernelDecl { name: "call_driver", entry: "call_driver", params: &[BYTES], twin: call_driver },
        KernelDecl { name: "hold", entry: "hold", params: &[], twin: hold },
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

/// Writes the time into the slot, and moves the clock on.
///
/// # Safety
/// 1. The arguments are those declared.
unsafe fn stamp(args: &TwinArgs<'_>) {
    // SAFETY: as declared (1), each slice once.
    let (clock, slot) = unsafe { (args.slice_mut::<u32>(0), args.slice_mut::<u32>(1)) };
    slot[0] = clock[0];
    clock[0] += 1;
}

/// Waits for its own context, which must be refused; writes 1 if it was.
///
/// # Safety
/// 1. The arguments are those declared.
unsafe fn call_driver(args: &TwinArgs<'_>) {
    // SAFETY: as declared (1).
    let bytes = unsafe { args.slice_mut::<u8>(0) };
    let (sim, context) = CALLED_BY_KERNEL.get().unwrap();
    // SAFETY: the context is of this driver and open.
    let refused = unsafe { sim.context_sync(context) }.is_err_and(|error| error.kind() == ErrorKind::NotSupported);
    bytes.fill(u8::from(refused));
}

/// Stays until it is let go.
///
/// # Safety
/// None.
unsafe fn hold(_: &TwinArgs<'_>) {
    HELD.wait();
    HELD.wait();
}
