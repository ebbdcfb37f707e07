//! Every small program: what rustc accepts, against what races.
//!
//! A [`Program`] is plain data. [`Language`] enumerates all programs over an alphabet of operations, up to a length,
//! without those that differ in names alone. Each is looked at from two sides:
//!
//! - [`render`] writes it as a user would, and [`compiler`] asks rustc whether it is accepted, thousands at a time;
//! - [`erase`](erase()) says which driver calls it would make without its types, and [`verdict`](verdict::verdict)
//!   whether they race, by the judge of `antecede-trace` and by a graph of its own ([`order`]), which must agree.
//!
//! [`Experiment`] does both for all programs and runs the accepted ones ([`ran`]). [`Tally`](tally::Tally) holds
//! what was found: a program that is accepted and races is a hole in the library. Of those that are refused and do not
//! race, [`completeness`] says whether the same [`work`] is accepted, written otherwise; [`edit`] looks for the
//! nearest accepted program; [`report`] and [`page`] write it down.
//!
//! # Limits
//!
//! - One host thread, one device. No host functions, managed memory, pools, run-time brands or failing calls: the random
//!   programs of `antecede-tests` have them.
//! - What a *refused* program would do is worked out, not run: the library has no door for all of it. Of accepted ones the
//!   calls are compared.
//! - Order between processes is not in the language: see [`Op`](program::Op) for where it would go.

pub mod compiler;
pub mod completeness;
pub mod edit;
pub mod erase;
pub mod experiment;
pub mod judged;
pub mod language;
mod op;
pub mod order;
pub mod page;
pub mod plan;
pub mod program;
pub mod ran;
pub mod render;
pub mod report;
pub mod tally;
pub mod verdict;
pub mod work;

pub use erase::erase;
pub use experiment::Experiment;
pub use language::Language;
pub use program::Program;
