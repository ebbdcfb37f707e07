//! Fills of every width, in whole and in part.

use antecede::{Device, DeviceBrand, FillValue, Result, Stream};
use antecede_testkit::mount;
use antecede_tests::A;
use std::fmt::Debug;

mount! { one_byte, two_bytes, four_bytes, at_every_offset, clear_of_wide_elements, pinned_memory }

fn fills<S, D, T: FillValue + PartialEq + Debug>(stream: Stream<S, D>, one: T, two: T) -> Result<()> {
    let mut x = stream.alloc::<T>(100)?;
    stream.fill(&mut x, one)?;
    stream.fill(&mut x[10..20], two)?;
    let x = stream.download(&x)?;
    assert!(x.iter().enumerate().all(|(i, v)| *v == if (10..20).contains(&i) { two } else { one }), "{x:?}");
    Ok(())
}

fn one_byte<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    fills(a, 1u8, 255)?;
    fills(a, -1i8, 127)
}

fn two_bytes<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    fills(a, 0x0102u16, u16::MAX)?;
    fills(a, -2i16, 0x7f01)
}

fn four_bytes<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    fills(a, 0x0102_0304u32, u32::MAX)?;
    fills(a, -3i32, 0x7f01_0203)?;
    fills(a, 1.5f32, -0.25)
}

/// A part may begin at any element, and is aligned to the element all the same.
fn at_every_offset<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = a.zeroed::<u16>(33)?;
    for i in 0..33 {
        a.fill(&mut x[i..], i as u16)?;
    }
    assert_eq!(a.download(&x)?, (0..33).collect::<Vec<u16>>());
    Ok(())
}

fn clear_of_wide_elements<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = a.upload(&[[u64::MAX; 3]; 4])?;
    a.clear(&mut x[1..3])?;
    assert_eq!(a.download(&x)?, [[u64::MAX; 3], [0; 3], [0; 3], [u64::MAX; 3]]);
    Ok(())
}

fn pinned_memory<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = device.pinned_from(&[0u32; 10])?.on(a);
    a.fill(&mut x[5..], 6)?;
    let x = a.sync(x)?;
    assert_eq!(x.as_slice(), [0, 0, 0, 0, 0, 6, 6, 6, 6, 6]);
    Ok(())
}
