// guarantee: no implementation of ours ends what is in flight on another process's memory
// message: sealed
use antecede::{Buffer, Imported, Memory, On, PeerAccess, Synced, streams};
use antecede_ipc::LetGo;

streams! { Mine }

type State = On<Mine>;

impl LetGo<Mine> for State {
    fn complete<T, A: PeerAccess>(_: Buffer<T, Self, Imported<A>>) -> Buffer<T, Synced<Mine>, Imported<A>>
    where
        Imported<A>: Memory,
    {
        loop {}
    }
}

fn may_be_let_go<D, St: LetGo<D>>() {}

fn main() {
    may_be_let_go::<Mine, State>();
}
