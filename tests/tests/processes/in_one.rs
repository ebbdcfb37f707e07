//! Both sides in one process and, but for the greeting, in one thread: two simulators, which know nothing of each other.
//! What the one does between two steps of the other is then fixed.

use antecede::{Buffer, Device, DeviceBrand, Exportable, On, Pool, Scoped, Stream};
use antecede_ipc::{Error, Exporter, Importer, ImporterId, pair};
use antecede_sim::Sim;
use antecede_tests::{A, B, C};
use antecede_trace::{Trace, judge};
use std::time::Duration;

/// Elements of a buffer.
pub(crate) const LEN: usize = 64;

/// One side's simulator, watched.
pub(crate) struct Side {
    pub(crate) sim: Sim,
    pub(crate) trace: Trace,
}

/// An exporter and its importer, on a device each.
pub(crate) struct Both<E: DeviceBrand, I: DeviceBrand> {
    pub(crate) there: Device<I>,
    pub(crate) a: Stream<A, E>,
    pub(crate) pool: Pool<Exportable, E>,
    pub(crate) exporter: Exporter<E>,
    pub(crate) to: ImporterId,
    pub(crate) b: Stream<B, I>,
    pub(crate) c: Stream<C, I>,
    pub(crate) importer: Importer<I>,
}

impl Side {
    pub(crate) fn new(seed: u64) -> Self {
        let sim = Sim::builder().seed(seed).build();
        Side { trace: Trace::new(sim.clone()), sim }
    }

    pub(crate) fn assert_silent(&self) {
        judge(&self.trace.log()).assert_silent();
    }
}

/// Connects them. Whatever was said is there when a step returns, so nothing need be waited for: the exporter's time limit
/// is zero from here on.
pub(crate) fn connect<E: DeviceBrand, I: DeviceBrand>(
    here: Device<E>,
    there: Device<I>,
) -> Result<(Exporter<E>, ImporterId, Importer<I>), Error> {
    let mut exporter = Exporter::new(here)?;
    let (to, importer) = greet(&mut exporter, there)?;
    exporter.set_time_limit(Duration::ZERO);
    Ok((exporter, to, importer))
}

/// One more importer. The exporter's time limit must not be zero.
pub(crate) fn greet<E: DeviceBrand, I: DeviceBrand>(
    exporter: &mut Exporter<E>,
    there: Device<I>,
) -> Result<(ImporterId, Importer<I>), Error> {
    let (one, other) = pair()?;
    std::thread::scope(|threads| {
        let importer = threads.spawn(|| Importer::over(there, other));
        let id = exporter.add(one);
        let importer = importer.join().expect("it does not panic");
        // The importer's error says more: the exporter has only seen its end.
        let importer = importer?;
        Ok((id?, importer))
    })
}

impl<E: DeviceBrand, I: DeviceBrand> Both<E, I> {
    pub(crate) fn new(here: Device<E>, there: Device<I>) -> Result<Self, Error> {
        let (exporter, to, importer) = connect(here, there)?;
        let (b, c) = there.streams::<(B, C)>()?;
        Ok(Both { there, a: here.stream::<A>()?, pool: here.pool::<Exportable>()?, exporter, to, b, c, importer })
    }
}

/// Plays both sides, checks that neither raced, and that so many buffers were leaked here and there.
#[track_caller]
pub(crate) fn play(
    leaked: (usize, usize),
    part: impl for<'e, 'i> FnOnce(Device<Scoped<'e>>, Device<Scoped<'i>>, Both<Scoped<'e>, Scoped<'i>>),
) {
    let (here, there) = (Side::new(1), Side::new(2));
    let found = Device::scope(here.trace.clone(), 0, |exporting| {
        Device::scope(there.trace.clone(), 0, |importing| {
            let both = Both::new(exporting, importing).expect("they connect");
            part(exporting, importing, both);
            Ok((exporting.leaked(), importing.leaked()))
        })
    });
    assert_eq!(found, Ok(leaked), "leaked by the exporter and by the importer");
    here.assert_silent();
    there.assert_silent();
}

pub(crate) fn filled<E: DeviceBrand, I: DeviceBrand>(
    both: &Both<E, I>,
    value: u32,
) -> Buffer<u32, On<A, E>, Exportable> {
    let mut x = both.a.alloc_in(both.pool, LEN).unwrap();
    both.a.fill(&mut x, value).unwrap();
    x
}

pub(crate) fn filled_on<E: DeviceBrand>(
    a: &antecede::Stream<A, E>,
    pool: antecede::Pool<Exportable, E>,
    value: u32,
) -> Buffer<u32, On<A, E>, Exportable> {
    let mut x = a.alloc_in(pool, LEN).unwrap();
    a.fill(&mut x, value).unwrap();
    x
}
