// guarantee: no subtyping turns one brand into another: streams
// message: mismatched types
use antecede::Stream;

struct Lane<T>(T);

type Any = Lane<for<'a> fn(&'a ())>;
type Static = Lane<fn(&'static ())>;

fn program(stream: Stream<Any>) -> Stream<Static> {
    stream
}

fn main() {
    let _: Option<Static> = None;
}
