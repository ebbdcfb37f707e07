//! Arrays, item by item.

use std::mem::{ManuallyDrop, MaybeUninit};

/// `array.map(f)`. The standard library's also drops what is left of its input when nothing is, by a call, at each use: on
/// the path of every hand-over. Here the drop is that of a guard which is forgotten, so an `f` that does nothing leaves a
/// copy, or not even that.
#[inline]
pub(crate) fn map_array<T, U, const N: usize>(array: [T; N], mut f: impl FnMut(T) -> U) -> [U; N] {
    let mut halfway = Halfway { given: ManuallyDrop::new(array), made: [const { MaybeUninit::uninit() }; N], done: 0 };
    while halfway.done < N {
        let place = halfway.done;
        // SAFETY: each item is read once: if `f` panics, the guard leaves out this one as well.
        let item = unsafe { std::ptr::read(&raw const halfway.given[place]) };
        let unwinding = Unwinding(&mut halfway);
        let made = f(item);
        std::mem::forget(unwinding);
        halfway.made[place].write(made);
        halfway.done = place + 1;
    }
    // SAFETY: all `N` are written; an array of `MaybeUninit<U>` has the layout of one of `U`. It is not used again.
    unsafe { std::mem::transmute_copy(&halfway.made) }
}

/// The first `done` items are made, and gone from `given`.
struct Halfway<T, U, const N: usize> {
    given: ManuallyDrop<[T; N]>,
    made: [MaybeUninit<U>; N],
    done: usize,
}

/// Dropped where `f` panics, with the item that it was called with: drops what was made and what is left.
struct Unwinding<'a, T, U, const N: usize>(&'a mut Halfway<T, U, N>);

impl<T, U, const N: usize> Drop for Unwinding<'_, T, U, N> {
    #[cold]
    fn drop(&mut self) {
        let Halfway { given, made, done } = &mut *self.0;
        // SAFETY: the first `done` are written, and dropped once.
        unsafe { std::ptr::drop_in_place(&raw mut made[..*done] as *mut [U]) };
        // SAFETY: those after the one that `f` was given are neither read nor dropped.
        unsafe { std::ptr::drop_in_place(&raw mut given[*done + 1..]) };
    }
}

#[cfg(test)]
mod tests {
    use super::map_array;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::rc::Rc;

    #[test]
    fn every_item_is_mapped_in_its_place() {
        assert_eq!(map_array([1, 2, 3], |x| x.to_string()), ["1", "2", "3"]);
        assert_eq!(map_array([(); 0], |()| 1), [0; 0]);
    }

    #[test]
    fn a_panic_drops_each_item_once() {
        let item = Rc::new(());
        let items = [(); 5].map(|()| item.clone());
        let mut calls = 0;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            map_array(items, |item| {
                calls += 1;
                assert!(calls < 3, "the third panics");
                Box::new(item)
            })
        }));
        assert!(outcome.is_err());
        assert_eq!(Rc::strong_count(&item), 1);
    }
}
