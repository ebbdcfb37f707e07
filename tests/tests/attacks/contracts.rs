//! Attack: contracts and launch sizes whose arithmetic would wrap.

use antecede::{Error, kernels};
use antecede_testkit::on_sim;
use antecede_tests::A;
use antecede_trace::Call;

kernels! {
    Edges {
        /// Twice as many elements as `n`: `2 * n` wraps in 32 bits.
        unsafe fn pairs(n: u32, x: &mut [u32]) where [2 * n <= x.len()] {
            x[..2 * n as usize].fill(1);
        }
        /// A signed size may be negative.
        unsafe fn signed(n: i32, x: &mut [u32]) where [0 <= n, n as usize <= x.len()] {
            x[..n as usize].fill(1);
        }
        /// A product of three sizes wraps in 64 bits.
        unsafe fn volume(a: u64, b: u64, c: u64, x: &mut [u32]) where [a * b * c <= x.len()] {
            x[..(a * b * c) as usize].fill(1);
        }
        /// A difference below zero.
        unsafe fn between(from: u32, to: u32, x: &mut [u32]) where [from <= to, to <= x.len(), 1 <= to - from] {
            x[from as usize..to as usize].fill(1);
        }
        #[launch(threads = n * 65536)]
        unsafe fn huge(n: u64, x: &mut [u32]) {
            x.fill(n as u32);
        }
        #[launch(grid = [1, n], block = 1)]
        unsafe fn tall(n: u32, x: &mut [u32]) {
            x.fill(n);
        }
    }
}

#[test]
fn contracts_do_not_wrap() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let edges = device.load::<Edges>()?;
        let mut x = a.zeroed::<u32>(8)?;
        let (_, calls) = bench.counts(|| {
            let refused = |launched| assert!(matches!(launched, Err(Error::Contract { module: "Edges", .. })));
            refused(edges.pairs(a, 0x8000_0000, &mut x));
            refused(edges.pairs(a, 0x8000_0004, &mut x));
            refused(edges.pairs(a, 5, &mut x));
            refused(edges.signed(a, -1, &mut x));
            refused(edges.signed(a, i32::MIN, &mut x));
            refused(edges.volume(a, 1 << 32, 1 << 32, 1, &mut x));
            refused(edges.volume(a, u64::MAX, u64::MAX, u64::MAX, &mut x));
            refused(edges.between(a, 5, 4, &mut x));
            refused(edges.between(a, 4, 4, &mut x));
            refused(edges.between(a, 0, 9, &mut x));
        });
        assert_eq!(calls.total(), 0, "nothing was submitted");
        edges.pairs(a, 4, &mut x)?;
        edges.signed(a, 0, &mut x)?;
        edges.volume(a, 2, 2, 2, &mut x)?;
        edges.between(a, 0, 8, &mut x)?;
        assert_eq!(a.download(&x)?, [1; 8]);
        Ok(())
    });
}

#[test]
fn launch_sizes_do_not_wrap() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let edges = device.load::<Edges>()?;
        let mut x = a.zeroed::<u32>(8)?;
        let (_, calls) = bench.counts(|| {
            let refused = |launched| assert!(matches!(launched, Err(Error::LaunchSize { .. })));
            refused(edges.huge(a, u64::MAX, &mut x));
            refused(edges.huge(a, 1 << 48, &mut x));
            refused(edges.tall(a, 65_536, &mut x));
            refused(edges.tall(a, u32::MAX, &mut x));
        });
        assert_eq!(calls.total(), 0, "nothing was submitted");
        let ((), calls) = bench.counts(|| {
            edges.tall(a, 0, &mut x).expect("nothing to launch");
            edges.huge(a, 0, &mut x).expect("nothing to launch");
        });
        assert_eq!(calls.of(Call::Launch), 0);
        edges.tall(a, 65_535, &mut x)?;
        assert_eq!(a.download(&x)?, [65_535; 8]);
        Ok(())
    });
}
