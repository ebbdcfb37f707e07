//! A driver around any driver: logs calls, counts them, and judges races.

mod call;
mod counts;
mod entry;
mod log;
mod recorder;
mod trusted;

pub use call::Call;
pub use counts::Counts;
pub use entry::{Entry, HostThread, Outcome, TracedStream};
pub use log::Log;
pub use recorder::Mark;
pub use trusted::{NullDriver, Trace};
