//! Mistakes that are found at run time: nothing is submitted, nothing is lost.

use antecede::{Device, DeviceBrand, Error, Failed, Result};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B};

mount! { too_large, question_mark_into_other_errors, restore_after_a_refused_claim, the_device_works_on }

fn too_large<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    for len in [usize::MAX, usize::MAX / 8 + 1, isize::MAX as usize / 8 + 1] {
        let error = a.alloc::<u64>(len).expect_err("more bytes than the address space");
        assert!(matches!(error, Error::TooLarge { len: found, element: 8, .. } if found == len), "{error:?}");
        let error = device.pinned::<u64>(len).expect_err("more bytes than the address space");
        assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");
    }
    let error = a.alloc::<[u64; 1 << 20]>(usize::MAX >> 10).expect_err("the product wraps");
    assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");
    Ok(())
}

fn question_mark_into_other_errors<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let boxed = || -> std::result::Result<(), Box<dyn std::error::Error + Send + Sync>> {
        drop(b.claim(a.upload(&[1u8])?)?);
        Ok(())
    };
    let plain = || -> Result<()> {
        drop(b.claim(a.upload(&[1u8])?)?);
        Ok(())
    };
    assert_eq!(boxed().expect_err("it is on `A`").to_string(), plain().expect_err("it is on `A`").to_string());
    Ok(())
}

fn restore_after_a_refused_claim<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut place = a.upload(&[1u8, 2])?.loose();
    let failed: Failed<_> = b.claim(std::mem::take(&mut place)).expect_err("it is on `A`");
    let error = failed.restore(&mut place);
    assert!(matches!(error, Error::StreamMismatch { .. }));
    assert_eq!(a.download(&a.claim(place)?)?, [1, 2]);
    Ok(())
}

fn the_device_works_on<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let math = device.load::<Math>()?;
    let mut x = a.upload(&[1u32, 2])?;
    assert!(math.increment(a, 3, &mut x).is_err());
    assert!(a.write(&mut x, &[0; 3]).is_err());
    let Failed { buffers: x, .. } = b.claim(x).expect_err("it is on `A`");
    let mut x = b.take(x)?;
    math.increment(b, 2, &mut x)?;
    assert_eq!(b.download(&x)?, [2, 3]);
    assert!(!device.is_poisoned());
    Ok(())
}
