//! Numbers that name things in frames. All are random, so that none can be guessed.

use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])+ $name:ident;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u128);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:032x}", self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
    )+};
}

ids! {
    /// Names one offer and its receipt. Used once.
    ExportId;
    /// Names the importer.
    PeerId;
    /// Names a pool of the exporter's.
    PoolId;
    /// What the importer repeats, to show that the process of the `Hello` still lives.
    Nonce;
}
