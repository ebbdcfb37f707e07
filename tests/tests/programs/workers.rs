//! Threads that each work on a stream, and a main thread that joins what they made.

use antecede::{Buffer, Device, Result, Stream, kernels, streams};
use antecede_testkit::in_own_process;
use antecede_trace::Call;
use std::sync::{Mutex, mpsc};
use std::thread;

streams! { Main, Left, Right }

kernels! {
    Sums {
        unsafe fn add(a: f32, y: &mut [f32]) {
            y.iter_mut().for_each(|y| *y += a);
        }
        unsafe fn accumulate(x: &[f32], y: &mut [f32]) where [x.len() == y.len()] {
            y.iter_mut().zip(x).for_each(|(y, x)| *y += x);
        }
    }
}

/// Takes jobs off a shared queue, and sends results on without waiting for them.
fn worker<S>(
    stream: Stream<S>,
    sums: Sums,
    jobs: &Mutex<mpsc::Receiver<f32>>,
    done: &mpsc::Sender<Buffer<f32>>,
) -> Result<()> {
    loop {
        let Ok(job) = jobs.lock().unwrap().recv() else { return Ok(()) };
        let mut y = stream.zeroed::<f32>(4)?;
        sums.add(stream, job, &mut y)?;
        done.send(y.loose()).unwrap();
    }
}

fn sum_of_jobs(device: Device, jobs: u16) -> Result<Vec<f32>> {
    let (main, left, right) = device.streams::<(Main, Left, Right)>()?;
    let sums = device.load::<Sums>()?;
    let (submit, queue) = mpsc::channel();
    let (done, results) = mpsc::channel();
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        let workers =
            [scope.spawn(|| worker(left, sums, &queue, &done)), scope.spawn(|| worker(right, sums, &queue, &done))];
        (0..jobs).for_each(|job| submit.send(f32::from(job)).unwrap());
        drop(submit);
        let results: Vec<_> = (0..jobs).map(|_| results.recv().unwrap()).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap())?;
        let mut sum = main.zeroed::<f32>(4)?;
        for y in &main.take(results)? {
            sums.accumulate(main, y, &mut sum)?;
        }
        main.download(&sum)
    })
}

#[test]
fn a_join_costs_one_hand_over_for_each_worker() {
    in_own_process!({
        let shared = antecede_testkit::shared_device();
        assert_eq!(sum_of_jobs(shared.device(), 20).unwrap(), [190.0; 4]);
        let waits = shared.driver().counts().of(Call::EventWait);
        assert!((1..=2).contains(&waits), "{waits}: as many workers as came to work");
        antecede_trace::judge(&shared.driver().log()).assert_silent();
    });
}
