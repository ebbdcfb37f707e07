// guarantee: a state is asserted by the library only
// message: cannot initialize a tuple struct which contains private fields
use antecede::{On, streams};
use std::marker::PhantomData;

streams! { Compute }

fn main() {
    let _: On<Compute> = On(PhantomData);
}
