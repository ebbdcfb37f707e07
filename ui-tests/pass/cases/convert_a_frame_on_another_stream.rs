// guarantee: a frame is read on a stream that has waited for the one that decodes it
// case: RAW-03, RAW-11
use antecede::{Buffer, On, Result, Stream, kernels, streams};

streams! { Decoder, Current }
kernels! { Colour { unsafe fn convert(yuv: &[u8], rgb: &mut [u8]) { rgb[0] = yuv[0]; } } }

type Frame<S> = Buffer<u8, On<S>>;

fn program(colour: Colour, current: Stream<Current>, yuv: Frame<Decoder>) -> Result<Frame<Current>> {
    let mut rgb = current.alloc(yuv.len())?;
    let yuv = current.take(yuv)?;
    colour.convert(current, &yuv, &mut rgb)?;
    Ok(rgb)
}

fn main() {}
