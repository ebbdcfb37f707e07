//! Programs whose verdict is known, in every file.

/// A function whose verdict is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canary {
    pub(super) name: &'static str,
    pub(super) body: &'static [&'static str],
    /// The code of the error, if it is refused.
    pub(super) code: Option<&'static str>,
}

impl Canary {
    /// Whether rustc refuses it after the types of all functions are checked. Such canaries are in every round: they show
    /// that rustc got that far.
    pub(super) fn is_late(self) -> bool {
        matches!(self.code, Some("E0382" | "E0505"))
    }

    pub(super) fn function(self, number: usize) -> String {
        let lines: String = self.body.iter().map(|line| format!("    {line}\n")).collect();
        let streams = "a: Stream<A>, b: Stream<B>, legacy: Stream<Legacy>";
        format!("fn canary{number}(device: Device, math: &Math, {streams}) -> Result<()> {{\n{lines}    Ok(())\n}}\n")
    }
}

/// All of them.
pub(super) const CANARIES: [Canary; 9] = [
    Canary {
        name: "hand-over",
        body: &[
            "let x = a.zeroed::<u32>(16)?;",
            "let mut y = b.zeroed::<u32>(16)?;",
            "let x = b.take(x)?;",
            "math.mix(b, &x, &mut y)?;",
        ],
        code: None,
    },
    Canary {
        name: "no hand-over",
        body: &["let mut x = a.zeroed::<u32>(16)?;", "b.fill(&mut x, 1)?;"],
        code: Some("E0277"),
    },
    Canary {
        name: "record and wait",
        body: &[
            "let x = a.zeroed::<u32>(16)?;",
            "let rx = a.record(x)?;",
            "let mut x = b.wait(rx)?;",
            "b.fill(&mut x, 1)?;",
        ],
        code: None,
    },
    Canary {
        name: "use after the record",
        body: &["let mut x = a.zeroed::<u32>(16)?;", "let rx = a.record(x)?;", "a.fill(&mut x, 1)?;"],
        code: Some("E0382"),
    },
    Canary {
        name: "readers",
        body: &[
            "let x = a.zeroed::<u32>(16)?;",
            "let sx = a.share(x)?;",
            "let lx = b.lease(&sx)?;",
            "math.look(b, &lx)?;",
            "drop(lx);",
            "let mut x = a.reunite(sx)?;",
            "a.fill(&mut x, 1)?;",
        ],
        code: None,
    },
    Canary {
        name: "reunion under a lease",
        body: &[
            "let x = a.zeroed::<u32>(16)?;",
            "let sx = a.share(x)?;",
            "let lx = b.lease(&sx)?;",
            "let mut x = a.reunite(sx)?;",
            "math.look(b, &lx)?;",
        ],
        code: Some("E0505"),
    },
    Canary {
        name: "host and back",
        body: &[
            "let x = a.zeroed::<u32>(16)?;",
            "let x = a.sync(x)?;",
            "let _ = x.to_vec()?;",
            "let (mut x0, x1) = x.on(legacy).into_parts_at(8);",
            "legacy.fill(&mut x0, 1)?;",
            "let x = x0.unsplit(x1)?;",
        ],
        code: None,
    },
    Canary {
        name: "parts of two streams",
        body: &[
            "let (x0, x1) = a.zeroed::<u32>(16)?.into_parts_at(8);",
            "let x1 = b.take(x1)?;",
            "let x = x0.unsplit(x1)?;",
        ],
        code: Some("E0308"),
    },
    Canary {
        name: "host too early",
        body: &["let x = a.zeroed::<u32>(16)?;", "let _ = x.to_vec()?;"],
        code: Some("E0277"),
    },
];
