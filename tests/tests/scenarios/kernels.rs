//! Kernels against a reference on the host.

use antecede::{Device, DeviceBrand, Error, Result};
use antecede_testkit::{Burn, Histogram, Math, Pattern, mount, pattern_word};
use antecede_tests::{A, B};

mount! {
    saxpy, scale, increment_on_two_streams, histogram, pattern_is_verified_on_another_stream,
    a_wrong_word_is_found, n_smaller_than_the_slices, contract_violated, nothing_to_launch, loaded_twice, burn,
}

fn saxpy<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let math = device.load::<Math>()?;
    let (x, y): (Vec<f32>, Vec<f32>) = (0..10_000).map(|i| (i as f32 * 0.5, 1.0 / (i + 1) as f32)).unzip();
    let on_x = a.upload(&x)?;
    let mut on_y = b.upload(&y)?;
    let on_x = b.take(on_x)?;
    math.saxpy(b, 10_000, 2.5, &on_x, &mut on_y)?;
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 2.5f32.mul_add(*x, *y)).collect();
    assert_eq!(b.download(&on_y)?, expected);
    Ok(())
}

fn scale<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    let x: Vec<f32> = (0..1000).map(|i| i as f32 - 500.0).collect();
    let on_x = a.upload(&x)?;
    let mut y = a.alloc(1000)?;
    math.scale(a, 1000, -0.5, &on_x, &mut y)?;
    assert_eq!(a.download(&y)?, x.iter().map(|x| -0.5 * x).collect::<Vec<_>>());
    Ok(())
}

fn increment_on_two_streams<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let math = device.load::<Math>()?;
    let mut x = a.upload(&[0, 10, u32::MAX])?;
    for _ in 0..10 {
        math.increment(a, 3, &mut x)?;
        let mut y = b.take(x)?;
        math.increment(b, 3, &mut y)?;
        x = a.take(y)?;
    }
    assert_eq!(a.download(&x)?, [20, 30, 19]);
    Ok(())
}

fn histogram<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let kernels = device.load::<Histogram>()?;
    let data: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(i) / 7 + i) as u8).collect();
    let mut expected = vec![0u32; 256];
    data.iter().for_each(|&byte| expected[usize::from(byte)] += 1);
    let mut bins = b.zeroed::<u32>(256)?;
    for part in data.chunks(30_000) {
        let x = b.take(a.upload(part)?)?;
        kernels.histogram(b, part.len() as u32, &x, &mut bins)?;
    }
    assert_eq!(b.download(&bins)?, expected);
    Ok(())
}

fn pattern_is_verified_on_another_stream<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let kernels = device.load::<Pattern>()?;
    for seed in [0, 1, 0xdead_beef] {
        let mut x = a.alloc::<u32>(50_000)?;
        kernels.fill_pattern(a, 50_000, seed, &mut x)?;
        let x = b.take(x)?;
        let mut bad = b.alloc::<u32>(1)?;
        b.fill(&mut bad, u32::MAX)?;
        kernels.verify_pattern(b, 50_000, seed, &x, &mut bad)?;
        assert_eq!(b.download(&bad)?, [u32::MAX]);
        let words: Vec<u32> = (0..50_000).map(|i| pattern_word(i, seed)).collect();
        assert_eq!(b.download(&x)?, words);
    }
    Ok(())
}

fn a_wrong_word_is_found<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let kernels = device.load::<Pattern>()?;
    let mut x = a.alloc::<u32>(1000)?;
    kernels.fill_pattern(a, 1000, 5, &mut x)?;
    a.fill(&mut x[700..701], 0)?;
    a.fill(&mut x[333..334], 0)?;
    let mut bad = a.alloc::<u32>(1)?;
    a.fill(&mut bad, u32::MAX)?;
    kernels.verify_pattern(a, 1000, 5, &x, &mut bad)?;
    assert_eq!(a.download(&bad)?, [333]);
    Ok(())
}

fn n_smaller_than_the_slices<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    let x = a.upload(&[1.0f32; 8])?;
    let mut y = a.upload(&[0.0f32; 9])?;
    math.saxpy(a, 3, 1.0, &x, &mut y)?;
    assert_eq!(a.download(&y)?, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    Ok(())
}

fn contract_violated<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let (math, pattern) = (device.load::<Math>()?, device.load::<Pattern>()?);
    let x = a.upload(&[1.0f32; 4])?;
    let mut y = a.upload(&[2.0f32; 3])?;
    for n in [4, 5, u32::MAX] {
        let error = math.saxpy(a, n, 1.0, &x, &mut y).expect_err("`y` has 3 elements");
        let Error::Contract { module, kernel, clause, .. } = &error else { panic!("{error:?}") };
        assert_eq!((*module, *kernel), ("Math", "saxpy"));
        assert!(clause.contains(if n == 4 { "y.len()" } else { "x.len()" }), "{clause}");
    }
    let mut none = a.alloc::<u32>(0)?;
    let words = a.zeroed::<u32>(4)?;
    assert!(matches!(pattern.verify_pattern(a, 4, 0, &words, &mut none), Err(Error::Contract { .. })));
    assert_eq!(a.download(&y)?, [2.0; 3], "nothing was launched");
    Ok(())
}

fn nothing_to_launch<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    let mut x = a.alloc::<u32>(0)?;
    math.increment(a, 0, &mut x)?;
    let mut y = a.upload(&[5u32])?;
    math.increment(a, 0, &mut y)?;
    assert_eq!(a.download(&y)?, [5]);
    Ok(())
}

fn loaded_twice<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let (one, two) = (device.load::<Math>()?, device.load::<Math>()?);
    let mut x = a.zeroed::<u32>(2)?;
    one.increment(a, 2, &mut x)?;
    two.increment(a, 2, &mut x)?;
    assert_eq!(a.download(&x)?, [2, 2]);
    Ok(())
}

fn burn<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let burn = device.load::<Burn>()?;
    let mut done = a.zeroed::<u32>(1)?;
    burn.burn(a, 100_000, &mut done)?;
    assert_eq!(a.download(&done)?, [1]);
    Ok(())
}
