//! What the compiler derives for the public types, written down both ways: a field more or a marker less would change it
//! without a word. A mistake here does not compile.

use crate::__private::{Geometry, Module};
use crate::driver::{
    Access, ContextId, ContextRef, DevicePtr, Driver, DriverError, DriverId, ErrorKind, EventId, EventRef, KernelDecl,
    Launch, LoadedModule, ModuleDecl, ModuleRef, ParamDecl, ParamKind, Pattern, StreamId, StreamKind, StreamRef,
    TwinArgs,
};
use crate::{
    Anonymous, AnyStream, Batch, Blocking, Buffer, Device, DeviceBrand, Error, Failed, Foreign, HostReady, HostVisible,
    Kept, Lane, Lease, Legacy, Loose, Managed, NonBlocking, On, Peer, PerThread, Pinned, Pool, Primary, Query,
    ReadOnly, ReadWrite, Reading, ReadyOn, Recorded, Scoped, Several, Shared, State, Stream, StreamBrand, StreamName,
    Synced, View, Vram,
};
use static_assertions::{assert_impl_all, assert_not_impl_any, assert_obj_safe, const_assert_eq};
use std::cell::Cell;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// The brands of two streams that every thread may use, ..
enum A {}
enum B {}
/// .. of one that a single thread uses, ..
type OfThread = PhantomData<*const ()>;
/// .. and of one that one thread at a time uses.
type OneAtATime = PhantomData<Cell<()>>;

type Ready<S> = Buffer<f32, On<S>>;
type Leased<S> = Lease<'static, Reading<'static, f32, On<S>>>;
type Local<'id> = Scoped<'id, *const ()>;

/// Sizes: a handle is a pointer, a buffer three words, a view what a slice is.
mod sizes {
    use super::*;

    const_assert_eq!(size_of::<Stream<A>>(), 8);
    const_assert_eq!(size_of::<Option<Stream<A>>>(), 8);
    const_assert_eq!(size_of::<Device>(), 8);
    const_assert_eq!(size_of::<Device<Scoped<'static>>>(), 8);
    const_assert_eq!(size_of::<Module<A, Primary>>(), 8);
    const_assert_eq!(size_of::<Ready<A>>(), 24);
    const_assert_eq!(size_of::<Buffer<f64, Synced, Pinned>>(), 24);
    const_assert_eq!(size_of::<Buffer<u8>>(), 24);
    const_assert_eq!(size_of::<&View<f32, On<A>>>(), 16);
    const_assert_eq!(size_of::<Reading<'static, f32, On<A>>>(), 16);
    const_assert_eq!(size_of::<Kept<u64>>(), 8);
    const_assert_eq!(size_of::<AnyStream>(), 8);
    const_assert_eq!(size_of::<Pool<Vram>>(), 8);
    const_assert_eq!(size_of::<Peer<A, Primary>>(), 0);
    const_assert_eq!(size_of::<Foreign<'static, f32, On<A>>>(), 16);
    const_assert_eq!(size_of::<On<A>>() + size_of::<Synced>() + size_of::<Loose>(), 0);
}

/// Handles are copied; what owns or counts is not.
mod copies {
    use super::*;

    assert_impl_all!(Stream<A>: Copy, Eq, Debug);
    assert_impl_all!(Stream<OfThread, Local<'static>>: Copy);
    assert_impl_all!(Device: Copy, Debug);
    assert_impl_all!(Module<A, Primary>: Copy, Debug);
    assert_impl_all!(Geometry: Copy, Eq, Debug);
    assert_impl_all!(AnyStream: Copy, Eq, Debug);
    assert_impl_all!(Pool<Pinned>: Copy, Debug);
    assert_impl_all!(Peer<A, Primary>: Copy, Debug);
    assert_impl_all!(StreamName: Copy, Eq, Debug);
    assert_not_impl_any!(Foreign<'static, f32, On<A>>: Clone, Batch);
    assert_impl_all!(Kept<u64>: Copy, Ord, Debug, Default);
    assert_impl_all!(Error: Clone, Eq, std::error::Error);
    assert_impl_all!(DriverError: Clone, Eq, std::error::Error);
    assert_not_impl_any!(Ready<A>: Clone);
    assert_not_impl_any!(Buffer<f32, Synced, Pinned>: Clone);
    assert_not_impl_any!(Recorded<Buffer<f32>>: Clone);
    assert_not_impl_any!(Recorded<()>: Clone);
    assert_not_impl_any!(Shared<Buffer<f32>>: Clone);
    assert_not_impl_any!(Leased<A>: Clone);
    assert_not_impl_any!(Reading<'static, f32, On<A>>: Clone);
    assert_not_impl_any!(Failed<()>: Clone);
}

/// What a stream of one thread has touched stays on that thread; nothing else minds threads.
mod threads {
    use super::*;

    assert_impl_all!(Stream<A>: Send, Sync);
    assert_impl_all!(Ready<A>: Send, Sync);
    assert_impl_all!(&'static View<f32, On<A>>: Send, Sync);
    assert_impl_all!(&'static mut View<f32, On<A>>: Send, Sync);
    assert_impl_all!(Reading<'static, f32, On<A>>: Send, Sync);
    assert_impl_all!(Leased<A>: Send, Sync);
    assert_impl_all!(Failed<Ready<A>>: Send, Sync);
    assert_impl_all!(Buffer<f32, Synced, Pinned>: Send, Sync);
    assert_impl_all!(Buffer<f32, Loose>: Send, Sync);
    assert_impl_all!(Recorded<Buffer<f32>>: Send, Sync);
    assert_impl_all!(Recorded<()>: Send, Sync);
    assert_impl_all!(Shared<Buffer<f32>>: Send, Sync);
    assert_impl_all!(Device: Send, Sync);
    assert_impl_all!(Module<A, Primary>: Send, Sync);
    assert_impl_all!(Error: Send, Sync);
    assert_impl_all!(AnyStream: Send, Sync);
    assert_impl_all!(Pool<Managed>: Send, Sync);
    assert_impl_all!(Stream<Legacy>: Send, Sync);
    assert_impl_all!(Stream<Lane<'static>>: Send, Sync);
    assert_impl_all!(Device<Several<'static>>: Send, Sync);
    assert_impl_all!(Foreign<'static, f32, On<A>>: Send, Sync);
    assert_not_impl_any!(Stream<PerThread>: Send, Sync);
    assert_not_impl_any!(Ready<PerThread>: Send, Sync);
    assert_not_impl_any!(Leased<PerThread>: Send, Sync);
    assert_not_impl_any!(Failed<Ready<PerThread>>: Send, Sync);
    assert_not_impl_any!(Foreign<'static, f32, On<PerThread>>: Send, Sync);
    // A tag is for the reader: it binds nothing.
    assert_impl_all!(Device<Local<'static>>: Send, Sync);
    assert_impl_all!(Buffer<f32, Synced<Local<'static>>>: Send, Sync);

    assert_not_impl_any!(Stream<OfThread>: Send, Sync);
    assert_not_impl_any!(On<OfThread>: Send, Sync);
    assert_not_impl_any!(Ready<OfThread>: Send, Sync);
    assert_not_impl_any!(&'static View<f32, On<OfThread>>: Send, Sync);
    assert_not_impl_any!(&'static mut View<f32, On<OfThread>>: Send, Sync);
    assert_not_impl_any!(Reading<'static, f32, On<OfThread>>: Send, Sync);
    assert_not_impl_any!(Leased<OfThread>: Send, Sync);
    assert_not_impl_any!(Failed<Ready<OfThread>>: Send, Sync);

    assert_impl_all!(Stream<OneAtATime>: Send);
    assert_impl_all!(Ready<OneAtATime>: Send);
    assert_not_impl_any!(Stream<OneAtATime>: Sync);
    assert_not_impl_any!(Ready<OneAtATime>: Sync);
    assert_not_impl_any!(&'static View<f32, On<OneAtATime>>: Send);

    // What goes along with a batch keeps its own rules.
    assert_not_impl_any!(Recorded<Kept<*const ()>>: Send, Sync);
    assert_not_impl_any!(Shared<Kept<Cell<u8>>>: Sync);
}

/// Which state allows what.
mod states {
    use super::*;

    assert_impl_all!(On<A>: State, ReadyOn<A, Primary>);
    assert_not_impl_any!(On<A>: ReadyOn<B, Primary>, ReadyOn<A, Scoped<'static>>, HostReady);
    assert_impl_all!(Synced: State, HostReady);
    assert_not_impl_any!(Synced: ReadyOn<A, Primary>, ReadyOn<B, Primary>);
    assert_impl_all!(Loose: State);
    assert_not_impl_any!(Loose: ReadyOn<A, Primary>, HostReady);
    assert_not_impl_any!(A: State);
    assert_impl_all!(Pinned: HostVisible);
    assert_not_impl_any!(Vram: HostVisible);
    // A view has no size, so two of them cannot change places.
    assert_not_impl_any!(View<f32, On<A>>: Sized);
}

/// What names no single stream, or no single device, is no brand.
mod brands {
    use super::*;

    assert_impl_all!(Primary: DeviceBrand);
    assert_impl_all!(Scoped<'static>: DeviceBrand);
    assert_not_impl_any!(Several<'static>: DeviceBrand);
    assert_not_impl_any!(Lane<'static>: StreamBrand);
    assert_not_impl_any!(Legacy: StreamBrand);
    assert_not_impl_any!(PerThread: StreamBrand);
}

/// What is locked away is not reached: its owner could exchange it for another's.
mod locked {
    use super::*;

    assert_not_impl_any!(Recorded<Buffer<f32>>: Deref, DerefMut);
    assert_not_impl_any!(Shared<Buffer<f32>>: Deref, DerefMut);
    #[cfg(unix)]
    assert_not_impl_any!(crate::ipc::Parcel<Buffer<f32>, ReadWrite>: Deref, DerefMut);
    #[cfg(unix)]
    assert_not_impl_any!(crate::ipc::Parcel<Buffer<f32>, ReadOnly>: DerefMut);
    assert_not_impl_any!(Leased<A>: DerefMut);
    assert_not_impl_any!(Reading<'static, f32, On<A>>: DerefMut);
}

/// Only what owns its buffers is handed over.
mod batches {
    use super::*;

    assert_impl_all!(Ready<A>: Batch, Default);
    assert_impl_all!((Ready<A>, Vec<Buffer<u8>>, Option<[Buffer<f32, Synced>; 3]>): Batch);
    assert_impl_all!((): Batch);
    assert_not_impl_any!(&'static Ready<A>: Batch);
    assert_not_impl_any!(&'static mut Ready<A>: Batch);
    assert_not_impl_any!(&'static mut View<f32, On<A>>: Batch);
    assert_not_impl_any!(Box<Ready<A>>: Batch);
    assert_not_impl_any!(Reading<'static, f32, On<A>>: Batch);
    assert_not_impl_any!(Leased<A>: Batch);
    assert_not_impl_any!(Shared<Buffer<f32>>: Batch);
    assert_not_impl_any!(Recorded<Buffer<f32>>: Batch);
    assert_not_impl_any!(Stream<A>: Batch);
}

/// The driver is chosen at run time, and what crosses it is plain.
mod drivers {
    use super::*;

    assert_obj_safe!(Driver);
    assert_impl_all!(dyn Driver: Send, Sync, Debug);
    assert_impl_all!(ContextId: Copy, Ord, Send, Sync);
    assert_impl_all!(DriverId: Copy, Ord, Send, Sync);
    assert_impl_all!(EventId: Copy, Ord, Send, Sync);
    assert_impl_all!(StreamId: Copy, Ord, Send, Sync);
    assert_impl_all!(ContextRef: Copy, Eq, Send, Sync);
    assert_impl_all!(EventRef: Copy, Eq, Send, Sync);
    assert_impl_all!(ModuleRef: Copy, Eq, Send, Sync);
    assert_impl_all!(StreamRef: Copy, Eq, Send, Sync);
    assert_impl_all!(DevicePtr: Copy, Ord, Send, Sync);
    assert_impl_all!(Access: Copy, Eq, Send, Sync);
    assert_impl_all!(Pattern: Copy, Eq, Send, Sync);
    assert_impl_all!(StreamKind: Copy, Eq, Send, Sync);
    assert_impl_all!(ErrorKind: Copy, Eq, Send, Sync);
    assert_impl_all!(ParamDecl: Copy, Eq, Send, Sync);
    assert_impl_all!(ParamKind: Copy, Eq, Send, Sync);
    assert_impl_all!(KernelDecl: Debug, Send, Sync);
    assert_impl_all!(ModuleDecl: Debug, Send, Sync);
    assert_impl_all!(LoadedModule: Debug, Send, Sync);
    assert_impl_all!(DriverError: Send, Sync);
    // They point to the arguments of one launch.
    assert_impl_all!(Launch<'static>: Copy, Debug);
    assert_not_impl_any!(Launch<'static>: Send, Sync);
    assert_not_impl_any!(TwinArgs<'static>: Send, Sync);
}

/// Everything is printed; a failure is no error that a `Box` could keep beyond a scope.
mod errors {
    use super::*;

    assert_impl_all!(Failed<Ready<A>>: Debug, std::fmt::Display, Into<Error>, Into<Box<dyn std::error::Error>>);
    assert_impl_all!(Failed<Ready<A>>: Into<Box<dyn std::error::Error + Send + Sync>>);
    assert_not_impl_any!(Failed<Ready<A>>: std::error::Error);
    assert_impl_all!(Ready<A>: Debug);
    assert_impl_all!(View<f32, On<A>>: Debug);
    assert_impl_all!(Reading<'static, f32, On<A>>: Debug);
    assert_impl_all!(Leased<A>: Debug);
    assert_impl_all!(Recorded<Buffer<f32>>: Debug);
    assert_impl_all!(Shared<Buffer<f32>>: Debug);
    assert_impl_all!(Query<u8, u8>: Debug);
    assert_impl_all!(On<u8>: Debug);
    assert_impl_all!(Synced: Debug);
    assert_impl_all!(Loose: Debug);
    assert_impl_all!(Scoped<'static>: Debug);
    assert_impl_all!(Primary: Debug);
    assert_impl_all!(Anonymous: Debug);
    assert_impl_all!(NonBlocking: Debug);
    assert_impl_all!(Blocking: Debug);
    assert_impl_all!(Vram: Debug);
    assert_impl_all!(Pinned: Debug);
}
