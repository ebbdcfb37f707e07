//! From a checked struct to its `Batch` impl: it only rearranges, so nothing in it is unsafe.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::{GenericParam, TypeParamBound};

use super::check::Batch;

/// As many fields as the library has tuples for; more are tuples of tuples.
const WIDEST_TUPLE: usize = 12;

/// The impl.
pub(super) fn batch(batch: &Batch) -> TokenStream {
    let here = Span::mixed_site();
    let Batch { name, state, next, .. } = batch;
    let mut generics = batch.generics.clone();
    let is_state: TypeParamBound = syn::parse_quote!(::antecede::State);
    for param in generics.type_params_mut().filter(|param| param.ident == *state) {
        param.bounds.push(is_state.clone());
    }
    let (params, args, clauses) = generics.split_for_impl();
    let next_args = next_args(batch);
    let members: Vec<_> = batch.fields.iter().map(|field| &field.member).collect();
    let locals: Vec<Ident> = (0..members.len()).map(|n| format_ident!("field{n}", span = here)).collect();
    let types = batch.fields.iter().map(|field| {
        let ty = &field.ty;
        if field.keep {
            quote_spanned!(here=> ::antecede::Kept<#ty>)
        } else {
            quote_spanned!(here=> <#ty as ::antecede::Batch>::Parts)
        }
    });
    let lowered = batch.fields.iter().zip(&locals).map(|(field, local)| {
        if field.keep {
            quote_spanned!(here=> ::antecede::Kept(#local))
        } else {
            quote_spanned!(here=> ::antecede::Batch::lower(#local))
        }
    });
    let raised = batch.fields.iter().zip(&locals).map(|(field, local)| {
        let ty = &field.ty;
        if field.keep {
            quote_spanned!(here=> #local.0)
        } else {
            quote_spanned!(here=> <#ty as ::antecede::Batch>::raise(#local))
        }
    });
    let (types, lowered) = (tuple(types.collect()), tuple(lowered.collect()));
    let pattern = tuple(locals.iter().map(|local| quote_spanned!(here=> #local)).collect());
    quote_spanned! {here=>
        #[automatically_derived]
        impl #params ::antecede::Batch for #name #args #clauses {
            type Parts = #types;
            type With<#next: ::antecede::State> = #name<#next_args>;

            fn lower(self) -> Self::Parts {
                let Self { #(#members: #locals),* } = self;
                #lowered
            }

            fn raise(parts: Self::Parts) -> Self {
                let #pattern = parts;
                Self { #(#members: #raised),* }
            }
        }
    }
}

/// The struct's arguments in their order, with the next state in the state's place.
fn next_args(batch: &Batch) -> TokenStream {
    let args = batch.generics.params.iter().map(|param| match param {
        GenericParam::Type(param) if param.ident == batch.state => &batch.next,
        GenericParam::Type(param) => &param.ident,
        GenericParam::Const(param) => &param.ident,
        GenericParam::Lifetime(param) => &param.lifetime.ident,
    });
    quote_spanned!(Span::mixed_site()=> #(#args),*)
}

/// A tuple of types, patterns or expressions, nested where it would be too wide.
fn tuple(mut items: Vec<TokenStream>) -> TokenStream {
    while items.len() > WIDEST_TUPLE {
        items = items.chunks(WIDEST_TUPLE).map(|chunk| tuple(chunk.to_vec())).collect();
    }
    quote_spanned!(Span::mixed_site()=> (#(#items,)*))
}
