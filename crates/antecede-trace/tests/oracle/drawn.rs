//! Timelines of random programs, against the same ground truth.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::thread;

use antecede::driver::EventId;
use antecede_trace::draw::{Arrow, Bar, BarKind, Timeline};
use antecede_trace::{Call, Entry, HostThread, Log, Outcome, Race, RaceKind, judge};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

use super::program::{self, steps};
use super::{graph, pairs};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// With one host thread, everything that happens before a bar ends before it starts; what happens before the end of
    /// a wait, before that end.
    #[test]
    fn a_bar_never_starts_before_what_it_waits_for(steps in steps()) {
        let log = by_one_thread(&program::run(&steps));
        let timeline = Timeline::new(&log);
        let entries = log.entries();
        let orders = graph::happens_before(entries);
        for first in timeline.bars() {
            let end = place_of_end(entries, first.seq);
            for second in timeline.bars() {
                if graph::has(orders[place(entries, second.seq)].surely, end) && !second.kind.waits() {
                    prop_assert!(first.end <= second.start, "#{} before #{}\n{log}", first.seq, second.seq);
                }
                // A thread does nothing else while it waits, as random programs do.
                let (begins, ends) = (place(entries, second.seq), place_of_end(entries, second.seq));
                if ends - begins <= 1 && graph::has(orders[ends].surely, end) {
                    prop_assert!(first.end <= second.end, "#{} before the end of #{}\n{log}", first.seq, second.seq);
                }
            }
        }
    }

    /// Whatever the threads: what one lane does, it does one after the other.
    #[test]
    fn bars_of_a_lane_do_not_overlap(steps in steps()) {
        for log in [program::run(&steps), waits_apart(&program::run(&steps))] {
            let timeline = Timeline::new(&log);
            for lane in 0..timeline.lanes().len() {
                let bars: Vec<_> = timeline.bars().iter().filter(|bar| bar.lane == lane).collect();
                prop_assert!(!bars.is_empty(), "a lane without a bar");
                for pair in bars.windows(2) {
                    prop_assert!(pair[0].start < pair[0].end && pair[0].end <= pair[1].start, "{pair:?}\n{log}");
                }
            }
        }
    }

    /// From the event's latest record, and from nothing else. Where one has failed since, nobody knows which it is.
    #[test]
    fn every_wait_of_a_stream_has_its_arrow(steps in steps()) {
        let log = program::run(&steps);
        let timeline = Timeline::new(&log);
        let mut records: HashMap<EventId, u64> = HashMap::new();
        let (mut expected, mut doubtful, mut unclear) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for entry in log.entries() {
            match (entry.call, entry.event, entry.outcome.error()) {
                (Call::EventRecord, Some(event), None) => {
                    records.insert(event, entry.seq);
                    doubtful.remove(&event);
                }
                (Call::EventRecord, Some(event), Some(_)) => drop(doubtful.insert(event)),
                (Call::EventWait, Some(event), None) if doubtful.contains(&event) => drop(unclear.insert(entry.seq)),
                (Call::EventWait, Some(event), None) => {
                    expected.extend(records.get(&event).map(|&from| (from, entry.seq)));
                }
                _ => {}
            }
        }
        let bars = timeline.bars();
        let is_clear = |to: &Bar| to.kind == BarKind::Wait && !unclear.contains(&to.seq);
        let arrows = timeline.arrows().iter().filter(|arrow| is_clear(&bars[arrow.to]));
        let drawn: BTreeSet<_> = arrows.clone().map(|arrow| (bars[arrow.from].seq, bars[arrow.to].seq)).collect();
        prop_assert_eq!(arrows.count(), drawn.len(), "no arrow twice");
        prop_assert_eq!(drawn, expected, "{}", log);
    }

    /// Nothing that is drawn leads from one side of a race to the other.
    #[test]
    fn races_are_not_drawn_as_ordered(steps in steps()) {
        let log = waits_apart(&program::run(&steps));
        let timeline = Timeline::new(&log);
        let reach = drawn_order(&timeline);
        let places: BTreeMap<u64, usize> = timeline.bars().iter().zip(0..).map(|(bar, place)| (bar.seq, place)).collect();
        let report = judge(&log);
        let is_for_want_of_order = |race: &&Race| !race.first.call.frees() && race.kind != RaceKind::AllocInUse;
        for race in report.races().iter().filter(is_for_want_of_order) {
            let (first, second) = (places[&race.first.seq], places[&race.second.seq]);
            prop_assert!(!reach[second].contains(&first), "{race}\n{log}");
        }
        prop_assert_eq!(timeline.with_races(&report).races().len(), report.races().len());
    }

    /// In a program without a race, whatever touches the same bytes is one after the other.
    #[test]
    fn conflicts_without_a_race_do_not_overlap(steps in steps()) {
        let log = waits_apart(&program::run(&steps));
        // After a failed free the memory may come anew while it is in use, and the judge says nothing of it.
        let in_doubt = log.entries().iter().any(|entry| entry.call.frees() && entry.outcome.error().is_some());
        if !in_doubt && pairs(&judge(&log)).is_empty() {
            let timeline = Timeline::new(&log);
            let bars = timeline.bars();
            for (place, second) in bars.iter().enumerate().filter(|(_, bar)| !bar.failed) {
                for first in bars[..place].iter().filter(|bar| !bar.failed) {
                    if conflict(log.entry(first.seq), log.entry(second.seq)) {
                        prop_assert!(first.end <= second.start, "#{} and #{}\n{log}", first.seq, second.seq);
                    }
                }
            }
        }
    }
}

fn place(entries: &[Entry], seq: u64) -> usize {
    entries.iter().position(|entry| entry.seq == seq).expect("in the log")
}

/// The place of the entry where what begins there has ended: its own, if there is no other. Frees of the host count from
/// their beginning on.
fn place_of_end(entries: &[Entry], seq: u64) -> usize {
    let ends = |entry: &Entry| matches!(entry.outcome, Outcome::Ended { begun } if begun == seq && !entry.call.frees());
    entries.iter().position(ends).unwrap_or_else(|| place(entries, seq))
}

fn by_one_thread(log: &Log) -> Log {
    let thread = HostThread::current();
    log.entries().iter().cloned().map(|entry| Entry { thread, ..entry }).collect()
}

/// The same log, where a host wait during which other things happen is another thread's.
fn waits_apart(log: &Log) -> Log {
    let entries = log.entries();
    let mut waits: BTreeMap<u64, HostThread> = BTreeMap::new();
    for (place, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.outcome == Outcome::Begun) {
        let ends_at_once = entries.get(place + 1).is_some_and(|next| begun(next) == Some(entry.seq));
        if !ends_at_once {
            waits.insert(entry.seq, thread::spawn(HostThread::current).join().expect("a thread"));
        }
    }
    let apart = |entry: Entry| {
        let thread = waits.get(&begun(&entry).unwrap_or(entry.seq)).copied().unwrap_or(entry.thread);
        Entry { thread, ..entry }
    };
    entries.iter().cloned().map(apart).collect()
}

fn begun(entry: &Entry) -> Option<u64> {
    match entry.outcome {
        Outcome::Ended { begun } | Outcome::EndedFailed { begun, .. } => Some(begun),
        _ => None,
    }
}

/// For each bar, the bars from which lanes, arrows and implied edges lead to it.
fn drawn_order(timeline: &Timeline) -> Vec<BTreeSet<usize>> {
    let bars = timeline.bars();
    // From a free to an allocation of the same memory: that orders those bytes alone.
    let is_of_memory = |edge: &Arrow| bars[edge.from].kind == BarKind::Free && bars[edge.to].kind == BarKind::Alloc;
    let mut last: HashMap<usize, usize> = HashMap::new();
    let mut reach: Vec<BTreeSet<usize>> = Vec::new();
    for (place, bar) in bars.iter().enumerate() {
        let edges = timeline.arrows().iter().chain(timeline.implied().iter().filter(|edge| !is_of_memory(edge)));
        let direct = edges.filter(|edge| edge.to == place).map(|edge| edge.from).chain(last.insert(bar.lane, place));
        let mut before = BTreeSet::new();
        for from in direct {
            before.insert(from);
            before.extend(&reach[from]);
        }
        reach.push(before);
    }
    reach
}

fn conflict(first: Option<&Entry>, second: Option<&Entry>) -> bool {
    let (Some(first), Some(second)) = (first, second) else { return false };
    let end = |access: &antecede::driver::Access| access.ptr.0 + access.bytes as u64;
    first.accesses.iter().any(|one| {
        let meets = |other: &&antecede::driver::Access| one.ptr.0 < end(other) && other.ptr.0 < end(one);
        second.accesses.iter().filter(meets).any(|other| one.write || other.write)
    })
}
