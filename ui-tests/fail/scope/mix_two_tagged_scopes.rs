// guarantee: what belongs to one scope fits no other, and a tag says so in words
// message: this buffer lives on device `Scoped<'_, Left>`, not on device `Scoped<'_, Right>`
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
            drop(right.stream::<B>()?.take(x)?);
            Ok(())
        })
    })
}

fn main() {}
