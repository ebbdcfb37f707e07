//! A driver around any driver: logs calls, counts them, and judges races.

mod builder;
mod call;
mod counts;
mod entry;
mod judge;
mod log;
mod recorder;
mod trusted;

pub use builder::{Block, LogBuilder};
pub use call::Call;
pub use counts::Counts;
pub use entry::{Entry, HostThread, Outcome, TracedStream};
pub use judge::{Judge, Race, RaceKind, Report, Side, judge};
pub use log::Log;
pub use recorder::Mark;
pub use trusted::{NullDriver, Trace};
