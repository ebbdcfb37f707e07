//! A whole exchange between two sides, for drivers that fail. An operation that reported a failure may have been carried out:
//! what is tried again here gives the same when it is done twice.

use crate::in_one::Both;
use antecede::{Buffer, Device, DeviceBrand, Exportable, Imported, On, ReadOnly, ReadWrite};
use antecede_ipc::{Error, Failed, Kept};
use antecede_tests::{A, B};
use std::time::Duration;

const LEN: usize = 64;
/// As often as a single fault could need it.
const ATTEMPTS: usize = 3;

/// How an importer lets go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Released,
    Dropped,
    DroppedInParts,
    Declined,
}

type Own<E> = Buffer<u32, On<A, E>, Exportable>;

/// Tries an operation again that fails because a driver call did.
fn again<R, E: Into<Error>>(mut operation: impl FnMut() -> Result<R, E>) -> Result<R, Error> {
    let mut last = operation().map_err(Into::into);
    for _ in 1..ATTEMPTS {
        if !matches!(last, Err(Error::Device(antecede::Error::Driver(_)))) {
            break;
        }
        last = operation().map_err(Into::into);
    }
    last
}

/// The same with what comes back from a failed operation.
fn again_with<X, R>(
    mut buffers: X,
    mut operation: impl FnMut(X) -> Result<R, antecede::Failed<X>>,
) -> Result<R, Error> {
    for _ in 1..ATTEMPTS {
        match operation(buffers) {
            Ok(result) => return Ok(result),
            Err(antecede::Failed { error: antecede::Error::Driver(_), buffers: back, .. }) => buffers = back,
            Err(failed) => return Err(failed.error.into()),
        }
    }
    operation(buffers).map_err(|failed| failed.error.into())
}

/// Lends, lets the importer work, and takes back, each step as often as it takes. Then the same with a published buffer.
pub(crate) fn exchange<E: DeviceBrand, I: DeviceBrand>(
    here: Device<E>,
    there: Device<I>,
    let_go: &dyn Fn() -> bool,
) -> Result<(), Error> {
    let mut both = again(|| Both::new(here, there))?;
    both.importer.set_time_limit(Duration::from_secs(5));
    for (way, value) in
        [Way::Released, Way::Dropped, Way::DroppedInParts, Way::Declined].into_iter().zip((10..).step_by(10))
    {
        for by_record in [true, false] {
            let mut x: Own<E> = again(|| both.a.alloc_in(both.pool, LEN))?;
            let (mut done, mut attempts) = (false, 0);
            while !done {
                attempts += 1;
                if attempts > 2 * ATTEMPTS {
                    return Err(Error::Spent);
                }
                again(|| both.a.fill(&mut x, value))?;
                (x, done) = lend(&mut both, x, by_record, |both| use_it(both, way, value), let_go)?;
                let expected = if done && way != Way::Declined { value + 1 } else { value };
                // A fill that reported a failure may have been carried out.
                let seen = again(|| both.a.download(&x))?;
                assert!(seen.iter().all(|&seen| seen == expected || seen == value + 1), "{way:?}: {seen:?}");
            }
        }
    }
    publish(&mut both, let_go)
}

/// Lends `x` and gets it back, and says whether the importer has come through.
fn lend<E: DeviceBrand, I: DeviceBrand>(
    both: &mut Both<E, I>,
    mut x: Own<E>,
    by_record: bool,
    import: impl Fn(&mut Both<E, I>) -> Result<bool, Error>,
    let_go: &dyn Fn() -> bool,
) -> Result<(Own<E>, bool), Error> {
    let mut last = Error::Spent;
    for _ in 0..2 * ATTEMPTS {
        if by_record {
            let record = again_with(x, |x| both.a.record(x))?;
            let (out, told) = match both.exporter.lend(record, both.to) {
                Ok(lent) => (lent, true),
                Err(Failed { error, kept: Kept::Out(lent) }) => {
                    last = error;
                    (lent, false)
                }
                Err(Failed { error, kept: Kept::Given(record) }) => {
                    last = error;
                    x = again_with(record, |record| both.a.wait(record))?;
                    continue;
                }
            };
            let through = if told { import(both)? } else { false };
            let back = settle_and_reclaim(both, out, let_go)?;
            x = again_with(back, |back| both.a.claim(back))?;
            if told {
                return Ok((x, through));
            }
        } else {
            let synced = again_with(x, |x| both.a.sync(x))?;
            let (out, told) = match both.exporter.lend(synced, both.to) {
                Ok(lent) => (lent, true),
                Err(Failed { error, kept: Kept::Out(lent) }) => {
                    last = error;
                    (lent, false)
                }
                Err(Failed { error, kept: Kept::Given(synced) }) => {
                    last = error;
                    x = synced.on(both.a);
                    continue;
                }
            };
            let through = if told { import(both)? } else { false };
            x = settle_and_reclaim(both, out, let_go)?.on(both.a);
            if told {
                return Ok((x, through));
            }
        }
    }
    Err(last)
}

/// Nothing is mapped there any more when it comes back.
fn settle_and_reclaim<E: DeviceBrand, I: DeviceBrand, X: antecede_ipc::Exported>(
    both: &mut Both<E, I>,
    out: X,
    let_go: &dyn Fn() -> bool,
) -> Result<X::Back, Error> {
    let settled = again(|| both.importer.settle());
    match both.exporter.reclaim(out) {
        Ok(back) => {
            assert!(let_go(), "it came back while it is mapped there");
            Ok(back)
        }
        // The importer has lost it, or cannot see its end yet: dropped here, it counts as leaked.
        Err(Failed { error: error @ Error::NoReceipt { .. }, .. }) => {
            let excused = settled.is_err() || both.importer.held() > 0 || both.there.is_poisoned();
            assert!(excused, "what has ended was not told");
            Err(settled.err().unwrap_or(error))
        }
        Err(Failed { error, .. }) => panic!("{error}"),
    }
}

/// The importer's part. `Ok(false)`: it failed, and may be tried again.
fn use_it<E: DeviceBrand, I: DeviceBrand>(both: &mut Both<E, I>, way: Way, value: u32) -> Result<bool, Error> {
    let through = match both.importer.next_offer() {
        Err(error) => Err(error),
        Ok(offer) if way == Way::Declined => offer.decline().map(|()| true),
        Ok(offer) => {
            let mut offer = Some(offer);
            let imported = again(|| match offer.take().expect("it came back").import::<u32, ReadWrite, _>(both.b) {
                Ok(x) => Ok(x),
                Err(Failed { error, kept }) => {
                    offer = Some(kept);
                    Err(error)
                }
            });
            drop(offer);
            imported.and_then(|x| work(both, x, way, value))
        }
    };
    match through {
        Ok(through) => Ok(through),
        // The offer was declined, or the import is ending, or it is lost and counted.
        Err(Error::Device(antecede::Error::Driver(_)) | Error::Spent) => Ok(false),
        Err(error) => Err(error),
    }
}

fn work<E: DeviceBrand, I: DeviceBrand>(
    both: &mut Both<E, I>,
    mut x: Buffer<u32, On<B, I>, Imported<ReadWrite>>,
    way: Way,
    value: u32,
) -> Result<bool, Error> {
    let seen = again(|| both.b.download(&x))?;
    assert!(seen.iter().all(|&seen| seen == value || seen == value + 1), "{seen:?}");
    again(|| both.b.fill(&mut x, value + 1))?;
    match way {
        Way::Released => {
            let x = again_with(x, |x| both.b.sync(x))?;
            let mut x = Some(x);
            again(|| match both.importer.release(x.take().expect("it came back")) {
                Ok(()) => Ok(()),
                Err(Failed { error, kept: Some(back) }) => {
                    x = Some(back);
                    Err(error)
                }
                // Its end is not known.
                Err(Failed { error, kept: None }) => Err(match error {
                    Error::Device(antecede::Error::Driver(_)) => Error::Spent,
                    other => other,
                }),
            })?;
        }
        Way::DroppedInParts => {
            let (left, right) = x.into_parts_at(LEN / 2);
            let right = again_with(right, |right| both.c.take(right))?;
            drop(left);
            drop(right);
        }
        Way::Dropped | Way::Declined => drop(x),
    }
    Ok(true)
}

/// Two offers of one published buffer to one process, of which it can take one.
fn publish<E: DeviceBrand, I: DeviceBrand>(both: &mut Both<E, I>, let_go: &dyn Fn() -> bool) -> Result<(), Error> {
    let mut x: Own<E> = again(|| both.a.alloc_in(both.pool, LEN))?;
    again(|| both.a.fill(&mut x, 5))?;
    let mut shared = again_with(x, |x| both.a.share(x))?;
    let mut attempts = 0..ATTEMPTS;
    let mut published = loop {
        match both.exporter.publish(shared) {
            Ok(published) => break published,
            Err(Failed { error: Error::Device(antecede::Error::Driver(_)), kept }) if attempts.next().is_some() => {
                shared = kept;
            }
            Err(failed) => return Err(failed.error),
        }
    };
    again(|| both.exporter.offer(&mut published, both.to))?;
    again(|| both.exporter.offer(&mut published, both.to))?;
    let one = again(|| both.importer.next_offer()).and_then(|offer| Ok(offer.import::<u32, ReadOnly, _>(both.b)?));
    let two = again(|| both.importer.next_offer()).and_then(|offer| Ok(offer.import::<u32, ReadOnly, _>(both.c)?));
    if let (Ok(_), Ok(_)) = (&one, &two) {
        panic!("one process has the memory twice");
    }
    for read in [one.and_then(|x| again(|| both.b.download(&x))), two.and_then(|x| again(|| both.c.download(&x)))] {
        match read {
            Ok(seen) => assert_eq!(seen, [5; LEN]),
            Err(Error::Device(antecede::Error::Driver(_) | antecede::Error::AlreadyImported)) => {}
            Err(error) => return Err(error),
        }
    }
    let shared = settle_and_reclaim(both, published, let_go)?;
    let mut x = again_with(shared, |shared| both.a.reunite(shared))?;
    again(|| both.a.fill(&mut x, 6))?;
    assert_eq!(again(|| both.a.download(&x))?, [6; LEN]);
    Ok(())
}
