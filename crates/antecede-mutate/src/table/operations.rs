//! Bounds of operations: launches, fills, copies, host functions, host slices.

use crate::{Mutation, edit, mutation, refused};

const BUFFER: &str = "crates/antecede/src/trusted/buffer.rs";
const HOST_FN: &str = "crates/antecede/src/trusted/host_fn.rs";
const STREAM: &str = "crates/antecede/src/trusted/stream.rs";

const FUNCTION: &str = "        F: for<'a> FnOnce(<B::Parts as HostSlices>::Slices<'a>) + Send + 'static,\n";
const SUBMITTED: &str = "    F: for<'a> FnOnce(P::Slices<'a>) + Send + 'static,\n{\n    stream.usable()?;";
const CALLED: &str = "    F: for<'a> FnOnce(P::Slices<'a>) + Send + 'static,\n{\n    let inside";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "`fill` asks for no state",
        &[edit(
            STREAM,
            "pub fn fill<T: FillValue>(self, target: &mut View<T, impl ReadyOn<S, D>>, value: T)",
            "pub fn fill<T: FillValue>(self, target: &mut View<T, impl Sized>, value: T)",
        )],
        "a fill on another stream",
        refused("order/fill_on_another_stream"),
    ),
    mutation(
        "`clear` asks for no state",
        &[edit(
            STREAM,
            "pub fn clear<T: Pod>(self, target: &mut View<T, impl ReadyOn<S, D>>)",
            "pub fn clear<T: Pod>(self, target: &mut View<T, impl Sized>)",
        )],
        "a fill with zeros on another stream",
        refused("order/clear_on_another_stream"),
    ),
    mutation(
        "`copy` asks for no state of its source",
        &[edit(
            STREAM,
            "        source: &View<T, impl ReadyOn<S, D>>,\n        target: &mut View<T, impl ReadyOn<S, D>>,",
            "        source: &View<T, impl Sized>,\n        target: &mut View<T, impl ReadyOn<S, D>>,",
        )],
        "a copy of what another stream is writing",
        refused("order/copy_from_another_stream"),
    ),
    mutation(
        "`copy` asks for no state of its target",
        &[edit(
            STREAM,
            "        source: &View<T, impl ReadyOn<S, D>>,\n        target: &mut View<T, impl ReadyOn<S, D>>,",
            "        source: &View<T, impl ReadyOn<S, D>>,\n        target: &mut View<T, impl Sized>,",
        )],
        "a copy over what another stream is reading",
        refused("order/copy_to_another_stream"),
    ),
    mutation(
        "`write` asks for no state",
        &[edit(
            STREAM,
            "pub fn write<T: Pod>(self, target: &mut View<T, impl ReadyOn<S, D>>, source: &[T])",
            "pub fn write<T: Pod>(self, target: &mut View<T, impl Sized>, source: &[T])",
        )],
        "a copy from the host over what another stream is reading",
        refused("order/write_on_another_stream"),
    ),
    mutation(
        "`read` asks for no state",
        &[edit(
            STREAM,
            "pub fn read<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>, target: &mut [T])",
            "pub fn read<T: Pod>(self, source: &View<T, impl Sized>, target: &mut [T])",
        )],
        "a copy to the host of what another stream is writing",
        refused("order/read_on_another_stream"),
    ),
    mutation(
        "`read` and `download` ask for no state",
        &[
            edit(
                STREAM,
                "pub fn read<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>, target: &mut [T])",
                "pub fn read<T: Pod>(self, source: &View<T, impl Sized>, target: &mut [T])",
            ),
            edit(
                STREAM,
                "pub fn download<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>)",
                "pub fn download<T: Pod>(self, source: &View<T, impl Sized>)",
            ),
        ],
        "the same, into a new `Vec`",
        refused("order/download_on_another_stream"),
    ),
    mutation(
        "`copy_across` asks for no state of its source",
        &[edit(
            "crates/antecede/src/trusted/peer.rs",
            "        source: &View<T, impl ReadyOn<S2, D2>>,",
            "        source: &View<T, impl Sized>,",
        )],
        "a copy of what another stream of the other device is writing",
        refused("order/copy_across_another_source"),
    ),
    mutation(
        "`copy_across` asks for no state of its target",
        &[edit(
            "crates/antecede/src/trusted/peer.rs",
            "        target: &mut View<T, impl ReadyOn<S, D>>,",
            "        target: &mut View<T, impl Sized>,",
        )],
        "a copy over what another stream of this device is reading",
        refused("order/copy_across_another_target"),
    ),
    mutation(
        "what a kernel is given asks for no state",
        &[edit(
            "crates/antecede-macros/src/kernels/expand.rs",
            "impl #start #stream, #device #end>)",
            "impl ::core::marker::Sized>)",
        )],
        "a launch on another stream",
        refused("launch/write_on_another_stream"),
    ),
    mutation(
        "a host function may borrow",
        &[
            edit(STREAM, FUNCTION, "        F: for<'a> FnOnce(<B::Parts as HostSlices>::Slices<'a>) + Send,\n"),
            edit(HOST_FN, SUBMITTED, "    F: for<'a> FnOnce(P::Slices<'a>) + Send,\n{\n    stream.usable()?;"),
            edit(HOST_FN, CALLED, "    F: for<'a> FnOnce(P::Slices<'a>) + Send,\n{\n    let inside"),
        ],
        "a function that uses its caller's variables after they are gone",
        refused("host/borrow_a_local_in_a_host_function"),
    ),
    mutation(
        "a host function need not be `Send`",
        &[
            edit(STREAM, FUNCTION, "        F: for<'a> FnOnce(<B::Parts as HostSlices>::Slices<'a>) + 'static,\n"),
            edit(HOST_FN, SUBMITTED, "    F: for<'a> FnOnce(P::Slices<'a>) + 'static,\n{\n    stream.usable()?;"),
            edit(HOST_FN, CALLED, "    F: for<'a> FnOnce(P::Slices<'a>) + 'static,\n{\n    let inside"),
        ],
        "a reference count changed by two threads",
        refused("host/share_with_a_host_function_what_stays_on_a_thread"),
    ),
    mutation(
        "a host function has its slices for ever",
        &[
            edit(STREAM, FUNCTION, "        F: FnOnce(<B::Parts as HostSlices>::Slices<'static>) + Send + 'static,\n"),
            edit(HOST_FN, SUBMITTED, "    F: FnOnce(P::Slices<'static>) + Send + 'static,\n{\n    stream.usable()?;"),
            edit(HOST_FN, CALLED, "    F: FnOnce(P::Slices<'static>) + Send + 'static,\n{\n    let inside"),
        ],
        "a slice that outlives the function, while the device writes",
        refused("host/keep_a_slice_of_a_host_function"),
    ),
    mutation(
        "a host function has slices of device memory",
        &[
            edit(
                "crates/antecede/src/trusted/host_slices.rs",
                "impl<T: Pod + Send, St: State, M: HostVisible> sealed::HostSlices",
                "impl<T: Pod + Send, St: State, M: crate::Memory> sealed::HostSlices",
            ),
            edit(
                "crates/antecede/src/trusted/host_slices.rs",
                "impl<T: Pod + Send, St: State, M: HostVisible> HostSlices",
                "impl<T: Pod + Send, St: State, M: crate::Memory> HostSlices",
            ),
        ],
        "a host slice of device memory",
        refused("host/give_device_memory_to_a_host_function"),
    ),
    mutation(
        "`as_slice` asks for no host memory",
        &[edit(
            BUFFER,
            "    pub fn as_slice(&self) -> &[T]\n    where\n        St: HostReady,\n        M: HostVisible,",
            "    pub fn as_slice(&self) -> &[T]\n    where\n        St: HostReady,",
        )],
        "a slice of bytes that the host has no pointer to",
        refused("host/address_device_memory"),
    ),
    mutation(
        "`as_mut_slice` asks for no host memory",
        &[edit(
            BUFFER,
            "    pub fn as_mut_slice(&mut self) -> &mut [T]\n    where\n        St: HostReady,\n        M: HostVisible,",
            "    pub fn as_mut_slice(&mut self) -> &mut [T]\n    where\n        St: HostReady,",
        )],
        "a write through a device address",
        refused("host/write_device_memory_in_place"),
    ),
    mutation(
        "`as_mut_slice` asks for no wait",
        &[edit(
            BUFFER,
            "    pub fn as_mut_slice(&mut self) -> &mut [T]\n    where\n        St: HostReady,\n        M: HostVisible,",
            "    pub fn as_mut_slice(&mut self) -> &mut [T]\n    where\n        M: HostVisible,",
        )],
        "the host writing the source of a copy in flight",
        refused("host/write_a_source_in_flight"),
    ),
    mutation(
        "pinned memory is of any elements",
        &[
            edit(
                "crates/antecede/src/trusted/registry.rs",
                "    pub fn pinned<T: Pod>(self, len: usize)",
                "    pub fn pinned<T>(self, len: usize)",
            ),
            edit(
                "crates/antecede/src/trusted/registry.rs",
                "    unsafe fn outside_of_streams<T: Pod, M: Memory>(self",
                "    unsafe fn outside_of_streams<T, M: Memory>(self",
            ),
        ],
        "elements whose bytes are no value",
        refused("host/elements_that_are_not_plain"),
    ),
    mutation(
        "device memory is of any elements",
        &[edit(STREAM, "    pub fn alloc<T: Pod>(self, len: usize)", "    pub fn alloc<T>(self, len: usize)")],
        "the same",
        refused("order/allocate_what_is_not_plain"),
    ),
];
