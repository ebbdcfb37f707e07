//! A file goes through the device in chunks, on three streams, over a ring of slots.

use antecede::{Batch, Buffer, Device, Loose, Pinned, Recorded, State, Synced, kernels, streams};
use antecede_testkit::shared_device;
use antecede_trace::Call;
use std::collections::VecDeque;
use std::error::Error;
use std::io::{Read, Write};

streams! { Upload, Compute, Download }

kernels! {
    Cipher {
        unsafe fn xor(n: u32, key: u8, x: &mut [u8]) where [n as usize <= x.len()] {
            x[..n as usize].iter_mut().for_each(|byte| *byte ^= key);
        }
    }
}

#[derive(Batch)]
struct Slot<St: State> {
    source: Buffer<u8, St, Pinned>,
    sink: Buffer<u8, St, Pinned>,
    on_device: Buffer<u8, St>,
}

type Ring = VecDeque<(usize, Recorded<Slot<Loose>>)>;

fn encrypt(device: Device, input: &mut impl Read, output: &mut impl Write, chunk: usize) -> Result<(), Box<dyn Error>> {
    let (upload, compute, download) = device.streams::<(Upload, Compute, Download)>()?;
    let cipher = device.load::<Cipher>()?;
    let mut idle = Vec::new();
    for _ in 0..3 {
        let on_device = upload.sync(upload.alloc(chunk)?)?;
        idle.push(Slot { source: device.pinned(chunk)?, sink: device.pinned(chunk)?, on_device });
    }
    let mut ring = Ring::new();
    loop {
        let mut slot = match idle.pop() {
            Some(slot) => slot,
            None => finish(ring.pop_front().ok_or("neither idle nor in flight")?, output)?,
        };
        let read = input.read(slot.source.as_mut_slice())?;
        if read == 0 {
            break;
        }
        let mut slot = upload.take(slot)?;
        upload.copy(&slot.source[..read], &mut slot.on_device[..read])?;
        let mut slot = compute.take(slot)?;
        cipher.xor(compute, read as u32, 0x5a, &mut slot.on_device)?;
        let mut slot = download.take(slot)?;
        download.copy(&slot.on_device[..read], &mut slot.sink[..read])?;
        ring.push_back((read, download.record(slot)?));
    }
    for in_flight in ring {
        finish(in_flight, output)?;
    }
    Ok(())
}

fn finish(
    (read, slot): (usize, Recorded<Slot<Loose>>),
    output: &mut impl Write,
) -> Result<Slot<Synced>, Box<dyn Error>> {
    let slot = slot.synchronize()?;
    output.write_all(&slot.sink.as_slice()[..read])?;
    Ok(slot)
}

#[test]
fn every_chunk_arrives_encrypted_and_in_order() {
    let shared = shared_device();
    for chunk in [1, 64, 1000, 4096] {
        let input: Vec<u8> = (0..1000u32).map(|i| i as u8).collect();
        let mut output = Vec::new();
        encrypt(shared.device(), &mut &input[..], &mut output, chunk).unwrap();
        assert!(output.len() == 1000 && input.iter().zip(&output).all(|(a, b)| a ^ 0x5a == *b));
    }
}

/// Two hand-overs a chunk (the slot comes back from the host), and a record for the host.
#[test]
fn a_chunk_costs_two_hand_overs_and_a_record() {
    let shared = shared_device();
    let run = |chunks: usize| {
        let input = vec![1; 64 * chunks];
        let before = shared.mark();
        encrypt(shared.device(), &mut &input[..], &mut Vec::new(), 64).unwrap();
        shared.counts_since(&before)
    };
    let (few, many) = (run(10), run(30));
    let more = |call| many.of(call) - few.of(call);
    assert_eq!((more(Call::EventRecord), more(Call::EventWait), more(Call::EventSync)), (60, 40, 20));
    assert_eq!((more(Call::Copy), more(Call::Launch), more(Call::StreamSync)), (40, 20, 0));
    assert_eq!(more(Call::Alloc), 0);
}
