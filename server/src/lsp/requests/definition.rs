//! `textDocument/definition` and `textDocument/declaration`: where a register
//! is declared or a label leads. The language has one such place, so both
//! requests have the same answer.

use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink, Uri,
};

use super::{Aim, DocumentRequest, Stop};
use crate::lsp::from_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for GotoDefinitionParams {
    type Answer = Option<GotoDefinitionResponse>;

    fn aim(&self) -> Aim {
        Aim::Place
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document_position_params.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let offset = from_protocol::offset(&lines, self.text_document_position_params.position);
        let Some(found) = context.snapshot.definitions(context.file, offset)? else {
            return Ok(None);
        };
        let destinations = found.destinations.into_iter();
        if !context.client.definition_links {
            let locations = destinations.map(|destination| {
                Location::new(context.uri.clone(), lines.range(destination.selection))
            });
            return Ok(Some(GotoDefinitionResponse::Array(locations.collect())));
        }
        let origin = lines.range(found.origin);
        let links = destinations.map(|destination| LocationLink {
            origin_selection_range: Some(origin),
            target_uri: context.uri.clone(),
            target_range: lines.range(destination.range),
            target_selection_range: lines.range(destination.selection),
        });
        Ok(Some(GotoDefinitionResponse::Link(links.collect())))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}
