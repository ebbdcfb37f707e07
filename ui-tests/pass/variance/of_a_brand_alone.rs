// guarantee: no subtyping turns one brand into another: where the brand stands alone
use antecede::{Lane, Scoped, Several};

fn scoped<'long: 'short, 'short>(x: Option<Scoped<'long>>) -> Option<Scoped<'long>> { x }
fn lane<'long: 'short, 'short>(x: Option<Lane<'long>>) -> Option<Lane<'long>> { x }
fn several<'long: 'short, 'short>(x: Option<Several<'long>>) -> Option<Several<'long>> { x }

fn main() {}
