//! Parts of buffers, in place.

use antecede::{Device, DeviceBrand, Result};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B};
use std::panic::{AssertUnwindSafe, catch_unwind};

mount! { every_kind_of_range, disjoint_halves_in_one_launch, parts_of_parts, ranges_that_do_not_lie_inside, empty_parts }

fn every_kind_of_range<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let x = a.upload(&[0u32, 1, 2, 3, 4])?;
    assert_eq!(a.download(&x[1..3])?, [1, 2]);
    assert_eq!(a.download(&x[..2])?, [0, 1]);
    assert_eq!(a.download(&x[3..])?, [3, 4]);
    assert_eq!(a.download(&x[..])?, [0, 1, 2, 3, 4]);
    assert_eq!(a.download(&x[1..=2])?, [1, 2]);
    assert_eq!(a.download(&x[..=0])?, [0]);
    assert_eq!(a.download(&x[5..])?, []);
    let (left, right) = x.split_at(4);
    assert_eq!((a.download(left)?, a.download(right)?), (vec![0, 1, 2, 3], vec![4]));
    Ok(())
}

fn disjoint_halves_in_one_launch<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    let mut x = a.upload(&[1.0f32, 2.0, 10.0, 20.0])?;
    let (read, written) = x.split_at_mut(2);
    math.saxpy(a, 2, 3.0, read, written)?;
    assert_eq!(a.download(&x)?, [1.0, 2.0, 13.0, 26.0]);
    Ok(())
}

fn parts_of_parts<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = a.zeroed::<u8>(16)?;
    let part = &mut x[4..12];
    let part = &mut part[2..6];
    a.fill(&mut part[1..], 1)?;
    let x = b.take(x)?;
    assert_eq!(b.download(&x)?, [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
    Ok(())
}

#[allow(clippy::reversed_empty_ranges, reason = "refused, which is what is tested")]
fn ranges_that_do_not_lie_inside<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = a.upload(&[1u32, 2, 3])?;
    assert!(x.get(0..4).is_none() && x.get(4..).is_none() && x.get(2..1).is_none());
    assert!(x.get(..=usize::MAX).is_none() && x.get(0..=usize::MAX).is_none() && x.get_mut(usize::MAX..).is_none());
    assert!(x.get(3..3).is_some_and(antecede::View::is_empty));
    let panics = |f: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(f)).is_err();
    assert!(panics(&mut || assert!(a.download(&x[..4]).is_ok())));
    assert!(panics(&mut || assert!(a.fill(&mut x[2..1], 0).is_ok())));
    assert!(panics(&mut || assert!(x.split_at(4).0.len() <= 4)));
    assert!(panics(&mut || assert!(x.split_at_mut(4).0.len() <= 4)));
    assert_eq!(a.download(&x)?, [1, 2, 3]);
    Ok(())
}

fn empty_parts<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    let mut x = a.upload(&[1.0f32, 2.0])?;
    let (none, all) = x.split_at_mut(0);
    a.copy(none, &mut all[..0])?;
    math.scale(a, 0, 9.0, none, all)?;
    a.clear(&mut all[1..1])?;
    assert_eq!(a.download(&x)?, [1.0, 2.0]);
    Ok(())
}
