//! The legacy default stream of a context, and what a race has to do with it.

use antecede::driver::StreamKind;

use super::clock::{Agent, Clock};
use super::race::Side;

/// The order that the legacy default stream of one context draws.
#[derive(Default, Debug)]
pub(super) struct Legacy {
    /// The stream itself, once the log has shown it.
    pub(super) agent: Option<Agent>,
    /// The streams that it orders.
    pub(super) blocking: Vec<Agent>,
    /// What happens before all that is submitted to them from now on: the latest operation on the legacy default stream
    /// that makes the edge, with what comes before it.
    pub(super) before_blocking: Clock,
}

impl Legacy {
    /// A stream of the context is seen for the first time.
    pub(super) fn joined_by(&mut self, agent: Agent, kind: StreamKind) {
        match kind {
            StreamKind::LegacyStream => self.agent = Some(agent),
            kind if kind.is_blocking() => self.blocking.push(agent),
            _ => {}
        }
    }
}

/// Why the legacy default stream does not order the two sides of a race, where one may think that it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoLegacyEdge {
    /// The first side's stream is non-blocking.
    FirstIsNonBlocking,
    /// The second side's stream is.
    SecondIsNonBlocking,
    /// Nothing that makes the edge lies between the two.
    NothingBetween,
    /// The two streams are of different contexts.
    OtherContext,
}

impl NoLegacyEdge {
    /// Of a race between two streams; `in_use` says whether the log has shown the legacy default stream of the first's
    /// context.
    pub(super) fn between(first: &Side, second: &Side, in_use: bool) -> Option<Self> {
        let (one, other) = (first.stream?.stream, second.stream?.stream);
        let orders = |kind: StreamKind| kind == StreamKind::LegacyStream || kind.is_blocking();
        match (one.kind, other.kind) {
            (StreamKind::LegacyStream, kind) | (kind, StreamKind::LegacyStream)
                if one.context.id != other.context.id =>
            {
                orders(kind).then_some(NoLegacyEdge::OtherContext)
            }
            _ if one.context.id != other.context.id => None,
            (StreamKind::LegacyStream, StreamKind::NonBlockingStream) => Some(NoLegacyEdge::SecondIsNonBlocking),
            (StreamKind::NonBlockingStream, StreamKind::LegacyStream) => Some(NoLegacyEdge::FirstIsNonBlocking),
            (one, other) if in_use && orders(one) && orders(other) => Some(NoLegacyEdge::NothingBetween),
            _ => None,
        }
    }
}
