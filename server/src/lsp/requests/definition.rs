//! `textDocument/definition` and `textDocument/declaration`: where a register of TGSI is
//! declared or one of assembly was written, and where a name leads. Nothing is declared
//! apart from where it is defined, so both requests have the same answer.

use tower_lsp::ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink};

use super::{DocumentRequest, OtherFiles, Stop};
use crate::lsp::workers::Context;

impl DocumentRequest for GotoDefinitionParams {
    type Answer = Option<GotoDefinitionResponse>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (lines, offset) = context.at(self.text_document_position_params.position)?;
        let Some(found) = context.snapshot.definitions(context.file, offset)? else {
            return Ok(None);
        };
        let mut others = OtherFiles::new(context);
        let mut places = Vec::new();
        for destination in found.destinations {
            let (uri, range, selection) = match destination.file {
                None => {
                    let range = lines.range(destination.range);
                    (context.uri.clone(), range, lines.range(destination.selection))
                }
                Some(file) => {
                    let range = others.location(file, destination.range)?;
                    let selection = others.location(file, destination.selection)?;
                    let (Some(range), Some(selection)) = (range, selection) else { continue };
                    (range.uri, range.range, selection.range)
                }
            };
            places.push((uri, range, selection));
        }
        if !context.client.definition_links {
            let locations = places.into_iter();
            let locations = locations.map(|(uri, _, selection)| Location::new(uri, selection));
            return Ok(Some(GotoDefinitionResponse::Array(locations.collect())));
        }
        let origin = lines.range(found.origin);
        let links = places.into_iter().map(|(uri, range, selection)| LocationLink {
            origin_selection_range: Some(origin),
            target_uri: uri,
            target_range: range,
            target_selection_range: selection,
        });
        Ok(Some(GotoDefinitionResponse::Link(links.collect())))
    }
}
