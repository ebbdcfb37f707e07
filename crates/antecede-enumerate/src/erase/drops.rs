//! Parts, and how memory is given back.

use super::names::Name;
use super::{Access, Call, Erased, Machine, Owner, Queue, Value, Work, half, place};
use crate::program::Var;

impl Machine {
    /// Drops what is left, the latest binding first.
    pub fn finish(mut self) -> Erased {
        for name in self.names.latest_first() {
            match name {
                Name::Buffer(var) if var.is_part() => self.drop_part(var),
                Name::Buffer(var) => self.drop_owned(var, Owner::Buffer),
                Name::Record(var) => self.drop_owned(var, Owner::Record),
                Name::RecordOfBoth => {
                    self.drop_owned(Var::X, Owner::RecordOfBoth);
                    self.drop_owned(Var::Y, Owner::RecordOfBoth);
                }
                Name::Shared(var) => self.drop_owned(var, Owner::Shared),
                Name::Lease(_) => {}
            }
        }
        for var in [Var::X, Var::Y, Var::P] {
            debug_assert!(self.owners[place(var)] == Owner::Nobody, "{var:?} is not freed");
        }
        Erased { calls: self.calls, uses_moved: self.names.uses_moved() }
    }

    /// Frees a whole buffer, if that is its owner.
    pub(super) fn drop_owned(&mut self, var: Var, owner: Owner) {
        if self.owners[place(var)] != owner {
            return;
        }
        if owner == Owner::Shared {
            let home = self.sharing(var).home;
            self.join(var, home);
            self.own(var, home, false);
        }
        self.owned_by(var, Owner::Nobody);
        // A record holds its buffers as `Loose`: with work in flight.
        let in_record = matches!(owner, Owner::Record | Owner::RecordOfBoth);
        let Value { home, complete } = self.value(var);
        self.free(var, home, complete && !in_record);
    }

    fn free(&mut self, var: Var, home: Queue, complete: bool) {
        if var != Var::P {
            return self.submit_to(home, Work::Free, [Access::write(var)]);
        }
        let event = (!complete).then(|| self.record(home));
        self.calls.push(Call::Reused(var, event));
    }

    pub(super) fn split(&mut self) {
        let Value { home, complete } = self.value(Var::X);
        self.gone = [false; 2];
        self.ended.clear();
        self.own(Var::X0, home, complete);
        self.own(Var::X1, home, complete);
    }

    /// The right part goes along with the left one: nothing is waited for.
    pub(super) fn unsplit(&mut self) {
        let (left, right) = (self.value(Var::X0), self.value(Var::X1));
        self.own(Var::X, left.home, left.complete && right.complete);
    }

    pub(super) fn drop_part(&mut self, var: Var) {
        if self.owners[place(var)] != Owner::Parts || self.gone[half(var)] {
            return;
        }
        self.gone[half(var)] = true;
        let Value { home, complete } = self.value(var);
        if self.gone != [true; 2] {
            if !complete {
                let event = self.record(home);
                self.ended.push((home, event));
            }
            return;
        }
        for (other, event) in std::mem::take(&mut self.ended) {
            if other != home {
                self.calls.push(Call::Wait(home, event));
            }
        }
        self.owned_by(Var::X, Owner::Nobody);
        self.submit_to(home, Work::Free, [Access::write(Var::X)]);
    }
}
