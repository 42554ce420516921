//! Advice: what a search finds faster, on programs that were made slower.

mod difference;
mod kernel;
mod moves;
mod planted;
mod search;
mod shader;
