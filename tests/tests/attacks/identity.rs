//! Attack: a raw handle taken for a stream's identity. The simulator gives the handle of a destroyed stream to the next.

use antecede::{Device, DeviceBrand, Result, Stream};
use antecede_sim::Sim;
use antecede_testkit::Fixture;
use antecede_tests::{A, B};
use antecede_trace::{Call, Trace, judge};

/// Two devices have streams with equal handles and equal brands, and each orders its own.
#[test]
fn equal_handles_on_two_devices_are_two_streams() {
    let sim = Sim::builder().devices(2).build();
    let trace = Trace::new(sim);
    Device::scope(trace.clone(), 0, |first| {
        Device::scope(trace.clone(), 1, |second| {
            fn work<D: DeviceBrand>(device: Device<D>) -> Result<(Stream<A, D>, Stream<B, D>)> {
                let (a, b) = device.streams::<(A, B)>()?;
                let mut x = a.zeroed::<u32>(8)?;
                a.fill(&mut x, device.ordinal() + 1)?;
                let x = b.take(x)?;
                assert_eq!(b.download(&x)?, [device.ordinal() + 1; 8]);
                Ok((a, b))
            }
            work(first)?;
            work(second)?;
            Ok(())
        })
    })
    .expect("nothing fails");
    judge(&trace.log()).assert_silent();
}

/// A handle that comes back in a later scope names another stream, and the log tells the two apart.
#[test]
fn a_handle_that_comes_back_is_another_stream() {
    let trace = Trace::new(Sim::new());
    for _ in 0..2 {
        Device::scope(trace.clone(), 0, |device| device.stream::<A>().map(drop)).expect("nothing fails");
    }
    let log = trace.log();
    let created = log.entries().iter().filter(|entry| entry.call == Call::StreamCreate);
    let streams: Vec<_> = created.filter_map(|entry| entry.stream.map(|stream| stream.stream)).collect();
    let [one, two] = &streams[..] else { panic!("two streams: {streams:?}") };
    assert_eq!(one.handle, two.handle, "the simulator gives it out again");
    assert_ne!(one.id, two.id);
}

/// A pinned block that was dropped in flight on a stream of another device is not found by an equal handle.
#[test]
fn pinned_memory_stays_with_its_device() {
    Fixture::new().devices(2).run(|first, bench| {
        let a = first.stream::<A>()?;
        let mut x = first.pinned::<u32>(64)?.on(a);
        a.fill(&mut x, 1)?;
        drop(x);
        Device::scope(bench.trace().clone(), 1, |second| {
            let (fresh, calls) = bench.counts(|| second.pinned::<u32>(64));
            assert_eq!(calls.of(Call::PinnedAlloc), 1);
            let a = second.stream::<A>()?;
            drop(fresh?.on(a));
            Ok(())
        })
    });
}
