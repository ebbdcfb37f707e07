// guarantee: a batch of ours that works on its buffers while it is taken apart works on buffers that it still has
// message: borrow of moved value: `x`
use antecede::{Batch, Buffer, On, State, Stream, streams};

streams! { A }

struct Late(Buffer<f32, On<A>>, Option<Stream<A>>);

impl Batch for Late {
    type Parts = Buffer<f32, On<A>>;
    type With<To: State> = Buffer<f32, To>;
    fn lower(self) -> Self::Parts {
        let Late(mut x, stream) = self;
        let parts = x;
        drop(stream.map(|stream| stream.clear(&mut x)));
        parts
    }
    fn raise(x: Self::Parts) -> Self {
        Late(x, None)
    }
}

fn main() {}
