//! On one stream, stream order is all the order that is needed: no event, no wait, no sync.
//!
//! case: FP-01, FP-03, FP-07, FP-09, RAW-03, SEED-1

use crate::{FREE, costs};
use antecede_testkit::{Math, PatternGen, on_sim};
use antecede_tests::A;
use antecede_trace::Call;

#[test]
fn a_program_of_one_stream_makes_only_the_calls_that_it_says() {
    on_sim(|device, bench| {
        let (a, math) = (device.stream::<A>()?, device.load::<Math>()?);
        let calls = [(Call::Alloc, 2), (Call::Fill, 1), (Call::Copy, 1), (Call::Launch, 10), (Call::Free, 2)];
        costs(bench, calls, || {
            let (mut x, mut y) = (a.zeroed::<u32>(8)?, a.alloc::<u32>(8)?);
            (0..5).try_for_each(|_| math.increment(a, 8, &mut x))?;
            a.copy(&x, &mut y)?;
            (0..5).try_for_each(|_| math.increment(a, 8, &mut y))
        })
    });
}

/// Allocate, fill and verify on the stream that the generator is given: the host waits for that stream, and not for the
/// device.
#[test]
fn allocate_fill_and_verify_on_the_stream_that_is_given() {
    on_sim(|device, bench| {
        let pattern = PatternGen::new(device, device.stream::<A>()?, 3)?;
        let x = costs(bench, [(Call::Alloc, 1), (Call::Launch, 1)], || pattern.filled(64))?;
        let (mismatch, calls) = bench.counts(|| pattern.verify(&x));
        assert_eq!(mismatch?, None);
        let waits = [Call::StreamSync, Call::ContextSync, Call::EventRecord, Call::EventWait, Call::EventSync];
        assert_eq!(waits.map(|call| calls.of(call)), [1, 0, 0, 0, 0]);
        Ok(())
    });
}

/// The source is owned, so the host need not wait for its copy; nor is a copy within the device waited for.
#[test]
fn copies_of_owned_memory_do_not_wait() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let host = device.pinned_from(&[1u32, 2, 3])?;
        let (mut x, mut y) = (a.alloc::<u32>(3)?, a.alloc::<u32>(3)?);
        let host = costs(bench, [(Call::Copy, 2)], || {
            let host = host.on(a);
            a.copy(&host, &mut x)?;
            a.copy(&x, &mut y)?;
            Ok(host)
        })?;
        assert_eq!(a.download(&y)?, [1, 2, 3]);
        drop(host);
        Ok(())
    });
}

#[test]
fn constructors_do_not_sync() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        drop(device.pinned::<u8>(1 << 20)?); // also opens the stream that fresh pinned memory is on
        let calls = [(Call::Alloc, 2), (Call::Fill, 1), (Call::PinnedAlloc, 1)];
        let made = costs(bench, calls, || Ok((a.alloc::<u8>(64)?, a.zeroed::<u8>(64)?, device.pinned::<u8>(64)?)))?;
        drop(made);
        Ok(())
    });
}

/// "No order needed" is a type, and not a number that the caller passes.
#[test]
fn an_exchange_within_one_stream_is_free() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let x = a.zeroed::<u32>(8)?;
        let x = costs(bench, FREE, || Ok(a.take(x)?))?;
        let x = costs(bench, FREE, || Ok(a.take(x.loose())?))?;
        let x = costs(bench, FREE, || Ok(a.claim(x.loose())?))?;
        drop(x);
        Ok(())
    });
}
