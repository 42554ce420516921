//! The GLSL that virglrenderer makes of TGSI: which statement a line comes from, what a
//! refused line wants of a host, and the reports of refusals in logs.
//!
//! Nothing here asks a renderer. The renderer writes the statements of GLSL in the order of
//! the instructions, so that a walk over both finds the instruction of each line
//! ([`join()`]); what was declared is found by the names that it gives. A line
//! whose statement is not certain has none.

mod complaints;
mod declared;
mod join;
mod marks;
mod needs;
mod refusal;
mod reports;

#[cfg(test)]
mod tests;

pub use complaints::{Complaint, complaints};
pub use join::{is_lost, join};
pub use marks::{beginning, marked};
pub use needs::{Need, need_of_line, need_of_stage, need_of_statement};
pub use refusal::{Refusal, refusals};
pub use reports::{Report, reports};
