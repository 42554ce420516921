//! The fields of encodings, as constants and as the builders of slots ask for them.

use std::path::Path;

use tables::print::array;

use crate::gcn::chips::Features;
use crate::gcn::when::When;
use crate::plain::encoding::Layout;
use tables::{Result, Row, Table};

/// A field of an encoding.
pub(crate) struct Field {
    pub(crate) layout: Layout,
    pub(crate) name: String,
    pub(crate) low: u8,
    pub(crate) width: u8,
    pub(crate) when: When,
    source: String,
}

/// Reads the fields of all encodings.
pub(crate) fn read(data: &Path, features: &Features) -> Result<Vec<Field>> {
    let table = Table::read(data, "gcn/fields.tsv")?;
    let field = |row: Row<'_>| {
        let named = |name: &str| Layout::all().find(|layout| layout.name() == name);
        let (low, width): (u8, u8) = (row.number("low")?, row.number("width")?);
        if width == 0 || low.saturating_add(width) > 128 {
            return Err(row.error("the field lies outside of four words"));
        }
        Ok(Field {
            layout: row.named("encoding", named)?,
            name: row.cell("field")?.to_owned(),
            low,
            width,
            when: features.when(row, "when")?,
            source: row.cell("source")?.to_owned(),
        })
    };
    table.rows().map(field).collect()
}

/// Returns the code for the fields, by layout.
pub(crate) fn code(fields: &[Field]) -> String {
    let print = |field: &Field| {
        let Field { layout, name, low, width, when, source } = field;
        let (encoding, when) = (layout.name(), when.code());
        format!(
            "    Field {{ encoding: {encoding:?}, name: {name:?}, low: {low}, width: {width}, \
             when: {when}, source: {source:?} }},\n"
        )
    };
    let layouts = Layout::all().map(|layout| {
        let own = fields.iter().filter(|field| field.layout == layout);
        format!("&[\n{}],\n", own.map(print).collect::<String>())
    });
    array("FIELDS_OF", "&[Field]", &layouts.collect::<Vec<_>>())
}
