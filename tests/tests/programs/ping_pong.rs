//! Back and forth between two streams in a loop: the types alternate, or the stream is known at run time.

use antecede::{Buffer, Device, Result, Stream, kernels, streams};
use antecede_testkit::shared_device;
use antecede_trace::Call;

streams! { Ping, Pong }

kernels! {
    Steps {
        unsafe fn increment(x: &mut [u32]) {
            x.iter_mut().for_each(|x| *x += 1);
        }
        unsafe fn step(x: &[u32], y: &mut [u32]) where [x.len() == y.len()] {
            y.iter_mut().zip(x).for_each(|(y, x)| *y = x + 1);
        }
    }
}

fn one_buffer(device: Device, rounds: usize) -> Result<Vec<u32>> {
    let (ping, pong) = device.streams::<(Ping, Pong)>()?;
    let steps = device.load::<Steps>()?;
    let mut x = ping.zeroed::<u32>(4)?;
    for _ in 0..rounds {
        steps.increment(ping, &mut x)?;
        let mut y = pong.take(x)?;
        steps.increment(pong, &mut y)?;
        x = ping.take(y)?;
    }
    ping.download(&x)
}

/// Front and back swap their roles each round.
fn two_buffers(device: Device, rounds: usize) -> Result<Vec<u32>> {
    let (ping, pong) = device.streams::<(Ping, Pong)>()?;
    let steps = device.load::<Steps>()?;
    let (mut front, mut back) = (ping.zeroed(4)?, ping.zeroed(4)?);
    for _ in 0..rounds / 2 {
        steps.step(ping, &front, &mut back)?;
        let (mut f, b) = pong.take((front, back))?;
        steps.step(pong, &b, &mut f)?;
        (front, back) = ping.take((f, b))?;
    }
    ping.download(&front)
}

fn any_order(device: Device, order: impl Iterator<Item = bool>) -> Result<Vec<u32>> {
    let (ping, pong) = device.streams::<(Ping, Pong)>()?;
    let steps = device.load::<Steps>()?;
    fn round<S>(steps: Steps, stream: Stream<S>, x: Buffer<u32>) -> Result<Buffer<u32>> {
        let mut x = stream.take(x)?;
        steps.increment(stream, &mut x)?;
        Ok(x.loose())
    }
    let mut x = ping.zeroed::<u32>(4)?.loose();
    for on_ping in order {
        x = if on_ping { round(steps, ping, x)? } else { round(steps, pong, x)? };
    }
    ping.download(&ping.take(x)?)
}

#[test]
fn the_last_round_sees_all_others() {
    let shared = shared_device();
    assert_eq!(one_buffer(shared.device(), 3).unwrap(), [6; 4]);
    assert_eq!(two_buffers(shared.device(), 4).unwrap(), [4; 4]);
    assert_eq!(any_order(shared.device(), (0..6).map(|i| i % 3 == 0)).unwrap(), [6; 4]);
}

#[test]
fn staying_costs_nothing_and_changing_one_hand_over() {
    let shared = shared_device();
    let before = shared.mark();
    any_order(shared.device(), [true, true, true, false, false, true].into_iter()).unwrap();
    let calls = shared.counts_since(&before);
    assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (2, 2));
}
