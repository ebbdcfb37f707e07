//! A struct whose fields keep their types: one is lent to another stream for the length of a closure, and comes back.

use antecede::{Buffer, Device, DeviceBrand, On, Primary, Result, Stream, View, Writable, kernels, streams};
use antecede_sim::{Call, Fault};
use antecede_testkit::{Fixture, shared_device};
use antecede_trace::{Call as Traced, Counts};

streams! { Upload, Compute }

kernels! {
    Model {
        unsafe fn diagonal(n: u32, w: &[f32], x: &[f32], y: &mut [f32])
        where [n as usize <= w.len(), n as usize <= x.len(), n as usize <= y.len()] {
            for i in 0..n as usize {
                y[i] = w[i] * x[i];
            }
        }
    }
}

/// Lends what is in `place`, on `owner`, to the stream `to` while `work` submits to it: a hand-over there and one back,
/// whatever comes of `work`. It gets a view, so what comes back is what was lent.
///
/// Where the way back fails the host waits instead, so that the place is not left empty.
fn lend<T, S, L, D: DeviceBrand, M: Writable, R>(
    owner: Stream<S, D>,
    to: Stream<L, D>,
    place: &mut Buffer<T, On<S, D>, M>,
    work: impl FnOnce(&mut View<T, On<L, D>>) -> Result<R>,
) -> Result<R> {
    let mut lent = to.take_from(place)?;
    let result = work(&mut lent);
    *place = match owner.take(lent) {
        Ok(back) => back,
        Err(failed) => to.sync(failed.buffers)?.on(owner),
    };
    result
}

struct Engine<D = Primary> {
    upload: Stream<Upload, D>,
    compute: Stream<Compute, D>,
    model: Model<D>,
    weights: Buffer<f32, On<Compute, D>>,
    input: Buffer<f32, On<Compute, D>>,
    output: Buffer<f32, On<Compute, D>>,
}

impl<D: DeviceBrand> Engine<D> {
    fn new(device: Device<D>, weights: &[f32]) -> Result<Self> {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        Ok(Engine {
            upload,
            compute,
            model: device.load::<Model>()?,
            weights: compute.upload(weights)?,
            input: compute.zeroed(weights.len())?,
            output: compute.zeroed(weights.len())?,
        })
    }

    fn step(&mut self, host: &[f32]) -> Result<Vec<f32>> {
        let Engine { upload, compute, model, .. } = *self;
        lend(compute, upload, &mut self.input, |input| upload.write(input, host))?;
        model.diagonal(compute, host.len() as u32, &self.weights, &self.input, &mut self.output)?;
        compute.download(&self.output)
    }

    /// Weights are replaced in two pieces, each from where it is.
    fn replace_weights(&mut self, first: &[f32], second: &[f32]) -> Result<()> {
        let Engine { upload, compute, .. } = *self;
        lend(compute, upload, &mut self.weights, |weights| {
            let (head, tail) = weights.split_at_mut(first.len());
            upload.write(head, first)?;
            upload.write(tail, second)
        })
    }
}

#[test]
fn a_field_is_lent_and_comes_back() {
    let shared = shared_device();
    let mut engine = Engine::new(shared.device(), &[2.0, 3.0]).unwrap();
    assert_eq!(engine.step(&[1.0, 1.0]).unwrap(), [2.0, 3.0]);
    let before = shared.mark();
    assert_eq!(engine.step(&[2.0, 1.0]).unwrap(), [4.0, 3.0]);
    let calls = shared.counts_since(&before);
    assert_eq!((calls.of(Traced::EventRecord), calls.of(Traced::EventWait)), (2, 2), "there and back");
    assert_eq!((calls.of(Traced::Alloc), calls.of(Traced::Free)), (0, 0));
    engine.replace_weights(&[5.0], &[7.0]).unwrap();
    assert_eq!(engine.step(&[1.0, 2.0]).unwrap(), [5.0, 14.0]);
}

#[test]
fn lending_to_the_owner_itself_costs_nothing() {
    let shared = shared_device();
    let compute = shared.device().stream::<Compute>().unwrap();
    let mut x = compute.zeroed::<f32>(2).unwrap();
    let before = shared.mark();
    lend(compute, compute, &mut x, |x| compute.fill(x, 4.0)).unwrap();
    assert_eq!(shared.counts_since(&before), Counts::from([(Traced::Fill, 1)]));
    assert_eq!(compute.download(&x).unwrap(), [4.0; 2]);
}

/// Whatever fails: the field is there for the next step.
#[test]
fn a_field_comes_back_from_work_that_fails() {
    Fixture::new().run(|device, bench| {
        let mut engine = Engine::new(device, &[2.0, 3.0])?;
        engine.step(&[1.0, 1.0])?;
        assert!(engine.step(&[1.0; 3]).is_err(), "three values for two weights");
        assert_eq!(engine.step(&[5.0, 7.0])?, [10.0, 21.0]);
        // On the way there, or in the work.
        for call in [Call::EventRecord, Call::EventWait, Call::Copy] {
            bench.sim().faults().inject(Fault::nth(1).of(call));
            assert!(engine.step(&[9.0, 9.0]).is_err(), "{call}");
            assert_eq!(engine.step(&[5.0, 7.0])?, [10.0, 21.0], "after {call}");
        }
        // On the way back the host waits: the step is a success.
        for call in [Call::EventRecord, Call::EventWait] {
            bench.sim().faults().inject(Fault::nth(2).of(call));
            assert_eq!(engine.step(&[4.0, 3.0])?, [8.0, 9.0], "{call}");
            assert_eq!(bench.sim().faults().open(), 0, "{call} failed");
        }
        Ok(())
    });
}
