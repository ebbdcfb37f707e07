//! From a log to steps: what waits for what.

use std::collections::HashMap;

use antecede::driver::{ContextId, EventId, StreamKind};

use super::bar::BarKind;
use super::lane::{Draft, Who};
use super::reach::Reach;
use super::step::Step;
use super::touched::Touched;
use crate::{Call, Entry, Log, Outcome};

/// The steps of a log, in its order; a step waits for earlier ones alone.
#[derive(Default, Debug)]
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    pub(super) lanes: Vec<Draft>,
    by_who: HashMap<Who, usize>,
    /// By lane, its steps.
    on: Vec<Vec<usize>>,
    /// By event, what a wait for it is surely for: its latest record, unless one has failed since.
    records: HashMap<EventId, Vec<usize>>,
    /// Waits and frees of the host under way, by the number of the entry where they began; and the event, if it is one
    /// that is waited for.
    open: HashMap<u64, (usize, Option<EventId>)>,
    /// By context, the last step on the legacy default stream that makes its edge.
    legacy: HashMap<ContextId, usize>,
    /// Waits of the host that have ended.
    seen: Vec<usize>,
    touched: Touched,
}

impl Steps {
    pub(super) fn of(log: &Log) -> Self {
        let mut steps = Steps::default();
        log.entries().iter().for_each(|entry| steps.hear(entry));
        steps
    }

    fn hear(&mut self, entry: &Entry) {
        if let Outcome::Ended { begun } | Outcome::EndedFailed { begun, .. } = entry.outcome {
            if let Some((step, _)) = self.open.remove(&begun) {
                self.end(step, entry);
            }
            return;
        }
        if entry.outcome == Outcome::Answered(false) {
            return;
        }
        let Some(kind) = BarKind::of(entry.call) else { return };
        let step = self.begin(entry, kind);
        let ok = !self.steps[step].failed;
        match (kind, entry.event) {
            (BarKind::Record, Some(event)) => self.record(event, step, entry),
            (BarKind::Wait, Some(event)) if ok => {
                for earlier in self.records.get(&event).cloned().unwrap_or_default() {
                    self.wait_until(step, earlier);
                }
            }
            (BarKind::Sync, _) if ok => {
                let spoken_of = self.spoken_of(entry);
                self.steps[step].until = spoken_of;
            }
            _ => {}
        }
        if entry.outcome == Outcome::Begun {
            self.open.insert(entry.seq, (step, entry.event));
        } else if kind == BarKind::Sync {
            self.see(step, entry.seq);
        }
    }

    /// A new step, behind the one before on its lane, behind what its thread did, and behind the legacy default stream.
    fn begin(&mut self, entry: &Entry, kind: BarKind) -> usize {
        let host = Who::Host(entry.thread);
        let who = match &entry.stream {
            Some(stream) if kind != BarKind::Sync => Who::stream(stream),
            _ => host,
        };
        let lane = self.lane(who, entry);
        self.lanes[lane].syncs |= kind == BarKind::Sync;
        let mut step = Step::new(entry, kind, lane, self.on[lane].len() as u32 + 1);
        step.after.extend(self.on[lane].last());
        step.after.extend(self.by_who.get(&host).and_then(|&host| self.on[host].last()));
        let place = self.steps.len();
        if !step.failed {
            step.after.extend(self.legacy_before(entry, lane));
            self.keep_legacy(entry, lane, place);
        }
        let reach = self.reach_of(&step);
        let conflicts = if step.failed { Vec::new() } else { self.touched.touch(place, &entry.accesses) };
        let through = conflicts.iter().filter_map(|&earlier| self.through(earlier, &step, &reach));
        let through: Vec<usize> = through.collect();
        step.after.extend(through);
        step.after.sort_unstable();
        step.after.dedup();
        step.reach = self.reach_of(&step);
        self.on[lane].push(place);
        self.steps.push(step);
        place
    }

    /// A call that waits has returned.
    fn end(&mut self, step: usize, entry: &Entry) {
        if entry.outcome.error().is_some() {
            self.steps[step].failed = true;
            self.steps[step].until.clear();
        } else if self.steps[step].kind == BarKind::Sync {
            self.see(step, entry.seq);
        }
    }

    /// The host knows that what a wait speaks of has ended.
    fn see(&mut self, step: usize, seq: u64) {
        for earlier in self.steps[step].until.clone() {
            self.wait_until(step, earlier);
        }
        self.steps[step].known = Some(seq);
        self.seen.push(step);
    }

    fn wait_until(&mut self, step: usize, earlier: usize) {
        let reach = self.steps[earlier].reach.clone();
        let waiting = &mut self.steps[step];
        waiting.reach.join(&reach);
        if !waiting.until.contains(&earlier) {
            waiting.until.push(earlier);
        }
    }

    /// The step through which the later one waits for an earlier one that touched the same bytes, where no edge of
    /// streams and events orders them. `None`: they are ordered already, or they race.
    fn through(&self, earlier: usize, later: &Step, reach: &Reach) -> Option<usize> {
        let (place, earlier) = (earlier, &self.steps[earlier]);
        if reach.covers(earlier.lane, earlier.count) {
            return None;
        }
        // What the host does, it does before what the log has later; memory that comes anew was freed.
        let is_host = matches!(self.lanes[earlier.lane].who, Who::Host(_));
        if is_host || (earlier.call.frees() && later.call.allocates()) {
            return Some(place);
        }
        // `seen` holds none that ends later in the log.
        self.seen.iter().copied().find(|&sync| self.steps[sync].reach.covers(earlier.lane, earlier.count))
    }

    /// An event is recorded, or perhaps not. Waits of the host under way are for this record or for the one before.
    fn record(&mut self, event: EventId, step: usize, entry: &Entry) {
        let mut reach = self.steps[step].reach.clone();
        if self.steps[step].failed {
            let legacy = self.legacy_before(entry, self.steps[step].lane);
            legacy.iter().for_each(|&earlier| reach.join(&self.steps[earlier].reach));
            if let Some(known) = self.records.get(&event) {
                let known = self.meet(known, &reach);
                self.records.insert(event, known);
            }
        } else {
            self.records.insert(event, vec![step]);
        }
        let waits = self.open.values().filter(|(_, of)| *of == Some(event)).map(|&(wait, _)| wait);
        for wait in waits.collect::<Vec<_>>() {
            self.steps[wait].until = self.meet(&self.steps[wait].until, &reach);
        }
    }

    /// The last step of each lane that comes before all of these steps' ends, or is one of them, and is within `reach`.
    fn meet(&self, steps: &[usize], reach: &Reach) -> Vec<usize> {
        let mut both = Reach::default();
        steps.iter().for_each(|&step| both.join(&self.steps[step].reach));
        both.meet(reach);
        let last = |(lane, count): (usize, u32)| Some(self.on[lane][count.checked_sub(1)? as usize]);
        both.counts().filter_map(last).collect()
    }

    fn reach_of(&self, step: &Step) -> Reach {
        let mut reach = Reach::default();
        step.after.iter().for_each(|&earlier| reach.join(&self.steps[earlier].reach));
        reach.reach(step.lane, step.count);
        reach
    }

    /// What a sync or a query speaks of.
    fn spoken_of(&self, entry: &Entry) -> Vec<usize> {
        match (entry.call, &entry.stream, entry.event) {
            (Call::EventSync | Call::EventQuery, _, Some(event)) => {
                self.records.get(&event).cloned().unwrap_or_default()
            }
            (Call::ContextSync, ..) => self.last_steps(|_, context| Some(context) == entry.context),
            (_, Some(stream), _) => {
                let (who, context) = (Who::stream(stream), stream.stream.context.id);
                let is_legacy = stream.stream.kind == StreamKind::LegacyStream;
                self.last_steps(|draft, of| {
                    let blocks = draft.stream.is_some_and(|other| other.stream.kind.is_blocking());
                    draft.who == who || (is_legacy && of == context && blocks)
                })
            }
            _ => Vec::new(),
        }
    }

    /// The last step of each stream for which `wanted` holds.
    fn last_steps(&self, wanted: impl Fn(&Draft, ContextId) -> bool) -> Vec<usize> {
        let lanes = self.lanes.iter().zip(&self.on);
        let wanted = lanes.filter(|(draft, _)| draft.stream.is_some_and(|of| wanted(draft, of.stream.context.id)));
        wanted.filter_map(|(_, steps)| steps.last().copied()).collect()
    }

    /// What the legacy default stream orders before this entry.
    fn legacy_before(&self, entry: &Entry, lane: usize) -> Vec<usize> {
        let Some(stream) = entry.stream.filter(|_| makes_legacy_edge(entry)) else { return Vec::new() };
        let context = stream.stream.context.id;
        match stream.stream.kind {
            StreamKind::LegacyStream => self.last_steps(|draft, of| {
                let blocks = draft.stream.is_some_and(|other| other.stream.kind.is_blocking());
                of == context && blocks && draft.who != self.lanes[lane].who
            }),
            kind if kind.is_blocking() => self.legacy.get(&context).copied().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn keep_legacy(&mut self, entry: &Entry, lane: usize, step: usize) {
        let legacy = self.lanes[lane].stream.filter(|of| of.stream.kind == StreamKind::LegacyStream);
        if let Some(legacy) = legacy.filter(|_| makes_legacy_edge(entry)) {
            self.legacy.insert(legacy.stream.context.id, step);
        }
    }

    fn lane(&mut self, who: Who, entry: &Entry) -> usize {
        *self.by_who.entry(who).or_insert_with(|| {
            let stream = entry.stream.filter(|_| who != Who::Host(entry.thread));
            self.lanes.push(Draft { who, stream, syncs: false });
            self.on.push(Vec::new());
            self.lanes.len() - 1
        })
    }
}

/// An allocation makes no edge of the legacy default stream.
fn makes_legacy_edge(entry: &Entry) -> bool {
    entry.call.is_submission() && !entry.call.allocates()
}
