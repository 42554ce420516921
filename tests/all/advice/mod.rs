//! Advice: what a search finds faster, on programs that were made slower.

mod difference;
mod kernel;
mod moves;
mod planted;
mod recorded;
mod search;
mod shader;
