//! A `'static`, `Send` task that holds buffers across await points.

use antecede::{Device, OnDevice, Primary, Query, Recorded, Result, Synced, kernels, streams};
use antecede_testkit::shared_device;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

streams! { Upload, Compute }

kernels! {
    Bytes {
        unsafe fn increment(x: &mut [u8]) {
            x.iter_mut().for_each(|x| *x = x.wrapping_add(1));
        }
    }
}

async fn yield_now() {
    let mut first = true;
    std::future::poll_fn(|context| {
        if std::mem::take(&mut first) {
            context.waker().wake_by_ref();
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
}

/// Asks for the event now and then; no thread is ever blocked.
async fn finished<B: OnDevice<Primary>>(mut record: Recorded<B>) -> Result<B::With<Synced>> {
    loop {
        match record.query()? {
            Query::Finished(buffers) => return Ok(buffers),
            Query::InFlight(still) => record = still,
        }
        yield_now().await;
    }
}

async fn serve(device: Device, request: Vec<u8>) -> Result<Vec<u8>> {
    let (upload, compute) = device.streams::<(Upload, Compute)>()?;
    let kernels = device.load::<Bytes>()?;
    let host = device.pinned_from(&request)?.on(upload);
    let mut on_device = upload.alloc(request.len())?;
    upload.copy(&host, &mut on_device)?;
    yield_now().await;
    let (mut host, mut on_device) = compute.take((host, on_device))?;
    kernels.increment(compute, &mut on_device)?;
    compute.copy(&on_device, &mut host)?;
    let (host, _) = finished(compute.record((host, on_device))?).await?;
    Ok(host.as_slice().to_vec())
}

type Task = Pin<Box<dyn Future<Output = Result<Vec<u8>>> + Send>>;

/// Polls all of them in turn.
fn run(mut tasks: Vec<Task>) -> Vec<Vec<u8>> {
    let mut results = vec![None; tasks.len()];
    while results.iter().any(Option::is_none) {
        for (task, result) in tasks.iter_mut().zip(&mut results).filter(|(_, result)| result.is_none()) {
            if let Poll::Ready(ready) = task.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                *result = Some(ready.unwrap());
            }
        }
    }
    results.into_iter().flatten().collect()
}

#[test]
fn many_tasks_at_once() {
    let shared = shared_device();
    let tasks = (0..10u8).map(|i| Box::pin(serve(shared.device(), vec![i, i + 1])) as Task).collect();
    let expected: Vec<Vec<u8>> = (0..10u8).map(|i| vec![i + 1, i + 2]).collect();
    assert_eq!(run(tasks), expected);
}

#[test]
fn a_task_moves_between_threads() {
    let device = shared_device().device();
    let mut task: Task = Box::pin(serve(device, vec![5, 6]));
    for _ in 0..10_000 {
        let (back, ready) = std::thread::spawn(move || {
            let ready = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            (task, ready)
        })
        .join()
        .unwrap();
        task = back;
        if let Poll::Ready(found) = ready {
            assert_eq!(found.unwrap(), [6, 7]);
            return;
        }
    }
    panic!("the task never ends");
}

/// A task that is dropped half way drops its buffers where they are ready.
#[test]
fn a_cancelled_task_frees_in_order() {
    antecede_testkit::in_own_process!({
        let shared = shared_device();
        for polls in 0..4 {
            let mut task: Task = Box::pin(serve(shared.device(), vec![1; 64]));
            for _ in 0..polls {
                let _ = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            }
            drop(task);
            assert_eq!(shared.sim().live().allocations, 0, "after {polls} polls");
        }
        assert_eq!(shared.device().leaked(), 0);
    });
}
