//! What the elements of a buffer are, as the other process is told.

use crate::wire::{Access, ElementName, MAX_NAME};
use antecede::PeerAccess;
use antecede::ReadWrite;
use std::any::TypeId;
use std::fmt;

/// A type of elements: its name without the modules it is in, its size and its alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// The name: `f32`, `[f32; 4]`, `Particle`. Of a longer name as much as fits.
    pub name: ElementName,
    /// Bytes of one.
    pub size: u32,
    /// Bytes that it is aligned to.
    pub alignment: u32,
}

impl Element {
    /// What elements of type `T` are.
    pub(crate) fn of<T>() -> Element {
        let name = without_modules(std::any::type_name::<T>());
        let name = ElementName::new(shortened(&name)).or_else(|_| ElementName::new("?"));
        Element {
            name: name.expect("a name of one character"),
            size: size_of::<T>().try_into().unwrap_or(u32::MAX),
            alignment: align_of::<T>().try_into().unwrap_or(u32::MAX),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of {} bytes aligned to {}", self.name, self.size, self.alignment)
    }
}

/// How the wire names access `A`.
pub(crate) fn access<A: PeerAccess>() -> Access {
    if TypeId::of::<A>() == TypeId::of::<ReadWrite>() { Access::ForWriting } else { Access::ForReading }
}

/// `a::b::Vec3<c::D>` as `Vec3<D>`: two programs may have one type in different modules.
fn without_modules(name: &str) -> String {
    let ends_path = |character: char| !(character.is_alphanumeric() || character == '_' || character == ':');
    let mut short = String::new();
    for piece in name.split_inclusive(ends_path) {
        let (path, rest) = piece.split_at(piece.trim_end_matches(ends_path).len());
        short.push_str(path.rsplit("::").next().unwrap_or(path));
        short.push_str(rest);
    }
    short
}

/// As much as a frame has place for.
fn shortened(name: &str) -> &str {
    let mut end = name.len().min(MAX_NAME);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_modules() {
        assert_eq!(without_modules("f32"), "f32");
        assert_eq!(without_modules("[core::num::Wrapping<u8>; 4]"), "[Wrapping<u8>; 4]");
        assert_eq!(without_modules("a::b::Vec3<c::D, (e::F, u8)>"), "Vec3<D, (F, u8)>");
        assert_eq!(Element::of::<f32>().to_string(), "`f32` of 4 bytes aligned to 4");
    }

    #[test]
    fn a_long_name_is_cut_between_characters() {
        let name = "ä".repeat(40);
        assert_eq!(shortened(&name).len(), MAX_NAME);
        assert!(ElementName::new(shortened(&"aä".repeat(40))).is_ok());
    }
}
