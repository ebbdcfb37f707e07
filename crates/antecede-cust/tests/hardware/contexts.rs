use std::sync::Arc;

use antecede::driver::{Driver, ErrorKind};
use antecede_cust::Cuda;
use cust::sys::{self, CUcontext, CUresult};

use crate::common::{Gpu, in_context};

#[test]
#[ignore = "needs a GPU"]
fn every_handle_is_to_one_driver() {
    let (one, other) = (Cuda::new().expect("a GPU"), Cuda::new().expect("a GPU"));
    assert_eq!(one.id(), other.id());
    let object: Arc<dyn Driver> = one.into();
    assert_eq!(object.id(), other.id());
    assert_eq!(object.name(), "cuda");
    let mut count = 0;
    // SAFETY: `count` outlives the call.
    assert_eq!(unsafe { sys::cuDeviceGetCount(&mut count) }, CUresult::CUDA_SUCCESS);
    assert_eq!(object.device_count(), Ok(count as u32));
    assert_ne!(count, 0);
}

#[test]
#[ignore = "needs a GPU"]
fn every_device_has_one_context_however_often_it_is_opened() {
    let driver = Cuda::new().expect("a GPU");
    let mut seen = Vec::new();
    for ordinal in 0..driver.device_count().expect("a number") {
        // SAFETY: each opening is closed once, and nothing is made in between.
        unsafe {
            let first = driver.context_open(ordinal).expect("opens");
            let second = driver.context_open(ordinal).expect("opens again");
            assert_eq!(first, second);
            assert_eq!(first.ordinal, ordinal);
            driver.context_close(&first).expect("closes");
            driver.context_close(&second).expect("closes again");
            let later = driver.context_open(ordinal).expect("opens after the last closing");
            assert_eq!(first, later);
            driver.context_sync(&later).expect("lives");
            assert!(!seen.contains(&later.id) && later.handle != 0);
            seen.push(later.id);
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn the_context_is_the_devices_primary_one() {
    let gpu = Gpu::open();
    let (mut primary, mut device) = (std::ptr::null_mut(), -1);
    // SAFETY: the results outlive the calls; the retain is given back.
    unsafe {
        assert_eq!(sys::cuDevicePrimaryCtxRetain(&mut primary, 0), CUresult::CUDA_SUCCESS);
        assert_eq!(sys::cuDevicePrimaryCtxRelease_v2(0), CUresult::CUDA_SUCCESS);
        in_context(&gpu.context, || assert_eq!(sys::cuCtxGetDevice(&mut device), CUresult::CUDA_SUCCESS));
    }
    assert_eq!(gpu.context.handle as CUcontext, primary);
    assert_eq!(device, 0);
}

#[test]
#[ignore = "needs a GPU"]
fn an_ordinal_beyond_the_last_is_no_device() {
    let driver = Cuda::new().expect("a GPU");
    for ordinal in [driver.device_count().expect("a number"), u32::MAX] {
        // SAFETY: no handle is given.
        let error = unsafe { driver.context_open(ordinal) }.expect_err("there is no such device");
        assert_eq!((error.kind, error.call), (ErrorKind::NoDevice, "cuDeviceGet"));
        assert!(error.message.starts_with(&format!("device {ordinal}: CUDA_ERROR_INVALID_DEVICE: ")), "{error}");
    }
}
