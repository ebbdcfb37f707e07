//! Buffers that go together.

use crate::state::{ReadyOn, SameDevice, State};
use crate::trusted::{Fact, Sources, map_array};

/// One buffer or several, handed over, recorded and synced as one: a [`Buffer`](crate::Buffer), a tuple of up to 12
/// batches, an array, a `Vec`, an `Option`, or a struct of yours with `#[derive(Batch)]`.
///
/// Safe to implement: an implementation only rearranges. States change on the [`Parts`](Batch::Parts), in this crate.
///
/// Not implemented by anything that borrows (`&mut Buffer`, a [`View`](crate::View)): what is handed over is owned,
/// else the lender could use it again on the old stream.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a buffer or a batch of buffers",
    label = "cannot be handed over",
    note = "a borrow is never one: hand the buffer over by value, or out of a field: `stream.take_from(&mut self.x)?`",
    note = "tuples, arrays, `Vec` and `Option` of buffers are batches; a struct becomes one by `#[derive(Batch)]`",
    note = "a record is waited on: `stream.wait(recorded)?`; shared buffers are joined: `stream.reunite(shared)?`"
)]
pub trait Batch: Sized {
    /// The buffers, as nested tuples and containers.
    type Parts: Buffers;
    /// The same batch in another state.
    type With<St: State>: Batch<Parts = <Self::Parts as Buffers>::With<St>>;
    /// Takes the batch apart.
    fn lower(self) -> Self::Parts;
    /// Puts it together again.
    fn raise(parts: Self::Parts) -> Self;
    /// [`lower`](Batch::lower), of each in an array. A buffer, which is its own parts, has nothing to do.
    #[doc(hidden)]
    #[inline]
    fn lower_array<const N: usize>(batches: [Self; N]) -> [Self::Parts; N] {
        map_array(batches, Self::lower)
    }
    /// [`raise`](Batch::raise), of each in an array.
    #[doc(hidden)]
    #[inline]
    fn raise_array<const N: usize>(parts: [Self::Parts; N]) -> [Self; N] {
        map_array(parts, Self::raise)
    }
    /// [`lower`](Batch::lower), of each in a `Vec`.
    #[doc(hidden)]
    #[inline]
    fn lower_vec(batches: Vec<Self>) -> Vec<Self::Parts> {
        batches.into_iter().map(Self::lower).collect()
    }
    /// [`raise`](Batch::raise), of each in a `Vec`.
    #[doc(hidden)]
    #[inline]
    fn raise_vec(parts: Vec<Self::Parts>) -> Vec<Self> {
        parts.into_iter().map(Self::raise).collect()
    }
}

/// Buffers and containers of them: what a [`Batch`] lowers to. Sealed.
///
/// Implemented by [`Buffer`](crate::Buffer), `()`, tuples, arrays, `Vec`, `Option` and [`Kept`].
pub trait Buffers: sealed::Buffers + Sized {
    /// The same buffers in another state.
    type With<St: State>: Buffers;
    #[doc(hidden)]
    fn retype<St: State>(self, fact: Fact) -> Self::With<St>;
    #[doc(hidden)]
    #[inline]
    fn retype_array<St: State, const N: usize>(array: [Self; N], fact: Fact) -> [Self::With<St>; N] {
        map_array(array, |buffers| buffers.retype(fact))
    }
    #[doc(hidden)]
    #[inline]
    fn retype_vec<St: State>(vec: Vec<Self>, fact: Fact) -> Vec<Self::With<St>> {
        vec.into_iter().map(|buffers| buffers.retype(fact)).collect()
    }
    /// The buffers as views, in another state: what a lease gives.
    type Views<'a, St: State>
    where
        Self: 'a;
    #[doc(hidden)]
    fn views<St: State>(&self, fact: Fact) -> Self::Views<'_, St>;
    #[doc(hidden)]
    fn count_leaks(&self, fact: Fact);
    #[doc(hidden)]
    fn streams(&self, sources: &mut Sources);
}

/// A batch whose every buffer is ready on stream `S` of device `D`. Sealed.
///
/// Implemented by every [`Batch`] of buffers in state `On<S, D>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a batch of buffers that are ready on stream `{S}`",
    label = "cannot be recorded or synced here",
    note = "hand it over first: `let buf = stream.take(buf)?`, or use the stream that it is on",
    note = "tuples, arrays, `Vec` and `Option` of buffers are batches; a struct becomes one by `#[derive(Batch)]`"
)]
pub trait AllOn<S, D>: Batch + sealed::AllOn<S, D> {}

impl<B: Batch, S, D> AllOn<S, D> for B where B::Parts: parts::EachOn<S, D> {}

/// A batch whose every buffer lives on device `D`, in whatever state. Sealed.
///
/// Implemented by every [`Batch`] of buffers in state `On<_, D>`, `Synced<D>` or `Loose<D>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a batch of buffers of device `{D}`",
    label = "cannot be handed over here",
    note = "tuples, arrays, `Vec` and `Option` of buffers are batches; a struct becomes one by `#[derive(Batch)]`",
    note = "a record is waited on: `stream.wait(recorded)?`; shared buffers are joined: `stream.reunite(shared)?`"
)]
pub trait OnDevice<D>: Batch + sealed::OnDevice<D> {}

impl<B: Batch, D> OnDevice<D> for B where B::Parts: parts::EachOnDevice<D> {}

/// Something that is no buffer and goes along with a batch: a field with `#[batch(keep)]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Kept<T>(pub T);

/// See `state::sealed`: a relation is sealed by one with the same parameters.
pub(crate) mod sealed {
    use super::{Batch, Kept, State, parts};
    use crate::{Buffer, Memory};

    pub trait Buffers {}
    pub trait AllOn<S, D> {}
    pub trait OnDevice<D> {}

    impl<B: Batch, S, D> AllOn<S, D> for B where B::Parts: parts::EachOn<S, D> {}
    impl<B: Batch, D> OnDevice<D> for B where B::Parts: parts::EachOnDevice<D> {}

    impl<T, St: State, M: Memory> Buffers for Buffer<T, St, M> {}
    impl<T> Buffers for Kept<T> {}
}

/// Private as a whole, so nobody outside can name these relations.
pub(crate) mod parts {
    use super::{Kept, ReadyOn, SameDevice, State};
    use crate::{Buffer, Memory};

    #[diagnostic::on_unimplemented(
        message = "these buffers are not known to be ready on stream `{S}`",
        label = "nothing says on which stream they are",
        note = "generic code asks for it: `B: AllOn<{S}, {D}>`",
        note = "or takes buffers of any stream, `B: OnDevice<{D}>`, and hands them over: `let b = stream.take(b)?`"
    )]
    pub trait EachOn<S, D> {}

    #[diagnostic::on_unimplemented(
        message = "these buffers are not known to live on device `{D}`",
        label = "nothing says on which device they are",
        note = "generic code asks for it: `B: OnDevice<{D}>`"
    )]
    pub trait EachOnDevice<D> {}

    impl<S, D, T, St: State + ReadyOn<S, D>, M: Memory> EachOn<S, D> for Buffer<T, St, M> {}
    impl<D, T, St: State, M: Memory> EachOnDevice<D> for Buffer<T, St, M> where St::Device: SameDevice<D> {}

    impl<S, D, T> EachOn<S, D> for Kept<T> {}
    impl<D, T> EachOnDevice<D> for Kept<T> {}
}

impl<T> Batch for Kept<T> {
    type Parts = Self;
    type With<St: State> = Self;

    fn lower(self) -> Self {
        self
    }
    fn raise(parts: Self) -> Self {
        parts
    }
}

impl<T> Buffers for Kept<T> {
    type With<St: State> = Self;

    type Views<'a, St: State>
        = &'a T
    where
        Self: 'a;

    fn retype<St: State>(self, _: Fact) -> Self {
        self
    }
    fn views<St: State>(&self, _: Fact) -> &T {
        &self.0
    }
    fn count_leaks(&self, _: Fact) {}
    fn streams(&self, _: &mut Sources) {}
}

macro_rules! tuples {
    ($($($name:ident)*;)+) => { $(
        impl<$($name),*> sealed::Buffers for ($($name,)*) {}
        impl<S, D, $($name: parts::EachOn<S, D>),*> parts::EachOn<S, D> for ($($name,)*) {}
        impl<D, $($name: parts::EachOnDevice<D>),*> parts::EachOnDevice<D> for ($($name,)*) {}

        #[allow(non_snake_case, clippy::unused_unit, reason = "one body for every length")]
        impl<$($name: Batch),*> Batch for ($($name,)*) {
            type Parts = ($($name::Parts,)*);
            type With<St: State> = ($($name::With<St>,)*);

            fn lower(self) -> Self::Parts {
                let ($($name,)*) = self;
                ($($name.lower(),)*)
            }
            fn raise(parts: Self::Parts) -> Self {
                let ($($name,)*) = parts;
                ($(<$name as Batch>::raise($name),)*)
            }
        }

        #[allow(non_snake_case, unused_variables, clippy::unused_unit, reason = "one body for every length")]
        impl<$($name: Buffers),*> Buffers for ($($name,)*) {
            type With<St: State> = ($($name::With<St>,)*);
            type Views<'a, St: State> = ($($name::Views<'a, St>,)*) where Self: 'a;

            fn retype<St: State>(self, fact: Fact) -> Self::With<St> {
                let ($($name,)*) = self;
                ($($name.retype(fact),)*)
            }
            fn views<St: State>(&self, fact: Fact) -> Self::Views<'_, St> {
                let ($($name,)*) = self;
                ($($name.views(fact),)*)
            }
            fn count_leaks(&self, fact: Fact) {
                let ($($name,)*) = self;
                $($name.count_leaks(fact);)*
            }
            fn streams(&self, sources: &mut Sources) {
                let ($($name,)*) = self;
                $($name.streams(sources);)*
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
    ($([$($generics:tt)*] <$item:ident> $own:ty, $parts:ty, $with:ty, $views:ty, $borrow:expr,
        $lower:expr, $raise:expr, $retype:expr, |$self:ident, $f:ident| $map:expr;)+) => { $(
        impl<$item, $($generics)*> sealed::Buffers for $own {}
        impl<S, D, $item: parts::EachOn<S, D>, $($generics)*> parts::EachOn<S, D> for $own {}
        impl<D, $item: parts::EachOnDevice<D>, $($generics)*> parts::EachOnDevice<D> for $own {}

        impl<$item: Batch, $($generics)*> Batch for $own {
            type Parts = $parts;
            type With<St: State> = $with;

            #[inline]
            fn lower(self) -> Self::Parts {
                $lower(self)
            }
            #[inline]
            fn raise(parts: Self::Parts) -> Self {
                $raise(parts)
            }
        }

        #[allow(clippy::useless_conversion, clippy::into_iter_on_ref, reason = "one body for values and references")]
        impl<$item: Buffers, $($generics)*> Buffers for $own {
            type With<St: State> = $with;
            type Views<'a, St: State> = $views where Self: 'a;

            #[inline]
            fn retype<St: State>(self, fact: Fact) -> Self::With<St> {
                $retype(self, fact)
            }
            fn views<St: State>(&self, fact: Fact) -> Self::Views<'_, St> {
                let ($self, $f) = ($borrow(self), |item| $item::views(item, fact));
                $map
            }
            fn count_leaks(&self, fact: Fact) {
                self.iter().for_each(|item| item.count_leaks(fact));
            }
            fn streams(&self, sources: &mut Sources) {
                self.iter().for_each(|item| item.streams(sources));
            }
        }
    )+ };
}

containers! {
    [] <B> Vec<B>, Vec<B::Parts>, Vec<B::With<St>>, Vec<B::Views<'a, St>>, <&Vec<B> as IntoIterator>::into_iter,
        B::lower_vec, B::raise_vec, B::retype_vec, |v, f| v.into_iter().map(f).collect();
    [] <B> Option<B>, Option<B::Parts>, Option<B::With<St>>, Option<B::Views<'a, St>>, Option::as_ref,
        |v: Self| v.map(B::lower), |v: Self::Parts| v.map(B::raise), |v: Self, fact: Fact| v.map(|b| b.retype(fact)),
        |v, f| v.map(f);
    [const N: usize] <B> [B; N], [B::Parts; N], [B::With<St>; N], [B::Views<'a, St>; N], <[B; N]>::each_ref,
        B::lower_array, B::raise_array, B::retype_array, |v, f| v.map(f);
}
