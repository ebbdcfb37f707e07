//! Attacks on what holds at run time. What the compiler refuses is tested by `ui-tests`.

mod batches;
mod blocking_copies;
mod cache;
mod contracts;
mod drops;
mod forgotten;
mod identity;
mod modules;
mod panics;
mod pinned_sources;
mod primary;
mod scope_end;
mod sizes;
