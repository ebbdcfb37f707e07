// guarantee: no unsizing turns one brand into another
// message: mismatched types
use antecede::Stream;

struct Lane<T: ?Sized>(std::marker::PhantomData<T>);

fn program(stream: &Stream<Lane<[u8; 3]>>) -> &Stream<Lane<[u8]>> {
    stream
}

fn main() {}
