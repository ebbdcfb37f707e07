// guarantee: no subtyping turns one brand into another: what is lent
use antecede::{Buffer, Exportable, On};
use antecede_ipc::Lent;

type Any = for<'a> fn(&'a ());
type Static = fn(&'static ());

fn program(lent: Lent<Buffer<f32, On<Any>, Exportable>>) -> Lent<Buffer<f32, On<Any>, Exportable>> {
    lent
}

fn main() { let _: Option<Static> = None; }
