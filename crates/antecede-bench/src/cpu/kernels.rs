//! Kernels with one to eight buffers, which nothing runs.

use antecede::kernels;

kernels! {
    /// Kernels that read all buffers but the last, and write that.
    pub Many {
        /// One buffer.
        unsafe fn one(n: u32, y: &mut [u32]) where [n as usize <= y.len()] {}
        /// Two buffers.
        unsafe fn two(n: u32, a: &[u32], y: &mut [u32]) where [n as usize <= a.len(), n as usize <= y.len()] {}
        /// Three buffers.
        unsafe fn three(n: u32, a: &[u32], b: &[u32], y: &mut [u32])
        where [n as usize <= a.len(), n as usize <= b.len(), n as usize <= y.len()] {}
        /// Four buffers.
        unsafe fn four(n: u32, a: &[u32], b: &[u32], c: &[u32], y: &mut [u32])
        where [n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= y.len()] {}
        /// Five buffers.
        unsafe fn five(n: u32, a: &[u32], b: &[u32], c: &[u32], d: &[u32], y: &mut [u32])
        where [
            n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= d.len(),
            n as usize <= y.len()
        ] {}
        /// Six buffers.
        unsafe fn six(n: u32, a: &[u32], b: &[u32], c: &[u32], d: &[u32], e: &[u32], y: &mut [u32])
        where [
            n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= d.len(),
            n as usize <= e.len(), n as usize <= y.len()
        ] {}
        /// Seven buffers.
        unsafe fn seven(n: u32, a: &[u32], b: &[u32], c: &[u32], d: &[u32], e: &[u32], f: &[u32], y: &mut [u32])
        where [
            n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= d.len(),
            n as usize <= e.len(), n as usize <= f.len(), n as usize <= y.len()
        ] {}
        /// Eight buffers.
        unsafe fn eight(
            n: u32, a: &[u32], b: &[u32], c: &[u32], d: &[u32], e: &[u32], f: &[u32], g: &[u32], y: &mut [u32]
        )
        where [
            n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= d.len(),
            n as usize <= e.len(), n as usize <= f.len(), n as usize <= g.len(), n as usize <= y.len()
        ] {}
    }
}
