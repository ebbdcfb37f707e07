//! `#[derive(Batch)]`: checked into a model, expanded from the model.

mod check;
mod expand;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::errors::Errors;

/// The expansion of `#[derive(Batch)]`.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    match check::batch(input, &mut errors) {
        Some(batch) if errors.is_empty() => expand::batch(&batch),
        _ => errors.into_tokens(),
    }
}
