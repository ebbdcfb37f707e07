// guarantee: no implementation of ours ends what is in flight
// message: sealed
use antecede::ipc::NothingInFlight;
use antecede::{On, Synced, streams};

streams! { Mine }

impl NothingInFlight<Mine> for On<Mine> {}

fn quiet<D, St: NothingInFlight<D>>() {}

fn main() {
    quiet::<Mine, On<Mine>>();
    let _: Option<Synced<Mine>> = None;
}
