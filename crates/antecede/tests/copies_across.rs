//! Copies between devices that types tell apart.

mod common;

use antecede::driver::ErrorKind;
use antecede::{Buffer, Device, DeviceBrand, Error, On, Result, streams};
use antecede_sim::{Call as SimCall, Fault, Sim};
use antecede_trace::{Call, Counts, Trace, judge};
use common::{assert_nothing_is_left, counted};

streams! { Main, Other, A: Blocking, B: Blocking }

/// Runs `test` on two devices of two brands.
#[track_caller]
fn on_two(test: impl Fn(&Sim, &Trace, u32, u32) -> Result<()>) {
    for (seed, peers) in (0..20).flat_map(|seed| [(seed, false), (seed, true)]) {
        let sim = Sim::builder().devices(2).seed(seed).peer_access(peers).build();
        let trace = Trace::new(sim.clone());
        for (one, other) in [(0, 1), (1, 0), (1, 1)] {
            test(&sim, &trace, one, other).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_nothing_is_left(&sim);
        }
        judge(&trace.log()).assert_silent();
    }
}

const ACROSS: [(Call, u64); 3] = [(Call::EventRecord, 2), (Call::EventWait, 2), (Call::PeerCopy, 1)];

#[test]
fn a_copy_is_ordered_there_and_back() {
    on_two(|_, trace, one, other| {
        Device::scope(trace.clone(), one, |left| {
            Device::scope(trace.clone(), other, |right| {
                let (from, to) = (left.stream::<Main>()?, right.stream::<Main>()?);
                let mut x = from.alloc::<u32>(64)?;
                from.fill(&mut x, 1)?;
                let mut y = to.alloc::<u32>(64)?;
                to.fill(&mut y, 0)?;
                let (copied, calls) = counted(trace, || to.copy_across(from, &x[..32], &mut y[32..]));
                copied?;
                assert_eq!(calls, Counts::from(ACROSS));
                // At once the source is written, and freed, and its memory used again; and the target written.
                from.fill(&mut x[..16], 2)?;
                let (copied, calls) = counted(trace, || to.copy_across(from, &x[..8], &mut y[..8]));
                copied?;
                assert_eq!(calls, Counts::from(ACROSS));
                drop(x);
                let mut again = from.alloc::<u32>(64)?;
                from.fill(&mut again, 9)?;
                to.fill(&mut y[56..], 3)?;
                assert_eq!(
                    to.download(&y)?,
                    [[2; 8].to_vec(), [0; 24].to_vec(), [1; 24].to_vec(), [3; 8].to_vec()].concat()
                );
                // Nothing to copy, nothing to call.
                let (copied, calls) = counted(trace, || to.copy_across(from, &again[..0], &mut y[..0]));
                assert_eq!((copied, calls), (Ok(()), Counts::default()));
                let refused = to.copy_across(from, &again, &mut y[1..]).unwrap_err();
                assert!(matches!(refused, Error::LengthMismatch { expected: 63, found: 64, .. }));
                Ok(())
            })
        })
    });
}

/// Where the two are of one context the legacy default stream orders by itself, as it does for a hand-over.
#[test]
fn copies_between_streams_of_every_kind() {
    on_two(|_, trace, one, other| {
        Device::scope(trace.clone(), one, |left| {
            Device::scope(trace.clone(), other, |right| {
                macro_rules! across {
                    ($from:expr, $to:expr) => {{
                        let (from, to) = ($from, $to);
                        let mut x = from.zeroed::<u32>(16)?;
                        from.fill(&mut x, 7)?;
                        let mut y = to.zeroed::<u32>(16)?;
                        to.copy_across(from, &x, &mut y)?;
                        from.fill(&mut x, 8)?;
                        assert_eq!((to.download(&y)?, from.download(&x)?), (vec![7; 16], vec![8; 16]));
                    }};
                }
                macro_rules! from {
                    ($from:expr) => {
                        across!($from, right.stream::<Main>()?);
                        across!($from, right.stream::<B>()?);
                        across!($from, right.legacy()?);
                        across!($from, right.per_thread()?);
                    };
                }
                from!(left.stream::<Main>()?);
                from!(left.stream::<A>()?);
                from!(left.legacy()?);
                from!(left.per_thread()?);
                // Of one device, and of one stream.
                across!(left.stream::<Main>()?, left.stream::<Other>()?);
                across!(left.legacy()?, left.legacy()?);
                Ok(())
            })
        })
    });
}

/// The source's scope may end at once: what it waits for is the copy.
#[test]
fn a_scope_that_ends_after_its_memory_was_copied() {
    on_two(|_, trace, one, other| {
        Device::scope(trace.clone(), one, |outer| {
            let to = outer.stream::<Main>()?;
            let mut y = to.zeroed::<u32>(64)?;
            Device::scope(trace.clone(), other, |inner| {
                let from = inner.stream::<Main>()?;
                let mut x = from.alloc::<u32>(64)?;
                from.fill(&mut x, 4)?;
                to.copy_across(from, &x, &mut y)
            })?;
            assert_eq!(to.download(&y)?, [4; 64]);
            Ok(())
        })
    });
}

/// Each call of a copy fails in turn. If the way back is what failed nobody may use either device.
#[test]
fn a_failed_copy_loses_nothing() {
    for (nth, late) in (1..=6).flat_map(|nth| [(nth, false), (nth, true)]) {
        let sim = Sim::builder().devices(2).seed(nth).build();
        let trace = Trace::new(sim.clone());
        let mut poisoned = (false, false);
        let outcome = Device::scope(trace.clone(), 0, |left| {
            Device::scope(trace.clone(), 1, |right| {
                let (from, to) = (left.stream::<Main>()?, right.stream::<Main>()?);
                let mut x = from.upload(&[1u32; 64])?;
                let mut y = to.zeroed::<u32>(64)?;
                let fault = Fault::nth(nth);
                sim.faults().inject(if late { fault.after_submitting() } else { fault });
                let copied = to.copy_across(from, &x, &mut y);
                sim.faults().clear();
                assert_eq!(copied.is_ok(), nth == 6, "five calls");
                poisoned = (left.is_poisoned(), right.is_poisoned());
                // Ready on its stream all the same, or refused.
                assert_eq!(from.fill(&mut x, 2).is_ok(), !poisoned.0);
                assert_eq!(to.fill(&mut y, 3).is_ok(), !poisoned.1);
                if !poisoned.0 {
                    assert_eq!((from.download(&x)?, to.download(&y)?), (vec![2; 64], vec![3; 64]));
                }
                Ok(())
            })
        });
        assert_eq!(poisoned, if (4..6).contains(&nth) { (true, true) } else { (false, false) }, "call {nth}");
        assert_eq!(outcome.is_ok(), !poisoned.0, "call {nth}: {outcome:?}");
        judge(&trace.log()).assert_silent();
        if !poisoned.0 {
            assert_nothing_is_left(&sim);
        }
    }
}

#[test]
fn devices_of_two_drivers_have_nothing_to_do_with_each_other() {
    let (here, there) = (Sim::new(), Sim::new());
    Device::scope(here, 0, |left| {
        Device::scope(there.clone(), 0, |right| {
            let (from, to) = (left.stream::<Main>()?, right.stream::<Main>()?);
            let (x, mut y) = (from.zeroed::<u32>(8)?, to.zeroed::<u32>(8)?);
            assert!(matches!(to.copy_across(from, &x, &mut y).unwrap_err(), Error::DeviceMismatch { .. }));
            assert!(matches!(right.peer(left).unwrap_err(), Error::DeviceMismatch { .. }));
            Ok(())
        })
    })
    .unwrap();
}

#[test]
fn a_witness_is_made_once_and_kept() {
    for peers in [false, true] {
        let sim = Sim::builder().devices(2).peer_access(peers).build();
        let trace = Trace::new(sim.clone());
        Device::scope(trace.clone(), 0, |left| {
            Device::scope(trace.clone(), 1, |right| {
                let (peer, calls) = counted(&trace, || left.peer(right));
                let enabled = u64::from(peers);
                assert_eq!((calls.of(Call::PeerPossible), calls.of(Call::PeerEnable)), (1, enabled));
                assert_eq!(calls.total(), 1 + enabled);
                match peer {
                    Ok(peer) => assert!(peers && format!("{:?}{:?}", peer, { peer }) == "PeerPeer"),
                    Err(error) => {
                        assert!(!peers && matches!(error, Error::DeviceMismatch { expected: 0, found: 1, .. }))
                    }
                }
                assert!(matches!(left.peer(left), Err(Error::DeviceMismatch { .. })), "a device is no peer of itself");
                sim.faults().inject(Fault::nth(1).of(SimCall::PeerPossible));
                assert!(matches!(right.peer(left), Err(Error::Driver(error)) if error.kind() == ErrorKind::Injected));
                Ok(())
            })
        })
        .unwrap();
    }
}

/// Generic code copies between devices that it does not know.
#[test]
fn generic_code_copies_across() {
    fn halo<D: DeviceBrand, E: DeviceBrand>(
        (left, x): (Device<D>, &mut Buffer<u32, On<Main, D>>),
        (right, y): (Device<E>, &mut Buffer<u32, On<Main, E>>),
    ) -> Result<()> {
        let (l, r) = (left.stream::<Main>()?, right.stream::<Main>()?);
        let last = x.len() - 1;
        r.copy_across(l, &x[last - 1..last], &mut y[..1])?;
        l.copy_across(r, &y[1..2], &mut x[last..])
    }
    on_two(|_, trace, one, other| {
        Device::scope(trace.clone(), one, |left| {
            Device::scope(trace.clone(), other, |right| {
                let mut x = left.stream::<Main>()?.upload(&[1u32, 2, 3, 0])?;
                let mut y = right.stream::<Main>()?.upload(&[0u32, 4, 5, 6])?;
                halo((left, &mut x), (right, &mut y))?;
                let found = (left.stream::<Main>()?.download(&x)?, right.stream::<Main>()?.download(&y)?);
                assert_eq!(found, (vec![1, 2, 3, 4], vec![3, 4, 5, 6]));
                Ok(())
            })
        })
    });
}
