//! Allocation, copies, pinned memory, streams and modules. Host accesses are no driver calls, but are noted.

use crate::{FREE, costs};
use antecede_testkit::{Math, on_sim};
use antecede_tests::{A, B};
use antecede_trace::Call;

#[test]
fn copies_from_and_to_slices() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let first =
            [(Call::Alloc, 1), (Call::PinnedAlloc, 1), (Call::HostWrite, 1), (Call::Copy, 1), (Call::StreamSync, 1)];
        let mut x = costs(bench, first, || a.upload(&[1u32, 2]))?;
        // The staging memory is used again.
        let write = [(Call::HostWrite, 1), (Call::Copy, 1), (Call::StreamSync, 1)];
        let read = [(Call::Copy, 1), (Call::StreamSync, 1), (Call::HostRead, 1)];
        costs(bench, write, || a.write(&mut x, &[3, 4]))?;
        costs(bench, read, || a.download(&x))?;
        costs(bench, read, || a.read(&x[1..], &mut [0]))?;
        let x = a.sync(x)?;
        costs(bench, read, || x.to_vec())?;
        Ok(())
    });
}

#[test]
fn a_large_copy_goes_in_pieces() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let host = vec![1u8; (8 << 20) + 1];
        let mut x = a.alloc::<u8>(host.len())?;
        a.write(&mut x, &host)?;
        let pieces = [(Call::HostWrite, 3), (Call::Copy, 3), (Call::StreamSync, 3)];
        costs(bench, pieces, || a.write(&mut x, &host))
    });
}

#[test]
fn pinned_memory() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        drop(device.pinned::<u8>(10_000)?); // also opens the stream that fresh pinned memory is on
        let x = costs(bench, FREE, || device.pinned::<u8>(9_000))?;
        let y = costs(bench, [(Call::PinnedAlloc, 1)], || device.pinned::<u8>(9_000))?;
        let (x, mut y) = costs(bench, FREE, || Ok((x.on(a), y.on(a))))?;
        costs(bench, [(Call::Copy, 1)], || a.copy(&x, &mut y))?;
        let y = a.sync(y)?;
        // One host access for each slice, and no driver call.
        costs(bench, [(Call::HostRead, 1)], || Ok(y.as_slice()[0]))?;
        costs(bench, [(Call::HostRead, 1)], || y.to_vec())?;
        drop(x);
        Ok(())
    });
}

#[test]
fn a_stream_is_created_once() {
    on_sim(|device, bench| {
        let created = [(Call::StreamCreate, 1), (Call::EventCreate, 1)];
        let a = costs(bench, created, || device.stream::<A>())?;
        assert!(costs(bench, FREE, || device.stream::<A>())? == a);
        costs(bench, created, || device.streams::<(A, B)>())?;
        Ok(())
    });
}

#[test]
fn a_module_is_loaded_once() {
    on_sim(|device, bench| {
        costs(bench, [(Call::ModuleLoad, 1)], || device.load::<Math>())?;
        costs(bench, FREE, || device.load::<Math>())?;
        Ok(())
    });
}
