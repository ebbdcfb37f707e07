// guarantee: a user can meet every message of the library
use antecede::ipc::ReadyFor;
use antecede::{AllOn, Buffer, Device, Exportable, Imported, On, OnDevice, Primary, ReadOnly, ReadWrite, Recorded, Result};
use antecede::{Loose, PeerAccess, Scoped, Shared, Stream, Synced, kernels, streams};
use antecede_ipc::{Exporter, Importer, Lent};
use std::ops::DerefMut;

streams! { Upload, Compute, Worker: Blocking }
type Number = u32;
kernels! { Math { unsafe fn integer(n: Number, x: &mut [f32]) where [n <= 1] { x[n as usize] = 1.0; } } }
type Ready<S> = Buffer<f32, On<S>>;
fn all_on<S, D, B: AllOn<S, D>>() {}
fn on_device<D, B: OnDevice<D>>() {}
fn out<A, R: ReadyFor<A, Primary>>(_: R) {}

fn stream_brand(device: Device) -> Result<()> { device.stream::<Upload>().map(drop) }
fn device_brand<D: antecede::DeviceBrand>(device: Device<D>) -> Result<()> { device.stream::<Compute>().map(drop) }
type State = Option<Buffer<f32, On<Compute>>>; fn state(_: State) {}
fn ready_on(compute: Stream<Compute>, x: Ready<Compute>) -> Result<Vec<f32>> { compute.download(&x) }
fn given_to(compute: Stream<Compute>, x: Buffer<f32, Synced>) -> Result<Vec<f32>> { compute.download(&x.on(compute)) }
fn claimed_by(compute: Stream<Compute>, x: Buffer<f32>) -> Result<Vec<f32>> { compute.download(&*compute.claim(x)?) }
fn host_ready(x: Buffer<f32, Synced>) -> Result<Vec<f32>> { x.to_vec() }
fn same_device(s: Stream<Compute>, x: Buffer<f32>) { let _ = s.take(x); }
fn batch(compute: Stream<Compute>, x: &mut Buffer<f32>) { let _ = compute.take_from(x); }
fn all(_: Recorded<()>, _: Device<Scoped<'_>>) { all_on::<Compute, Primary, Ready<Compute>>() }
fn device() { on_device::<Primary, Ready<Compute>>() }
fn memory(_: Buffer<f32, Synced, antecede::Pinned>) {}
fn host_visible(x: Buffer<f32, Synced>) -> usize { x.len() }
fn fill_value(compute: Stream<Compute>, mut x: Buffer<u32, On<Compute>>) -> Result<()> { compute.fill(&mut x, 1) }
fn kernels(device: Device) { let _ = device.load::<Math>(); }
fn view_range(x: Ready<Compute>) -> usize { x[..1].len() }
fn stream_list(device: Device) { let _ = device.streams::<(Compute,)>(); }
fn each_on<S, D, B: AllOn<S, D>>(s: Stream<S, D>, b: B) { let _ = s.sync(b); }
fn each_on_device<S, D, B: OnDevice<D>>(s: Stream<S, D>, b: B) { let _ = s.take(b); }
fn after_blocking(legacy: Stream<antecede::Legacy>, s: Stream<Worker>) { legacy.after_blocking(s, ()) }
fn pool(device: Device) { let _ = device.pool::<antecede::Vram>(); }
fn host_slices(s: Stream<Compute>) { let _ = s.host_fn((), |_| ()); }
fn ready_for(x: Recorded<Buffer<f32, Loose, Exportable>>) { out::<ReadOnly, _>(x) }
fn nothing_in_flight(x: Buffer<f32, Synced, Exportable>) { out::<ReadOnly, _>(x) }
fn leaves_process(x: Buffer<f32, Synced, Exportable>) { out::<ReadOnly, _>(x) }
fn readers_stay(x: Shared<Buffer<f32, Loose, Exportable>>) { out::<ReadOnly, _>(x) }
fn peer_access() { fn access<A: PeerAccess>() {} access::<ReadOnly>() }
fn writable(x: &mut Buffer<f32, Synced, Imported<ReadWrite>>) { DerefMut::deref_mut(x); }
fn exported(exporter: &mut Exporter, x: Lent<Buffer<f32>>) { let _ = exporter.reclaim(x); }
fn let_go(importer: &mut Importer, x: Buffer<f32, Synced, Imported<ReadOnly>>) { let _ = importer.release(x); }

fn main() {}
