//! What the tests of this package share: streams, and a way around the checks.

mod trusted;

pub use trusted::{reclaim_after_exit, take_without_waiting, with_adopted_stream};

antecede::streams! {
    /// The stream that most tests begin on.
    pub A,
    /// The stream that most tests hand over to.
    pub B,
    /// One more.
    pub C,
    /// And one more.
    pub E,
    /// One that the legacy default stream orders.
    pub P: Blocking,
    /// Another such.
    pub Q: Blocking,
}
