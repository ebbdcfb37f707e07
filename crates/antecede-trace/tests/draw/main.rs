//! Timelines of logs written by hand: what is drawn, and how it is written.

mod layout;
mod measured;
mod perfetto;
mod races;
mod svg;

use antecede_trace::draw::{Bar, Timeline};
use antecede_trace::{Log, LogBuilder};

/// Two streams and the host: a hand-over, a sync, a read.
fn hand_over() -> Log {
    let mut log = LogBuilder::new();
    let (upload, compute) = (log.stream("Upload"), log.stream("Compute"));
    let (host, event) = (log.pinned_alloc(1 << 20), log.event());
    let x = log.alloc(upload, 1 << 20);
    log.host_write(host);
    log.copy(upload, x, host);
    log.record(event, upload);
    log.wait(compute, event);
    log.launch(compute, "saxpy", &[x], &[x]);
    log.copy(compute, host, x);
    log.sync(compute);
    log.host_read(host);
    log.free(compute, x);
    log.finish()
}

/// The one bar with that label on the lane of that name.
#[track_caller]
fn bar<'a>(timeline: &'a Timeline, lane: &str, label: &str) -> &'a Bar {
    let is_it = |bar: &&Bar| bar.label == label && timeline.lanes()[bar.lane].name == lane;
    let mut bars = timeline.bars().iter().filter(is_it);
    let bar = bars.next().unwrap_or_else(|| panic!("`{label}` on `{lane}` in {timeline:#?}"));
    assert_eq!(bars.next(), None, "one `{label}` on `{lane}`");
    bar
}

fn names(timeline: &Timeline) -> Vec<&str> {
    timeline.lanes().iter().map(|lane| lane.name.as_str()).collect()
}
