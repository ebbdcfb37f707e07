//! The size of a launch: what is counted, what is refused, and which place of the declaration goes where.

use antecede::{Device, Error, Scoped, Stream, kernels, streams};
use antecede_sim::{Call, Sim};

streams! { Compute }

const BLOCK: usize = 512;

kernels! {
    Sizes {
        unsafe fn longest(x: &[u8], y: &mut [u8]) {}

        #[launch(threads = n)]
        unsafe fn default_block(n: u64) {}

        #[launch(threads = n, block = 1)]
        unsafe fn single(n: u64) {}

        #[launch(threads = n * m, block = BLOCK)]
        unsafe fn constant_block(n: u64, m: u64) {}

        #[launch(threads = n as usize - 4, block = 64)]
        unsafe fn difference(n: i32) {}

        #[launch(threads = 1, block = 1, shared = 4 * n)]
        unsafe fn threads_and_shared(n: u32) {}

        #[launch(grid = n, block = m, shared = k)]
        unsafe fn one_dimension(n: u64, m: u64, k: i64) {}

        #[launch(grid = [a, b, c], block = [d, e, f])]
        unsafe fn three_dimensions(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) {}
    }
}

type Scene<'a, 'id> = (Sizes<Scoped<'id>>, Stream<Compute, Scoped<'id>>, &'a Sim);

fn on_sim(scene: impl for<'a, 'id> FnOnce(Scene<'a, 'id>) -> antecede::Result<()>) {
    let sim = Sim::builder().build();
    let counted = sim.clone();
    Device::scope(sim, 0, |device| scene((device.load::<Sizes>()?, device.stream::<Compute>()?, &counted))).unwrap();
}

/// One launch: submitted, without threads, or with one of its sizes over a limit.
macro_rules! case {
    ($kernel:ident($($arg:expr),*) submits $count:literal) => {
        on_sim(|(module, stream, sim)| {
            module.$kernel(stream, $($arg),*)?;
            assert_eq!(sim.calls().of(Call::Launch), $count);
            Ok(())
        })
    };
    ($kernel:ident($($arg:expr),*) exceeds $what:literal) => {
        on_sim(|(module, stream, sim)| {
            let error = module.$kernel(stream, $($arg),*).unwrap_err();
            let Error::LaunchSize { what, .. } = error else { panic!("another error: {error}") };
            assert_eq!(what, $what);
            assert_eq!(sim.calls().of(Call::Launch), 0);
            Ok(())
        })
    };
}

const MOST_BLOCKS: u64 = (1 << 31) - 1;

#[test]
fn threads_are_rounded_up_to_blocks() {
    case!(single(MOST_BLOCKS) submits 1);
    case!(single(MOST_BLOCKS + 1) exceeds "grid.x");
    case!(default_block(256 * MOST_BLOCKS) submits 1);
    case!(default_block(256 * MOST_BLOCKS + 1) exceeds "grid.x");
    case!(constant_block(512, MOST_BLOCKS) submits 1);
    case!(constant_block(512, MOST_BLOCKS + 1) exceeds "grid.x");
}

#[test]
fn an_overflow_is_no_size() {
    case!(constant_block(u64::MAX, u64::MAX) exceeds "grid.x");
    case!(difference(-1) exceeds "grid.x");
}

#[test]
fn without_threads_nothing_is_submitted() {
    case!(single(0) submits 0);
    case!(difference(4) submits 0);
    case!(difference(3) submits 0);
    case!(one_dimension(0, 1, 0) submits 0);
    case!(three_dimensions(1, 1, 0, 1, 1, 1) submits 0);
}

#[test]
fn the_longest_slice_counts_the_threads() {
    on_sim(|(module, stream, sim)| {
        let (long, mut empty) = (stream.zeroed::<u8>(1)?, stream.zeroed::<u8>(0)?);
        module.longest(stream, &long, &mut empty)?;
        assert_eq!(sim.calls().of(Call::Launch), 1);
        let (mut long, empty) = (long, empty);
        module.longest(stream, &empty, &mut long)?;
        assert_eq!(sim.calls().of(Call::Launch), 2);
        module.longest(stream, &empty[..], &mut long[..0])?;
        assert_eq!(sim.calls().of(Call::Launch), 2);
        Ok(())
    });
}

#[test]
fn shared_memory_fits_in_32_bits() {
    case!(threads_and_shared(232_448 / 4) submits 1);
    case!(threads_and_shared(u32::MAX) exceeds "shared memory");
    case!(one_dimension(1, 1, 4096) submits 1);
    case!(one_dimension(1, 1, -1) exceeds "shared memory");
}

#[test]
fn dimensions_keep_their_places() {
    case!(one_dimension(2, 1024, 0) submits 1);
    case!(one_dimension(2, 1025, 0) exceeds "block.x");
    case!(one_dimension(MOST_BLOCKS + 1, 1, 0) exceeds "grid.x");
    case!(three_dimensions(65_536, 1, 1, 1, 1, 1) submits 1);
    case!(three_dimensions(1, 65_536, 1, 1, 1, 1) exceeds "grid.y");
    case!(three_dimensions(1, 1, 65_536, 1, 1, 1) exceeds "grid.z");
    case!(three_dimensions(1, 1, 1, 1025, 1, 1) exceeds "block.x");
    case!(three_dimensions(1, 1, 1, 1, 1025, 1) exceeds "block.y");
    case!(three_dimensions(1, 1, 1, 1, 1, 65) exceeds "block.z");
}
