// guarantee: no subtyping turns one device into another: what is lent
// message: lifetime may not live long enough
use antecede::{Buffer, Exportable, Scoped, Synced};
use antecede_ipc::Lent;

type Out<'id> = Lent<Buffer<f32, Synced, Exportable>, Scoped<'id>>;

fn program<'long: 'short, 'short>(lent: Out<'long>) -> Out<'short> {
    lent
}

fn main() {}
