//! Declarations in places that know nothing of the library: std's names mean something else, lints are strict, and
//! parameters are called as generated code might call its own.
#![deny(unsafe_code, warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused_qualifications)]
#![deny(clippy::pedantic, clippy::undocumented_unsafe_blocks)]

/// Names that generated code must not pick up.
mod shadowed {
    #![allow(
        dead_code,
        unused_macros,
        non_camel_case_types,
        clippy::upper_case_acronyms,
        reason = "they are only in the way"
    )]

    use antecede::kernels;

    mod core {}
    mod std {}
    struct Option;
    struct Some;
    struct None;
    struct Result;
    struct Ok;
    struct Err;
    struct Stream;
    struct View;
    struct Primary;
    struct Clone;
    struct D;
    struct Debug;
    struct Copy;
    struct i128;
    struct bool;
    trait TryFrom {}
    trait Iterator {}
    macro_rules! matches {
        () => {};
    }
    macro_rules! include_str {
        () => {};
    }
    macro_rules! assert {
        () => {};
    }
    const BLOCK: usize = 32;

    kernels! {
        /// Documented.
        pub(super) Shadowed: "saxpy.ptx" {
            /// Documented.
            #[launch(threads = n, block = BLOCK, shared = n)]
            #[entry = "saxpy_f32"]
            unsafe fn saxpy(n: u32, a: f32, x: &[f32], y: &mut [f32])
            where
                [n as usize <= x.len() && true, !(n as usize > y.len()), -(n as i64) % 3 <= 0 || false]
            {
                for (x, y) in x.iter().zip(y).take(n as usize) {
                    *y += a * x;
                }
            }
        }
    }
}

mod named {
    use antecede::kernels;

    /// A type with the name of a generated type parameter.
    pub(crate) type S = [u32; 1];
    /// Another.
    pub(crate) type D = u32;

    kernels! {
        pub(crate) Named {
            #[launch(threads = args)]
            #[allow(clippy::cast_sign_loss, reason = "a lint of the body")]
            unsafe fn launch(
                stream: u32, module: u32, geometry: u32, accesses: &mut [u32], args: u64, value: i32, left: i8, right: u8,
                field: S, device: D, r#type: [u32; 2], f: f32, option: u16
            ) where [stream <= 1, module <= 2, geometry <= 3, args <= 4, value <= 5, left < right, type_of <= 7, option == 9]
            {
                let _ = f;
                accesses.copy_from_slice(&[stream, module, geometry, value as u32, field[0], device, r#type[1]]);
            }
            #[allow(non_snake_case, reason = "a lint of the signature")]
            unsafe fn clone(Self_: &mut [S]) { Self_[0] = [1]; }
            unsafe fn r#match(self_: &[S], out: &mut [D]) {
                if self_.is_empty() {
                    return;
                }
                out[0] = self_[0][0];
            }
        }
        Second { unsafe fn saxpy(x: &mut [u8]) where [x.len() != 3,] { x.fill(1); } }
    }

    #[allow(non_upper_case_globals, reason = "a constant whose name is like a raw parameter's")]
    const type_of: u8 = 7;
    pub(crate) fn second() -> &'static str {
        fn name<K: antecede::Kernels>() -> &'static str {
            K::DECL.name
        }
        name::<Second>()
    }
}

use antecede::driver::ParamKind;
use antecede::{Device, Kernels, streams};
use antecede_sim::Sim;
use named::Named;
use shadowed::Shadowed;

streams! { Compute }

#[test]
fn the_declaration_says_what_was_written() {
    let decl = Shadowed::DECL;
    assert_eq!(decl.name, "Shadowed");
    assert_eq!(decl.ptx, Some(include_str!("saxpy.ptx")));
    assert_eq!((decl.kernels[0].name, decl.kernels[0].entry), ("saxpy", "saxpy_f32"));
    let params: Vec<_> = decl.kernels[0].params.iter().map(|param| (param.name, param.kind)).collect();
    let (scalar, read, write) =
        (ParamKind::Scalar { bytes: 4 }, ParamKind::Read { element: 4 }, ParamKind::Write { element: 4 });
    assert_eq!(params, [("n", scalar), ("a", scalar), ("x", read), ("y", write)]);
    assert_eq!(Named::DECL.ptx, None);
    let names: Vec<_> = Named::DECL.kernels.iter().map(|kernel| (kernel.name, kernel.entry)).collect();
    assert_eq!(names, [("launch", "launch"), ("clone", "clone"), ("match", "match")]);
    assert_eq!(named::second(), "Second");
}

#[test]
fn kernels_run_whatever_their_parameters_are_called() {
    Device::scope(Sim::builder().build(), 0, |device| {
        let (kernels, named) = (device.load::<Shadowed>()?, device.load::<Named>()?);
        let compute = device.stream::<Compute>()?;
        let x = compute.upload(&[1.0f32, 2.0])?;
        let mut y = compute.upload(&[10.0f32, 20.0])?;
        kernels.saxpy(compute, 2, 3.0, &x, &mut y)?;
        assert_eq!(compute.download(&y)?, [13.0, 26.0]);
        let mut out = compute.zeroed::<u32>(7)?;
        named.launch(compute, 1, 2, 3, &mut out, 4, 5, -1, 1, [6], 7, [7, 8], 0.0, 9)?;
        assert_eq!(compute.download(&out)?, [1, 2, 3, 5, 6, 7, 8]);
        let mut marked = compute.zeroed::<u32>(1)?;
        named.r#match(compute, &compute.upload(&[[5]])?, &mut marked)?;
        assert_eq!(compute.download(&marked)?, [5]);
        assert_eq!(format!("{named:?}"), "Named");
        Ok(())
    })
    .unwrap();
}
