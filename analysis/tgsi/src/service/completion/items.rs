//! Offers of the completion list, and their order.

use editor_model::{CompletionItem, CompletionKind, Page};

use crate::formats::Format;
use crate::word_rows::{self, WordRow};
use crate::{Opcode, describe};

/// The list of the pages of opcodes, which have a table of their own.
pub(super) const OPCODES: &str = "opcode";
/// The list of the pages of image formats, which have one too.
pub(super) const FORMATS: &str = "format";

/// An offer that is its label.
pub(super) fn plain(label: impl Into<String>, kind: CompletionKind, fitness: u8) -> CompletionItem {
    CompletionItem { fitness, ..CompletionItem::new(label, kind) }
}

/// A word of a list, with its page.
pub(super) fn word(row: &'static WordRow, kind: CompletionKind, fitness: u8) -> CompletionItem {
    let mut item = plain(row.word, kind, fitness);
    item.detail = row.value.to_owned();
    item.historic = !row.until.is_empty();
    item.page = Some(Page { list: row.list, word: row.word });
    item
}

/// All words of a list, with their pages.
pub(super) fn words(list: &str) -> impl Iterator<Item = CompletionItem> {
    word_rows::of(list).map(|row| word(row, CompletionKind::Word, 0))
}

/// An opcode, with its page.
pub(super) fn opcode(opcode: Opcode, label: String, fitness: u8) -> CompletionItem {
    let mut item = plain(label, CompletionKind::Opcode, fitness);
    let row = opcode.row();
    item.detail = row.formula.to_owned();
    item.historic = !row.until.is_empty();
    item.page = Some(Page { list: OPCODES, word: row.mnemonic });
    item
}

/// An image format, with its page. Those come first whose components lie
/// in memory as a shader sees them, as images mostly are.
pub(super) fn format(format: &'static Format, fitness: u8) -> CompletionItem {
    let straight = ["x001", "xy01", "xyz1", "xyzw"].contains(&format.swizzle);
    let common = format.layout == "plain" && format.color_space == "rgb" && straight;
    let mut item = plain(format.name, CompletionKind::Word, fitness + u8::from(!common));
    item.detail = describe::returned(format);
    item.page = Some(Page { list: FORMATS, word: format.name });
    item
}

/// The fittest first; equally fit ones stay in the order of their table.
pub(super) fn sort(items: &mut Vec<CompletionItem>) {
    items.sort_by_key(|item| (item.fitness, item.historic));
    items.truncate(MOST_ITEMS);
}

/// More offers than this nobody reads.
const MOST_ITEMS: usize = 1000;
