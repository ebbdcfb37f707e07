//! Lanes: who does things in order.

use std::collections::HashMap;

use antecede::driver::{ContextId, StreamId, StreamKind};

use crate::{HostThread, TracedStream};

/// A stream, or a host thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Its name; no other lane of the timeline has it.
    pub name: String,
    /// The stream; `None` for a host thread.
    pub stream: Option<TracedStream>,
}

/// What tells lanes apart. The legacy default stream has its context's id for it, whatever its handle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Who {
    Host(HostThread),
    Stream(ContextId, StreamId),
}

impl Who {
    pub(super) fn stream(stream: &TracedStream) -> Self {
        let context = stream.stream.context;
        let is_legacy = stream.stream.kind == StreamKind::LegacyStream;
        Who::Stream(context.id, if is_legacy { context.legacy } else { stream.stream.id })
    }
}

/// A lane before it has a name, in the order of first use.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) who: Who,
    pub(super) stream: Option<TracedStream>,
    /// Whether it waits for streams, as the host does.
    pub(super) syncs: bool,
}

/// Names the lanes and puts them in order; returns the new place of each as well.
///
/// A host thread that only hands data in is above the streams, one that waits for them below, so that arrows go down in
/// a program that hands data on from stream to stream.
pub(super) fn settle(drafts: &[Draft]) -> (Vec<Lane>, Vec<usize>) {
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by_key(|&draft| rank(&drafts[draft]));
    let mut places = vec![0; drafts.len()];
    for (place, &draft) in order.iter().enumerate() {
        places[draft] = place;
    }
    let in_order = || order.iter().map(|&draft| &drafts[draft]);
    let names = unique(in_order().map(|draft| called(draft, drafts)).collect());
    let lanes = in_order().zip(names).map(|(draft, name)| Lane { name, stream: draft.stream }).collect();
    (lanes, places)
}

fn rank(draft: &Draft) -> (u8, u64, u64) {
    match draft.who {
        Who::Host(thread) => (if draft.syncs { 2 } else { 0 }, 0, thread.number()),
        Who::Stream(context, id) => (1, context.number(), id.number()),
    }
}

fn called(draft: &Draft, all: &[Draft]) -> String {
    let Some(TracedStream { stream, name }) = draft.stream else { return String::from("host") };
    let name = match (stream.kind, name) {
        (StreamKind::LegacyStream, _) => "Legacy",
        (StreamKind::PerThreadStream, _) => "PerThread",
        (_, name) => name.unwrap_or("stream"),
    };
    let elsewhere = |other: &Draft| other.stream.is_some_and(|other| other.stream.context.id != stream.context.id);
    if all.iter().any(elsewhere) { format!("{name}, device {}", stream.context.ordinal) } else { name.to_owned() }
}

/// Numbers those that share a name.
fn unique(names: Vec<String>) -> Vec<String> {
    let mut total: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|name| *total.entry(name).or_default() += 1);
    let mut counts: HashMap<String, usize> = HashMap::new();
    names
        .iter()
        .map(|name| {
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            if total[name.as_str()] == 1 { name.clone() } else { format!("{name} {count}") }
        })
        .collect()
}
