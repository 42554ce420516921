//! Moves of TGSI shaders.
//!
//! A shader is read as lines with their effects ([`body`]) and a tree of its blocks ([`tree`]).
//! A move is a [`plan`](plan::Plan): lines that are dropped, put in, rewritten or placed
//! elsewhere. Most write what they compute to a new temporary, so that nothing else has to
//! change; the compiler joins the copies again.
//!
//! Shaders with subroutines, predicates, other historic forms or a statement that cannot be
//! read have no moves, nor have those that look up one sampler as textures of several shapes.

mod bits;
mod body;
mod branches;
mod effects;
mod equal;
mod extremes;
mod forward;
mod invariant;
mod joined;
mod known;
mod narrow;
mod order;
mod plan;
mod sink;
mod tree;
mod unroll;

use crate::search::{Moves, Variant};
use body::Body;

/// Lines that are looked at, at most: moves are compared pair by pair.
const MOST_LINES: usize = 600;

/// All moves of shaders.
#[derive(Debug, Clone, Copy, Default)]
pub struct ShaderMoves;

impl Moves for ShaderMoves {
    fn moves(&self, text: &str) -> Vec<Variant> {
        let Some(body) = Body::read(text) else { return Vec::new() };
        let mut variants = Vec::new();
        if body.lines.len() > MOST_LINES {
            return variants;
        }
        for moves in [
            unroll::moves,
            bits::moves,
            invariant::moves,
            equal::moves,
            branches::moves,
            joined::moves,
            forward::moves,
            extremes::moves,
            sink::moves,
            order::moves,
            narrow::moves,
        ] {
            moves(&body, &mut variants);
        }
        variants.retain(|variant| variant.text != text);
        variants
    }
}

/// Tells why a shader has no moves at all; `None` where it may have some.
pub fn refusal(text: &str) -> Option<&'static str> {
    match Body::read(text) {
        None => Some(
            "shaders with subroutines, predicates or historic forms are not searched, nor are \
             those with errors, and those that look up one sampler as textures of several shapes",
        ),
        Some(body) if body.lines.len() > MOST_LINES => {
            Some("shaders of more than 600 instructions are not searched")
        }
        Some(_) => None,
    }
}
