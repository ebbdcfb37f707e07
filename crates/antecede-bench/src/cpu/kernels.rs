//! Kernels with one to eight buffers.

use antecede::kernels;

kernels! {
    /// Kernels that read all buffers but the last, and write that.
    pub Many: "../../../../kernels/many.ptx" {
        /// One buffer.
        unsafe fn one(n: u32, y: &mut [u32]) where [n as usize <= y.len()] {
            y[..n as usize].fill(1);
        }
        /// Two buffers.
        unsafe fn two(n: u32, a: &[u32], y: &mut [u32]) where [n as usize <= a.len(), n as usize <= y.len()] {
            y[..n as usize].copy_from_slice(&a[..n as usize]);
        }
        /// Three buffers.
        unsafe fn three(n: u32, a: &[u32], b: &[u32], y: &mut [u32])
        where [n as usize <= a.len(), n as usize <= b.len(), n as usize <= y.len()] {
            for i in 0..n as usize {
                y[i] = a[i].wrapping_add(b[i]);
            }
        }
        /// Four buffers.
        unsafe fn four(n: u32, a: &[u32], b: &[u32], c: &[u32], y: &mut [u32])
        where [n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= y.len()] {
            for i in 0..n as usize {
                y[i] = a[i].wrapping_add(b[i]).wrapping_add(c[i]);
            }
        }
        /// Five buffers.
        unsafe fn five(n: u32, a: &[u32], b: &[u32], c: &[u32], d: &[u32], y: &mut [u32])
        where [
            n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= d.len(),
            n as usize <= y.len()
        ] {
            for i in 0..n as usize {
                y[i] = a[i].wrapping_add(b[i]).wrapping_add(c[i]).wrapping_add(d[i]);
            }
        }
        /// Six buffers.
        unsafe fn six(n: u32, a: &[u32], b: &[u32], c: &[u32], d: &[u32], e: &[u32], y: &mut [u32])
        where [
            n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= d.len(),
            n as usize <= e.len(), n as usize <= y.len()
        ] {
            for i in 0..n as usize {
                y[i] = a[i].wrapping_add(b[i]).wrapping_add(c[i]).wrapping_add(d[i]).wrapping_add(e[i]);
            }
        }
        /// Seven buffers.
        unsafe fn seven(n: u32, a: &[u32], b: &[u32], c: &[u32], d: &[u32], e: &[u32], f: &[u32], y: &mut [u32])
        where [
            n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= d.len(),
            n as usize <= e.len(), n as usize <= f.len(), n as usize <= y.len()
        ] {
            for i in 0..n as usize {
                y[i] = a[i].wrapping_add(b[i]).wrapping_add(c[i]).wrapping_add(d[i]).wrapping_add(e[i]).wrapping_add(f[i]);
            }
        }
        /// Eight buffers.
        unsafe fn eight(
            n: u32, a: &[u32], b: &[u32], c: &[u32], d: &[u32], e: &[u32], f: &[u32], g: &[u32], y: &mut [u32]
        )
        where [
            n as usize <= a.len(), n as usize <= b.len(), n as usize <= c.len(), n as usize <= d.len(),
            n as usize <= e.len(), n as usize <= f.len(), n as usize <= g.len(), n as usize <= y.len()
        ] {
            for i in 0..n as usize {
                y[i] = a[i].wrapping_add(b[i]).wrapping_add(c[i]).wrapping_add(d[i]).wrapping_add(e[i]).wrapping_add(f[i]).wrapping_add(g[i]);
            }
        }
    }
}
