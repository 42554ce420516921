//! Text as every other crate sees it.

mod edit;
mod line_index;
mod pages;
mod segments;
mod snippet;
mod suggest;
