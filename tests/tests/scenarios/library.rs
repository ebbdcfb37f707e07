//! A library with a stream of its own, that takes buffers from any stream.

use antecede::{Buffer, Device, DeviceBrand, On, Result, State, Stream};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B};

mount! { from_any_state_to_the_callers_stream, twice_at_once }

mod adder {
    use super::*;

    antecede::streams! { pub(super) Own }

    /// Adds one, on a stream of its own.
    pub(super) struct Adder<D> {
        own: Stream<Own, D>,
        math: Math<D>,
    }

    impl<D: DeviceBrand> Adder<D> {
        pub(super) fn new(device: Device<D>) -> Result<Self> {
            Ok(Adder { own: device.stream()?, math: device.load::<Math>()? })
        }

        pub(super) fn add_one<S, St: State<Device = D>>(
            &self,
            caller: Stream<S, D>,
            x: Buffer<u32, St>,
        ) -> Result<Buffer<u32, On<S, D>>> {
            let mut x = self.own.take(x)?;
            self.math.increment(self.own, x.len() as u32, &mut x)?;
            Ok(caller.take(x)?)
        }
    }
}

fn from_any_state_to_the_callers_stream<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let adder = adder::Adder::new(device)?;
    let x = adder.add_one(a, a.upload(&[1, 2])?)?;
    let x = adder.add_one(b, x)?;
    let x = adder.add_one(b, x.loose())?;
    let x = adder.add_one(a, b.sync(x)?)?;
    assert_eq!(a.download(&x)?, [5, 6]);
    Ok(())
}

fn twice_at_once<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    // Two values of the library share its stream: one brand, one stream.
    let (one, two) = (adder::Adder::new(device)?, adder::Adder::new(device)?);
    let (mut x, mut y) = (a.upload(&[0; 4])?, b.upload(&[10; 4])?);
    for _ in 0..5 {
        x = one.add_one(a, x)?;
        y = two.add_one(b, y)?;
    }
    assert_eq!((a.download(&x)?, b.download(&y)?), (vec![5; 4], vec![15; 4]));
    Ok(())
}
