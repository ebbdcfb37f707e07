//! Loads modules, checked against their declaration first, then by the driver's compiler; launches their kernels.

use std::ffi::{CString, c_void};
use std::ptr;

use antecede::driver::{DriverError, DriverResult, ErrorKind, KernelDecl, Launch, LoadedModule, ModuleDecl};
use cust::sys::{CUfunction, CUfunction_attribute, CUjit_option, CUmodule, CUstream};

use super::call::cuda;
use crate::declared::{matching_ptx, refused};

/// Room for the compiler's complaints; the driver cuts off what is longer.
const LOG_BYTES: usize = 8192;

/// Loads the declared module into the current context.
///
/// # Safety
/// 1. The declaration's promises hold: the PTX does what `kernels` says.
pub(super) unsafe fn load(decl: &'static ModuleDecl) -> DriverResult<LoadedModule> {
    let ptx = matching_ptx(decl)?;
    let text = CString::new(ptx).map_err(|_| {
        refused(ErrorKind::InvalidModule, format!("module `{}`: there is a NUL character in its PTX", decl.name))
    })?;
    let module = compile(decl, &text)?;
    let functions: DriverResult<Vec<_>> = decl.kernels.iter().map(|kernel| function(decl, kernel, module)).collect();
    match functions {
        Ok(functions) => Ok(LoadedModule { handle: module as u64, functions }),
        Err(error) => {
            // Nothing of the module was launched. If unloading fails too, the module is leaked.
            // SAFETY: the module was just loaded, and no function of it has left here.
            let _ = unsafe { cuda!(cuModuleUnload(module)) };
            Err(error)
        }
    }
}

/// Launches a kernel, in stream order.
///
/// # Safety
/// 1. A live stream of the current context, and a function that `load` obtained there for `launch.decl`.
/// 2. Each parameter points to a value of the declared size; the kernel's contract holds of the values.
pub(super) unsafe fn launch(stream: CUstream, launch: &Launch<'_>) -> DriverResult {
    // The driver reads as many pointers as the function has parameters: as many as its declaration, when loaded.
    if launch.params.len() != launch.decl.params.len() {
        let (given, declared) = (launch.params.len(), launch.decl.params.len());
        let message = format!("kernel `{}`: {given} parameters given, {declared} declared", launch.decl.name);
        let kind = ErrorKind::InvalidValue;
        return Err(DriverError { call: "cuLaunchKernel", kind, code: 0, message: message.into() });
    }
    let [grid_x, grid_y, grid_z] = launch.grid;
    let [block_x, block_y, block_z] = launch.block;
    // CUDA takes the array as mutable, and only reads it.
    let params = launch.params.as_ptr().cast_mut().cast::<*mut c_void>();
    // SAFETY: (1); each parameter points to its value (2), and there are as many as declared, which is as many as the
    // function has.
    unsafe {
        cuda!(cuLaunchKernel(
            launch.function as CUfunction,
            grid_x,
            grid_y,
            grid_z,
            block_x,
            block_y,
            block_z,
            launch.shared_bytes,
            stream,
            params,
            ptr::null_mut()
        ))
    }
}

/// Has the driver compile and load PTX. What its compiler says of an error becomes part of the message.
fn compile(decl: &ModuleDecl, text: &CString) -> DriverResult<CUmodule> {
    let mut module: CUmodule = ptr::null_mut();
    let mut log = vec![0u8; LOG_BYTES];
    let mut options = [CUjit_option::CU_JIT_ERROR_LOG_BUFFER, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    // The driver takes a number in the place of a pointer, and writes the log's length there.
    let mut values = [log.as_mut_ptr().cast::<c_void>(), ptr::without_provenance_mut(LOG_BYTES)];
    // SAFETY: `text` ends in NUL; two options with two values are given; the log has the size that the second value
    // says; all of it outlives the call, and the driver keeps none of it.
    let loaded = unsafe {
        cuda!(cuModuleLoadDataEx(
            &mut module,
            text.as_ptr().cast(),
            options.len() as u32,
            options.as_mut_ptr(),
            values.as_mut_ptr()
        ))
    };
    loaded.map(|()| module).map_err(|error| with_log(error, decl, &log))
}

/// The function of a kernel, loaded.
fn function(decl: &ModuleDecl, kernel: &KernelDecl, module: CUmodule) -> DriverResult<u64> {
    let entry = CString::new(kernel.entry).map_err(|_| {
        refused(
            ErrorKind::KernelMismatch,
            format!("kernel `{}` of module `{}`: there is a NUL character in its entry's name", kernel.name, decl.name),
        )
    })?;
    let mut function: CUfunction = ptr::null_mut();
    // SAFETY: `function` outlives the call, `entry` ends in NUL, and the module is loaded in the current context.
    unsafe { cuda!(cuModuleGetFunction(&mut function, module, entry.as_ptr())) }?;
    let mut registers = 0;
    // The number does not matter. A driver that loads lazily loads a function when it is first asked about, and may wait
    // for the whole device then: better here than in a launch.
    // SAFETY: `registers` outlives the call; the function was just obtained.
    unsafe { cuda!(cuFuncGetAttribute(&mut registers, CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS, function)) }?;
    Ok(function as u64)
}

fn with_log(error: DriverError, decl: &ModuleDecl, log: &[u8]) -> DriverError {
    let end = log.iter().position(|&byte| byte == 0).unwrap_or(log.len());
    let log = String::from_utf8_lossy(&log[..end]);
    let message = match log.trim() {
        "" => format!("module `{}`: {}", decl.name, error.message),
        log => format!("module `{}`: {}\n{log}", decl.name, error.message),
    };
    DriverError { message: message.into(), ..error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compilers_log_ends_the_message() {
        let decl = ModuleDecl { name: "Math", ptx: None, kernels: &[] };
        let error = |log: &[u8]| {
            let message = "CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed".into();
            let error = DriverError { call: "cuModuleLoadDataEx", kind: ErrorKind::InvalidModule, code: 218, message };
            with_log(error, &decl, log).message
        };
        let plain = "module `Math`: CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed";
        assert_eq!(&*error(&[0; 16]), plain);
        assert_eq!(*error(b"ptxas: line 3\n\0left over"), format!("{plain}\nptxas: line 3"));
        assert_eq!(*error(b"cut off"), format!("{plain}\ncut off"));
    }
}
