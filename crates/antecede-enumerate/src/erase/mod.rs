//! What a program would do if the compiler let it through: its driver calls, without its types.
//!
//! A buffer is an address, the stream that it remembers, and whether its latest hand-over was to the host. Operations
//! make the calls that the library makes for such values; no rule says on which stream a buffer may be used. What was
//! moved is used as it was before: an event that was recorded can be waited for twice, and memory that went into a record
//! can be written. So that such programs mean something, memory has one owner, whoever was given it last, and is freed
//! once, by that owner.

mod call;
mod drops;
mod names;
mod order;
mod shared;

pub use self::call::{Access, Call, Event, Queue, Work};
use self::names::{Name, Names};
use self::shared::Sharing;
use crate::program::{Op, Program, Stream, Var};

/// Why a sequence of operations is no program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum IllFormed {
    /// It uses a name before anything is bound to it.
    Unbound,
    /// It uses memory that it has dropped.
    Dropped,
}

/// What a program does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Erased {
    /// Its driver calls, those of the drops at its end included.
    pub calls: Vec<Call>,
    /// Whether it uses a value that was moved: an event that was waited for, or a buffer that is in a record.
    pub uses_moved: bool,
}

/// The calls of a program.
///
/// # Errors
/// If it is none.
pub fn erase(program: &Program, takes: Takes) -> Result<Erased, IllFormed> {
    let mut machine = Machine::new(program.x, program.y, program.has_pinned(), takes);
    for &op in &program.ops {
        machine.step(op)?;
    }
    Ok(machine.finish())
}

/// Whether hand-overs are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Takes {
    /// As the library makes them.
    #[default]
    Made,
    /// `take` is believed, and makes no call.
    Believed,
}

/// A buffer without its type.
#[derive(Clone, Copy, Debug)]
struct Value {
    home: Queue,
    /// The host has seen all work on it complete, or so its type says.
    complete: bool,
}

#[derive(Clone, Copy, Debug)]
struct Recorded {
    event: Event,
    source: Queue,
}

/// Who frees a whole buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Buffer,
    Record,
    RecordOfBoth,
    Shared,
    Parts,
    Nobody,
}

/// A program under way.
#[derive(Clone, Debug)]
pub struct Machine {
    calls: Vec<Call>,
    names: Names,
    values: [Option<Value>; 5],
    records: [Option<Recorded>; 5],
    both: Option<Recorded>,
    shared: [Option<Sharing>; 2],
    owners: [Owner; 3],
    /// Which parts of `x` are dropped, and the events of those that were in flight.
    gone: [bool; 2],
    ended: Vec<(Queue, Event)>,
    events: usize,
    takes: Takes,
}

impl Machine {
    /// Allocates the buffers of a program.
    pub fn new(x: Option<Stream>, y: Option<Stream>, pinned: bool, takes: Takes) -> Machine {
        let mut machine = Machine {
            calls: Vec::new(),
            names: Names::default(),
            values: [None; 5],
            records: [None; 5],
            both: None,
            shared: [const { None }; 2],
            owners: [Owner::Nobody; 3],
            gone: [false; 2],
            ended: Vec::new(),
            events: 0,
            takes,
        };
        for (var, start) in [(Var::X, x), (Var::Y, y)] {
            let Some(stream) = start else { continue };
            machine.submit(stream, Work::Alloc, [Access::write(var)]);
            machine.submit(stream, Work::Fill, [Access::write(var)]);
            machine.bind(var, Queue::Of(stream), false);
        }
        if pinned {
            machine.calls.push(Call::Host(Access::write(Var::P)));
            machine.bind(Var::P, Queue::Device, true);
        }
        machine
    }

    /// Does one operation.
    ///
    /// # Errors
    /// If the operation cannot follow; the machine is then of no use.
    pub fn step(&mut self, op: Op) -> Result<(), IllFormed> {
        for var in op.vars() {
            let in_parts = self.owners[place(var)] == Owner::Parts;
            let part_is_gone = if var.is_part() { self.gone[half(var)] } else { self.gone != [false; 2] };
            if self.owners[place(var)] == Owner::Nobody || (in_parts && part_is_gone) {
                let known = self.names.is_bound(Name::Buffer(var));
                return Err(if known { IllFormed::Dropped } else { IllFormed::Unbound });
            }
        }
        self.names.use_all(op)?;
        self.perform(op);
        self.names.bind_all(op);
        Ok(())
    }

    fn perform(&mut self, op: Op) {
        match op {
            Op::Write(s, v) => self.submit(s, Work::Fill, [Access::write(v)]),
            Op::Read(s, v) | Op::Look(s, v) => self.submit(s, Work::Launch, [Access::read(v)]),
            Op::Mix(s, from, to) => {
                let work = if from == Var::P || to == Var::P { Work::Copy } else { Work::Launch };
                self.submit(s, work, [Access::read(from), Access::write(to)]);
            }
            Op::Download(s, v) => self.download(Queue::Of(s), v),
            Op::HostRead(Var::P) => self.calls.push(Call::Host(Access::read(Var::P))),
            Op::HostRead(v) => self.download(self.value(v).home, v),
            Op::HostWrite(v) => self.calls.push(Call::Host(Access::write(v))),
            Op::Take(s, v) => self.take(s, &[v]),
            Op::TakeBoth(s) => self.take(s, &[Var::X, Var::Y]),
            Op::TakeWithPinned(s) => self.take(s, &[Var::X, Var::P]),
            Op::On(s, v) => self.own(v, Queue::Of(s), false),
            Op::Loose(v) => self.own(v, self.value(v).home, false),
            Op::AfterBlocking(_, v) => self.own(v, Queue::Of(Stream::Legacy), false),
            Op::Sync(s, v) => self.sync(s, &[v]),
            Op::SyncBoth(s) => self.sync(s, &[Var::X, Var::Y]),
            Op::SyncWithPinned(s) => self.sync(s, &[Var::X, Var::P]),
            Op::SyncDevice(v) => self.sync_context(&[v]),
            Op::SyncDeviceBoth() => self.sync_context(&[Var::X, Var::Y]),
            Op::Record(s, v) => {
                let recorded = self.recorded(s);
                self.records[index(v)] = Some(recorded);
                self.owned_by(v, Owner::Record);
            }
            Op::RecordBoth(s) => {
                self.both = Some(self.recorded(s));
                self.owned_by(Var::X, Owner::RecordOfBoth);
                self.owned_by(Var::Y, Owner::RecordOfBoth);
            }
            Op::Wait(s, v) => {
                self.wait(Queue::Of(s), self.records[index(v)].expect("the name is bound"));
                self.own(v, Queue::Of(s), false);
            }
            Op::WaitBoth(s) => {
                self.wait(Queue::Of(s), self.both.expect("the name is bound"));
                self.own(Var::X, Queue::Of(s), false);
                self.own(Var::Y, Queue::Of(s), false);
            }
            Op::Finish(v) => {
                self.calls.push(Call::SyncEvent(self.records[index(v)].expect("the name is bound").event));
                self.own(v, self.value(v).home, true);
            }
            Op::DropRecord(v) => self.drop_owned(v, Owner::Record),
            Op::Share(s, v) => self.share(Queue::Of(s), v),
            Op::Lease(s, v) => {
                self.lease(Queue::Of(s), v);
                self.submit(s, Work::Launch, [Access::read(v)]);
                self.sharing(v).ended(Queue::Of(s));
            }
            Op::LeaseMix(s, from, to) => {
                self.lease(Queue::Of(s), from);
                self.submit(s, Work::Launch, [Access::read(from), Access::write(to)]);
                self.sharing(from).ended(Queue::Of(s));
            }
            Op::Hold(s, v) => {
                self.lease(Queue::Of(s), v);
                self.sharing(v).held = Some(Queue::Of(s));
            }
            Op::Release(v) => self.release(v),
            Op::Reunite(s, v) => {
                self.join(v, Queue::Of(s));
                self.own(v, Queue::Of(s), false);
            }
            Op::DropShared(v) => self.drop_owned(v, Owner::Shared),
            Op::Split() => self.split(),
            Op::Unsplit() => self.unsplit(),
            Op::Drop(v) if v.is_part() => self.drop_part(v),
            Op::Drop(v) => self.drop_owned(v, Owner::Buffer),
        }
    }

    fn submit<const N: usize>(&mut self, stream: Stream, work: Work, accesses: [Access; N]) {
        self.submit_to(Queue::Of(stream), work, accesses);
    }

    fn submit_to<const N: usize>(&mut self, queue: Queue, work: Work, accesses: [Access; N]) {
        self.calls.push(Call::Submit(queue, work, accesses.to_vec()));
    }

    fn value(&self, var: Var) -> Value {
        self.values[index(var)].expect("the name is bound")
    }

    fn bind(&mut self, var: Var, home: Queue, complete: bool) {
        self.own(var, home, complete);
        self.names.bind(Name::Buffer(var));
    }

    /// A buffer has a new state, and is the owner of its memory.
    fn own(&mut self, var: Var, home: Queue, complete: bool) {
        self.values[index(var)] = Some(Value { home, complete });
        self.owned_by(var, if var.is_part() { Owner::Parts } else { Owner::Buffer });
    }

    fn owned_by(&mut self, var: Var, owner: Owner) {
        self.owners[place(var)] = owner;
    }
}

fn index(var: Var) -> usize {
    match var {
        Var::X => 0,
        Var::Y => 1,
        Var::P => 2,
        Var::X0 => 3,
        Var::X1 => 4,
    }
}

/// Of the whole buffer.
fn place(var: Var) -> usize {
    index(var.whole())
}

fn half(var: Var) -> usize {
    usize::from(var == Var::X1)
}
