//! `kernels!`: parsed as loosely as can be, checked into a model, expanded from the model.

mod arithmetic;
mod attributes;
mod check;
mod document;
mod evaluate;
mod expand;
mod grammar;
mod launch;
mod parse;
#[cfg(test)]
mod tests;
mod types;

use proc_macro2::TokenStream;

use crate::errors::Errors;

/// The expansion of `kernels!`. Kernels that are declared well are there even if others are not, so that one mistake
/// does not make every use of the module an error.
pub(crate) fn kernels(input: TokenStream) -> TokenStream {
    let declarations: parse::Declarations = match syn::parse2(input) {
        Ok(declarations) => declarations,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let modules: Vec<_> = declarations.modules.into_iter().map(|module| check::module(module, &mut errors)).collect();
    let mut out = errors.into_tokens();
    out.extend(modules.iter().map(expand::module));
    out
}
