//! `textDocument/completion`: what may be written here. The documentation of
//! an item comes by `completionItem/resolve`, once somebody looks at it.

use engine::ide::{self, CompletionKind};
use serde_json::json;
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionItemTag,
    CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit, Documentation,
    InsertTextFormat, Range, TextEdit,
};

use super::{DocumentRequest, Stop};
use crate::lsp::client::ClientAbilities;
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for CompletionParams {
    type Answer = Option<CompletionResponse>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (lines, offset) = context.at(self.text_document_position.position)?;
        let before = lines.text().get(..usize::from(offset)).unwrap_or_default();
        if indents(self, before) {
            return Ok(None);
        }
        // Around its shaders a source of another language has other servers.
        let is_source = engine::is_source(context.uri.path().as_str());
        if is_source && !context.snapshot.is_in_shader(context.file, offset)? {
            return Ok(None);
        }
        let Some(found) = context.snapshot.completion(context.file, offset)? else {
            return Ok(None);
        };
        let range = lines.range(found.replace);
        let is_incomplete = found.grows();
        let items = found.items.into_iter().enumerate();
        let items = items.map(|(place, found)| item(found, place, range, &context.client));
        Ok(Some(CompletionResponse::List(CompletionList { is_incomplete, items: items.collect() })))
    }
}

/// Tells whether a list was asked for by a blank at the beginning of a line: who
/// indents wants none.
fn indents(params: &CompletionParams, before: &str) -> bool {
    let trigger = params.context.as_ref().and_then(|it| it.trigger_character.as_deref());
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    trigger == Some(" ") && line.trim().is_empty()
}

/// An item; its place among the others is its fitness.
fn item(
    item: ide::CompletionItem,
    place: usize,
    range: Range,
    client: &ClientAbilities,
) -> CompletionItem {
    let snippet = item.snippet.filter(|_| client.snippets);
    let format = match snippet {
        Some(_) => InsertTextFormat::SNIPPET,
        None => InsertTextFormat::PLAIN_TEXT,
    };
    let new_text = snippet.unwrap_or(item.insert);
    // Rows show these words; `detail` only the one that is looked at.
    let description =
        (client.label_details && !item.detail.is_empty()).then(|| item.detail.clone());
    CompletionItem {
        kind: Some(kind(item.kind)),
        label_details: description.map(|description| CompletionItemLabelDetails {
            description: Some(description),
            ..CompletionItemLabelDetails::default()
        }),
        // Clients that filter by the edited text or not at all without it filter by this.
        filter_text: Some(item.label.clone()),
        detail: (!item.detail.is_empty()).then_some(item.detail),
        sort_text: Some(format!("{place:04}")),
        insert_text_format: Some(format),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text })),
        data: item.page.map(|page| json!({ "list": page.list, "word": page.word })),
        tags: item.historic.then(|| vec![CompletionItemTag::DEPRECATED]),
        label: item.label,
        ..CompletionItem::default()
    }
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Stage => CompletionItemKind::MODULE,
        CompletionKind::Skeleton => CompletionItemKind::SNIPPET,
        CompletionKind::Keyword | CompletionKind::Macro => CompletionItemKind::KEYWORD,
        CompletionKind::Opcode => CompletionItemKind::FUNCTION,
        CompletionKind::File => CompletionItemKind::CLASS,
        CompletionKind::Register => CompletionItemKind::VARIABLE,
        CompletionKind::Word => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Property => CompletionItemKind::PROPERTY,
        CompletionKind::Components => CompletionItemKind::FIELD,
        CompletionKind::Number | CompletionKind::Symbol => CompletionItemKind::VALUE,
        CompletionKind::Label => CompletionItemKind::REFERENCE,
    }
}

/// The item with its documentation: the page that its data names. It is of no
/// document, so it needs no snapshot.
pub(crate) fn resolved(mut item: CompletionItem) -> CompletionItem {
    let word = |name: &str| item.data.as_ref()?.get(name)?.as_str();
    if let (Some(list), Some(word)) = (word("list"), word("word")) {
        let page = ide::completion_page(list, word).map(to_protocol::markdown);
        item.documentation = page.map(Documentation::MarkupContent);
    }
    item
}
