// guarantee: a contract is told the number that the kernel sees
// message: sealed
use antecede::__private::Integer;

#[derive(Clone, Copy)]
struct Lie(u32);

impl Integer for Lie {
    fn wide(self) -> Option<i128> {
        Some(0)
    }
}

fn number<T: Integer>(_: T) {}

fn main() {
    number(Lie(7));
}
