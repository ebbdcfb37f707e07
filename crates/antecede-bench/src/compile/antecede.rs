//! The form that this library is for.

use super::{STEPS, STREAMS, first_and_last, line, step};

const HEAD: &str = "\
use antecede::{Buffer, Device, On, Result, Stream, kernels, streams};

kernels! {
    Math {
        unsafe fn increment(n: u32, a: f32, x: &mut [f32]) where [n as usize <= x.len()] {}
        unsafe fn scale(n: u32, a: f32, x: &[f32], y: &mut [f32]) where [n as usize <= x.len(), n as usize <= y.len()] {}
        unsafe fn saxpy(n: u32, a: f32, x: &[f32], y: &mut [f32]) where [n as usize <= x.len(), n as usize <= y.len()] {}
        unsafe fn add(n: u32, a: f32, x: &[f32], y: &[f32], z: &mut [f32])
        where [n as usize <= x.len(), n as usize <= y.len(), n as usize <= z.len()] {}
    }
}
";

pub(super) fn program(change: u32) -> String {
    let mut text = HEAD.to_owned();
    let names: Vec<String> = (0..STREAMS).map(|stream| format!("S{stream}")).collect();
    line(&mut text, &format!("streams! {{ {} }}", names.join(", ")));
    line(&mut text, "type Three<S> = (Buffer<f32, On<S>>, Buffer<f32, On<S>>, Buffer<f32, On<S>>);");
    line(&mut text, "#[derive(Clone, Copy)]\nstruct Streams {");
    (0..STREAMS).for_each(|s| line(&mut text, &format!("    s{s}: Stream<S{s}>,")));
    line(&mut text, "}");
    for number in 0..STEPS {
        let (first, last) = first_and_last(number);
        line(
            &mut text,
            &format!(
                "fn step_{number}(streams: Streams, math: Math, n: u32, three: Three<S{first}>) -> Result<Three<S{last}>> {{"
            ),
        );
        line(&mut text, "    let (x, y, z) = three;");
        step(
            &mut text,
            number,
            change,
            |text, _, to| line(text, &format!("    let (mut x, mut y, mut z) = streams.s{to}.take((x, y, z))?;")),
            |text, kernel, on, factor| {
                let (name, buffers) = [
                    ("increment", "&mut x"),
                    ("scale", "&x, &mut y"),
                    ("saxpy", "&y, &mut z"),
                    ("add", "&x, &y, &mut z"),
                ][kernel];
                line(text, &format!("    math.{name}(streams.s{on}, n, {factor}, {buffers})?;"));
            },
        );
        line(&mut text, "    Ok((x, y, z))\n}");
    }
    line(&mut text, "fn main() -> Result<()> {\n    let device = Device::primary(antecede_cust::Cuda::new()?)?;");
    line(&mut text, "    let math = device.load::<Math>()?;\n    let streams = Streams {");
    (0..STREAMS).for_each(|s| line(&mut text, &format!("        s{s}: device.stream::<S{s}>()?,")));
    line(&mut text, "    };\n    let n = 1 << 20;\n    let s = streams.s0;");
    line(&mut text, "    let three = (s.zeroed(n as usize)?, s.zeroed(n as usize)?, s.zeroed(n as usize)?);");
    (0..STEPS).for_each(|s| line(&mut text, &format!("    let three = step_{s}(streams, math, n, three)?;")));
    line(&mut text, &format!("    streams.s{}.sync(three)?;\n    Ok(())\n}}", first_and_last(STEPS).0));
    text
}
