// guarantee: no implementation of ours ends what is in flight on another process's memory
use antecede::{Synced, streams};
use antecede_ipc::LetGo;

streams! { Mine }

type State = Synced<Mine>;

fn may_be_let_go<D, St: LetGo<D>>() {}

fn main() {
    may_be_let_go::<Mine, State>();
}
