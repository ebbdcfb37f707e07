// guarantee: states change on parts, in the library
use antecede::{Batch, Buffer, Loose, State};

struct Pair<St: State = Loose>(Buffer<f32, St>, Buffer<f32, St>);

impl<St: State> Batch for Pair<St> {
    type Parts = (Buffer<f32, St>, Buffer<f32, St>);
    type With<To: State> = Pair<To>;
    fn lower(self) -> Self::Parts {
        (self.0, self.1)
    }
    fn raise((a, b): Self::Parts) -> Self {
        Pair(a, b)
    }
}

fn main() {
    fn keep(pair: Pair) -> (Buffer<f32>, Buffer<f32>) {
        (pair.0, pair.1)
    }
    let _ = keep;
}
