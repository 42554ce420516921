//! Programs that run: TGSI interpreted, machine code emulated, and both compared.

mod agreement;
mod folding;
mod fuzz;
mod joined;
mod merged;
mod mutants;
mod open_bits;
mod pipelines;
mod programs;
mod stepped;
mod stepping;
