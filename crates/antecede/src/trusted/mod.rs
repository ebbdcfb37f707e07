//! The one module of this crate that contains `unsafe` code.
#![expect(unsafe_code, reason = "the typed operations are turned into driver calls here, each with its proof")]
pub mod driver;
