//! An offer of the completion list, and the order of offers.

use crate::formats::Format;
use crate::word_rows::WordRow;
use crate::{Opcode, describe};

/// Something that may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What is shown and matched against what is typed.
    pub label: String,
    /// What it is.
    pub kind: ItemKind,
    /// More in a few words, drawn fainter; may be empty.
    pub detail: String,
    /// What is written.
    pub insert: String,
    /// The same with places to fill in, in the syntax of snippets; `None`
    /// where there are none.
    pub snippet: Option<String>,
    /// How well it fits; 0 is best.
    pub fitness: u8,
    /// Whether it has left the language.
    pub historic: bool,
    /// Where its page is; `None` without one.
    pub page: Option<Page>,
}

/// Names a page of the tables: see [`page`](super::page).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The list of words, [`Page::OPCODES`] or [`Page::FORMATS`].
    pub list: &'static str,
    /// The word.
    pub word: &'static str,
}

impl Page {
    /// The list of opcodes, which have a table of their own.
    pub const OPCODES: &'static str = "opcode";
    /// The list of image formats, which have one too.
    pub const FORMATS: &'static str = "format";
}

/// What an offer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ItemKind {
    Stage,
    /// Several lines to begin with.
    Skeleton,
    Keyword,
    Opcode,
    File,
    Register,
    /// A semantic, interpolation, target or other word of a list.
    Word,
    Property,
    Components,
    Number,
    Label,
}

impl Item {
    /// An offer that is its label.
    pub(super) fn new(label: impl Into<String>, kind: ItemKind, fitness: u8) -> Item {
        let label = label.into();
        Item {
            insert: label.clone(),
            label,
            kind,
            detail: String::new(),
            snippet: None,
            fitness,
            historic: false,
            page: None,
        }
    }

    /// A word of a list, with its page.
    pub(super) fn word(row: &'static WordRow, kind: ItemKind, fitness: u8) -> Item {
        let mut item = Item::new(row.word, kind, fitness);
        item.detail = row.value.to_owned();
        item.historic = !row.until.is_empty();
        item.page = Some(Page { list: row.list, word: row.word });
        item
    }

    /// An opcode, with its page.
    pub(super) fn opcode(opcode: Opcode, label: String, fitness: u8) -> Item {
        let mut item = Item::new(label, ItemKind::Opcode, fitness);
        let row = opcode.row();
        item.detail = row.formula.to_owned();
        item.historic = !row.until.is_empty();
        item.page = Some(Page { list: Page::OPCODES, word: row.mnemonic });
        item
    }

    /// An image format, with its page. Those come first whose components lie
    /// in memory as a shader sees them, as images mostly are.
    pub(super) fn format(format: &'static Format, fitness: u8) -> Item {
        let straight = ["x001", "xy01", "xyz1", "xyzw"].contains(&format.swizzle);
        let common = format.layout == "plain" && format.color_space == "rgb" && straight;
        let mut item = Item::new(format.name, ItemKind::Word, fitness + u8::from(!common));
        item.detail = describe::returned(format);
        item.page = Some(Page { list: Page::FORMATS, word: format.name });
        item
    }

    pub(super) fn with_detail(mut self, detail: impl Into<String>) -> Item {
        self.detail = detail.into();
        self
    }

    pub(super) fn with_snippet(mut self, insert: &str, snippet: String) -> Item {
        insert.clone_into(&mut self.insert);
        self.snippet = Some(snippet);
        self
    }
}

/// The fittest first; equally fit ones stay in the order of their table.
pub(super) fn sort(items: &mut Vec<Item>) {
    items.sort_by_key(|item| (item.fitness, item.historic));
    items.truncate(MOST_ITEMS);
}

/// More offers than this nobody reads.
const MOST_ITEMS: usize = 1000;
