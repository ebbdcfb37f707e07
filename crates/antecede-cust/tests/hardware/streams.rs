use antecede::driver::{Driver, Pattern, StreamKind};
use cust::sys::{self, CUevent, CUresult, CUstream};

use crate::common::{Gpu, in_context};

#[test]
#[ignore = "needs a GPU"]
fn streams_have_the_flags_of_their_kind() {
    let gpu = Gpu::open();
    for (kind, expected) in [(StreamKind::NonBlockingStream, 1), (StreamKind::BlockingStream, 0)] {
        let stream = gpu.stream(kind);
        let mut flags = u32::MAX;
        in_context(&gpu.context, || {
            // SAFETY: `flags` outlives the call, on a live stream.
            assert_eq!(unsafe { sys::cuStreamGetFlags(stream.handle as CUstream, &mut flags) }, CUresult::CUDA_SUCCESS);
        });
        assert_eq!(flags, expected, "{kind:?}");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn built_in_streams_have_their_handles_and_no_end() {
    let gpu = Gpu::open();
    for (stream, handle) in [(gpu.legacy(), 1), (gpu.per_thread(), 2)] {
        assert_eq!(stream.handle, handle);
        for round in 0..2 {
            let memory = gpu.device(&stream, 4096);
            gpu.fill(&stream, memory, Pattern::D8(round), 4096);
            assert_eq!(gpu.download(&stream, memory, 4096), [round; 4096]);
            gpu.free(&stream, memory);
            // SAFETY: nothing happens to a built-in stream.
            unsafe { gpu.driver.stream_destroy(&stream) }.expect("does nothing");
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn priorities_are_clamped_to_the_devices_range() {
    let gpu = Gpu::open();
    let (mut least, mut greatest) = (0, 0);
    in_context(&gpu.context, || {
        // SAFETY: both outlive the call.
        assert_eq!(unsafe { sys::cuCtxGetStreamPriorityRange(&mut least, &mut greatest) }, CUresult::CUDA_SUCCESS);
    });
    // SAFETY: an open context.
    assert_eq!(unsafe { gpu.driver.priority_range(&gpu.context) }, Ok((least, greatest)));
    assert!(greatest <= least, "the higher priority is the smaller number");
    for (asked, expected) in [(i32::MIN, greatest), (greatest, greatest), (least, least), (i32::MAX, least)] {
        let stream = gpu.try_stream(StreamKind::NonBlockingStream, asked).expect("any priority will do");
        let mut priority = i32::MAX;
        in_context(&gpu.context, || {
            // SAFETY: `priority` outlives the call, on a live stream.
            let code = unsafe { sys::cuStreamGetPriority(stream.handle as CUstream, &mut priority) };
            assert_eq!(code, CUresult::CUDA_SUCCESS);
        });
        assert_eq!(priority, expected, "asked for {asked}");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn events_keep_no_time() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let (start, end) = (gpu.event(), gpu.event());
    let mut milliseconds = 0.0;
    // SAFETY: live handles of one context; both events are recorded and complete.
    let code = unsafe {
        gpu.driver.event_record(&start, &stream).expect("a record");
        gpu.driver.event_record(&end, &stream).expect("a record");
        gpu.driver.event_sync(&end).expect("gets there");
        in_context(&gpu.context, || {
            sys::cuEventElapsedTime(&mut milliseconds, start.handle as CUevent, end.handle as CUevent)
        })
    };
    assert_eq!(code, CUresult::CUDA_ERROR_INVALID_HANDLE);
}

#[test]
#[ignore = "needs a GPU"]
fn what_was_synchronised_is_done() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let (memory, seen) = (gpu.device(&stream, 1 << 20), gpu.pinned(1 << 20));
    for (round, wait) in ["stream", "event", "context"].into_iter().enumerate() {
        let value = round as u8 + 1;
        gpu.fill(&stream, memory, Pattern::D8(value), 1 << 20);
        gpu.copy(&stream, seen.ptr, memory, 1 << 20);
        let event = gpu.event();
        // SAFETY: live handles.
        unsafe {
            gpu.driver.event_record(&event, &stream).expect("a record");
            match wait {
                "stream" => gpu.driver.stream_sync(&stream),
                "event" => gpu.driver.event_sync(&event),
                _ => gpu.driver.context_sync(&gpu.context),
            }
            .expect("gets there");
            assert!(seen.read().iter().all(|&byte| byte == value), "{wait}");
            assert_eq!(gpu.driver.event_query(&event), Ok(true));
            assert_eq!(gpu.driver.stream_query(&stream), Ok(true));
            gpu.driver.event_destroy(&event).expect("ends");
        }
    }
    // SAFETY: a live stream, to which nothing is submitted any more.
    unsafe { gpu.driver.stream_destroy(&stream) }.expect("ends");
}
