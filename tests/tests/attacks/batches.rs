//! Attack: a batch of the user's own that does not do what it says. It owns what it is given, so it can lose buffers or
//! exchange them, and their states stay true.

use antecede::{Batch, Buffer, Loose, On, Result, State};
use antecede_testkit::on_sim;
use antecede_tests::{A, B};
use std::cell::RefCell;

/// Gives its buffers back in another order.
struct Reversed<St: State>(Vec<Buffer<u32, St>>);

impl<St: State> Batch for Reversed<St> {
    type Parts = Vec<Buffer<u32, St>>;
    type With<St2: State> = Reversed<St2>;

    fn lower(mut self) -> Self::Parts {
        self.0.reverse();
        self.0
    }
    fn raise(parts: Self::Parts) -> Self {
        Reversed(parts)
    }
}

#[test]
fn buffers_in_another_order() {
    on_sim(|device, _| {
        let (a, b) = device.streams::<(A, B)>()?;
        let batch = Reversed(vec![a.upload(&[1u32])?.loose(), b.upload(&[2u32])?.loose()]);
        let Reversed(found) = a.take(batch)?;
        assert_eq!((a.download(&found[0])?, a.download(&found[1])?), (vec![2], vec![1]));
        Ok(())
    });
}

thread_local! {
    static STOLEN: RefCell<Vec<Buffer<u32, On<A>>>> = const { RefCell::new(Vec::new()) };
}

/// Loses what it is given, and makes an empty buffer in its place.
struct Thief<St: State>(Buffer<u32, St>);

impl<St: State> Batch for Thief<St> {
    type Parts = Buffer<u32, St>;
    type With<St2: State> = Thief<St2>;

    fn lower(self) -> Self::Parts {
        self.0
    }
    fn raise(parts: Self::Parts) -> Self {
        drop(parts);
        Thief(Buffer::default())
    }
}

#[test]
fn a_raise_that_loses_its_buffers_frees_them_in_order() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut x = a.zeroed::<u32>(64)?;
        a.fill(&mut x, 1)?;
        let Thief(empty) = b.take(Thief(x))?;
        assert!(empty.is_empty());
        assert_eq!(bench.sim().live().allocations, 0);
        Ok(())
    });
}

/// Uses the buffer in `lower`, on the stream that it is ready on: that is before the record.
struct LastMinute<St: State>(Buffer<u32, St>, Option<Box<dyn FnOnce(&mut Buffer<u32, St>)>>);

impl<St: State> Batch for LastMinute<St> {
    type Parts = Buffer<u32, St>;
    type With<St2: State> = LastMinute<St2>;

    fn lower(mut self) -> Self::Parts {
        if let Some(work) = self.1.take() {
            work(&mut self.0);
        }
        self.0
    }
    fn raise(parts: Self::Parts) -> Self {
        LastMinute(parts, None)
    }
}

#[test]
fn work_in_lower_is_before_the_record() {
    antecede_testkit::in_own_process!({
        let shared = antecede_testkit::shared_device();
        let (a, b) = shared.device().streams::<(A, B)>().unwrap();
        let late = |value: u32| -> Result<LastMinute<On<A>>> {
            let work = move |x: &mut Buffer<u32, On<A>>| a.fill(x, value).unwrap();
            Ok(LastMinute(a.zeroed::<u32>(8)?, Some(Box::new(work))))
        };
        for _ in 0..20 {
            let LastMinute(x, _) = b.take(late(1).unwrap()).unwrap();
            assert_eq!(b.download(&x).unwrap(), [1; 8]);
            let LastMinute(x, _): LastMinute<On<B>> = b.wait(a.record(late(2).unwrap()).unwrap()).unwrap();
            assert_eq!(b.download(&x).unwrap(), [2; 8]);
            let LastMinute(x, _) = a.sync(late(3).unwrap()).unwrap();
            assert_eq!(x.to_vec().unwrap(), [3; 8]);
        }
    });
}

/// What a thief could keep, it keeps in a state that is true.
#[test]
fn a_stolen_buffer_stays_where_it_was() {
    antecede_testkit::in_own_process!({
        struct Keeper<St: State>(Buffer<u32, St>);
        impl Batch for Keeper<On<A>> {
            type Parts = Buffer<u32, On<A>>;
            type With<St: State> = Buffer<u32, St>;

            fn lower(self) -> Self::Parts {
                STOLEN.with_borrow_mut(|stolen| stolen.push(self.0));
                Buffer::default()
            }
            fn raise(parts: Self::Parts) -> Self {
                Keeper(parts)
            }
        }
        let shared = antecede_testkit::shared_device();
        let (a, b) = shared.device().streams::<(A, B)>().unwrap();
        let empty = b.take(Keeper(a.upload(&[1u32, 2]).unwrap())).unwrap();
        assert!(empty.is_empty());
        let stolen: Buffer<u32, On<A>> = STOLEN.take().pop().unwrap();
        assert_eq!(a.download(&stolen).unwrap(), [1, 2]);
        drop::<Buffer<u32, Loose>>(stolen.loose());
    });
}
