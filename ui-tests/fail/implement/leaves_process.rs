// guarantee: no implementation of ours makes memory exportable
// message: sealed
// errors: 2
use antecede::ipc::LeavesProcess;
use antecede::{Exportable, Vram};

enum Mine {}

impl LeavesProcess for Mine {}

fn leaves<M: LeavesProcess>() {}

fn main() {
    leaves::<Mine>();
    let _: Option<(Exportable, Vram)> = None;
}
