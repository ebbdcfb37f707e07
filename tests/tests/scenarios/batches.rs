//! Everything that can be handed over as one.

use antecede::{Batch, Buffer, Device, DeviceBrand, Loose, On, Pinned, Result, Stream, Synced};
use antecede_testkit::mount;
use antecede_tests::{A, B, C};

mount! {
    tuples_of_every_length, arrays, vectors, options, nested, units, structs, generic_structs, mixed_states,
    many_sources_in_one_vector,
}

/// A buffer of one element that is written last on its stream.
fn mark<S, D>(stream: Stream<S, D>, value: u32) -> Result<Buffer<u32, On<S, D>>> {
    let mut x = stream.zeroed(1)?;
    stream.fill(&mut x, value)?;
    Ok(x)
}

fn value<S, D>(stream: Stream<S, D>, x: &Buffer<u32, On<S, D>>) -> Result<u32> {
    Ok(stream.download(x)?[0])
}

fn tuples_of_every_length<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    macro_rules! tuples {
        ($($($name:ident)+;)+) => { $({
            #[allow(non_snake_case, reason = "one body for every length")]
            let ($($name,)+) = {
                let mut next = 0;
                $(next += 1; let $name = mark(a, next)?;)+
                b.take(($($name,)+))?
            };
            let mut expected = 0;
            $(expected += 1; assert_eq!(value(b, &$name)?, expected);)+
        })+ };
    }
    tuples! {
        P; P Q; P Q R; P Q R T; P Q R T U; P Q R T U V; P Q R T U V W; P Q R T U V W X; P Q R T U V W X Y;
        P Q R T U V W X Y Z; P Q R T U V W X Y Z G; P Q R T U V W X Y Z G H;
    }
    Ok(())
}

fn arrays<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let array = [mark(a, 1)?, mark(a, 2)?, mark(a, 3)?];
    let array: [Buffer<u32, On<B, D>>; 3] = b.take(array)?;
    for (x, expected) in array.iter().zip(1..) {
        assert_eq!(value(b, x)?, expected);
    }
    let none: [Buffer<u32, On<A, D>>; 0] = [];
    assert_eq!(b.take(none)?.len(), 0);
    Ok(())
}

fn vectors<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let many = (0..100).map(|i| mark(a, i)).collect::<Result<Vec<_>>>()?;
    let many = b.take(many)?;
    for (x, expected) in many.iter().zip(0..) {
        assert_eq!(value(b, x)?, expected);
    }
    assert!(b.take(Vec::<Buffer<u32, On<A, D>>>::new())?.is_empty());
    Ok(())
}

fn options<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let some = b.take(Some(mark(a, 5)?))?;
    assert_eq!(value(b, &some.expect("it was there"))?, 5);
    assert!(b.take(None::<Buffer<u32, On<A, D>>>)?.is_none());
    Ok(())
}

fn nested<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let batch = (vec![(mark(a, 1)?, Some(mark(a, 2)?))], [[mark(a, 3)?], [mark(a, 4)?]], ((mark(a, 5)?,),));
    let (list, [[three], [four]], ((five,),)) = b.take(batch)?;
    let [(one, two)] = &list[..] else { panic!("one pair") };
    let two = two.as_ref().expect("it was there");
    for (x, expected) in [one, two, &three, &four, &five].into_iter().zip(1..) {
        assert_eq!(value(b, x)?, expected);
    }
    Ok(())
}

fn units<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    b.take(())?;
    let ((), x) = b.take(((), mark(a, 1)?))?;
    assert_eq!(value(b, &x)?, 1);
    b.sync(())?;
    Ok(())
}

/// A user's struct: device and pinned memory, several element types, a field that stays as it is.
#[derive(Batch)]
struct Slot<St: antecede::State> {
    #[batch(keep)]
    name: String,
    words: Buffer<u32, St>,
    bytes: Buffer<u8, St>,
    host: Buffer<u32, St, Pinned>,
    more: Vec<Buffer<u32, St>>,
}

fn structs<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let slot = Slot {
        name: "first".to_owned(),
        words: mark(a, 1)?,
        bytes: a.upload(&[2u8])?,
        host: device.pinned(1)?.on(a),
        more: vec![mark(a, 3)?, mark(a, 4)?],
    };
    let mut slot: Slot<On<B, D>> = b.take(slot)?;
    assert_eq!(slot.name, "first");
    assert_eq!((value(b, &slot.words)?, value(b, &slot.more[1])?), (1, 4));
    assert_eq!(b.download(&slot.bytes)?, [2]);
    b.copy(&slot.words, &mut slot.host)?;
    let slot: Slot<Synced<D>> = b.record(slot)?.synchronize()?;
    assert_eq!(slot.host.as_slice(), [1]);
    let slot: Slot<On<A, D>> = a.take(slot)?;
    assert_eq!((slot.name.as_str(), value(a, &slot.more[0])?), ("first", 3));
    Ok(())
}

/// A struct that is generic over more than the state, with a struct in it.
#[derive(Batch)]
#[batch(state = St)]
struct Outer<T: 'static, St: antecede::State, const N: usize> {
    items: [Buffer<T, St>; N],
    inner: Option<Inner<St>>,
}

#[derive(Batch)]
struct Inner<St: antecede::State>(Buffer<u32, St>, #[batch(keep)] u64);

fn generic_structs<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let outer = Outer { items: [mark(a, 1)?, mark(a, 2)?], inner: Some(Inner(mark(a, 3)?, 99)) };
    let outer = b.take(outer)?;
    assert_eq!((value(b, &outer.items[0])?, value(b, &outer.items[1])?), (1, 2));
    let Inner(x, kept) = outer.inner.expect("it was there");
    assert_eq!((value(b, &x)?, kept), (3, 99));
    Ok(())
}

fn mixed_states<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let synced = a.sync(mark(a, 1)?)?;
    let batch = (synced, mark(a, 2)?, mark(b, 3)?.loose(), mark(c, 4)?, Buffer::<u32, Loose<D>>::default());
    let (p, q, r, s, empty) = c.take(batch)?;
    for (x, expected) in [p, q, r, s].iter().zip(1..) {
        assert_eq!(value(c, x)?, expected);
    }
    assert_eq!(empty.len(), 0);
    Ok(())
}

fn many_sources_in_one_vector<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let mut many = Vec::new();
    for i in 0..30 {
        many.push(match i % 3 {
            0 => mark(a, i)?.loose(),
            1 => mark(b, i)?.loose(),
            _ => mark(c, i)?.loose(),
        });
    }
    let many = b.take(many)?;
    for (x, expected) in many.iter().zip(0..) {
        assert_eq!(value(b, x)?, expected);
    }
    Ok(())
}
