//! Attack: sizes that overflow, and memory that runs out.

use antecede::driver::ErrorKind;
use antecede::{Error, Failed};
use antecede_testkit::Fixture;
use antecede_tests::{A, B};

#[test]
fn sizes_that_overflow_ask_for_nothing() {
    Fixture::new().run(|device, bench| {
        let a = device.stream::<A>()?;
        let (_, calls) = bench.counts(|| {
            for len in [usize::MAX, usize::MAX / 4, usize::MAX / 4 + 1, usize::MAX / 2, (isize::MAX as usize) / 4 + 1] {
                assert!(matches!(a.alloc::<u32>(len), Err(Error::TooLarge { element: 4, .. })), "{len}");
                assert!(matches!(a.zeroed::<u32>(len), Err(Error::TooLarge { .. })));
                assert!(matches!(device.pinned::<u32>(len), Err(Error::TooLarge { .. })));
            }
        });
        assert_eq!(calls.total(), 0);
        Ok(())
    });
}

#[test]
fn memory_that_runs_out_is_an_error_and_loses_nothing() {
    Fixture::new().memory(1 << 20).run(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let x = a.zeroed::<u8>(900 << 10)?;
        let Err(Error::Driver(error)) = b.alloc::<u8>(900 << 10) else { panic!("there is not so much") };
        assert_eq!(error.kind(), ErrorKind::OutOfMemory);
        assert!(matches!(a.alloc::<u8>(isize::MAX as usize), Err(Error::Driver(_))));
        let x = b.take(x)?;
        assert_eq!(b.download(&x[..4])?, [0; 4]);
        drop(x);
        assert_eq!(bench.sim().live().allocations, 0);
        drop(b.alloc::<u8>(900 << 10)?);
        Ok(())
    });
}

/// The size class of pinned memory must not wrap either.
#[test]
fn pinned_sizes_near_the_end_of_the_address_space() {
    Fixture::new().run(|device, _| {
        for bytes in [isize::MAX as usize, isize::MAX as usize - (1 << 20)] {
            let Err(Error::Driver(error)) = device.pinned::<u8>(bytes) else { panic!("there is not so much") };
            assert_eq!(error.kind(), ErrorKind::OutOfMemory);
        }
        Ok(())
    });
}

/// A place without memory has no stream: it must not count as a source, nor be freed.
#[test]
fn elements_without_bytes_have_no_stream() {
    Fixture::new().run(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let (claimed, calls) = bench.counts(|| b.claim((a.alloc::<()>(5)?, a.alloc::<u32>(0)?)).map_err(Failed::into));
        let claimed: antecede::Result<_> = claimed;
        drop(claimed?);
        assert_eq!(calls.total(), 0);
        Ok(())
    });
}
