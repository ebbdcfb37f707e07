//! Fixtures for antecede's own tests
