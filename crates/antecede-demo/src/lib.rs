//! Streams a real file through three ordered streams
