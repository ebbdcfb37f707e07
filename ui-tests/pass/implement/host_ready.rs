// guarantee: no implementation of ours makes a buffer complete
use antecede::{Buffer, HostReady, Synced, streams};

streams! { Compute }

type Ready = Synced;

fn read<St: antecede::State + HostReady>(_: &Buffer<f32, St>) {}

fn main() {
    let _ = read::<Ready>;
    let _: Option<Compute> = None;
}
