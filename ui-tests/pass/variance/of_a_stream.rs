// guarantee: no subtyping turns one brand into another: streams
use antecede::{Kind, NonBlocking, Result, Stream, StreamBrand};

struct Lane<T>(T);

impl<T: 'static> StreamBrand for Lane<T> {
    type Kind = NonBlocking;
    const NAME: &'static str = "Lane";
}

type Any = Lane<for<'a> fn(&'a ())>;
type Static = Lane<fn(&'static ())>;

fn program(stream: Stream<Any>) -> Stream<Any> {
    stream
}

fn main() {
    let _ = |_: Stream<Static>| -> Result<()> { Ok(()) };
    fn _kind<K: Kind>() {}
}
