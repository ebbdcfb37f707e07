//! Several complaints about one input, each at its own place.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// Collects errors so that one compilation shows all of them.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Notes an error that was found elsewhere.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Underlines `tokens` (the macro's whole input, if there are none).
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Underlines `span`.
    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    /// The value, or a note of why there is none.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Whether nothing was noted.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Notes everything that `other` did.
    pub(crate) fn append(&mut self, other: Errors) {
        if let Some(error) = other.0 {
            self.push(error);
        }
    }

    /// One `compile_error!` for each.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.map(syn::Error::into_compile_error).unwrap_or_default()
    }
}
