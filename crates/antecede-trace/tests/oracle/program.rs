//! Random programs.

use antecede::driver::EventId;
use antecede_trace::{Block, Log, LogBuilder, TracedStream};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_oneof};

/// One call, its operands by number.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Alloc(usize, usize),
    Free(usize, usize),
    Fill(usize, Range),
    Copy(usize, Range, Range),
    Launch(usize, Range, Range, Range),
    HostFn(usize, Range, Range),
    PeerCopy(usize, Range, Range),
    PoolAlloc(usize, usize),
    /// An operation on the legacy default stream of the first or the second context, with no access.
    Legacy(bool),
    Record(usize, usize),
    Wait(usize, usize),
    /// A record and a wait, as a pair.
    HandOver(usize, usize),
    Sync(usize),
    BeginSync(usize),
    BeginEventSync(usize),
    End,
    EventSync(usize),
    Query(usize, bool),
    EventQuery(usize, bool),
    ContextSync(bool),
    HostRead(Range),
    HostWrite(Range),
    PinnedFree(usize),
    PinnedAlloc(usize),
    ManagedFree(usize),
    ManagedAlloc(usize),
    Import(usize),
    /// The same, but the call fails.
    Failed(Box<Step>),
}

/// A buffer and a part of it: 0 for the whole, 1 and 2 for its halves, 3 for the middle.
pub(crate) type Range = (usize, u8);

const STREAMS: usize = 9;
const BUFFERS: usize = 6;
/// Few, so that records of one event meet.
const EVENTS: usize = 2;
const BYTES: usize = 8;

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Mostly orderly programs, so that about half of them are silent.
    prop_oneof![vec(step(2), 1..16), vec(step(6), 1..41), vec(step(20), 1..41)]
}

fn step(edges: u32) -> impl Strategy<Value = Step> {
    let call = call(edges);
    (call, 0..10u8).prop_map(|(step, luck)| if luck == 0 { Step::Failed(Box::new(step)) } else { step })
}

fn call(edges: u32) -> impl Strategy<Value = Step> {
    let (stream, buffer, event) = (|| 0..STREAMS, || 0..BUFFERS, || 0..EVENTS);
    let range = || (buffer(), 0..4u8);
    prop_oneof![
        1 => (stream(), buffer()).prop_map(|(s, b)| Step::Alloc(s, b)),
        1 => (stream(), buffer()).prop_map(|(s, b)| Step::Free(s, b)),
        5 => (stream(), range()).prop_map(|(s, r)| Step::Fill(s, r)),
        2 => (stream(), range(), range()).prop_map(|(s, d, r)| Step::Copy(s, d, r)),
        4 => (stream(), range(), range(), range()).prop_map(|(s, a, b, c)| Step::Launch(s, a, b, c)),
        1 => (stream(), range(), range()).prop_map(|(s, a, b)| Step::HostFn(s, a, b)),
        1 => (stream(), range(), range()).prop_map(|(s, a, b)| Step::PeerCopy(s, a, b)),
        1 => (stream(), buffer()).prop_map(|(s, b)| Step::PoolAlloc(s, b)),
        edges => any::<bool>().prop_map(Step::Legacy),
        edges => (event(), stream()).prop_map(|(e, s)| Step::Record(e, s)),
        edges => (stream(), event()).prop_map(|(s, e)| Step::Wait(s, e)),
        edges * 2 => (stream(), stream()).prop_map(|(a, b)| Step::HandOver(a, b)),
        edges => stream().prop_map(Step::Sync),
        2 => stream().prop_map(Step::BeginSync),
        2 => event().prop_map(Step::BeginEventSync),
        3 => proptest::strategy::Just(Step::End),
        2 => event().prop_map(Step::EventSync),
        1 => (stream(), any::<bool>()).prop_map(|(s, yes)| Step::Query(s, yes)),
        1 => (event(), any::<bool>()).prop_map(|(e, yes)| Step::EventQuery(e, yes)),
        1 => any::<bool>().prop_map(Step::ContextSync),
        1 => range().prop_map(Step::HostRead),
        1 => range().prop_map(Step::HostWrite),
        1 => buffer().prop_map(Step::PinnedFree),
        1 => buffer().prop_map(Step::PinnedAlloc),
        1 => buffer().prop_map(Step::ManagedFree),
        1 => buffer().prop_map(Step::ManagedAlloc),
        1 => buffer().prop_map(Step::Import),
    ]
}

/// The log of the program. Two contexts have a non-blocking, a blocking, a legacy and a per-thread stream each; the
/// first has a second per-thread stream.
pub(crate) fn run(steps: &[Step]) -> Log {
    let mut log = LogBuilder::new();
    let first = log.context();
    let mut streams = vec![log.stream("A"), log.blocking("B"), log.per_thread(), log.per_thread(), log.legacy()];
    log.next_context();
    streams.extend([log.stream("C"), log.blocking("D"), log.per_thread(), log.legacy()]);
    assert_eq!(streams.len(), STREAMS);
    let machine = Machine {
        streams,
        contexts: [first, log.context()],
        // Neighbours, so that segments of two buffers touch.
        buffers: split(log.outside(BYTES * BUFFERS)),
        events: std::iter::repeat_with(|| log.event()).take(EVENTS).collect(),
        begun: Vec::new(),
        log,
    };
    steps.iter().fold(machine, Machine::step).log.finish()
}

struct Machine {
    log: LogBuilder,
    streams: Vec<TracedStream>,
    contexts: [antecede::driver::ContextRef; 2],
    buffers: Vec<Block>,
    events: Vec<EventId>,
    begun: Vec<u64>,
}

impl Machine {
    fn step(mut self, step: &Step) -> Self {
        let log = &mut self.log;
        match *step {
            Step::Alloc(s, b) => log.alloc_at(self.streams[s], self.buffers[b]),
            Step::Free(s, b) => log.free(self.streams[s], self.buffers[b]),
            Step::Fill(s, r) => log.fill(self.streams[s], part(&self.buffers, r)),
            Step::Copy(s, d, r) => log.copy(self.streams[s], part(&self.buffers, d), part(&self.buffers, r)),
            Step::Launch(s, a, b, c) => {
                let [a, b, c] = [a, b, c].map(|range| part(&self.buffers, range));
                log.launch(self.streams[s], "kernel", &[a, b], &[c])
            }
            Step::HostFn(s, a, b) => {
                let [a, b] = [a, b].map(|range| part(&self.buffers, range));
                log.host_fn(self.streams[s], &[a], &[b])
            }
            Step::PeerCopy(s, d, r) => log.peer_copy(self.streams[s], part(&self.buffers, d), part(&self.buffers, r)),
            Step::PoolAlloc(s, b) => log.pool_alloc_at(self.streams[s], self.buffers[b]),
            Step::Legacy(second) => {
                let event = log.event();
                log.record(event, self.streams[if second { STREAMS - 1 } else { 4 }])
            }
            Step::Record(e, s) => log.record(self.events[e], self.streams[s]),
            Step::Wait(s, e) => log.wait(self.streams[s], self.events[e]),
            Step::HandOver(a, b) => {
                let event = log.event();
                log.record(event, self.streams[a]);
                log.wait(self.streams[b], event)
            }
            Step::Sync(s) => log.sync(self.streams[s]),
            Step::BeginSync(s) => {
                let begun = log.begin_sync(self.streams[s]);
                self.begun.push(begun);
                begun
            }
            Step::BeginEventSync(e) => {
                let begun = log.begin_event_sync(self.events[e]);
                self.begun.push(begun);
                begun
            }
            Step::End => match self.begun.pop() {
                Some(begun) => log.end(begun),
                None => return self,
            },
            Step::EventSync(e) => log.event_sync(self.events[e]),
            Step::Query(s, yes) => log.query(self.streams[s], yes),
            Step::EventQuery(e, yes) => log.event_query(self.events[e], yes),
            Step::ContextSync(second) => log.context_sync(self.contexts[usize::from(second)]),
            Step::HostRead(r) => log.host_read(part(&self.buffers, r)),
            Step::HostWrite(r) => log.host_write(part(&self.buffers, r)),
            Step::PinnedFree(b) => log.pinned_free(self.buffers[b]),
            Step::PinnedAlloc(b) => log.pinned_alloc_at(self.buffers[b]),
            Step::ManagedFree(b) => log.managed_free(self.buffers[b]),
            Step::ManagedAlloc(b) => log.managed_alloc_at(self.buffers[b]),
            Step::Import(b) => log.import_at(self.buffers[b]),
            Step::Failed(ref step) => {
                // A beginning has no result, and a host access cannot fail.
                let fails = !matches!(
                    **step,
                    Step::BeginSync(_) | Step::BeginEventSync(_) | Step::HostRead(_) | Step::HostWrite(_) | Step::End
                );
                let mut machine = self.step(step);
                if fails {
                    machine.log.failed();
                }
                return machine;
            }
        };
        self
    }
}

fn split(block: Block) -> Vec<Block> {
    (0..BUFFERS).map(|place| block.part(place * BYTES..(place + 1) * BYTES)).collect()
}

fn part(buffers: &[Block], (buffer, part): Range) -> Block {
    let range = [0..BYTES, 0..BYTES / 2, BYTES / 2..BYTES, 2..6][usize::from(part)].clone();
    buffers[buffer].part(range)
}
