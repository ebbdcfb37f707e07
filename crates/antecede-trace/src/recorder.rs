//! What stands behind a trace: the lock, the counts, and the log under it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use antecede::driver::{Access, ContextId, DevicePtr, DriverResult, EventId, StreamId, StreamRef};

use crate::{Call, Counts, Entry, HostThread, Log, Outcome, TracedStream};

/// Counts calls and, unless told to count only, logs them.
#[derive(Debug)]
pub(crate) struct Recorder {
    keeps_log: bool,
    state: Mutex<State>,
}

/// A moment of a trace, from [`Trace::mark`](crate::Trace::mark).
#[derive(Clone, Debug)]
pub struct Mark {
    era: u64,
    next_seq: u64,
    counts: BTreeMap<HostThread, Counts>,
}

#[derive(Debug, Default)]
struct State {
    /// Number of clears so far.
    era: u64,
    counts: BTreeMap<HostThread, Counts>,
    entries: Vec<Entry>,
    tables: Tables,
}

/// What later entries need to know of earlier ones. Empty while only counting.
#[derive(Debug)]
struct Tables {
    next_seq: u64,
    /// Names of the streams that are not destroyed yet.
    names: HashMap<StreamId, &'static str>,
    /// Sizes of the blocks that are not freed yet: a free is told an address alone.
    blocks: HashMap<DevicePtr, usize>,
}

impl Default for Tables {
    fn default() -> Self {
        Tables { next_seq: 1, names: HashMap::new(), blocks: HashMap::new() }
    }
}

impl Recorder {
    pub(crate) fn new(keeps_log: bool) -> Self {
        Recorder { keeps_log, state: Mutex::default() }
    }

    /// Runs a call that does not wait. The lock is held meanwhile, so that the log's order is the inner driver's.
    pub(crate) fn within<T>(
        &self,
        call: Call,
        run: impl FnOnce() -> DriverResult<T>,
        describe: impl FnOnce(&mut Draft<'_>, Option<&T>),
    ) -> DriverResult<T> {
        let mut state = self.lock();
        state.count(call);
        if !self.keeps_log {
            drop(state);
            return run();
        }
        let result = run();
        let outcome = match &result {
            Ok(_) => Outcome::Ok,
            Err(error) => Outcome::Failed(error.clone()),
        };
        state.log(call, outcome, |draft| describe(draft, result.as_ref().ok()));
        result
    }

    /// Runs a call that may wait or take long. The lock is not held meanwhile: other threads go on submitting.
    ///
    /// What `begin` returns is given to `end`, whose entry has the same stream, context and event.
    pub(crate) fn around<T, B>(
        &self,
        call: Call,
        run: impl FnOnce() -> DriverResult<T>,
        begin: impl FnOnce(&mut Draft<'_>) -> B,
        end: impl FnOnce(&mut Draft<'_>, B, Option<&T>),
    ) -> DriverResult<T> {
        let mut state = self.lock();
        state.count(call);
        if !self.keeps_log {
            drop(state);
            return run();
        }
        let (kept, labels) = state.log(call, Outcome::Begun, |draft| (begin(draft), draft.entry.clone()));
        drop(state);
        let result = run();
        let begun = labels.seq;
        let outcome = match &result {
            Ok(_) => Outcome::Ended { begun },
            Err(error) => Outcome::EndedFailed { begun, error: error.clone() },
        };
        self.lock().log(call, outcome, |draft| {
            draft.entry.stream = labels.stream;
            draft.entry.context = labels.context;
            draft.entry.event = labels.event;
            end(draft, kept, result.as_ref().ok());
        });
        result
    }

    /// Notes a host access, which is no call and cannot fail, and tells the inner driver of it under the lock.
    pub(crate) fn host(&self, call: Call, tell: impl FnOnce(), describe: impl FnOnce(&mut Draft<'_>)) {
        let mut state = self.lock();
        state.count(call);
        if self.keeps_log {
            state.log(call, Outcome::Ok, describe);
        }
        tell();
    }

    pub(crate) fn counts(&self) -> Counts {
        sum(&self.lock().counts)
    }

    pub(crate) fn thread_counts(&self) -> Counts {
        of_this_thread(&self.lock().counts)
    }

    pub(crate) fn mark(&self) -> Mark {
        let state = self.lock();
        Mark { era: state.era, next_seq: state.tables.next_seq, counts: state.counts.clone() }
    }

    pub(crate) fn counts_since(&self, mark: &Mark) -> Counts {
        let state = self.lock();
        if mark.era == state.era { sum(&state.counts) - sum(&mark.counts) } else { sum(&state.counts) }
    }

    pub(crate) fn thread_counts_since(&self, mark: &Mark) -> Counts {
        let state = self.lock();
        let now = of_this_thread(&state.counts);
        if mark.era == state.era { now - of_this_thread(&mark.counts) } else { now }
    }

    pub(crate) fn log(&self) -> Log {
        self.lock().entries.iter().cloned().collect()
    }

    pub(crate) fn log_since(&self, mark: &Mark) -> Log {
        let state = self.lock();
        let first = state.entries.partition_point(|entry| entry.seq < mark.next_seq);
        state.entries[first..].iter().cloned().collect()
    }

    pub(crate) fn clear(&self) {
        let mut state = self.lock();
        state.era += 1;
        state.counts.clear();
        state.entries = Vec::new();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic halfway changes the state: it is whole whatever unwound elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn count(&mut self, call: Call) {
        self.counts.entry(HostThread::current()).or_default().add(call);
    }

    fn log<R>(&mut self, call: Call, outcome: Outcome, describe: impl FnOnce(&mut Draft<'_>) -> R) -> R {
        let seq = self.tables.next_seq;
        self.tables.next_seq += 1;
        let entry = Entry {
            seq,
            thread: HostThread::current(),
            call,
            stream: None,
            context: None,
            event: None,
            accesses: Vec::new(),
            kernel: None,
            outcome,
        };
        let mut draft = Draft { entry, tables: &mut self.tables };
        let described = describe(&mut draft);
        let entry = draft.entry;
        self.entries.push(entry);
        described
    }
}

/// An entry that is being filled in.
pub(crate) struct Draft<'a> {
    entry: Entry,
    tables: &'a mut Tables,
}

impl Draft<'_> {
    pub(crate) fn context(&mut self, context: ContextId) {
        self.entry.context = Some(context);
    }

    pub(crate) fn stream(&mut self, stream: &StreamRef) {
        self.context(stream.context.id);
        let name = self.tables.names.get(&stream.id).copied();
        self.entry.stream = Some(TracedStream { stream: *stream, name });
    }

    pub(crate) fn event(&mut self, event: EventId) {
        self.entry.event = Some(event);
    }

    pub(crate) fn kernel(&mut self, name: &'static str) {
        self.entry.kernel = Some(name);
    }

    /// Notes a query's answer, if it gave one.
    pub(crate) fn answered(&mut self, complete: Option<&bool>) {
        if let Some(&complete) = complete {
            self.entry.outcome = Outcome::Answered(complete);
        }
    }

    /// Notes a range; an empty one is no access.
    pub(crate) fn access(&mut self, access: Access) {
        if access.bytes != 0 {
            self.entry.accesses.push(access);
        }
    }

    pub(crate) fn name(&mut self, stream: StreamId, name: &'static str) {
        self.tables.names.insert(stream, name);
    }

    pub(crate) fn unname(&mut self, stream: StreamId) {
        self.tables.names.remove(&stream);
    }

    /// Notes a new block, if the allocation gave one.
    pub(crate) fn allocated(&mut self, block: Option<&DevicePtr>, bytes: usize) {
        if let Some(&ptr) = block {
            self.tables.blocks.insert(ptr, bytes);
            self.access(Access { ptr, bytes, write: true });
        }
    }

    /// Notes the whole block that begins there, and takes it off the table. `None` if its allocation was not seen.
    pub(crate) fn freed(&mut self, ptr: DevicePtr) -> Option<usize> {
        let bytes = self.tables.blocks.remove(&ptr)?;
        self.access(Access { ptr, bytes, write: true });
        Some(bytes)
    }

    /// Takes a `freed` back after a failed call, unless the address has been allocated again meanwhile.
    pub(crate) fn not_freed(&mut self, ptr: DevicePtr, bytes: Option<usize>) {
        if let Some(bytes) = bytes {
            self.tables.blocks.entry(ptr).or_insert(bytes);
        }
    }
}

fn sum(counts: &BTreeMap<HostThread, Counts>) -> Counts {
    let mut all = Counts::default();
    counts.values().for_each(|&of_one| all += of_one);
    all
}

fn of_this_thread(counts: &BTreeMap<HostThread, Counts>) -> Counts {
    counts.get(&HostThread::current()).copied().unwrap_or_default()
}
