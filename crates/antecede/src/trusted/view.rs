//! Device memory seen in place.

use super::driver::{Access, DevicePtr};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// Part of a buffer, in place: `&View` is read, `&mut View` is written.
///
/// Every [`Buffer`](crate::Buffer) dereferences to the view of all its elements, and a view is sliced by ranges:
/// `&x[..n]`, `&mut y[a..b]`. Launches, fills and copies take views. The host cannot look inside.
///
/// `View` is unsized, as a slice is, so `mem::swap` and `mem::replace` cannot exchange what two buffers own.
///
/// # Soundness
///
/// A `&View` is an address and a length, and refers to no bytes as far as Rust is concerned (its tail is a slice of
/// `()`): so it may hold the address of device memory, and two of them may overlap. What keeps a written view exclusive
/// is the borrow of the buffer that it came from.
pub struct View<T, St> {
    _element: PhantomData<T>,
    _state: PhantomData<(St, fn(St) -> St)>,
    memory: [()],
}

impl<T, St> View<T, St> {
    /// # Safety
    /// For all of `'a`:
    /// 1. `ptr` is the address of `len` elements of `T` in live memory, or `len` elements have no bytes;
    /// 2. the fact that `St` asserts is true of them;
    /// 3. nobody accesses them in a way that is not ordered with reads on the stream of `St`.
    pub(super) unsafe fn at<'a>(ptr: DevicePtr, len: usize) -> &'a Self {
        let view = std::ptr::slice_from_raw_parts(address(ptr), len) as *const Self;
        // SAFETY: not null, aligned to 1, of zero bytes: valid for any address.
        unsafe { &*view }
    }

    /// # Safety
    /// 1. to 2. as for [`at`](View::at); 3. for all of `'a` nobody else accesses them.
    pub(super) unsafe fn at_mut<'a>(ptr: DevicePtr, len: usize) -> &'a mut Self {
        let view = std::ptr::slice_from_raw_parts_mut(address(ptr).cast_mut(), len) as *mut Self;
        // SAFETY: as in `at`; references to zero bytes never alias.
        unsafe { &mut *view }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.memory.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements of `range`, or `None` if it does not lie inside.
    pub fn get(&self, range: impl ViewRange) -> Option<&Self> {
        let range = range.within(self.len())?;
        // SAFETY: (1) inside this view. (2, 3) true of all of it, for the length of the borrow.
        Some(unsafe { View::at(self.element(range.start), range.len()) })
    }

    /// The elements of `range`, to be written, or `None` if it does not lie inside.
    pub fn get_mut(&mut self, range: impl ViewRange) -> Option<&mut Self> {
        let range = range.within(self.len())?;
        // SAFETY: as in `get`, and exclusive as `self` is.
        Some(unsafe { View::at_mut(self.element(range.start), range.len()) })
    }

    /// The first `mid` elements, and the rest.
    ///
    /// # Panics
    /// If `mid` is more than [`len`](View::len).
    pub fn split_at(&self, mid: usize) -> (&Self, &Self) {
        (&self[..mid], &self[mid..])
    }

    /// The first `mid` elements, and the rest, both to be written.
    ///
    /// # Panics
    /// If `mid` is more than [`len`](View::len).
    pub fn split_at_mut(&mut self, mid: usize) -> (&mut Self, &mut Self) {
        let len = self.len();
        assert!(mid <= len, "cannot split {len} elements at {mid}");
        // SAFETY: (1, 2) inside this view. (3) exclusive as `self` is, and disjoint.
        unsafe { (View::at_mut(self.element(0), mid), View::at_mut(self.element(mid), len - mid)) }
    }

    /// The bytes, as an operation accesses them. Zero bytes at any address if there are none.
    pub(crate) fn access(&self, write: bool) -> Access {
        Access { ptr: self.element(0), bytes: self.len() * size_of::<T>(), write }
    }

    fn element(&self, index: usize) -> DevicePtr {
        let start = std::ptr::from_ref(self).cast::<()>().addr() as u64;
        DevicePtr(start).offset(index * size_of::<T>())
    }
}

/// References are not null: an empty buffer has address 1.
#[inline]
fn address(ptr: DevicePtr) -> *const () {
    std::ptr::without_provenance(ptr.0.max(1) as usize)
}

impl<T, St> fmt::Debug for View<T, St> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({} elements)", self.len())
    }
}

impl<T, St, R: ViewRange> Index<R> for View<T, St> {
    type Output = View<T, St>;

    /// # Panics
    /// If the range does not lie inside.
    fn index(&self, range: R) -> &Self {
        match self.get(range) {
            Some(view) => view,
            None => outside(self.len()),
        }
    }
}

impl<T, St, R: ViewRange> IndexMut<R> for View<T, St> {
    fn index_mut(&mut self, range: R) -> &mut Self {
        let len = self.len();
        match self.get_mut(range) {
            Some(view) => view,
            None => outside(len),
        }
    }
}

#[cold]
#[track_caller]
fn outside(len: usize) -> ! {
    panic!("the range does not lie inside a view of {len} elements")
}

/// A range of elements. Sealed.
///
/// Implemented by the ranges of `usize`. Not by `usize`: one element of device memory is no host value.
#[diagnostic::on_unimplemented(
    message = "the host cannot pick a single element of device memory with `[{Self}]`",
    label = "give a range",
    note = "`&buf[i..i + 1]` is part of the buffer; `stream.download(&buf)?[i]` is a host value"
)]
pub trait ViewRange: range::Sealed {
    /// The same range, if it lies inside `0..len`.
    #[doc(hidden)]
    fn within(self, len: usize) -> Option<Range<usize>>;
}

mod range {
    pub trait Sealed {}
}

macro_rules! ranges {
    ($($range:ty => |$self:ident, $len:ident| $bounds:expr;)*) => { $(
        impl range::Sealed for $range {}
        #[diagnostic::do_not_recommend]
        impl ViewRange for $range {
            fn within(self, $len: usize) -> Option<Range<usize>> {
                let $self = self;
                let (start, end): (usize, Option<usize>) = $bounds;
                let end = end?;
                (start <= end && end <= $len).then_some(start..end)
            }
        }
    )* };
}

ranges! {
    Range<usize> => |r, len| (r.start, Some(r.end));
    RangeTo<usize> => |r, len| (0, Some(r.end));
    RangeFrom<usize> => |r, len| (r.start, Some(len));
    RangeFull => |_r, len| (0, Some(len));
    RangeInclusive<usize> => |r, len| {
        let end = r.end().checked_add(1);
        // One that has been iterated to its end still has equal bounds.
        let exhausted = r.is_empty() && r.start() == r.end();
        (if exhausted { end.unwrap_or(usize::MAX) } else { *r.start() }, end)
    };
    RangeToInclusive<usize> => |r, len| (0, r.end.checked_add(1));
}
