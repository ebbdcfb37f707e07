// guarantee: only what an exporter has handed out comes back
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exported, Lent};

type Mine = Lent<Buffer<f32, Synced, Exportable>>;

fn comes_back<E: Exported>() {}

fn main() {
    comes_back::<Mine>();
    let _: Option<Lent<Mine>> = None;
}
