// guarantee: a contract is told the number that the kernel sees
use antecede::__private::Integer;

fn number<T: Integer>(_: T) {}

fn main() {
    number(7_u32);
}
