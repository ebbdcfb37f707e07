//! Happens-before, kept up to date entry by entry.

use std::collections::HashMap;

use antecede::driver::{ContextId, EventId, StreamId, StreamRef};

use super::clock::{Agent, Clock};

/// One step of one agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Epoch {
    pub(super) agent: Agent,
    pub(super) step: u64,
}

/// What happens before the next thing that each agent does.
#[derive(Debug)]
pub(super) struct Order {
    agents: HashMap<(ContextId, StreamId), Agent>,
    /// By agent; `None` for the host.
    contexts: Vec<Option<ContextId>>,
    /// By agent.
    clocks: Vec<Clock>,
    events: HashMap<EventId, Record>,
    /// Host waits that have begun and not ended, by the number of the entry where they began.
    waits: HashMap<u64, HostWait>,
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
            contexts: vec![None],
            clocks: vec![Clock::default()],
            events: HashMap::new(),
            waits: HashMap::new(),
        }
    }

    /// Whether that step happens before what the agent does next, or did last.
    pub(super) fn is_before(&self, epoch: Epoch, agent: Agent) -> bool {
        self.clocks[agent.0 as usize].of(epoch.agent) >= epoch.step
    }

    pub(super) fn agent(&mut self, stream: &StreamRef) -> Agent {
        let (contexts, clocks) = (&mut self.contexts, &mut self.clocks);
        *self.agents.entry((stream.context.id, stream.id)).or_insert_with(|| {
            contexts.push(Some(stream.context.id));
            clocks.push(Clock::default());
            Agent(clocks.len() as u32 - 1)
        })
    }

    /// The host does something.
    pub(super) fn host_step(&mut self) -> Epoch {
        self.step(Agent::HOST)
    }

    /// An operation is submitted to a stream: it comes after the stream's earlier ones, and after all that the host
    /// has seen complete or done itself. That the host submitted something to another stream before is no edge.
    ///
    /// Edges that a kind of stream implies for certain operations belong here, drawn for each operation.
    pub(super) fn submit(&mut self, stream: Agent) -> Epoch {
        let [host, of_stream] =
            self.clocks.get_disjoint_mut([0, stream.0 as usize]).expect("a stream's agent is not the host");
        of_stream.join(host);
        self.step(stream)
    }

    /// An event is recorded. Host waits under way may be for this record or for the one before.
    pub(super) fn record(&mut self, event: EventId, stream: Agent, seq: u64) {
        self.submit(stream);
        let clock = self.clocks[stream.0 as usize].clone();
        for wait in self.waits.values_mut().filter(|wait| wait.event == Some(event)) {
            wait.clock.meet(&clock);
        }
        self.events.insert(event, Record { stream, seq, clock });
    }

    /// A record failed: the event's latest record is this one or the one before.
    pub(super) fn doubtful_record(&mut self, event: EventId, stream: Agent) {
        self.submit(stream);
        let clock = &self.clocks[stream.0 as usize];
        if let Some(record) = self.events.get_mut(&event) {
            record.clock.meet(clock);
        }
        for wait in self.waits.values_mut().filter(|wait| wait.event == Some(event)) {
            wait.clock.meet(clock);
        }
    }

    /// A stream waits for an event's latest record, which is returned. Without one there is nothing to wait for.
    pub(super) fn wait(&mut self, stream: Agent, event: EventId) -> Option<&Record> {
        self.submit(stream);
        let record = self.events.get(&event)?;
        self.clocks[stream.0 as usize].join(&record.clock);
        Some(record)
    }

    pub(super) fn forget_event(&mut self, event: EventId) {
        self.events.remove(&event);
    }

    /// What the host sees when a wait for this stream that begins now ends.
    pub(super) fn stream_wait(&self, stream: Agent, seq: u64) -> HostWait {
        HostWait { event: None, covers: Some((stream, seq)), clock: self.clocks[stream.0 as usize].clone() }
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
        for (of, theirs) in self.contexts.iter().zip(&self.clocks) {
            if *of == Some(context) {
                clock.join(theirs);
            }
        }
        HostWait { event: None, covers: None, clock }
    }

    pub(super) fn begin(&mut self, seq: u64, wait: HostWait) {
        self.waits.insert(seq, wait);
    }

    /// Takes the wait that began at that entry. `None` if the log does not hold its beginning.
    pub(super) fn end(&mut self, begun: u64) -> Option<HostWait> {
        self.waits.remove(&begun)
    }

    /// The host has seen what the wait was for.
    pub(super) fn host_sees(&mut self, wait: &HostWait) {
        self.clocks[0].join(&wait.clock);
    }

    fn step(&mut self, agent: Agent) -> Epoch {
        Epoch { agent, step: self.clocks[agent.0 as usize].step(agent) }
    }
}
