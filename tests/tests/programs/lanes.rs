//! As many workers as the machine has room for, each with a stream of its own out of a vector, and weights that all of
//! them read at once.

use antecede::{AnyStream, Buffer, Device, DeviceBrand, Loose, On, Result, Shared, Stream, kernels, streams};
use antecede_sim::{Call as SimCall, Fault};
use antecede_testkit::{Fixture, in_own_process, on_sim, shared_device};
use antecede_trace::Call;
use std::thread;

streams! { Main }

kernels! {
    Linear {
        unsafe fn axpy(a: f32, x: &[f32], y: &mut [f32]) where [x.len() == y.len()] {
            y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
        }
    }
}

const LEN: usize = 64;
const ROUNDS: u16 = 3;

type Weights<D> = Shared<Buffer<f32, Loose<D>>, D>;

/// What one worker does, on the stream that it was given: `ROUNDS` times `index` times the weights.
fn worker<D>(linear: Linear<D>, lane: AnyStream<D>, index: u16, weights: &Weights<D>) -> Result<Buffer<f32, Loose<D>>> {
    lane.with(|stream| {
        let mut y = stream.zeroed::<f32>(LEN)?;
        for _ in 0..ROUNDS {
            linear.axpy(stream, f32::from(index), &stream.lease(weights)?, &mut y)?;
        }
        Ok(y.loose())
    })
}

struct Pool<D> {
    main: Stream<Main, D>,
    linear: Linear<D>,
    lanes: Vec<AnyStream<D>>,
}

impl<D: DeviceBrand + Send> Pool<D> {
    fn new(device: Device<D>, workers: usize) -> Result<Self> {
        let lanes = (0..workers).map(|_| device.any_stream()).collect::<Result<_>>()?;
        Ok(Pool { main: device.stream()?, linear: device.load::<Linear>()?, lanes })
    }

    /// The sum of what all workers found; the weights come back, to be written again.
    fn run(&self, weights: &mut Buffer<f32, On<Main, D>>) -> Result<Vec<f32>> {
        let Pool { main, linear, .. } = *self;
        let shared = main.share(std::mem::take(weights)).map_err(|failed| failed.restore(weights))?;
        let results = thread::scope(|scope| {
            let spawn = |(&lane, index)| {
                let shared = &shared;
                scope.spawn(move || worker(linear, lane, index, shared))
            };
            let jobs: Vec<_> = self.lanes.iter().zip(0..).map(spawn).collect();
            // All are joined, also after one that failed.
            let done: Vec<_> = jobs.into_iter().map(|job| job.join().expect("no worker panics")).collect();
            done.into_iter().collect::<Result<Vec<_>>>()
        });
        *weights = main.reunite(shared)?;
        let mut sum = main.zeroed::<f32>(LEN)?;
        for y in &main.take(results?)? {
            linear.axpy(main, 1.0, y, &mut sum)?;
        }
        main.download(&sum)
    }
}

#[test]
fn workers_read_the_same_weights() {
    const WORKERS: u64 = 4;
    in_own_process!({
        let shared = shared_device();
        let pool = Pool::new(shared.device(), WORKERS as usize).unwrap();
        let mut weights = pool.main.upload(&[1.0; LEN]).unwrap();
        assert_eq!(pool.run(&mut weights).unwrap(), [18.0; LEN]);
        let before = shared.mark();
        // Written again, after everybody has read.
        pool.main.fill(&mut weights, 2.0).unwrap();
        assert_eq!(pool.run(&mut weights).unwrap(), [36.0; LEN]);
        let calls = shared.driver().counts_since(&before);
        assert_eq!(calls.of(Call::EventRecord), 1 + WORKERS + WORKERS, "the share, each reader, each result");
        assert_eq!(calls.of(Call::EventWait), WORKERS + WORKERS + WORKERS, "one for all leases of a worker");
        assert_eq!(calls.of(Call::Launch), WORKERS * u64::from(ROUNDS) + WORKERS);
        assert_eq!(calls.of(Call::EventSync) + calls.of(Call::ContextSync), 0, "nobody waits but the download");
        assert_eq!((calls.of(Call::StreamCreate), calls.of(Call::StreamSync)), (0, 1));
        antecede_trace::judge(&shared.driver().log()).assert_silent();
    });
}

/// Any number of them, also none, on a device of their own; and after one has failed.
#[test]
fn any_number_of_workers() {
    on_sim(|device, _| {
        for workers in [0u16, 1, 7] {
            let pool = Pool::new(device, usize::from(workers))?;
            let mut weights = pool.main.upload(&[1.0; LEN])?;
            let expected = ROUNDS * workers * workers.saturating_sub(1) / 2;
            assert_eq!(pool.run(&mut weights)?, [f32::from(expected); LEN], "{workers} workers");
        }
        Ok(())
    });
    Fixture::new().run(|device, bench| {
        let pool = Pool::new(device, 3)?;
        let mut weights = pool.main.upload(&[1.0; LEN])?;
        bench.sim().faults().inject(Fault::nth(4).of(SimCall::Launch));
        assert!(pool.run(&mut weights).is_err());
        assert_eq!(weights.len(), LEN, "the weights are back");
        assert_eq!(pool.run(&mut weights)?, [9.0; LEN]);
        Ok(())
    });
}
