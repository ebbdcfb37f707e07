//! Functions of the host that run in stream order.

use antecede::{Device, DeviceBrand, Error, Result};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

mount! {
    they_see_and_change_data_in_stream_order, on_two_streams, they_run_once_each_in_order, dropped_before_they_run,
    a_panic_is_reported_at_the_next_sync,
}

fn they_see_and_change_data_in_stream_order<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    let source = a.upload(&[1u32, 2, 3])?;
    let mut x = device.pinned::<u32>(3)?.on(a);
    a.copy(&source, &mut x)?;
    let x = a.host_fn(x, |x| x.iter_mut().for_each(|x| *x *= 10))?;
    let mut y = a.alloc(3)?;
    a.copy(&x, &mut y)?;
    math.increment(a, 3, &mut y)?;
    // What the first one wrote went to the device before the second one.
    let x = a.host_fn(x, |x| x.reverse())?;
    assert_eq!(a.download(&y)?, [11, 21, 31]);
    assert_eq!(a.sync(x)?.as_slice(), [30, 20, 10]);
    Ok(())
}

fn on_two_streams<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut pair = (device.pinned_from(&[1u32])?.on(a), device.pinned_from(&[2u32])?.on(a));
    for _ in 0..5 {
        let there = b.take(a.host_fn(pair, |(x, y)| x[0] += y[0])?)?;
        pair = a.take(b.host_fn(there, |(x, y)| y[0] += x[0])?)?;
    }
    let (x, y) = a.sync(pair)?;
    let expected = (0..5).fold((1, 2), |(x, y), _| (x + y, x + 2 * y));
    assert_eq!((x.as_slice()[0], y.as_slice()[0]), expected);
    Ok(())
}

fn they_run_once_each_in_order<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = device.pinned_from(&[0u32; 21])?.on(a);
    for index in 1..21 {
        x = a.host_fn(x, move |x| {
            x[0] += 1;
            x[index] = x[0];
        })?;
    }
    let x = a.sync(x)?;
    assert_eq!(x.as_slice()[1..], (1..21).collect::<Vec<u32>>());
    Ok(())
}

/// The buffers are dropped and their memory is allocated again while the function may still be to come.
fn dropped_before_they_run<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let seen = Arc::new(AtomicU32::new(0));
    for value in 1..10 {
        let (mut x, seen) = (device.pinned::<u32>(1000)?, seen.clone());
        x.as_mut_slice().fill(value);
        let add = move |x: &mut [u32]| {
            seen.fetch_add(x.iter().sum(), Relaxed);
        };
        drop(a.host_fn(x.on(a), add)?);
        device.pinned::<u32>(1000)?.as_mut_slice().fill(77);
    }
    a.sync(())?;
    assert_eq!((seen.load(Relaxed), Arc::strong_count(&seen)), (45_000, 1));
    Ok(())
}

fn a_panic_is_reported_at_the_next_sync<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let x = a.host_fn(device.pinned_from(&[1u32, 2])?.on(a), |x| {
        x[0] = 9;
        resume_unwind(Box::new("no third"));
    })?;
    let failed = a.sync(x).expect_err("it panicked");
    assert_eq!(failed.error.to_string(), "a host function on stream `A` panicked: no third");
    assert!(matches!(failed.error, Error::HostFnPanicked { .. }));
    // Once: then the stream goes on.
    let x = a.host_fn(failed.buffers, |x| x[1] += 1)?;
    assert_eq!(a.sync(x)?.as_slice(), [9, 3]);
    Ok(())
}
