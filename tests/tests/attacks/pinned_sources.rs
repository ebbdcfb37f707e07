//! Attack: the slice of a copy lies in pinned memory, so that a copy straight from it would be truly asynchronous.

use antecede::Result;
use antecede_sim::{Call, Fault};
use antecede_testkit::{Fixture, on_sim};
use antecede_tests::A;

#[test]
fn a_slice_of_a_synced_pinned_buffer_is_free_when_the_copy_returns() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let mut host = device.pinned_from(&[1u32; 64])?;
        let mut x = a.zeroed::<u32>(64)?;
        let (written, log) = bench.log(|| -> Result<()> { a.write(&mut x, host.as_slice()) });
        written?;
        host.as_mut_slice().fill(2);
        assert_eq!(a.download(&x)?, [1; 64]);
        // The driver was never given an address in it.
        let address = host.as_slice().as_ptr().addr() as u64;
        let mine = address..address + 256;
        let copies = log.entries().iter().filter(|entry| entry.call == antecede_trace::Call::Copy);
        assert!(copies.flat_map(|copy| &copy.accesses).all(|access| !mine.contains(&access.ptr.0)));
        a.read(&x, host.as_mut_slice())?;
        assert_eq!(host.as_slice(), [1; 64]);
        Ok(())
    });
}

/// The wait fails: the copy runs on, and the slice is written meanwhile.
#[test]
fn a_copy_that_runs_on_has_left_the_slice_all_the_same() {
    Fixture::new().allow_leaks().run(|device, bench| {
        let a = device.stream::<A>()?;
        let mut host = device.pinned_from(&[1u32; 64])?;
        let mut x = a.zeroed::<u32>(64)?;
        bench.sim().faults().inject(Fault::nth(1).of(Call::StreamSync));
        assert!(a.write(&mut x, host.as_slice()).is_err());
        assert!(bench.sim().live().pending > 0);
        host.as_mut_slice().fill(2); // a race, if the copy read it
        Ok(())
    });
}
