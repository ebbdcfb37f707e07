//! Reading errors back from an expansion.

use proc_macro2::{Span, TokenStream, TokenTree};

/// One `compile_error!`.
pub(crate) struct Found {
    pub(crate) message: String,
    start: Span,
    end: Span,
}

/// The errors in an expansion, in their order.
pub(crate) fn errors(tokens: &TokenStream) -> Vec<Found> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let calls = trees.windows(3).filter_map(|three| match three {
        [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(message)] if name == "compile_error" => {
            let literal: syn::LitStr = syn::parse2(message.stream()).ok()?;
            Some((literal.value(), message.span()))
        }
        _ => None,
    });
    // The first token has the span of the beginning, the message that of the end.
    let starts = trees.windows(3).filter_map(|three| match three {
        [TokenTree::Punct(first), TokenTree::Punct(_), TokenTree::Ident(name)] if name == "core" => Some(first.span()),
        _ => None,
    });
    calls.zip(starts).map(|((message, end), start)| Found { message, start, end }).collect()
}

/// The part of the source that an error underlines.
pub(crate) fn underlined(source: &str, error: &Found) -> String {
    let (start, end) = (error.start.start(), error.end.end());
    assert_eq!((start.line, end.line), (1, 1), "sources of these tests have one line");
    source.chars().skip(start.column).take(end.column - start.column).collect()
}

/// Every token, groups opened.
pub(crate) fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let mut out = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => out.extend(flat(group.stream())),
            other => out.push(other),
        }
    }
    out
}
