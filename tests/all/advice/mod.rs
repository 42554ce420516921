//! Advice: what a search finds faster, on programs that were made slower.

mod planted;
