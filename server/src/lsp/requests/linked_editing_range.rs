//! `textDocument/linkedEditingRange`: a label, macro or symbol of assembly, typed
//! everywhere at once.
//!
//! Registers are left out: their numbers overlap in part, which only a rename weighs.
//! So are names that other files use: they would be left behind; and names that stand in
//! more places than an answer has.

use engine::ide::{References, Renamed};
use tower_lsp::ls_types::{LinkedEditingRangeParams, LinkedEditingRanges};

use super::{DocumentRequest, Stop};
use crate::limits::ANSWER_ENTRIES;
use crate::lsp::workers::Context;

impl DocumentRequest for LinkedEditingRangeParams {
    type Answer = Option<LinkedEditingRanges>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (lines, offset) = context.at(self.text_document_position_params.position)?;
        let (snapshot, file) = (&context.snapshot, context.file);
        if snapshot.assembly_kind(file)?.is_none() {
            return Ok(None);
        }
        let Ok(name) = snapshot.prepare_rename(file, offset)? else { return Ok(None) };
        if name.kind == Renamed::Register {
            return Ok(None);
        }
        let places = snapshot.references(file, offset, References::All)?;
        let is_linked = |place: &engine::ide::Location| {
            let written = lines.text().get(std::ops::Range::from(place.range));
            place.file.is_none() && written == Some(name.name.as_str())
        };
        if places.len() > ANSWER_ENTRIES || !places.iter().all(is_linked) {
            return Ok(None);
        }
        let ranges = places.iter().map(|place| lines.range(place.range));
        Ok(Some(LinkedEditingRanges {
            ranges: ranges.collect(),
            word_pattern: Some("[A-Za-z_.$][A-Za-z0-9_.$]*".to_owned()),
        }))
    }
}
