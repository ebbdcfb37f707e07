//! Managed memory: used in place by the host and the device.

use antecede::{Buffer, Device, DeviceBrand, Error, Managed, Result, Synced};
use antecede_sim::Sim;
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B};

mount! {
    kernels_write_and_the_host_reads, handed_over_and_copied, dropped_in_flight_and_allocated_again, parts_of_managed_memory,
}

/// That of 1, 2, 3, 4; none where the device has no concurrent access to managed memory, which the error says.
fn managed<D: DeviceBrand>(device: Device<D>) -> Result<Option<Buffer<u32, Synced<D>, Managed>>> {
    match device.managed_from(&[1, 2, 3, 4]) {
        Ok(x) => Ok(Some(x)),
        Err(Error::NotSupported { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

#[test]
fn on_sim_without_concurrent_access() {
    let sim = Sim::builder().concurrent_managed_access(false).build();
    let outcome = Device::scope(sim, 0, |device| {
        assert!(managed(device)?.is_none());
        kernels_write_and_the_host_reads(device)
    });
    outcome.expect("nothing else fails");
}

fn kernels_write_and_the_host_reads<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    let Some(mut x) = managed(device)? else { return Ok(()) };
    for round in 1..5 {
        let mut on_device = x.on(a);
        math.increment(a, 4, &mut on_device)?;
        x = a.sync(on_device)?;
        assert_eq!(x.as_slice()[1..], [2 + round, 3 + round, 4 + round]);
        // What the host writes is what the next kernel sees.
        x.as_mut_slice()[0] = 100 + round;
    }
    assert_eq!(x.to_vec()?, [104, 6, 7, 8]);
    Ok(())
}

fn handed_over_and_copied<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let Some(x) = managed(device)? else { return Ok(()) };
    let mut x = x.on(a);
    a.fill(&mut x[..1], 9)?;
    let mut x = b.take(x)?;
    b.fill(&mut x[1..2], 8)?;
    let mut y = b.zeroed::<u32>(4)?;
    b.copy(&x, &mut y)?;
    let x = b.record(x)?.synchronize()?;
    assert_eq!(x.as_slice(), [9, 8, 3, 4]);
    assert_eq!(b.download(&y)?, [9, 8, 3, 4]);
    Ok(())
}

fn dropped_in_flight_and_allocated_again<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut copies = Vec::new();
    for round in 0..10 {
        let Some(mut x) = managed(device)? else { return Ok(()) };
        x.as_mut_slice().fill(round);
        let x = x.on(a);
        let mut y = a.alloc::<u32>(4)?;
        a.copy(&x, &mut y)?;
        copies.push(y);
    }
    for (copy, round) in copies.iter().zip(0..) {
        assert_eq!(a.download(copy)?, [round; 4]);
    }
    Ok(())
}

fn parts_of_managed_memory<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let math = device.load::<Math>()?;
    let Some(x) = managed(device)? else { return Ok(()) };
    let (left, mut right) = x.into_parts_at(2);
    let mut left = left.on(a);
    math.increment(a, 2, &mut left)?;
    // The host goes on with one part while the device works on the other.
    right.as_mut_slice()[1] = 40;
    let mut right = right.on(b);
    math.increment(b, 2, &mut right)?;
    let (left, right) = a.take((left, right))?;
    assert_eq!(a.sync(left.unsplit(right)?)?.as_slice(), [2, 3, 4, 41]);
    Ok(())
}
