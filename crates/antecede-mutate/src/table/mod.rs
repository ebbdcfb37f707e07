//! The mutations.

mod devices;
mod failures;
mod frees;
mod hand_overs;
mod markers;
mod operations;
mod orders;
mod owners;
mod processes;
mod protocol;
mod seals;
mod states;
mod threads;

use crate::Mutation;

/// All mutations: first what the compiler refuses, then what tests that run find.
pub fn all() -> impl Iterator<Item = &'static Mutation> {
    [
        markers::TABLE,
        states::TABLE,
        operations::TABLE,
        hand_overs::TABLE,
        devices::TABLE,
        owners::TABLE,
        seals::TABLE,
        processes::TABLE,
        orders::TABLE,
        threads::TABLE,
        frees::TABLE,
        failures::TABLE,
        protocol::TABLE,
    ]
    .into_iter()
    .flatten()
}
