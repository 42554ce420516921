//! `textDocument/prepareRename` and `textDocument/rename`: another number for a register,
//! another name in assembly and the files it includes. What would change the meaning is
//! refused, with the reason.

use engine::ide::FileEdit;
use tower_lsp::ls_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};

use super::workspace_edit::workspace_edits;
use super::{DocumentRequest, OtherFiles, Stop, failed};
use crate::limits::ANSWER_ENTRIES;
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for TextDocumentPositionParams {
    type Answer = Option<PrepareRenameResponse>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (lines, offset) = context.at(self.position)?;
        let found = context.snapshot.prepare_rename(context.file, offset)?.map_err(refused)?;
        Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
            range: lines.range(found.range),
            placeholder: found.name,
        }))
    }
}

impl DocumentRequest for RenameParams {
    type Answer = Option<WorkspaceEdit>;

    const READS_OTHER_FILES: bool = true;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (lines, offset) = context.at(self.text_document_position.position)?;
        let found = context.snapshot.rename(context.file, offset, &self.new_name)?;
        let mut own = Vec::new();
        let mut elsewhere: Vec<(Uri, Vec<TextEdit>)> = Vec::new();
        let mut others = OtherFiles::new(context);
        let found = found.map_err(refused)?;
        if found.iter().filter(|it| it.file.is_some()).count() > ANSWER_ENTRIES {
            let reason =
                format!("the name occurs in more than {ANSWER_ENTRIES} places of other files");
            return Err(refused(reason));
        }
        for FileEdit { file, edit } in found {
            let Some(file) = file else {
                own.push(edit);
                continue;
            };
            let Some(place) = others.location(file, edit.range)? else {
                return Err(refused("a file that uses the name has no address"));
            };
            let edit = TextEdit { range: place.range, new_text: edit.insert };
            match elsewhere.iter_mut().find(|(uri, _)| *uri == place.uri) {
                Some((_, edits)) => edits.push(edit),
                None => elsewhere.push((place.uri, vec![edit])),
            }
        }
        let own = (context.uri.clone(), to_protocol::edits(&lines, &own));
        let all = std::iter::once(own).chain(elsewhere).collect();
        Ok(Some(workspace_edits(context, all)))
    }
}

fn refused(reason: impl ToString) -> Stop {
    Stop::Refused(failed(reason))
}
