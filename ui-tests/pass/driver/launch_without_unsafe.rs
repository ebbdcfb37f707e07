// guarantee: what macros call is no back door
use antecede::__private::{Geometry, Module};
use antecede::{Primary, Result, Stream, streams};

streams! { Compute }

fn program(module: Module<(), Primary>, compute: Stream<Compute>, geometry: Geometry) -> Result<()> {
    // SAFETY: an example of the syntax, never called.
    unsafe { module.on(compute).launch(0, geometry, &[], &[]) }
}

fn main() {}
