//! Accepted programs, run: the calls that they make, beside those that [`erase`](crate::erase()) says they make.
//!
//! Both are written as one line of words, so that the process that runs the programs only prints.

use crate::erase::{Access, Call, Queue, Work};
use crate::program::Var;
use antecede::driver::{DevicePtr, EventId};
use antecede_trace::{Call as Logged, Entry, Log, Outcome, judge};
pub use antecede_trace::{NullDriver, Trace};
use std::collections::HashMap;

/// Bytes of half a buffer.
const HALF: u64 = 32;

/// The line of a program that is run.
///
/// # Panics
/// If the judge finds a race in the calls, or the program returns an error.
pub fn run(trace: &Trace, vars: &[Var], program: impl FnOnce() -> antecede::Result<()>) -> String {
    trace.clear();
    program().expect("nothing fails");
    let log = trace.log();
    judge(&log).assert_silent();
    logged(&log, vars)
}

/// The line of a program's calls, without its types.
pub fn expected(calls: &[Call]) -> String {
    let mut records = HashMap::new();
    let mut words = Vec::new();
    for call in calls {
        words.push(match call {
            Call::Submit(queue, work, accesses) => format!("{}({}){}", work_name(*work), name(*queue), list(accesses)),
            Call::Record(queue, event) => {
                records.insert(*event, records.len() + 1);
                format!("record({})", name(*queue))
            }
            Call::Wait(queue, event) => format!("wait({},{})", name(*queue), records[event]),
            Call::SyncStream(queue) => format!("sync({})", name(*queue)),
            Call::SyncEvent(event) => format!("finish({})", records[event]),
            Call::SyncContext => "sync()".to_owned(),
            Call::Host(access) => format!("host(){}", list(&[*access])),
            // The cache keeps it: nobody asks for it in this program.
            Call::Reused(..) => continue,
        });
    }
    words.join(" ")
}

/// The line of a log. `vars` are the program's device buffers, in the order of their allocation.
fn logged(log: &Log, vars: &[Var]) -> String {
    let mut reader = Reader { vars: vars.iter(), blocks: Vec::new(), records: HashMap::new(), count: 0 };
    let words: Vec<String> = log.entries().iter().filter_map(|entry| reader.word(entry)).collect();
    words.join(" ")
}

struct Reader<'a> {
    vars: std::slice::Iter<'a, Var>,
    blocks: Vec<(Var, DevicePtr)>,
    records: HashMap<EventId, usize>,
    count: usize,
}

impl Reader<'_> {
    fn word(&mut self, entry: &Entry) -> Option<String> {
        let stream = || {
            let name = entry.stream.and_then(|stream| stream.name).unwrap_or_default();
            // Streams of the library's own have no brand.
            if ["A", "B", "C", "J", "K", "Legacy"].contains(&name) { name } else { "-" }
        };
        let first = entry.accesses.first();
        match entry.call {
            Logged::Alloc => {
                let var = *self.vars.next().expect("a program allocates its own buffers");
                self.blocks.push((var, first?.ptr));
            }
            // The one pinned buffer is written by the host when it is made.
            Logged::HostWrite if self.block_at(first?.ptr).is_none() => self.blocks.push((Var::P, first?.ptr)),
            _ => {}
        }
        let work = |name: &str, reader: &Self| Some(format!("{name}({}){}", stream(), reader.accesses(entry)));
        match entry.call {
            Logged::Alloc => work("alloc", self),
            Logged::Free => work("free", self),
            Logged::Fill => work("fill", self),
            Logged::Copy => work("copy", self),
            Logged::Launch => work("launch", self),
            // Out of staging memory.
            Logged::HostRead if self.block_at(first?.ptr).is_none() => None,
            Logged::HostRead | Logged::HostWrite => Some(format!("host(){}", self.accesses(entry))),
            Logged::EventRecord => {
                self.count += 1;
                self.records.insert(entry.event?, self.count);
                Some(format!("record({})", stream()))
            }
            Logged::EventWait => Some(format!("wait({},{})", stream(), self.records[&entry.event?])),
            Logged::StreamSync if entry.outcome == Outcome::Begun => Some(format!("sync({})", stream())),
            Logged::EventSync if entry.outcome == Outcome::Begun => {
                Some(format!("finish({})", self.records[&entry.event?]))
            }
            Logged::ContextSync if entry.outcome == Outcome::Begun => Some("sync()".to_owned()),
            // Handles are made and kept, memory is staged and cached, the cache asks for events: none of these orders.
            Logged::EventCreate | Logged::EventQuery | Logged::PinnedAlloc | Logged::StreamCreate => None,
            Logged::StreamSync | Logged::EventSync | Logged::ContextSync => None,
            other => Some(format!("{other:?}")),
        }
    }

    fn block_at(&self, ptr: DevicePtr) -> Option<(Var, u64)> {
        let inside = |(_, start): &&(Var, DevicePtr)| start.0 <= ptr.0 && ptr.0 < start.0 + 2 * HALF;
        self.blocks.iter().find(inside).map(|&(var, start)| (var, (ptr.0 - start.0) / HALF))
    }

    /// Those of the program's buffers; staging memory is the library's.
    fn accesses(&self, entry: &Entry) -> String {
        let known = entry.accesses.iter().filter_map(|access| {
            let (var, half) = self.block_at(access.ptr)?;
            let var = match (var, half, access.bytes as u64) {
                (Var::X, 0, HALF) => Var::X0,
                (Var::X, 1, _) => Var::X1,
                (var, ..) => var,
            };
            Some(Access { var, write: access.write })
        });
        list(&known.collect::<Vec<_>>())
    }
}

fn list(accesses: &[Access]) -> String {
    let mut accesses = accesses.to_vec();
    accesses.sort_unstable_by_key(|access| access.write);
    let word = |access: &Access| format!("{}{}", if access.write { "+" } else { "-" }, access.var.name());
    accesses.iter().map(word).collect()
}

fn work_name(work: Work) -> &'static str {
    match work {
        Work::Alloc => "alloc",
        Work::Free => "free",
        Work::Fill => "fill",
        Work::Copy => "copy",
        Work::Launch => "launch",
    }
}

fn name(queue: Queue) -> String {
    match queue {
        Queue::Of(stream) => stream.to_string(),
        Queue::Device => "-".to_owned(),
    }
}
