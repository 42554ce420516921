//! What each directive does, read from `directives.tsv`.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::dialect::Dialect;
use crate::table::Table;

/// What a directive does in expansion.
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
    Field,
    Get,
    OpenScope,
    CloseScope,
    Using,
    Unusing,
    RegisterVariables,
    /// Symbols with consecutive numbers.
    Enumerate,
    /// Known, without a part in expansion.
    Note,
}

/// Whether a mode is switched on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    On,
    Off,
}

/// Whether numbers of variable length have a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Signed,
    Unsigned,
}

/// Whether a zero follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Terminated {
    No,
    Yes,
}

/// What a conditional asks.
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

/// What a directive does; `None` for one the dialect does not have. The name
/// begins with a point and may have capitals.
pub(super) fn action(name: &str, dialect: Dialect) -> Option<Action> {
    let table = &tables()[dialect as usize];
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        table.get(name.to_ascii_lowercase().as_str()).copied()
    } else {
        table.get(name).copied()
    }
}

/// The directives of a dialect, with their points, in no order.
pub fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    tables()[dialect as usize].keys().copied()
}

type Directives = FxHashMap<&'static str, Action>;

fn tables() -> &'static [Directives; 2] {
    static TABLES: OnceLock<[Directives; 2]> = OnceLock::new();
    TABLES.get_or_init(|| match parse() {
        Ok(tables) => tables,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of directives: {message}"),
    })
}

fn parse() -> Result<[Directives; 2], String> {
    let mut tables = [Directives::default(), Directives::default()];
    let table = Table::parse(include_str!("directives.tsv"))?;
    for row in table.rows() {
        let (name, dialect) = (row.cell("name")?, row.cell("dialect")?);
        let text = row.cell("action")?;
        let action = parse_action(text).ok_or_else(|| row.refuse("action", text))?;
        let dialects: &[Dialect] = match dialect {
            "both" => &[Dialect::Llvm, Dialect::Clrx],
            "llvm" => &[Dialect::Llvm],
            "clrx" => &[Dialect::Clrx],
            _ => return Err(row.refuse("dialect", dialect)),
        };
        if row.cell("source")?.is_empty() {
            return Err(row.refuse("source", ""));
        }
        for dialect in dialects {
            if tables[*dialect as usize].insert(name, action).is_some() {
                return Err(row.refuse("name", name));
            }
        }
    }
    Ok(tables)
}

fn parse_action(text: &'static str) -> Option<Action> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    Some(match word {
        "if" => Action::If(parse_condition(rest)?),
        "elseif" => Action::ElseIf(parse_condition(rest)?),
        "else" => Action::Else,
        "endif" => Action::EndIf,
        "macro" => Action::Macro,
        "endm" => Action::EndMacro,
        "exitm" => Action::ExitMacro,
        "purgem" => Action::PurgeMacro,
        "altmacro" => Action::AlternateMacros(Switch::On),
        "noaltmacro" => Action::AlternateMacros(Switch::Off),
        "macrocase" => Action::MacroCase(Switch::On),
        "nomacrocase" => Action::MacroCase(Switch::Off),
        "rept" => Action::Repeat,
        "irp" => Action::ForEach,
        "irpc" => Action::ForEachLetter,
        "for" => Action::For,
        "while" => Action::While,
        "endr" => Action::EndRepeat,
        "set" => Action::Set,
        "equiv" => Action::SetOnce,
        "eqv" => Action::SetExpression,
        "undef" => Action::Undefine,
        "include" => Action::Include,
        "end" => Action::End,
        "error" | "abort" => Action::Error,
        "fail" => Action::Fail,
        "warning" => Action::Warning,
        "section" => Action::Section,
        "pushsection" => Action::PushSection,
        "popsection" => Action::PopSection,
        "previous" => Action::PreviousSection,
        "data" => Action::Data(rest.parse().ok()?),
        "ascii" => Action::Strings(1, Terminated::No),
        "asciz" if rest.is_empty() => Action::Strings(1, Terminated::Yes),
        "asciz" => Action::Strings(rest.parse().ok()?, Terminated::Yes),
        "fill" => Action::Fill,
        "space" => Action::Space,
        "align" => Action::Align,
        "p2align" => Action::AlignPower,
        "org" => Action::Origin,
        "unsized" => Action::Unsized,
        "leb" => Action::Variable(match rest {
            "signed" => Sign::Signed,
            _ => Sign::Unsigned,
        }),
        "block" => Action::Block(rest),
        "text" => Action::Text(rest),
        "target" => Action::Target,
        "kernel-symbol" => Action::KernelSymbol,
        "kernel" => Action::Kernel,
        "main" => Action::Main,
        "config" => Action::Config,
        "field" => Action::Field,
        "get" => Action::Get,
        "scope" => Action::OpenScope,
        "ends" => Action::CloseScope,
        "using" => Action::Using,
        "unusing" => Action::Unusing,
        "regvar" => Action::RegisterVariables,
        "enum" => Action::Enumerate,
        "note" => Action::Note,
        _ => return None,
    })
}

fn parse_condition(text: &str) -> Option<Condition> {
    Some(match text {
        "if" | "ifne" => Condition::NotZero,
        "ifeq" => Condition::Zero,
        "ifge" => Condition::AtLeastZero,
        "ifgt" => Condition::AboveZero,
        "ifle" => Condition::AtMostZero,
        "iflt" => Condition::BelowZero,
        "ifb" => Condition::Blank,
        "ifnb" => Condition::NotBlank,
        "ifc" => Condition::SameText,
        "ifnc" => Condition::OtherText,
        "ifeqs" => Condition::SameString,
        "ifnes" => Condition::OtherString,
        "ifdef" => Condition::Defined,
        "ifndef" => Condition::NotDefined,
        "if32" => Condition::Bits32,
        "if64" => Condition::Bits64,
        "ifarch" => Condition::Architecture,
        "ifnarch" => Condition::OtherArchitecture,
        "ifgpu" => Condition::Chip,
        "ifngpu" => Condition::OtherChip,
        "iffmt" => Condition::Format,
        "ifnfmt" => Condition::OtherFormat,
        _ => return None,
    })
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
