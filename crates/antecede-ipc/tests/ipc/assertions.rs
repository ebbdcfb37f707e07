//! What may go to other threads, and what there is only one of.

use antecede::{Buffer, Exportable, Loose, Synced};
use antecede_ipc::{Error, Exporter, Importer, ImporterId, Lent, Offer, Published};
use static_assertions::{assert_impl_all, assert_not_impl_any};
use std::ops::{Deref, DerefMut};

type Own = Buffer<u32, Synced, Exportable>;

assert_impl_all!(Exporter: Send, Sync);
assert_impl_all!(Importer: Send, Sync);
assert_impl_all!(Offer: Send, Sync);
assert_impl_all!(ImporterId: Send, Sync, Copy);
assert_impl_all!(Error: Send, Sync);
assert_impl_all!(Lent<Own>: Send, Sync);
assert_impl_all!(Published<Buffer<u32, Loose, Exportable>>: Send, Sync);

assert_not_impl_any!(Exporter: Clone);
assert_not_impl_any!(Importer: Clone);
assert_not_impl_any!(Offer: Clone);
// What is lent is nobody's to look at here; what is published is nobody's to change.
assert_not_impl_any!(Lent<Own>: Clone, Deref, DerefMut, AsRef<Own>);
assert_impl_all!(Published<Own>: Deref<Target = Own>);
assert_not_impl_any!(Published<Own>: Clone, DerefMut, AsMut<Own>);
