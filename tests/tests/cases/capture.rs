//! A stream under capture (CUDA graphs) runs nothing: nothing is submitted to it, and no event of it is waited for.
//!
//! case: GRAPH-01, GRAPH-03, STALE-07, FP-23

use crate::trusted::adopt;
use antecede::driver::StreamKind;
use antecede::{Error, Result};
use antecede_sim::Sim;
use antecede_testkit::{Fixture, on_sim};
use antecede_tests::A;
use antecede_trace::Call;

/// The handle of each thread's own stream.
const PER_THREAD: u64 = 2;

#[test]
fn a_stream_under_capture_is_not_adopted() {
    on_sim(|device, bench| {
        let theirs = (0, StreamKind::NonBlockingStream, true);
        let refused = adopt(device, bench.sim(), theirs, |_| -> Result<()> { unreachable!("it is refused") });
        assert!(refused.is_err());
        Ok(())
    });
}

/// No record, so no event of a capture gets into a hand-over; the buffers come back and are used after the capture.
#[test]
fn a_hand_over_out_of_a_capture_is_refused() {
    fn refused(error: &Error) -> bool {
        matches!(error, Error::Capturing { .. })
    }
    Fixture::new().run(|device, bench| {
        let (mine, a) = (device.per_thread()?, device.stream::<A>()?);
        let x = mine.upload(&[1u32; 8])?;
        bench.sim().begin_capture(0, PER_THREAD);
        let (x, calls) = bench.counts(|| {
            assert!(device.per_thread().is_err_and(|error| refused(&error)));
            let failed = a.take(x).expect_err("there would be no edge");
            assert!(refused(&failed.error));
            let failed = mine.record(failed.buffers).expect_err("there would be no edge");
            assert!(refused(&failed.error));
            assert!(mine.alloc::<u8>(8).is_err_and(|error| refused(&error)));
            failed.buffers
        });
        assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait), calls.of(Call::Alloc)), (0, 0, 0));
        bench.sim().end_capture(0, PER_THREAD);
        let x = a.take(x)?;
        assert_eq!(a.download(&x)?, [1; 8]);
        Ok(())
    });
}

/// The sync of a stream under capture is an error and not a proof.
#[test]
fn nothing_is_synced_in_a_capture() {
    let sim = Sim::new();
    antecede::Device::scope(sim.clone(), 0, |device| {
        let mine = device.per_thread()?;
        let x = mine.upload(&[1u32; 8])?;
        sim.begin_capture(0, PER_THREAD);
        let failed = mine.sync(x).expect_err("nothing is complete");
        sim.end_capture(0, PER_THREAD);
        assert_eq!(mine.sync(failed.buffers)?.to_vec()?, [1; 8]);
        Ok(())
    })
    .expect("nothing else fails");
}
