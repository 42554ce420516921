//! Numbers that have names: messages, their operations, hardware registers.

use std::sync::OnceLock;

use crate::Generation;
use crate::table::Table;

/// What a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameKind {
    Message,
    GeometryOperation,
    SystemOperation,
    HardwareRegister,
    /// A hardware register that only CLRX has a name for.
    ClrxRegister,
}

impl NameKind {
    /// What such a number is, in words.
    pub(crate) fn title(self) -> &'static str {
        match self {
            NameKind::Message => "message",
            NameKind::GeometryOperation => "operation of the message `MSG_GS`",
            NameKind::SystemOperation => "operation of the message `MSG_SYSMSG`",
            NameKind::HardwareRegister | NameKind::ClrxRegister => "register of the hardware",
        }
    }
}

/// A name and its number.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) kind: NameKind,
    pub(crate) name: &'static str,
    pub(crate) number: u8,
    generations: &'static str,
}

impl Named {
    /// Whether the generation has it.
    pub(crate) fn exists_on(&self, generation: Generation) -> bool {
        let digit = generation.name().as_bytes()[3];
        self.generations.bytes().any(|byte| byte == digit)
    }
}

/// The row of a name, on whatever generation.
pub(crate) fn find(kind: NameKind, name: &str) -> Option<&'static Named> {
    rows().iter().find(|row| row.kind == kind && row.name == name)
}

/// The row of a name of any kind.
pub(crate) fn any(name: &str) -> Option<&'static Named> {
    rows().iter().find(|row| row.name == name)
}

/// The names of a kind that a generation has.
pub(crate) fn of_kind(
    kind: NameKind,
    generation: Generation,
) -> impl Iterator<Item = &'static str> {
    rows()
        .iter()
        .filter(move |row| row.kind == kind && row.exists_on(generation))
        .map(|row| row.name)
}

/// The name of a number on a generation.
pub(crate) fn name_of(kind: NameKind, number: u64, generation: Generation) -> Option<&'static str> {
    rows()
        .iter()
        .find(|row| {
            row.kind == kind && u64::from(row.number) == number && row.exists_on(generation)
        })
        .map(|row| row.name)
}

/// Every name that a generation has.
pub(crate) fn all(generation: Generation) -> impl Iterator<Item = &'static str> {
    rows().iter().filter(move |row| row.exists_on(generation)).map(|row| row.name)
}

fn rows() -> &'static [Named] {
    static ROWS: OnceLock<Vec<Named>> = OnceLock::new();
    ROWS.get_or_init(|| match parse(include_str!("../../data/messages.tsv")) {
        Ok(rows) => rows,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of messages: {message}"),
    })
}

fn parse(text: &'static str) -> Result<Vec<Named>, String> {
    Table::parse(text)?
        .rows()
        .map(|row| {
            let kind = row.cell("kind")?;
            let number = row.number("number")?;
            Ok(Named {
                kind: match kind {
                    "message" => NameKind::Message,
                    "gs-operation" => NameKind::GeometryOperation,
                    "system-operation" => NameKind::SystemOperation,
                    "register" => NameKind::HardwareRegister,
                    "clrx-register" => NameKind::ClrxRegister,
                    _ => return Err(row.refuse("kind", kind)),
                },
                name: row.cell("name")?,
                number: u8::try_from(number).map_err(|_| row.refuse("number", "too large"))?,
                generations: row.cell("generations")?,
            })
        })
        .collect()
}
