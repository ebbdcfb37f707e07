//! From what was parsed to what is declared, with every reason why it is not.

use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::ToTokens;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::{Attribute, Expr, Lit, LitStr, ReturnType, Visibility};

use super::arithmetic::Truth;
use super::attributes::{self, is_ptx_identifier};
use super::grammar;
use super::launch::{self, Launch};
use super::parse;
use super::types::{self, Param};
use crate::errors::Errors;
use crate::names::Names;

/// A module whose every part may be expanded.
pub(super) struct Module {
    pub(super) outer: Vec<Attribute>,
    pub(super) cfgs: Vec<Attribute>,
    pub(super) vis: Visibility,
    pub(super) name: Ident,
    /// What `include_str!` is given.
    pub(super) ptx: Option<TokenStream>,
    pub(super) kernels: Vec<Kernel>,
    /// The device's type parameter.
    pub(super) device: Ident,
    /// The stream's type parameter.
    pub(super) stream: Ident,
}

/// A kernel whose every part may be expanded.
pub(super) struct Kernel {
    pub(super) method: Vec<Attribute>,
    pub(super) twin: Vec<Attribute>,
    pub(super) name: Ident,
    pub(super) entry: LitStr,
    pub(super) params: Vec<Param>,
    pub(super) contract: Vec<Truth>,
    pub(super) launch: Launch,
    pub(super) body: Group,
}

/// The module, with those of its kernels that are declared well.
pub(super) fn module(module: parse::Module, errors: &mut Errors) -> Module {
    let attrs = attributes::of_module(module.attrs, errors);
    let ptx = module.ptx.and_then(|expr| ptx(expr, errors));
    if module.kernels.is_empty() {
        errors.on(&module.name, format!("`{}` declares no kernel", module.name));
    }
    let mut names = Names::default();
    names.add(module.name.to_token_stream());
    let mut declared = HashSet::new();
    let mut kernels = Vec::new();
    for parsed in module.kernels {
        if !declared.insert(parsed.name.unraw().to_string()) {
            errors.on(
                &parsed.name,
                format!(
                    "`{}` has a kernel of this name already; one entry under two names: `#[entry = \"{}\"]`",
                    module.name, parsed.name
                ),
            );
            continue;
        }
        names.add(parsed.inputs.to_token_stream());
        names.add(parsed.attrs.iter().map(ToTokens::to_token_stream).collect());
        names.add(parsed.contract.iter().cloned().collect());
        kernels.extend(kernel(parsed, errors));
    }
    let (device, stream) = (names.fresh("D"), names.fresh("S"));
    Module { outer: attrs.outer, cfgs: attrs.cfgs, vis: module.vis, name: module.name, ptx, kernels, device, stream }
}

/// A path from the file that declares the kernels, or a macro that gives one (`concat!(env!("OUT_DIR"), "/math.ptx")`).
fn ptx(expr: Expr, errors: &mut Errors) -> Option<TokenStream> {
    match &expr {
        Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)) => Some(expr.into_token_stream()),
        Expr::Macro(call) if call.mac.path.is_ident("concat") || call.mac.path.is_ident("env") => {
            Some(expr.into_token_stream())
        }
        _ => {
            errors.on(
                expr,
                "the PTX is named by its path: `\"math.ptx\"`, or `concat!(env!(\"OUT_DIR\"), \"/math.ptx\")`",
            );
            None
        }
    }
}

fn kernel(kernel: parse::Kernel, errors: &mut Errors) -> Option<Kernel> {
    let mut found = Errors::default();
    signature(&kernel, &mut found);
    let attrs = attributes::of_kernel(kernel.attrs, &mut found);
    let given = kernel.inputs.len();
    let params: Vec<Param> = kernel.inputs.into_iter().filter_map(|arg| types::param(arg, &mut found)).collect();
    let mut seen = HashSet::new();
    for param in &params {
        if !seen.insert(&param.name) {
            found.on(&param.name, format!("`{}` has a parameter `{}` already", kernel.name, param.name));
        }
    }
    let entry = entry(attrs.entry, &kernel.name, &mut found);
    let mut contract = Vec::new();
    let mut size = None;
    // A parameter that was refused would only be taken for a constant here.
    if params.len() == given {
        for clause in kernel.contract {
            contract.extend(found.keep(clause_of(clause, &params)));
        }
        size = launch::launch(attrs.launch.as_ref(), &kernel.name, &params, &mut found);
    }
    let complete = found.is_empty();
    errors.append(found);
    if !complete {
        return None;
    }
    Some(Kernel {
        method: attrs.method,
        twin: attrs.twin,
        name: kernel.name,
        entry: entry?,
        params,
        contract,
        launch: size?,
        body: kernel.body,
    })
}

fn clause_of(clause: TokenStream, params: &[Param]) -> syn::Result<Truth> {
    if clause.is_empty() {
        return Err(syn::Error::new(Span::call_site(), "a clause of the contract is empty: two commas in a row"));
    }
    grammar::truth(clause, params)
}

/// Everything about the signature but its parameters.
fn signature(kernel: &parse::Kernel, errors: &mut Errors) {
    let name = &kernel.name;
    if !matches!(kernel.vis, Visibility::Inherited) {
        errors.on(&kernel.vis, "a kernel is as visible as its module: leave this out");
    }
    for qualifier in &kernel.qualifiers {
        errors.on(qualifier, format!("a kernel is plainly `unsafe fn {name}(..)`: launching it is asynchronous in any case, and its host twin is ordinary Rust"));
    }
    if kernel.unsafety.is_none() {
        errors.on(kernel.fn_token, format!("a kernel's declaration promises that the PTX does what the signature says: write `unsafe fn {name}` (the promises are numbered in the documentation of `antecede::kernels!`)"));
    }
    if !kernel.generics.params.is_empty() {
        errors.on(
            &kernel.generics,
            format!(
                "a kernel is not generic: its PTX is compiled for one set of types. Declare `{name}` once for each"
            ),
        );
    }
    if let ReturnType::Type(arrow, ty) = &kernel.output {
        let ty = ty.to_token_stream();
        errors.on(
            quote::quote!(#arrow #ty),
            format!("a kernel returns nothing: what it computes goes to a slice that it writes, as `out: &mut [{ty}]`"),
        );
    }
}

fn entry(given: Option<LitStr>, name: &Ident, errors: &mut Errors) -> Option<LitStr> {
    if given.is_some() {
        return given;
    }
    let text = name.unraw().to_string();
    if !is_ptx_identifier(&text) {
        errors.on(name, "PTX has no such name: give the kernel's name in the PTX, `#[entry = \"..\"]`");
        return None;
    }
    Some(LitStr::new(&text, name.span()))
}
