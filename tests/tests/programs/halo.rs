//! Halo exchange: borders and interior of one array on two streams.

use antecede::{Buffer, Device, On, Result, Stream, kernels, streams};
use antecede_testkit::shared_device;

streams! { Inner, Edge }

kernels! {
    Stencil {
        unsafe fn smooth(x: &mut [f32]) {
            x.iter_mut().for_each(|x| *x *= 0.5);
        }
    }
}

/// Left border, interior, right border.
struct Row {
    left: Buffer<f32, On<Edge>>,
    middle: Buffer<f32, On<Inner>>,
    right: Buffer<f32, On<Edge>>,
}

impl Row {
    fn new(edge: Stream<Edge>, row: Buffer<f32, On<Inner>>, halo: usize) -> Result<Self> {
        let inner = row.len() - 2 * halo;
        let (left, rest) = row.into_parts_at(halo);
        let (middle, right) = rest.into_parts_at(inner);
        let (left, right) = edge.take((left, right))?;
        Ok(Row { left, middle, right })
    }

    fn step(&mut self, stencil: Stencil, inner: Stream<Inner>, edge: Stream<Edge>, halo: &[f32]) -> Result<Vec<f32>> {
        stencil.smooth(edge, &mut self.left)?;
        stencil.smooth(edge, &mut self.right)?;
        stencil.smooth(inner, &mut self.middle)?;
        let send = edge.download(&self.left)?; // the interior goes on meanwhile
        edge.write(&mut self.right[..halo.len()], halo)?;
        Ok(send)
    }

    fn join(self, inner: Stream<Inner>) -> Result<Buffer<f32, On<Inner>>> {
        let (left, right) = inner.take((self.left, self.right))?;
        Ok(left.unsplit(self.middle)?.unsplit(right)?)
    }
}

fn run(device: Device) -> Result<(Vec<f32>, Vec<f32>)> {
    let (inner, edge) = device.streams::<(Inner, Edge)>()?;
    let stencil = device.load::<Stencil>()?;
    let mut row = Row::new(edge, inner.upload(&[1.0f32; 10])?, 2)?;
    let sent = row.step(stencil, inner, edge, &[9.0, 9.0])?;
    let row = row.join(inner)?;
    Ok((sent, inner.download(&row)?))
}

#[test]
fn borders_and_interior_on_streams_of_their_own() {
    let (sent, row) = run(shared_device().device()).unwrap();
    assert_eq!(sent, [0.5; 2]);
    assert_eq!(row, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 9.0, 9.0]);
}
