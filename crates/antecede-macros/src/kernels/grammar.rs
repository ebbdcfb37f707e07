//! The grammar of contracts and launch sizes.
//!
//! They are not parsed as Rust expressions: the language is small, what is outside it gets a message of its own, and
//! `n as usize < x.len()` means what it says (in Rust, `usize <` would open generic arguments).

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Lit, Path, Token};

use super::arithmetic::{CompareOp, Int, IntOp, Truth};
use super::types::{Param, ParamKind};

/// What a contract may say, for messages.
const ALLOWED: &str = "allowed are integer parameters, `x.len()` of slice parameters, integer literals and constants, `+ - * / %`, comparisons, `&& || !`, parentheses and `as` an integer type";

enum Value {
    Int(Int),
    Truth(Truth),
}

/// The first of the operators that comes next, with its tokens for messages. Longer ones stand first.
macro_rules! first_of {
    ($input:ident: $([$token:tt] => $op:expr),+; else $otherwise:expr) => {
        $(if let Some(token) = $input.parse::<Option<Token![$token]>>()? { ($op, token.to_token_stream()) } else)+
        { $otherwise }
    };
}

/// A clause of a contract.
pub(super) fn truth(tokens: TokenStream, params: &[Param]) -> syn::Result<Truth> {
    let end = tokens.clone();
    match whole(tokens, params)? {
        Value::Truth(truth) => Ok(truth),
        Value::Int(_) => {
            Err(syn::Error::new_spanned(end, "this is a number; a contract is a condition, as `n as usize <= x.len()`"))
        }
    }
}

/// A number of threads, blocks or bytes.
pub(super) fn int(tokens: TokenStream, params: &[Param]) -> syn::Result<Int> {
    let end = tokens.clone();
    match whole(tokens, params)? {
        Value::Int(int) => Ok(int),
        Value::Truth(_) => {
            Err(syn::Error::new_spanned(end, "this is a condition; a number is wanted here, as `n` or `x.len()`"))
        }
    }
}

fn whole(tokens: TokenStream, params: &[Param]) -> syn::Result<Value> {
    let parse = |input: ParseStream<'_>| {
        let value = or(input, params)?;
        finished(input)?;
        Ok(value)
    };
    parse.parse2(tokens)
}

/// Refuses what follows a complete expression, since it belongs to no operator of the language.
fn finished(input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() {
        Ok(())
    } else {
        Err(input.error(format!("this is not part of the language of contracts; {ALLOWED}")))
    }
}

fn or(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    let mut left = and(input, params)?;
    while input.peek(Token![||]) {
        let at = input.parse::<Token![||]>()?.to_token_stream();
        let right = and(input, params)?;
        left = Value::Truth(Truth::Or(condition(left, &at)?, condition(right, &at)?));
    }
    Ok(left)
}

fn and(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    let mut left = comparison(input, params)?;
    while input.peek(Token![&&]) {
        let at = input.parse::<Token![&&]>()?.to_token_stream();
        let right = comparison(input, params)?;
        left = Value::Truth(Truth::And(condition(left, &at)?, condition(right, &at)?));
    }
    Ok(left)
}

fn comparison(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    let left = sum(input, params)?;
    let Some((op, at)) = compare_op(input)? else { return Ok(left) };
    let right = sum(input, params)?;
    if let Some((_, again)) = compare_op(input)? {
        return Err(syn::Error::new_spanned(again, "comparisons do not chain: write `a <= b && b <= c`"));
    }
    Ok(Value::Truth(Truth::Compare(number(left, &at)?, op, number(right, &at)?)))
}

fn sum(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    let mut left = product(input, params)?;
    loop {
        let (op, at) = first_of!(input: [+] => IntOp::Add, [-] => IntOp::Sub; else return Ok(left));
        left = binary(left, op, product(input, params)?, &at)?;
    }
}

fn product(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    let mut left = cast(input, params)?;
    loop {
        let (op, at) = first_of!(input: [*] => IntOp::Mul, [/] => IntOp::Div, [%] => IntOp::Rem; else return Ok(left));
        left = binary(left, op, cast(input, params)?, &at)?;
    }
}

fn binary(left: Value, op: IntOp, right: Value, at: &TokenStream) -> syn::Result<Value> {
    Ok(Value::Int(Int::Binary(Box::new(number(left, at)?), op, Box::new(number(right, at)?))))
}

fn cast(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    const INTEGERS: [&str; 12] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    let mut value = unary(input, params)?;
    while let Some(token) = input.parse::<Option<Token![as]>>()? {
        let target: Ident = input.call(Ident::parse_any)?;
        if !INTEGERS.contains(&target.to_string().as_str()) {
            return Err(syn::Error::new(target.span(), format!("`{target}` is not an integer type; {ALLOWED}")));
        }
        value = Value::Int(Int::Cast(Box::new(number(value, &token.to_token_stream())?), target));
    }
    Ok(value)
}

fn unary(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    if let Some(token) = input.parse::<Option<Token![-]>>()? {
        let value = number(unary(input, params)?, &token.to_token_stream())?;
        return Ok(Value::Int(Int::Neg(Box::new(value))));
    }
    if let Some(token) = input.parse::<Option<Token![!]>>()? {
        return Ok(Value::Truth(Truth::Not(condition(unary(input, params)?, &token.to_token_stream())?)));
    }
    atom(input, params)
}

fn atom(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    if input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in input);
        let value = or(&content, params)?;
        finished(&content)?;
        return Ok(match value {
            Value::Int(int) => Value::Int(Int::Paren(Box::new(int))),
            Value::Truth(truth) => Value::Truth(Truth::Paren(Box::new(truth))),
        });
    }
    if input.peek(Lit) {
        return literal(input.parse()?);
    }
    if input.peek(Ident::peek_any) && !input.peek(Token![if]) && !input.peek(Token![match]) || input.peek(Token![::]) {
        return name(input.call(Path::parse_mod_style)?, input, params);
    }
    if input.is_empty() {
        return Err(input.error("an expression is missing here"));
    }
    finished(input)?;
    Err(input.error(ALLOWED))
}

fn literal(literal: Lit) -> syn::Result<Value> {
    match &literal {
        Lit::Bool(bool) => Ok(Value::Truth(Truth::Literal(bool.value))),
        Lit::Int(int) => {
            let value = int.base10_parse().map_err(|_| syn::Error::new(int.span(), "this number is too large"))?;
            Ok(Value::Int(Int::Literal(value, int.to_string())))
        }
        other => Err(syn::Error::new(other.span(), format!("this is not an integer; {ALLOWED}"))),
    }
}

/// A parameter, a length, or a constant.
fn name(path: Path, input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    let known = path.get_ident().and_then(|ident| params.iter().find(|param| param.name == *ident));
    let refuse = |span: Span, what: String| Err(syn::Error::new(span, format!("{what}; {ALLOWED}")));
    if path.is_ident("self") || path.segments[0].ident == "Self" {
        return refuse(path.segments[0].ident.span(), "a kernel has no `self`".to_owned());
    }
    let ident = path.segments[path.segments.len() - 1].ident.clone();
    let Some(param) = known else {
        return match () {
            () if input.peek(syn::token::Paren) => {
                refuse(ident.span(), format!("`{ident}(..)`: functions are not called in a contract"))
            }
            () if input.peek(Token![.]) => {
                refuse(ident.span(), format!("`{ident}` is not a parameter: it has no length here"))
            }
            () if input.peek(Token![!]) && !input.peek(Token![!=]) => {
                refuse(ident.span(), format!("`{ident}!`: macros are not called in a contract"))
            }
            () => Ok(Value::Int(Int::Const(path))),
        };
    };
    let method = if input.parse::<Option<Token![.]>>()?.is_some() { Some(input.call(Ident::parse_any)?) } else { None };
    match (&param.kind, method) {
        (ParamKind::Slice { .. }, Some(method)) if method == "len" && input.peek(syn::token::Paren) => {
            let content;
            syn::parenthesized!(content in input);
            finished(&content)?;
            Ok(Value::Int(Int::Len(ident)))
        }
        (ParamKind::Slice { .. }, None) if !input.peek(syn::token::Bracket) => refuse(
            ident.span(),
            format!("`{ident}` is in device memory: only its length is known here, `{ident}.len()`"),
        ),
        (ParamKind::Slice { .. }, None) => refuse(
            ident.span(),
            format!("`{ident}[..]` is in device memory: only its length is known here, `{ident}.len()`"),
        ),
        (_, Some(method)) => {
            refuse(method.span(), format!("`{ident}.{method}`: the only method in a contract is `len()` of a slice"))
        }
        (ParamKind::Scalar(ty), None) if super::types::is_float(ty) => {
            refuse(ident.span(), format!("`{ident}` is a float, and rounding decides no memory access"))
        }
        (ParamKind::Scalar(syn::Type::Array(_)), None) => {
            refuse(ident.span(), format!("`{ident}` is an array, not an integer"))
        }
        (ParamKind::Scalar(_), None) => Ok(Value::Int(Int::Scalar(ident))),
    }
}

fn compare_op(input: ParseStream<'_>) -> syn::Result<Option<(CompareOp, TokenStream)>> {
    if input.peek(Token![<<]) || input.peek(Token![>>]) {
        return Err(input.error(format!("no shifts in a contract; {ALLOWED}")));
    }
    Ok(Some(first_of!(input:
        [<=] => CompareOp::Le, [>=] => CompareOp::Ge, [==] => CompareOp::Eq, [!=] => CompareOp::Ne,
        [<] => CompareOp::Lt, [>] => CompareOp::Gt;
        else return Ok(None)
    )))
}

fn number(value: Value, at: &TokenStream) -> syn::Result<Int> {
    match value {
        Value::Int(int) => Ok(int),
        Value::Truth(_) => {
            Err(syn::Error::new_spanned(at, format!("`{at}` wants numbers, and one side is a condition")))
        }
    }
}

fn condition(value: Value, at: &TokenStream) -> syn::Result<Box<Truth>> {
    match value {
        Value::Truth(truth) => Ok(Box::new(truth)),
        Value::Int(_) => Err(syn::Error::new_spanned(at, format!("`{at}` wants conditions, and one side is a number"))),
    }
}
