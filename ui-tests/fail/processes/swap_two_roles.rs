// guarantee: what is lent and what is published are not exchanged
// message: mismatched types
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Lent, Published};

type Own = Buffer<f32, Synced, Exportable>;

fn swap<T>(_: &mut T, _: &mut T) {}

fn program(lent: &mut Lent<Own>, other: &mut Lent<Own>, published: &mut Published<Own>) {
    let _ = (&other, &published);
    swap(lent, published);
}

fn main() {}
