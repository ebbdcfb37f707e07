//! The procedural macros of antecede: [`kernels!`](macro@kernels) and [`#[derive(Batch)]`](macro@Batch).
//!
//! They are re-exported by `antecede`, and what they generate names it as `::antecede`.

mod batch;
mod errors;
mod kernels;
mod names;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Declares modules of kernels: each becomes a type, each kernel a method.
///
/// ```
/// use antecede::{Error, kernels, streams};
///
/// streams! { Compute }
/// kernels! {
///     /// Vector arithmetic.
///     Math {
///         /// Adds `a` times `x` to `y`.
///         #[launch(threads = n, block = 128)]
///         unsafe fn saxpy(n: u32, a: f32, x: &[f32], y: &mut [f32])
///         where [n as usize <= x.len(), n as usize <= y.len()]
///         {
///             for (x, y) in x.iter().zip(y).take(n as usize) {
///                 *y += a * x;
///             }
///         }
///     }
/// }
///
/// # antecede::Device::scope(antecede_sim::Sim::new(), 0, |device| {
/// let math = device.load::<Math>()?;
/// let compute = device.stream::<Compute>()?;
/// let x = compute.upload(&[1.0f32, 2.0])?;
/// let mut y = compute.zeroed::<f32>(2)?;
/// math.saxpy(compute, 2, 10.0, &x, &mut y)?;
/// assert_eq!(compute.download(&y)?, [10.0, 20.0]);
///
/// let refused = math.saxpy(compute, 3, 10.0, &x, &mut y);
/// assert!(matches!(refused, Err(Error::Contract { clause: "n as usize <= x.len()", .. })));
/// # Ok(()) }).unwrap();
/// ```
///
/// # What is declared
///
/// ```text
/// kernels! { module .. }
///
/// module    = pub? Name (: "file.ptx")? { kernel .. }
/// kernel    = #[launch(size)]? #[entry = "name"]?
///             unsafe fn name(parameter, ..) (where [condition, ..])? { host twin }
/// parameter = name: T  |  name: &[T]  |  name: &mut [T]
/// size      = threads = number, block = constant?, shared = number?
///           | grid = numbers, block = numbers, shared = number?
/// numbers   = number  |  [number, number?, number?]
/// ```
///
/// - **The module** becomes a `Copy` type, `Math<D>` for device `D`, that
///   `device.load::<Math>()` returns. It and its methods are as visible as is written before the name.
/// - **The file** holds the PTX. Its path is relative to the source file, as in `include_str!`;
///   `concat!(env!("OUT_DIR"), "/math.ptx")` finds what a build script made. Without a file the kernels run on the
///   simulator only.
/// - **The parameters** are those of the PTX, in order. `T` is any `bytemuck::Pod` type: a value is passed by bits,
///   `&[T]` is device memory that the kernel reads, `&mut [T]` memory that it writes (and may read). The method takes a
///   `&View<T, _>` or `&mut View<T, _>` there, which must be ready on the launch's stream.
/// - **The entry** is the name after `.entry` in the PTX; without `#[entry]`, the name of the function.
/// - **The host twin** is the same function in Rust. The simulator runs it, and it is the reference for what a GPU
///   computes. It is safe code, gets slices in place of device memory, and may `return`.
/// - **The launch size** is a number of `threads`, rounded up to blocks of 256 or of `block`; or a `grid` in blocks, each
///   of `block` threads, in one to three dimensions; `shared` is dynamic shared memory in bytes for each block. Without
///   `#[launch]` there is a thread for each element of the longest slice. With no threads nothing is submitted. The
///   number of threads is rounded up, so the kernel itself must leave out those past the end.
/// - **The contract** is a list of conditions under which the kernel stays within its slices. A launch that breaks one
///   is an error before anything is submitted.
///
/// Documentation, lint levels, `#[deprecated]` and `#[must_use]` may stand on modules and kernels, `#[cfg]` on modules.
///
/// # Numbers and conditions
///
/// A *number* is made of integer parameters, `x.len()` of slice parameters, integer literals, paths of integer
/// constants, `+ - * / %`, parentheses, and `as` an integer type. A *condition* compares numbers, and is combined with
/// `&& || !`. They bind as in Rust, with one difference: `n as usize < x.len()` needs no parentheses.
///
/// All of it is evaluated in `i128`, and **nothing wraps**. A condition does not hold if a step of its evaluation
/// overflows, divides by zero, or casts to a type that cannot hold the value: `2 * n <= x.len()` refuses an `n` whose
/// double would wrap to 0 in `u32`, `n as usize <= x.len()` refuses a negative `n`. A launch size with such a step is
/// an error.
///
/// # What is promised
///
/// Nothing can check PTX against a Rust signature. Launching is safe, therefore declaring is not: who writes `unsafe fn`
/// promises that for all arguments that satisfy the contract, at the launch size that the declaration gives,
///
/// 1. **the PTX is that function**: its entry takes these parameters, of these types, in this order, and the file is
///    part of the declaration;
/// 2. **it stays inside**: it accesses only the memory of its slices, within their lengths. No global variable of the
///    module, no pointer kept from an earlier launch or found in the data, no heap of the device;
/// 3. **it writes only what is `&mut`**: what it is given as `&[T]` it does not write, not even with the value that is
///    there;
/// 4. **it keeps to its place in the stream**: it accesses nothing before the launch takes effect or after it has; it
///    starts no kernel that outlives it, and no attribute in the PTX relaxes the stream's order;
/// 5. **it ends**, and does not fault.
///
/// The host twin is safe code, so it cannot break any of them; a twin that computes something else than the PTX is a
/// wrong result and not a race.
///
/// # What is checked, and when
///
/// | | |
/// |---|---|
/// | by this macro | the form of the declaration; that conditions and sizes are in the language above |
/// | when the declaration is compiled | that the file is there, that parameters are `Pod` and constants are integers, that a constant `block` is from 1 to 1024 |
/// | when a launch is compiled | that each buffer is ready on the launch's stream; that what is written is borrowed alone |
/// | when the module is loaded | that the PTX has every entry, with as many parameters of the same sizes |
/// | at each launch, before anything is submitted | the contract, and that the size is one that CUDA takes |
/// | never | the promises above |
#[proc_macro]
pub fn kernels(input: TokenStream) -> TokenStream {
    kernels::kernels(input.into()).into()
}

/// Makes a struct of buffers a batch: it is handed over, recorded and synced as one, and its state is in its type.
///
/// ```
/// use antecede::{Batch, Buffer, Pinned, streams};
///
/// streams! { Upload, Compute }
///
/// #[derive(Batch)]
/// struct Slot<St> where St: antecede::State {
///     host: Buffer<u8, St, Pinned>,
///     device: Buffer<u8, St>,
///     #[batch(keep)]
///     used: usize,
/// }
///
/// # antecede::Device::scope(antecede_sim::Sim::new(), 0, |device| {
/// let (upload, compute) = device.streams::<(Upload, Compute)>()?;
/// let host = device.pinned_from(&[1, 2, 3])?.on(upload);
/// let mut slot = Slot { host, device: upload.alloc(3)?, used: 3 };
/// upload.copy(&slot.host, &mut slot.device)?;
/// let slot = compute.take(slot)?; // from `Slot<On<Upload>>` to `Slot<On<Compute>>`, with one event
/// assert_eq!(compute.download(&slot.device[..slot.used])?, [1, 2, 3]);
/// # Ok(()) }).unwrap();
/// ```
///
/// - **The state** is the type parameter that is bounded by `State`, or the only type parameter, or the one named by
///   `#[batch(state = St)]` over the struct. It has no other bound: a hand-over makes the struct in another state, so it
///   must exist in every one. Other type and const parameters stay as they are.
/// - **Each field** mentions the state in its type and is a batch itself: a `Buffer`, a tuple, array, `Vec` or `Option`
///   of them, another struct with this derive. A field that stays as it is has `#[batch(keep)]`.
/// - **No lifetimes**: a batch owns what it hands over.
/// - The types of the fields are at least as visible as the struct, since the implementation names them. For a type that
///   nobody else should name, `pub` in a private module is enough.
///
/// The implementation takes the struct apart and puts it together again. It contains nothing unsafe, so there is
/// nothing to promise.
#[proc_macro_derive(Batch, attributes(batch))]
pub fn derive_batch(input: TokenStream) -> TokenStream {
    batch::derive(input.into()).into()
}
