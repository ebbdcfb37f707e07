//! Page-locked host memory.

use antecede::{Device, DeviceBrand, Result};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B};

mount! {
    up_and_down, host_slices_while_synced, dropped_in_flight_and_allocated_again, sizes_of_every_class,
    kernels_on_pinned_memory, handed_over_between_streams, a_ring_of_slots,
}

fn up_and_down<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let host: Vec<u32> = (0..5000).collect();
    let source = device.pinned_from(&host)?.on(a);
    let mut x = a.alloc(5000)?;
    a.copy(&source, &mut x)?;
    let x = b.take(x)?;
    let mut target = device.pinned::<u32>(5000)?.on(b);
    b.copy(&x, &mut target)?;
    let target = b.sync(target)?;
    assert_eq!(target.as_slice(), host);
    let source = a.sync(source)?;
    assert_eq!(source.as_slice(), host);
    Ok(())
}

fn host_slices_while_synced<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = device.pinned_from(&[1u8, 2, 3])?;
    x.as_mut_slice()[1] = 9;
    let mut on_device = a.alloc::<u8>(3)?;
    let x = x.on(a);
    a.copy(&x, &mut on_device)?;
    let mut x = a.sync(x)?;
    x.as_mut_slice().fill(0);
    assert_eq!(a.download(&on_device)?, [1, 9, 3]);
    Ok(())
}

/// The memory of a buffer that was dropped with a copy in flight is not written by its next owner before that is over.
fn dropped_in_flight_and_allocated_again<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut copies = Vec::new();
    for round in 0..10u32 {
        let mut source = device.pinned::<u32>(1000)?;
        source.as_mut_slice().fill(round);
        let source = source.on(a);
        let mut x = a.alloc::<u32>(1000)?;
        a.copy(&source, &mut x)?;
        drop(source);
        copies.push(x);
        if round == 5 {
            a.sync(())?;
        }
    }
    for (x, round) in copies.iter().zip(0..) {
        assert_eq!(a.download(x)?, [round; 1000]);
    }
    Ok(())
}

fn sizes_of_every_class<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    for len in [1, 255, 256, 257, 4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20] {
        for _ in 0..2 {
            let mut x = device.pinned::<u8>(len)?;
            assert_eq!(x.len(), len);
            x.as_mut_slice().fill(len as u8);
            assert!(x.as_slice().iter().all(|&byte| byte == len as u8));
        }
    }
    Ok(())
}

fn kernels_on_pinned_memory<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    let mut x = device.pinned_from(&[1u32, 2, 3])?.on(a);
    math.increment(a, 3, &mut x)?;
    let x = a.sync(x)?;
    assert_eq!(x.as_slice(), [2, 3, 4]);
    Ok(())
}

fn handed_over_between_streams<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = device.pinned::<u32>(4)?.on(a);
    a.fill(&mut x, 1)?;
    let mut x = b.take(x)?;
    b.fill(&mut x[2..], 2)?;
    let x = b.record(x)?.synchronize()?;
    assert_eq!(x.as_slice(), [1, 1, 2, 2]);
    Ok(())
}

fn a_ring_of_slots<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut ring = std::collections::VecDeque::new();
    let mut out = Vec::new();
    for i in 0..20u32 {
        let mut slot = if ring.len() == 3 {
            let record: antecede::Recorded<_, D> = ring.pop_front().expect("three are there");
            let slot: antecede::Buffer<u32, antecede::Synced<D>, antecede::Pinned> = record.synchronize()?;
            out.push(slot.as_slice()[0]);
            slot
        } else {
            device.pinned::<u32>(256)?
        };
        slot.as_mut_slice().fill(i);
        let source = slot.on(a);
        let mut x = a.alloc::<u32>(256)?;
        a.copy(&source, &mut x)?;
        let (x, mut slot) = b.take((x, source))?;
        b.copy(&x, &mut slot)?;
        ring.push_back(b.record(slot)?);
    }
    for record in ring {
        out.push(record.synchronize()?.as_slice()[0]);
    }
    assert_eq!(out, (0..20).collect::<Vec<_>>());
    Ok(())
}
