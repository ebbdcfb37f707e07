// guarantee: no subtyping turns one brand into another: where a state stands alone
use antecede::On;

type Any = for<'a> fn(&'a ());
type Static = fn(&'static ());

fn program(x: Option<On<Any>>) -> Option<On<Any>> {
    x
}

fn main() {
    let _: Option<Static> = None;
}
