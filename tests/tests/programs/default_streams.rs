//! Code that grew up with the default streams: an old routine runs on the legacy one among newer code, and threads work
//! each on their own.

use antecede::{Buffer, Device, DeviceBrand, Legacy, Loose, On, Result, Stream, kernels, streams};
use antecede_testkit::{on_sim, shared_device};
use antecede_trace::{Call, Counts};
use std::thread;

streams! { Worker: Blocking, Side }

kernels! {
    Words {
        unsafe fn increment(x: &mut [u32]) {
            x.iter_mut().for_each(|x| *x += 1);
        }
        unsafe fn double(x: &mut [u32]) {
            x.iter_mut().for_each(|x| *x *= 2);
        }
    }
}

/// The old routine. It knows no streams, so it is on the legacy default stream.
fn old_routine<D>(words: Words<D>, legacy: Stream<Legacy, D>, x: &mut Buffer<u32, On<Legacy, D>>) -> Result<()> {
    words.double(legacy, x)
}

/// What is there, and then the old routine. The worker's stream is blocking: the driver itself orders the two.
fn prepare<D: DeviceBrand>(device: Device<D>, host: &[u32]) -> Result<Buffer<u32, On<Legacy, D>>> {
    let (legacy, worker) = (device.legacy()?, device.stream::<Worker>()?);
    let words = device.load::<Words>()?;
    let mut x = worker.upload(host)?;
    words.increment(worker, &mut x)?;
    let mut x = legacy.after_blocking(worker, x);
    old_routine(words, legacy, &mut x)?;
    Ok(x)
}

/// A thread's share, on the thread's own stream. Nothing that is on it may leave the thread, so the result is on `Side`.
fn in_a_thread<D: DeviceBrand>(device: Device<D>, part: Buffer<u32, Loose<D>>) -> Result<Buffer<u32, On<Side, D>>> {
    let (mine, side) = (device.per_thread()?, device.stream::<Side>()?);
    let mut part = mine.take(part)?;
    device.load::<Words>()?.increment(mine, &mut part)?;
    Ok(side.take(part)?)
}

fn joined<D>(parts: Vec<Buffer<u32, On<Side, D>>>) -> Result<Buffer<u32, On<Side, D>>> {
    parts.into_iter().try_fold(Buffer::default(), |whole, part| Ok(Buffer::unsplit(whole, part)?))
}

#[test]
fn an_old_routine_among_newer_code() {
    let shared = shared_device();
    let device = shared.device();
    let (legacy, worker, side) =
        (device.legacy().unwrap(), device.stream::<Worker>().unwrap(), device.stream::<Side>().unwrap());
    drop(prepare(device, &[0; 4]).unwrap());
    let events = |calls: Counts| (calls.of(Call::EventRecord), calls.of(Call::EventWait));
    let before = shared.mark();
    let x = prepare(device, &[0, 1, 2, 3]).unwrap();
    assert_eq!(events(shared.counts_since(&before)), (0, 0), "the driver orders");
    // Back to the worker: an operation on legacy that its order goes through, and no wait.
    let before = shared.mark();
    let x = worker.take(x).unwrap();
    assert_eq!(events(shared.counts_since(&before)), (1, 0));
    // A stream that is not blocking needs the hand-over.
    let x = legacy.after_blocking(worker, x);
    let before = shared.mark();
    let x = side.take(x).unwrap();
    assert_eq!(events(shared.counts_since(&before)), (1, 1));
    assert_eq!(side.download(&x).unwrap(), [2, 4, 6, 8]);
}

#[test]
fn threads_on_streams_of_their_own() {
    let shared = shared_device();
    let device = shared.device();
    let side = device.stream::<Side>().unwrap();
    let parts = side.take(prepare(device, &[0, 1, 2, 3, 4, 5]).unwrap()).unwrap().loose().into_parts(3);
    let done = thread::scope(|scope| {
        let spawn = |part| {
            scope.spawn(move || {
                let shared = shared_device();
                let before = shared.mark();
                let part = in_a_thread(shared.device(), part).unwrap();
                (part, shared.counts_since(&before))
            })
        };
        let threads: Vec<_> = parts.into_iter().map(spawn).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    let parts = done.into_iter().map(|(part, calls)| {
        assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (2, 2), "there and back");
        assert_eq!((calls.of(Call::Launch), calls.of(Call::StreamSync)), (1, 0), "no thread waits");
        part
    });
    let x = joined(parts.collect()).unwrap();
    assert_eq!(side.download(&x).unwrap(), [3, 5, 7, 9, 11, 13]);
}

#[test]
fn on_a_device_of_ones_own() {
    on_sim(|device, _| {
        let side = device.stream::<Side>()?;
        let parts = side.take(prepare(device, &[0, 1, 2, 3])?)?.loose().into_parts(2);
        let parts = parts.into_iter().map(|part| in_a_thread(device, part)).collect::<Result<_>>()?;
        assert_eq!(side.download(&joined(parts)?)?, [3, 5, 7, 9]);
        Ok(())
    });
}
