//! A buffer whose kind of memory is known at run time only: a tuple with one place for each kind, hence a batch.

use antecede::{
    Buffer, Error, HostVisible, Loose, Managed, Memory, On, Pinned, Pooled, Reading, Result, Stream, Synced, View, Vram,
};

/// One of these is there.
pub(crate) type Mem<St> = (
    Option<Buffer<u32, St, Vram>>,
    Option<Buffer<u32, St, Pinned>>,
    Option<Buffer<u32, St, Managed>>,
    Option<Buffer<u32, St, Pooled<Pinned>>>,
    Option<Buffer<u32, St, Pooled<Managed>>>,
);

/// The kinds that a host function can be given.
pub(crate) type HostMem<St> = (
    Option<Buffer<u32, St, Pinned>>,
    Option<Buffer<u32, St, Managed>>,
    Option<Buffer<u32, St, Pooled<Pinned>>>,
    Option<Buffer<u32, St, Pooled<Managed>>>,
);

/// What a lease gives of a [`Mem`].
pub(crate) type Views<'a, St> = (
    Option<Reading<'a, u32, St>>,
    Option<Reading<'a, u32, St>>,
    Option<Reading<'a, u32, St>>,
    Option<Reading<'a, u32, St>>,
    Option<Reading<'a, u32, St>>,
);

/// The slices that a host function gets of a [`HostMem`].
pub(crate) type Slices<'a> =
    (Option<&'a mut [u32]>, Option<&'a mut [u32]>, Option<&'a mut [u32]>, Option<&'a mut [u32]>);

/// The kinds of memory, as a model and a program name them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Vram,
    Pinned,
    Managed,
    PooledPinned,
    PooledManaged,
}

impl Kind {
    /// Whether the host can touch it.
    pub(crate) fn is_host(self) -> bool {
        self != Kind::Vram
    }

    /// Whether its free goes to a cache, and not to a stream.
    pub(crate) fn is_cached(self) -> bool {
        matches!(self, Kind::Pinned | Kind::Managed)
    }
}

/// A buffer in its place.
pub(crate) trait IntoMem<St: antecede::State> {
    fn mem(self) -> Mem<St>;
}

macro_rules! into_mem {
    ($($kind:ty: |$x:ident| $mem:expr;)+) => { $(
        impl<St: antecede::State> IntoMem<St> for Buffer<u32, St, $kind> {
            fn mem(self) -> Mem<St> {
                let $x = Some(self);
                $mem
            }
        }
    )+ };
}

into_mem! {
    Vram: |x| (x, None, None, None, None);
    Pinned: |x| (None, x, None, None, None);
    Managed: |x| (None, None, x, None, None);
    Pooled<Pinned>: |x| (None, None, None, x, None);
    Pooled<Managed>: |x| (None, None, None, None, x);
}

/// A buffer between two uses.
#[derive(Default)]
pub(crate) enum Held<D> {
    /// There is none, or it is in a record, or shared.
    #[default]
    Nothing,
    Loose(Mem<Loose<D>>),
    Synced(Mem<Synced<D>>),
}

impl<D> Held<D> {
    pub(crate) fn is_there(&self) -> bool {
        !matches!(self, Held::Nothing)
    }

    pub(crate) fn is_synced(&self) -> bool {
        matches!(self, Held::Synced(_))
    }

    pub(crate) fn loose(self) -> Option<Mem<Loose<D>>> {
        match self {
            Held::Nothing => None,
            Held::Loose(x) => Some(x),
            Held::Synced((a, b, c, d, e)) => Some((
                a.map(Buffer::<_, Synced<_>, _>::loose),
                b.map(Buffer::<_, Synced<_>, _>::loose),
                c.map(Buffer::<_, Synced<_>, _>::loose),
                d.map(Buffer::<_, Synced<_>, _>::loose),
                e.map(Buffer::<_, Synced<_>, _>::loose),
            )),
        }
    }
}

pub(crate) fn loose<S, D>((a, b, c, d, e): Mem<On<S, D>>) -> Mem<Loose<D>> {
    (
        a.map(Buffer::<_, On<_, _>, _>::loose),
        b.map(Buffer::<_, On<_, _>, _>::loose),
        c.map(Buffer::<_, On<_, _>, _>::loose),
        d.map(Buffer::<_, On<_, _>, _>::loose),
        e.map(Buffer::<_, On<_, _>, _>::loose),
    )
}

/// Takes it over with the hand-over that the library makes.
pub(crate) fn take<S, D>(stream: Stream<S, D>, held: Held<D>) -> Result<Held<D>> {
    Ok(match held {
        Held::Nothing => Held::Nothing,
        Held::Loose(x) => Held::Loose(loose(stream.take(x)?)),
        Held::Synced(x) => Held::Loose(loose(stream.take(x)?)),
    })
}

/// Does something with a buffer that is on this stream: the library agrees, or this panics.
pub(crate) fn using<S, D, R>(
    stream: Stream<S, D>,
    held: &mut Held<D>,
    f: impl FnOnce(&mut Mem<On<S, D>>) -> Result<R>,
) -> Result<R> {
    let Held::Loose(x) = std::mem::take(held) else { unreachable!("it has arrived on a stream") };
    let mut x = stream.claim(x).expect("the library knows it on the stream that the model does");
    let result = f(&mut x);
    *held = Held::Loose(loose(x));
    result
}

macro_rules! the_one {
    ($mem:expr, |$x:ident| $view:expr) => {
        match $mem {
            (Some($x), ..) => $view,
            (_, Some($x), ..) => $view,
            (_, _, Some($x), ..) => $view,
            (_, _, _, Some($x), _) => $view,
            (.., Some($x)) => $view,
            (None, None, None, None, None) => unreachable!("one is there"),
        }
    };
}

pub(crate) fn view<St: antecede::State>(x: &Mem<St>) -> &View<u32, St> {
    the_one!(x, |x| x)
}

pub(crate) fn view_mut<St: antecede::State>(x: &mut Mem<St>) -> &mut View<u32, St> {
    the_one!(x, |x| x)
}

pub(crate) fn leased<'a, St>(x: &'a Views<'_, St>) -> &'a View<u32, St> {
    the_one!(x, |x| x)
}

pub(crate) fn to_vec<D>(x: &Mem<Synced<D>>) -> Result<Vec<u32>> {
    the_one!(x, |x| x.to_vec())
}

/// `None` for device memory.
pub(crate) fn host_slice_mut<D>((_, b, c, d, e): &mut Mem<Synced<D>>) -> Option<&mut [u32]> {
    fn slice<D, M: HostVisible>(x: &mut Option<Buffer<u32, Synced<D>, M>>) -> Option<&mut [u32]> {
        x.as_mut().map(Buffer::as_mut_slice)
    }
    slice(b).or(slice(c)).or(slice(d)).or(slice(e))
}

pub(crate) fn into_host<St: antecede::State>((a, b, c, d, e): Mem<St>) -> HostMem<St> {
    assert!(a.is_none(), "device memory has no host slices");
    (b, c, d, e)
}

pub(crate) fn from_host<St: antecede::State>((b, c, d, e): HostMem<St>) -> Mem<St> {
    (None, b, c, d, e)
}

pub(crate) fn slice<'a>((a, b, c, d): Slices<'a>) -> &'a mut [u32] {
    a.or(b).or(c).or(d).expect("one is there")
}

pub(crate) fn into_parts_at<St: antecede::State>(x: Mem<St>, mid: usize) -> (Mem<St>, Mem<St>) {
    the_one!(x, |x| {
        let (left, right) = x.into_parts_at(mid);
        (left.mem(), right.mem())
    })
}

type Unsplit<St> = std::result::Result<Mem<St>, (Error, Mem<St>, Mem<St>)>;

/// Both are of one kind.
pub(crate) fn unsplit<St: antecede::State>(left: Mem<St>, right: Mem<St>) -> Unsplit<St> {
    fn both<St: antecede::State, M: Memory>(left: Buffer<u32, St, M>, right: Buffer<u32, St, M>) -> Unsplit<St>
    where
        Buffer<u32, St, M>: IntoMem<St>,
    {
        left.unsplit(right).map(IntoMem::mem).map_err(|failed| {
            let (left, right) = failed.buffers;
            (failed.error, left.mem(), right.mem())
        })
    }
    match (left, right) {
        ((Some(left), ..), (Some(right), ..)) => both(left, right),
        ((_, Some(left), ..), (_, Some(right), ..)) => both(left, right),
        ((_, _, Some(left), ..), (_, _, Some(right), ..)) => both(left, right),
        ((_, _, _, Some(left), _), (_, _, _, Some(right), _)) => both(left, right),
        ((.., Some(left)), (.., Some(right))) => both(left, right),
        _ => unreachable!("both are of one kind"),
    }
}
