//! Moves of GCN kernels.
//!
//! The text is read line by line ([`Listing`]): an instruction that has a line of its own can be
//! moved within its basic block as far as its dependences reach, changed or left out. Waits are
//! not moved: after a change all of them may be taken out and those put in again that the
//! analysis of waits finds missing, each at the place where something first needs it, and for as
//! much as it needs ([`settle`](settle::settle)).
//!
//! Texts with macros, includes, several kernels or errors have no moves.

mod allocate;
mod copies;
mod dominance;
mod hoist;
mod holding;
mod listing;
mod numbering;
mod products;
mod registers;
mod schedule;
mod settle;
mod values;
mod webs;

use gcn::program::Options;

use crate::search::{Moves, Promise, Variant};
use listing::Listing;

pub use listing::assembled;

/// Instructions that are looked at, at most: moves are compared pair by pair.
const MOST_INSTRUCTIONS: usize = 1500;

/// All moves of the kernel of a text that is assembled with these options.
#[derive(Debug, Clone)]
pub struct KernelMoves {
    options: Options,
}

impl KernelMoves {
    /// Moves of texts that are assembled so.
    pub fn new(options: &Options) -> KernelMoves {
        KernelMoves { options: options.clone() }
    }
}

/// A change of a listing before its waits are settled.
struct Change {
    lines: Vec<String>,
    what: String,
    promise: Promise,
}

impl Moves for KernelMoves {
    fn moves(&self, text: &str) -> Vec<Variant> {
        let Some(listing) = Listing::read(text, &self.options) else { return Vec::new() };
        if listing.instructions.len() > MOST_INSTRUCTIONS {
            return Vec::new();
        }
        let mut changes = Vec::new();
        settle::moves(&listing, &mut changes);
        schedule::moves(&listing, &mut changes);
        copies::moves(&listing, &mut changes);
        products::moves(&listing, &mut changes);
        allocate::moves(&listing, &mut changes);
        webs::moves(&listing, &self.options, &mut changes);
        let variants = changes.into_iter().map(|change| Variant {
            text: text_of(&change.lines),
            change: change.what,
            assumes: match listing.may_order_stores {
                true => "nobody else relies on the order of its stores".to_owned(),
                false => String::new(),
            },
            promise: change.promise,
        });
        variants.collect()
    }

    fn completed(&self, variant: Variant) -> Option<Variant> {
        let lines = variant.text.lines().map(str::to_owned).collect();
        let text = settle::settle(lines, &self.options)?;
        Some(Variant { text, ..variant })
    }
}

fn text_of(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// Tells why a kernel has no moves at all; `None` where it may have some.
pub fn refusal(text: &str, options: &Options) -> Option<&'static str> {
    match Listing::read(text, options) {
        None => Some(
            "only texts in LLVM's dialect with one kernel, one instruction a line, and without \
             macros, includes and errors are searched",
        ),
        Some(listing) if listing.instructions.len() > MOST_INSTRUCTIONS => {
            Some("kernels of more than 1,500 instructions are not searched")
        }
        Some(_) => None,
    }
}
