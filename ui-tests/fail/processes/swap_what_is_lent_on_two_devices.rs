// guarantee: what was lent on one device does not come back on another
// message: lifetime may not live long enough
// errors: 2
use antecede::{Buffer, Exportable, Scoped, Synced};
use antecede_ipc::Lent;

type Out<'id> = Lent<Buffer<f32, Synced<Scoped<'id>>, Exportable>, Scoped<'id>>;

fn swap<T>(_: &mut T, _: &mut T) {}

fn program<'a, 'b>(left: &mut Out<'a>, right: &mut Out<'b>, other: &mut Out<'a>) {
    let _ = (&right, &other);
    swap(left, right);
}

fn main() {}
