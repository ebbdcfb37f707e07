//! Which class of error a code of the driver belongs to.

use antecede::driver::ErrorKind;

/// The class of a `CUresult`.
///
/// Takes a plain number: drivers newer than the bindings return codes that `cust::sys::CUresult` has no name for.
pub(crate) fn kind_of(code: i32) -> ErrorKind {
    match code {
        // CUDA_ERROR_INVALID_VALUE; LAUNCH_OUT_OF_RESOURCES and COOPERATIVE_LAUNCH_TOO_LARGE: a launch that asks for
        // more than the device has is refused, and nothing is lost.
        1 | 701 | 720 => ErrorKind::InvalidValue,
        // CUDA_ERROR_OUT_OF_MEMORY
        2 => ErrorKind::OutOfMemory,
        // NOT_INITIALIZED, DEINITIALIZED, STUB_LIBRARY, DEVICE_UNAVAILABLE, NO_DEVICE, INVALID_DEVICE,
        // DEVICE_NOT_LICENSED, SYSTEM_NOT_READY, SYSTEM_DRIVER_MISMATCH, COMPAT_NOT_SUPPORTED_ON_DEVICE
        3 | 4 | 34 | 46 | 100..=102 | 802..=804 => ErrorKind::NoDevice,
        // INVALID_IMAGE, NO_BINARY_FOR_GPU, INVALID_PTX, JIT_COMPILER_NOT_FOUND, UNSUPPORTED_PTX_VERSION,
        // JIT_COMPILATION_DISABLED, INVALID_SOURCE, SHARED_OBJECT_SYMBOL_NOT_FOUND, SHARED_OBJECT_INIT_FAILED,
        // NOT_FOUND (a symbol that the module lacks)
        200 | 209 | 218 | 221..=223 | 300 | 302 | 303 | 500 => ErrorKind::InvalidModule,
        // INVALID_CONTEXT, CONTEXT_ALREADY_CURRENT, CONTEXT_IS_DESTROYED
        201 | 202 | 709 => ErrorKind::InvalidContext,
        // CUDA_ERROR_INVALID_HANDLE
        400 => ErrorKind::InvalidHandle,
        // UNSUPPORTED_LIMIT, PEER_ACCESS_UNSUPPORTED, UNSUPPORTED_EXEC_AFFINITY, TOO_MANY_PEERS, NOT_SUPPORTED
        215 | 217 | 224 | 711 | 801 => ErrorKind::NotSupported,
        // ECC_UNCORRECTABLE, NVLINK_UNCORRECTABLE, ILLEGAL_ADDRESS, LAUNCH_TIMEOUT, ASSERT, HARDWARE_STACK_ERROR,
        // ILLEGAL_INSTRUCTION, MISALIGNED_ADDRESS, INVALID_ADDRESS_SPACE, INVALID_PC, LAUNCH_FAILED; of newer drivers
        // CONTAINED and TENSOR_MEMORY_LEAK
        214 | 220 | 226 | 700 | 702 | 710 | 714..=719 | 721 => ErrorKind::LaunchFailed,
        _ => ErrorKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use cust::sys::CUresult::*;

    use super::*;

    #[test]
    fn codes_have_the_class_that_their_name_says() {
        for (codes, kind) in [
            (&[CUDA_ERROR_OUT_OF_MEMORY][..], ErrorKind::OutOfMemory),
            (
                &[
                    CUDA_ERROR_INVALID_VALUE,
                    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                ],
                ErrorKind::InvalidValue,
            ),
            (
                &[
                    CUDA_ERROR_NOT_INITIALIZED,
                    CUDA_ERROR_DEINITIALIZED,
                    CUDA_ERROR_STUB_LIBRARY,
                    CUDA_ERROR_NO_DEVICE,
                    CUDA_ERROR_INVALID_DEVICE,
                    CUDA_ERROR_SYSTEM_NOT_READY,
                    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
                    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
                ],
                ErrorKind::NoDevice,
            ),
            (
                &[
                    CUDA_ERROR_INVALID_IMAGE,
                    CUDA_ERROR_NO_BINARY_FOR_GPU,
                    CUDA_ERROR_INVALID_PTX,
                    CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                    CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                    CUDA_ERROR_JIT_COMPILATION_DISABLED,
                    CUDA_ERROR_INVALID_SOURCE,
                    CUDA_ERROR_NOT_FOUND,
                ],
                ErrorKind::InvalidModule,
            ),
            (&[CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED], ErrorKind::InvalidContext),
            (&[CUDA_ERROR_INVALID_HANDLE], ErrorKind::InvalidHandle),
            (
                &[CUDA_ERROR_NOT_SUPPORTED, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, CUDA_ERROR_TOO_MANY_PEERS],
                ErrorKind::NotSupported,
            ),
            (
                &[
                    CUDA_ERROR_ECC_UNCORRECTABLE,
                    CUDA_ERROR_NVLINK_UNCORRECTABLE,
                    CUDA_ERROR_ILLEGAL_ADDRESS,
                    CUDA_ERROR_LAUNCH_TIMEOUT,
                    CUDA_ERROR_ASSERT,
                    CUDA_ERROR_HARDWARE_STACK_ERROR,
                    CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    CUDA_ERROR_MISALIGNED_ADDRESS,
                    CUDA_ERROR_INVALID_ADDRESS_SPACE,
                    CUDA_ERROR_INVALID_PC,
                    CUDA_ERROR_LAUNCH_FAILED,
                ],
                ErrorKind::LaunchFailed,
            ),
            (&[CUDA_ERROR_UNKNOWN, CUDA_ERROR_NOT_PERMITTED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED], ErrorKind::Other),
        ] {
            for &code in codes {
                assert_eq!(kind_of(code as i32), kind, "{code:?}");
            }
        }
    }

    #[test]
    fn codes_without_a_name_are_other() {
        for code in [-1, 912, 100_000, i32::MAX] {
            assert_eq!(kind_of(code), ErrorKind::Other, "{code}");
        }
    }
}
