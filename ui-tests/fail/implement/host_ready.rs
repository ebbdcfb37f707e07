// guarantee: no implementation of ours makes a buffer complete
// message: only traits defined in the current crate can be implemented for types defined outside of the crate
use antecede::{Buffer, HostReady, On, streams};

streams! { Compute }

impl HostReady for On<Compute> {}
type Ready = On<Compute>;

fn read<St: antecede::State + HostReady>(_: &Buffer<f32, St>) {}

fn main() {
    let _ = read::<Ready>;
    let _: Option<Compute> = None;
}
