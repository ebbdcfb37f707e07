//! Nanoseconds of each operation over a driver that does nothing: through the library, and by hand.

use std::time::Duration;

use antecede_bench::cpu::OPERATIONS;
use criterion::{Criterion, criterion_group, criterion_main};

fn operations(criterion: &mut Criterion) {
    for operation in OPERATIONS {
        let mut group = criterion.benchmark_group(operation.name);
        group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(600)).sample_size(50);
        let forms = [("typed", operation.typed), ("by_hand", operation.by_hand)];
        for (form, run) in forms {
            group.bench_function(form, |bencher| {
                bencher.iter_custom(|times| run(times).expect("nothing is refused") / operation.each);
            });
        }
        group.finish();
    }
}

criterion_group!(benches, operations);
criterion_main!(benches);
