//! Values that own, count or lock away: they are passed by value, and neither copied nor looked into.

use crate::{Mutation, asserted, edit, mutation, refused};

const ANY: &str = "crates/antecede/src/trusted/any_stream.rs";
const BUFFER: &str = "crates/antecede/src/trusted/buffer.rs";
const EXPORT: &str = "crates/antecede/src/trusted/ipc/export.rs";
const RAW: &str = "crates/antecede/src/trusted/raw.rs";
const RECORDED: &str = "crates/antecede/src/trusted/recorded.rs";
const SHARED: &str = "crates/antecede/src/trusted/shared.rs";
const STREAM: &str = "crates/antecede/src/trusted/stream.rs";

const EMPTY: &str = "/// The empty buffer: no memory, so every state is true of it. No driver call.\n";
const DROPPED: &str = "impl<T, St: State, M: Memory> Drop for Buffer<T, St, M> {\n    fn drop(&mut self) {\n";
const KEPT_BY: &str = "impl<T, St> Reading<'_, T, St> {\n";
const RECORD_SHOWN: &str = "impl<B: Batch, D> fmt::Debug for Recorded<B, D> {\n";
const SHARED_SHOWN: &str = "impl<B: Batch, D> fmt::Debug for Shared<B, D> {\n";
const PARCEL_READ: &str = "impl<B, D> Deref for Parcel<B, ReadOnly, D> {\n    type Target = B;\n\n    fn deref(&self) -> &B {\n        &self.contents\n    }\n}\n";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "`Buffer` is `Clone`",
        &[edit(
            BUFFER,
            EMPTY,
            "impl<T, St: State, M: Memory> Clone for Buffer<T, St, M> {\n    fn clone(&self) -> Self {\n        unsafe { Buffer::with_home(self.ptr, self.len, self.home) }\n    }\n}\n\n/// The empty buffer: no memory, so every state is true of it. No driver call.\n",
        )],
        "two owners of one memory, on two streams",
        refused("free/clone_a_buffer"),
    ),
    mutation(
        "`Buffer` is `Copy`: `take`, `record`, `wait`, `share` and `lend` leave the old value there",
        &[
            edit(
                BUFFER,
                EMPTY,
                "impl<T, St: State, M: Memory> Clone for Buffer<T, St, M> {\n    fn clone(&self) -> Self {\n        *self\n    }\n}\n\nimpl<T, St: State, M: Memory> Copy for Buffer<T, St, M> {}\n\n/// The empty buffer: no memory, so every state is true of it. No driver call.\n",
            ),
            edit(
                BUFFER,
                DROPPED,
                "impl<T, St: State, M: Memory> Buffer<T, St, M> {\n    #[allow(dead_code, missing_docs)]\n    pub fn dropped(&mut self) {\n",
            ),
        ],
        "the old stream using a buffer after its hand-over",
        refused("handover/use_after_take"),
    ),
    mutation(
        "`Buffer` is `Copy`: a drop leaves it there",
        &[
            edit(
                BUFFER,
                EMPTY,
                "impl<T, St: State, M: Memory> Clone for Buffer<T, St, M> {\n    fn clone(&self) -> Self {\n        *self\n    }\n}\n\nimpl<T, St: State, M: Memory> Copy for Buffer<T, St, M> {}\n\n/// The empty buffer: no memory, so every state is true of it. No driver call.\n",
            ),
            edit(
                BUFFER,
                DROPPED,
                "impl<T, St: State, M: Memory> Buffer<T, St, M> {\n    #[allow(dead_code, missing_docs)]\n    pub fn dropped(&mut self) {\n",
            ),
        ],
        "memory used after its free",
        refused("free/use_after_drop"),
    ),
    mutation(
        "`into_parts_at` borrows",
        &[
            edit(BUFFER, "    pub fn into_parts_at(self, mid: usize)", "    pub fn into_parts_at(&self, mid: usize)"),
            edit(
                BUFFER,
                "        let this = ManuallyDrop::new(self);\n        // SAFETY: (1, 2) moved out of `self`, which is forgotten; an empty",
                "        let this = ManuallyDrop::new(unsafe { std::ptr::read(self) });\n        // SAFETY: (1, 2) moved out of `self`, which is forgotten; an empty",
            ),
        ],
        "two parts that overlap",
        refused("parts/use_a_part_twice"),
    ),
    mutation(
        "`on` borrows",
        &[
            edit(
                BUFFER,
                "    pub fn on<S, E>(self, stream: Stream<S, E>)",
                "    pub fn on<S, E>(&self, stream: Stream<S, E>)",
            ),
            edit(
                BUFFER,
                "        self.retype(unsafe { Fact::ready_on(stream.core()) })",
                "        unsafe { std::ptr::read(self).retype(Fact::ready_on(stream.core())) }",
            ),
        ],
        "the host writing what a stream is working on",
        refused("handover/use_after_on"),
    ),
    mutation(
        "`loose` borrows",
        &[edit(
            BUFFER,
            "    pub fn loose(self) -> Buffer<T, Loose<D>, M> {\n        // SAFETY: (1) `Loose` asserts of the remembered stream what `On` asserts of it.\n        self.retype(",
            "    pub fn loose(&self) -> Buffer<T, Loose<D>, M> {\n        // SAFETY: (1) `Loose` asserts of the remembered stream what `On` asserts of it.\n        unsafe { std::ptr::read(self) }.retype(",
        )],
        "a buffer used on its old stream after its hand-over",
        refused("handover/use_after_loose"),
    ),
    mutation(
        "a borrowed buffer is a batch",
        &[edit(
            "crates/antecede/src/batch.rs",
            "impl<T> Buffers for Kept<T> {\n",
            "impl<'b, T, St: State, M: crate::Memory> Batch for &'b mut crate::Buffer<T, St, M> {\n    type Parts = Kept<Self>;\n    type With<To: State> = Self;\n\n    fn lower(self) -> Kept<Self> {\n        Kept(self)\n    }\n    fn raise(parts: Kept<Self>) -> Self {\n        parts.0\n    }\n}\n\nimpl<T> Buffers for Kept<T> {\n",
        )],
        "a hand-over whose buffer the lender uses on the old stream",
        refused("handover/lend_a_buffer"),
    ),
    mutation(
        "a lease is a batch",
        &[edit(
            SHARED,
            KEPT_BY,
            "impl<'l, V> Batch for Lease<'l, V> {\n    type Parts = crate::Kept<Self>;\n    type With<St: crate::State> = Self;\n\n    fn lower(self) -> crate::Kept<Self> {\n        crate::Kept(self)\n    }\n    fn raise(parts: crate::Kept<Self>) -> Self {\n        parts.0\n    }\n}\n\nimpl<T, St> Reading<'_, T, St> {\n",
        )],
        "a reader on a stream that is not in the list of readers",
        refused("readers/hand_a_lease_over"),
    ),
    mutation(
        "a shared buffer is a batch",
        &[edit(
            SHARED,
            SHARED_SHOWN,
            "impl<X: Batch, E> Batch for Shared<X, E> {\n    type Parts = crate::Kept<Self>;\n    type With<St: crate::State> = Self;\n\n    fn lower(self) -> crate::Kept<Self> {\n        crate::Kept(self)\n    }\n    fn raise(parts: crate::Kept<Self>) -> Self {\n        parts.0\n    }\n}\n\nimpl<B: Batch, D> fmt::Debug for Shared<B, D> {\n",
        )],
        "a hand-over that joins no reader",
        refused("readers/hand_a_shared_buffer_over"),
    ),
    mutation(
        "a record dereferences to its buffers",
        &[edit(
            RECORDED,
            RECORD_SHOWN,
            "impl<B: Batch, D> std::ops::Deref for Recorded<B, D> {\n    type Target = B::Parts;\n\n    fn deref(&self) -> &B::Parts {\n        &self.parts\n    }\n}\n\nimpl<B: Batch, D> std::ops::DerefMut for Recorded<B, D> {\n    fn deref_mut(&mut self) -> &mut B::Parts {\n        &mut self.parts\n    }\n}\n\nimpl<B: Batch, D> fmt::Debug for Recorded<B, D> {\n",
        )],
        "the buffers of two records exchanged, each with the other's event",
        asserted("assert_not_impl_any!(Recorded<Buffer<f32>>: Deref, DerefMut);"),
    ),
    mutation(
        "a shared buffer dereferences to its buffers",
        &[edit(
            SHARED,
            SHARED_SHOWN,
            "impl<B: Batch, D> std::ops::DerefMut for Shared<B, D> {\n    fn deref_mut(&mut self) -> &mut B::Parts {\n        &mut self.parts\n    }\n}\n\nimpl<B: Batch, D> Deref for Shared<B, D> {\n    type Target = B::Parts;\n\n    fn deref(&self) -> &B::Parts {\n        &self.parts\n    }\n}\n\nimpl<B: Batch, D> fmt::Debug for Shared<B, D> {\n",
        )],
        "a shared buffer taken out of the list of its readers",
        asserted("assert_not_impl_any!(Shared<Buffer<f32>>: Deref, DerefMut);"),
    ),
    mutation(
        "a reading may be written through",
        &[edit(
            SHARED,
            KEPT_BY,
            "impl<T, St> std::ops::DerefMut for Reading<'_, T, St> {\n    fn deref_mut(&mut self) -> &mut View<T, St> {\n        unsafe { View::at_mut(self.ptr, self.len) }\n    }\n}\n\nimpl<T, St> Reading<'_, T, St> {\n",
        )],
        "a write beside the readers of other streams",
        asserted("assert_not_impl_any!(Reading<'static, f32, On<A>>: DerefMut);"),
    ),
    mutation(
        "a lease may be written through",
        &[
            edit(
                SHARED,
                KEPT_BY,
                "impl<T, St> std::ops::DerefMut for Reading<'_, T, St> {\n    fn deref_mut(&mut self) -> &mut View<T, St> {\n        unsafe { View::at_mut(self.ptr, self.len) }\n    }\n}\n\nimpl<T, St> Reading<'_, T, St> {\n",
            ),
            edit(
                SHARED,
                "impl<V> Drop for Lease<'_, V> {\n",
                "impl<V> std::ops::DerefMut for Lease<'_, V> {\n    fn deref_mut(&mut self) -> &mut V {\n        &mut self.views\n    }\n}\n\nimpl<V> Drop for Lease<'_, V> {\n",
            ),
        ],
        "the same, through the lease itself",
        refused("readers/write_through_a_mutable_lease"),
    ),
    mutation(
        "a reading is `Clone`",
        &[edit(
            SHARED,
            KEPT_BY,
            "impl<T, St> Clone for Reading<'_, T, St> {\n    fn clone(&self) -> Self {\n        unsafe { Reading::new(self.ptr, self.len) }\n    }\n}\n\nimpl<T, St> Reading<'_, T, St> {\n",
        )],
        "a view that outlives its lease's release",
        refused("readers/clone_a_lease"),
    ),
    mutation(
        "a lease is released by a borrow",
        &[edit(SHARED, "    pub fn release(self) -> Result<()> {", "    pub fn release(&self) -> Result<()> {")],
        "a read after the event that the writer waits for",
        refused("readers/read_after_release"),
    ),
    mutation(
        "a released lease may be borrowed from",
        &[edit(SHARED, "    pub fn release(self) -> Result<()> {", "    pub fn release(&self) -> Result<()> {")],
        "the same by a view that came from it",
        refused("readers/keep_a_view_after_release"),
    ),
    mutation(
        "a lease outlives what it was taken of",
        &[
            edit(STREAM, "    pub fn lease<B: OnDevice<D>>(\n", "    pub fn lease<'x, B: OnDevice<D> + 'x>(\n"),
            edit(
                STREAM,
                "    ) -> Result<Lease<'_, <B::Parts as Buffers>::Views<'_, On<S, D>>>>\n    where\n        Self: Sync,\n    {\n        shared.lease_on(self.core)\n",
                "    ) -> Result<Lease<'x, <B::Parts as Buffers>::Views<'x, On<S, D>>>>\n    where\n        Self: Sync,\n        B::Parts: 'x,\n        D: 'x,\n    {\n        let shared: &'x Shared<B, D> = unsafe { std::mem::transmute(shared) };\n        shared.lease_on(self.core)\n",
            ),
        ],
        "a read after the readers were joined",
        refused("readers/reunite_while_leased"),
    ),
    mutation(
        "`Foreign` is `Clone`",
        &[edit(
            RAW,
            "impl<T, St> Deref for Foreign<'_, T, St> {\n",
            "impl<T, St> Clone for Foreign<'_, T, St> {\n    fn clone(&self) -> Self {\n        Foreign { ptr: self.ptr, len: self.len, _memory: PhantomData, _state: PhantomData }\n    }\n}\n\nimpl<T, St> Deref for Foreign<'_, T, St> {\n",
        )],
        "a kernel that reads and writes the same elements through two views",
        asserted("assert_not_impl_any!(Foreign<'static, f32, On<A>>: Clone, Batch);"),
    ),
    mutation(
        "memory for reading may be written",
        &[edit(
            BUFFER,
            "impl<T, St: State, M: Writable> DerefMut for Buffer<T, St, M> {",
            "impl<T, St: State, M: Memory> DerefMut for Buffer<T, St, M> {",
        )],
        "a write of memory that other processes are reading",
        refused("processes/copy_into_a_read_only_import"),
    ),
    mutation(
        "every parcel dereferences to what is in it",
        &[edit(
            EXPORT,
            PARCEL_READ,
            "impl<B, A, D> Deref for Parcel<B, A, D> {\n    type Target = B;\n\n    fn deref(&self) -> &B {\n        &self.contents\n    }\n}\n",
        )],
        "a read of what another process is writing",
        asserted("assert_not_impl_any!(crate::ipc::Parcel<Buffer<f32>, ReadWrite>: Deref, DerefMut);"),
    ),
    mutation(
        "a parcel may be written into",
        &[edit(
            EXPORT,
            PARCEL_READ,
            "impl<B, D> Deref for Parcel<B, ReadOnly, D> {\n    type Target = B;\n\n    fn deref(&self) -> &B {\n        &self.contents\n    }\n}\n\nimpl<B, D> std::ops::DerefMut for Parcel<B, ReadOnly, D> {\n    fn deref_mut(&mut self) -> &mut B {\n        &mut self.contents\n    }\n}\n",
        )],
        "a buffer taken out from under its readers in other processes",
        asserted("assert_not_impl_any!(crate::ipc::Parcel<Buffer<f32>, ReadOnly>: DerefMut);"),
    ),
    mutation(
        "a brand of `lane!` is not bound to its tag",
        &[edit(
            ANY,
            "pub unsafe fn brand<D>(stream: AnyStream<D>, tag: &'id LaneTag)",
            "pub unsafe fn brand<D>(stream: AnyStream<D>, tag: &LaneTag)",
        )],
        "one brand for two run-time streams",
        refused("lane/mix_two_lanes"),
    ),
    mutation(
        "the guard of a lane has no drop",
        &[edit(
            ANY,
            "impl Drop for LaneGuard<'_> {\n    /// Nothing, but a use of the lifetime.\n    fn drop(&mut self) {}\n}\n",
            "",
        )],
        "the same",
        refused("lane/mix_two_lanes"),
    ),
    mutation(
        "the tag of a lane has no drop",
        &[
            edit(
                ANY,
                "    /// a panic, for a drop is on the way out of an unwinding, and the mere end of a variable is not.\n    fn drop(&mut self) {}\n}\n",
                "    /// a panic, for a drop is on the way out of an unwinding, and the mere end of a variable is not.\n    fn drop(&mut self) {}\n}\n#[cfg(any())]\nimpl Drop for LaneTag {}\n",
            ),
            edit(
                ANY,
                "impl Drop for LaneTag {\n    /// Nothing, but",
                "trait NotDrop {\n    fn drop(&mut self);\n}\n\nimpl NotDrop for LaneTag {\n    /// Nothing, but",
            ),
        ],
        "the same where the end of the block is not reached",
        refused("lane/mix_before_a_loop_without_end"),
    ),
    mutation(
        "the guard of a lane is dropped at once",
        &[edit(ANY, "        let ($name, _guard) = unsafe", "        let ($name, _) = unsafe")],
        "the same",
        refused("lane/mix_two_lanes"),
    ),
    mutation(
        "the guard of a lane is contravariant",
        &[edit(
            ANY,
            "pub struct LaneGuard<'id>(Invariant<&'id ()>);",
            "pub struct LaneGuard<'id>(PhantomData<fn(&'id ())>);",
        )],
        "the same",
        refused("lane/mix_two_lanes"),
    ),
];
