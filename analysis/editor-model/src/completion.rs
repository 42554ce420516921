//! Offers of what may be written at a place.

use source::TextRange;

/// Everything that may be written at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The word that an item replaces.
    pub replace: TextRange,
    /// The offers, the fittest first.
    pub items: Vec<CompletionItem>,
}

impl Completion {
    /// Tells whether the offers depend on the letters typed so far, so that more letters
    /// ask for others.
    pub fn grows(&self) -> bool {
        self.items.iter().any(|item| item.kind == CompletionKind::Components)
    }
}

/// Something that may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionItem {
    /// The words that are shown and matched against what is typed.
    pub label: String,
    /// Its kind, for the symbol beside it.
    pub kind: CompletionKind,
    /// More in a few words, drawn fainter; may be empty.
    pub detail: String,
    /// The words that are written.
    pub insert: String,
    /// The same with places to fill in, in the syntax of snippets; `None` where there are
    /// none.
    pub snippet: Option<String>,
    /// The fitness of the offer; 0 is best.
    pub fitness: u8,
    /// True if it has left the language.
    pub historic: bool,
    /// Its documentation; `None` without one.
    pub page: Option<Page>,
}

impl CompletionItem {
    /// An offer that is its label.
    pub fn new(label: impl Into<String>, kind: CompletionKind) -> CompletionItem {
        let label = label.into();
        CompletionItem {
            insert: label.clone(),
            label,
            kind,
            detail: String::new(),
            snippet: None,
            fitness: 0,
            historic: false,
            page: None,
        }
    }

    /// The same with more in a few words.
    pub fn with_detail(mut self, detail: impl Into<String>) -> CompletionItem {
        self.detail = detail.into();
        self
    }

    /// The same with places to fill in; `insert` is written where nobody fills them in.
    pub fn with_snippet(mut self, insert: &str, snippet: String) -> CompletionItem {
        insert.clone_into(&mut self.insert);
        self.snippet = Some(snippet);
        self
    }
}

/// The name of a page of documentation, by which it is asked for once somebody looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The list of words.
    pub list: &'static str,
    /// The word.
    pub word: &'static str,
}

/// The kind of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// The stage that a shader is for.
    Stage,
    /// Several lines to begin with.
    Skeleton,
    /// A word of the language, or a directive.
    Keyword,
    /// An opcode or mnemonic.
    Opcode,
    /// A macro.
    Macro,
    /// A register file.
    File,
    /// A register.
    Register,
    /// A semantic, target, modifier or other word of a list.
    Word,
    /// The name of a property.
    Property,
    /// A mask or swizzle.
    Components,
    /// A number.
    Number,
    /// A symbol with a value.
    Symbol,
    /// A label.
    Label,
}
