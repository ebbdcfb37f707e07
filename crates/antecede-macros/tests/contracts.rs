//! Contracts and launch sizes, run: what a launch refuses, and that nothing was submitted then.

use antecede::{Device, Error, Scoped, Stream, kernels, streams};

use antecede_sim::{Call, Sim};

streams! { Compute }

const HALF: usize = 2;
const LIMIT: u128 = u128::MAX;

kernels! {
    /// Kernels that write a mark, with one kind of contract each.
    Contracts {
        unsafe fn doubled(n: u32, x: &mut [u32]) where [2 * n <= x.len()] { mark(x); }
        unsafe fn squared(n: u64, x: &mut [u32]) where [n * n * n * n <= x.len()] { mark(x); }
        unsafe fn not_larger(n: u64, x: &mut [u32]) where [!(n * n * n * n > x.len())] { mark(x); }
        unsafe fn signed(n: i32, x: &mut [u32]) where [n <= x.len()] { mark(x); }
        unsafe fn cast(n: i32, x: &mut [u32]) where [n as usize <= x.len()] { mark(x); }
        unsafe fn narrow(n: u32, x: &mut [u32]) where [n as u8 >= 0] { mark(x); }
        unsafe fn divided(n: u32, x: &mut [u32]) where [x.len() / n >= 1] { mark(x); }
        unsafe fn remainder(n: u32, x: &mut [u32]) where [x.len() % n == 0] { mark(x); }
        unsafe fn guarded(n: u32, x: &mut [u32]) where [n == 0 || x.len() % n == 0] { mark(x); }
        unsafe fn short_circuit(n: u32, x: &mut [u32]) where [n != 0 && x.len() % n == 0] { mark(x); }
        unsafe fn negated(n: i64, x: &mut [u32]) where [-n < x.len()] { mark(x); }
        unsafe fn precedence(n: u32, x: &mut [u32]) where [1 + 2 * n - 1 == x.len() && (1 + 2) * n > x.len()] { mark(x); }
        unsafe fn constant(n: u32, x: &mut [u32]) where [n as usize < x.len() / HALF, n < u8::MAX] { mark(x); }
        unsafe fn beyond(x: &mut [u32]) where [0 < LIMIT] { mark(x); }
        unsafe fn in_order(n: u32, x: &mut [u32]) where [n >= 1, n >= 2] { mark(x); }
        unsafe fn never(x: &mut [u32]) where [false] { mark(x); }
    }
}

fn mark(x: &mut [u32]) {
    x.fill(7);
}

type Scene<'a, 'id> = (Contracts<Scoped<'id>>, Stream<Compute, Scoped<'id>>, &'a Sim);

/// Runs `scene` on a fresh simulator.
fn on_sim(scene: impl for<'a, 'id> FnOnce(Scene<'a, 'id>) -> antecede::Result<()>) {
    let sim = Sim::builder().build();
    let counted = sim.clone();
    Device::scope(sim, 0, |device| scene((device.load::<Contracts>()?, device.stream::<Compute>()?, &counted)))
        .unwrap();
}

/// `$kernel($args.., x)` on `x` of `$len` elements runs, or is refused with the clause.
macro_rules! case {
    ($kernel:ident($($arg:expr),*) on $len:literal runs) => {
        on_sim(|(module, stream, _)| {
            let mut x = stream.zeroed::<u32>($len)?;
            module.$kernel(stream, $($arg,)* &mut x)?;
            assert_eq!(stream.download(&x)?, [7; $len]);
            Ok(())
        })
    };
    ($kernel:ident($($arg:expr),*) on $len:literal breaks $text:literal) => {
        on_sim(|(module, stream, sim)| {
            let mut x = stream.zeroed::<u32>($len)?;
            let error = module.$kernel(stream, $($arg,)* &mut x).unwrap_err();
            let Error::Contract { module, kernel, clause, .. } = error else { panic!("another error: {error}") };
            assert_eq!((module, kernel, clause), ("Contracts", stringify!($kernel), $text));
            assert_eq!(sim.calls().of(Call::Launch), 0);
            Ok(())
        })
    };
}

#[test]
fn a_product_does_not_wrap() {
    case!(doubled(2) on 4 runs);
    case!(doubled(3) on 4 breaks "2 * n <= x.len()");
    // In `u32`, twice 2^31 is 0.
    case!(doubled(1 << 31) on 4 breaks "2 * n <= x.len()");
    case!(doubled(u32::MAX) on 4 breaks "2 * n <= x.len()");
}

#[test]
fn an_overflow_makes_the_clause_false_and_not_the_comparison() {
    case!(squared(1) on 4 runs);
    case!(squared(u64::MAX) on 4 breaks "n * n * n * n <= x.len()");
    case!(not_larger(1) on 4 runs);
    case!(not_larger(u64::MAX) on 4 breaks "!(n * n * n * n > x.len())");
    case!(beyond() on 1 breaks "0 < LIMIT");
}

#[test]
fn a_negative_number_is_less_than_any_length_and_no_usize() {
    case!(signed(-1) on 4 runs);
    case!(signed(5) on 4 breaks "n <= x.len()");
    case!(cast(4) on 4 runs);
    case!(cast(-1) on 4 breaks "n as usize <= x.len()");
    case!(cast(i32::MIN) on 4 breaks "n as usize <= x.len()");
    case!(negated(-3) on 4 runs);
    case!(negated(-4) on 4 breaks "-n < x.len()");
    case!(negated(i64::MIN) on 4 breaks "-n < x.len()");
}

#[test]
fn a_cast_that_changes_the_value_breaks_the_clause() {
    case!(narrow(255) on 1 runs);
    case!(narrow(256) on 1 breaks "n as u8 >= 0");
}

#[test]
fn nothing_is_divided_by_zero() {
    case!(divided(4) on 4 runs);
    case!(divided(0) on 4 breaks "x.len() / n >= 1");
    case!(remainder(2) on 4 runs);
    case!(remainder(3) on 4 breaks "x.len() % n == 0");
    case!(remainder(0) on 4 breaks "x.len() % n == 0");
}

#[test]
fn conditions_stop_where_rust_would() {
    case!(guarded(0) on 4 runs);
    case!(guarded(3) on 4 breaks "n == 0 || x.len() % n == 0");
    case!(short_circuit(2) on 4 runs);
    case!(short_circuit(0) on 4 breaks "n != 0 && x.len() % n == 0");
}

#[test]
fn operators_bind_as_in_rust() {
    case!(precedence(2) on 4 runs);
    case!(precedence(3) on 4 breaks "1 + 2 * n - 1 == x.len() && (1 + 2) * n > x.len()");
}

#[test]
fn constants_are_read_by_path() {
    case!(constant(1) on 4 runs);
    case!(constant(2) on 4 breaks "n as usize < x.len() / HALF");
}

#[test]
fn the_first_clause_that_does_not_hold_is_named() {
    case!(in_order(2) on 1 runs);
    case!(in_order(1) on 1 breaks "n >= 2");
    case!(in_order(0) on 1 breaks "n >= 1");
    case!(never() on 1 breaks "false");
}
