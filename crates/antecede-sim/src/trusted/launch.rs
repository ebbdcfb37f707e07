//! Launches: checked and copied when they are submitted, run when their turn comes.

use std::ffi::c_void;

use antecede::driver::{Access, DriverResult, KernelDecl, Launch, ParamKind, StreamRef, TwinArgs};

use super::host::Span;
use crate::Call;
use crate::error::{invalid_handle, invalid_value};
use crate::state::State;

/// CUDA's limits, the same on every device since compute capability 3.0 (for the block's memory: the largest there is).
const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
const MAX_THREADS: u64 = 1024;
const MAX_SHARED_BYTES: u32 = 227 * 1024;

/// A launch that has been submitted: the function, and the arguments as they were at the call.
#[derive(Debug)]
pub(super) struct Kernel {
    decl: &'static KernelDecl,
    /// The values of all parameters, one behind the other.
    values: Vec<u8>,
    /// Where each parameter starts in `values`.
    places: Vec<usize>,
    /// Of the slices. Non-empty ones lie in arenas, and a written one overlaps no other.
    accesses: Vec<Access>,
}

impl Kernel {
    /// Checks a launch against its declaration and the memory, and copies its arguments.
    ///
    /// # Safety
    /// 1. Each of `launch.params` points to the value of that parameter of `launch.decl`.
    pub(super) unsafe fn prepare(state: &State, stream: &StreamRef, launch: &Launch<'_>) -> DriverResult<Box<Self>> {
        let Some(decl) = state.function(&stream.context, launch.function) else {
            return Err(invalid_handle(Call::Launch, "no function with this handle in the stream's context"));
        };
        check_shape(launch).and_then(|()| check_declaration(decl, launch)).map_err(refused)?;
        let mut kernel = Kernel { decl, values: Vec::new(), places: Vec::new(), accesses: launch.accesses.to_vec() };
        for (&value, param) in launch.params.iter().zip(decl.params) {
            kernel.places.push(kernel.values.len());
            // SAFETY: the parameter's value is there (1: the loaded declaration has the parameters of `launch.decl`, as
            // just checked), and the kind says how long it is. Bytes need no alignment.
            let bytes = unsafe { std::slice::from_raw_parts(value.cast::<u8>(), param.kind.bytes()) };
            kernel.values.extend_from_slice(bytes);
        }
        kernel.check_slices(state, stream.context.ordinal).map_err(refused)?;
        Ok(Box::new(kernel))
    }

    pub(super) fn name(&self) -> &'static str {
        self.decl.name
    }

    /// Calls the twin.
    ///
    /// # Safety
    /// 1. The arenas that the accesses lie in are not dropped before it returns.
    /// 2. What is read and written is not otherwise accessed until it returns.
    pub(super) unsafe fn run(&self) {
        let value = |&place: &usize| self.values[place..].as_ptr().cast::<c_void>();
        let params: Vec<*const c_void> = self.places.iter().map(value).collect();
        // SAFETY: 1: `places` has each parameter's value, in the order of the declaration. 2: `check_slices` has found
        // one access for each slice, in an arena (initialised since its creation, not dropped: 1) and, where written,
        // apart from the others; nobody else is there (2); element alignment is part of the kernel's contract, which
        // the caller of `launch` promised.
        let args = unsafe { TwinArgs::new(&params, &self.accesses) };
        // SAFETY: the arguments are those of a launch that satisfies the kernel's contract, by promise of the caller of
        // `launch`; the declaration promises that the twin is sound for them.
        unsafe { (self.decl.twin)(&args) };
    }

    /// Each slice parameter passes the address of its access; the access lies in memory that the device reaches.
    fn check_slices(&self, state: &State, ordinal: u32) -> Result<(), String> {
        let mut accesses = self.accesses.iter();
        let mut seen: Vec<(Span, bool)> = Vec::new();
        for (param, &place) in self.decl.params.iter().zip(&self.places) {
            let (element, write) = match param.kind {
                ParamKind::Scalar { .. } => continue,
                ParamKind::Read { element } => (element, false),
                ParamKind::Write { element } => (element, true),
            };
            let name = param.name;
            let access = accesses.next().ok_or("fewer accesses than slice parameters")?;
            if access.write != write {
                return Err(format!("`{name}`: access and declaration disagree on whether it is written"));
            }
            if access.bytes == 0 {
                continue;
            }
            if access.bytes.checked_rem(element).is_none_or(|rest| rest != 0) {
                return Err(format!("`{name}`: {} bytes are no number of {element}-byte elements", access.bytes));
            }
            if self.values[place..].first_chunk() != Some(&access.ptr.0.to_ne_bytes()) {
                return Err(format!("`{name}`: the address that is passed is not that of its access"));
            }
            let span = reachable(state, ordinal, access).map_err(|cause| format!("`{name}`: {cause}"))?;
            if seen.iter().any(|(other, written)| (write || *written) && other.overlaps(&span)) {
                return Err(format!("`{name}` overlaps another slice of this launch, and one of them is written"));
            }
            seen.push((span, write));
        }
        match accesses.next() {
            Some(_) => Err("more accesses than slice parameters".into()),
            None => Ok(()),
        }
    }
}

fn refused(cause: String) -> antecede::driver::DriverError {
    invalid_value(Call::Launch, cause)
}

fn check_shape(launch: &Launch<'_>) -> Result<(), String> {
    let Launch { grid, block, shared_bytes, .. } = *launch;
    let within = |size: [u32; 3], most: [u32; 3]| size.iter().zip(most).all(|(&size, most)| size > 0 && size <= most);
    let threads: u64 = block.iter().map(|&size| u64::from(size)).fold(1, u64::saturating_mul);
    if !within(grid, MAX_GRID) {
        Err(format!("grid {grid:?} is not within 1 and {MAX_GRID:?}"))
    } else if !within(block, MAX_BLOCK) || threads > MAX_THREADS {
        Err(format!("block {block:?} is not within 1 and {MAX_BLOCK:?}, and {MAX_THREADS} threads in all"))
    } else if shared_bytes > MAX_SHARED_BYTES {
        Err(format!("{shared_bytes} bytes of shared memory are more than {MAX_SHARED_BYTES}"))
    } else {
        Ok(())
    }
}

/// Compared by content: one constant may have several addresses.
fn check_declaration(loaded: &KernelDecl, launch: &Launch<'_>) -> Result<(), String> {
    let same = loaded.name == launch.decl.name && loaded.entry == launch.decl.entry;
    if !same || loaded.params != launch.decl.params {
        return Err(format!("the function is `{}`, the declaration `{}`", loaded.entry, launch.decl.entry));
    }
    if launch.params.len() != loaded.params.len() {
        return Err(format!("{} parameters are passed of {}", launch.params.len(), loaded.params.len()));
    }
    Ok(())
}

fn reachable(state: &State, ordinal: u32, access: &Access) -> Result<Span, String> {
    let found = state.memory.region(access.ptr, access.bytes);
    let region = found.ok_or_else(|| format!("{} bytes at {:?} lie in no allocation", access.bytes, access.ptr))?;
    state.check_reach(ordinal, &region).map(|()| region.span)
}
