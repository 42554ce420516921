//! The functions that lowered shaders may call.
//!
//! From LLVM 17 on a call of a function that does not exist silently becomes
//! a call in the machine code. So whoever hands IR to LLVM checks its calls
//! against this list, which is `data/intrinsics.tsv`: a name a row, in byte order, with
//! the LLVM versions that it was compiled with.

include!(concat!(env!("OUT_DIR"), "/intrinsics.rs"));
