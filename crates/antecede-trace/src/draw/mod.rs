//! Pictures of logs: an SVG timeline, and a trace for Perfetto.
//!
//! A [`Timeline`] has a lane for each stream, and one for each host thread that does more than submit. Operations are
//! [`Bar`]s, and an [`Arrow`] leads from each event record to each wait for it. [`Timeline::to_svg`] draws it;
//! [`Timeline::to_perfetto`] writes the JSON that <https://ui.perfetto.dev> and `chrome://tracing` open.
//!
//! ```
//! use antecede_trace::draw::{BarKind, Timeline};
//! use antecede_trace::LogBuilder;
//!
//! let mut log = LogBuilder::new();
//! let (upload, compute) = (log.stream("Upload"), log.stream("Compute"));
//! let (x, event) = (log.outside(4096), log.event());
//! log.fill(upload, x);
//! log.record(event, upload);
//! log.wait(compute, event);
//! log.launch(compute, "saxpy", &[x], &[]);
//!
//! let timeline = Timeline::new(&log.finish());
//! let [fill, record, wait, saxpy] = timeline.bars() else { panic!("four bars") };
//! assert_eq!((fill.kind, saxpy.label.as_str()), (BarKind::Fill, "saxpy"));
//! assert!(fill.end <= record.start && record.end <= wait.end && wait.end <= saxpy.start);
//! assert!(timeline.to_svg("two streams").starts_with("<svg"));
//! ```
//!
//! # Time
//!
//! A log has no times. Then a bar starts when everything that it waits for has ended, and is as wide as the logarithm of
//! its bytes says: the picture shows what *may* overlap, and nothing of how long it takes. What counts as waiting is
//! what [`Judge`](crate::Judge) counts, with each host thread in an order of its own: a bar of a thread does not wait
//! for what other threads happened to do first, unless they touched the same bytes. So the picture of a program is the
//! same however its threads interleave.
//!
//! With [`Times`](crate::Times), from a trace with a [`Stopwatch`](crate::Stopwatch), bars lie where they were measured.

mod bar;
mod json;
mod lane;
mod mark;
mod perfetto;
mod place;
mod reach;
mod step;
mod steps;
mod svg;
mod timeline;
mod touched;

pub use bar::{Arrow, Bar, BarKind};
pub use lane::Lane;
pub use mark::{Missing, RaceMark, bytes};
pub use timeline::{Scale, Timeline};
