// guarantee: only what an exporter has handed out comes back
// message: sealed
// errors: 2
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exported, Lent};

struct Mine;

impl Exported for Mine {
    type Back = Buffer<f32, Synced, Exportable>;
}

fn comes_back<E: Exported>() {}

fn main() {
    comes_back::<Mine>();
    let _: Option<Lent<Mine>> = None;
}
