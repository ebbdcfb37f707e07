//! Which step last touched which bytes.

use antecede::driver::Access;
use rangemap::RangeMap;

/// The last write of each byte, and the reads since.
#[derive(Default, Debug)]
pub(super) struct Touched(RangeMap<u64, Touch>);

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Touch {
    writer: Option<usize>,
    readers: Vec<usize>,
}

impl Touched {
    /// Notes what a step accesses. Returns the earlier steps that it conflicts with, without repetitions, in order.
    pub(super) fn touch(&mut self, step: usize, accesses: &[Access]) -> Vec<usize> {
        let mut conflicts = Vec::new();
        for access in accesses.iter().filter(|access| access.bytes != 0) {
            let bytes = access.ptr.0..access.ptr.0.saturating_add(access.bytes as u64);
            let earlier: Vec<_> = self
                .0
                .overlapping(bytes.clone())
                .map(|(piece, touch)| (piece.start.max(bytes.start)..piece.end.min(bytes.end), touch.clone()))
                .collect();
            for (_, touch) in &earlier {
                conflicts.extend(touch.writer);
                if access.write {
                    conflicts.extend(&touch.readers);
                }
            }
            if access.write {
                self.0.insert(bytes, Touch { writer: Some(step), readers: Vec::new() });
            } else {
                let gaps: Vec<_> = self.0.gaps(&bytes).collect();
                let fresh = gaps.into_iter().map(|gap| (gap, Touch::default()));
                for (piece, mut touch) in fresh.chain(earlier) {
                    touch.readers.push(step);
                    self.0.insert(piece, touch);
                }
            }
        }
        conflicts.retain(|&other| other != step);
        conflicts.sort_unstable();
        conflicts.dedup();
        conflicts
    }
}

#[cfg(test)]
mod tests {
    use antecede::driver::DevicePtr;

    use super::*;

    fn access(ptr: u64, bytes: usize, write: bool) -> Access {
        Access { ptr: DevicePtr(ptr), bytes, write }
    }

    #[test]
    fn a_read_meets_the_writer_and_a_write_the_readers_too() {
        let mut touched = Touched::default();
        assert!(touched.touch(0, &[access(0x100, 64, true)]).is_empty());
        assert_eq!(touched.touch(1, &[access(0x120, 64, false)]), [0]);
        assert!(touched.touch(2, &[access(0x140, 32, false)]).is_empty(), "two reads, and no write there");
        assert_eq!(touched.touch(3, &[access(0x130, 0x20, true)]), [0, 1, 2]);
        assert_eq!(touched.touch(4, &[access(0x100, 0x60, false)]), [0, 3]);
        assert!(touched.touch(5, &[access(0x160, 0, true), access(0x1000, 8, false)]).is_empty());
    }
}
