//! Streams that types cannot name, and the brands that they get for a use.

use antecede::{AnyStream, Buffer, Device, DeviceBrand, Error, Loose, Result, lane};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B};
use std::thread;

mount! {
    out_of_a_vector, a_collection_by_index, lanes_in_a_loop_with_early_ends, a_shared_buffer_and_many_lanes,
    a_branded_stream_among_them, priorities, the_device_is_synced, one_stream_for_each_worker,
}

const LEN: usize = 4096;

fn any_streams<D>(device: Device<D>, count: usize) -> Result<Vec<AnyStream<D>>> {
    (0..count).map(|_| device.any_stream()).collect()
}

fn out_of_a_vector<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, streams) = (device.stream::<A>()?, any_streams(device, 3)?);
    let math = device.load::<Math>()?;
    let mut place = a.zeroed::<u32>(LEN)?.loose();
    for &stream in streams.iter().cycle().take(10) {
        place = stream.with(|lane| {
            let mut x = lane.take(place)?;
            math.increment(lane, LEN as u32, &mut x)?;
            Ok::<_, Error>(x.loose())
        })?;
    }
    assert_eq!(a.download(&a.take(place)?)?, [10; LEN]);
    Ok(())
}

/// Loose buffers in a vector: claimed where they are, taken elsewhere.
fn a_collection_by_index<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, streams) = (device.stream::<A>()?, any_streams(device, 3)?);
    let mut places: Vec<Buffer<u32, Loose<D>>> = Vec::new();
    for index in 0..9u32 {
        places.push(streams[index as usize % 3].with(|lane| {
            let mut x = lane.alloc(LEN)?;
            lane.fill(&mut x, index)?;
            Ok::<_, Error>(x.loose())
        })?);
    }
    for index in [8, 1, 4] {
        lane!(lane = streams[index % 3]);
        let mut x = lane.claim(std::mem::take(&mut places[index]))?;
        lane.fill(&mut x, 100)?;
        places[index] = x.loose();
        // On another one it is refused, and comes back.
        lane!(other = streams[(index + 1) % 3]);
        let failed = other.claim(std::mem::take(&mut places[index])).expect_err("it is not there");
        assert!(matches!(failed.error, Error::StreamMismatch { .. }));
        places[index] = failed.buffers;
    }
    for (x, index) in a.take(places)?.iter().zip(0..) {
        let expected = if [8, 1, 4].contains(&index) { 100 } else { index };
        assert_eq!(a.download(x)?, [expected; LEN]);
    }
    Ok(())
}

fn lanes_in_a_loop_with_early_ends<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, streams) = (device.stream::<A>()?, any_streams(device, 2)?);
    let mut place = a.zeroed::<u32>(LEN)?.loose();
    for round in 1..10u32 {
        lane!(lane = streams[round as usize % 2]);
        if round % 4 == 0 {
            continue;
        }
        let mut x = lane.take_from(&mut place)?;
        lane.fill(&mut x[..LEN / 2], round)?;
        place = x.loose();
        if round == 7 {
            break;
        }
        lane!(nested = streams[0]);
        let mut x = nested.take_from(&mut place)?;
        nested.fill(&mut x[LEN / 2..], 10 * round)?;
        place = lane.take(x)?.loose();
    }
    let x = a.take(place)?;
    assert_eq!(a.download(&x)?, [[7; LEN / 2], [60; LEN / 2]].concat());
    Ok(())
}

fn a_shared_buffer_and_many_lanes<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, streams) = (device.stream::<A>()?, any_streams(device, 20)?);
    let mut x = a.alloc::<u32>(LEN)?;
    a.fill(&mut x, 5)?;
    let x = a.share(x)?;
    let copies = streams.iter().map(|stream| {
        stream.with(|lane| {
            let mut copy = lane.alloc(LEN)?;
            lane.copy(&lane.lease(&x)?, &mut copy)?;
            Ok::<_, Error>(copy.loose())
        })
    });
    let copies = copies.collect::<Result<Vec<_>>>()?;
    let mut x = a.reunite(x)?;
    a.fill(&mut x, 0)?;
    for copy in a.take(copies)? {
        assert_eq!(a.download(&copy)?, [5; LEN]);
    }
    Ok(())
}

fn a_branded_stream_among_them<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let streams = [a.any(), b.any(), device.any_stream()?];
    assert!(streams[0] == device.stream::<A>()?.any() && streams[0] != streams[1]);
    let x = a.upload(&[1u32, 2])?;
    let x = streams[0].with(|lane| Ok::<_, Error>(lane.claim(x)?.loose()))?;
    let x = a.claim(x)?;
    let x = streams[2].sync(streams[2].take(x)?)?;
    assert_eq!(x.to_vec()?, [1, 2]);
    Ok(())
}

fn priorities<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, (lowest, highest)) = (device.stream::<A>()?, device.priorities()?);
    assert!(highest <= lowest, "lower is sooner: {highest}, {lowest}");
    let mut place = a.zeroed::<u32>(LEN)?.loose();
    // One that the device does not have is as good as the nearest one.
    for (priority, value) in [(lowest, 1), (highest, 2), (lowest + 100, 3), (highest - 100, 4)] {
        lane!(lane = device.any_stream_with(priority)?);
        let mut x = lane.take_from(&mut place)?;
        lane.fill(&mut x[..LEN / value as usize], value)?;
        place = x.loose();
    }
    let x = a.download(&a.take(place)?)?;
    assert_eq!((x[0], x[LEN / 3 - 1], x[LEN / 2 - 1], x[LEN - 1]), (4, 3, 2, 1));
    Ok(())
}

/// All streams are, whichever the buffers are on.
fn the_device_is_synced<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, other) = (device.stream::<A>()?, device.stream::<B>()?, device.any_stream()?);
    let mut x = device.pinned::<u32>(LEN)?.on(a);
    a.fill(&mut x, 1)?;
    let mut y = device.pinned::<u32>(LEN)?.on(b);
    b.fill(&mut y, 2)?;
    let z = other.with(|lane| {
        let mut z = lane.alloc::<u32>(LEN)?;
        lane.fill(&mut z, 3)?;
        Ok::<_, Error>(z.loose())
    })?;
    let (x, (y, z)) = device.sync((x, (y, z)))?;
    assert_eq!((x.as_slice(), y.as_slice(), z.to_vec()?), (&[1; LEN][..], &[2; LEN][..], vec![3; LEN]));
    device.sync(())?;
    Ok(())
}

fn one_stream_for_each_worker<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, streams) = (device.stream::<A>()?, any_streams(device, 4)?);
    let parts = a.zeroed::<u32>(4 * LEN)?.into_parts(4);
    let done = thread::scope(|scope| {
        let workers = parts.into_iter().zip(&streams).zip(0u32..).map(|((part, &stream), index)| {
            let part = part.loose();
            scope.spawn(move || {
                lane!(lane = stream);
                let mut part = lane.take(part)?;
                lane.fill(&mut part, index)?;
                Ok::<_, Error>(part.loose())
            })
        });
        let workers: Vec<_> = workers.collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Result<Vec<_>>>()
    })?;
    let mut parts = a.take(done)?.into_iter();
    let mut whole = parts.next().expect("four parts");
    for part in parts {
        whole = whole.unsplit(part)?;
    }
    assert_eq!(a.download(&whole)?, [[0; LEN], [1; LEN], [2; LEN], [3; LEN]].concat());
    Ok(())
}
