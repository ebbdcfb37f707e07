//! What a fill can repeat.

use crate::driver::Pattern;
use bytemuck::Pod;

/// An element that a fill can repeat: of one, two or four bytes. Sealed.
///
/// Implemented by `u8 i8 u16 i16 u32 i32 f32`. For wider elements use [`clear`](crate::Stream::clear), or a kernel.
#[diagnostic::on_unimplemented(
    message = "a fill repeats a value of 1, 2 or 4 bytes; `{Self}` is none",
    label = "cannot be filled",
    note = "to set everything to zero: `stream.clear(&mut buf)?`",
    note = "for other values: `stream.write(&mut buf, &host)?`, or a kernel"
)]
pub trait FillValue: Pod + sealed::Sealed {
    #[doc(hidden)]
    fn pattern(self) -> Pattern;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! fill_values {
    ($($form:ident: $($value:ty)+;)+) => { $($(
        impl sealed::Sealed for $value {}
        impl FillValue for $value {
            fn pattern(self) -> Pattern {
                Pattern::$form(bytemuck::cast(self))
            }
        }
    )+)+ };
}

fill_values! {
    D8: u8 i8;
    D16: u16 i16;
    D32: u32 i32 f32;
}
