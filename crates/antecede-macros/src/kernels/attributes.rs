//! Which attributes stand where, and what becomes of them.

use syn::{Attribute, Expr, Lit, LitStr, Meta};

use crate::errors::Errors;

/// A module's attributes, sorted.
#[derive(Default)]
pub(super) struct ModuleAttrs {
    /// On the struct: documentation, lints, `deprecated`, `must_use`.
    pub(super) outer: Vec<Attribute>,
    /// On every generated item.
    pub(super) cfgs: Vec<Attribute>,
}

/// A kernel's attributes, sorted.
#[derive(Default)]
pub(super) struct KernelAttrs {
    /// On the method: documentation, lints, `deprecated`, `must_use`.
    pub(super) method: Vec<Attribute>,
    /// On the host twin: lints.
    pub(super) twin: Vec<Attribute>,
    pub(super) entry: Option<LitStr>,
    pub(super) launch: Option<Attribute>,
}

pub(super) fn of_module(attrs: Vec<Attribute>, errors: &mut Errors) -> ModuleAttrs {
    let mut sorted = ModuleAttrs::default();
    for attr in attrs {
        match name(&attr).as_str() {
            "doc" | "allow" | "expect" | "warn" | "deny" | "deprecated" | "must_use" => sorted.outer.push(attr),
            "cfg" => sorted.cfgs.push(attr),
            "derive" => {
                errors.on(attr, "a module of kernels derives nothing: it is `Clone`, `Copy` and `Debug` as it is")
            }
            other => errors.on(&attr, format!("`#[{other}]` has no meaning on a module of kernels")),
        }
    }
    sorted
}

pub(super) fn of_kernel(attrs: Vec<Attribute>, errors: &mut Errors) -> KernelAttrs {
    let mut sorted = KernelAttrs::default();
    for attr in attrs {
        match name(&attr).as_str() {
            "doc" | "deprecated" | "must_use" => sorted.method.push(attr),
            // The body is the user's code, so its lints are; an `expect` in two places would be unfulfilled in one.
            "allow" | "warn" | "deny" => {
                sorted.method.push(attr.clone());
                sorted.twin.push(attr);
            }
            "expect" => sorted.twin.push(attr),
            "entry" if sorted.entry.is_some() => errors.on(attr, "a kernel has one entry"),
            "entry" => sorted.entry = entry(&attr, errors),
            "launch" if sorted.launch.is_some() => errors.on(attr, "a kernel has one `#[launch(..)]`"),
            "launch" => sorted.launch = Some(attr),
            "cfg" => errors.on(attr, "kernels are numbered within their module: put `#[cfg(..)]` on the module, or give this kernel a module of its own"),
            other => errors.on(&attr, format!("`#[{other}]` has no meaning on a kernel; `#[launch(..)]` and `#[entry = \"..\"]` have")),
        }
    }
    sorted
}

fn name(attr: &Attribute) -> String {
    let names: Vec<_> = attr.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
    names.join("::")
}

fn entry(attr: &Attribute, errors: &mut Errors) -> Option<LitStr> {
    if let Meta::NameValue(pair) = &attr.meta
        && let Expr::Lit(value) = &pair.value
        && let Lit::Str(text) = &value.lit
    {
        if !is_ptx_identifier(&text.value()) {
            errors.on(text, "this is not a PTX identifier: letters, digits, `_` and `$`, not beginning with a digit");
            return None;
        }
        return Some(text.clone());
    }
    errors.on(attr, "write `#[entry = \"name\"]`, with the name after `.entry` in the PTX");
    None
}

/// The grammar of identifiers in the PTX reference: a letter, then letters, digits, `_`, `$`; or one of `_ $ %` with at
/// least one more.
pub(super) fn is_ptx_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let follows = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    match chars.next() {
        Some(first) if first.is_ascii_alphabetic() => chars.all(follows),
        Some('_' | '$' | '%') => text.len() > 1 && chars.all(follows),
        _ => false,
    }
}
