//! Buffers that go from thread to thread.

use antecede::{Buffer, Device, DeviceBrand, Loose, Result};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B, C, E};
use std::sync::mpsc;
use std::thread;

mount! {
    moved_to_another_thread, a_stream_used_by_two_threads, one_stream_for_each_thread, through_a_channel,
    shared_and_only_read, dropped_elsewhere, the_same_streams_opened_at_once,
}

fn moved_to_another_thread<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let x = a.upload(&[1u32, 2])?;
    let x = thread::scope(|scope| {
        let there = scope.spawn(move || {
            let mut x = b.take(x)?;
            b.fill(&mut x[..1], 3)?;
            Ok::<_, antecede::Error>(x)
        });
        there.join().expect("no panic")
    })?;
    let x = a.take(x)?;
    assert_eq!(a.download(&x)?, [3, 2]);
    Ok(())
}

fn a_stream_used_by_two_threads<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..4u32)
            .map(|i| {
                scope.spawn(move || {
                    let mut x = a.upload(&[i; 10])?;
                    for _ in 0..10 {
                        math.increment(a, 10, &mut x)?;
                    }
                    assert_eq!(a.download(&x)?, [i + 10; 10]);
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
    })
}

fn one_stream_for_each_thread<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c, e) = device.streams::<(A, B, C, E)>()?;
    macro_rules! work {
        ($scope:ident, $stream:ident, $value:expr) => {
            $scope.spawn(move || {
                let mut x = $stream.zeroed::<u32>(16)?;
                $stream.fill(&mut x, $value)?;
                Ok::<_, antecede::Error>(x.loose())
            })
        };
    }
    let parts = thread::scope(|scope| {
        let workers = [work!(scope, a, 1), work!(scope, b, 2), work!(scope, c, 3), work!(scope, e, 4)];
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Result<Vec<_>>>()
    })?;
    for (x, expected) in a.take(parts)?.iter().zip(1..) {
        assert_eq!(a.download(x)?, [expected; 16]);
    }
    Ok(())
}

fn through_a_channel<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel::<Buffer<u32, Loose<D>>>();
        let producer = scope.spawn(move || {
            for i in 0..20 {
                let mut x = a.zeroed(4)?;
                a.fill(&mut x, i)?;
                send.send(x.loose()).expect("the consumer is there");
            }
            Ok::<_, antecede::Error>(())
        });
        for (x, i) in receive.into_iter().zip(0..) {
            let x = b.take(x)?;
            assert_eq!(b.download(&x)?, [i; 4]);
        }
        producer.join().expect("no panic")
    })
}

fn shared_and_only_read<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let x = a.upload(&[1u32, 2, 3])?;
    thread::scope(|scope| {
        let readers: Vec<_> = (0..4).map(|_| scope.spawn(|| a.download(&x))).collect();
        for reader in readers {
            assert_eq!(reader.join().expect("no panic")?, [1, 2, 3]);
        }
        Ok(())
    })
}

fn dropped_elsewhere<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    for _ in 0..5 {
        let mut x = a.alloc::<u32>(100)?;
        a.fill(&mut x, 1)?;
        let host = device.pinned::<u32>(100)?.on(a);
        let record = b.record(b.zeroed::<u32>(100)?)?;
        thread::scope(|scope| {
            scope.spawn(move || drop((x, host, record)));
        });
    }
    Ok(())
}

fn the_same_streams_opened_at_once<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    thread::scope(|scope| {
        let openers: Vec<_> = (0..4).map(|_| scope.spawn(|| device.streams::<(A, B, C, E)>())).collect();
        let mut opened = openers.into_iter().map(|opener| opener.join().expect("no panic"));
        let first = opened.next().expect("four threads")?;
        for other in opened {
            assert!(other? == first, "one brand is one stream");
        }
        Ok(())
    })
}
