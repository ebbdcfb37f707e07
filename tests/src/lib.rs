//! Scenarios, random programs and failing drivers
