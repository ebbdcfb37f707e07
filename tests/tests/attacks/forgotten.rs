//! Attack: `mem::forget` of whatever a happens-before edge could depend on.

use antecede_testkit::Fixture;
use antecede_tests::{A, B};
use std::mem::{ManuallyDrop, forget};

/// Forgetting leaks, and the judge finds no unordered access: nothing relies on a drop.
fn forgetting() -> Fixture {
    Fixture::new().allow_leaks()
}

#[test]
fn buffers_in_every_state() {
    forgetting().run(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        forget(a.zeroed::<u32>(8)?);
        forget(a.zeroed::<u32>(8)?.loose());
        forget(a.sync(a.zeroed::<u32>(8)?)?);
        forget(b.take(a.zeroed::<u32>(8)?)?);
        forget(device.pinned::<u32>(8)?.on(b));
        // Their memory is not given to anyone else.
        let mut x = b.zeroed::<u32>(8)?;
        b.fill(&mut x, 1)?;
        assert_eq!(b.download(&x)?, [1; 8]);
        drop(x);
        assert_eq!(bench.sim().live().allocations, 4);
        assert_eq!(device.leaked(), 0, "a forgotten buffer is nobody's failure");
        Ok(())
    });
}

#[test]
fn records_and_failures() {
    forgetting().run(|device, _| {
        let (a, b) = device.streams::<(A, B)>()?;
        forget(a.record(a.zeroed::<u32>(8)?)?);
        let (x, y) = a.record((a.zeroed::<u32>(8)?, a.zeroed::<u32>(8)?))?.split();
        forget(x); // with a share of the event
        let mut y = b.wait(y)?;
        b.fill(&mut y, 1)?;
        forget(b.claim(a.zeroed::<u32>(8)?.loose()).expect_err("it is on `A`"));
        let mut each = a.record(vec![a.zeroed::<u32>(8)?, a.zeroed(8)?])?.each();
        let first = each.next().expect("two");
        forget(each);
        let z = b.wait(first)?;
        assert_eq!((b.download(&y)?, b.download(&z)?), (vec![1; 8], vec![0; 8]));
        Ok(())
    });
}

#[test]
fn views_and_slices() {
    forgetting().run(|device, _| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut x = ManuallyDrop::new(a.zeroed::<u32>(8)?);
        let view = ManuallyDrop::new(&mut x[2..4]);
        a.fill(ManuallyDrop::into_inner(view), 5)?;
        let x = ManuallyDrop::into_inner(x);
        let x = b.take(x)?;
        assert_eq!(b.download(&x)?, [0, 0, 5, 5, 0, 0, 0, 0]);
        Ok(())
    });
}

#[test]
fn what_a_field_was_taken_from() {
    forgetting().run(|device, _| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut place = a.zeroed::<u32>(8)?.loose();
        forget(b.take_from(&mut place)?);
        assert!(place.is_empty(), "the field cannot reach the memory any more");
        place = b.zeroed::<u32>(8)?.loose();
        assert_eq!(a.download(&a.take(place)?)?, [0; 8]);
        Ok(())
    });
}
