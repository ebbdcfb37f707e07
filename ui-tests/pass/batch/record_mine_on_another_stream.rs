// guarantee: a batch of ours is ready where its buffers are
use antecede::{Batch, Buffer, On, Result, State, Stream, streams};

streams! { Upload, Compute }

struct Mine<St: State>(Buffer<f32, St>);

impl<St: State> Batch for Mine<St> {
    type Parts = Buffer<f32, St>;
    type With<To: State> = Mine<To>;
    fn lower(self) -> Self::Parts {
        self.0
    }
    fn raise(x: Self::Parts) -> Self {
        Mine(x)
    }
}

fn program(compute: Stream<Compute>, mine: Mine<On<Upload>>) -> Result<()> {
    let mine = compute.take(mine)?;
    compute.record(mine).map(drop).map_err(Into::into)
}

fn main() {}
