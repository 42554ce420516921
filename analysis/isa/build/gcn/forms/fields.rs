//! The fields of encodings, as the builders of slots ask for them.

use std::path::Path;

use crate::gcn::chips::Features;
use crate::gcn::when::When;
use crate::plain::encoding::Encoding;
use crate::table::{Row, Table};

/// Words with fields: those of an encoding, or an extension's.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Layout {
    Of(Encoding),
    Sdwa,
    Dpp,
}

/// A field of an encoding.
pub(crate) struct Field {
    pub(crate) layout: Layout,
    pub(crate) name: String,
    pub(crate) low: u8,
    pub(crate) width: u8,
    pub(crate) when: When,
}

/// Reads the fields of all encodings.
pub(crate) fn read(data: &Path, features: &Features) -> Result<Vec<Field>, String> {
    let table = Table::read(data, "gcn/fields.tsv")?;
    let bits = |row: Row<'_>, column: &str| {
        u8::try_from(row.number(column)?).map_err(|_| row.refuse(column))
    };
    let field = |row: Row<'_>| {
        let layout = match row.cell("encoding")? {
            "SDWA" => Layout::Sdwa,
            "DPP" => Layout::Dpp,
            name => Layout::Of(Encoding::named(name).ok_or_else(|| row.refuse("encoding"))?),
        };
        let (low, width) = (bits(row, "low")?, bits(row, "width")?);
        let when = features.when(row, "when")?;
        Ok(Field { layout, name: row.cell("field")?.to_owned(), low, width, when })
    };
    table.rows().map(field).collect()
}
