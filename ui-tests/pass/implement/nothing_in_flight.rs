// guarantee: no implementation of ours ends what is in flight
use antecede::ipc::NothingInFlight;
use antecede::{Synced, streams};

streams! { Mine }

fn quiet<D, St: NothingInFlight<D>>() {}

fn main() {
    quiet::<Mine, Synced<Mine>>();
    let _: Option<Synced<Mine>> = None;
}
