//! The mutations.

mod bounds;
mod calls;
mod ends;
mod markers;
mod owners;
mod processes;
mod protocol;
mod seals;
mod states;

use crate::Mutation;

/// All mutations: first what the compiler refuses, then what tests that run find.
pub fn all() -> impl Iterator<Item = &'static Mutation> {
    [
        markers::TABLE,
        states::TABLE,
        bounds::TABLE,
        owners::TABLE,
        seals::TABLE,
        processes::TABLE,
        calls::TABLE,
        ends::TABLE,
        protocol::TABLE,
    ]
    .into_iter()
    .flatten()
}
