use std::fs::read_dir;

/// How many descriptors the process has open: always as many.
#[derive(Debug, Default)]
pub(super) struct OpenDescriptors {
    expected: Option<usize>,
}

impl OpenDescriptors {
    /// How often they are counted.
    pub(super) const COUNTED: u64 = 4096;

    /// Counts them, now and then.
    pub(super) fn check(&mut self, thrown: u64) -> Result<(), String> {
        if !thrown.is_multiple_of(Self::COUNTED) {
            return Ok(());
        }
        let found = read_dir("/proc/self/fd").map_err(|error| error.to_string())?.count();
        match *self.expected.get_or_insert(found) {
            expected if expected == found => Ok(()),
            expected => Err(format!("{found} descriptors are open, expected {expected}")),
        }
    }
}
