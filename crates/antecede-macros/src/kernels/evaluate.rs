//! Checked evaluation: an integer becomes an `Option<i128>`, a condition an `Option<bool>`. `None` means that a step
//! overflowed, and it stays `None` under `!`, so that a clause with an overflow never holds.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

use syn::spanned::Spanned;

use super::arithmetic::{CompareOp, Int, IntOp, Truth};

impl ToTokens for Int {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(int(self));
    }
}

impl ToTokens for Truth {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(truth(self));
    }
}

fn int(int: &Int) -> TokenStream {
    let here = Span::mixed_site();
    match int {
        Int::Literal(value, _) => {
            let value = Literal::i128_suffixed(*value);
            quote_spanned!(here=> ::core::option::Option::Some(#value))
        }
        Int::Scalar(name) => from_value(name.span(), name),
        Int::Const(path) => from_value(path.span(), path),
        Int::Len(name) => {
            let len = quote_spanned!(here=> #name.len);
            from_value(here, len)
        }
        Int::Neg(value) => quote_spanned!(here=>
            ::core::option::Option::and_then(#value, ::core::primitive::i128::checked_neg)
        ),
        Int::Binary(left, op, right) => {
            let checked = match op {
                IntOp::Add => quote_spanned!(here=> checked_add),
                IntOp::Sub => quote_spanned!(here=> checked_sub),
                IntOp::Mul => quote_spanned!(here=> checked_mul),
                IntOp::Div => quote_spanned!(here=> checked_div),
                IntOp::Rem => quote_spanned!(here=> checked_rem),
            };
            quote_spanned!(here=> match (#left, #right) {
                (::core::option::Option::Some(left), ::core::option::Option::Some(right)) =>
                    ::core::primitive::i128::#checked(left, right),
                _ => ::core::option::Option::None,
            })
        }
        // A cast that would change the value counts as an overflow: the kernel would see another number.
        Int::Cast(value, target) => quote_spanned!(here=>
            ::core::option::Option::filter(#value, |value: &::core::primitive::i128|
                <::core::primitive::#target as ::core::convert::TryFrom<::core::primitive::i128>>::try_from(*value).is_ok()
            )
        ),
        Int::Paren(value) => self::int(value),
    }
}

/// An integer of whatever type, unless it is a `u128` out of range. That something else has no place here is said where
/// it stands.
fn from_value(place: Span, value: impl ToTokens) -> TokenStream {
    quote_spanned!(Span::mixed_site().located_at(place)=>
        ::antecede::__private::integer(#value)
    )
}

fn truth(truth: &Truth) -> TokenStream {
    let here = Span::mixed_site();
    match truth {
        Truth::Literal(value) => quote_spanned!(here=> ::core::option::Option::Some(#value)),
        Truth::Compare(left, op, right) => {
            let op = match op {
                CompareOp::Le => quote_spanned!(here=> <=),
                CompareOp::Ge => quote_spanned!(here=> >=),
                CompareOp::Eq => quote_spanned!(here=> ==),
                CompareOp::Ne => quote_spanned!(here=> !=),
                CompareOp::Lt => quote_spanned!(here=> <),
                CompareOp::Gt => quote_spanned!(here=> >),
            };
            quote_spanned!(here=> match (#left, #right) {
                (::core::option::Option::Some(left), ::core::option::Option::Some(right)) =>
                    ::core::option::Option::Some(left #op right),
                _ => ::core::option::Option::None,
            })
        }
        Truth::And(left, right) => quote_spanned!(here=> match #left {
            ::core::option::Option::Some(true) => #right,
            decided => decided,
        }),
        Truth::Or(left, right) => quote_spanned!(here=> match #left {
            ::core::option::Option::Some(false) => #right,
            decided => decided,
        }),
        Truth::Not(value) => quote_spanned!(here=> ::core::option::Option::map(#value, |value| !value)),
        Truth::Paren(value) => self::truth(value),
    }
}
