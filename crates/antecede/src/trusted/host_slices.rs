//! The slices that a host function gets.

use super::buffer::Buffer;
use super::driver::{Access, DevicePtr};
use crate::batch::Buffers;
use crate::{HostVisible, State};
use bytemuck::Pod;
use std::marker::PhantomData;

/// Buffers whose elements a [host function](crate::Stream::host_fn) gets as slices. Sealed.
///
/// Implemented by [`Buffer`] in memory that is [`HostVisible`], of elements that are `Send`, and by `()`, tuples, arrays,
/// `Vec` and `Option` of such. Not by [`Kept`](crate::Kept): let the function capture what it needs.
#[diagnostic::on_unimplemented(
    message = "a host function cannot be given `{Self}`",
    label = "has no elements in host memory",
    note = "give it buffers of pinned or managed memory, and let it capture the rest: `stream.host_fn(buf, move |x| ..)?`",
    note = "from device memory copy first: `stream.copy(&buf, &mut pinned)?`"
)]
pub trait HostSlices: Buffers + sealed::HostSlices {
    /// `&'a mut [T]` for each buffer.
    type Slices<'a>;
    /// The addresses.
    #[doc(hidden)]
    type Lent: Send + 'static;
    #[doc(hidden)]
    fn lend(&self, accesses: &mut Vec<Access>) -> Self::Lent;
    /// # Safety
    /// For all of `'a`:
    /// 1. the buffers that were lent have their memory, and everything earlier on it has taken effect;
    /// 2. nobody else accesses it.
    #[doc(hidden)]
    unsafe fn slices<'a>(lent: Self::Lent) -> Self::Slices<'a>;
}

/// Where the elements of one buffer are.
#[allow(missing_debug_implementations, reason = "it never leaves this crate")]
pub struct Lent<T> {
    ptr: DevicePtr,
    len: usize,
    _element: PhantomData<fn() -> T>,
}

mod sealed {
    pub trait HostSlices {}
}

impl<T: Pod + Send, St: State, M: HostVisible> sealed::HostSlices for Buffer<T, St, M> {}

impl<T: Pod + Send, St: State, M: HostVisible> HostSlices for Buffer<T, St, M> {
    type Slices<'a> = &'a mut [T];
    type Lent = Lent<T>;

    fn lend(&self, accesses: &mut Vec<Access>) -> Lent<T> {
        let access = self.access(true);
        if access.bytes > 0 {
            accesses.push(access);
        }
        Lent { ptr: access.ptr, len: self.len(), _element: PhantomData }
    }

    unsafe fn slices<'a>(lent: Lent<T>) -> &'a mut [T] {
        let Lent { ptr, len, .. } = lent;
        let elements = if len * size_of::<T>() == 0 { std::ptr::dangling_mut() } else { ptr.0 as *mut T };
        // SAFETY: host memory of `len` elements (the kind is `HostVisible`), aligned, of any bit pattern (`Pod`), there
        // and ours for `'a` (1, 2); or elements without bytes, or none.
        unsafe { std::slice::from_raw_parts_mut(elements, len) }
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)+) => { $(
        impl<$($name: HostSlices),*> sealed::HostSlices for ($($name,)*) {}

        #[diagnostic::do_not_recommend]
        #[allow(non_snake_case, unused_variables, unused_unsafe, clippy::unused_unit, reason = "one body for every length")]
        impl<$($name: HostSlices),*> HostSlices for ($($name,)*) {
            type Slices<'a> = ($($name::Slices<'a>,)*);
            type Lent = ($($name::Lent,)*);

            fn lend(&self, accesses: &mut Vec<Access>) -> Self::Lent {
                let ($($name,)*) = self;
                ($($name.lend(accesses),)*)
            }
            unsafe fn slices<'a>(lent: Self::Lent) -> Self::Slices<'a> {
                let ($($name,)*) = lent;
                // SAFETY: (1, 2) of each.
                unsafe { ($(<$name as HostSlices>::slices($name),)*) }
            }
        }
    )+ };
}

tuples! {
    ;
    A;
    A B;
    A B C;
    A B C E;
    A B C E F;
    A B C E F G;
    A B C E F G H;
    A B C E F G H I;
    A B C E F G H I J;
    A B C E F G H I J K;
    A B C E F G H I J K L;
    A B C E F G H I J K L M;
}

macro_rules! containers {
    ($([$($generics:tt)*] $own:ty, $slices:ty, $lent:ty, $borrow:expr, |$of:ident, $f:ident| $map:expr;)+) => { $(
        impl<P: HostSlices, $($generics)*> sealed::HostSlices for $own {}

        #[diagnostic::do_not_recommend]
        impl<P: HostSlices, $($generics)*> HostSlices for $own {
            type Slices<'a> = $slices;
            type Lent = $lent;

            fn lend(&self, accesses: &mut Vec<Access>) -> Self::Lent {
                let ($of, mut $f) = ($borrow(self), |item: &P| item.lend(accesses));
                $map
            }
            unsafe fn slices<'a>(lent: Self::Lent) -> Self::Slices<'a> {
                // SAFETY: (1, 2) of each.
                let ($of, mut $f) = (lent, |item| unsafe { P::slices(item) });
                $map
            }
        }
    )+ };
}

containers! {
    [] Vec<P>, Vec<P::Slices<'a>>, Vec<P::Lent>, <[P]>::iter, |v, f| v.into_iter().map(&mut f).collect();
    [] Option<P>, Option<P::Slices<'a>>, Option<P::Lent>, Option::as_ref, |v, f| v.map(&mut f);
    [const N: usize] [P; N], [P::Slices<'a>; N], [P::Lent; N], <[P; N]>::each_ref, |v, f| v.map(&mut f);
}
