// guarantee: no unsizing turns one brand into another
use antecede::Stream;

struct Lane<T: ?Sized>(std::marker::PhantomData<T>);

fn program(stream: &Stream<Lane<[u8; 3]>>) -> &Stream<Lane<[u8; 3]>> {
    stream
}

fn main() {}
