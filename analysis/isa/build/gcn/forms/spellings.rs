//! Names that a dialect takes for another opcode.

use crate::gcn::when::When;
use crate::gcn::{Input, opcodes};
use crate::plain::names::Dialect;
use tables::{Result, Row};

/// A name that a dialect takes for another opcode.
pub(crate) struct Spelling {
    op: usize,
    dialect: Dialect,
    when: When,
    /// The number of the opcode that is meant; `None` where the name is not known.
    pub(crate) stands_for: Option<usize>,
    /// Tells whether only the 64-bit encoding is meant.
    pub(crate) long: bool,
}

/// The forms that a spelling stands for.
#[derive(Clone, Copy, PartialEq)]
enum Meant {
    All,
    Long,
    None,
}

impl Spelling {
    /// Tells whether it is of an opcode's name in a dialect, on chips with these features.
    pub(crate) fn is(&self, op: usize, dialect: Dialect, features: u64) -> bool {
        self.op == op && self.dialect == dialect && self.when.holds(features)
    }
}

/// Reads the spellings.
pub(crate) fn read(input: Input<'_>) -> Result<Vec<Spelling>> {
    let table = input.table("spellings")?;
    let spelling = |row: Row<'_>| {
        let op = |column: &str| row.named(column, |name| opcodes::find(input.ops, name));
        let dialect = row.named("dialect", Dialect::named)?;
        let words = [("all", Meant::All), ("long", Meant::Long), ("none", Meant::None)];
        let meant = row.one_of("forms", &words)?;
        let stands_for = match meant {
            Meant::None => None,
            Meant::All | Meant::Long => Some(op("stands_for")?),
        };
        let (op, when) = (op("name")?, input.features.when(row, "when")?);
        Ok(Spelling { op, dialect, when, stands_for, long: meant == Meant::Long })
    };
    table.rows().map(spelling).collect()
}
