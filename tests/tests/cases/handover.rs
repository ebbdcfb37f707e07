//! Between streams the device waits, not the host; for the event of the buffer, not for whatever its stream does later.
//!
//! case: FP-13, FP-15, FP-19, WAR-01, WAR-03, RAW-01, STALE-01

use crate::{FREE, HAND_OVER, costs, warm_up};
use antecede::{Buffer, On, Result};
use antecede_testkit::{Math, on_sim};
use antecede_tests::{A, B, C, E};
use antecede_trace::Call;

#[test]
fn a_hand_over_does_not_wait_on_the_host() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        warm_up(a)?;
        let x = a.zeroed::<u32>(8)?;
        let pending = bench.sim().live().pending;
        let x = costs(bench, HAND_OVER, || Ok(b.take(x)?))?;
        assert!(bench.sim().live().pending >= pending, "nothing was waited for");
        let x = costs(bench, HAND_OVER, || Ok(a.take(x)?))?;
        assert_eq!(a.download(&x)?, [0; 8]);
        Ok(())
    });
}

/// A block that was found by an index has its stream in its type, or remembers it.
#[test]
fn blocks_of_a_cache_are_offloaded_after_they_are_written() {
    on_sim(|device, bench| {
        let (compute, offload) = device.streams::<(A, B)>()?;
        warm_up(compute)?;
        let mut blocks = (0..4).map(|_| Ok(compute.zeroed::<u32>(4)?.loose())).collect::<Result<Vec<_>>>()?;
        for which in [2usize, 0, 2] {
            let mut block = compute.take_from(&mut blocks[which])?;
            compute.fill(&mut block, which as u32 + 1)?;
            let block = costs(bench, HAND_OVER, || Ok(offload.take(block)?))?;
            assert_eq!(offload.download(&block)?, [which as u32 + 1; 4]);
            blocks[which] = block.loose();
        }
        Ok(())
    });
}

/// The reduction of the second bucket is queued behind that of the first: who needs the first does not wait for it.
#[test]
fn each_buffer_is_waited_for_by_its_own_event() {
    on_sim(|device, bench| {
        let (compute, reduce, math) = (device.stream::<A>()?, device.stream::<B>()?, device.load::<Math>()?);
        let (first, second) = (compute.zeroed::<u32>(8)?, compute.zeroed::<u32>(8)?);
        let (mut first, mut second) = reduce.take((first, second))?;
        let (reduced, log) = bench.log(|| -> Result<_> {
            math.increment(reduce, 8, &mut first)?;
            let first = reduce.record(first)?;
            math.increment(reduce, 8, &mut second)?;
            let second = reduce.record(second)?;
            Ok((compute.wait(first)?, second))
        });
        let (mut first, second) = reduced?;
        let entries = log.entries();
        let wait = entries.iter().find(|entry| entry.call == Call::EventWait).expect("one wait");
        let recorded = entries.iter().position(|e| e.call == Call::EventRecord && e.event == wait.event);
        let last_launch = entries.iter().rposition(|entry| entry.call == Call::Launch);
        assert!(
            recorded.expect("a record") < last_launch.expect("a launch"),
            "the event is earlier than the second reduction"
        );
        math.increment(compute, 8, &mut first)?;
        let second = compute.wait(second)?;
        assert_eq!((compute.download(&first)?, compute.download(&second)?), (vec![2; 8], vec![1; 8]));
        Ok(())
    });
}

/// One event, waited for by three streams, each once.
#[test]
fn one_record_fans_out_to_many_streams() {
    on_sim(|device, bench| {
        let (a, b, c, e) = device.streams::<(A, B, C, E)>()?;
        warm_up(a)?;
        let x = a.upload(&[7u32; 4])?;
        let x = costs(bench, [(Call::EventRecord, 1)], || Ok(a.share(x)?))?;
        let leases = costs(bench, [(Call::EventWait, 3)], || Ok((b.lease(&x)?, c.lease(&x)?, e.lease(&x)?)))?;
        let again = costs(bench, FREE, || Ok((b.lease(&x)?, c.lease(&x)?)))?;
        assert_eq!((b.download(&leases.0)?, c.download(&leases.1)?), (vec![7; 4], vec![7; 4]));
        assert_eq!(e.download(&leases.2)?, [7; 4]);
        drop((leases, again));
        Ok(())
    });
}

/// What was taken over is recorded anew on the stream that took it: an older event never stands for later work.
#[test]
fn a_chain_of_streams_records_on_each() {
    on_sim(|device, bench| {
        let (a, b, c) = device.streams::<(A, B, C)>()?;
        warm_up(a)?;
        let mut x = a.alloc::<u32>(8)?;
        a.fill(&mut x, 1)?;
        let (x, log) = bench.log(|| -> Result<Buffer<u32, On<C, _>>> { Ok(c.take(b.take(x)?)?) });
        let names: Vec<_> =
            log.entries().iter().map(|e| (e.call, e.stream.and_then(|s| s.name).unwrap_or(""))).collect();
        let (record, wait) = (Call::EventRecord, Call::EventWait);
        assert_eq!(names, [(record, "A"), (wait, "B"), (record, "B"), (wait, "C")]);
        let mut x = x?;
        c.fill(&mut x, 2)?;
        assert_eq!(c.download(&x)?, [2; 8]);
        Ok(())
    });
}
