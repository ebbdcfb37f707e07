// guarantee: no subtyping turns one brand into another: streams
use antecede::Stream;

struct Lane<T>(T);

type Any = Lane<for<'a> fn(&'a ())>;
type Static = Lane<fn(&'static ())>;

fn program(stream: Stream<Any>) -> Stream<Any> {
    stream
}

fn main() {
    let _: Option<Static> = None;
}
