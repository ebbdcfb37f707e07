// guarantee: an importer's memory is of its own device
// message: mismatched types
use antecede::{Buffer, Imported, On, ReadOnly, Scoped, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute }

enum Left {}
enum Right {}

type Theirs<'id> = Buffer<f32, On<Compute, Scoped<'id, Left>>, Imported<ReadOnly>>;
type Here<'id> = Stream<Compute, Scoped<'id, Left>>;
type There<'id> = Stream<Compute, Scoped<'id, Right>>;

fn program<'a, 'b>(
    left: Here<'a>, right: There<'b>, importer: &mut Importer<Scoped<'a, Left>>,
) -> Result<Theirs<'a>> {
    let _ = (left, right);
    importer.import(right)
}

fn main() {}
