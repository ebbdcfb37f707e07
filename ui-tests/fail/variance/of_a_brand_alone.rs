// guarantee: no subtyping turns one brand into another: where the brand stands alone
// message: lifetime may not live long enough
// errors: 3
use antecede::{Lane, Scoped, Several};

fn scoped<'long: 'short, 'short>(x: Option<Scoped<'long>>) -> Option<Scoped<'short>> { x }
fn lane<'long: 'short, 'short>(x: Option<Lane<'long>>) -> Option<Lane<'short>> { x }
fn several<'long: 'short, 'short>(x: Option<Several<'long>>) -> Option<Several<'short>> { x }

fn main() {}
