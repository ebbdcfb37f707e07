//! A hand-over that is made only if it pays.

use antecede::{Buffer, Device, Result, Stream, streams};
use antecede_testkit::shared_device;
use antecede_trace::Call;

streams! { Compute, Side }

fn work<S>(stream: Stream<S>, x: Buffer<u32>) -> Result<Buffer<u32>> {
    let mut x = stream.take(x)?;
    stream.fill(&mut x, 1)?;
    Ok(x.loose())
}

/// Both branches end on one stream, and the type says so.
fn closed(device: Device, aside: bool) -> Result<Vec<u32>> {
    let (compute, side) = device.streams::<(Compute, Side)>()?;
    let mut x = compute.zeroed::<u32>(4)?;
    if aside {
        let mut y = side.take(x)?;
        side.fill(&mut y, 1)?;
        x = compute.take(y)?;
    } else {
        compute.fill(&mut x, 1)?;
    }
    compute.download(&x)
}

/// The stream is known at run time from here on.
fn open(device: Device, aside: bool) -> Result<Vec<u32>> {
    let (compute, side) = device.streams::<(Compute, Side)>()?;
    let x = compute.zeroed::<u32>(4)?.loose();
    let x = if aside { work(side, x)? } else { work(compute, x)? };
    compute.download(&compute.take(x)?)
}

#[test]
fn only_the_way_that_is_taken_costs_something() {
    let shared = shared_device();
    for run in [closed, open] {
        for (aside, hand_overs) in [(false, 0), (true, 2)] {
            let before = shared.mark();
            assert_eq!(run(shared.device(), aside).unwrap(), [1; 4]);
            assert_eq!(shared.counts_since(&before).of(Call::EventWait), hand_overs);
        }
    }
}
