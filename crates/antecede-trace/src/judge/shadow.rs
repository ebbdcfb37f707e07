//! What was last done to each byte.

use std::collections::BTreeMap;
use std::ops::Range;

use super::order::{Before, Epoch};

/// An operation's access, as later accesses of the same bytes need to know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    pub(super) epoch: Epoch,
    /// The place of its entry in the log.
    pub(super) place: usize,
    pub(super) write: bool,
}

/// What an access does to the life of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Use,
    Alloc,
    Free,
}

/// An earlier access that nothing orders before the one at hand, and the bytes that both touch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Clash {
    pub(super) earlier: Mark,
    pub(super) bytes: Range<u64>,
}

/// A map from byte ranges to what was last done there.
///
/// An access is forgotten when a later one stands for it: one that surely happens after it, and that is a write, or a
/// read like it. Whatever is unordered with the forgotten access is then unordered with its successor too, and an edge from
/// the successor orders both. So what is kept of a byte is at most one read and one write for each agent.
#[derive(Default, Debug)]
pub(super) struct Shadow(BTreeMap<u64, Segment>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Segment {
    end: u64,
    state: State,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum State {
    InUse {
        marks: Vec<Mark>,
        /// A free that failed may have ended this use.
        perhaps_freed: bool,
    },
    /// Freed by that operation, until allocated again. Any use is wrong, ordered or not.
    Freed(Mark),
}

impl Shadow {
    /// Adds an access, and hands every earlier one that it clashes with to `clash`. `is_before` tells whether an
    /// earlier step happens before the access.
    pub(super) fn touch(
        &mut self,
        bytes: Range<u64>,
        mark: Mark,
        role: Role,
        is_before: impl Fn(Epoch) -> Before,
        mut clash: impl FnMut(Clash),
    ) {
        self.split(bytes.start);
        self.split(bytes.end);
        let mut gaps = Vec::new();
        let mut next = bytes.start;
        for (&start, segment) in self.0.range_mut(bytes.clone()) {
            if next < start {
                gaps.push(next..start);
            }
            next = segment.end;
            segment.state.touch(mark, role, &is_before, |earlier| clash(Clash { earlier, bytes: start..segment.end }));
        }
        if next < bytes.end {
            gaps.push(next..bytes.end);
        }
        for gap in gaps {
            let mut state = State::InUse { marks: Vec::new(), perhaps_freed: false };
            state.touch(mark, role, &is_before, |_| ());
            self.0.insert(gap.start, Segment { end: gap.end, state });
        }
        self.merge(bytes);
    }

    /// Notes that a free of these bytes failed: they may be free, or not.
    pub(super) fn doubt(&mut self, bytes: Range<u64>) {
        self.split(bytes.start);
        self.split(bytes.end);
        for (_, segment) in self.0.range_mut(bytes.clone()) {
            if let State::InUse { perhaps_freed, .. } = &mut segment.state {
                *perhaps_freed = true;
            }
        }
        self.merge(bytes);
    }

    /// Notes that these bytes are allocated again, at a moment that is not known: what uses them stays.
    pub(super) fn revive(&mut self, bytes: Range<u64>) {
        self.split(bytes.start);
        self.split(bytes.end);
        for (_, segment) in self.0.range_mut(bytes.clone()) {
            match &mut segment.state {
                State::InUse { perhaps_freed, .. } => *perhaps_freed = false,
                freed => *freed = State::InUse { marks: Vec::new(), perhaps_freed: false },
            }
        }
        self.merge(bytes);
    }

    /// Makes a segment end at this byte, if one lies across it.
    fn split(&mut self, at: u64) {
        let Some((_, segment)) = self.0.range_mut(..at).next_back() else { return };
        if segment.end > at {
            let right = segment.clone();
            segment.end = at;
            self.0.insert(at, right);
        }
    }

    /// Joins equal neighbours in the range and at both of its ends.
    fn merge(&mut self, bytes: Range<u64>) {
        let first = self.0.range(..bytes.start).next_back().map_or(bytes.start, |(&start, _)| start);
        let mut left = first;
        while left < bytes.end {
            let Some((&right, _)) = self.0.range(left + 1..=bytes.end).next() else { break };
            let (one, two) = (&self.0[&left], &self.0[&right]);
            if one.end == right && one.state == two.state {
                let end = two.end;
                self.0.remove(&right);
                self.0.get_mut(&left).expect("just read").end = end;
            } else {
                left = right;
            }
        }
    }
}

impl State {
    fn touch(&mut self, mark: Mark, role: Role, is_before: impl Fn(Epoch) -> Before, mut clash: impl FnMut(Mark)) {
        let fresh = |mark| State::InUse { marks: vec![mark], perhaps_freed: false };
        match (&mut *self, role) {
            // The driver orders a free before an allocation that gets its memory: an edge for these bytes alone.
            (State::Freed(_) | State::InUse { perhaps_freed: true, .. }, Role::Alloc) => *self = fresh(mark),
            (State::Freed(free), _) => clash(*free),
            (State::InUse { marks, .. }, _) => {
                for earlier in marks.iter().filter(|earlier| earlier.write || mark.write) {
                    if is_before(earlier.epoch) == Before::No {
                        clash(*earlier);
                    }
                }
                match role {
                    Role::Alloc => *self = fresh(mark),
                    Role::Free => *self = State::Freed(mark),
                    Role::Use => {
                        let stands_for =
                            |earlier: &Mark| (mark.write || !earlier.write) && is_before(earlier.epoch) == Before::Yes;
                        marks.retain(|earlier| !stands_for(earlier));
                        marks.push(mark);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::Agent;
    use super::*;

    fn touch(shadow: &mut Shadow, bytes: Range<u64>, agent: u32, step: u64, write: bool, is_before: bool) -> usize {
        let mark = Mark { epoch: Epoch { agent: Agent(agent), step }, place: step as usize, write };
        let mut clashes = 0;
        let is_before = |earlier: Epoch| match is_before || earlier.agent == Agent(agent) {
            true => Before::Yes,
            false => Before::No,
        };
        shadow.touch(bytes, mark, Role::Use, is_before, |_| clashes += 1);
        clashes
    }

    fn marks(shadow: &Shadow) -> usize {
        let in_use = |segment: &Segment| match &segment.state {
            State::InUse { marks, .. } => marks.len(),
            State::Freed(_) => 1,
        };
        shadow.0.values().map(in_use).sum()
    }

    #[test]
    fn pieces_written_again_as_one_are_one_segment() {
        let mut shadow = Shadow::default();
        for piece in 0..100 {
            touch(&mut shadow, piece * 10..piece * 10 + 10, 1, piece + 1, true, true);
        }
        assert_eq!(shadow.0.len(), 100);
        touch(&mut shadow, 5..995, 1, 101, true, true);
        assert_eq!(shadow.0.len(), 3, "the whole and two ends");
        touch(&mut shadow, 0..1000, 1, 102, true, true);
        assert_eq!(shadow.0.len(), 1);
    }

    #[test]
    fn a_byte_keeps_at_most_one_read_and_one_write_of_each_agent() {
        let mut shadow = Shadow::default();
        for step in 1..100 {
            for agent in 1..4 {
                touch(&mut shadow, 0..8, agent, step, step % 2 == 0, false);
            }
        }
        assert_eq!(marks(&shadow), 6, "{shadow:?}");
        assert_eq!(touch(&mut shadow, 4..5, 4, 100, true, false), 6, "all of them clash");
        touch(&mut shadow, 0..8, 4, 101, true, true);
        assert_eq!(marks(&shadow), 1, "a write that comes after all stands for all");
    }
}
