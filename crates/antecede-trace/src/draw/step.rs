//! One step of a lane, before it has a place in time.

use super::bar::BarKind;
use super::reach::Reach;
use crate::{Call, Entry};

/// What becomes a bar.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) seq: u64,
    pub(super) lane: usize,
    /// Its number on the lane, from 1 on.
    pub(super) count: u32,
    pub(super) kind: BarKind,
    pub(super) call: Call,
    pub(super) label: String,
    pub(super) bytes: u64,
    pub(super) failed: bool,
    /// Steps that end before this one starts; the one before on its lane among them.
    pub(super) after: Vec<usize>,
    /// Steps that end before this one, which is a wait, does.
    pub(super) until: Vec<usize>,
    /// What comes before its end, itself included.
    pub(super) reach: Reach,
    /// Where the host knows that a wait has ended: the number of that entry.
    pub(super) known: Option<u64>,
}

impl Step {
    pub(super) fn new(entry: &Entry, kind: BarKind, lane: usize, count: u32) -> Self {
        let label = match (entry.kernel, kind) {
            (Some(kernel), _) => kernel.to_owned(),
            (None, BarKind::Record | BarKind::Wait) => kind.word().to_owned(),
            (None, BarKind::Sync) => sync_word(entry.call).to_owned(),
            (None, BarKind::HostFn) => String::from("host_fn"),
            (None, _) => entry.call.word().to_owned(),
        };
        let bytes = match kind {
            // The same bytes twice would be no more work.
            BarKind::Copy => {
                entry.accesses.iter().filter(|access| access.write).map(|access| access.bytes as u64).sum()
            }
            _ => entry.accesses.iter().map(|access| access.bytes as u64).sum(),
        };
        Step {
            seq: entry.seq,
            lane,
            count,
            kind,
            call: entry.call,
            label,
            bytes,
            failed: entry.outcome.error().is_some(),
            after: Vec::new(),
            until: Vec::new(),
            reach: Reach::default(),
            known: None,
        }
    }
}

fn sync_word(call: Call) -> &'static str {
    match call {
        Call::StreamQuery | Call::EventQuery => "query",
        _ => "sync",
    }
}
