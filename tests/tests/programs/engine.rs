//! A struct that owns its streams and buffers across calls of a method.

use antecede::{Buffer, Device, DeviceBrand, Loose, On, Primary, Result, Stream, kernels, streams};
use antecede_sim::{Call, Fault};
use antecede_testkit::{Fixture, shared_device};
use antecede_trace::Call as Traced;

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

struct Engine<D = Primary> {
    upload: Stream<Upload, D>,
    compute: Stream<Compute, D>,
    model: Model<D>,
    weights: Buffer<f32, On<Compute, D>>,
    input: Buffer<f32, Loose<D>>,
    output: Buffer<f32, On<Compute, D>>,
}

impl<D: DeviceBrand> Engine<D> {
    fn new(device: Device<D>, weights: &[f32]) -> Result<Self> {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        Ok(Engine {
            upload,
            compute,
            model: device.load::<Model>()?,
            weights: compute.take(upload.upload(weights)?)?,
            input: upload.alloc(weights.len())?.loose(),
            output: compute.zeroed(weights.len())?,
        })
    }

    fn step(&mut self, host: &[f32]) -> Result<Vec<f32>> {
        let Engine { upload, compute, model, .. } = *self;
        let mut input = upload.take_from(&mut self.input)?;
        let written = upload.write(&mut input, host);
        self.input = input.loose();
        written?;
        let input = compute.take_from(&mut self.input)?;
        let launched = model.diagonal(compute, host.len() as u32, &self.weights, &input, &mut self.output);
        self.input = input.loose();
        launched?;
        compute.download(&self.output)
    }
}

#[test]
fn steps_follow_one_another() {
    let shared = shared_device();
    let mut engine = Engine::new(shared.device(), &[2.0, 3.0]).unwrap();
    assert_eq!(engine.step(&[1.0, 1.0]).unwrap(), [2.0, 3.0]);
    let before = shared.mark();
    assert_eq!(engine.step(&[2.0, 1.0]).unwrap(), [4.0, 3.0]);
    let calls = shared.counts_since(&before);
    assert_eq!((calls.of(Traced::EventRecord), calls.of(Traced::EventWait)), (2, 2), "there and back");
    assert_eq!(calls.of(Traced::Alloc), 0);
}

#[test]
fn a_step_that_fails_can_be_repeated() {
    Fixture::new().run(|device, bench| {
        let mut engine = Engine::new(device, &[2.0, 3.0])?;
        engine.step(&[1.0, 1.0])?;
        assert!(engine.step(&[1.0, 1.0, 1.0]).is_err(), "three values for two weights");
        for call in [Call::EventRecord, Call::EventWait, Call::Copy, Call::Launch] {
            bench.sim().faults().inject(Fault::nth(1).of(call));
            assert!(engine.step(&[9.0, 9.0]).is_err(), "{call}");
            assert_eq!(engine.step(&[5.0, 7.0])?, [10.0, 21.0], "after {call}");
        }
        Ok(())
    });
}
