// guarantee: a user can meet every message of the library
// message: this buffer is not ready on stream `Compute`
// errors: 32
use antecede::ipc::ReadyFor;
use antecede::{AllOn, Buffer, Device, Exportable, Imported, On, OnDevice, Primary, ReadOnly, ReadWrite, Recorded, Result};
use antecede::{Loose, PeerAccess, Scoped, Shared, Stream, Synced, kernels, streams};
use antecede_ipc::{Exporter, Importer};
use std::ops::DerefMut;

streams! { Upload, Compute }
type Number = f32;
kernels! { Math { unsafe fn integer(n: Number, x: &mut [f32]) where [n <= 1] { x[n as usize] = 1.0; } } }
type Ready<S> = Buffer<f32, On<S>>;
fn all_on<S, D, B: AllOn<S, D>>() {}
fn on_device<D, B: OnDevice<D>>() {}
fn out<A, R: ReadyFor<A, Primary>>(_: R) {}

fn stream_brand(device: Device) -> Result<()> { device.stream::<u8>().map(drop) }
fn device_brand<D>(device: Device<D>) -> Result<()> { device.stream::<Compute>().map(drop) }
type State = Option<Buffer<f32, Compute>>; fn state(_: State) {}
fn ready_on(compute: Stream<Compute>, x: Ready<Upload>) -> Result<Vec<f32>> { compute.download(&x) }
fn given_to(compute: Stream<Compute>, x: Buffer<f32, Synced>) -> Result<Vec<f32>> { compute.download(&x) }
fn claimed_by(compute: Stream<Compute>, x: Buffer<f32>) -> Result<Vec<f32>> { compute.download(&x) }
fn host_ready(x: Ready<Upload>) -> Result<Vec<f32>> { x.to_vec() }
fn same_device(s: Stream<Compute, Scoped<'_>>, x: Buffer<f32>) { let _ = s.take(x); }
fn batch(compute: Stream<Compute>, x: &mut Buffer<f32>) { let _ = compute.take(x); }
fn all(_: Recorded<()>, _: Device<Scoped<'_>>) { all_on::<Compute, Primary, f32>() }
fn device() { on_device::<Primary, f32>() }
fn memory(_: Buffer<f32, Synced, Compute>) {}
fn host_visible(x: Buffer<f32, Synced>) -> usize { x.as_slice().len() }
fn fill_value(compute: Stream<Compute>, mut x: Buffer<u64, On<Compute>>) -> Result<()> { compute.fill(&mut x, 1) }
fn kernels(device: Device) { let _ = device.load::<Compute>(); }
fn view_range(x: Ready<Compute>) -> usize { x[0].len() }
fn stream_list(device: Device) { let _ = device.streams::<Compute>(); }
fn each_on<S, D, B: antecede::Batch>(s: Stream<S, D>, b: B) { let _ = s.sync(b); }
fn each_on_device<S, D, B: antecede::Batch>(s: Stream<S, D>, b: B) { let _ = s.take(b); }
fn after_blocking(legacy: Stream<antecede::Legacy>, s: Stream<Compute>) { legacy.after_blocking(s, ()) }
fn pool(device: Device) { let _ = device.pool::<Compute>(); }
fn host_slices(s: Stream<Compute>) { let _ = s.host_fn(antecede::Kept(1), |_| ()); }
fn ready_for(x: Ready<Compute>) { out::<ReadOnly, _>((x,)) }
fn nothing_in_flight(x: Buffer<f32, On<Compute>, Exportable>) { out::<ReadOnly, _>(x) }
fn leaves_process(x: Buffer<f32, Synced>) { out::<ReadOnly, _>(x) }
fn readers_stay(x: Shared<Buffer<f32, Loose, Exportable>>) { out::<ReadWrite, _>(x) }
fn peer_access() { fn access<A: PeerAccess>() {} access::<Compute>() }
fn writable(x: &mut Buffer<f32, Synced, Imported<ReadOnly>>) { DerefMut::deref_mut(x); }
fn exported(exporter: &mut Exporter, x: Buffer<f32>) { let _ = exporter.reclaim(x); }
fn let_go(importer: &mut Importer, x: Buffer<f32, On<Compute>, Imported<ReadOnly>>) { let _ = importer.release(x); }

fn main() {}
