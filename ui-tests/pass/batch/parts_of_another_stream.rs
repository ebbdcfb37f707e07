// guarantee: a batch of ours rearranges its own buffers, and retypes none
use antecede::{Batch, Buffer, On, State, streams};

streams! { Upload, Compute }

struct Mine {
    x: Buffer<f32, On<Upload>>,
}

impl Batch for Mine {
    type Parts = Buffer<f32, On<Upload>>;
    type With<St: State> = Buffer<f32, St>;
    fn lower(self) -> Self::Parts {
        self.x
    }
    fn raise(_: Self::Parts) -> Self {
        todo!()
    }
}

fn main() {
    let _: Option<Compute> = None;
}
