// guarantee: a batch in another state is the same batch
// message: type mismatch resolving
use antecede::{Batch, Buffer, State};

type Pair<St> = (Buffer<f32, St>, Buffer<f32, St>);

struct Mine<St: State>(Buffer<f32, St>);

impl<St: State> Batch for Mine<St> {
    type Parts = Buffer<f32, St>;
    type With<To: State> = Pair<To>;
    fn lower(self) -> Self::Parts {
        self.0
    }
    fn raise(x: Self::Parts) -> Self {
        Mine(x)
    }
}

fn main() {
    let _: Option<Pair<antecede::Loose>> = None;
}
