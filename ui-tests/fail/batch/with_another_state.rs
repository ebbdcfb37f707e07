// guarantee: a batch in another state is the same batch
// message: type mismatch resolving
use antecede::{Batch, Buffer, On, State, streams};

streams! { Upload, Compute }

struct Mine<St: State>(Buffer<f32, St>);

impl<St: State> Batch for Mine<St> {
    type Parts = Buffer<f32, St>;
    type With<To: State> = Buffer<f32, On<Compute>>;
    fn lower(self) -> Self::Parts {
        self.0
    }
    fn raise(x: Self::Parts) -> Self {
        Mine(x)
    }
}

fn main() {
    let _: Option<(On<Compute>, Upload)> = None;
}
