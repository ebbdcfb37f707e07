//! Programs that must not compile, and their twins that must
