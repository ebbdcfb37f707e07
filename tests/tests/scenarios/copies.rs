//! Copies: from and to Rust slices, between buffers, in pieces.

use antecede::{Device, DeviceBrand, Error, Result};
use antecede_testkit::mount;
use antecede_tests::{A, B};

mount! {
    every_element_type, upload_and_download, larger_than_one_piece, write_and_read_in_place, to_vec_of_synced,
    device_to_device, between_parts_of_one_buffer, the_source_may_be_changed_afterwards, nothing_is_copied_of_nothing,
    elements_without_bytes,
}

fn every_element_type<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    macro_rules! check {
        ($($values:expr),+ $(,)?) => { $({
            let values = $values;
            let x = a.upload(&values)?;
            assert_eq!(a.download(&x)?, values);
        })+ };
    }
    check!([1u8, 255], [-1i8, 2], [1u16; 5], [-3i16], [u32::MAX], [-4i32], [u64::MAX, 1], [-5i64], [1.5f32, -0.0]);
    check!([f64::MIN, 2.5], [[1u8, 2, 3], [4, 5, 6]], [[1.0f32; 4]; 3], [usize::MAX], [u128::MAX]);
    Ok(())
}

fn upload_and_download<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let host: Vec<u32> = (0..10_000).collect();
    let x = a.upload(&host)?;
    assert_eq!(a.download(&x)?, host);
    let x = b.take(x)?;
    assert_eq!(b.download(&x)?, host);
    assert_eq!(b.download(&x[5000..5005])?, [5000, 5001, 5002, 5003, 5004]);
    Ok(())
}

/// A staged copy goes in pieces of 4 MiB: sizes at, just under and over one and two of them.
fn larger_than_one_piece<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    const PIECE: usize = 4 << 20;
    let a = device.stream::<A>()?;
    for bytes in [PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 3] {
        let host: Vec<u8> = (0..bytes).map(|i| (i * 31 + i / 251) as u8).collect();
        let x = a.upload(&host)?;
        assert!(a.download(&x)? == host, "{bytes} bytes");
    }
    Ok(())
}

fn write_and_read_in_place<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = a.zeroed::<u16>(10)?;
    a.write(&mut x[2..5], &[1, 2, 3])?;
    let mut out = [9u16; 4];
    a.read(&x[1..5], &mut out)?;
    assert_eq!(out, [0, 1, 2, 3]);
    let wrong = a.write(&mut x, &[1, 2, 3]).expect_err("10 elements are not 3");
    assert!(matches!(wrong, Error::LengthMismatch { expected: 10, found: 3, .. }));
    let wrong = a.read(&x, &mut out).expect_err("4 elements are not 10");
    assert!(matches!(wrong, Error::LengthMismatch { expected: 4, found: 10, .. }));
    assert_eq!(out, [0, 1, 2, 3], "nothing was copied");
    Ok(())
}

fn to_vec_of_synced<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let x = a.sync(a.upload(&[1u32, 2])?)?;
    assert_eq!(x.to_vec()?, [1, 2]);
    assert_eq!(x.to_vec()?, [1, 2], "as often as one likes");
    let host = device.pinned_from(&[3u32, 4])?;
    assert_eq!(host.to_vec()?, [3, 4]);
    Ok(())
}

fn device_to_device<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let x = a.upload(&[1u64, 2, 3])?;
    let mut y = a.alloc(3)?;
    a.copy(&x, &mut y)?;
    let mut short = a.alloc::<u64>(2)?;
    let wrong = a.copy(&x, &mut short).expect_err("2 elements are not 3");
    assert!(matches!(wrong, Error::LengthMismatch { expected: 2, found: 3, .. }));
    let y = b.take(y)?;
    assert_eq!(b.download(&y)?, [1, 2, 3]);
    Ok(())
}

fn between_parts_of_one_buffer<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = a.upload(&[1u32, 2, 3, 4])?;
    let (left, right) = x.split_at_mut(2);
    a.copy(left, right)?;
    assert_eq!(a.download(&x)?, [1, 2, 1, 2]);
    Ok(())
}

/// A copy from a slice has left it when it returns, also when the slice is pinned memory that the device could read later.
fn the_source_may_be_changed_afterwards<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut plain = vec![1u32; 1000];
    let mut pinned = device.pinned_from(&plain)?;
    let x = a.upload(&plain)?;
    let y = a.upload(pinned.as_slice())?;
    plain.fill(2);
    pinned.as_mut_slice().fill(2);
    assert_eq!(a.download(&x)?, [1; 1000]);
    assert_eq!(a.download(&y)?, [1; 1000]);
    a.read(&x, pinned.as_mut_slice())?;
    assert_eq!(pinned.as_slice(), [1; 1000]);
    Ok(())
}

fn nothing_is_copied_of_nothing<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = a.upload::<u32>(&[])?;
    assert!(x.is_empty());
    a.clear(&mut x)?;
    a.write(&mut x, &[])?;
    let mut y = a.alloc::<u32>(0)?;
    a.copy(&x, &mut y)?;
    let x = b.sync(b.take(a.sync(x)?)?)?.on(a);
    assert_eq!(a.download(&x)?, []);
    let mut z = a.upload(&[1u32])?;
    a.copy(&y, &mut z[1..])?;
    a.copy(&z[..0], &mut y)?;
    assert_eq!(a.download(&z)?, [1]);
    Ok(())
}

fn elements_without_bytes<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let x = a.upload(&[(), (), ()])?;
    assert_eq!(x.len(), 3);
    let x = b.take(x)?;
    assert_eq!(b.download(&x[1..])?.len(), 2);
    let x = b.sync(x)?;
    assert_eq!(x.to_vec()?.len(), 3);
    let mut host = device.pinned::<()>(usize::MAX)?;
    assert_eq!((host.len(), host.as_slice().len(), host.as_mut_slice().len()), (usize::MAX, usize::MAX, usize::MAX));
    Ok(())
}
