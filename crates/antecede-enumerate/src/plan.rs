//! How a job is written plainly: each access, and before it what gets its buffers there.

use crate::erase::{Access, Queue, Work};
use crate::program::{Op, Program, Stream, Var};
use crate::work::{Item, Job};
use std::collections::BTreeMap;

/// How reads of several streams are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readers {
    /// Each stream takes the buffer over.
    Take,
    /// The streams share it, from the first read to the last before a write.
    Share,
}

/// How buffers get to another stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// By a hand-over, right before the use.
    Take,
    /// By an event that is recorded right after the last use on the old stream.
    Early,
    /// By way of the host.
    Host,
}

/// The job as a program. `None` where the language has no operation for it.
pub fn plan(job: &Job, readers: Readers, route: Route) -> Option<Program> {
    let mut planner = Planner { ops: Vec::new(), states: BTreeMap::new(), rest: &job.items, readers, route };
    for (var, start) in [(Var::X, job.x), (Var::Y, job.y)] {
        if let Some(stream) = start {
            planner.states.insert(var, State::On(stream));
        }
    }
    planner.states.insert(Var::P, State::Synced);
    planner.record_early(&[Var::X, Var::Y], &job.items);
    for (place, item) in job.items.iter().enumerate() {
        let later = &job.items[place + 1..];
        planner.rest = &job.items[place..];
        planner.item(item, later)?;
        let used: Vec<Var> = item.accesses.iter().map(|access| access.var).collect();
        planner.record_early(&used, later);
    }
    Some(Program { x: job.x, y: job.y, ops: planner.ops })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    On(Stream),
    Synced,
    Shared,
    Parted,
    Recorded,
}

struct Planner<'a> {
    ops: Vec<Op>,
    states: BTreeMap<Var, State>,
    /// This item and the later ones.
    rest: &'a [Item],
    readers: Readers,
    route: Route,
}

impl Planner<'_> {
    fn item(&mut self, item: &Item, later: &[Item]) -> Option<()> {
        let Some((queue, work)) = item.queue else {
            let access = item.accesses[0];
            self.bring_to_host(access.var)?;
            self.ops.push(if access.write { Op::HostWrite(access.var) } else { Op::HostRead(access.var) });
            return Some(());
        };
        let Queue::Of(stream) = queue else { return None };
        let from = item.accesses[0].var;
        if !item.accesses[0].write && work == Work::Launch && self.is_shared(stream, from, later) {
            return self.leased(stream, &item.accesses);
        }
        for access in &item.accesses {
            self.bring_to(stream, access.var)?;
        }
        self.ops.push(match (work, item.accesses.as_slice()) {
            (Work::Fill, [_]) => Op::Write(stream, from),
            (Work::Launch, [_]) => Op::Read(stream, from),
            (Work::Copy, [_]) => Op::Download(stream, from),
            (_, [_, to]) => Op::Mix(stream, from, to.var),
            _ => return None,
        });
        Some(())
    }

    /// Records an event for each of the buffers whose next use is elsewhere.
    fn record_early(&mut self, vars: &[Var], later: &[Item]) {
        for &var in vars.iter().filter(|var| self.route == Route::Early && !var.is_part()) {
            let Some(&State::On(home)) = self.states.get(&var) else { continue };
            let uses = |item: &&Item| item.accesses.iter().any(|access| access.var.whole() == var);
            let Some(next) = later.iter().find(uses) else { continue };
            let is_part = next.accesses.iter().any(|access| access.var.is_part());
            if !is_part && next.queue.is_none_or(|(queue, _)| queue != Queue::Of(home)) {
                self.ops.push(Op::Record(home, var));
                self.states.insert(var, State::Recorded);
            }
        }
    }

    fn leased(&mut self, stream: Stream, accesses: &[Access]) -> Option<()> {
        let from = accesses[0].var;
        match accesses {
            [_] => self.ops.push(Op::Lease(stream, from)),
            [_, to] => {
                self.bring_to(stream, to.var)?;
                self.ops.push(Op::LeaseMix(stream, from, to.var));
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether a read is through a lease: the buffer is shared, or shared now, because another stream reads it before
    /// anything writes it.
    fn is_shared(&mut self, stream: Stream, var: Var, later: &[Item]) -> bool {
        if self.readers == Readers::Take || !matches!(var, Var::X | Var::Y) {
            return false;
        }
        let home = match self.states.get(&var) {
            Some(State::Shared) => return true,
            Some(State::On(home)) => *home,
            _ => return false,
        };
        let uses = later.iter().filter(|item| item.accesses.iter().any(|access| access.var.whole() == var));
        let mut reads = uses.take_while(|item| item.accesses.iter().all(|access| access.var != var || !access.write));
        if home == stream && !reads.any(|item| item.queue.is_some_and(|(queue, _)| queue != Queue::Of(stream))) {
            return false;
        }
        self.ops.push(Op::Share(home, var));
        self.states.insert(var, State::Shared);
        true
    }

    fn bring_to(&mut self, stream: Stream, var: Var) -> Option<()> {
        self.cut_or_join(stream, var)?;
        match *self.states.get(&var)? {
            State::On(here) if here == stream => {}
            State::On(home) => self.hand_over(home, stream, var),
            State::Synced => self.ops.push(Op::On(stream, var)),
            State::Shared => self.ops.push(Op::Reunite(stream, var)),
            State::Recorded => self.ops.push(Op::Wait(stream, var)),
            State::Parted => return None,
        }
        self.states.insert(var, State::On(stream));
        Some(())
    }

    /// With another buffer, if that goes the same way next.
    fn hand_over(&mut self, home: Stream, stream: Stream, var: Var) {
        let partner = self.partner(stream, var);
        let partner_is_home = partner.is_some_and(|partner| self.states.get(&partner) == Some(&State::On(home)));
        let (x, y, p) = (Some(Var::X), Some(Var::Y), Some(Var::P));
        let pair = [Some(var), partner];
        let is_pair = |one, other| pair == [one, other] || pair == [other, one];
        match self.route {
            Route::Host if is_pair(x, y) && partner_is_home => self.ops.push(Op::SyncBoth(home)),
            Route::Host if is_pair(x, p) && partner_is_home => self.ops.push(Op::SyncWithPinned(home)),
            Route::Host => {
                self.ops.extend([Op::Sync(home, var), Op::On(stream, var)]);
                return;
            }
            _ if is_pair(x, y) => self.ops.push(Op::TakeBoth(stream)),
            _ if is_pair(x, p) => self.ops.push(Op::TakeWithPinned(stream)),
            _ => {
                self.ops.push(Op::Take(stream, var));
                return;
            }
        }
        let Some(partner) = partner else { return };
        if self.route == Route::Host {
            self.ops.extend([Op::On(stream, var), Op::On(stream, partner)]);
        }
        self.states.insert(partner, State::On(stream));
    }

    /// Another whole buffer that is on a stream, and is next used on that one.
    fn partner(&self, stream: Stream, var: Var) -> Option<Var> {
        [Var::X, Var::Y, Var::P].into_iter().filter(|&other| other != var).find(|other| {
            let is_elsewhere = matches!(self.states.get(other), Some(State::On(home)) if *home != stream);
            let uses = |item: &&Item| item.accesses.iter().any(|access| access.var.whole() == *other);
            let next = self.rest.iter().find(uses).and_then(|item| item.queue);
            is_elsewhere && next.is_some_and(|(queue, _)| queue == Queue::Of(stream))
        })
    }

    fn bring_to_host(&mut self, var: Var) -> Option<()> {
        match *self.states.get(&var)? {
            State::On(home) => self.ops.push(Op::Sync(home, var)),
            State::Recorded => self.ops.push(Op::Finish(var)),
            State::Synced => {}
            State::Shared | State::Parted => return None,
        }
        self.states.insert(var, State::Synced);
        Some(())
    }

    /// Parts the whole where a part is needed, and the reverse.
    fn cut_or_join(&mut self, stream: Stream, var: Var) -> Option<()> {
        let parted = self.states.get(&Var::X) == Some(&State::Parted);
        if var.is_part() && !parted {
            if self.states.get(&Var::X) == Some(&State::Shared) {
                self.bring_to(stream, Var::X)?;
            }
            let state = *self.states.get(&Var::X)?;
            self.ops.push(Op::Split());
            self.states.extend([(Var::X, State::Parted), (Var::X0, state), (Var::X1, state)]);
        } else if var == Var::X && parted && self.states.get(&Var::X0) == self.states.get(&Var::X1) {
            let state = *self.states.get(&Var::X0)?;
            self.ops.push(Op::Unsplit());
            self.states.insert(Var::X, state);
        } else if var == Var::X && parted {
            self.bring_to(stream, Var::X0)?;
            self.bring_to(stream, Var::X1)?;
            self.ops.push(Op::Unsplit());
            self.states.insert(Var::X, State::On(stream));
        }
        Some(())
    }
}
