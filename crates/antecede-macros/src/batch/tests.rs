//! What is refused, with its message and its place; and the shape of what is expanded.

use quote::ToTokens;
use syn::{ImplItem, ItemImpl, Type};

use super::derive;
use crate::tests::{errors, underlined};

#[track_caller]
fn refused(source: &str, expected: &[(&str, &str)]) {
    let tokens = derive(source.parse().expect("tokens"));
    let found = errors(&tokens);
    let found: Vec<_> = found.iter().map(|error| (underlined(source, error), error.message.as_str())).collect();
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|((at, message), (wanted_at, wanted))| at == wanted_at && message.starts_with(wanted));
    assert!(same, "{source}\n  expected {expected:#?}\n  found {found:#?}");
}

fn expanded(source: &str) -> ItemImpl {
    syn::parse2(derive(source.parse().expect("tokens"))).expect("one impl")
}

fn text(tokens: impl ToTokens) -> String {
    tokens.into_token_stream().to_string().replace(' ', "")
}

/// The generic associated types `Parts` and `With`.
fn types(item: &ItemImpl) -> (Type, Type) {
    let mut types = item.items.iter().filter_map(|item| match item {
        ImplItem::Type(item) => Some(item.ty.clone()),
        _ => None,
    });
    (types.next().expect("Parts"), types.next().expect("With"))
}

#[test]
fn what_is_no_struct_of_buffers_is_refused() {
    refused(
        "enum E<St> { A(Buffer<u8, St>) }",
        &[("enum", "a batch is a struct: which buffers are handed over must not depend")],
    );
    refused("union U<St> { a: Buffer<u8, St> }", &[("union", "a batch is a struct")]);
    refused("struct Slot;", &[("Slot", "`Slot` has no fields")]);
    refused("struct Slot<St> {}", &[("Slot", "`Slot` has no fields")]);
    refused("struct Slot<'a, St> { x: &'a Buffer<u8, St> }", &[("'a", "a batch owns what it hands over")]);
}

#[test]
fn the_state_is_one_type_parameter() {
    refused("struct Slot { x: Buffer<u8> }", &[("Slot", "a batch is generic over the state of its buffers")]);
    refused("struct Slot<T, St> { x: Buffer<T, St> }", &[("Slot", "which type parameter is the state")]);
    refused("struct Slot<A: State, B: State> { x: Buffer<u8, A> }", &[("Slot", "a batch has one state")]);
    refused(
        "#[batch(state = X)] struct Slot<St> { x: Buffer<u8, St> }",
        &[("X", "`X` is not a type parameter of `Slot`")],
    );
    refused(
        "#[batch(keep)] struct Slot<St> { x: Buffer<u8, St> }",
        &[("keep", "over the struct there is only `#[batch(state = St)]`")],
    );
    refused(
        "#[batch(state = A, state = B)] struct Slot<A, B> { x: Buffer<A, B> }",
        &[("state = B", "the state is named twice")],
    );
}

#[test]
fn a_struct_exists_in_every_state() {
    let reason = "a hand-over changes `St`, so the struct must exist for every state";
    refused("struct Slot<St: State + Clone> { x: Buffer<u8, St> }", &[("Clone", reason)]);
    refused("struct Slot<St: State<Device = D>, D> { x: Buffer<u8, St> }", &[("State<Device = D>", reason)]);
    refused("struct Slot<St> where St: Clone { x: Buffer<u8, St> }", &[("Clone", reason)]);
    refused("struct Slot<St> where Buffer<u8, St>: Clone { x: Buffer<u8, St> }", &[("Buffer<u8, St>: Clone", reason)]);
    refused("struct Slot<T: Of<St>, St: State> { x: Buffer<T, St> }", &[("Of<St>", reason)]);
}

#[test]
fn a_field_changes_or_is_kept() {
    refused("struct Slot<St> { x: Buffer<u8, St>, n: usize }", &[("usize", "field `n` has no `St` in its type")]);
    refused(
        "struct Slot<St>(Buffer<u8, St>, Buffer<u8, Synced>);",
        &[("Buffer<u8, Synced>", "field `1` has no `St` in its type")],
    );
    refused(
        "struct Slot<St> { #[batch(keep)] x: Buffer<u8, St> }",
        &[("Buffer<u8, St>", "a kept field stays as it is")],
    );
    refused(
        "struct Slot<St> { #[batch(kept)] x: Buffer<u8, St> }",
        &[("kept", "on a field there is only `#[batch(keep)]`")],
    );
    refused(
        "struct Slot<'a, St> { a: u8, #[batch(keep)] b: X<St> }",
        &[("'a", "a batch owns"), ("u8", "field `a` has no `St`"), ("X<St>", "a kept field stays")],
    );
}

#[test]
fn the_state_is_replaced_in_its_place() {
    let item = expanded(
        "struct Slot<Next, St: State = Loose, const N: usize = 1> where Next: Pod { x: [Buffer<Next, St>; N] }",
    );
    assert_eq!(text(&item.generics.params), "Next,St:State+::antecede::State,constN:usize");
    assert_eq!(text(&item.generics.where_clause), "whereNext:Pod");
    assert_eq!(text(&item.self_ty), "Slot<Next,St,N>");
    assert_eq!(text(types(&item).1), "Slot<Next,Next2,N>");
    for found in [
        "struct S<A, St: antecede::State>(Buffer<A, St>);",
        "struct S<A, St>(Buffer<A, St>) where St: State;",
        "#[batch(state = St)] struct S<A, St>(Buffer<A, St>);",
    ] {
        assert_eq!(text(types(&expanded(found)).1), "S<A,Next>", "{found}");
    }
}

#[test]
fn parts_are_nested_where_a_tuple_would_be_too_wide() {
    fn fits(ty: &Type) -> usize {
        match ty {
            Type::Tuple(tuple) => {
                assert!(tuple.elems.len() <= 12, "{} in a tuple", tuple.elems.len());
                tuple.elems.iter().map(fits).sum()
            }
            _ => 1,
        }
    }
    for count in [1, 12, 13, 144, 145, 300] {
        let fields: String = (0..count).map(|n| format!("f{n}: Buffer<u8, St>, ")).collect();
        let item = expanded(&format!("struct Wide<St> {{ {fields} }}"));
        assert_eq!(fits(&types(&item).0), count);
    }
    let item = expanded("struct Slot<St> { x: Buffer<u8, St>, #[batch(keep)] n: usize }");
    assert_eq!(text(types(&item).0), "(<Buffer<u8,St>as::antecede::Batch>::Parts,::antecede::Kept<usize>,)");
}

#[test]
fn nothing_in_it_is_unsafe() {
    let item = expanded("struct Slot<St> { x: Buffer<u8, St>, #[batch(keep)] n: usize }");
    assert!(!text(item).contains("unsafe"));
}
