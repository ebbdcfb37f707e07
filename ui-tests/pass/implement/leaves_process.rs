// guarantee: no implementation of ours makes memory exportable
use antecede::ipc::LeavesProcess;
use antecede::{Exportable, Vram};

type Mine = Exportable;

fn leaves<M: LeavesProcess>() {}

fn main() {
    leaves::<Mine>();
    let _: Option<(Exportable, Vram)> = None;
}
