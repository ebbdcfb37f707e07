use antecede::driver::{DevicePtr, Driver, ErrorKind, Pattern};

use cust::sys::{self, CUresult};

use crate::common::{Gpu, in_context};

#[test]
#[ignore = "needs a GPU"]
fn memory_is_aligned_and_apart() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let sizes = [1, 3, 255, 256, 257, 4096, 1_000_001];
    let mut ranges: Vec<(DevicePtr, usize)> = Vec::new();
    for bytes in sizes {
        ranges.push((gpu.device(&stream, bytes), bytes));
        ranges.push((gpu.pinned(bytes).ptr, bytes));
    }
    ranges.sort();
    assert!(ranges.iter().all(|(ptr, _)| ptr.0 != 0 && ptr.0 % 256 == 0), "{ranges:?}");
    assert!(ranges.windows(2).all(|pair| pair[0].0.offset(pair[0].1) <= pair[1].0), "{ranges:?}");
}

#[test]
#[ignore = "needs a GPU"]
fn fills_repeat_their_pattern_and_touch_nothing_else() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    for (pattern, unit) in [
        (Pattern::D8(0xA1), &[0xA1][..]),
        (Pattern::D16(0xB2A1), &[0xA1, 0xB2]),
        (Pattern::D32(0xD4C3_B2A1), &[0xA1, 0xB2, 0xC3, 0xD4]),
    ] {
        for count in [1, 3, 1001] {
            let (width, room) = (pattern.width(), 4 + 1001 * 4 + 4);
            let memory = gpu.upload(&stream, &vec![0x11; room]);
            gpu.fill(&stream, memory.offset(4), pattern, count);
            let mut expected = vec![0x11; room];
            expected[4..4 + width * count].copy_from_slice(&unit.repeat(count));
            assert_eq!(gpu.download(&stream, memory, room), expected, "{pattern:?}, {count} times");
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn copies_go_between_all_kinds_of_memory() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let contents: Vec<u8> = (0..100_003u32).map(|i| (i * 31 % 251) as u8).collect();
    let bytes = contents.len();
    let (first, second) = (gpu.pinned(bytes), gpu.pinned(bytes));
    let (third, fourth) = (gpu.device(&stream, bytes), gpu.device(&stream, bytes));
    first.write(&contents);
    gpu.copy(&stream, second.ptr, first.ptr, bytes);
    gpu.copy(&stream, third, second.ptr, bytes);
    gpu.copy(&stream, fourth, third, bytes);
    assert_eq!(gpu.download(&stream, fourth, bytes), contents);
}

#[test]
#[ignore = "needs a GPU"]
fn freed_memory_can_be_had_again() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let mut total = 0;
    // SAFETY: `total` outlives the call.
    let code = in_context(&gpu.context, || unsafe { sys::cuDeviceTotalMem_v2(&mut total, 0) });
    assert_eq!(code, CUresult::CUDA_SUCCESS);
    // Eight quarters of the device: without the frees this fails.
    for _ in 0..8 {
        let memory = gpu.device(&stream, total / 4);
        gpu.fill(&stream, memory, Pattern::D8(1), 4096);
        // SAFETY: allocated on this stream, once, and not used after.
        unsafe { gpu.driver.free_async(&stream, memory) }.expect("a free");
    }
    for _ in 0..64 {
        let pinned = gpu.pinned(1 << 20);
        // SAFETY: allocated in this context, once, and in no use.
        unsafe { gpu.driver.pinned_free(&gpu.context, pinned.ptr) }.expect("a free");
    }
    gpu.sync(&stream);
}

#[test]
#[ignore = "needs a GPU"]
fn more_than_there_is_is_out_of_memory() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    // SAFETY: a live stream.
    let error = unsafe { gpu.driver.alloc_async(&stream, 1 << 50) }.expect_err("nobody has a pebibyte");
    assert_eq!((error.kind, error.call, error.code), (ErrorKind::OutOfMemory, "cuMemAllocAsync", 2));
    assert!(error.message.starts_with("CUDA_ERROR_OUT_OF_MEMORY: "), "{error}");
    // The stream is as good as before.
    let memory = gpu.upload(&stream, &[7; 64]);
    assert_eq!(gpu.download(&stream, memory, 64), [7; 64]);
}
