//! Records, waits and what is made of them.

use super::{Access, Call, Event, Machine, Queue, Recorded, Takes, Work};
use crate::program::{Stream, Var};

impl Machine {
    /// To the host, through staging memory of the library's.
    pub(super) fn download(&mut self, queue: Queue, var: Var) {
        self.submit_to(queue, Work::Copy, [Access::read(var)]);
        self.calls.push(Call::SyncStream(queue));
    }

    pub(super) fn fresh_event(&mut self) -> Event {
        self.events += 1;
        Event(self.events)
    }

    pub(super) fn record(&mut self, queue: Queue) -> Event {
        let event = self.fresh_event();
        self.calls.push(Call::Record(queue, event));
        event
    }

    pub(super) fn recorded(&mut self, stream: Stream) -> Recorded {
        Recorded { event: self.record(Queue::Of(stream)), source: Queue::Of(stream) }
    }

    pub(super) fn wait(&mut self, queue: Queue, recorded: Recorded) {
        if recorded.source != queue {
            self.calls.push(Call::Wait(queue, recorded.event));
        }
    }

    pub(super) fn sync(&mut self, stream: Stream, vars: &[Var]) {
        let queue = Queue::Of(stream);
        if queue.is_blocking() {
            self.record(queue);
        }
        self.calls.push(Call::SyncStream(queue));
        self.complete(vars);
    }

    pub(super) fn sync_context(&mut self, vars: &[Var]) {
        self.calls.push(Call::SyncContext);
        self.complete(vars);
    }

    /// Buffers stay where they were, and the host has seen that they are complete, or so their types say.
    fn complete(&mut self, vars: &[Var]) {
        vars.iter().for_each(|&var| self.own(var, self.value(var).home, true));
    }

    pub(super) fn take(&mut self, stream: Stream, vars: &[Var]) {
        let to = Queue::Of(stream);
        let mut sources = Vec::new();
        for value in vars.iter().map(|&var| self.value(var)).filter(|value| !value.complete && value.home != to) {
            if !sources.contains(&value.home) {
                sources.push(value.home);
            }
        }
        if self.takes == Takes::Made {
            sources.into_iter().for_each(|source| self.hand_over(source, to));
        }
        vars.iter().for_each(|&var| self.own(var, to, false));
    }

    /// The calls that order all of one stream before another.
    pub(super) fn hand_over(&mut self, from: Queue, to: Queue) {
        if from.is_blocking() && to.is_legacy() {
            return;
        }
        let event = self.record(from);
        if !(from.is_legacy() && to.is_blocking()) {
            self.calls.push(Call::Wait(to, event));
        }
    }
}
