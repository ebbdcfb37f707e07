//! Whether a struct is one that may be handed over as a whole.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{
    Attribute, Data, DeriveInput, Fields, GenericParam, Generics, Member, Token, Type, TypeParam, TypeParamBound,
    WherePredicate,
};

use crate::errors::Errors;
use crate::names::{Names, mentioned};

/// A struct of buffers.
pub(super) struct Batch {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    /// The type parameter that a hand-over changes.
    pub(super) state: Ident,
    /// Another name for it, for the state after the hand-over.
    pub(super) next: Ident,
    pub(super) fields: Vec<Field>,
}

/// A field of it.
pub(super) struct Field {
    pub(super) member: Member,
    pub(super) ty: Type,
    /// Whether it stays as it is.
    pub(super) keep: bool,
}

const EXAMPLE: &str = "struct Slot<St> { x: Buffer<f32, St> }";

/// The struct, or why it is none.
pub(super) fn batch(input: DeriveInput, errors: &mut Errors) -> Option<Batch> {
    let mut names = Names::default();
    names.add(input.to_token_stream());
    let name = input.ident;
    let fields = match input.data {
        Data::Struct(data) => data.fields,
        Data::Enum(data) => {
            errors.on(data.enum_token, "a batch is a struct: which buffers are handed over must not depend on a variant. Hold what may be missing as `Option<Buffer<..>>`, or keep the stream at run time with `Loose`");
            return None;
        }
        Data::Union(data) => {
            errors.on(data.union_token, "a batch is a struct");
            return None;
        }
    };
    if fields.is_empty() {
        errors.on(&name, format!("`{name}` has no fields: there is nothing to hand over"));
        return None;
    }
    for lifetime in input.generics.lifetimes() {
        errors.on(lifetime, "a batch owns what it hands over: no lifetimes");
    }
    let state = state(&name, &input.attrs, &input.generics, errors)?;
    bounds(&state, &input.generics, errors);
    let fields = self::fields(fields, &state, errors);
    let next = names.fresh("Next");
    Some(Batch { name, generics: input.generics, state, next, fields })
}

/// The state parameter: named, or bounded by `State`, or the only type parameter.
fn state(name: &Ident, attrs: &[Attribute], generics: &Generics, errors: &mut Errors) -> Option<Ident> {
    let types: Vec<&TypeParam> = generics.type_params().collect();
    if let Some(named) = named(attrs, errors)? {
        if types.iter().any(|param| param.ident == named) {
            return Some(named);
        }
        errors.on(&named, format!("`{named}` is not a type parameter of `{name}`"));
        return None;
    }
    let has_state = |param: &&TypeParam| declared_bounds(&param.ident, generics).any(is_state);
    let bounded: Vec<&TypeParam> = types.iter().copied().filter(has_state).collect();
    match (bounded.as_slice(), types.as_slice()) {
        ([one], _) | ([], [one]) => Some(one.ident.clone()),
        ([], []) => {
            errors.on(name, format!("a batch is generic over the state of its buffers: `{EXAMPLE}`"));
            None
        }
        ([], _) => {
            errors.on(name, "which type parameter is the state of the buffers? Bound it, `St: State`, or write `#[batch(state = St)]` over the struct");
            None
        }
        (_, _) => {
            errors.on(name, "a batch has one state: all its buffers are handed over together. If the other parameter only says what a kept field is, write `#[batch(state = St)]` over the struct");
            None
        }
    }
}

/// `#[batch(state = St)]`. The outer `None`: it was there and wrong.
fn named(attrs: &[Attribute], errors: &mut Errors) -> Option<Option<Ident>> {
    let mut found = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("batch")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("state") {
                return Err(meta.error(
                    "over the struct there is only `#[batch(state = St)]`; `#[batch(keep)]` belongs to a field",
                ));
            }
            let ident = meta.value()?.parse()?;
            if found.replace(ident).is_some() { Err(meta.error("the state is named twice")) } else { Ok(()) }
        });
        errors.keep(parsed)?;
    }
    Some(found)
}

fn declared_bounds<'a>(param: &'a Ident, generics: &'a Generics) -> impl Iterator<Item = &'a TypeParamBound> {
    let inline = generics.type_params().filter(move |other| other.ident == *param).flat_map(|param| &param.bounds);
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let apart = clauses.filter_map(move |predicate| match predicate {
        WherePredicate::Type(of) if is_param(&of.bounded_ty, param) => Some(&of.bounds),
        _ => None,
    });
    inline.chain(apart.flatten())
}

fn is_param(ty: &Type, param: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none() && path.path.is_ident(param))
}

/// `State`, by whatever path, and with nothing more asked of it.
fn is_state(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|last| last.ident == "State")
}

/// A hand-over makes the struct in another state, so the struct must exist in all of them.
fn bounds(state: &Ident, generics: &Generics, errors: &mut Errors) {
    let reason = format!(
        "a hand-over changes `{state}`, so the struct must exist for every state: move this bound to the functions that need it"
    );
    for bound in declared_bounds(state, generics) {
        let plain = match bound {
            TypeParamBound::Trait(of) => {
                is_state(bound) && of.path.segments.last().is_some_and(|last| last.arguments.is_none())
            }
            _ => false,
        };
        if !plain {
            errors.on(bound, &reason);
        }
    }
    for param in generics.type_params().filter(|param| param.ident != *state) {
        for bound in param.bounds.iter().filter(|bound| mentioned(bound).contains(state)) {
            errors.on(bound, &reason);
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        let own = matches!(predicate, WherePredicate::Type(of) if is_param(&of.bounded_ty, state));
        if !own && mentioned(predicate).contains(state) {
            errors.on(predicate, &reason);
        }
    }
    for param in &generics.params {
        if let GenericParam::Const(param) = param
            && mentioned(&param.ty).contains(state)
        {
            errors.on(&param.ty, &reason);
        }
    }
}

fn fields(fields: Fields, state: &Ident, errors: &mut Errors) -> Vec<Field> {
    let mut out = Vec::new();
    for (index, field) in fields.into_iter().enumerate() {
        let keep = keep(&field.attrs, errors);
        let changes = mentioned(&field.ty).contains(state);
        let member = field.ident.map_or(Member::Unnamed(index.into()), Member::Named);
        let label = member.to_token_stream().to_string();
        if keep && changes {
            errors.on(&field.ty, format!("a kept field stays as it is, but this type changes with the state `{state}`: leave out `#[batch(keep)]`"));
        }
        if !keep && !changes {
            errors.on(&field.ty, format!("field `{label}` has no `{state}` in its type, so a hand-over cannot change its state: mark it `#[batch(keep)]` if it stays as it is"));
        }
        out.push(Field { member, ty: field.ty, keep });
    }
    out
}

fn keep(attrs: &[Attribute], errors: &mut Errors) -> bool {
    let mut keep = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("batch")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("keep") && !meta.input.peek(Token![=]) {
                keep = true;
                Ok(())
            } else {
                Err(meta
                    .error("on a field there is only `#[batch(keep)]`; `#[batch(state = St)]` belongs over the struct"))
            }
        });
        errors.keep(parsed);
    }
    keep
}
