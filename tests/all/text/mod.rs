//! Text as every other crate sees it.

mod diagnostic;
mod edit;
mod line_index;
mod pages;
mod segments;
mod snippet;
mod suggest;
