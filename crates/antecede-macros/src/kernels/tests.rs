//! What is refused, with its message and its place; and the shape of what is expanded.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{File, ImplItem, Item};

use super::kernels;
use crate::tests::{errors, underlined};

/// `source` gives exactly these errors: what is underlined, and how the message begins.
#[track_caller]
fn refused(source: &str, expected: &[(&str, &str)]) {
    let found = errors(&kernels(source.parse().expect("tokens")));
    let found: Vec<_> = found.iter().map(|error| (underlined(source, error), error.message.as_str())).collect();
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|((at, message), (wanted_at, wanted))| at == wanted_at && message.starts_with(wanted));
    assert!(same, "{source}\n  expected {expected:#?}\n  found {found:#?}");
}

/// One kernel, refused.
#[track_caller]
fn refused_kernel(kernel: &str, expected: &[(&str, &str)]) {
    refused(&format!("Math {{ {kernel} }}"), expected);
}

fn expanded(source: &str) -> File {
    let tokens = kernels(source.parse().expect("tokens"));
    syn::parse2(tokens).expect("the expansion is Rust")
}

#[test]
fn what_is_no_module_is_refused() {
    refused("unsafe fn saxpy() {}", &[("unsafe", "kernels are declared in a module")]);
    refused("struct Math { }", &[("struct", "a module of kernels is its name alone")]);
    refused("Math: math { unsafe fn k(x: &[u8]) {} }", &[("math", "the PTX is named by its path")]);
    refused("Math: \"math.ptx\";", &[(";", "the kernels of `Math` are missing")]);
    refused("Math { }", &[("Math", "`Math` declares no kernel")]);
    refused(
        "#[derive(Clone)] Math { unsafe fn k(x: &[u8]) {} }",
        &[("#[derive(Clone)]", "a module of kernels derives nothing")],
    );
    refused("#[inline] Math { unsafe fn k(x: &[u8]) {} }", &[("#[inline]", "`#[inline]` has no meaning on a module")]);
    refused_kernel("x: u32", &[("x", "expected a kernel: `unsafe fn name(")]);
}

#[test]
fn what_is_no_signature_is_refused() {
    refused_kernel(
        "fn k(x: &[u8]) {}",
        &[("fn", "a kernel's declaration promises that the PTX does what the signature says: write `unsafe fn k`")],
    );
    refused_kernel("async unsafe fn k(x: &[u8]) {}", &[("async", "a kernel is plainly `unsafe fn k(..)`")]);
    refused_kernel("const unsafe fn k(x: &[u8]) {}", &[("const", "a kernel is plainly")]);
    refused_kernel("unsafe extern \"C\" fn k(x: &[u8]) {}", &[("extern \"C\"", "a kernel is plainly")]);
    refused_kernel("pub unsafe fn k(x: &[u8]) {}", &[("pub", "a kernel is as visible as its module")]);
    refused_kernel("unsafe fn k<T>(x: &[u8]) {}", &[("<T>", "a kernel is not generic")]);
    refused_kernel("unsafe fn k<'a>(x: &[u8]) {}", &[("<'a>", "a kernel is not generic")]);
    refused_kernel(
        "unsafe fn k(x: &[u8]) -> f32 {}",
        &[(
            "-> f32",
            "a kernel returns nothing: what it computes goes to a slice that it writes, as `out: &mut [f32]`",
        )],
    );
    refused_kernel("unsafe fn k(x: &[u8]);", &[(";", "`k` needs its host twin in braces")]);
    refused_kernel("unsafe fn k(x: &[u8]) where x.len() > 1 {}", &[("x", "a contract is a list in brackets")]);
    refused_kernel("unsafe fn größe(x: &[u8]) {}", &[("größe", "PTX has no such name")]);
    refused_kernel(
        "unsafe fn k(x: &[u8]) {} unsafe fn k(y: &[u8]) {}",
        &[("k", "`Math` has a kernel of this name already")],
    );
    refused_kernel("unsafe fn k(x: &[u8], x: u32) {}", &[("x", "`k` has a parameter `x` already")]);
}

#[test]
fn attributes_that_mean_nothing_are_refused() {
    refused_kernel(
        "#[cfg(unix)] unsafe fn k(x: &[u8]) {}",
        &[("#[cfg(unix)]", "kernels are numbered within their module")],
    );
    refused_kernel("#[test] unsafe fn k(x: &[u8]) {}", &[("#[test]", "`#[test]` has no meaning on a kernel")]);
    refused_kernel("#[entry] unsafe fn k(x: &[u8]) {}", &[("#[entry]", "write `#[entry = \"name\"]`")]);
    refused_kernel("#[entry = 5] unsafe fn k(x: &[u8]) {}", &[("#[entry = 5]", "write `#[entry = \"name\"]`")]);
    refused_kernel("#[entry = \"a b\"] unsafe fn k(x: &[u8]) {}", &[("\"a b\"", "this is not a PTX identifier")]);
    refused_kernel(
        "#[entry = \"a\"] #[entry = \"b\"] unsafe fn k(x: &[u8]) {}",
        &[("#[entry = \"b\"]", "a kernel has one entry")],
    );
    refused_kernel("unsafe fn k(#[a] x: &[u8]) {}", &[("#[a]", "a kernel's parameter takes no attributes")]);
}

#[test]
fn parameters_that_cannot_be_passed_are_refused() {
    let cases = [
        ("self", "self", "a kernel has no `self`"),
        ("&mut self", "&mut self", "a kernel has no `self`"),
        ("(a, b): u8", "(a, b)", "a kernel's parameter is a plain name"),
        ("_: u8", "_", "a kernel's parameter is a plain name"),
        ("mut n: u8", "mut n", "no `mut` here: write `let mut n = n;` in the body"),
        ("x: &f32", "&f32", "device memory is passed as a slice: `&[f32]`"),
        ("x: &mut f32", "&mut f32", "device memory is passed as a slice: `&mut [f32]`"),
        ("x: &str", "&str", "text in device memory is bytes: `&[u8]`"),
        ("x: &'static [u8]", "'static", "no lifetimes"),
        ("x: *const f32", "*const f32", "no raw pointers"),
        ("x: [f32]", "[f32]", "a slice is borrowed: `&[f32]` if the kernel reads it"),
        ("x: bool", "bool", "a kernel could write a bit pattern that is no `bool`"),
        ("x: &[char]", "char", "a kernel could write a bit pattern that is no `char`"),
        ("x: (u8, u8)", "(u8, u8)", "a kernel's parameter is a plain value"),
        ("x: impl Copy", "impl Copy", "a kernel's parameter is a plain value"),
        ("x: &[&u8]", "&u8", "a kernel's parameter is a plain value"),
        ("x: fn()", "fn()", "a kernel's parameter is a plain value"),
        ("x: Self", "Self", "no `Self` here"),
    ];
    for (param, at, message) in cases {
        refused_kernel(&format!("unsafe fn k(y: &[u8], {param}) {{}}"), &[(at, message)]);
    }
}

#[test]
fn what_is_no_contract_is_refused() {
    let cases = [
        ("n.pow(2) < 4", "pow", "`n.pow`: the only method in a contract is `len()` of a slice; allowed are"),
        ("x.iter().len() < 4", "iter", "`x.iter`: the only method"),
        ("x.is_empty()", "is_empty", "`x.is_empty`: the only method"),
        ("x[0] < 4", "x", "`x[..]` is in device memory"),
        ("x < 4", "x", "`x` is in device memory: only its length is known here, `x.len()`"),
        ("min(n, 4) < 4", "min", "`min(..)`: functions are not called"),
        ("size_of!(n) < 4", "size_of", "`size_of!`: macros are not called"),
        ("TABLE.len() < 4", "TABLE", "`TABLE` is not a parameter"),
        ("a < 4", "a", "`a` is a float, and rounding decides no memory access"),
        ("m < 4", "m", "`m` is an array, not an integer"),
        ("n < 4.5", "4.5", "this is not an integer"),
        ("n < 'c'", "'c'", "this is not an integer"),
        (
            "n < 340282366920938463463374607431768211456",
            "340282366920938463463374607431768211456",
            "this number is too large",
        ),
        ("n as f32 < 4", "f32", "`f32` is not an integer type"),
        ("n << 2 < 4", "<", "no shifts in a contract"),
        ("n & 3 == 0", "&", "this is not part of the language of contracts"),
        ("1 < n < 4", "<", "comparisons do not chain"),
        ("n", "n", "this is a number; a contract is a condition"),
        ("(n < 4) + 1 == 2", "+", "`+` wants numbers"),
        ("n && true", "&&", "`&&` wants conditions"),
        ("!n", "!", "`!` wants conditions"),
        ("-true == 1", "-", "`-` wants numbers"),
        ("n < Self::N", "Self", "a kernel has no `self`"),
        ("if n < 4 { true } else { false }", "if", "this is not part of the language"),
        ("{ n < 4 }", "{", "this is not part of the language"),
    ];
    for (clause, at, message) in cases {
        refused_kernel(
            &format!("unsafe fn k(n: u32, a: f32, m: [u8; 4], x: &[u8]) where [{clause}] {{}}"),
            &[(at, message)],
        );
    }
}

#[test]
fn what_is_no_launch_size_is_refused() {
    let cases = [
        ("#[launch]", "#[launch]", "write `#[launch(threads = n, block = 256)]`"),
        ("#[launch()]", "#[launch()]", "how many threads?"),
        ("#[launch(threads)]", "threads", "write `threads = ..`"),
        ("#[launch(threads = )]", "threads", "write `threads = ..`"),
        ("#[launch(size = n)]", "size", "`size` is not a launch setting"),
        ("#[launch(threads = n, threads = n)]", "threads", "`threads` is set twice"),
        (
            "#[launch(threads = n, grid = n, block = 1)]",
            "#[launch(threads = n, grid = n, block = 1)]",
            "either `threads`",
        ),
        ("#[launch(grid = n)]", "#[launch(grid = n)]", "`grid` counts blocks: say how large one is"),
        ("#[launch(threads = [n, n])]", "[n, n]", "`threads` is one number"),
        ("#[launch(grid = [n, n, n, n], block = 1)]", "[n, n, n, n]", "`grid` has one to three dimensions"),
        ("#[launch(grid = [], block = 1)]", "[]", "`grid` has one to three dimensions"),
        ("#[launch(threads = n, block = 0)]", "0", "a block has 1 to 1024 threads"),
        ("#[launch(threads = n, block = 1025)]", "1025", "a block has 1 to 1024 threads"),
        ("#[launch(threads = n, block = n)]", "n", "with `threads`, `block` is an integer literal or a constant"),
        (
            "#[launch(threads = n, block = [8, 8])]",
            "[8, 8]",
            "with `threads`, `block` is an integer literal or a constant",
        ),
        ("#[launch(threads = n < 4)]", "n < 4", "this is a condition; a number is wanted here"),
        ("#[launch(threads = n)] #[launch(threads = n)]", "#[launch(threads = n)]", "a kernel has one `#[launch(..)]`"),
    ];
    for (attribute, at, message) in cases {
        refused_kernel(&format!("{attribute} unsafe fn k(n: u32) {{}}"), &[(at, message)]);
    }
    refused_kernel("unsafe fn k(n: u32) {}", &[("k", "`k` takes no slice to count its threads by")]);
}

#[test]
fn all_mistakes_are_shown_at_once() {
    refused(
        "A { fn k(x: &u8) -> u8 {} unsafe fn good(x: &[u8]) {} unsafe fn l(n: u32, x: &[u8]) where [n.a() > 1, x > 1, n < 1] {} } B { fn m(x: &[u8]) {} }",
        &[
            ("fn", "a kernel's declaration promises"),
            ("-> u8", "a kernel returns nothing"),
            ("&u8", "device memory is passed as a slice"),
            ("a", "`n.a`: the only method"),
            ("x", "`x` is in device memory"),
            ("fn", "a kernel's declaration promises"),
        ],
    );
}

#[test]
fn kernels_declared_well_are_there_beside_those_that_are_not() {
    let file = expanded("A { fn bad(x: &[u8]) {} unsafe fn good(x: &[u8]) {} }");
    let methods = methods(&file);
    assert_eq!(methods.len(), 1);
    assert_eq!(methods[0].sig.ident, "good");
    assert!(file.items.iter().any(|item| matches!(item, Item::Struct(item) if item.ident == "A")));
}

/// The methods of the inherent impls.
fn methods(file: &File) -> Vec<&syn::ImplItemFn> {
    let inherent = file.items.iter().filter_map(|item| match item {
        Item::Impl(item) if item.trait_.is_none() => Some(&item.items),
        _ => None,
    });
    let functions = inherent.flatten().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    functions.collect()
}

fn text(tokens: impl ToTokens) -> String {
    tokens.into_token_stream().to_string().replace(' ', "")
}

#[test]
fn a_method_takes_views_that_are_ready_on_its_stream() {
    let file = expanded("pub Math { unsafe fn k(n: u32, x: &[f32], y: &mut [P]) {} }");
    let signature = text(&methods(&file)[0].sig);
    assert_eq!(
        signature,
        "fnk<S>(&self,stream:::antecede::Stream<S,D>,n:u32,x:&::antecede::View<f32,impl::antecede::ReadyOn<S,D>>,\
         y:&mut::antecede::View<P,impl::antecede::ReadyOn<S,D>>)->::antecede::Result<()>"
    );
    assert_eq!(text(&methods(&file)[0].vis), "pub");
}

#[test]
fn the_bound_stands_where_the_type_does() {
    let source = "Math { unsafe fn k(x: &mut [f32]) {} }";
    let file = expanded(source);
    let argument = &methods(&file)[0].sig.inputs[2];
    let flat = crate::tests::flat(argument.to_token_stream());
    let bound = flat.iter().position(|tree| tree.to_string() == "impl").expect("an `impl` bound") + 1;
    let (first, last) = (flat[bound].span(), flat[flat.len() - 2].span());
    let end = flat.len() - 2;
    assert_eq!(flat[end].to_string(), ">");
    assert_eq!(first.start().column, source.find('&').expect("a reference"));
    assert_eq!(last.end().column, source.find(']').expect("a slice") + 1);
}

#[test]
fn type_parameters_have_names_that_the_user_did_not_take() {
    let file = expanded("Math { unsafe fn k(a: S, b: S2, d: D, x: &[u8]) {} }");
    let signature = text(&methods(&file)[0].sig);
    assert!(signature.starts_with("fnk<S3>(&self,stream:::antecede::Stream<S3,D2>,a:S,b:S2,d:D,"), "{signature}");
}

#[test]
fn a_module_is_configured_as_a_whole() {
    let file = expanded("#[cfg(unix)] /// Text.\n Math: concat!(\"a\", \"b\") { unsafe fn k(x: &[u8]) {} }");
    for item in &file.items {
        let (Item::Struct(syn::ItemStruct { attrs, .. }) | Item::Impl(syn::ItemImpl { attrs, .. })) = item else {
            panic!("another item: {}", text(item))
        };
        assert!(attrs.iter().any(|attr| attr.path().is_ident("cfg")), "{}", text(item));
    }
    assert!(text(&file).contains("::core::include_str!(concat!(\"a\",\"b\"))"));
}

#[test]
fn the_documentation_tells_the_contract_and_the_size() {
    let file = expanded(
        "Math { /// Adds.\n #[launch(grid = [n, 2], block = 64, shared = 4 * n)] unsafe fn k(n: u32, x: &[u8], y: &mut [u8]) where [2*n<=x.len()] {} }",
    );
    let docs = text(methods(&file)[0].attrs.iter().fold(TokenStream::new(), |mut all, attr| {
        attr.to_tokens(&mut all);
        all
    }));
    for part in ["Adds.", "agridof`n`by`2`blocksof`64`threads,with`4*n`bytes", "Reads`x`;writes`y`.", "-`2*n<=x.len()`"]
    {
        assert!(docs.contains(part), "{part} is not in {docs}");
    }
}
