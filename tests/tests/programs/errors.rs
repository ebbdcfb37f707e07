//! `?` into plain, boxed and the caller's own errors; and buffers that are recovered from a failure.

use antecede::{Buffer, Error, Failed, On, Result, Stream, streams};
use antecede_sim::{Call, Fault};
use antecede_testkit::{Shared, shared_device};
use std::fmt;

streams! { Upload, Compute }

type There = Buffer<f32, On<Upload>>;
type Here = Buffer<f32, On<Compute>>;

#[derive(Debug)]
struct Own(Error);

impl fmt::Display for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "own: {}", self.0)
    }
}
impl std::error::Error for Own {}
impl From<Error> for Own {
    fn from(error: Error) -> Self {
        Own(error)
    }
}

fn plain(compute: Stream<Compute>, x: There) -> Result<Here> {
    Ok(compute.take(x)?)
}

fn boxed(compute: Stream<Compute>, x: There) -> Result<Here, Box<dyn std::error::Error + Send + Sync>> {
    Ok(compute.take(x)?)
}

fn own(compute: Stream<Compute>, x: There) -> Result<Here, Own> {
    compute.take(x).map_err(|failed| Own(failed.error))
}

fn retry(compute: Stream<Compute>, mut x: There) -> Result<Here> {
    for _ in 0..3 {
        match compute.take(x) {
            Ok(x) => return Ok(x),
            Err(Failed { buffers, .. }) => x = buffers,
        }
    }
    plain(compute, x)
}

fn setup() -> (Shared, Stream<Upload>, Stream<Compute>) {
    let shared = shared_device();
    let (upload, compute) = shared.device().streams::<(Upload, Compute)>().unwrap();
    (shared, upload, compute)
}

fn fail_next(shared: &Shared, call: Call) {
    shared.sim().faults().inject(Fault::nth(1).of(call).on_this_thread());
}

#[test]
fn the_plain_error_goes_into_any_other() {
    let (shared, upload, compute) = setup();
    fail_next(&shared, Call::EventWait);
    let one = plain(compute, upload.alloc(4).unwrap()).unwrap_err().to_string();
    fail_next(&shared, Call::EventWait);
    let two = boxed(compute, upload.alloc(4).unwrap()).unwrap_err().to_string();
    fail_next(&shared, Call::EventWait);
    let three = own(compute, upload.alloc(4).unwrap()).unwrap_err().to_string();
    assert_eq!(one, two);
    assert_eq!(three, format!("own: {one}"));
    assert!(one.contains("cuStreamWaitEvent"), "{one}");
}

/// The conversion drops the buffers, which is a free in the order of their stream.
#[test]
fn a_question_mark_frees_in_order() {
    let (shared, upload, compute) = setup();
    let before = shared.mark();
    fail_next(&shared, Call::EventWait);
    assert!(plain(compute, upload.alloc(4).unwrap()).is_err());
    let calls = shared.counts_since(&before);
    assert_eq!((calls.of(antecede_trace::Call::Alloc), calls.of(antecede_trace::Call::Free)), (1, 1));
}

#[test]
fn a_buffer_is_tried_again() {
    let (shared, upload, compute) = setup();
    fail_next(&shared, Call::EventRecord);
    let x = retry(compute, upload.upload(&[1.0, 2.0]).unwrap()).unwrap();
    assert_eq!(compute.download(&x).unwrap(), [1.0, 2.0]);
}

#[test]
fn a_field_is_put_back() {
    let (shared, upload, compute) = setup();
    let mut place = upload.upload(&[1.0f32, 2.0]).unwrap();
    fail_next(&shared, Call::EventWait);
    assert!(compute.take_from(&mut place).is_err());
    assert_eq!(upload.download(&place).unwrap(), [1.0, 2.0]);
    assert_eq!(compute.take_from(&mut place).unwrap().len(), 2);
    assert!(place.is_empty());
}
