//! Directives, each with what it does and what readers are told of it: a row of
//! `data/directives.tsv`.

use crate::dialect::Dialect;

include!(concat!(env!("OUT_DIR"), "/directives.rs"));

/// A directive.
#[derive(Debug)]
pub struct DirectiveInfo {
    /// Its name with the point.
    pub name: &'static str,
    /// Its action in each dialect; none for a line of a block, which the block reads.
    actions: [Option<Action>; 2],
    /// The dialects that have it.
    pub dialects: &'static [Dialect],
    /// The operands, optional ones in brackets; empty where it has none.
    pub arguments: &'static str,
    /// An account of its effect, as Markdown.
    pub does: &'static str,
    /// Lines that use it, which its dialects accept; `None` where only a whole program would.
    pub example: Option<&'static str>,
    /// The document that the row is from.
    pub source: &'static str,
}

/// The action of a directive in expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    If(Condition),
    ElseIf(Condition),
    Else,
    EndIf,
    Macro,
    EndMacro,
    ExitMacro,
    PurgeMacro,
    AlternateMacros(Switch),
    MacroCase(Switch),
    Repeat,
    ForEach,
    ForEachLetter,
    For,
    While,
    EndRepeat,
    Set,
    SetOnce,
    SetExpression,
    Undefine,
    Include,
    End,
    Error,
    Fail,
    Warning,
    /// A section by its own name, or by its argument where the name is `.section`.
    Section,
    PushSection,
    PopSection,
    PreviousSection,
    /// Values of so many bytes each.
    Data(u32),
    /// Strings, letters of so many bytes, with a zero behind each or behind all.
    Strings(u32, Terminated),
    Fill,
    Space,
    Align,
    AlignPower,
    Origin,
    /// Data of a size unknown here.
    Unsized,
    /// Numbers in seven bits a byte, as many as each needs.
    Variable(Sign),
    /// A descriptor, field by field.
    Block(&'static str),
    /// Free text.
    Text(&'static str),
    Target,
    KernelSymbol,
    Kernel,
    Main,
    Config,
    Get,
    OpenScope,
    CloseScope,
    Using,
    Unusing,
    RegisterVariables,
    /// Symbols with consecutive numbers.
    Enumerate,
    /// Known: a field within a block, without a part in expansion outside.
    Note,
}

impl Action {
    /// Tells whether it begins a repetition, which `.endr` ends.
    pub(super) fn repeats(self) -> bool {
        use Action::{For, ForEach, ForEachLetter, Repeat, While};
        matches!(self, Repeat | ForEach | ForEachLetter | For | While)
    }
}

/// The two states of a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    On,
    Off,
}

/// The sign of numbers of variable length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Signed,
    Unsigned,
}

/// The presence of a zero behind strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Terminated {
    No,
    Yes,
}

/// The question of a conditional.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    NotZero,
    Zero,
    AtLeastZero,
    AboveZero,
    AtMostZero,
    BelowZero,
    Blank,
    NotBlank,
    SameText,
    OtherText,
    SameString,
    OtherString,
    Defined,
    NotDefined,
    Bits32,
    Bits64,
    Architecture,
    OtherArchitecture,
    Chip,
    OtherChip,
    Format,
    OtherFormat,
}

/// Returns every directive, in the order of the table.
pub fn all() -> &'static [DirectiveInfo] {
    &ROWS
}

/// Finds a directive by its name with the point; letter case does not count.
pub fn find(name: &str) -> Option<&'static DirectiveInfo> {
    let lowered = name.bytes().any(|it| it.is_ascii_uppercase()).then(|| name.to_ascii_lowercase());
    let name = lowered.as_deref().unwrap_or(name);
    tables::find(&INDEX, name.as_bytes(), |number| ROWS[number].name).map(|number| &ROWS[number])
}

/// Returns the action of a directive; `None` for one the dialect does not have. The name
/// begins with a point; letter case does not count.
pub(super) fn action(name: &str, dialect: Dialect) -> Option<Action> {
    find(name)?.actions[dialect as usize]
}

/// Returns the directives of a dialect that stand by themselves, with their points.
pub fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    ROWS.iter().filter(move |row| row.actions[dialect as usize].is_some()).map(|row| row.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_found_in_any_case() {
        assert!(names(Dialect::Llvm).count() > 150);
        assert!(names(Dialect::Clrx).count() > 200);
        assert_eq!(action(".IfEq", Dialect::Llvm), Some(Action::If(Condition::Zero)));
        assert_eq!(action(".while", Dialect::Llvm), None);
        assert_eq!(action(".while", Dialect::Clrx), Some(Action::While));
        assert_eq!(action(".word", Dialect::Llvm), None);
        assert_eq!(action(".word", Dialect::Clrx), Some(Action::Data(4)));
    }
}
