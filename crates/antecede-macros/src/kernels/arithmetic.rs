//! The language of contracts and launch sizes: integers and comparisons, nothing that could run user code.
//!
//! It is parsed here and not as Rust expressions: it is small, what is outside it gets a message of its own, and
//! `n as usize < x.len()` means what it says (in Rust, `usize <` would open generic arguments).

use proc_macro2::{Ident, Span};
use std::fmt;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Lit, Path, Token};

use super::types::{Param, ParamKind};

/// What a contract may say, for messages.
pub(super) const ALLOWED: &str = "allowed are integer parameters, `x.len()` of slice parameters, integer literals and constants, `+ - * / %`, comparisons, `&& || !`, parentheses and `as` an integer type";

/// An integer expression. Its value is an `i128`, or nothing when a step overflows.
pub(super) enum Int {
    /// `16`
    Literal(i128, String),
    /// A scalar parameter.
    Scalar(Ident),
    /// `x.len()` of a slice parameter.
    Len(Ident),
    /// The path of a constant.
    Const(Path),
    /// `-a`
    Neg(Box<Int>),
    /// `a + b`
    Binary(Box<Int>, IntOp, Box<Int>),
    /// `a as usize`
    Cast(Box<Int>, Ident),
    /// `(a)`
    Paren(Box<Int>),
}

/// A truth value.
pub(super) enum Truth {
    /// `true`
    Literal(bool),
    /// `a <= b`
    Compare(Int, CompareOp, Int),
    /// `a && b`
    And(Box<Truth>, Box<Truth>),
    /// `a || b`
    Or(Box<Truth>, Box<Truth>),
    /// `!a`
    Not(Box<Truth>),
    /// `(a)`
    Paren(Box<Truth>),
}

enum Value {
    Int(Int),
    Truth(Truth),
}

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal $token:tt),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) enum $name { $($variant),+ }

        impl $name {
            fn text(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }
    };
}

operators! {
    /// An operator of two integers.
    IntOp { Add = "+" +, Sub = "-" -, Mul = "*" *, Div = "/" /, Rem = "%" % }
}
operators! {
    /// A comparison.
    CompareOp { Le = "<=" <=, Ge = ">=" >=, Eq = "==" ==, Ne = "!=" !=, Lt = "<" <, Gt = ">" > }
}

/// A clause of a contract.
pub(super) fn truth(tokens: proc_macro2::TokenStream, params: &[Param]) -> syn::Result<Truth> {
    let end = tokens.clone();
    match whole(tokens, params)? {
        Value::Truth(truth) => Ok(truth),
        Value::Int(_) => {
            Err(syn::Error::new_spanned(end, "this is a number; a contract is a condition, as `n as usize <= x.len()`"))
        }
    }
}

/// A number of threads, blocks or bytes.
pub(super) fn int(tokens: proc_macro2::TokenStream, params: &[Param]) -> syn::Result<Int> {
    let end = tokens.clone();
    match whole(tokens, params)? {
        Value::Int(int) => Ok(int),
        Value::Truth(_) => {
            Err(syn::Error::new_spanned(end, "this is a condition; a number is wanted here, as `n` or `x.len()`"))
        }
    }
}

fn whole(tokens: proc_macro2::TokenStream, params: &[Param]) -> syn::Result<Value> {
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
        let span = input.parse::<Token![||]>()?.spans[0];
        let right = and(input, params)?;
        left = Value::Truth(Truth::Or(condition(left, span, "||")?, condition(right, span, "||")?));
    }
    Ok(left)
}

fn and(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    let mut left = comparison(input, params)?;
    while input.peek(Token![&&]) {
        let span = input.parse::<Token![&&]>()?.spans[0];
        let right = comparison(input, params)?;
        left = Value::Truth(Truth::And(condition(left, span, "&&")?, condition(right, span, "&&")?));
    }
    Ok(left)
}

fn comparison(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    let left = sum(input, params)?;
    let span = input.span();
    let Some(op) = compare_op(input)? else { return Ok(left) };
    let right = sum(input, params)?;
    let span_of_next = input.span();
    if compare_op(input)?.is_some() {
        return Err(syn::Error::new(span_of_next, "comparisons do not chain: write `a <= b && b <= c`"));
    }
    Ok(Value::Truth(Truth::Compare(number(left, span, op.text())?, op, number(right, span, op.text())?)))
}

fn sum(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    left_to_right(input, params, product, |input| {
        Ok(if input.parse::<Option<Token![+]>>()?.is_some() {
            Some(IntOp::Add)
        } else {
            input.parse::<Option<Token![-]>>()?.map(|_| IntOp::Sub)
        })
    })
}

fn product(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    left_to_right(input, params, cast, |input| {
        Ok(if input.parse::<Option<Token![*]>>()?.is_some() {
            Some(IntOp::Mul)
        } else if input.parse::<Option<Token![/]>>()?.is_some() {
            Some(IntOp::Div)
        } else {
            input.parse::<Option<Token![%]>>()?.map(|_| IntOp::Rem)
        })
    })
}

fn left_to_right(
    input: ParseStream<'_>,
    params: &[Param],
    operand: fn(ParseStream<'_>, &[Param]) -> syn::Result<Value>,
    operator: fn(ParseStream<'_>) -> syn::Result<Option<IntOp>>,
) -> syn::Result<Value> {
    let mut left = operand(input, params)?;
    loop {
        let span = input.span();
        let Some(op) = operator(input)? else { return Ok(left) };
        let right = operand(input, params)?;
        let (a, b) = (number(left, span, op.text())?, number(right, span, op.text())?);
        left = Value::Int(Int::Binary(Box::new(a), op, Box::new(b)));
    }
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
        value = Value::Int(Int::Cast(Box::new(number(value, token.span, "as")?), target));
    }
    Ok(value)
}

fn unary(input: ParseStream<'_>, params: &[Param]) -> syn::Result<Value> {
    if let Some(token) = input.parse::<Option<Token![-]>>()? {
        let value = number(unary(input, params)?, token.span, "-")?;
        return Ok(Value::Int(Int::Neg(Box::new(value))));
    }
    if let Some(token) = input.parse::<Option<Token![!]>>()? {
        return Ok(Value::Truth(Truth::Not(condition(unary(input, params)?, token.span, "!")?)));
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

fn compare_op(input: ParseStream<'_>) -> syn::Result<Option<CompareOp>> {
    if input.peek(Token![<<]) || input.peek(Token![>>]) {
        return Err(input.error(format!("no shifts in a contract; {ALLOWED}")));
    }
    macro_rules! first_of {
        ($($token:tt $op:ident),+) => {
            $(if input.peek(Token![$token]) {
                input.parse::<Token![$token]>()?;
                return Ok(Some(CompareOp::$op));
            })+
        };
    }
    first_of!(<= Le, >= Ge, == Eq, != Ne, < Lt, > Gt);
    Ok(None)
}

fn number(value: Value, at: Span, op: &str) -> syn::Result<Int> {
    match value {
        Value::Int(int) => Ok(int),
        Value::Truth(_) => Err(syn::Error::new(at, format!("`{op}` wants numbers, and one side is a condition"))),
    }
}

fn condition(value: Value, at: Span, op: &str) -> syn::Result<Box<Truth>> {
    match value {
        Value::Truth(truth) => Ok(Box::new(truth)),
        Value::Int(_) => Err(syn::Error::new(at, format!("`{op}` wants conditions, and one side is a number"))),
    }
}

/// The text as the user wrote it, in rustfmt's spacing.
impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::Literal(_, text) => f.write_str(text),
            Int::Scalar(name) => write!(f, "{name}"),
            Int::Len(name) => write!(f, "{name}.len()"),
            Int::Const(path) => {
                let leading = path.leading_colon.map_or("", |_| "::");
                let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                write!(f, "{leading}{}", names.join("::"))
            }
            Int::Neg(value) => write!(f, "-{value}"),
            Int::Binary(left, op, right) => write!(f, "{left} {} {right}", op.text()),
            Int::Cast(value, target) => write!(f, "{value} as {target}"),
            Int::Paren(value) => write!(f, "({value})"),
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Truth::Literal(value) => write!(f, "{value}"),
            Truth::Compare(left, op, right) => write!(f, "{left} {} {right}", op.text()),
            Truth::And(left, right) => write!(f, "{left} && {right}"),
            Truth::Or(left, right) => write!(f, "{left} || {right}"),
            Truth::Not(value) => write!(f, "!{value}"),
            Truth::Paren(value) => write!(f, "({value})"),
        }
    }
}
