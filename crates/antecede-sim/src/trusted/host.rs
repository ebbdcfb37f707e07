//! Memory of the host that stands for that of devices, and what operations do to it.

use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

use antecede::driver::{DevicePtr, HostFn, Pattern};

use super::launch::Kernel;
use super::mapping::Mapping;

/// What every allocation is aligned to, in bytes.
pub(crate) const ALIGNMENT: usize = 256;

/// Memory from the host, initialised, at a fixed address until it is dropped.
#[derive(Debug)]
pub(crate) struct Arena {
    address: usize,
    backing: Backing,
}

#[derive(Debug)]
enum Backing {
    Own(Layout),
    /// Other processes may have it too.
    Shared(Mapping),
}

impl Arena {
    /// Takes `len` bytes and sets each to `byte`. `None` for no bytes, or when the host has not that many.
    pub(crate) fn new(len: usize, byte: u8) -> Option<Self> {
        let layout = Layout::from_size_align(len, ALIGNMENT).ok().filter(|layout| layout.size() > 0)?;
        // SAFETY: the layout's size is not zero.
        let start = unsafe { alloc(layout) };
        if start.is_null() {
            return None;
        }
        // SAFETY: `start` is the start of `layout.size()` bytes that nothing else knows of yet.
        unsafe { start.write_bytes(byte, layout.size()) };
        Some(Arena { address: start.expose_provenance(), backing: Backing::Own(layout) })
    }

    /// Memory that is shared with other processes.
    pub(crate) fn shared(mapping: Mapping) -> Self {
        Arena { address: mapping.address(), backing: Backing::Shared(mapping) }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.backing {
            Backing::Own(layout) => layout.size(),
            Backing::Shared(mapping) => mapping.len(),
        }
    }

    /// How far into the arena an address lies.
    pub(crate) fn offset_of(&self, span: &Span) -> Option<usize> {
        span.address.checked_sub(self.address).filter(|&offset| offset < self.len())
    }

    /// Gives memory that no allocation uses, and no operation touches, back to the host, where that is possible.
    pub(crate) fn discard(&self, offset: usize, len: usize) {
        if let Backing::Shared(mapping) = &self.backing {
            // SAFETY: 1: the lock is held, so that no operation begins; one that runs, of a correct program, touches no
            // memory whose free has taken effect.
            unsafe { mapping.discard(offset, len) };
        }
    }

    /// A range of the arena; `None` if it does not lie inside.
    pub(crate) fn span(&self, offset: usize, len: usize) -> Option<Span> {
        let inside = offset.checked_add(len)? <= self.len();
        inside.then_some(Span { address: self.address + offset, len })
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        if let Backing::Own(layout) = self.backing {
            // SAFETY: `alloc` returned this address for this layout, and this is its only owner. Such arenas are dropped
            // with the simulator, when no thread runs an operation any more.
            unsafe { dealloc(with_exposed_provenance_mut(self.address), layout) };
        }
    }
}

/// A range of an arena. Made only by [`Arena::span`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    address: usize,
    len: usize,
}

impl Span {
    pub(crate) fn address(&self) -> u64 {
        self.address as u64
    }

    pub(crate) fn ptr(&self) -> DevicePtr {
        DevicePtr(self.address())
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn overlaps(&self, other: &Span) -> bool {
        self.address < other.address + other.len && other.address < self.address + self.len
    }

    fn read(&self) -> *const u8 {
        with_exposed_provenance(self.address)
    }

    fn write(&self) -> *mut u8 {
        with_exposed_provenance_mut(self.address)
    }
}

/// What an operation does when its turn comes.
#[derive(Debug)]
pub(crate) struct Work(Kind);

#[derive(Debug)]
enum Kind {
    Nothing,
    Fill { dst: Span, pattern: Pattern },
    Copy { dst: Span, src: Span },
    Launch(Box<Kernel>),
    Host(Call),
}

/// A host function that is to be called.
#[derive(Debug)]
struct Call(HostFn);

// SAFETY: whoever submits a host function promises that it may be called from any thread (`Driver::host_fn`).
unsafe impl Send for Call {}
// SAFETY: the same; nothing can be done with a shared one but call it, which `Work::run` does once.
unsafe impl Sync for Call {}

impl Call {
    /// Calls the function, on a thread of its own as CUDA does: the thread that waits may hold what the function wants
    /// to find as another thread would.
    ///
    /// # Safety
    /// 1. It is called once.
    /// 2. What the function reads and writes is not otherwise accessed until it returns.
    unsafe fn make(&self) {
        // SAFETY: the function is live until it was called, and is sound to call once (1), by promise of the caller of
        // `Driver::host_fn`; its ranges are nobody else's (2).
        let call = || as_twin(|| unsafe { (self.0.call)(self.0.data) });
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("host function".into());
            // A host without another thread to give still has to call it: the waiting thread does.
            match thread.spawn_scoped(scope, call) {
                Ok(running) => drop(running.join()),
                Err(_) => call(),
            }
        });
    }
}

impl Work {
    /// Event records and waits: they have an order, but no effect.
    pub(crate) fn nothing() -> Self {
        Work(Kind::Nothing)
    }

    /// Repeats the pattern; what is left of `dst` behind the last whole repetition stays.
    pub(crate) fn fill(dst: Span, pattern: Pattern) -> Self {
        Work(Kind::Fill { dst, pattern })
    }

    /// Copies as many bytes as the shorter of both has.
    pub(crate) fn copy(dst: Span, src: Span) -> Self {
        Work(Kind::Copy { dst, src })
    }

    /// Runs a kernel's host twin.
    pub(super) fn launch(kernel: Box<Kernel>) -> Self {
        Work(Kind::Launch(kernel))
    }

    /// Calls a host function.
    pub(super) fn host(function: HostFn) -> Self {
        Work(Kind::Host(Call(function)))
    }

    pub(super) fn is_host_fn(&self) -> bool {
        matches!(self.0, Kind::Host(_))
    }

    /// Carries the work out. A twin that panics is an error with its message.
    ///
    /// # Safety
    /// 1. The arenas of the work's spans are not dropped before it returns.
    /// 2. What is read and written is not otherwise accessed until it returns.
    /// 3. It is called once.
    pub(super) unsafe fn run(&self) -> Result<(), Box<str>> {
        match &self.0 {
            Kind::Nothing => Ok(()),
            Kind::Fill { dst, pattern } => {
                // SAFETY: 1 and 2 are the caller's.
                unsafe { fill(*dst, *pattern) };
                Ok(())
            }
            Kind::Copy { dst, src } => {
                // SAFETY: both spans lie in live arenas (1) and are not otherwise accessed (2); overlap is allowed.
                unsafe { dst.write().copy_from(src.read(), dst.len().min(src.len())) };
                Ok(())
            }
            Kind::Launch(kernel) => {
                // SAFETY: 1 and 2 are the caller's.
                let twin = AssertUnwindSafe(|| as_twin(|| unsafe { kernel.run() }));
                catch_unwind(twin).map_err(|payload| describe(kernel.name(), payload))
            }
            Kind::Host(call) => {
                // SAFETY: 1 and 2 are the caller's 3 and 2.
                unsafe { call.make() };
                Ok(())
            }
        }
    }
}

/// # Safety
/// As [`Work::run`], for `dst`.
unsafe fn fill(dst: Span, pattern: Pattern) {
    let start = dst.write();
    let count = dst.len() / pattern.width();
    // SAFETY: `count` repetitions lie in the span, which is writable (`Work::run` 1 and 2); the wider writes need no
    // alignment.
    unsafe {
        match pattern {
            Pattern::D8(value) => start.write_bytes(value, count),
            Pattern::D16(value) => (0..count).for_each(|place| start.cast::<u16>().add(place).write_unaligned(value)),
            Pattern::D32(value) => (0..count).for_each(|place| start.cast::<u32>().add(place).write_unaligned(value)),
        }
    }
}

thread_local! {
    static IN_TWIN: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread is running a twin or a host function, of any simulator. A sync there would wait for itself.
pub(super) fn in_twin() -> bool {
    IN_TWIN.get()
}

/// Runs `twin` marked as such, and takes the mark off also when it panics.
fn as_twin(twin: impl FnOnce()) {
    struct Unmark;
    impl Drop for Unmark {
        fn drop(&mut self) {
            IN_TWIN.set(false);
        }
    }
    IN_TWIN.set(true);
    let _unmark = Unmark;
    twin();
}

fn describe(kernel: &str, payload: Box<dyn Any + Send>) -> Box<str> {
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    let text = format!("kernel `{kernel}` panicked: {words}");
    // Dropping a payload of the twin's own type could panic in turn.
    std::mem::forget(payload);
    text.into()
}
