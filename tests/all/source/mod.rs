//! Text as every other crate sees it.

mod align;
mod cover;
mod diagnostic;
mod digits;
mod edit;
mod line_index;
mod misread;
mod pages;
mod printable;
mod segments;
mod snippet;
mod suggest;
