//! A drop is one `cuMemFreeAsync` on the stream that the buffer is ready on, and no more.

use crate::FREE;
use antecede_testkit::{Bench, on_sim};
use antecede_tests::{A, B};
use antecede_trace::{Call, Counts};

/// Drops `value`, which must make exactly these calls on streams of these names.
#[track_caller]
fn drop_costs<T, const N: usize>(bench: &Bench, value: T, expected: [(Call, &str); N]) {
    let ((), log) = bench.log(|| drop(value));
    let found: Vec<_> = log
        .entries()
        .iter()
        .map(|entry| (entry.call, entry.stream.and_then(|stream| stream.name).unwrap_or("none")))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn device_memory_in_every_state() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let fresh = || a.zeroed::<u32>(8);
        drop_costs(bench, fresh()?, [(Call::Free, "A")]);
        drop_costs(bench, fresh()?.loose(), [(Call::Free, "A")]);
        drop_costs(bench, a.sync(fresh()?)?, [(Call::Free, "A")]);
        drop_costs(bench, a.sync(fresh()?)?.loose(), [(Call::Free, "A")]);
        drop_costs(bench, a.sync(fresh()?)?.on(b), [(Call::Free, "B")]);
        drop_costs(bench, b.take(fresh()?)?, [(Call::Free, "B")]);
        drop_costs(bench, b.take(fresh()?)?.loose(), [(Call::Free, "B")]);
        drop_costs(bench, b.sync(b.take(fresh()?)?)?, [(Call::Free, "B")]);
        drop_costs(bench, a.record(fresh()?)?, [(Call::Free, "A")]);
        drop_costs(bench, b.wait(a.record(fresh()?)?)?, [(Call::Free, "B")]);
        drop_costs(bench, b.record(b.take(fresh()?)?)?, [(Call::Free, "B")]);
        drop_costs(bench, a.record(fresh()?)?.synchronize()?, [(Call::Free, "A")]);
        Ok(())
    });
}

#[test]
fn a_batch_is_freed_piece_by_piece() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let batch = (a.zeroed::<u32>(1)?, vec![b.zeroed::<u8>(1)?, b.zeroed(1)?], a.alloc::<u32>(0)?);
        drop_costs(bench, batch, [(Call::Free, "A"), (Call::Free, "B"), (Call::Free, "B")]);
        let (x, y) = a.record((a.zeroed::<u32>(1)?, a.zeroed::<u32>(1)?))?.split();
        drop_costs(bench, x, [(Call::Free, "A")]);
        drop_costs(bench, y, [(Call::Free, "A")]);
        Ok(())
    });
}

#[test]
fn a_failure_that_is_dropped_frees_where_the_buffers_were() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let failed = b.claim((a.zeroed::<u32>(1)?, b.zeroed::<u32>(1)?)).expect_err("one is on `A`");
        drop_costs(bench, failed, [(Call::Free, "A"), (Call::Free, "B")]);
        Ok(())
    });
}

/// Its free is not stream-ordered, so it is not called: the memory waits for its event in a cache.
#[test]
fn pinned_memory_in_flight_costs_one_record() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        // Two idle events, so that none need be created.
        drop((a.record(())?, a.record(())?));
        let mut x = device.pinned::<u32>(8)?.on(a);
        a.fill(&mut x, 1)?;
        drop_costs(bench, x, [(Call::EventRecord, "A")]);
        let mut x = b.take(device.pinned::<u32>(8)?.on(a))?;
        b.fill(&mut x, 1)?;
        drop_costs(bench, x.loose(), [(Call::EventRecord, "B")]);
        Ok(())
    });
}

#[test]
fn pinned_memory_that_is_synced_costs_nothing() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let fresh = device.pinned::<u32>(8)?;
        drop_costs(bench, fresh, []);
        let mut x = device.pinned::<u32>(8)?.on(a);
        a.fill(&mut x, 1)?;
        let x = a.sync(x)?;
        drop_costs(bench, x, []);
        let (again, calls) = bench.counts(|| device.pinned::<u32>(7));
        assert_eq!(calls, Counts::from(FREE), "of the same size class, out of the cache");
        drop(again?);
        Ok(())
    });
}
