// guarantee: what belongs to one scope fits no other, and a tag says so in words
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { A, B }
enum Left {}
enum Right {}

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope_as::<Left, _>(driver.clone(), 0, |left| {
        let x = left.stream::<A>()?.zeroed::<f32>(8)?;
        Device::scope_as::<Right, _>(driver, 1, |right| {
            drop(right.stream::<B>()?.upload(&left.stream::<A>()?.download(&x)?)?);
            Ok(())
        })
    })
}

fn main() {}
