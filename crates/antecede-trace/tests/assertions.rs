//! Which public types may cross and be shared between threads.

use antecede::driver::Driver;
use antecede_trace::{
    Call, Counts, Entry, Judge, Log, LogBuilder, Mark, NullDriver, Race, Report, Span, Stopwatch, Times, Trace,
    TracedStream,
};
use static_assertions::{assert_impl_all, assert_not_impl_any};

assert_impl_all!(Times: Clone, Default, Send, Sync);
assert_impl_all!(Span: Copy, Send, Sync);
assert_impl_all!(dyn Stopwatch: Send, Sync);
assert_impl_all!(Trace: Driver, Clone, Send, Sync);
assert_impl_all!(NullDriver: Driver, Send, Sync);
assert_impl_all!(Call: Copy, Ord, Send, Sync);
assert_impl_all!(Counts: Copy, Eq, Default, Send, Sync);
assert_impl_all!(Entry: Clone, Send, Sync);
assert_impl_all!(Judge: Copy, Send, Sync);
assert_impl_all!(Log: Clone, Send, Sync);
assert_impl_all!(LogBuilder: Send, Sync);
assert_impl_all!(Mark: Clone, Send, Sync);
assert_impl_all!(Race: Clone, Send, Sync);
assert_impl_all!(Report: Clone, Send, Sync);
assert_impl_all!(TracedStream: Copy, Send, Sync);
// Two of them would free one block twice.
assert_not_impl_any!(NullDriver: Clone);

#[cfg(feature = "draw")]
mod draw {
    use antecede_trace::draw::{Arrow, Bar, BarKind, Lane, Missing, RaceMark, Scale, Timeline};
    use static_assertions::assert_impl_all;

    assert_impl_all!(Timeline: Clone, PartialEq, Send, Sync);
    assert_impl_all!(Lane: Clone, Eq, Send, Sync);
    assert_impl_all!(Bar: Clone, PartialEq, Send, Sync);
    assert_impl_all!(RaceMark: Clone, Eq, Send, Sync);
    assert_impl_all!(Arrow: Copy, Eq, Send, Sync);
    assert_impl_all!(BarKind: Copy, Ord, Send, Sync);
    assert_impl_all!(Missing: Copy, Eq, Send, Sync);
    assert_impl_all!(Scale: Copy, Eq, Send, Sync);
}
