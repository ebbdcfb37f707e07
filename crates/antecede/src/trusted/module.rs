//! Kernels: loaded modules and launches.

use super::device::{DeviceCore, lock};
use super::driver::{Access, Launch, ModuleDecl, ModuleRef};
use super::place::Place;
use super::stream::Stream;
use super::stream_core::StreamCore;
use crate::brand::Invariant;
use crate::{Error, Result};
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

/// A module of kernels, declared by [`kernels!`](crate::kernels).
///
/// # Safety
/// What [`kernels!`](crate::kernels) asks of a declaration holds for every kernel of `DECL`, and `loaded` returns a
/// value that launches them as declared.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a module of kernels",
    label = "cannot be loaded",
    note = "declare it: `antecede::kernels! {{ {Self}: \"file.ptx\" {{ unsafe fn .. }} }}`"
)]
pub unsafe trait Kernels: 'static {
    /// The module, loaded on device `D`.
    type Loaded<D>;
    /// The declaration.
    const DECL: &'static ModuleDecl;
    /// # Safety
    /// 1. `module` is `DECL`, loaded on the device of `D`.
    #[doc(hidden)]
    unsafe fn loaded<D>(module: Module<Self, D>) -> Self::Loaded<D>
    where
        Self: Sized;
}

/// A loaded module, as generated code holds it.
pub struct Module<K, D> {
    core: &'static ModuleCore,
    _brands: Invariant<(K, D)>,
}

/// A module of an opened device. Lives as long as its device: no unload while a kernel may run.
pub(super) struct ModuleCore {
    device: &'static DeviceCore,
    decl: &'static ModuleDecl,
    module: ModuleRef,
    functions: Vec<u64>,
}

/// The size of a launch. In `grid` and `block`, no number is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
}

impl ModuleCore {
    pub(super) fn load(device: &'static DeviceCore, decl: &'static ModuleDecl) -> Result<&'static ModuleCore> {
        device.usable()?;
        let mut modules = lock(&device.modules);
        let key = std::ptr::from_ref(decl).addr();
        if let Some(core) = modules.get(&key) {
            return Ok(core.get());
        }
        // SAFETY: (1) the context is open; who declared the kernels made the declaration's promises.
        let loaded = unsafe { device.driver.module_load(&device.context, decl) }?;
        let module = ModuleRef { context: device.context, handle: loaded.handle };
        let core = Place::new(ModuleCore { device, decl, module, functions: loaded.functions });
        Ok(modules.entry(key).insert_entry(core).get().get())
    }

    /// # Safety
    /// 1. The device is drained and closing.
    pub(super) unsafe fn unload(&self, device: &DeviceCore) {
        // SAFETY: (1, 5) loaded by this driver; nothing runs any more. An error leaks it.
        let _ = unsafe { device.driver.module_unload(&self.module) };
    }
}

impl<K, D> Module<K, D> {
    pub(super) fn new(core: &'static ModuleCore) -> Self {
        Module { core, _brands: PhantomData }
    }

    /// Both, without their brands: what a launch does from here on is the same for every stream.
    pub fn on<S>(&self, stream: Stream<S, D>) -> Launcher {
        Launcher { module: self.core, stream: stream.core() }
    }
}

/// A module and a stream, as generated code holds them for the length of a launch.
#[derive(Clone, Copy)]
pub struct Launcher {
    module: &'static ModuleCore,
    stream: &'static StreamCore,
}

impl Launcher {
    /// Launches kernel number `index` (`cuLaunchKernel`).
    ///
    /// # Safety
    /// 1. The module and the stream that it was made from are still there: their device is open.
    /// 2. `params` has one pointer for each parameter of the kernel, to a value of its declared type; `accesses` has one
    ///    entry for each slice parameter, in order, and the address in `params` is its `ptr`.
    /// 3. The accesses come from views that are ready on the stream, borrowed for this call as they are written or not.
    /// 4. The arguments satisfy the kernel's contract.
    pub unsafe fn launch(
        self,
        index: usize,
        geometry: Geometry,
        params: &[*const c_void],
        accesses: &[Access],
    ) -> Result<()> {
        let (stream, core) = (self.stream, self.module);
        stream.usable()?;
        if !core.device.is(stream.device) {
            // Several devices may share a brand (`Device::scope_all`).
            return Err(stream.device.reached_from(core.device));
        }
        let Geometry { grid, block, shared_bytes } = geometry;
        let (function, decl) = (core.functions[index], &core.decl.kernels[index]);
        let launch = Launch { function, decl, grid, block, shared_bytes, params, accesses };
        // SAFETY: (1) stream and function are of this device, which is open (1). (2, 3) by 3, and the writes are
        // exclusive as Rust's borrows are. (6) by 2 and 4.
        Ok(unsafe { stream.driver().launch(&stream.stream, &launch) }?)
    }
}

impl fmt::Debug for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Launcher({} on {})", self.module.decl.name, self.stream.name())
    }
}

impl<K, D> Clone for Module<K, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, D> Copy for Module<K, D> {}

impl<K, D> fmt::Debug for Module<K, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module({})", self.core.decl.name)
    }
}

/// One-dimensional: `threads` threads in blocks of `block`. `None`: nothing to launch. A `threads` of `None` is an
/// overflow.
#[inline]
pub(crate) fn geometry_for_threads(threads: Option<i128>, block: u32, shared_bytes: u32) -> Result<Option<Geometry>> {
    // On the path of most launches: no division of 128 bits, which is a call.
    if let Some(Ok(threads @ 1..=0x7fff_ffff)) = threads.map(u32::try_from)
        && (1..=1024).contains(&block)
    {
        return Ok(Some(Geometry { grid: [threads.div_ceil(block), 1, 1], block: [block, 1, 1], shared_bytes }));
    }
    wide_geometry_for_threads(threads, block, shared_bytes)
}

fn wide_geometry_for_threads(threads: Option<i128>, block: u32, shared_bytes: u32) -> Result<Option<Geometry>> {
    let blocks = threads.and_then(|threads| {
        let rounded_up = threads.checked_add(i128::from(block) - 1)?;
        rounded_up.checked_div(i128::from(block)).or(Some(0))
    });
    geometry([blocks, Some(1), Some(1)], [Some(i128::from(block)), Some(1), Some(1)], Some(i128::from(shared_bytes)))
}

/// CUDA's limits: at most 2^31 - 1 blocks in x and 65,535 in y and z; at most 1,024 threads of a block. `None` in a
/// place is an overflow; a zero or negative number in a place makes the launch empty.
pub(crate) fn geometry(
    grid: [Option<i128>; 3],
    block: [Option<i128>; 3],
    shared_bytes: Option<i128>,
) -> Result<Option<Geometry>> {
    const GRID: [(&str, u64); 3] = [("grid.x", 0x7fff_ffff), ("grid.y", 65_535), ("grid.z", 65_535)];
    const BLOCK: [(&str, u64); 3] = [("block.x", 1024), ("block.y", 1024), ("block.z", 64)];
    if grid.iter().chain(&block).any(|size| matches!(size, Some(size) if *size <= 0)) {
        return Ok(None);
    }
    let grid = within(grid, GRID)?;
    let block = within(block, BLOCK)?;
    if block.iter().product::<u32>() > 1024 {
        return Err(Error::LaunchSize { what: "number of threads of a block", limit: 1024 });
    }
    let shared_bytes = shared_bytes.and_then(|bytes| u32::try_from(bytes).ok());
    let shared_bytes = shared_bytes.ok_or(Error::LaunchSize { what: "shared memory", limit: u64::from(u32::MAX) })?;
    Ok(Some(Geometry { grid, block, shared_bytes }))
}

fn within(sizes: [Option<i128>; 3], limits: [(&'static str, u64); 3]) -> Result<[u32; 3]> {
    let mut checked = [0; 3];
    for ((size, (what, limit)), checked) in sizes.into_iter().zip(limits).zip(&mut checked) {
        let size = size.and_then(|size| u32::try_from(size).ok()).filter(|&size| u64::from(size) <= limit);
        *checked = size.ok_or(Error::LaunchSize { what, limit })?;
    }
    Ok(checked)
}
