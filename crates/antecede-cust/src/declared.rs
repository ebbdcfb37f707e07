//! Compares a module's PTX with its declaration.

use antecede::driver::{DriverError, DriverResult, ErrorKind, KernelDecl, ModuleDecl, ParamKind};

use crate::ptx::{Entry, entries};

/// The call on whose behalf a module is refused.
const LOADING: &str = "cuModuleLoadDataEx";

/// The module's PTX, once each declared kernel is found in it with the declared parameters.
///
/// # Errors
/// `InvalidModule` when there is no PTX, or none that can be read; `KernelMismatch` when it differs from the declaration.
pub(crate) fn matching_ptx(module: &ModuleDecl) -> DriverResult<&'static str> {
    let Some(ptx) = module.ptx else {
        let message = format!("kernels `{}` are declared without PTX: they run on the simulator only", module.name);
        return Err(refused(ErrorKind::InvalidModule, message));
    };
    let entries = entries(ptx)
        .map_err(|error| refused(ErrorKind::InvalidModule, format!("module `{}`: {error}", module.name)))?;
    for kernel in module.kernels {
        compare(module, kernel, &entries).map_err(|message| refused(ErrorKind::KernelMismatch, message))?;
    }
    Ok(ptx)
}

/// An error for a module that is refused without asking the driver.
pub(crate) fn refused(kind: ErrorKind, message: String) -> DriverError {
    DriverError { call: LOADING, kind, code: 0, message: message.into() }
}

fn compare(module: &ModuleDecl, kernel: &KernelDecl, entries: &[Entry<'_>]) -> Result<(), String> {
    let of_module = format!("kernel `{}` of module `{}`", kernel.name, module.name);
    let Some(entry) = entries.iter().find(|entry| entry.name == kernel.entry) else {
        let names: Vec<_> = entries.iter().map(|entry| format!("`{}`", entry.name)).collect();
        let there = if names.is_empty() { "no entries at all".to_owned() } else { names.join(", ") };
        return Err(format!("{of_module}: no entry `{}` in the PTX, which has {there}", kernel.entry));
    };
    if entry.params.len() != kernel.params.len() {
        let (found, declared) = (entry.params.len(), kernel.params.len());
        return Err(format!("{of_module}: {found} parameters in the PTX, {declared} in the declaration"));
    }
    for (index, (&found, param)) in entry.params.iter().zip(kernel.params).enumerate() {
        let declared = param.kind.bytes();
        if found != declared {
            let what = match param.kind {
                ParamKind::Scalar { .. } => "",
                ParamKind::Read { .. } | ParamKind::Write { .. } => " (a pointer)",
            };
            return Err(format!(
                "{of_module}: parameter {index} `{}` is {} in the PTX, {}{what} in the declaration",
                param.name,
                in_bytes(found),
                in_bytes(declared),
            ));
        }
    }
    Ok(())
}

fn in_bytes(bytes: usize) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

#[cfg(test)]
mod tests {
    use antecede::driver::{ParamDecl, Twin, TwinArgs};

    use super::*;

    const SAXPY: &str = "
        .version 8.1
        .visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y) { ret; }
        .visible .entry fill(.param .u8 value) { ret; }";

    const N: ParamDecl = ParamDecl { name: "n", kind: ParamKind::Scalar { bytes: 4 } };
    const A: ParamDecl = ParamDecl { name: "a", kind: ParamKind::Scalar { bytes: 4 } };
    const X: ParamDecl = ParamDecl { name: "x", kind: ParamKind::Read { element: 4 } };
    const Y: ParamDecl = ParamDecl { name: "y", kind: ParamKind::Write { element: 4 } };

    fn nothing(_: &TwinArgs<'_>) {}
    const TWIN: Twin = nothing;

    /// Checks one kernel `entry` with these parameters against the text.
    fn check(
        ptx: Option<&'static str>,
        entry: &'static str,
        params: &'static [ParamDecl],
    ) -> DriverResult<&'static str> {
        let kernels = Box::leak(Box::new([KernelDecl { name: "saxpy", entry, params, twin: TWIN }]));
        matching_ptx(&ModuleDecl { name: "Math", ptx, kernels })
    }

    fn mismatch(entry: &'static str, params: &'static [ParamDecl]) -> String {
        let error = check(Some(SAXPY), entry, params).expect_err("refused");
        assert_eq!((error.kind, error.code), (ErrorKind::KernelMismatch, 0));
        error.message.into()
    }

    #[test]
    fn a_true_declaration_passes() {
        assert_eq!(check(Some(SAXPY), "saxpy", &[N, A, X, Y]), Ok(SAXPY));
    }

    #[test]
    fn sizes_are_compared() {
        let narrow = ".entry saxpy(.param .u32 n, .param .f32 a, .param .u32 x, .param .u64 y) { }";
        let error = check(Some(narrow), "saxpy", &[N, A, X, Y]).expect_err("refused");
        assert_eq!(
            &*error.message,
            "kernel `saxpy` of module `Math`: parameter 2 `x` is 4 bytes in the PTX, 8 bytes (a pointer) in the declaration"
        );
        assert_eq!(
            mismatch("saxpy", &[N, X, A, Y]),
            "kernel `saxpy` of module `Math`: parameter 1 `x` is 4 bytes in the PTX, 8 bytes (a pointer) in the declaration"
        );
        assert_eq!(
            mismatch("fill", &[N]),
            "kernel `saxpy` of module `Math`: parameter 0 `n` is 1 byte in the PTX, 4 bytes in the declaration"
        );
    }

    #[test]
    fn numbers_are_compared() {
        assert_eq!(
            mismatch("saxpy", &[N, A, X]),
            "kernel `saxpy` of module `Math`: 4 parameters in the PTX, 3 in the declaration"
        );
    }

    #[test]
    fn a_missing_entry_names_those_that_exist() {
        assert_eq!(
            mismatch("axpy", &[N, A, X, Y]),
            "kernel `saxpy` of module `Math`: no entry `axpy` in the PTX, which has `saxpy`, `fill`"
        );
        let error = check(Some(".version 8.1"), "axpy", &[]).expect_err("refused");
        assert!(error.message.ends_with("which has no entries at all"), "{error}");
    }

    #[test]
    fn kernels_without_ptx_are_for_the_simulator() {
        let error = check(None, "saxpy", &[N, A, X, Y]).expect_err("refused");
        assert_eq!(error.kind, ErrorKind::InvalidModule);
        assert_eq!(&*error.message, "kernels `Math` are declared without PTX: they run on the simulator only");
    }

    #[test]
    fn ptx_that_cannot_be_read_is_an_invalid_module() {
        let error = check(Some(".entry saxpy(.param .pred p) { }"), "saxpy", &[N]).expect_err("refused");
        assert_eq!(error.kind, ErrorKind::InvalidModule);
        assert!(error.message.starts_with("module `Math`: the head of `.entry saxpy` cannot be read"), "{error}");
    }
}
