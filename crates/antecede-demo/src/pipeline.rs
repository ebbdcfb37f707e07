//! Three streams, a ring of slots, three host threads.
//!
//! ```text
//! host thread    reads           submits                                           writes
//!                ┌──────┐        ┌──────────┬─ wait ─┬───────────┬─ wait ─┬──────────┐   ┌───────┐
//! a slot's way   │ fill ├─ ··· ─▶│ `Upload` │        │ `Compute` │        │`Download`├─▶ │ write │
//!                └──▲───┘        └──────────┴────────┴───────────┴────────┴──────────┘   └───┬───┘
//!                   └────────────────────────── idle ────────────────────────────────────────┘
//! ```
//!
//! While one chunk is copied to the device, another is enciphered and a third is copied back, and the host reads a
//! fourth and writes a fifth. A slot is in one place at a time: its type says where, and channels carry it from thread to
//! thread.

use std::io;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use antecede::{Buffer, Device, DeviceBrand, Loose, On, Recorded, Stream, Synced, streams};

use crate::key::Cipher;
use crate::sink::Sink;
use crate::size::ChunkSize;
use crate::slot::Slot;
use crate::source::Source;
use crate::trusted::Chacha;

streams! {
    /// Copies chunks to the device.
    pub Upload,
    /// Enciphers them.
    pub Compute,
    /// Copies them back.
    pub Download,
}

/// The size of the ring, which is the most that is on its way at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ring {
    /// Slots, at least three: one for each stream.
    pub slots: usize,
    /// Bytes of a chunk.
    pub chunk: ChunkSize,
}

impl Ring {
    /// The fewest slots with which both copies and the kernel overlap.
    pub const FEWEST_SLOTS: usize = 3;
}

/// 4 slots of 4 MiB: with pinned and device memory for input and output, 64 MiB in all.
impl Default for Ring {
    fn default() -> Self {
        Ring { slots: 4, chunk: ChunkSize::default() }
    }
}

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The source failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// The sink failed.
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
    /// The block counter does not reach to the end of the source.
    #[error("the block counter does not reach to the end")]
    Counter,
    /// The device failed.
    #[error("the device failed: {0}")]
    Device(#[from] antecede::Error),
}

/// A cipher on a device, with all memory that it needs.
#[derive(Debug)]
pub struct Pipeline<D: DeviceBrand = antecede::Primary> {
    device: Device<D>,
    streams: (Stream<Upload, D>, Stream<Compute, D>, Stream<Download, D>),
    kernels: Chacha<D>,
    cipher: Cipher,
    key_nonce: Buffer<u32, On<Compute, D>>,
    ring: Ring,
    idle: Vec<Slot<Synced<D>>>,
}

type Idle<D> = Slot<Synced<D>>;
type InFlight<D> = Recorded<Slot<Loose<D>>, D>;

impl<D: DeviceBrand> Pipeline<D> {
    /// Opens the streams, loads the kernel and allocates the ring.
    ///
    /// # Errors
    /// [`Failure::Device`].
    ///
    /// # Panics
    /// If the ring has less than [`Ring::FEWEST_SLOTS`] slots.
    pub fn new(device: Device<D>, cipher: Cipher, ring: Ring) -> Result<Self, Failure> {
        assert!(ring.slots >= Ring::FEWEST_SLOTS, "a ring has at least {} slots", Ring::FEWEST_SLOTS);
        let streams = device.streams::<(Upload, Compute, Download)>()?;
        let kernels = device.load::<Chacha>()?;
        let key_nonce = streams.1.upload(cipher.words())?;
        let mut pipeline = Pipeline { device, streams, kernels, cipher, key_nonce, ring, idle: Vec::new() };
        pipeline.fill_ring()?;
        Ok(pipeline)
    }

    /// Enciphers all of `source` into `sink`, from the cipher's first counter on, and returns the number of bytes.
    /// `progress` is told of the bytes of each chunk that is written.
    ///
    /// For each chunk, two `cuMemcpyAsync`, one `cuLaunchKernel`, two hand-overs (`cuEventRecord` and
    /// `cuStreamWaitEvent` each), and `cuEventRecord` and `cuEventSynchronize` for the host. Nothing is allocated.
    ///
    /// # Errors
    /// The first failure. What was written until then stays written.
    pub fn run(
        &mut self,
        source: &mut dyn Source,
        sink: &mut dyn Sink,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<u64, Failure> {
        self.fill_ring()?;
        let slots = self.ring.slots;
        // No channel is ever full: each has room for the whole ring.
        let (to_reader, mut idle) = sync_channel(slots);
        let (to_submitter, filled) = sync_channel(slots);
        let (to_writer, submitted) = sync_channel(slots);
        for slot in self.idle.drain(..) {
            let _ = to_reader.send(slot);
        }
        let (this, idle_slots) = (&*self, &mut idle);
        let first = FirstFailure::default();
        let (unused, bytes) = thread::scope(|scope| {
            let reader = scope.spawn(|| first.note(read(&this.cipher, source, idle_slots, to_submitter)));
            let writer = scope.spawn(|| first.note(write(submitted, sink, to_reader, progress)));
            first.note(this.submit_all(filled, to_writer));
            (joined(reader).flatten(), joined(writer))
        });
        first.result()?;
        self.idle.extend(unused.into_iter().chain(idle.try_iter()));
        Ok(bytes.unwrap_or(0))
    }

    /// Makes up for slots that an earlier run lost by failing.
    fn fill_ring(&mut self) -> Result<(), Failure> {
        while self.idle.len() < self.ring.slots {
            self.idle.push(Slot::new(self.device, self.streams.0, self.ring.chunk)?);
        }
        Ok(())
    }

    fn submit_all(&self, filled: Receiver<Idle<D>>, to_writer: SyncSender<InFlight<D>>) -> Result<(), Failure> {
        for slot in filled {
            if to_writer.send(self.submit(slot)?).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// One chunk's way over the device. The host does not wait.
    fn submit(&self, slot: Idle<D>) -> antecede::Result<InFlight<D>> {
        let (upload, compute, download) = self.streams;
        let n = slot.len;
        let mut slot = upload.take(slot)?;
        upload.copy(&slot.source[..n], &mut slot.input[..n])?;
        let mut slot = compute.take(slot)?;
        self.kernels.chacha20(compute, n as u32, &self.key_nonce, slot.counter, &slot.input, &mut slot.output)?;
        let mut slot = download.take(slot)?;
        download.copy(&slot.output[..n], &mut slot.sink[..n])?;
        Ok(download.record(slot)?)
    }
}

/// Fills idle slots until the source ends; returns the slot that was left empty. A channel that is closed at its other
/// end: another thread has failed, and has said so.
fn read<D>(
    cipher: &Cipher,
    source: &mut dyn Source,
    idle: &mut Receiver<Idle<D>>,
    to_submitter: SyncSender<Idle<D>>,
) -> Result<Option<Idle<D>>, Failure> {
    let mut start = 0;
    for mut slot in &*idle {
        slot.len = source.fill(slot.source.as_mut_slice()).map_err(Failure::Read)?;
        if slot.len == 0 {
            return Ok(Some(slot));
        }
        let is_last = slot.len < slot.source.len();
        slot.counter = cipher.counter_at(start, slot.len as u64).ok_or(Failure::Counter)?;
        start += slot.len as u64;
        if to_submitter.send(slot).is_err() || is_last {
            break;
        }
    }
    Ok(None)
}

/// Waits for chunks in the order of their submission, and writes them; returns the number of bytes.
fn write<D: DeviceBrand>(
    submitted: Receiver<InFlight<D>>,
    sink: &mut dyn Sink,
    to_reader: SyncSender<Idle<D>>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<u64, Failure> {
    let mut bytes = 0;
    for recorded in submitted {
        let slot: Idle<D> = recorded.synchronize()?;
        sink.put(&slot.sink.as_slice()[..slot.len]).map_err(Failure::Write)?;
        bytes += slot.len as u64;
        progress(slot.len as u64);
        // The reader's end of the channel outlives this thread.
        let _ = to_reader.send(slot);
    }
    Ok(bytes)
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What failed first. Later failures follow from it.
#[derive(Default)]
struct FirstFailure(OnceLock<Failure>);

impl FirstFailure {
    fn note<T>(&self, result: Result<T, Failure>) -> Option<T> {
        result.map_err(|failure| self.0.set(failure)).ok()
    }

    fn result(self) -> Result<(), Failure> {
        self.0.into_inner().map_or(Ok(()), Err)
    }
}

impl<B> From<antecede::Failed<B>> for Failure {
    fn from(failed: antecede::Failed<B>) -> Self {
        Failure::Device(failed.error)
    }
}
