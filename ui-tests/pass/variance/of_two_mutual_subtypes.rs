// guarantee: two types that are subtypes of each other are two brands
use antecede::Stream;

type One = for<'a> fn(&'a (), &'a ());
type Two = for<'a, 'b> fn(&'a (), &'b ());

fn program(stream: Stream<One>) -> Stream<One> {
    stream
}

fn main() {
    let _: Option<Two> = None;
}
