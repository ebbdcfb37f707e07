//! `record` early, `wait` late.

use antecede::{Device, DeviceBrand, Loose, Query, Recorded, Result};
use antecede_testkit::mount;
use antecede_tests::{A, B, C};
use std::collections::VecDeque;

mount! {
    record_early_and_wait_late, wait_on_the_same_stream, synchronize, query_until_finished, split, each,
    records_of_several_streams_in_one_queue, a_record_without_buffers, dropped_records, events_are_used_again,
}

fn record_early_and_wait_late<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = a.zeroed::<u32>(8)?;
    a.fill(&mut x, 1)?;
    let record = a.record(x)?;
    // What comes later on `a` is not waited for.
    let mut later = a.zeroed::<u32>(8)?;
    a.fill(&mut later, 2)?;
    let x = b.wait(record)?;
    assert_eq!(b.download(&x)?, [1; 8]);
    assert_eq!(a.download(&later)?, [2; 8]);
    Ok(())
}

fn wait_on_the_same_stream<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let x = a.wait(a.record(a.upload(&[3u8])?)?)?;
    assert_eq!(a.download(&x)?, [3]);
    Ok(())
}

fn synchronize<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = a.alloc::<u32>(100)?;
    a.fill(&mut x, 4)?;
    let x = a.record(x)?.synchronize()?;
    assert_eq!(x.to_vec()?, [4; 100]);
    Ok(())
}

fn query_until_finished<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = a.alloc::<u32>(100)?;
    let mut host = device.pinned::<u32>(100)?.on(a);
    a.fill(&mut x, 5)?;
    a.copy(&x, &mut host)?;
    let mut record = a.record((x, host))?;
    let (_, host) = loop {
        match record.query()? {
            Query::Finished(buffers) => break buffers,
            Query::InFlight(still) => record = still,
        }
    };
    assert_eq!(host.as_slice(), [5; 100]);
    Ok(())
}

fn split<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let (mut x, mut y, mut z) = (a.alloc::<u32>(4)?, a.alloc::<u32>(4)?, a.alloc::<u32>(4)?);
    a.fill(&mut x, 1)?;
    a.fill(&mut y, 2)?;
    a.fill(&mut z, 3)?;
    let (x, y, z) = a.record((x, y, z))?.split();
    let (x, y, z) = (b.wait(x)?, c.wait(y)?, z.synchronize()?);
    assert_eq!((b.download(&x)?, c.download(&y)?, z.to_vec()?), (vec![1; 4], vec![2; 4], vec![3; 4]));
    Ok(())
}

fn each<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let mut many = Vec::new();
    for i in 0..10u32 {
        let mut x = a.zeroed(1)?;
        a.fill(&mut x, i)?;
        many.push(x);
    }
    let records = a.record(many)?.each();
    assert_eq!(records.len(), 10);
    for (record, i) in records.zip(0..) {
        let found = if i % 2 == 0 { b.download(&b.wait(record)?)? } else { c.download(&c.wait(record)?)? };
        assert_eq!(found, [i]);
    }
    Ok(())
}

fn records_of_several_streams_in_one_queue<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let mut queue: VecDeque<Recorded<antecede::Buffer<u32, Loose<D>>, D>> = VecDeque::new();
    for i in 0..12 {
        if i % 2 == 0 {
            let mut x = a.zeroed(1)?;
            a.fill(&mut x, i)?;
            queue.push_back(a.record(x)?);
        } else {
            let mut x = b.zeroed(1)?;
            b.fill(&mut x, i)?;
            queue.push_back(b.record(x)?);
        }
    }
    for i in 0..12 {
        let x = c.wait(queue.pop_front().expect("twelve records"))?;
        assert_eq!(c.download(&x)?, [i]);
    }
    Ok(())
}

fn a_record_without_buffers<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = a.zeroed::<u8>(4)?;
    a.fill(&mut x, 1)?;
    b.wait(a.record(())?)?;
    a.record(())?.synchronize()?;
    assert_eq!(a.download(&x)?, [1; 4]);
    Ok(())
}

fn dropped_records<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    for _ in 0..5 {
        let mut x = a.alloc::<u32>(64)?;
        a.fill(&mut x, 1)?;
        drop(a.record((x, device.pinned::<u32>(64)?.on(a)))?);
        // Its memory may be used again at once.
        let mut y = b.alloc::<u32>(64)?;
        b.fill(&mut y, 2)?;
        assert_eq!(b.download(&y)?, [2; 64]);
    }
    Ok(())
}

fn events_are_used_again<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut found = Vec::new();
    for i in 0..20u32 {
        let mut x = a.zeroed(1)?;
        a.fill(&mut x, i)?;
        // The event goes back when its wait has been submitted, and the next round records it anew: the waits that
        // are still to come keep the records that they were submitted for.
        found.push(b.wait(a.record(x)?)?);
    }
    for (x, i) in found.iter().zip(0..) {
        assert_eq!(b.download(x)?, [i]);
    }
    Ok(())
}
