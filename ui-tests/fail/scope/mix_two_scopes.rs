// guarantee: what belongs to one scope fits no other
// message: borrowed data escapes outside of closure
// errors: 2
// case: RAW-09
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { A, B }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver.clone(), 0, |left| {
        let x = left.stream::<A>()?.zeroed::<f32>(8)?;
        Device::scope(driver, 0, |right| {
            drop(right.stream::<B>()?.take(x)?);
            Ok(())
        })
    })
}

fn main() {}
