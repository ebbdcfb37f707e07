//! Many readers of one buffer, and parts of one buffer on many streams.

use antecede::driver::Driver;
use antecede::{Device, Error, Failed, Result, streams};
use antecede_sim::Sim;
use antecede_trace::{Call, Trace, judge};
use std::sync::Arc;

streams! { Main, R0, R1, R2 }
