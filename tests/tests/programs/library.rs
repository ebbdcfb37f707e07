//! A library that takes a buffer on any stream, works on a stream of its own, and gives it back on the caller's.

use antecede::streams;
use antecede_testkit::{on_sim, shared_device};
use antecede_trace::Call;

mod sorting {
    use antecede::{Buffer, Device, DeviceBrand, Loose, On, Primary, Result, Stream, kernels, streams};

    streams! { pub(super) Sorter }

    kernels! {
        Kernels {
            unsafe fn sort(x: &mut [u32]) {
                x.sort_unstable();
            }
        }
    }

    pub(super) struct Sort<D = Primary> {
        own: Stream<Sorter, D>,
        kernels: Kernels<D>,
    }

    impl<D: DeviceBrand> Sort<D> {
        pub(super) fn new(device: Device<D>) -> Result<Self> {
            Ok(Sort { own: device.stream()?, kernels: device.load::<Kernels>()? })
        }

        /// From any stream: a buffer of a known stream is made loose for nothing.
        pub(super) fn sort<S>(&self, caller: Stream<S, D>, x: Buffer<u32, Loose<D>>) -> Result<Buffer<u32, On<S, D>>> {
            let mut x = self.own.take(x)?;
            self.kernels.sort(self.own, &mut x)?;
            Ok(caller.take(x)?)
        }
    }
}

streams! { App, Other }

#[test]
fn from_any_stream_to_the_callers() {
    let shared = shared_device();
    let sort = sorting::Sort::new(shared.device()).unwrap();
    let (app, other) = shared.device().streams::<(App, Other)>().unwrap();
    let before = shared.mark();
    let x = sort.sort(app, app.upload(&[3, 1, 2]).unwrap().loose()).unwrap();
    assert_eq!(shared.counts_since(&before).of(Call::EventWait), 2, "there and back");
    let x = sort.sort(other, x.loose()).unwrap();
    let x = sort.sort(other, other.sync(x).unwrap().loose()).unwrap();
    assert_eq!(other.download(&x).unwrap(), [1, 2, 3]);
}

#[test]
fn on_a_device_of_the_tests_own() {
    on_sim(|device, _| {
        let sort = sorting::Sort::new(device)?;
        let app = device.stream::<App>()?;
        let x = sort.sort(app, app.upload(&[9, 8])?.loose())?;
        assert_eq!(app.download(&x)?, [8, 9]);
        Ok(())
    });
}
