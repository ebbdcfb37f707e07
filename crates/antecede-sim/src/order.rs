//! Who goes next: the choice among the operations that may run.

use antecede::driver::StreamId;

use crate::rng::Rng;

/// When, and in which order, submitted operations take effect. Each order keeps the rules of streams and events.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Order {
    /// Late, and against expectation: mostly only what a sync needs, and of that the latest submitted first, so that
    /// what should have been waited for is still undone. Some syncs take an even order, some also run unrelated work.
    #[default]
    Adversarial,
    /// Late, with every operation that may run as likely as the next, needed or not.
    Random,
    /// At once, when it is submitted. Missing waits do not show; for telling an ordering fault from another one.
    Eager,
}

/// The first operation of a stream that nothing holds back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) stream: StreamId,
    /// Place in the order of submission over all streams.
    pub(crate) sequence: u64,
    /// Whether the sync or query that is being served needs it.
    pub(crate) needed: bool,
}

/// How one sync chooses. Drawn once a sync and kept for its length: a choice drawn anew at each step would let
/// unrelated work through in every long run, and hide what only shows when a stream is held back throughout.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mood {
    LatestNeeded,
    AnyNeeded,
    Any,
    Oldest,
}

impl Mood {
    pub(crate) fn draw(order: Order, rng: &mut Rng) -> Self {
        match order {
            Order::Eager => Mood::Oldest,
            Order::Random => Mood::Any,
            Order::Adversarial => match rng.below(8) {
                0 => Mood::Any,
                1 | 2 => Mood::AnyNeeded,
                _ => Mood::LatestNeeded,
            },
        }
    }

    /// The stream whose head runs next; `None` if there is none to choose from.
    pub(crate) fn pick(self, heads: &[Head], rng: &mut Rng) -> Option<StreamId> {
        let head = match self {
            Mood::LatestNeeded => heads.iter().filter(|head| head.needed).max_by_key(|head| head.sequence).copied(),
            Mood::AnyNeeded => rng.choose(heads, |head| head.needed),
            Mood::Any => rng.choose(heads, |_| true),
            Mood::Oldest => heads.iter().min_by_key(|head| head.sequence).copied(),
        };
        head.map(|head| head.stream)
    }
}
