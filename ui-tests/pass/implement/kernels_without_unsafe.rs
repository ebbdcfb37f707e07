// guarantee: who declares kernels makes promises
use antecede::driver::ModuleDecl;
use antecede::{Kernels, __private::Module};

struct Math;

// SAFETY: a module with no kernels.
unsafe impl Kernels for Math {
    type Loaded<D> = ();
    const DECL: &'static ModuleDecl = &ModuleDecl { name: "math", ptx: None, kernels: &[] };
    unsafe fn loaded<D>(_: Module<Self, D>) {}
}

fn main() {}
