//! What modules and kernels declare, and what a launch passes.

use super::Access;
use std::ffi::c_void;

/// The declaration of a module: what `kernels!` promises about its PTX.
#[derive(Debug)]
pub struct ModuleDecl {
    /// The name given in `kernels!`.
    pub name: &'static str,
    /// PTX text; `None` for kernels that have a host twin only.
    pub ptx: Option<&'static str>,
    /// The kernels, in the order of their declaration; a kernel's index is its place here.
    pub kernels: &'static [KernelDecl],
}

/// The declaration of one kernel.
#[derive(Debug)]
pub struct KernelDecl {
    /// The method's name.
    pub name: &'static str,
    /// The name of the `.entry` in the PTX.
    pub entry: &'static str,
    /// Its parameters, in order.
    pub params: &'static [ParamDecl],
    /// The same function for the host.
    pub twin: Twin,
}

/// One parameter of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamDecl {
    /// The parameter's name.
    pub name: &'static str,
    /// What is passed.
    pub kind: ParamKind,
}

/// What a kernel's parameter passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// A plain value of that many bytes.
    Scalar {
        /// `size_of` the value.
        bytes: usize,
    },
    /// `&[T]`: one 8-byte device pointer, read.
    Read {
        /// `size_of::<T>()`.
        element: usize,
    },
    /// `&mut [T]`: one 8-byte device pointer, written.
    Write {
        /// `size_of::<T>()`.
        element: usize,
    },
}

impl ParamKind {
    /// Bytes of the kernel parameter: the scalar's size, or 8 for a pointer.
    pub const fn bytes(self) -> usize {
        match self {
            ParamKind::Scalar { bytes } => bytes,
            ParamKind::Read { .. } | ParamKind::Write { .. } => 8,
        }
    }
}

/// The host version of a kernel. It is called with the arguments of one launch.
pub type Twin = unsafe fn(&TwinArgs<'_>);

/// The arguments that a host twin is called with.
#[derive(Debug)]
pub struct TwinArgs<'a> {
    params: &'a [*const c_void],
    accesses: &'a [Access],
}

impl<'a> TwinArgs<'a> {
    /// # Safety
    /// 1. `params[i]` points to the value of parameter `i` of the kernel's declaration (for a slice, its address).
    /// 2. `accesses` holds one entry for each slice parameter, in order; each range is host memory that is live,
    ///    initialised, aligned for its element, and, where written, not otherwise accessed until the twin returns.
    pub unsafe fn new(params: &'a [*const c_void], accesses: &'a [Access]) -> Self {
        TwinArgs { params, accesses }
    }

    /// The scalar parameter at place `index` among *all* parameters.
    ///
    /// # Safety
    /// 1. That parameter is declared as a scalar of type `T`.
    pub unsafe fn scalar<T: bytemuck::Pod>(&self, index: usize) -> T {
        // SAFETY: `params[index]` points to a `T` (1, and `new` 1); it may be unaligned.
        unsafe { self.params[index].cast::<T>().read_unaligned() }
    }

    /// The read slice at place `index` among the *slice* parameters.
    ///
    /// # Safety
    /// 1. That parameter is declared `&[T]`.
    pub unsafe fn slice<T: bytemuck::Pod>(&self, index: usize) -> &'a [T] {
        let access = self.accesses[index];
        match elements::<T>(access.bytes) {
            0 => &[],
            // SAFETY: live, initialised, aligned host memory of that length (`new` 2), of any bit pattern (`Pod`).
            len => unsafe { std::slice::from_raw_parts(access.ptr.0 as *const T, len) },
        }
    }

    /// The written slice at place `index` among the *slice* parameters.
    ///
    /// # Safety
    /// 1. That parameter is declared `&mut [T]`.
    /// 2. It is asked for once in a run of the twin.
    #[allow(clippy::mut_from_ref, reason = "the exclusive memory is named by `accesses`, not owned by `self`")]
    pub unsafe fn slice_mut<T: bytemuck::Pod>(&self, index: usize) -> &'a mut [T] {
        let access = self.accesses[index];
        match elements::<T>(access.bytes) {
            0 => &mut [],
            // SAFETY: as in `slice`, and not otherwise accessed (`new` 2, and 2).
            len => unsafe { std::slice::from_raw_parts_mut(access.ptr.0 as *mut T, len) },
        }
    }
}

fn elements<T>(bytes: usize) -> usize {
    bytes.checked_div(size_of::<T>()).unwrap_or(0)
}

/// One kernel launch.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The driver's handle of the function, from [`LoadedModule::functions`].
    pub function: u64,
    /// The kernel's declaration.
    pub decl: &'static KernelDecl,
    /// Blocks in x, y and z; none is zero.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z; none is zero.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// One pointer for each parameter, to its value (for a slice, to its 8-byte address).
    pub params: &'a [*const c_void],
    /// One entry for each slice parameter, in order. Empty slices have `bytes == 0`.
    pub accesses: &'a [Access],
}

/// What loading a module gives.
#[derive(Debug)]
pub struct LoadedModule {
    /// The driver's handle of the module.
    pub handle: u64,
    /// The driver's handles of its functions, in the order of [`ModuleDecl::kernels`].
    pub functions: Vec<u64>,
}
