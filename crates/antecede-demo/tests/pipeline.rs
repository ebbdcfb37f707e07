//! The pipeline: which driver calls it makes, what it does when one fails, and that its parts overlap.

mod common;

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use antecede::driver::ErrorKind;
use antecede::{Device, DeviceBrand, Error};
use antecede_demo::{
    Cipher, Discard, Failure, Pipeline, Resident, Ring, SequentialSink, SequentialSource, Sink, Source,
};
use antecede_sim::{Fault, Sim};
use antecede_trace::{Call, Counts, Trace, judge};
use common::{KEY, NONCE, by_crate, sample};

const CHUNK: usize = 1024;

fn pipeline<D: DeviceBrand>(device: Device<D>, slots: usize) -> Pipeline<D> {
    let cipher = Cipher::new(&KEY.parse().expect("a key"), &NONCE.parse().expect("a nonce"), 0);
    Pipeline::new(device, cipher, Ring { slots, chunk: "1k".parse().expect("a size") }).expect("a pipeline")
}

fn run<D: DeviceBrand>(pipeline: &mut Pipeline<D>, plain: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    let bytes = pipeline.run(&mut SequentialSource(plain), &mut SequentialSink(&mut out), &|_| {})?;
    assert_eq!(bytes, out.len() as u64);
    Ok(out)
}

/// Driver calls only: host accesses are none.
fn driver_calls(counts: Counts) -> Vec<(Call, u64)> {
    counts.iter().filter(|(call, _)| call.is_driver_call()).collect()
}

#[test]
fn a_chunk_is_two_copies_a_launch_two_hand_overs_and_a_sync() {
    let trace = Trace::new(Sim::new());
    Device::scope(trace.clone(), 0, |device| {
        let mut pipeline = pipeline(device, 4);
        let chunks = 50;
        let per_chunk = |chunks: u64| {
            vec![
                (Call::EventRecord, 3 * chunks),
                (Call::EventWait, 2 * chunks),
                (Call::EventSync, chunks),
                (Call::Copy, 2 * chunks),
                (Call::Launch, chunks),
            ]
        };
        let plain = sample(chunks * CHUNK);

        // The first time round, the ring makes an event for each slot.
        let mark = trace.mark();
        assert!(run(&mut pipeline, &plain).expect("runs") == by_crate(0, &plain));
        let calls = trace.counts_since(&mark);
        assert!((1..=4).contains(&calls.of(Call::EventCreate)), "{calls}");
        let rest = calls - Counts::from([(Call::EventCreate, calls.of(Call::EventCreate))]);
        assert_eq!(driver_calls(rest), per_chunk(chunks as u64));

        // From then on it makes and allocates nothing.
        let mark = trace.mark();
        pipeline.run(&mut Resident::new((chunks * CHUNK) as u64), &mut Discard, &|_| {}).expect("runs");
        let calls = trace.counts_since(&mark);
        let made = calls.of(Call::EventCreate);
        assert_eq!(driver_calls(calls - Counts::from([(Call::EventCreate, made)])), per_chunk(chunks as u64));
        assert!(made < 4, "an event for each slot, in both runs together");

        // A chunk that is not full costs the same.
        let mark = trace.mark();
        assert_eq!(run(&mut pipeline, &plain[..1]).expect("runs"), by_crate(0, &plain[..1]));
        assert_eq!(driver_calls(trace.counts_since(&mark)), per_chunk(1));

        // Nothing costs nothing.
        let mark = trace.mark();
        assert!(run(&mut pipeline, &[]).expect("runs").is_empty());
        assert_eq!(driver_calls(trace.counts_since(&mark)), []);
        Ok(())
    })
    .expect("a scope");
    judge(&trace.log()).assert_silent();
}

#[test]
fn every_ring_and_every_order_give_the_same_bytes() {
    let plain = sample(30 * CHUNK + 5);
    let expected = by_crate(0, &plain);
    for seed in 0..10 {
        let sim = Sim::builder().seed(seed).build();
        Device::scope(sim, 0, |device| {
            for slots in [3, 4, 9, 40] {
                assert!(
                    run(&mut pipeline(device, slots), &plain).expect("runs") == expected,
                    "seed {seed}, {slots} slots"
                );
            }
            Ok(())
        })
        .expect("a scope");
    }
}

#[test]
fn a_failed_call_stops_the_run_and_the_next_run_is_whole() {
    let plain = sample(20 * CHUNK + 9);
    for call in [
        antecede_sim::Call::Copy,
        antecede_sim::Call::Launch,
        antecede_sim::Call::EventRecord,
        antecede_sim::Call::EventWait,
        antecede_sim::Call::EventSync,
    ] {
        for nth in [1, 2, 17] {
            let sim = Sim::new();
            Device::scope(sim.clone(), 0, |device| {
                let mut pipeline = pipeline(device, 4);
                sim.faults().inject(Fault::nth(nth).of(call));
                match run(&mut pipeline, &plain) {
                    Err(Failure::Device(Error::Driver(error))) => assert_eq!(error.kind(), ErrorKind::Injected),
                    other => panic!("{call} number {nth}: {:?}", other.map(|out| out.len())),
                }
                assert!(run(&mut pipeline, &plain).expect("runs") == by_crate(0, &plain), "after {call} number {nth}");
                Ok(())
            })
            .expect("a scope");
        }
    }
}

/// Gives chunks, and then fails.
struct FailingSource(usize);

impl Source for FailingSource {
    fn fill(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::TimedOut)?;
        Ok(chunk.len())
    }
}

/// Takes chunks, and then fails.
struct FailingSink(usize);

impl Sink for FailingSink {
    fn put(&mut self, _: &[u8]) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
        Ok(())
    }
}

#[test]
fn the_first_failure_is_the_one_that_is_reported() {
    Device::scope(Sim::new(), 0, |device| {
        let mut pipeline = pipeline(device, 3);
        for good in [0, 1, 3, 20] {
            let failure = pipeline.run(&mut FailingSource(good), &mut Discard, &|_| {}).expect_err("fails");
            assert!(matches!(&failure, Failure::Read(error) if error.kind() == io::ErrorKind::TimedOut), "{failure:?}");
            let mut endless = FailingSource(usize::MAX);
            let failure = pipeline.run(&mut endless, &mut FailingSink(good), &|_| {}).expect_err("fails");
            assert!(
                matches!(&failure, Failure::Write(error) if error.kind() == io::ErrorKind::StorageFull),
                "{failure:?}"
            );
        }
        Ok(())
    })
    .expect("a scope");
}

/// Tells of each chunk that it gives.
struct TellingSource(usize, Sender<()>);

impl Source for TellingSource {
    fn fill(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        let Some(left) = self.0.checked_sub(1) else { return Ok(0) };
        self.0 = left;
        self.1.send(()).map_err(io::Error::other)?;
        Ok(chunk.len())
    }
}

/// Writes nothing before so many chunks have been read.
struct WaitingSink(usize, Receiver<()>);

impl Sink for WaitingSink {
    fn put(&mut self, _: &[u8]) -> io::Result<()> {
        for _ in 0..std::mem::take(&mut self.0) {
            self.1.recv_timeout(Duration::from_secs(100)).map_err(io::Error::other)?;
        }
        Ok(())
    }
}

/// The whole ring is on its way at once: the last slot is filled before the first chunk has been written. (The time
/// limit only ends a run that would hang.)
#[test]
fn reading_goes_on_while_chunks_are_in_flight_and_written() {
    Device::scope(Sim::new(), 0, |device| {
        let (tell, told) = channel();
        let bytes = pipeline(device, 5).run(&mut TellingSource(20, tell), &mut WaitingSink(5, told), &|_| {});
        assert_eq!(bytes.expect("runs"), 20 * CHUNK as u64);
        Ok(())
    })
    .expect("a scope");
}
