//! What stands behind a trace: the lock, the counts, and the log under it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use antecede::driver::DriverResult;

use crate::draft::{Draft, Tables};
use crate::stamps::{DeviceStamp, HostStamp};
use crate::{Call, Counts, Entry, HostThread, Log, Outcome};

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
    /// The entry of the end has the same stream, context and event as that of the beginning.
    pub(crate) fn around<T>(
        &self,
        call: Call,
        run: impl FnOnce() -> DriverResult<T>,
        begin: impl FnOnce(&mut Draft<'_>),
        end: impl FnOnce(&mut Draft<'_>, Option<&T>),
    ) -> DriverResult<T> {
        let mut state = self.lock();
        state.count(call);
        if !self.keeps_log {
            drop(state);
            return run();
        }
        let labels = state.log(call, Outcome::Begun, |draft| {
            begin(draft);
            draft.entry.clone()
        });
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
            end(draft, result.as_ref().ok());
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

    /// From now on, notes when entries come about.
    pub(crate) fn keep_stamps(&self) {
        self.lock().tables.stamps.keep();
    }

    /// When entries since the last clear came about.
    pub(crate) fn stamps(&self) -> (Vec<HostStamp>, Vec<DeviceStamp>) {
        let state = self.lock();
        (state.tables.stamps.of_host(), state.tables.stamps.of_device())
    }

    pub(crate) fn clear(&self) {
        let mut state = self.lock();
        state.era += 1;
        state.counts.clear();
        state.entries = Vec::new();
        state.tables.stamps.clear();
        state.tables.blocks.retain(|_, block| !block.is_freed);
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
        self.tables.stamps.host(&entry);
        self.entries.push(entry);
        described
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

#[cfg(test)]
mod tests {
    use antecede::driver::{DevicePtr, DriverError, ErrorKind, StreamId};

    use super::*;

    #[test]
    fn a_clear_forgets_what_has_ended() {
        let recorder = Recorder::new(true);
        let stream = StreamId::fresh();
        let [x, y, z] = [0x100, 0x200, 0x300].map(DevicePtr);
        for ptr in [x, y, z] {
            recorder.within(Call::Alloc, || Ok(ptr), |draft, block| draft.allocated(block, 64)).unwrap();
        }
        recorder.within(Call::StreamCreate, || Ok(()), |draft, _| draft.name(stream, "A")).unwrap();
        recorder.within(Call::Free, || Ok(()), |draft, _| draft.freed(x)).unwrap();
        recorder.around(Call::PinnedFree, || Ok(()), |draft| draft.freed(y), |_, _| {}).unwrap();
        let error =
            DriverError { call: "cuMemFreeAsync", kind: ErrorKind::Injected, code: 999, message: "injected".into() };
        let failed = recorder.around::<()>(
            Call::PinnedFree,
            || Err(error),
            |draft| draft.freed(z),
            |draft, freed| {
                assert!(freed.is_none());
                draft.not_freed(z);
            },
        );
        assert!(failed.is_err());
        recorder.clear();
        let left: Vec<_> = recorder.lock().tables.blocks.keys().copied().collect();
        assert_eq!(left, [z]);
        assert_eq!(recorder.lock().tables.names.len(), 1);
        recorder.within(Call::StreamDestroy, || Ok(()), |draft, _| draft.unname(stream)).unwrap();
        assert!(recorder.lock().tables.names.is_empty());
    }

    #[test]
    fn an_import_to_an_address_from_before_has_the_size_from_before() {
        let recorder = Recorder::new(true);
        let ptr = DevicePtr(0x100);
        let import = || recorder.within(Call::PointerImport, || Ok(ptr), |draft, block| draft.imported(block)).unwrap();
        let ask = |bytes| {
            recorder.within(Call::AllocationBytes, || Ok(bytes), |draft, bytes| draft.sized(ptr, bytes)).unwrap();
        };
        import();
        ask(64);
        recorder.within(Call::Free, || Ok(()), |draft, _| draft.freed(ptr)).unwrap();
        ask(128);
        import();
        ask(64);
        ask(128);
        let sizes: Vec<_> =
            recorder.log().entries().iter().map(|entry| entry.accesses.first().map(|a| a.bytes)).collect();
        assert_eq!(sizes, [Some(1), Some(63), Some(64), None, Some(64), None, Some(64)]);
    }
}
