//! Names for generated type parameters. Unlike local variables they are not hygienic, so they must differ from every
//! name that the user's tokens mention.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::ext::IdentExt;

/// The identifiers that a piece of input mentions.
#[derive(Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// Adds every identifier in `tokens`, nested ones included.
    pub(crate) fn add(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(ident) => {
                    self.0.insert(ident.unraw().to_string());
                }
                TokenTree::Group(group) => self.add(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Whether `ident` is mentioned.
    pub(crate) fn contains(&self, ident: &Ident) -> bool {
        self.0.contains(&ident.unraw().to_string())
    }

    /// `wanted`, or `wanted2`, `wanted3` and so on until the name is new. Short, since error messages print it.
    pub(crate) fn fresh(&mut self, wanted: &str) -> Ident {
        let name = std::iter::once(wanted.to_owned())
            .chain((2u64..).map(|n| format!("{wanted}{n}")))
            .find(|name| !self.0.contains(name));
        let name = name.unwrap_or_else(|| wanted.to_owned());
        self.0.insert(name.clone());
        Ident::new(&name, Span::mixed_site())
    }
}

/// The identifiers that `tokens` mention.
pub(crate) fn mentioned(tokens: impl quote::ToTokens) -> Names {
    let mut names = Names::default();
    names.add(tokens.into_token_stream());
    names
}
