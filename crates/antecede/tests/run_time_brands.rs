//! Streams that types cannot name, and the brands that they get for a use.

mod common;

use antecede::{AnyStream, Buffer, Device, Error, Lane, Loose, On, Result, Scoped, Stream, kernels, lane, streams};
use antecede_sim::Sim;
use antecede_trace::{Call, Counts, Trace};
use common::{Orders, counted, each_call_fails, on_sim, orders};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

streams! { Main, Other }
kernels! {
    Math {
        unsafe fn add(x: &[u32], y: &mut [u32]) where [x.len() == y.len()] {
            for (y, x) in y.iter_mut().zip(x) { *y += *x }
        }
    }
}

fn any_streams<D>(device: Device<D>, count: usize) -> Result<Vec<AnyStream<D>>> {
    (0..count).map(|_| device.any_stream()).collect()
}

#[test]
fn a_stream_chosen_at_run_time_gets_a_brand_for_a_use() {
    on_sim(|device, _, trace| {
        let (main, streams) = (device.stream::<Main>()?, any_streams(device, 3)?);
        let math = device.load::<Math>()?;
        let (one, mut place) = (main.upload(&[1u32; 64])?, main.zeroed::<u32>(64)?.loose());
        let one = main.share(one)?;
        for (round, &stream) in streams.iter().cycle().take(7).enumerate() {
            let mark = trace.mark();
            place = stream.with(|lane| -> Result<_> {
                let mut x = lane.take(place)?;
                math.add(lane, &lane.lease(&one)?, &mut x)?;
                Ok(x.loose())
            })?;
            let waits = if round < 3 { 2 } else { 1 }; // one of them for the first lease of a stream
            assert_eq!(orders(trace, &mark), Orders { records: 1, waits }, "round {round}");
        }
        assert_eq!(main.download(&main.take(place)?)?, [7; 64]);
        Ok(())
    });
}

/// Out of the block by `?`, `continue`, `break`, `return`: what was put in a field stays there.
#[test]
fn lanes_across_early_ends_and_loops() {
    fn fill<D>(streams: &[AnyStream<D>], places: &mut [Buffer<u32, Loose<D>>], stop: usize) -> Result<usize> {
        let mut done = 0;
        for (index, place) in places.iter_mut().enumerate() {
            lane!(stream = streams[index % streams.len()]);
            if index % 4 == 1 {
                continue;
            }
            let mut x = stream.take_from(place)?;
            stream.fill(&mut x, index as u32)?;
            *place = x.loose();
            if index == stop {
                break;
            }
            if index > stop {
                return Ok(0);
            }
            lane!(other = streams[(index + 1) % streams.len()]);
            let mut x = other.take_from(place)?;
            other.fill(&mut x[..8], 100)?;
            *place = stream.take(x)?.loose();
            done += 1;
        }
        Ok(done)
    }
    on_sim(|device, _, _| {
        let (main, streams) = (device.stream::<Main>()?, any_streams(device, 3)?);
        let mut places = (0..10).map(|_| Ok(main.zeroed::<u32>(16)?.loose())).collect::<Result<Vec<_>>>()?;
        assert_eq!(fill(&streams, &mut places, 8)?, 6);
        let places = main.take(places)?;
        let firsts = places.iter().map(|x| Ok((main.download(&x[..1])?[0], main.download(&x[15..])?[0])));
        let both = |index| (100, index);
        let expected = [both(0), (0, 0), both(2), both(3), both(4), (0, 0), both(6), both(7), (8, 8), (0, 0)];
        assert_eq!(firsts.collect::<Result<Vec<_>>>()?, expected);
        Ok(())
    });
}

#[test]
fn nested_brands() {
    on_sim(|device, _, trace| {
        let streams = any_streams(device, 2)?;
        lane!(outer = streams[0]);
        let x = outer.upload(&[1u32; 64])?;
        let x = streams[1].with(|inner| -> Result<_> {
            let mut x = inner.take(x)?;
            inner.fill(&mut x[..32], 2)?;
            lane!(innermost = streams[0]);
            // Another brand of the outer one's stream: no call, for it is one stream.
            let x = innermost.take(x)?;
            let (x, calls) = counted(trace, || outer.take(innermost.take(x).unwrap()).unwrap());
            assert_eq!(calls, Counts::default());
            Ok(x)
        })?;
        assert_eq!(outer.download(&x)?, [[2; 32], [1; 32]].concat());
        Ok(())
    });
}

/// Between two polls, anything may happen: here another task, on the same streams.
#[test]
fn lanes_across_awaits() {
    struct Once(bool);
    impl Future for Once {
        type Output = ();
        fn poll(mut self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
            if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
        }
    }
    async fn task<D>(streams: &[AnyStream<D>], value: u32) -> Result<Vec<u32>> {
        lane!(first = streams[0]);
        let mut x = first.zeroed::<u32>(8)?;
        for &stream in streams {
            lane!(stream = stream);
            let mut y = stream.take(x)?;
            stream.fill(&mut y[..4], value)?;
            Once(false).await;
            stream.fill(&mut y[..2], value + 1)?;
            x = first.take(y)?;
        }
        first.download(&x)
    }
    on_sim(|device, _, _| {
        let streams = any_streams(device, 3)?;
        let (mut one, mut two) = (pin!(task(&streams, 10)), pin!(task(&streams, 20)));
        let mut context = Context::from_waker(Waker::noop());
        let mut done = Vec::new();
        while done.len() < 2 {
            for task in [one.as_mut(), two.as_mut()] {
                if done.len() < 2
                    && let Poll::Ready(result) = task.poll(&mut context)
                {
                    done.push(result?);
                }
            }
        }
        assert_eq!(done, [[11, 11, 10, 10, 0, 0, 0, 0], [21, 21, 20, 20, 0, 0, 0, 0]]);
        // A task that is never finished is no harm.
        let mut cancelled = Box::pin(task(&streams, 30));
        assert!(cancelled.as_mut().poll(&mut context).is_pending());
        drop(cancelled);
        Ok(())
    });
}

#[test]
fn what_left_a_brand_comes_back_without_a_call() {
    on_sim(|device, _, trace| {
        let streams = any_streams(device, 2)?;
        let x =
            streams[0].with(|s| s.upload(&[1u32; 8]).map(|x| (x.loose(), s.zeroed::<u32>(0).map(|x| x.loose()))))?;
        let mark = trace.mark();
        let mut x = (x.0, x.1?);
        for _ in 0..3 {
            x = streams[0].with(|s| s.claim(x).map(|(x, empty)| (x.loose(), empty.loose())))?;
            x = streams[0].take(x)?;
        }
        assert_eq!(trace.counts_since(&mark), Counts::default());
        // Not on the other one.
        let failed = streams[1].with(|s| s.claim(x).map(drop)).unwrap_err();
        let named = |stream: AnyStream<_>| stream.name().to_string();
        let text = format!("the buffer is on stream `{}`, not on stream `{}`", named(streams[0]), named(streams[1]));
        assert_eq!(failed.error.to_string(), text);
        assert_eq!(trace.counts_since(&mark), Counts::default());
        let x = streams[1].take(failed.buffers)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        lane!(lane = streams[1]);
        assert_eq!(lane.download(&lane.claim(x)?.0)?, [1; 8]);
        Ok(())
    });
}

#[test]
fn a_sync_is_of_one_stream() {
    on_sim(|device, _, trace| {
        let (main, streams) = (device.stream::<Main>()?, any_streams(device, 2)?);
        let x = main.take(main.upload(&[1u32; 8])?)?.loose();
        let y = streams[0].take(main.upload(&[2u32; 8])?)?;
        let failed = streams[0].sync((x, y)).unwrap_err();
        assert!(matches!(failed.error, Error::StreamMismatch { .. }));
        let ((x, y), mark) = (streams[0].take(failed.buffers)?, trace.mark());
        let synced = main.sync(main.zeroed::<u32>(8)?)?.loose();
        let (x, y, synced) = streams[0].sync(streams[0].take((x, y, synced))?)?;
        assert_eq!((x.to_vec()?, y.to_vec()?, synced.to_vec()?), (vec![1; 8], vec![2; 8], vec![0; 8]));
        assert!(orders(trace, &mark).records <= 1);
        Ok(())
    });
}

/// More streams than a hand-over keeps without an allocation.
#[test]
fn a_join_of_many_streams() {
    on_sim(|device, _, trace| {
        let (main, streams) = (device.stream::<Main>()?, any_streams(device, 20)?);
        let parts = streams.iter().enumerate().map(|(index, stream)| {
            stream.with(|s| {
                let mut x = s.alloc::<u32>(16)?;
                s.fill(&mut x, index as u32)?;
                Ok([x.loose(), s.zeroed::<u32>(4)?.loose()])
            })
        });
        let parts = parts.collect::<Result<Vec<_>>>()?;
        let mark = trace.mark();
        let parts = main.take(parts)?;
        assert_eq!(orders(trace, &mark), Orders { records: 20, waits: 20 });
        for (index, [x, y]) in parts.iter().enumerate() {
            assert_eq!((main.download(x)?, main.download(y)?), (vec![index as u32; 16], vec![0; 4]));
        }
        Ok(())
    });
}

/// One stream with a brand of its own and without: it is known by its identity.
#[test]
fn a_branded_stream_in_a_collection() {
    on_sim(|device, _, trace| {
        let (main, other) = device.streams::<(Main, Other)>()?;
        let streams = [main.any(), other.any(), device.any_stream()?];
        assert_eq!((streams[0] == device.stream::<Main>()?.any(), streams[0] == streams[1]), (true, false));
        assert_eq!(
            (streams[0].name().to_string().as_str(), format!("{:?}", streams[1]).as_str()),
            ("Main", "AnyStream(Other)")
        );
        let x = main.upload(&[1u32; 8])?;
        let (x, calls) = counted(trace, || streams[0].with(|lane| lane.take(x).map(|x| x.loose())));
        assert_eq!(calls, Counts::default());
        let (x, calls) = counted(trace, || main.claim(x.unwrap()));
        assert_eq!(calls, Counts::default());
        // Shared on the branded one, read and taken back on the lane: one reader.
        let x = main.share(x?)?;
        let mut y = streams[0].with(|lane| -> Result<_> {
            let mut y = lane.zeroed(8)?;
            lane.copy(&lane.lease(&x)?, &mut y)?;
            Ok(y.loose())
        })?;
        lane!(lane = streams[0]);
        let mark = trace.mark();
        let x = lane.reunite(x)?;
        y = lane.take(y)?.loose();
        assert_eq!(orders(trace, &mark), Orders { records: 0, waits: 0 });
        assert_eq!((lane.download(&x)?, main.download(&main.claim(y)?)?), (vec![1; 8], vec![1; 8]));
        Ok(())
    });
}

/// Generic code takes any stream, whatever names it.
#[test]
fn generic_code_takes_lanes() {
    fn ones<S, D>(stream: Stream<S, D>, len: usize) -> Result<Buffer<u32, On<S, D>>> {
        let mut x = stream.alloc(len)?;
        stream.fill(&mut x, 1)?;
        Ok(x)
    }
    fn same<'id, D>(one: Stream<Lane<'id>, D>, x: Buffer<u32, On<Lane<'id>, D>>) -> Result<Vec<u32>> {
        one.download(&x)
    }
    on_sim(|device, _, _| {
        let stream = device.any_stream()?;
        lane!(lane = stream);
        assert_eq!(same(lane, ones(lane, 3)?)?, [1; 3]);
        assert_eq!(stream.with(|lane| same(lane, ones(lane, 2)?))?, [1; 2]);
        Ok(())
    });
}

#[test]
fn priorities_are_those_that_were_asked_for() {
    let sim = Sim::new();
    let trace = Trace::new(sim.clone());
    Device::scope(trace.clone(), 0, |device| {
        let (lowest, highest) = device.priorities()?;
        assert_eq!((lowest, highest), (0, -5));
        for (asked, given) in [(lowest, 0), (highest, -5), (-2, -2), (9, 0), (-9, -5)] {
            let mark = trace.mark();
            let _ = device.any_stream_with(asked)?;
            let log = trace.log_since(&mark);
            let created = log.entries().iter().find(|entry| entry.call == Call::StreamCreate).unwrap();
            assert_eq!(sim.stream_priority(created.stream.unwrap().stream.id), Some(given));
        }
        Ok(())
    })
    .unwrap();
}

/// Streams and their loose buffers go to threads; a brand is made there.
#[test]
fn workers_with_streams_of_their_own() {
    on_sim(|device, _, _| {
        let (main, streams) = (device.stream::<Main>()?, any_streams(device, 4)?);
        let parts = main.take(main.zeroed::<u32>(64)?)?.into_parts(4);
        let done = std::thread::scope(|threads| {
            let workers = parts.into_iter().zip(&streams).enumerate().map(|(index, (part, stream))| {
                let part = part.loose();
                threads.spawn(move || -> Result<_> {
                    lane!(lane = *stream);
                    let mut part = lane.take(part)?;
                    lane.fill(&mut part, index as u32)?;
                    Ok(part.loose())
                })
            });
            let workers: Vec<_> = workers.collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Result<Vec<_>>>()
        })?;
        let whole = main.take(done)?.into_iter().map(Ok).reduce(|left, right| Ok(left?.unsplit(right?)?)).unwrap();
        assert_eq!(main.download(&whole?)?, [[0; 16], [1; 16], [2; 16], [3; 16]].concat());
        Ok(())
    });
}

#[test]
fn failing_calls_on_lanes_lose_nothing() {
    fn program<'id>(device: Device<Scoped<'id>>) -> Result<()> {
        let (main, streams, math) = (device.stream::<Main>()?, any_streams(device, 3)?, device.load::<Math>()?);
        let mut place = main.zeroed::<u32>(8)?.loose();
        let one = main.share(main.upload(&[1u32; 8])?)?;
        for &stream in &streams {
            lane!(lane = stream);
            let mut x = match lane.take_from(&mut place) {
                Ok(x) => x,
                Err(_) => lane.take_from(&mut place)?, // it was put back
            };
            math.add(lane, &lane.lease(&one)?, &mut x)?;
            place = x.loose();
        }
        drop(one);
        let place = match streams[2].sync(place) {
            Ok(synced) => synced,
            Err(failed) => device.sync(failed.buffers)?,
        };
        assert_eq!(place.to_vec()?, [3; 8]);
        Ok(())
    }
    each_call_fails(|device, _| program(device));
}
