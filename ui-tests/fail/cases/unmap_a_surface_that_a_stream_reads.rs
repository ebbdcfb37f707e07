// guarantee: what the host gives back at once is given back after the streams that use it
// message: expected `&mut Buffer<u8, Synced, Pinned>`, found `&mut Buffer<u8, On<Convert>, Pinned>`
// case: FREE-11, FREE-15
use antecede::{Buffer, On, Pinned, Result, Stream, Synced, streams};

streams! { Convert }

type Surface<St> = Buffer<u8, St, Pinned>;

/// The decoder writes its next frame there, at once.
fn unmap(surface: &mut Surface<Synced>) {
    surface.as_mut_slice().fill(0);
}

fn program(convert: Stream<Convert>, surface: Surface<Synced>, rgb: &mut Buffer<u8, On<Convert>>) -> Result<()> {
    let mut surface = surface.on(convert);
    convert.copy(&surface, rgb)?;
    unmap(&mut surface);
    Ok(())
}

fn main() {}
