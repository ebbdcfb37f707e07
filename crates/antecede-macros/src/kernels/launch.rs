//! `#[launch(..)]`: how many threads, in which blocks.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Token};

use super::arithmetic::Int;
use super::grammar;
use super::parse::split_at_commas;
use super::types::{Param, ParamKind};
use crate::errors::Errors;

/// Threads of a block where the declaration does not say.
pub(super) const DEFAULT_BLOCK: i128 = 256;
/// The most that any device takes.
pub(super) const MAX_BLOCK: i128 = 1024;

/// A kernel's launch size.
pub(super) enum Launch {
    /// One thread for each element of the longest slice.
    Longest,
    /// At least that many threads, in blocks of a fixed size (a literal or a constant).
    Threads { threads: Int, block: Int, shared: Option<Int> },
    /// Blocks, and threads of a block, in one to three dimensions.
    Grid { grid: Vec<Int>, block: Vec<Int>, shared: Option<Int> },
}

/// The launch size that the attribute, or the lack of one, asks for.
pub(super) fn launch(
    attr: Option<&Attribute>,
    kernel: &Ident,
    params: &[Param],
    errors: &mut Errors,
) -> Option<Launch> {
    let Some(attr) = attr else {
        if params.iter().any(|param| matches!(param.kind, ParamKind::Slice { .. })) {
            return Some(Launch::Longest);
        }
        errors.on(
            kernel,
            format!("`{kernel}` takes no slice to count its threads by: write `#[launch(threads = n)]` over it"),
        );
        return None;
    };
    let Meta::List(list) = &attr.meta else {
        errors.on(attr, "write `#[launch(threads = n, block = 256)]` or `#[launch(grid = [n, m], block = [16, 16])]`");
        return None;
    };
    let mut found = Errors::default();
    let mut settings = Settings::default();
    for part in split_at_commas(list.tokens.clone()) {
        let setting = |input: ParseStream<'_>| Settings::parse(&mut settings, input, params);
        found.keep(setting.parse2(part));
    }
    let launch = settings.launch(attr, &mut found);
    let launch = if found.is_empty() { launch } else { None };
    errors.append(found);
    launch
}

#[derive(Default)]
struct Settings {
    threads: Option<Vec<Int>>,
    grid: Option<Vec<Int>>,
    block: Option<(TokenStream, Vec<Int>)>,
    shared: Option<Vec<Int>>,
    /// A setting that was there and wrong: its absence is not a second error.
    wrong: bool,
}

impl Settings {
    fn parse(&mut self, input: ParseStream<'_>, params: &[Param]) -> syn::Result<()> {
        let key = input.call(Ident::parse_any)?;
        let name = key.to_string();
        if !["threads", "grid", "block", "shared"].contains(&name.as_str()) {
            self.wrong = true;
            input.parse::<TokenStream>()?;
            return Err(syn::Error::new(
                key.span(),
                format!("`{key}` is not a launch setting; these are: `threads`, `grid`, `block`, `shared`"),
            ));
        }
        if input.parse::<Token![=]>().is_err() {
            self.wrong = true;
            return Err(syn::Error::new(key.span(), format!("write `{key} = ..`")));
        }
        let tokens: TokenStream = input.parse()?;
        let values = sizes(&key, tokens.clone(), params).inspect_err(|_| self.wrong = true)?;
        let twice = match name.as_str() {
            "threads" => self.threads.replace(values).is_some(),
            "grid" => self.grid.replace(values).is_some(),
            "block" => self.block.replace((tokens, values)).is_some(),
            _ => self.shared.replace(values).is_some(),
        };
        if twice { Err(syn::Error::new(key.span(), format!("`{key}` is set twice"))) } else { Ok(()) }
    }

    fn launch(self, attr: &Attribute, errors: &mut Errors) -> Option<Launch> {
        let shared = self.shared.and_then(|mut values| values.pop());
        match (self.threads, self.grid) {
            (Some(mut threads), None) => {
                let block = match self.block {
                    None => Int::Literal(DEFAULT_BLOCK, DEFAULT_BLOCK.to_string()),
                    Some((tokens, values)) => fixed_block(tokens, values, errors)?,
                };
                Some(Launch::Threads { threads: threads.pop()?, block, shared })
            }
            (None, Some(grid)) => match self.block {
                Some((_, block)) => Some(Launch::Grid { grid, block, shared }),
                None if self.wrong => None,
                None => {
                    errors.on(attr, "`grid` counts blocks: say how large one is, as in `block = 256`");
                    None
                }
            },
            (Some(_), Some(_)) => {
                errors.on(attr, "either `threads` (the grid follows from it) or `grid` (in blocks), not both");
                None
            }
            (None, None) if self.wrong => None,
            (None, None) => {
                errors.on(attr, "how many threads? `threads = n`, or `grid = [n, m]` in blocks");
                None
            }
        }
    }
}

/// `n`, or for grids and blocks `[n, m, k]`.
fn sizes(key: &Ident, tokens: TokenStream, params: &[Param]) -> syn::Result<Vec<Int>> {
    let mut trees = tokens.clone().into_iter();
    let (first, more) = (trees.next(), trees.next());
    let (Some(TokenTree::Group(list)), None) = (first, more) else {
        if tokens.is_empty() {
            return Err(syn::Error::new(key.span(), format!("write `{key} = ..`")));
        }
        return Ok(vec![grammar::int(tokens, params)?]);
    };
    if list.delimiter() != proc_macro2::Delimiter::Bracket {
        return Ok(vec![grammar::int(tokens, params)?]);
    }
    if key == "threads" || key == "shared" {
        return Err(syn::Error::new_spanned(
            tokens,
            format!("`{key}` is one number; dimensions are for `grid` and `block`"),
        ));
    }
    let parts = split_at_commas(list.stream());
    if parts.is_empty() || parts.len() > 3 {
        return Err(syn::Error::new_spanned(tokens, format!("`{key}` has one to three dimensions")));
    }
    parts.into_iter().map(|part| grammar::int(part, params)).collect()
}

/// The block of a `threads` launch: known to the compiler, so that it can check it.
fn fixed_block(tokens: TokenStream, mut values: Vec<Int>, errors: &mut Errors) -> Option<Int> {
    let value = values.pop()?;
    match value {
        Int::Literal(threads, _) if !(1..=MAX_BLOCK).contains(&threads) => {
            errors.on(tokens, format!("a block has 1 to {MAX_BLOCK} threads"));
            None
        }
        Int::Literal(..) | Int::Const(_) if values.is_empty() => Some(value),
        _ => {
            errors.at(tokens.span(), "with `threads`, `block` is an integer literal or a constant; sizes from parameters or in several dimensions go with `grid`");
            None
        }
    }
}
