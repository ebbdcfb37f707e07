//! Vector clocks.

/// Who does things in order: the host, or one stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Agent(pub(super) u32);

impl Agent {
    /// All host threads together.
    pub(super) const HOST: Agent = Agent(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// How many steps of each agent come before a moment. An agent beyond the end has taken none.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Clock(Vec<u64>);

impl Clock {
    pub(super) fn of(&self, agent: Agent) -> u64 {
        self.0.get(agent.index()).copied().unwrap_or(0)
    }

    /// One more step of this agent; returns its number.
    pub(super) fn step(&mut self, agent: Agent) -> u64 {
        if self.0.len() <= agent.index() {
            self.0.resize(agent.index() + 1, 0);
        }
        self.0[agent.index()] += 1;
        self.0[agent.index()]
    }

    /// What comes before either moment.
    pub(super) fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// What surely comes before, when it is one of two moments and nobody knows which.
    pub(super) fn meet(&mut self, other: &Clock) {
        self.0.truncate(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).min(*theirs);
        }
    }
}
