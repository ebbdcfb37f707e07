//! What an exporter has handed out.

use crate::Failed;
use crate::exporter::ImporterId;
use crate::trusted::Out;
use antecede::{Primary, ReadOnly, ReadWrite};
use std::fmt;
use std::ops::Deref;

/// A buffer that one other process has to itself, to read and to write. Made by [`Exporter::lend`](crate::Exporter::lend).
///
/// Until [`reclaim`](crate::Exporter::reclaim) gives it back nobody in this process writes it, frees it, or reads it.
/// Dropping it leaks the memory, and counts it ([`Device::leaked`](antecede::Device::leaked)): the other process may be
/// using it.
#[must_use = "dropping it leaks its memory: `exporter.reclaim(lent)?` gives it back"]
pub struct Lent<B, D = Primary>(pub(crate) Out<B, ReadWrite, D>);

/// A buffer that any number of other processes read, and this one too. Made by
/// [`Exporter::publish`](crate::Exporter::publish).
///
/// Dereferences to what was published: the host reads a [`Synced`](antecede::Synced) buffer, streams lease a
/// [`Shared`](antecede::Shared) one. Until [`reclaim`](crate::Exporter::reclaim) gives it back nobody writes or frees it.
/// Dropping it leaks the memory, and counts it ([`Device::leaked`](antecede::Device::leaked)).
#[must_use = "dropping it leaks its memory: `exporter.reclaim(published)?` gives it back"]
pub struct Published<B, D = Primary>(pub(crate) Out<B, ReadOnly, D>);

/// A [`Lent`] or a [`Published`] buffer. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not handed out, so it does not come back",
    label = "neither lent nor published",
    note = "what comes back is what the exporter returned: `let lent = exporter.lend(buf, importer)?`",
    note = "to be read by several: `let mut published = exporter.publish(buf)?`"
)]
pub trait Exported: sealed::Exported + Sized {
    /// What comes back.
    type Back;
    #[doc(hidden)]
    type Access;
    #[doc(hidden)]
    type Device;
    #[doc(hidden)]
    fn out(&self) -> &Out<Self::Back, Self::Access, Self::Device>;
    #[doc(hidden)]
    fn into_out(self) -> Out<Self::Back, Self::Access, Self::Device>;
    #[doc(hidden)]
    fn from_out(out: Out<Self::Back, Self::Access, Self::Device>) -> Self;
}

mod sealed {
    pub trait Exported {}
}

macro_rules! exported {
    ($($name:ident: $access:ty, $what:literal;)+) => { $(
        impl<B, D> sealed::Exported for $name<B, D> {}

        #[diagnostic::do_not_recommend]
        impl<B, D> Exported for $name<B, D> {
            type Back = B;
            type Access = $access;
            type Device = D;

            fn out(&self) -> &Out<B, $access, D> {
                &self.0
            }
            fn into_out(self) -> Out<B, $access, D> {
                self.0
            }
            fn from_out(out: Out<B, $access, D>) -> Self {
                $name(out)
            }
        }

        impl<B, D> $name<B, D> {
            /// The importers that have not let go yet, as far as their receipts have been read.
            pub fn holders(&self) -> impl Iterator<Item = ImporterId> {
                self.0.debts().iter().filter(|debt| !debt.is_settled()).map(|debt| debt.importer())
            }
        }

        impl<B, D> fmt::Debug for $name<B, D> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($what, "({} holders)"), self.holders().count())
            }
        }
    )+ };
}

exported! {
    Lent: ReadWrite, "Lent";
    Published: ReadOnly, "Published";
}

impl<B, D> Deref for Published<B, D> {
    type Target = B;

    fn deref(&self) -> &B {
        self.0.contents()
    }
}

/// Why a buffer was not lent, and where it is.
#[derive(Debug)]
#[must_use = "it holds the buffer"]
pub enum Kept<R, L> {
    /// As it was given: nothing of it has left this process.
    Given(R),
    /// Locked away: [`reclaim`](crate::Exporter::reclaim) it, at once if it was not delivered.
    Out(L),
}

/// What [`Exporter::lend`](crate::Exporter::lend) returns when it fails.
pub type NotLent<R, B, D> = Failed<Kept<R, Lent<B, D>>>;
