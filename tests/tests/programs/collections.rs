//! Trait objects: tensors of several element types in one map, ready on one stream.

use antecede::{Buffer, FillValue, On, Result, Stream, streams};
use antecede_testkit::shared_device;
use std::collections::BTreeMap;

streams! { Compute }

/// Its element type is erased, its stream is not.
trait Tensor<S>: Send {
    fn clear(&mut self, stream: Stream<S>) -> Result<()>;
    fn set(&mut self, stream: Stream<S>, value: u8) -> Result<()>;
    fn total(&self, stream: Stream<S>) -> Result<f64>;
}

impl<T: FillValue + From<u8> + Into<f64> + Send, S: Send> Tensor<S> for Buffer<T, On<S>> {
    fn clear(&mut self, stream: Stream<S>) -> Result<()> {
        stream.clear(self)
    }
    fn set(&mut self, stream: Stream<S>, value: u8) -> Result<()> {
        stream.fill(self, T::from(value))
    }
    fn total(&self, stream: Stream<S>) -> Result<f64> {
        Ok(stream.download(self)?.into_iter().map(Into::into).sum())
    }
}

#[test]
fn tensors_of_several_types() {
    let shared = shared_device();
    let compute = shared.device().stream::<Compute>().unwrap();
    let mut all: BTreeMap<&str, Box<dyn Tensor<Compute>>> = BTreeMap::new();
    all.insert("weights", Box::new(compute.alloc::<f32>(8).unwrap()));
    all.insert("index", Box::new(compute.alloc::<i32>(16).unwrap()));
    all.insert("bytes", Box::new(compute.alloc::<u8>(32).unwrap()));
    for tensor in all.values_mut() {
        tensor.clear(compute).unwrap();
        assert_eq!(tensor.total(compute).unwrap(), 0.0);
        tensor.set(compute, 2).unwrap();
    }
    // They are freed on their stream from another thread.
    let totals =
        std::thread::spawn(move || all.values().map(|tensor| tensor.total(compute).unwrap()).collect::<Vec<_>>());
    assert_eq!(totals.join().unwrap(), [64.0, 32.0, 16.0]);
}
