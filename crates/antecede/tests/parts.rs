//! Parts of one allocation.

mod common;

use antecede::{Buffer, Error, On, Result, Stream, kernels, streams};
use antecede_sim::{Call as SimCall, Fault};
use antecede_trace::Call;
use common::{Orders, on_sim, orders};

streams! { Main, A, B }
kernels! {
    Math { unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } } }
}

#[test]
fn parts_go_to_streams_of_their_own_and_come_together_again() {
    on_sim(|device, _, trace| {
        let (main, a, b) = device.streams::<(Main, A, B)>()?;
        let math = device.load::<Math>()?;
        let x = main.upload(&[1u32, 2, 3, 4, 5])?;
        let mark = trace.mark();
        let (left, right) = x.into_parts_at(2);
        assert_eq!(trace.counts_since(&mark).total(), 0);
        let (mut left, mut right) = (a.take(left)?, b.take(right)?);
        math.double(a, &mut left)?;
        math.double(b, &mut right)?;
        math.double(b, &mut right[1..2])?;
        let (left, right) = main.take((left, right))?;
        let mark = trace.mark();
        let x = left.unsplit(right)?;
        assert_eq!(trace.counts_since(&mark).total(), 0);
        assert_eq!(main.download(&x)?, [2, 4, 6, 16, 10]);
        drop(x);
        let counts = trace.counts_since(&mark);
        assert_eq!((counts.of(Call::Free), counts.of(Call::EventRecord)), (1, 0));
        Ok(())
    });
}

#[test]
fn the_allocation_is_freed_once_after_the_last_use_in_any_order() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        on_sim(|device, sim, trace| {
            let (main, a, b) = device.streams::<(Main, A, B)>()?;
            let math = device.load::<Math>()?;
            let mut parts = main.zeroed::<u32>(90)?.into_parts(3).into_iter();
            let mut on_a = a.take(parts.next().unwrap())?;
            let mut on_b = b.take(parts.next().unwrap())?;
            let on_main = parts.next().unwrap();
            math.double(a, &mut on_a)?;
            math.double(b, &mut on_b)?;
            let mark = trace.mark();
            let (mut on_a, mut on_b, mut on_main) = (Some(on_a), Some(on_b), Some(on_main));
            for part in order {
                assert_eq!(trace.counts_since(&mark).of(Call::Free), 0);
                match part {
                    0 => drop(on_a.take()),
                    1 => drop(on_b.take()),
                    _ => drop(on_main.take()),
                }
            }
            let counts = trace.counts_since(&mark);
            assert_eq!(counts.of(Call::Free), 1);
            assert_eq!(orders(trace, &mark), Orders { records: 2, waits: 2 });
            // Memory of that size, in use at once on a third stream.
            let mut again = main.alloc::<u32>(90)?;
            main.fill(&mut again, 1)?;
            drop(main.sync(again)?);
            assert_eq!(sim.live().allocations, 0);
            Ok(())
        });
    }
}

#[test]
fn chunks_and_uneven_parts() {
    on_sim(|device, _, _| {
        let main = device.stream::<Main>()?;
        let lengths = |parts: Vec<Buffer<u32, On<Main, _>>>| parts.iter().map(|part| part.len()).collect::<Vec<_>>();
        assert_eq!(lengths(main.zeroed(10)?.into_chunks(4)), [4, 4, 2]);
        assert_eq!(lengths(main.zeroed(10)?.into_parts(4)), [3, 3, 2, 2]);
        assert_eq!(lengths(main.zeroed(2)?.into_parts(3)), [1, 1, 0]);
        assert_eq!(lengths(main.zeroed(0)?.into_chunks(4)), [0usize; 0]);
        let (all, none) = main.upload(&[1u32, 2])?.into_parts_at(2);
        assert_eq!((all.len(), none.len()), (2, 0));
        drop(none);
        assert_eq!(main.download(&all)?, [1, 2]);
        let (units, more) = main.alloc::<()>(5)?.into_parts_at(3);
        assert_eq!(units.unsplit(more)?.len(), 5);
        Ok(())
    });
}

#[test]
fn only_neighbours_of_one_parent_join() {
    on_sim(|device, _, _| {
        let (main, a) = device.streams::<(Main, A)>()?;
        let x = main.zeroed::<u32>(8)?;
        let (left, rest) = x.into_parts_at(2);
        let (mid, right) = rest.into_parts_at(2);
        let failed = right.unsplit(mid).unwrap_err();
        assert_eq!(failed.error, Error::NotAdjacent);
        let (right, mid) = failed.buffers;
        let failed = left.unsplit(right).unwrap_err();
        assert_eq!(failed.error, Error::NotAdjacent);
        let (left, right) = failed.buffers;
        let other = main.zeroed::<u32>(8)?;
        let (other, _end) = other.into_parts_at(4);
        let (left, other) = left.unsplit(other).unwrap_err().buffers;
        let whole = main.zeroed::<u32>(8)?;
        let (left, _whole) = left.unsplit(whole).unwrap_err().buffers;
        // At run time two streams are told apart.
        let loose = a.take(mid)?.loose();
        let failed = left.loose().unsplit(loose).unwrap_err();
        assert_eq!(failed.error.to_string(), "the buffer is on stream `A`, not on stream `Main`");
        let (left, mid) = main.take(failed.buffers)?;
        let joined = left.unsplit(mid)?.unsplit(right)?;
        assert_eq!((joined.len(), other.len()), (8, 4));
        Ok(())
    });
}

#[test]
fn pinned_parts_are_used_again_only_when_idle() {
    on_sim(|device, _, _| {
        let (main, a) = device.streams::<(Main, A)>()?;
        let source = device.pinned_from(&[1u32, 2, 3, 4])?.on(main);
        let (left, right) = source.into_parts_at(2);
        let right = a.take(right)?;
        let (mut x, mut y) = (main.alloc(2)?, a.alloc(2)?);
        main.copy(&left, &mut x)?;
        a.copy(&right, &mut y)?;
        drop((left, right));
        let mut next = device.pinned::<u32>(4)?;
        next.as_mut_slice().fill(9);
        assert_eq!((main.download(&x)?, a.download(&y)?), (vec![1, 2], vec![3, 4]));
        Ok(())
    });
}

#[test]
fn the_last_part_may_be_with_the_host_while_others_were_in_flight() {
    on_sim(|device, _, _| {
        let main = device.stream::<Main>()?;
        let (left, right) = device.pinned_from(&[1u32, 2, 3, 4])?.into_parts_at(2);
        let left = left.on(main);
        let mut x = main.alloc(2)?;
        main.copy(&left, &mut x)?;
        drop(left);
        drop(right);
        device.pinned::<u32>(4)?.as_mut_slice().fill(9);
        assert_eq!(main.download(&x)?, [1, 2]);
        Ok(())
    });
}

#[test]
fn a_part_whose_end_cannot_be_recorded_leaks_the_whole() {
    use antecede::Device;
    use antecede_sim::Sim;
    let sim = Sim::new();
    Device::scope(sim.clone(), 0, |device| {
        let (main, a) = device.streams::<(Main, A)>()?;
        let (left, right) = main.zeroed::<u32>(8)?.into_parts_at(4);
        let left = a.take(left)?;
        sim.faults().inject(Fault::nth(1).of(SimCall::EventRecord));
        drop(left);
        assert_eq!(device.leaked(), 0);
        drop(right);
        assert_eq!((device.leaked(), sim.live().allocations), (1, 1));
        Ok(())
    })
    .unwrap();
}

/// Generic code takes parts as it takes whole buffers.
fn clear<S, D>(stream: Stream<S, D>, mut x: Buffer<u32, On<S, D>>) -> Result<Vec<u32>> {
    stream.clear(&mut x)?;
    stream.download(&x)
}

#[test]
fn a_part_is_a_buffer() {
    on_sim(|device, _, _| {
        let main = device.stream::<Main>()?;
        let (left, right) = main.upload(&[1u32, 2, 3])?.into_parts_at(1);
        assert_eq!(clear(main, left)?, [0]);
        assert_eq!(main.download(&right)?, [2, 3]);
        Ok(())
    });
}
