//! The syntax of `kernels!`, wider than what is allowed: what is refused on purpose is parsed here and refused in
//! `check`, with a reason.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, FnArg, Generics, ReturnType, Token, Visibility, braced, parenthesized};

/// Everything in one `kernels! { .. }`.
pub(super) struct Declarations {
    pub(super) modules: Vec<Module>,
}

/// `pub Math: "math.ptx" { .. }`
pub(super) struct Module {
    pub(super) attrs: Vec<Attribute>,
    pub(super) vis: Visibility,
    pub(super) name: Ident,
    pub(super) ptx: Option<Expr>,
    pub(super) kernels: Vec<Kernel>,
}

/// `unsafe fn saxpy(n: u32, ..) where [..] { .. }`
pub(super) struct Kernel {
    pub(super) attrs: Vec<Attribute>,
    pub(super) vis: Visibility,
    /// `const`, `async`, `extern "C"`: all refused.
    pub(super) qualifiers: Vec<TokenStream>,
    pub(super) unsafety: Option<Token![unsafe]>,
    pub(super) fn_token: Token![fn],
    pub(super) name: Ident,
    pub(super) generics: Generics,
    pub(super) inputs: Punctuated<FnArg, Token![,]>,
    pub(super) output: ReturnType,
    pub(super) contract: Vec<TokenStream>,
    pub(super) body: Group,
}

impl Parse for Declarations {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut modules = Vec::new();
        while !input.is_empty() {
            modules.push(input.parse()?);
        }
        Ok(Declarations { modules })
    }
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if input.peek(Token![unsafe]) || input.peek(Token![fn]) {
            return Err(input.error("kernels are declared in a module: `Math: \"math.ptx\" { unsafe fn .. }`"));
        }
        if input.peek(Token![struct]) || input.peek(Token![mod]) {
            return Err(input.error("a module of kernels is its name alone: `Math: \"math.ptx\" { unsafe fn .. }`"));
        }
        let name = input.parse()?;
        let ptx = match input.parse::<Option<Token![:]>>()? {
            Some(_) => Some(input.call(Expr::parse_without_eager_brace)?),
            None => None,
        };
        if !input.peek(syn::token::Brace) {
            return Err(input.error(format!(
                "the kernels of `{name}` are missing: `{name}: \"file.ptx\" {{ unsafe fn .. }}` (the file may be left out for kernels that only run on the host)"
            )));
        }
        let content;
        braced!(content in input);
        let mut kernels = Vec::new();
        while !content.is_empty() {
            kernels.push(content.parse()?);
        }
        Ok(Module { attrs, vis, name, ptx, kernels })
    }
}

impl Parse for Kernel {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let mut qualifiers = Vec::new();
        let mut unsafety = None;
        loop {
            if input.peek(Token![unsafe]) {
                unsafety = Some(input.parse()?);
            } else if input.peek(Token![async]) || input.peek(Token![const]) {
                let qualifier: TokenTree = input.parse()?;
                qualifiers.push(qualifier.into());
            } else if input.peek(Token![extern]) {
                let abi: syn::Abi = input.parse()?;
                qualifiers.push(quote::quote!(#abi));
            } else {
                break;
            }
        }
        if !input.peek(Token![fn]) {
            return Err(input.error("expected a kernel: `unsafe fn name(n: u32, x: &[f32], y: &mut [f32]) { .. }`"));
        }
        let fn_token = input.parse()?;
        let name = input.parse()?;
        let generics = input.parse()?;
        let content;
        parenthesized!(content in input);
        let inputs = content.parse_terminated(FnArg::parse, Token![,])?;
        let output = input.parse()?;
        let contract = contract(input)?;
        if !input.peek(syn::token::Brace) {
            return Err(input.error(format!(
                "`{name}` needs its host twin in braces: the same function in Rust, which the simulator runs"
            )));
        }
        Ok(Kernel {
            attrs,
            vis,
            qualifiers,
            unsafety,
            fn_token,
            name,
            generics,
            inputs,
            output,
            contract,
            body: input.parse()?,
        })
    }
}

/// The clauses of `where [..]`, apart, so that each is parsed (and refused) on its own.
fn contract(input: ParseStream<'_>) -> syn::Result<Vec<TokenStream>> {
    if input.parse::<Option<Token![where]>>()?.is_none() {
        return Ok(Vec::new());
    }
    if !input.peek(syn::token::Bracket) {
        return Err(input.error("a contract is a list in brackets: `where [n as usize <= x.len()]`"));
    }
    let list: Group = input.parse()?;
    Ok(split_at_commas(list.stream()))
}

/// What stands between the commas of a list; a comma at the end adds nothing.
pub(super) fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for tree in tokens {
        match (&tree, parts.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            (_, Some(last)) => last.extend([tree]),
            (_, None) => {}
        }
    }
    if parts.last().is_some_and(TokenStream::is_empty) {
        parts.pop();
    }
    parts
}
