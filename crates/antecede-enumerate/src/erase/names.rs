//! Which names are bound, and which of them were moved.

use super::IllFormed;
use crate::program::{Op, Var};
use std::collections::BTreeMap;

/// A variable of a rendered program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Name {
    Buffer(Var),
    Record(Var),
    RecordOfBoth,
    Shared(Var),
    Lease(Var),
}

#[derive(Clone, Copy, Debug)]
struct Binding {
    /// When it was bound, by number.
    bound: usize,
    moved: bool,
}

/// The names of a program so far.
#[derive(Clone, Default, Debug)]
pub(super) struct Names {
    bindings: BTreeMap<Name, Binding>,
    count: usize,
    uses_moved: bool,
}

impl Names {
    pub(super) fn is_bound(&self, name: Name) -> bool {
        self.bindings.contains_key(&name)
    }

    pub(super) fn uses_moved(&self) -> bool {
        self.uses_moved
    }

    pub(super) fn bind(&mut self, name: Name) {
        self.count += 1;
        self.bindings.insert(name, Binding { bound: self.count, moved: false });
    }

    /// The names that an operation uses are bound. To drop what was moved is to drop it twice.
    pub(super) fn use_all(&mut self, op: Op) -> Result<(), IllFormed> {
        let (borrowed, moved) = used(op);
        for &name in borrowed.iter().chain(&moved) {
            let binding = self.bindings.get(&name).ok_or(IllFormed::Unbound)?;
            if binding.moved && matches!(op, Op::Drop(_) | Op::DropRecord(_) | Op::DropShared(_)) {
                return Err(IllFormed::Dropped);
            }
            self.uses_moved |= binding.moved;
        }
        for name in moved {
            if let Some(binding) = self.bindings.get_mut(&name) {
                binding.moved = true;
            }
        }
        Ok(())
    }

    /// Binds the names that an operation gives.
    pub(super) fn bind_all(&mut self, op: Op) {
        given(op).into_iter().for_each(|name| self.bind(name));
    }

    /// All names, as they go out of scope.
    pub(super) fn latest_first(&self) -> Vec<Name> {
        let mut names: Vec<_> = self.bindings.iter().map(|(&name, binding)| (binding.bound, name)).collect();
        names.sort_unstable_by(|one, other| other.cmp(one));
        names.into_iter().map(|(_, name)| name).collect()
    }
}

/// What an operation borrows, and what it moves.
fn used(op: Op) -> (Vec<Name>, Vec<Name>) {
    use Name::{Buffer, Lease, Record, RecordOfBoth, Shared};
    match op {
        Op::Write(_, v) | Op::Read(_, v) | Op::Download(_, v) | Op::HostRead(v) | Op::HostWrite(v) => {
            (vec![Buffer(v)], vec![])
        }
        Op::Mix(_, from, to) => (vec![Buffer(from), Buffer(to)], vec![]),
        Op::Take(_, v)
        | Op::On(_, v)
        | Op::Loose(v)
        | Op::AfterBlocking(_, v)
        | Op::Sync(_, v)
        | Op::SyncDevice(v)
        | Op::Record(_, v)
        | Op::Share(_, v)
        | Op::Drop(v) => (vec![], vec![Buffer(v)]),
        Op::TakeBoth(_) | Op::SyncBoth(_) | Op::SyncDeviceBoth() | Op::RecordBoth(_) => {
            (vec![], vec![Buffer(Var::X), Buffer(Var::Y)])
        }
        Op::TakeWithPinned(_) | Op::SyncWithPinned(_) => (vec![], vec![Buffer(Var::X), Buffer(Var::P)]),
        Op::Wait(_, v) | Op::Finish(v) | Op::DropRecord(v) => (vec![], vec![Record(v)]),
        Op::WaitBoth(_) => (vec![], vec![RecordOfBoth]),
        Op::Lease(_, v) | Op::Hold(_, v) => (vec![Shared(v)], vec![]),
        Op::LeaseMix(_, from, to) => (vec![Shared(from), Buffer(to)], vec![]),
        Op::Look(_, v) => (vec![Lease(v)], vec![]),
        Op::Release(v) => (vec![], vec![Lease(v)]),
        Op::Reunite(_, v) | Op::DropShared(v) => (vec![], vec![Shared(v)]),
        Op::Split() => (vec![], vec![Buffer(Var::X)]),
        Op::Unsplit() => (vec![], vec![Buffer(Var::X0), Buffer(Var::X1)]),
    }
}

fn given(op: Op) -> Vec<Name> {
    match op {
        Op::Take(_, v)
        | Op::On(_, v)
        | Op::Loose(v)
        | Op::AfterBlocking(_, v)
        | Op::Sync(_, v)
        | Op::SyncDevice(v)
        | Op::Wait(_, v)
        | Op::Finish(v)
        | Op::Reunite(_, v) => vec![Name::Buffer(v)],
        Op::TakeBoth(_) | Op::SyncBoth(_) | Op::SyncDeviceBoth() | Op::WaitBoth(_) => {
            vec![Name::Buffer(Var::X), Name::Buffer(Var::Y)]
        }
        Op::TakeWithPinned(_) | Op::SyncWithPinned(_) => vec![Name::Buffer(Var::X), Name::Buffer(Var::P)],
        Op::Record(_, v) => vec![Name::Record(v)],
        Op::RecordBoth(_) => vec![Name::RecordOfBoth],
        Op::Share(_, v) => vec![Name::Shared(v)],
        Op::Hold(_, v) => vec![Name::Lease(v)],
        Op::Split() => vec![Name::Buffer(Var::X0), Name::Buffer(Var::X1)],
        Op::Unsplit() => vec![Name::Buffer(Var::X)],
        _ => vec![],
    }
}
