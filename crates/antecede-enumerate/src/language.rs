//! Which programs there are.

use crate::erase::{Machine, Takes};
use crate::program::{Op, Program, Stream, Var};

/// A language: all programs over an alphabet of operations, up to a length.
#[derive(Clone, Debug)]
pub struct Language {
    /// Its name in tables.
    pub name: &'static str,
    /// Where buffers may be allocated.
    pub starts: &'static [Stream],
    /// Its operations.
    pub alphabet: Vec<Op>,
    /// Added to the length that is asked for: a small alphabet reaches deeper.
    pub deeper: isize,
}

use Stream::{A, B, C, J, K, Legacy};
use Var::{P, X, X0, X1, Y};

impl Language {
    /// All languages, in the order of the tables. A program of several belongs to the first.
    pub fn all() -> Vec<Language> {
        vec![
            Language::hand_over(),
            Language::events(),
            Language::host(),
            Language::readers(),
            Language::parts(),
            Language::pinned(),
            Language::legacy(),
            Language::three_streams(),
            Language::everything(),
        ]
    }

    /// By language, the programs that no earlier one has.
    pub fn programs_of(languages: &[Language], length: usize) -> impl Iterator<Item = (&Language, Vec<Program>)> {
        languages.iter().enumerate().map(move |(place, language)| {
            let mut programs = language.programs(length);
            programs.retain(|program| !languages[..place].iter().any(|earlier| earlier.contains(program, length)));
            (language, programs)
        })
    }

    fn hand_over() -> Language {
        let mut alphabet = each(&[A, B], &[X, Y], &[Op::Write, Op::Read, Op::Take, Op::Sync, Op::On]);
        alphabet.extend(mixes(&[A, B], &[(X, Y), (Y, X)]));
        alphabet.extend([A, B].map(Op::TakeBoth));
        alphabet.extend([A, B].map(Op::SyncBoth));
        alphabet.extend(of(&[X, Y], &[Op::HostRead, Op::Drop]));
        Language { name: "hand-overs", starts: &[A, B], alphabet, deeper: 0 }
    }

    fn events() -> Language {
        let mut alphabet = each(&[A, B], &[X, Y], &[Op::Write, Op::Take, Op::Record, Op::Wait]);
        alphabet.extend(mixes(&[A, B], &[(X, Y), (Y, X)]));
        alphabet.extend([Op::RecordBoth(A), Op::RecordBoth(B), Op::WaitBoth(A), Op::WaitBoth(B)]);
        alphabet.extend(of(&[X, Y], &[Op::Finish, Op::DropRecord]));
        Language { name: "records and waits", starts: &[A, B], alphabet, deeper: 0 }
    }

    fn host() -> Language {
        let mut alphabet = each(&[A, B], &[X], &[Op::Write, Op::Read, Op::Take, Op::Sync, Op::On, Op::Download]);
        alphabet.extend(each(&[A, B], &[X], &[Op::Record, Op::Wait]));
        alphabet.extend(of(&[X], &[Op::HostRead, Op::SyncDevice, Op::Finish, Op::Loose, Op::Drop]));
        Language { name: "one buffer and the host", starts: &[A, B], alphabet, deeper: 1 }
    }

    fn readers() -> Language {
        let shared = &[Op::Share, Op::Lease, Op::Hold, Op::Look, Op::Reunite];
        let mut alphabet = each(&[A, B], &[X], shared);
        alphabet.extend(each(&[A, B], &[X], &[Op::Write, Op::Read, Op::Take]));
        alphabet.extend([A, B].map(|stream| Op::LeaseMix(stream, X, Y)));
        alphabet.extend([A, B].map(|stream| Op::Write(stream, Y)));
        alphabet.extend(of(&[X], &[Op::Release, Op::DropShared]));
        Language { name: "readers", starts: &[A, B], alphabet, deeper: 1 }
    }

    fn parts() -> Language {
        let mut alphabet = each(&[A, B], &[X, X0, X1], &[Op::Write, Op::Take]);
        alphabet.extend(each(&[A, B], &[X0, X1], &[Op::Sync]));
        alphabet.extend([Op::Split(), Op::Unsplit(), Op::Drop(X0), Op::Drop(X1), Op::HostRead(X), Op::HostRead(X0)]);
        Language { name: "parts", starts: &[A, B], alphabet, deeper: 1 }
    }

    fn pinned() -> Language {
        let mut alphabet = each(&[A, B], &[X, P], &[Op::Take, Op::Sync, Op::On]);
        alphabet.extend(mixes(&[A, B], &[(X, P), (P, X)]));
        alphabet.extend([A, B].map(|stream| Op::Write(stream, X)));
        alphabet.extend([A, B].map(Op::TakeWithPinned));
        alphabet.extend([A, B].map(Op::SyncWithPinned));
        alphabet.extend([Op::HostRead(P), Op::HostWrite(P), Op::Drop(P), Op::Drop(X)]);
        Language { name: "pinned memory", starts: &[A, B], alphabet, deeper: 0 }
    }

    fn legacy() -> Language {
        let mut alphabet = each(&[A, J, K, Legacy], &[X], &[Op::Write, Op::Read, Op::Take, Op::Sync]);
        alphabet.extend([A, J, K].map(|stream| Op::AfterBlocking(stream, X)));
        alphabet.extend([Legacy, J].map(|stream| Op::On(stream, X)));
        alphabet.extend(of(&[X], &[Op::HostRead, Op::Drop]));
        Language { name: "legacy and blocking streams", starts: &[A, J, K, Legacy], alphabet, deeper: 0 }
    }

    fn three_streams() -> Language {
        let ops = &[Op::Write, Op::Read, Op::Take, Op::Record, Op::Wait];
        let mut alphabet = each(&[A, B, C], &[X], ops);
        alphabet.extend(each(&[A, B, C], &[X], &[Op::Share, Op::Lease, Op::Reunite]));
        Language { name: "three streams", starts: &[A, B, C], alphabet, deeper: 1 }
    }

    /// Every operation on some streams and whole buffers.
    pub fn over(streams: &[Stream], vars: &[Var]) -> Vec<Op> {
        let on_streams: &[fn(Stream, Var) -> Op] =
            &[Op::Write, Op::Read, Op::Download, Op::Take, Op::On, Op::AfterBlocking, Op::Sync, Op::Record, Op::Wait];
        let device: Vec<Var> = vars.iter().copied().filter(|&var| var != P).collect();
        let mut alphabet = each(streams, vars, on_streams);
        alphabet.extend(each(streams, &device, &[Op::Share, Op::Lease, Op::Hold, Op::Look, Op::Reunite]));
        alphabet.extend(of(vars, &[Op::HostRead, Op::SyncDevice, Op::Loose, Op::Finish, Op::Drop, Op::DropRecord]));
        alphabet.extend(of(&device, &[Op::Release, Op::DropShared]));
        let pairs: Vec<_> = vars.iter().flat_map(|&from| vars.iter().map(move |&to| (from, to))).collect();
        let pairs: Vec<_> = pairs.into_iter().filter(|(from, to)| from != to).collect();
        alphabet.extend(mixes(streams, &pairs));
        if vars.contains(&X) && vars.contains(&Y) {
            alphabet.extend(streams.iter().flat_map(|&s| [Op::LeaseMix(s, X, Y), Op::LeaseMix(s, Y, X)]));
            let batches = |&s: &Stream| [Op::TakeBoth(s), Op::SyncBoth(s), Op::RecordBoth(s), Op::WaitBoth(s)];
            alphabet.extend(streams.iter().flat_map(batches));
            alphabet.push(Op::SyncDeviceBoth());
        }
        if vars.contains(&P) {
            alphabet.push(Op::HostWrite(P));
            alphabet.extend(
                streams
                    .iter()
                    .filter(|_| vars.contains(&X))
                    .flat_map(|&s| [Op::TakeWithPinned(s), Op::SyncWithPinned(s)]),
            );
        }
        if vars.contains(&X) {
            alphabet.extend(each(streams, &[X0, X1], &[Op::Write, Op::Take, Op::Sync, Op::On]));
            alphabet.extend([
                Op::Split(),
                Op::Unsplit(),
                Op::HostRead(X0),
                Op::HostRead(X1),
                Op::Drop(X0),
                Op::Drop(X1),
            ]);
        }
        alphabet
    }

    fn everything() -> Language {
        let streams = &[A, B, C, J, Legacy];
        let everywhere =
            &[Op::Write, Op::Read, Op::Download, Op::Take, Op::On, Op::Sync, Op::Record, Op::Wait, Op::Share];
        let mut alphabet = each(streams, &[X, Y], everywhere);
        alphabet.extend(each(streams, &[X, Y], &[Op::Lease, Op::Hold, Op::Look, Op::Reunite]));
        alphabet.extend(mixes(streams, &[(X, Y), (Y, X), (X, P), (P, X)]));
        alphabet.extend(streams.map(|stream| Op::LeaseMix(stream, X, Y)));
        alphabet.extend(streams.map(Op::TakeBoth));
        alphabet.extend(streams.map(Op::SyncBoth));
        alphabet.extend(streams.map(Op::SyncWithPinned));
        alphabet.extend(streams.map(Op::RecordBoth));
        alphabet.extend(streams.map(Op::WaitBoth));
        alphabet.extend(each(streams, &[P], &[Op::Take, Op::On, Op::Sync]));
        alphabet.extend(each(streams, &[X0, X1], &[Op::Write, Op::Take]));
        alphabet.extend([A, J].map(|stream| Op::AfterBlocking(stream, X)));
        alphabet.extend(of(&[X, Y, P], &[Op::HostRead, Op::SyncDevice, Op::Drop, Op::Loose]));
        alphabet.extend(of(&[X, Y], &[Op::Finish, Op::DropRecord, Op::Release, Op::DropShared]));
        alphabet.extend([
            Op::SyncDeviceBoth(),
            Op::HostWrite(P),
            Op::Split(),
            Op::Unsplit(),
            Op::Drop(X0),
            Op::Drop(X1),
        ]);
        Language { name: "everything at once", starts: streams, alphabet, deeper: -1 }
    }

    /// The number of operations of its longest programs, of that length on the whole.
    pub fn length(&self, length: usize) -> usize {
        length.saturating_add_signed(self.deeper)
    }

    /// Every program of up to [`length`](Language::length) operations, once: programs that differ in the names of
    /// streams of one kind, or of buffers, are one.
    pub fn programs(&self, length: usize) -> Vec<Program> {
        let mut found = Found { language: self, length: self.length(length), programs: Vec::new() };
        let mentioned = |var: Var| self.alphabet.iter().any(|op| op.vars().iter().any(|other| other.whole() == var));
        for pinned in [false, true] {
            for x in self.places(mentioned(X)) {
                for y in self.places(mentioned(Y)) {
                    // There is no `y` without an `x`: it would be one.
                    if (!pinned || mentioned(P)) && (x.is_some() || (pinned && y.is_none())) {
                        found.extend(&Program { x, y, ops: Vec::new() }, pinned);
                    }
                }
            }
        }
        found.programs
    }

    /// Where a buffer may be allocated, or nowhere: then it is not there.
    fn places(&self, mentioned: bool) -> Vec<Option<Stream>> {
        let places = self.starts.iter().copied().map(Some);
        if mentioned { std::iter::once(None).chain(places).collect() } else { vec![None] }
    }

    /// Whether it has the program, as it is written.
    fn has(&self, program: &Program, length: usize) -> bool {
        program.ops.len() <= self.length(length)
            && program.x.into_iter().chain(program.y).all(|start| self.starts.contains(&start))
            && program.ops.iter().all(|op| self.alphabet.contains(op))
    }

    /// Whether it has the program, or the same with other names.
    pub fn contains(&self, program: &Program, length: usize) -> bool {
        self.has(program, length) || program.twin().is_some_and(|twin| self.has(&twin, length))
    }
}

struct Found<'a> {
    language: &'a Language,
    length: usize,
    programs: Vec<Program>,
}

impl Found<'_> {
    /// All programs that allocate these buffers.
    fn extend(&mut self, start: &Program, pinned: bool) {
        let has = |var: Var| match var.whole() {
            X => start.x.is_some(),
            Y => start.y.is_some(),
            _ => pinned,
        };
        let alphabet: Vec<Op> =
            self.language.alphabet.iter().copied().filter(|op| op.vars().into_iter().all(has)).collect();
        if start.names_in_order() {
            let machine = Machine::new(start.x, start.y, pinned, Takes::Made);
            self.deepen(&alphabet, &machine, &mut start.clone(), pinned);
        }
    }

    fn deepen(&mut self, alphabet: &[Op], machine: &Machine, program: &mut Program, pinned: bool) {
        if self.stands_for_its_like(program, pinned) {
            self.programs.push(program.clone());
        }
        if program.ops.len() == self.length {
            return;
        }
        for &op in alphabet {
            let mut next = machine.clone();
            if next.step(op).is_ok() {
                program.ops.push(op);
                if program.names_in_order() {
                    self.deepen(alphabet, &next, program, pinned);
                }
                program.ops.pop();
            }
        }
    }

    /// Whether a program uses all of its buffers, and is the one of its like that is kept.
    fn stands_for_its_like(&self, program: &Program, pinned: bool) -> bool {
        let uses = |var: Var| program.ops.iter().any(|op| op.vars().iter().any(|other| other.whole() == var));
        let uses_all = [(program.x.is_some(), X), (program.y.is_some(), Y), (pinned, P)];
        let is_kept = |twin: Program| twin < *program && self.language.has(&twin, self.length_asked());
        uses_all.into_iter().all(|(has, var)| !has || uses(var)) && !program.twin().is_some_and(is_kept)
    }

    fn length_asked(&self) -> usize {
        self.length.saturating_add_signed(-self.language.deeper)
    }
}

/// Each operation on each stream and buffer.
fn each(streams: &[Stream], vars: &[Var], ops: &[fn(Stream, Var) -> Op]) -> Vec<Op> {
    let mut all = Vec::new();
    for op in ops {
        for &stream in streams {
            all.extend(vars.iter().map(|&var| op(stream, var)));
        }
    }
    all
}

fn of(vars: &[Var], ops: &[fn(Var) -> Op]) -> Vec<Op> {
    ops.iter().flat_map(|op| vars.iter().map(|&var| op(var))).collect()
}

fn mixes(streams: &[Stream], pairs: &[(Var, Var)]) -> Vec<Op> {
    streams.iter().flat_map(|&stream| pairs.iter().map(move |&(from, to)| Op::Mix(stream, from, to))).collect()
}
