//! A hand-over is one record and one wait for each distinct other stream.

use crate::{FREE, costs, hand_overs};
use antecede::{Batch, Buffer, Loose, State};
use antecede_testkit::{Math, on_sim};
use antecede_tests::{A, B, C, E};
use antecede_trace::Call;

#[test]
fn use_on_the_same_stream_costs_nothing_else() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let math = device.load::<Math>()?;
        let mut x = costs(bench, [(Call::Alloc, 1)], || a.alloc::<u32>(8))?;
        costs(bench, [(Call::Fill, 1)], || a.fill(&mut x, 1))?;
        costs(bench, [(Call::Launch, 1)], || math.increment(a, 8, &mut x))?;
        let mut x = costs(bench, FREE, || Ok(a.take(x)?))?;
        costs(bench, [(Call::Launch, 5)], || (0..5).try_for_each(|_| math.increment(a, 8, &mut x)))?;
        let mut y = costs(bench, [(Call::Alloc, 1), (Call::Fill, 1)], || a.zeroed::<u32>(8))?;
        costs(bench, [(Call::Copy, 1)], || a.copy(&x, &mut y))
    });
}

#[test]
fn one_buffer() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let x = a.zeroed::<u32>(8)?;
        let x = costs(bench, hand_overs(1), || Ok(b.take(x)?))?;
        let x = costs(bench, hand_overs(1), || Ok(a.take(x.loose())?))?;
        drop(x);
        Ok(())
    });
}

#[test]
fn a_tuple_of_any_length() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        macro_rules! tuples {
            ($($($name:ident)+;)+) => { $({
                #[allow(non_snake_case, reason = "one body for every length")]
                let ($($name,)+) = ($({ let $name = a.zeroed::<u32>(1)?; $name },)+);
                drop(costs(bench, hand_overs(1), || Ok(b.take(($($name,)+))?))?);
            })+ };
        }
        tuples! {
            P; P Q; P Q R; P Q R T; P Q R T U; P Q R T U V; P Q R T U V W; P Q R T U V W X; P Q R T U V W X Y;
            P Q R T U V W X Y Z; P Q R T U V W X Y Z G; P Q R T U V W X Y Z G H;
        }
        Ok(())
    });
}

#[derive(Batch)]
struct Pair<St: State> {
    one: Buffer<u32, St>,
    two: Option<Buffer<u8, St>>,
}

#[test]
fn a_vector_an_array_a_struct() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let many = (0..100).map(|_| a.zeroed::<u32>(1)).collect::<antecede::Result<Vec<_>>>()?;
        let many = costs(bench, hand_overs(1), || Ok(b.take(many)?))?;
        assert_eq!(many.len(), 100);
        let array = [a.zeroed::<u32>(1)?, a.zeroed(1)?, a.zeroed(1)?];
        let array = costs(bench, hand_overs(1), || Ok(b.take(array)?))?;
        let pair = Pair { one: a.zeroed(1)?, two: Some(a.zeroed(1)?) };
        let pair = costs(bench, hand_overs(1), || Ok(b.take(pair)?))?;
        drop((many, array, pair.one, pair.two));
        Ok(())
    });
}

#[test]
fn one_record_and_one_wait_for_each_other_stream() {
    on_sim(|device, bench| {
        let (a, b, c, e) = device.streams::<(A, B, C, E)>()?;
        let (x, y) = (a.zeroed::<u32>(1)?, b.zeroed::<u32>(1)?);
        let (x, y) = costs(bench, hand_overs(2), || Ok(c.take((x, y))?))?;
        let join = (a.zeroed::<u32>(1)?, b.zeroed::<u32>(1)?, x, e.zeroed::<u32>(1)?);
        // The stream's own buffers count for nothing.
        let join = costs(bench, hand_overs(3), || Ok(e.take(join)?))?;
        let mut many: Vec<Buffer<u32, Loose<_>>> = vec![y.loose()];
        for _ in 0..10 {
            many.extend([a.zeroed(1)?.loose(), b.zeroed(1)?.loose(), c.zeroed(1)?.loose(), e.zeroed(1)?.loose()]);
        }
        let many = costs(bench, hand_overs(3), || Ok(a.take(many)?))?;
        drop((join, many));
        Ok(())
    });
}

antecede::streams! { S0, S1, S2, S3, S4, S5, S6, S7, S8, S9 }

/// More streams than fit in the space that the library sets aside for their list.
#[test]
fn ten_other_streams() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        macro_rules! from_each {
            ($($brand:ident)+) => { vec![$(device.stream::<$brand>()?.zeroed::<u32>(1)?.loose()),+] };
        }
        let mut many = from_each!(S0 S1 S2 S3 S4 S5 S6 S7 S8 S9);
        many.extend(from_each!(S9 S8 S0));
        let many = costs(bench, hand_overs(10), || Ok(a.take(many)?))?;
        drop(many);
        Ok(())
    });
}

#[test]
fn the_record_is_on_the_old_stream_and_the_wait_on_the_new_one() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let x = a.zeroed::<u32>(1)?;
        let (taken, log) = bench.log(|| b.take(x));
        drop(taken?);
        let calls: Vec<_> = log.entries().iter().map(|entry| (entry.call, entry.stream.and_then(|s| s.name))).collect();
        assert_eq!(calls[..2], [(Call::EventRecord, Some("A")), (Call::EventWait, Some("B"))]);
        assert_eq!(log.entries()[0].event, log.entries()[1].event);
        Ok(())
    });
}

#[test]
fn changes_of_type_alone_are_free() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let (x, y) = (a.zeroed::<u32>(1)?, a.zeroed::<u32>(1)?);
        let (x, y) = costs(bench, [(Call::StreamSync, 1)], || Ok(a.sync((x, y))?))?;
        let x = costs(bench, FREE, || Ok(x.on(b)))?;
        let x = costs(bench, FREE, || Ok(x.loose()))?;
        let x = costs(bench, FREE, || Ok(b.claim(x)?))?;
        let failed = costs(bench, FREE, || Ok(a.claim(x).expect_err("it is on `B`")))?;
        let y = costs(bench, FREE, || Ok(b.take(y)?))?;
        let y = costs(bench, FREE, || Ok(b.take((y, failed.buffers))?))?;
        drop(y);
        Ok(())
    });
}
