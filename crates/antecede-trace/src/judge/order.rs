//! Happens-before, kept up to date entry by entry.

use std::collections::HashMap;

use antecede::driver::{ContextId, EventId, StreamId, StreamKind, StreamRef};

use super::clock::{Agent, Clock};
use super::legacy::Legacy;

/// One step of one agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Epoch {
    pub(super) agent: Agent,
    pub(super) step: u64,
}

/// A step, as its order with earlier ones is looked up.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) epoch: Epoch,
    /// What comes before it if its call, which failed, was submitted nonetheless.
    if_submitted: Clock,
}

/// Whether one step comes before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Before {
    Yes,
    /// Unless the later call, which failed, was not submitted: then there is no such step, and what comes after it is
    /// not ordered either.
    IfSubmitted,
    No,
}

/// What an operation has to do with the order that the legacy default stream draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LegacyEdge {
    /// It makes the edge.
    Made,
    /// It may not have been submitted: it has the edge and gives none.
    Doubtful,
    /// It makes none.
    None,
}

/// What happens before the next thing that each agent does.
#[derive(Debug)]
pub(super) struct Order {
    agents: HashMap<(ContextId, StreamId), Agent>,
    /// By agent; `None` for the host.
    places: Vec<Option<Place>>,
    /// By agent.
    clocks: Vec<Clock>,
    legacy: HashMap<ContextId, Legacy>,
    events: HashMap<EventId, Record>,
    /// Host waits that have begun and not ended, by the number of the entry where they began.
    waits: HashMap<u64, HostWait>,
}

/// A stream's context, and how it stands to the legacy default stream there.
#[derive(Clone, Copy, Debug)]
struct Place {
    context: ContextId,
    kind: StreamKind,
}

/// The latest record of an event.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) stream: Agent,
    pub(super) seq: u64,
    clock: Clock,
}

/// A wait of the host.
#[derive(Debug)]
pub(super) struct HostWait {
    /// The event waited for, if it is one.
    event: Option<EventId>,
    /// One stream and the number up to which the wait covers it, where it speaks of one.
    pub(super) covers: Option<(Agent, u64)>,
    clock: Clock,
}

impl Order {
    pub(super) fn new() -> Self {
        Order {
            agents: HashMap::new(),
            places: vec![None],
            clocks: vec![Clock::default()],
            legacy: HashMap::new(),
            events: HashMap::new(),
            waits: HashMap::new(),
        }
    }

    /// Whether that step happens before the moment.
    pub(super) fn is_before(&self, earlier: Epoch, moment: &Moment) -> Before {
        if self.clock(moment.epoch.agent).of(earlier.agent) >= earlier.step {
            Before::Yes
        } else if moment.if_submitted.of(earlier.agent) >= earlier.step {
            Before::IfSubmitted
        } else {
            Before::No
        }
    }

    /// A stream is told apart by its id, the legacy default stream by its context.
    pub(super) fn agent(&mut self, stream: &StreamRef) -> Agent {
        let (context, kind) = (stream.context.id, stream.kind);
        let id = if kind == StreamKind::LegacyStream { stream.context.legacy } else { stream.id };
        if let Some(&agent) = self.agents.get(&(context, id)) {
            return agent;
        }
        let agent = Agent(self.clocks.len() as u32);
        self.agents.insert((context, id), agent);
        self.clocks.push(Clock::default());
        self.places.push(Some(Place { context, kind }));
        self.legacy.entry(context).or_default().joined_by(agent, kind);
        agent
    }

    /// The agent of a context's legacy default stream, if the log has shown that so far.
    pub(super) fn legacy_of(&self, context: ContextId) -> Option<Agent> {
        self.legacy.get(&context)?.agent
    }

    /// The host does something.
    pub(super) fn host_step(&mut self) -> Moment {
        let step = self.clocks[0].step(Agent::HOST);
        Moment { epoch: Epoch { agent: Agent::HOST, step }, if_submitted: Clock::default() }
    }

    /// An operation is submitted to a stream: it comes after the stream's earlier ones, after all that the host has
    /// seen complete or done itself, and after what the legacy default stream orders before it. That the host submitted
    /// something to another stream before is no edge.
    pub(super) fn submit(&mut self, stream: Agent, edge: LegacyEdge) -> Moment {
        let moment = self.begin(stream, edge);
        self.settle(stream, edge);
        moment
    }

    /// An event is recorded. Host waits under way may be for this record or for the one before.
    pub(super) fn record(&mut self, event: EventId, stream: Agent, seq: u64) {
        self.submit(stream, LegacyEdge::Made);
        let clock = self.clock(stream).clone();
        for wait in self.waits.values_mut().filter(|wait| wait.event == Some(event)) {
            wait.clock.meet(&clock);
        }
        self.events.insert(event, Record { stream, seq, clock });
    }

    /// A record failed: the event's latest record is this one or the one before.
    pub(super) fn doubtful_record(&mut self, event: EventId, stream: Agent) {
        let mut clock = self.submit(stream, LegacyEdge::Doubtful).if_submitted;
        clock.join(self.clock(stream));
        if let Some(record) = self.events.get_mut(&event) {
            record.clock.meet(&clock);
        }
        for wait in self.waits.values_mut().filter(|wait| wait.event == Some(event)) {
            wait.clock.meet(&clock);
        }
    }

    /// A stream waits for an event's latest record, which is returned. Without one there is nothing to wait for.
    pub(super) fn wait(&mut self, stream: Agent, event: EventId) -> Option<&Record> {
        self.begin(stream, LegacyEdge::Made);
        if let Some(record) = self.events.get(&event) {
            self.clocks[stream.0 as usize].join(&record.clock);
        }
        self.settle(stream, LegacyEdge::Made);
        self.events.get(&event)
    }

    pub(super) fn forget_event(&mut self, event: EventId) {
        self.events.remove(&event);
    }

    /// What the host sees when a wait for this stream that begins now ends. A wait for the legacy default stream speaks
    /// of the blocking streams too.
    pub(super) fn stream_wait(&self, stream: Agent, seq: u64) -> HostWait {
        let mut clock = self.clock(stream).clone();
        if self.place(stream).kind == StreamKind::LegacyStream {
            self.join_implied(stream, &mut clock);
        }
        HostWait { event: None, covers: Some((stream, seq)), clock }
    }

    /// The same for an event. An event that was never recorded is complete and says nothing.
    pub(super) fn event_wait(&self, event: EventId) -> HostWait {
        let record = self.events.get(&event);
        let covers = record.map(|record| (record.stream, record.seq));
        HostWait { event: Some(event), covers, clock: record.map(|record| record.clock.clone()).unwrap_or_default() }
    }

    /// The same for all streams of a context.
    pub(super) fn context_wait(&self, context: ContextId) -> HostWait {
        let mut clock = Clock::default();
        for (place, theirs) in self.places.iter().zip(&self.clocks) {
            if place.is_some_and(|place| place.context == context) {
                clock.join(theirs);
            }
        }
        HostWait { event: None, covers: None, clock }
    }

    pub(super) fn begin_wait(&mut self, seq: u64, wait: HostWait) {
        self.waits.insert(seq, wait);
    }

    /// Takes the wait that began at that entry. `None` if the log does not hold its beginning.
    pub(super) fn end_wait(&mut self, begun: u64) -> Option<HostWait> {
        self.waits.remove(&begun)
    }

    /// The host has seen what the wait was for.
    pub(super) fn host_sees(&mut self, wait: &HostWait) {
        self.clocks[0].join(&wait.clock);
    }

    /// Takes the step of a submission, after everything that implies.
    fn begin(&mut self, stream: Agent, edge: LegacyEdge) -> Moment {
        let mut clock = std::mem::take(&mut self.clocks[stream.0 as usize]);
        clock.join(&self.clocks[0]);
        let mut if_submitted = Clock::default();
        match edge {
            LegacyEdge::Made => self.join_implied(stream, &mut clock),
            LegacyEdge::Doubtful => self.join_implied(stream, &mut if_submitted),
            LegacyEdge::None => {}
        }
        let step = clock.step(stream);
        self.clocks[stream.0 as usize] = clock;
        Moment { epoch: Epoch { agent: stream, step }, if_submitted }
    }

    /// Lets the blocking streams of the context wait for what the legacy default stream was just given.
    fn settle(&mut self, stream: Agent, edge: LegacyEdge) {
        let Place { context, kind } = self.place(stream);
        if let (LegacyEdge::Made, StreamKind::LegacyStream, Some(legacy)) = (edge, kind, self.legacy.get_mut(&context))
        {
            legacy.before_blocking.clone_from(&self.clocks[stream.0 as usize]);
        }
    }

    /// Adds what the legacy default stream orders before the next operation on the stream that makes its edge.
    fn join_implied(&self, stream: Agent, clock: &mut Clock) {
        let Place { context, kind } = self.place(stream);
        let Some(legacy) = self.legacy.get(&context) else { return };
        match kind {
            StreamKind::LegacyStream => legacy.blocking.iter().for_each(|&blocking| clock.join(self.clock(blocking))),
            kind if kind.is_blocking() => clock.join(&legacy.before_blocking),
            _ => {}
        }
    }

    fn clock(&self, agent: Agent) -> &Clock {
        &self.clocks[agent.0 as usize]
    }

    fn place(&self, stream: Agent) -> Place {
        self.places[stream.0 as usize].expect("a stream's agent is not the host")
    }
}
