//! When entries came about: the host's clock, and marks on streams.

use std::time::Instant;

use crate::{Call, Entry, Outcome};

/// What a trace with a stopwatch notes beside its log.
#[derive(Default, Debug)]
pub(crate) struct Stamps {
    is_kept: bool,
    host: Vec<HostStamp>,
    device: Vec<DeviceStamp>,
}

/// An entry's time on the host's clock; of an entry that ends another, the number of that one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostStamp {
    pub(crate) seq: u64,
    pub(crate) begun: Option<u64>,
    pub(crate) at: Instant,
}

/// The stopwatch's marks before and after an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceStamp {
    pub(crate) seq: u64,
    pub(crate) before: u64,
    pub(crate) after: u64,
}

impl Stamps {
    /// From now on, notes are taken.
    pub(crate) fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Forgets what was noted.
    pub(crate) fn clear(&mut self) {
        self.host = Vec::new();
        self.device = Vec::new();
    }

    /// Notes the time of an entry that the host itself is the doer of.
    pub(crate) fn host(&mut self, entry: &Entry) {
        if !self.is_kept || entry.call.is_submission() {
            return;
        }
        let begun = match entry.outcome {
            Outcome::Ended { begun } | Outcome::EndedFailed { begun, .. } => Some(begun),
            _ => None,
        };
        self.host.push(HostStamp { seq: entry.seq, begun, at: Instant::now() });
    }

    pub(crate) fn device(&mut self, stamp: DeviceStamp) {
        self.device.push(stamp);
    }

    pub(crate) fn of_host(&self) -> Vec<HostStamp> {
        self.host.clone()
    }

    pub(crate) fn of_device(&self) -> Vec<DeviceStamp> {
        self.device.clone()
    }
}

/// Whether an operation is timed on its stream. Allocations and frees do not run on a device.
pub(crate) fn is_timed(call: Call) -> bool {
    call.is_submission() && !call.allocates() && !call.frees()
}
