// guarantee: no implementation of ours makes two devices one
use antecede::Primary;

type Mine = Primary;

fn main() {
    let _: Option<Mine> = None;
}
