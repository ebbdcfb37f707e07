//! Every program under `fail` is refused with the words in its `.stderr`; every program under `pass` is accepted.
//!
//! Bless with `TRYBUILD=overwrite cargo test -p antecede-ui-tests --test ui`, without the `rust-src` component, and
//! read what changed.

#[test]
fn programs_are_refused_or_accepted() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/**/*.rs");
    cases.pass("pass/**/*.rs");
}
