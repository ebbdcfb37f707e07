// guarantee: what macros call is no back door
// message: is unsafe and requires unsafe block
use antecede::__private::{Geometry, Module};
use antecede::{Primary, Result, Stream, streams};

streams! { Compute }

fn program(module: Module<(), Primary>, compute: Stream<Compute>, geometry: Geometry) -> Result<()> {
    module.on(compute).launch(0, geometry, &[], &[])
}

fn main() {}
