//! Streams that another library made, and libraries with streams of their own.
//!
//! case: SEED-5, RAW-05, RAW-07, LEG-05, FP-09, DEV-01

use crate::trusted::adopt;
use crate::{FREE, costs, warm_up};
use antecede::driver::StreamKind;
use antecede::{Buffer, Device, Loose, Result};
use antecede_testkit::{Fixture, on_sim};
use antecede_tests::{A, B};
use antecede_trace::Call;

/// A hand-over from or to a stream that other code may capture: asked before the record.
const CHECKED_HAND_OVER: [(Call, u64); 3] =
    [(Call::EventRecord, 1), (Call::EventWait, 1), (Call::StreamIsCapturing, 1)];

/// The consumer's current stream is adopted, and the memory is allocated there: no event between the two.
#[test]
fn memory_is_allocated_on_the_adopted_stream_of_its_consumer() {
    on_sim(|device, bench| {
        for kind in [StreamKind::NonBlockingStream, StreamKind::BlockingStream] {
            let kept = adopt(device, bench.sim(), (0, kind, false), |theirs| {
                let x = costs(bench, [(Call::StreamIsCapturing, 1), (Call::Alloc, 1), (Call::Fill, 3)], || {
                    let mut x = theirs.zeroed::<u32>(64)?;
                    theirs.fill(&mut x[8..16], 1)?;
                    theirs.fill(&mut x[..1], 2)?;
                    Ok(x)
                })?;
                Ok(x.loose())
            })?;
            // After the adoption the buffer is on a stream of the device's own.
            let a = device.stream::<A>()?;
            let kept = a.take(kept)?;
            assert_eq!(a.download(&kept)?[..10], [2, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        }
        Ok(())
    });
}

/// What the library has made on its own stream is handed over to the consumer's.
#[test]
fn memory_of_another_stream_is_handed_over_to_the_adopted_one() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        warm_up(a)?;
        let mut x = a.alloc::<u32>(8)?;
        a.fill(&mut x, 1)?;
        adopt(device, bench.sim(), (0, StreamKind::NonBlockingStream, false), |theirs| {
            let x = costs(bench, CHECKED_HAND_OVER, || Ok(theirs.take(x)?))?;
            assert_eq!(theirs.download(&x)?, [1; 8]);
            Ok(())
        })
    });
}

/// A stream of another device's context orders nothing here.
#[test]
fn a_stream_of_another_device_is_not_adopted() {
    Fixture::new().devices(2).run(|device, bench| {
        Device::scope(bench.trace().clone(), 1, |_second| {
            let theirs = (1, StreamKind::NonBlockingStream, false);
            let refused = adopt(device, bench.sim(), theirs, |_| -> Result<()> { unreachable!("it is refused") });
            assert!(refused.is_err());
            Ok(())
        })
    });
}

/// A library that works on a stream of its own, and says nothing of it in the types of its data: one hand-over each way.
#[test]
fn a_library_with_a_stream_of_its_own_takes_and_returns_in_order() {
    on_sim(|device, bench| {
        let (mine, transfer) = (device.per_thread()?, device.stream::<B>()?);
        warm_up(transfer)?;
        let send = |x: Buffer<u32, Loose<_>>| -> Result<Buffer<u32, Loose<_>>> {
            let mut x = transfer.take(x)?;
            transfer.fill(&mut x[..4], 9)?;
            Ok(x.loose())
        };
        let x = mine.upload(&[1u32; 8])?;
        let [record, wait, check] = CHECKED_HAND_OVER;
        let x = costs(bench, [record, wait, check, (Call::Fill, 1)], || send(x.loose()))?;
        let x = costs(bench, CHECKED_HAND_OVER, || Ok(mine.take(x)?))?;
        assert_eq!(mine.download(&x)?, [9, 9, 9, 9, 1, 1, 1, 1]);
        let x = costs(bench, FREE, || Ok(mine.take(x.loose())?))?;
        drop(x);
        Ok(())
    });
}
