//! The operations, as a user of the library writes them. None is inlined, so that each can be counted, and its code
//! looked at.

use antecede::{Buffer, Failed, On, Result, Stream, streams};

use super::kernels::Many;

streams! {
    /// Where the buffers are at first.
    pub Upload,
    /// Where they are handed over to.
    pub Compute,
    /// A reader.
    pub First,
    /// A reader.
    pub Second,
    /// A reader.
    pub Third,
    /// A reader.
    pub Fourth,
}

/// A buffer that is ready on a stream.
pub type Ready<S> = Buffer<u32, On<S>>;

macro_rules! launches {
    ($($name:ident, $kernel:ident, $count:literal: $($read:ident)*;)+) => { $(
        /// A launch with that many buffers, on the stream that they are ready on.
        ///
        /// # Errors
        /// What the launch returns.
        #[inline(never)]
        pub fn $name(many: &Many, stream: Stream<Upload>, n: u32, buffers: &mut [Ready<Upload>; $count]) -> Result<()> {
            let [$($read,)* y] = buffers;
            many.$kernel(stream, n, $($read,)* y)
        }
    )+ };
}

launches! {
    launch_1, one, 1:;
    launch_2, two, 2: a;
    launch_3, three, 3: a b;
    launch_4, four, 4: a b c;
    launch_5, five, 5: a b c d;
    launch_6, six, 6: a b c d e;
    launch_7, seven, 7: a b c d e f;
    launch_8, eight, 8: a b c d e f g;
}

macro_rules! hand_overs {
    ($($there:ident, $both:ident, $count:literal;)+) => { $(
        /// The hand-over of that many buffers to `Compute`.
        ///
        /// # Errors
        /// What `take` returns.
        #[inline(never)]
        pub fn $there(
            compute: Stream<Compute>,
            buffers: [Ready<Upload>; $count],
        ) -> Result<[Ready<Compute>; $count], Failed<[Ready<Upload>; $count]>> {
            compute.take(buffers)
        }

        /// So many times two hand-overs, to `Compute` and back.
        ///
        /// # Errors
        /// What `take` returns.
        #[inline(never)]
        pub fn $both(
            upload: Stream<Upload>,
            compute: Stream<Compute>,
            mut buffers: [Ready<Upload>; $count],
            times: u64,
        ) -> Result<()> {
            for _ in 0..times {
                buffers = upload.take(compute.take(buffers)?)?;
            }
            Ok(())
        }
    )+ };
}

hand_overs! {
    hand_over_1, there_and_back_1, 1;
    hand_over_2, there_and_back_2, 2;
    hand_over_4, there_and_back_4, 4;
    hand_over_8, there_and_back_8, 8;
    hand_over_16, there_and_back_16, 16;
}

/// So many times two hand-overs, to `Compute` and back, of a `Vec`.
///
/// # Errors
/// What `take` returns.
#[inline(never)]
pub fn there_and_back_vec(
    upload: Stream<Upload>,
    compute: Stream<Compute>,
    mut buffers: Vec<Ready<Upload>>,
    times: u64,
) -> Result<()> {
    for _ in 0..times {
        buffers = upload.take(compute.take(buffers)?)?;
    }
    Ok(())
}

/// So many times `record` on `Upload`, `wait` on `Compute`, and the same back.
///
/// # Errors
/// What they return.
#[inline(never)]
pub fn record_and_wait(
    upload: Stream<Upload>,
    compute: Stream<Compute>,
    mut buffer: Ready<Upload>,
    times: u64,
) -> Result<()> {
    for _ in 0..times {
        let there = compute.wait(upload.record(buffer)?)?;
        buffer = upload.wait(compute.record(there)?)?;
    }
    Ok(())
}

/// Allocates, and frees by a drop.
///
/// # Errors
/// What `alloc` returns.
#[inline(never)]
pub fn alloc_and_free(upload: Stream<Upload>, len: usize) -> Result<()> {
    drop(upload.alloc::<u32>(len)?);
    Ok(())
}

/// Fills a buffer.
///
/// # Errors
/// What `fill` returns.
#[inline(never)]
pub fn fill(upload: Stream<Upload>, buffer: &mut Ready<Upload>) -> Result<()> {
    upload.fill(buffer, 7)
}

/// So many times: shares a buffer, gives four streams a lease of it, and takes it back.
///
/// # Errors
/// What they return.
#[inline(never)]
pub fn four_readers(
    upload: Stream<Upload>,
    readers: (Stream<First>, Stream<Second>, Stream<Third>, Stream<Fourth>),
    mut buffer: Ready<Upload>,
    times: u64,
) -> Result<()> {
    for _ in 0..times {
        let shared = upload.share(buffer)?;
        drop(readers.0.lease(&shared)?);
        drop(readers.1.lease(&shared)?);
        drop(readers.2.lease(&shared)?);
        drop(readers.3.lease(&shared)?);
        buffer = upload.reunite(shared)?;
    }
    Ok(())
}
