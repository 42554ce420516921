//! Everything that needs the data in `../shared`.
