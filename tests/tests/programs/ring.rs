//! A ring over all devices of a machine: how many there are is known at run time only, and each sends its edge to its
//! right neighbour.

use antecede::{AnyStream, Buffer, Device, Error, Loose, Result, Several, kernels};
use antecede_sim::Sim;
use antecede_trace::{Call, Trace, judge};

kernels! {
    Stencil {
        /// Every cell but the first, which is the neighbour's, becomes the mean of itself and the cell to its left.
        unsafe fn smooth(row: &mut [f32]) where [1 <= row.len()] {
            for i in (1..row.len()).rev() {
                row[i] = (row[i - 1] + row[i]) / 2.0;
            }
        }
    }
}

const CELLS: usize = 4;

/// A device's share of the ring.
struct Rank<'id> {
    lane: AnyStream<Several<'id>>,
    stencil: Stencil<Several<'id>>,
    /// The neighbour's cell, then this rank's.
    row: Buffer<f32, Loose<Several<'id>>>,
    /// One cell on its way to the right. Its memory stays on the device that allocated it, and is addressed from others.
    edge: Buffer<f32, Loose<Several<'id>>>,
}

impl<'id> Rank<'id> {
    fn new(device: Device<Several<'id>>, cells: &[f32]) -> Result<Self> {
        let (lane, stencil) = (device.any_stream()?, device.load::<Stencil>()?);
        let (row, edge) = lane.with(|stream| {
            let mut row = stream.zeroed(1 + CELLS)?;
            stream.write(&mut row[1..], cells)?;
            Ok::<_, Error>((row.loose(), stream.alloc(1)?.loose()))
        })?;
        Ok(Rank { lane, stencil, row, edge })
    }

    fn send(&mut self) -> Result<Buffer<f32, Loose<Several<'id>>>> {
        self.lane.with(|stream| {
            let row = stream.take_from(&mut self.row)?;
            let mut edge = stream.take_from(&mut self.edge)?;
            stream.copy(&row[CELLS..], &mut edge)?;
            self.row = row.loose();
            Ok(edge.loose())
        })
    }

    fn receive(&mut self, edge: Buffer<f32, Loose<Several<'id>>>) -> Result<()> {
        self.lane.with(|stream| {
            let (mut row, edge) = (stream.take_from(&mut self.row)?, stream.take(edge)?);
            stream.copy(&edge, &mut row[..1])?;
            self.stencil.smooth(stream, &mut row)?;
            (self.row, self.edge) = (row.loose(), edge.loose());
            Ok(())
        })
    }

    fn cells(&mut self) -> Result<Vec<f32>> {
        self.lane.with(|stream| stream.download(&stream.take_from(&mut self.row)?[1..]))
    }
}

fn step(ranks: &mut [Rank<'_>]) -> Result<()> {
    let mut edges = ranks.iter_mut().map(Rank::send).collect::<Result<Vec<_>>>()?;
    edges.rotate_right(1);
    ranks.iter_mut().zip(edges).try_for_each(|(rank, edge)| rank.receive(edge))
}

/// The same on the host.
fn expected(cells: &[f32], steps: usize) -> Vec<f32> {
    let left = |cells: &[f32], i: usize| cells[(i + cells.len() - 1) % cells.len()];
    (0..steps).fold(cells.to_vec(), |cells, _| (0..cells.len()).map(|i| (left(&cells, i) + cells[i]) / 2.0).collect())
}

fn ring(sim: Sim, steps: usize) -> Result<()> {
    let (seed, trace) = (sim.seed(), Trace::new(sim));
    Device::scope_all(trace.clone(), |devices| {
        let cells: Vec<f32> = (0..devices.len() * CELLS).map(|i| (i * i) as f32).collect();
        let shares = devices.iter().zip(cells.chunks(CELLS));
        let mut ranks = shares.map(|(&device, cells)| Rank::new(device, cells)).collect::<Result<Vec<_>>>()?;
        let before = trace.mark();
        for _ in 0..steps {
            step(&mut ranks)?;
        }
        let calls = trace.counts_since(&before);
        // One hand-over for each edge, and the ring of one device hands nothing over.
        let sent = if devices.len() > 1 { steps * devices.len() } else { 0 } as u64;
        assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (sent, sent));
        assert_eq!(calls.of(Call::StreamSync) + calls.of(Call::EventSync) + calls.of(Call::ContextSync), 0);
        assert_eq!((calls.of(Call::Alloc), calls.of(Call::Free)), (0, 0));
        let found = ranks.iter_mut().map(Rank::cells).collect::<Result<Vec<_>>>()?.concat();
        assert_eq!(found, expected(&cells, steps), "seed {seed}");
        Ok(())
    })?;
    judge(&trace.log()).assert_silent();
    Ok(())
}

#[test]
fn a_ring_of_four_devices() -> Result<()> {
    for seed in 0..8 {
        // More steps than there are devices: every edge has been everywhere.
        ring(Sim::builder().devices(4).seed(seed).build(), 6)?;
    }
    Ok(())
}

#[test]
fn rings_of_other_sizes() -> Result<()> {
    (1..=3).try_for_each(|devices| ring(Sim::builder().devices(devices).build(), 5))
}
