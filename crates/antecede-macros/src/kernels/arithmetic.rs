//! The language of contracts and launch sizes: integers and comparisons, nothing that could run user code.

use proc_macro2::Ident;
use std::fmt;
use syn::Path;

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

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) enum $name { $($variant),+ }

        impl $name {
            pub(super) fn text(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }
    };
}

operators! {
    /// An operator of two integers.
    IntOp { Add = "+", Sub = "-", Mul = "*", Div = "/", Rem = "%" }
}
operators! {
    /// A comparison.
    CompareOp { Le = "<=", Ge = ">=", Eq = "==", Ne = "!=", Lt = "<", Gt = ">" }
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
