//! `workspace/symbol`: names of all open documents, of the files of the workspace's folders,
//! and of what they include.

use tower_lsp::ls_types::{
    DocumentSymbol, Location, OneOf, Uri, WorkspaceSymbol, WorkspaceSymbolParams,
    WorkspaceSymbolResponse,
};

use super::other_files::everywhere;
use super::{DocumentRequest, Stop};
use crate::lsp::to_protocol::{self, Lines};
use crate::lsp::workers::Context;

/// The most names of one answer: nobody reads more, and who types on gets others.
const MOST: usize = 1000;

impl DocumentRequest for WorkspaceSymbolParams {
    type Answer = Option<WorkspaceSymbolResponse>;

    const READS_OTHER_FILES: bool = true;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let query = self.query.to_lowercase();
        let mut found = Vec::new();
        for (uri, file) in &everywhere(context)? {
            let lines = Lines::of(&context.snapshot, *file, context.client.column_unit)?;
            for symbol in context.snapshot.symbols(*file)? {
                let symbol = to_protocol::symbol(&lines, symbol);
                collect(symbol, None, uri, &query, &mut found);
            }
        }
        Ok(Some(WorkspaceSymbolResponse::Nested(found)))
    }
}

/// The entry and what stands in it, as far as their names have the letters of the
/// query in its order. Outlines are two or three levels deep.
fn collect(
    symbol: DocumentSymbol,
    container: Option<&str>,
    uri: &Uri,
    query: &str,
    found: &mut Vec<WorkspaceSymbol>,
) {
    for child in symbol.children.into_iter().flatten() {
        collect(child, Some(&symbol.name), uri, query, found);
    }
    if found.len() < MOST && matches(&symbol.name, query) {
        found.push(WorkspaceSymbol {
            name: symbol.name,
            kind: symbol.kind,
            tags: None,
            container_name: container.map(str::to_owned),
            location: OneOf::Left(Location::new(uri.clone(), symbol.selection_range)),
            data: None,
        });
    }
}

fn matches(name: &str, query: &str) -> bool {
    let name = name.to_lowercase();
    let mut letters = name.chars();
    query.chars().all(|wanted| letters.any(|letter| letter == wanted))
}
