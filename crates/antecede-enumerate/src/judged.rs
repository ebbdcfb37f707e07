//! Calls as a log, for the judge of `antecede-trace`.

use crate::erase::{Access, Call, Event, Queue, Work};
use crate::program::{Stream, Var};
use antecede::driver::EventId;
use antecede_trace::{Block, Log, LogBuilder, Report, TracedStream, judge};
use std::collections::BTreeMap;

/// Bytes of half a buffer.
const HALF: usize = 32;

/// What the judge says of the calls.
pub fn report(calls: &[Call]) -> Report {
    judge(&log(calls))
}

/// The calls as a log.
pub fn log(calls: &[Call]) -> Log {
    let mut writer = Writer::new();
    calls.iter().for_each(|call| writer.write(call));
    writer.log.finish()
}

struct Writer {
    log: LogBuilder,
    streams: BTreeMap<Queue, TracedStream>,
    events: BTreeMap<Event, EventId>,
    blocks: [Block; 3],
}

impl Writer {
    fn new() -> Writer {
        let mut log = LogBuilder::new();
        let mut streams = BTreeMap::new();
        for stream in Stream::ALL {
            let made = match stream {
                Stream::A => log.stream("A"),
                Stream::B => log.stream("B"),
                Stream::C => log.stream("C"),
                Stream::J => log.blocking("J"),
                Stream::K => log.blocking("K"),
                Stream::Legacy => log.legacy(),
            };
            streams.insert(Queue::Of(stream), made);
        }
        streams.insert(Queue::Device, log.stream("Device"));
        let blocks = [log.outside(2 * HALF), log.outside(2 * HALF), log.outside(2 * HALF)];
        Writer { log, streams, events: BTreeMap::new(), blocks }
    }

    fn write(&mut self, call: &Call) {
        match call {
            Call::Submit(queue, work, accesses) => self.submit(self.streams[queue], *work, accesses),
            Call::Record(queue, event) => {
                let event = self.event(*event);
                self.log.record(event, self.streams[queue]);
            }
            Call::Wait(queue, event) => {
                let event = self.event(*event);
                self.log.wait(self.streams[queue], event);
            }
            Call::SyncStream(queue) => {
                self.log.sync(self.streams[queue]);
            }
            Call::SyncEvent(event) => {
                let event = self.event(*event);
                self.log.event_sync(event);
            }
            Call::SyncContext => {
                self.log.context_sync(self.log.context());
            }
            Call::Host(access) if access.write => {
                self.log.host_write(self.block(access.var));
            }
            Call::Host(access) => {
                self.log.host_read(self.block(access.var));
            }
            Call::Reused(var, event) => {
                let next = self.log.stream("Next");
                if let Some(event) = event {
                    let event = self.event(*event);
                    self.log.wait(next, event);
                }
                self.log.fill(next, self.block(*var));
            }
        }
    }

    fn submit(&mut self, stream: TracedStream, work: Work, accesses: &[Access]) {
        let blocks = |write: bool| -> Vec<Block> {
            accesses.iter().filter(|access| access.write == write).map(|access| self.block(access.var)).collect()
        };
        let (reads, writes) = (blocks(false), blocks(true));
        match work {
            Work::Alloc => self.log.alloc_at(stream, writes[0]),
            Work::Free => self.log.free(stream, writes[0]),
            Work::Fill => self.log.fill(stream, writes[0]),
            // A copy from or to staging memory has one side here.
            Work::Copy | Work::Launch => self.log.launch(stream, "kernel", &reads, &writes),
        };
    }

    fn event(&mut self, event: Event) -> EventId {
        let log = &mut self.log;
        *self.events.entry(event).or_insert_with(|| log.event())
    }

    fn block(&self, var: Var) -> Block {
        let whole = match var.whole() {
            Var::X => self.blocks[0],
            Var::Y => self.blocks[1],
            _ => self.blocks[2],
        };
        let halves = var.halves();
        whole.part(usize::from(halves.start) * HALF..usize::from(halves.end) * HALF)
    }
}
