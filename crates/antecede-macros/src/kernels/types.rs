//! What a parameter may be.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{FnArg, Pat, Type};

use crate::errors::Errors;
use crate::names::mentioned;

/// A parameter as the user declared it.
pub(super) struct Param {
    pub(super) name: Ident,
    /// The whole type, for the host twin.
    pub(super) ty: Type,
    pub(super) kind: ParamKind,
}

/// How it is passed.
pub(super) enum ParamKind {
    /// By value.
    Scalar(Type),
    /// `&[T]` or `&mut [T]`.
    Slice {
        /// Whether the kernel writes.
        write: bool,
        element: Type,
        /// The first and the last token of the type: the bound is put there, so that rustc underlines all of it.
        ends: (Span, Span),
    },
}

/// One parameter, or why it is none.
pub(super) fn param(arg: FnArg, errors: &mut Errors) -> Option<Param> {
    let typed = match arg {
        FnArg::Typed(typed) => typed,
        FnArg::Receiver(receiver) => {
            errors.on(receiver, "a kernel has no `self`: it is a function of its parameters alone");
            return None;
        }
    };
    for attr in &typed.attrs {
        errors.on(attr, "a kernel's parameter takes no attributes");
    }
    let name = match *typed.pat {
        Pat::Ident(pat) if pat.mutability.is_some() => {
            let name = &pat.ident;
            errors.on(&pat, format!("no `mut` here: write `let mut {name} = {name};` in the body (a slice that the kernel writes is `{name}: &mut [T]`)"));
            Some(pat.ident)
        }
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident),
        other => {
            errors.on(other, "a kernel's parameter is a plain name: `n: u32`");
            None
        }
    };
    let kind = kind(&typed.ty, errors);
    Some(Param { name: name?, ty: *typed.ty, kind: kind? })
}

fn kind(ty: &Type, errors: &mut Errors) -> Option<ParamKind> {
    match ty {
        Type::Reference(reference) => {
            if let Some(lifetime) = &reference.lifetime {
                errors.on(lifetime, "no lifetimes: the launch borrows its arguments for the length of the call");
                return None;
            }
            let write = reference.mutability.is_some();
            match &*reference.elem {
                Type::Slice(slice) => {
                    let element = plain(&slice.elem, errors)?;
                    let ends = (reference.and_token.span, slice.bracket_token.span.close());
                    Some(ParamKind::Slice { write, element, ends })
                }
                Type::Path(path) if path.path.is_ident("str") => {
                    errors.on(ty, "text in device memory is bytes: `&[u8]`");
                    None
                }
                other => {
                    let mutable = if write { "mut " } else { "" };
                    let other = quote::quote!(#other);
                    errors.on(ty, format!("device memory is passed as a slice: `&{mutable}[{other}]` (of length 1, for a single value); a value from the host is passed without the reference: `{other}`"));
                    None
                }
            }
        }
        Type::Ptr(_) => {
            errors
                .on(ty, "no raw pointers: device memory that the kernel reads is `&[T]`, what it writes is `&mut [T]`");
            None
        }
        Type::Slice(slice) => {
            let element = &slice.elem;
            let element = quote::quote!(#element);
            errors.on(
                ty,
                format!("a slice is borrowed: `&[{element}]` if the kernel reads it, `&mut [{element}]` if it writes"),
            );
            None
        }
        _ => plain(ty, errors).map(ParamKind::Scalar),
    }
}

/// A type that is copied bit by bit: a path or an array. That it is `Pod` is the compiler's to check.
fn plain(ty: &Type, errors: &mut Errors) -> Option<Type> {
    match ty {
        Type::Paren(inner) => return plain(&inner.elem, errors),
        Type::Group(inner) => return plain(&inner.elem, errors),
        Type::Array(array) => {
            plain(&array.elem, errors)?;
        }
        Type::Path(path) if path.path.is_ident("bool") || path.path.is_ident("char") => {
            let name = quote::quote!(#path);
            errors.on(ty, format!("a kernel could write a bit pattern that is no `{name}`: pass `u8` or `u32`"));
            return None;
        }
        Type::Path(path) if path.qself.is_none() => {}
        _ => {
            errors.on(
                ty,
                "a kernel's parameter is a plain value (`u32`, `[f32; 4]`, your own `Pod` type), `&[T]` or `&mut [T]`",
            );
            return None;
        }
    }
    if mentioned(ty).contains(&Ident::new("Self", Span::call_site())) {
        errors.at(ty.span(), "no `Self` here: write the type's name");
        return None;
    }
    Some(ty.clone())
}

/// Whether the type's name says that it is a float.
pub(super) fn is_float(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| ["f16", "bf16", "f32", "f64"].iter().any(|name| last.ident == name))
}
