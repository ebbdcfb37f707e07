//! A CUDA-like device on the CPU that runs work as late, and in as unkind an order, as the stream rules allow
