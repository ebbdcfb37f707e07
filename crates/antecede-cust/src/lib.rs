//! antecede on a real GPU, through cust
