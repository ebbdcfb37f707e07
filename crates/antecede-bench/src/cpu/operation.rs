//! The table of operations: each as the library has it, and by hand.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use antecede::{Device, Error, Result, Stream};
use antecede_trace::NullDriver;

use super::kernels::Many;
use super::typed::{self, Compute, First, Fourth, Ready, Second, Third, Upload};
use crate::trusted::by_hand::{self, Hand, Memory};

/// Elements of each buffer.
const LEN: usize = 1024;

/// An operation in both forms. Each sets up what it needs, runs so many times, and returns the time that those took.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Name of the function that is run, in both modules; that of the form by hand may be less.
    pub name: &'static str,
    /// Name of the function by hand.
    pub by_hand_name: &'static str,
    /// Operations in one time: two for there and back.
    pub each: u32,
    /// Through the library.
    pub typed: fn(u64) -> Result<Duration>,
    /// The same driver calls by hand.
    pub by_hand: fn(u64) -> Result<Duration>,
}

/// What the typed forms use.
struct Typed {
    upload: Stream<Upload>,
    compute: Stream<Compute>,
    readers: (Stream<First>, Stream<Second>, Stream<Third>, Stream<Fourth>),
    many: Many,
}

static TYPED: LazyLock<Typed> = LazyLock::new(|| Typed::open().expect("a driver that does nothing refuses nothing"));
static HAND: LazyLock<Hand> =
    LazyLock::new(|| Hand::open(NullDriver::new().into()).expect("a driver that does nothing refuses nothing"));

impl Typed {
    fn open() -> Result<Typed> {
        let device = Device::primary(NullDriver::new())?;
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let readers = device.streams::<(First, Second, Third, Fourth)>()?;
        Ok(Typed { upload, compute, readers, many: device.load::<Many>()? })
    }

    fn buffers<const N: usize>(&self) -> [Ready<Upload>; N] {
        [(); N].map(|()| self.upload.alloc(LEN).expect("device memory that does not exist has no end"))
    }
}

fn memory<const N: usize>(hand: &Hand) -> [Memory; N] {
    [(); N].map(|()| hand.memory(LEN).expect("device memory that does not exist has no end"))
}

/// Calls `f` that many times.
fn repeated<E: Into<Error>>(times: u64, mut f: impl FnMut() -> Result<(), E>) -> Result<Duration> {
    timed(|| (0..times).try_for_each(|_| f()))
}

/// The time that a call takes.
fn timed<E: Into<Error>>(f: impl FnOnce() -> Result<(), E>) -> Result<Duration> {
    let started = Instant::now();
    f().map_err(Into::into)?;
    Ok(started.elapsed())
}

macro_rules! launch {
    ($name:ident) => {
        Operation {
            name: stringify!($name),
            by_hand_name: stringify!($name),
            each: 1,
            typed: |times| {
                let (Typed { upload, many, .. }, mut buffers) = (&*TYPED, TYPED.buffers());
                repeated(times, || typed::$name(many, *upload, LEN as u32, black_box(&mut buffers)))
            },
            by_hand: |times| {
                let (hand, buffers) = (&*HAND, memory(&HAND));
                repeated(times, || by_hand::$name(hand, LEN as u32, black_box(&buffers)))
            },
        }
    };
}

macro_rules! there_and_back {
    ($name:ident) => {
        Operation {
            name: stringify!($name),
            by_hand_name: "there_and_back",
            each: 2,
            typed: |times| {
                let (Typed { upload, compute, .. }, buffers) = (&*TYPED, TYPED.buffers());
                timed(|| typed::$name(*upload, *compute, buffers, times))
            },
            by_hand: |times| timed(|| by_hand::there_and_back(&HAND, times)),
        }
    };
}

/// All operations.
pub const OPERATIONS: &[Operation] = &[
    launch!(launch_1),
    launch!(launch_2),
    launch!(launch_3),
    launch!(launch_4),
    launch!(launch_5),
    launch!(launch_6),
    launch!(launch_7),
    launch!(launch_8),
    there_and_back!(there_and_back_1),
    there_and_back!(there_and_back_2),
    there_and_back!(there_and_back_4),
    there_and_back!(there_and_back_8),
    there_and_back!(there_and_back_16),
    Operation {
        name: "there_and_back_vec",
        by_hand_name: "there_and_back",
        each: 2,
        typed: |times| {
            let (Typed { upload, compute, .. }, buffers) = (&*TYPED, TYPED.buffers::<16>());
            timed(|| typed::there_and_back_vec(*upload, *compute, Vec::from(buffers), times))
        },
        by_hand: |times| timed(|| by_hand::there_and_back(&HAND, times)),
    },
    Operation {
        name: "record_and_wait",
        by_hand_name: "there_and_back",
        each: 2,
        typed: |times| {
            let (Typed { upload, compute, .. }, [buffer]) = (&*TYPED, TYPED.buffers());
            timed(|| typed::record_and_wait(*upload, *compute, buffer, times))
        },
        by_hand: |times| timed(|| by_hand::there_and_back(&HAND, times)),
    },
    Operation {
        name: "alloc_and_free",
        by_hand_name: "alloc_and_free",
        each: 1,
        typed: |times| repeated(times, || typed::alloc_and_free(TYPED.upload, black_box(LEN))),
        by_hand: |times| repeated(times, || by_hand::alloc_and_free(&HAND, black_box(LEN))),
    },
    Operation {
        name: "fill",
        by_hand_name: "fill",
        each: 1,
        typed: |times| {
            let (Typed { upload, .. }, [mut buffer]) = (&*TYPED, TYPED.buffers());
            repeated(times, || typed::fill(*upload, black_box(&mut buffer)))
        },
        by_hand: |times| {
            let (hand, [buffer]) = (&*HAND, memory(&HAND));
            repeated(times, || by_hand::fill(hand, black_box(&buffer)))
        },
    },
    Operation {
        name: "four_readers",
        by_hand_name: "four_readers",
        each: 1,
        typed: |times| {
            let (Typed { upload, readers, .. }, [buffer]) = (&*TYPED, TYPED.buffers());
            timed(|| typed::four_readers(*upload, *readers, buffer, times))
        },
        by_hand: |times| timed(|| by_hand::four_readers(&HAND, times)),
    },
];
