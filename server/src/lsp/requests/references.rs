//! `textDocument/references`: every place that names a register of TGSI or a symbol, or
//! reads or writes the value of a register of assembly.

use engine::ide::References;
use tower_lsp::ls_types::{Location, ReferenceParams};

use super::{DocumentRequest, OtherFiles, Stop};
use crate::lsp::workers::Context;

impl DocumentRequest for ReferenceParams {
    type Answer = Option<Vec<Location>>;

    const READS_OTHER_FILES: bool = true;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (lines, offset) = context.at(self.text_document_position.position)?;
        let wanted = match self.context.include_declaration {
            true => References::All,
            false => References::Uses,
        };
        let found = context.snapshot.references(context.file, offset, wanted)?;
        let mut locations = Vec::new();
        let mut others = OtherFiles::new(context);
        for place in context.listed("places", found) {
            let location = match place.file {
                None => Some(Location::new(context.uri.clone(), lines.range(place.range))),
                Some(file) => others.location(file, place.range)?,
            };
            locations.extend(location);
        }
        Ok(Some(locations))
    }
}
