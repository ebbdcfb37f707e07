//! The procedural macros of antecede: `kernels!` and `#[derive(Batch)]`.

mod batch;
mod errors;
mod kernels;
mod names;

use proc_macro::TokenStream;

/// Declares modules of kernels.
#[proc_macro]
pub fn kernels(input: TokenStream) -> TokenStream {
    kernels::kernels(input.into()).into()
}

/// Makes a struct of buffers a batch.
#[proc_macro_derive(Batch, attributes(batch))]
pub fn derive_batch(input: TokenStream) -> TokenStream {
    batch::derive(input.into()).into()
}
