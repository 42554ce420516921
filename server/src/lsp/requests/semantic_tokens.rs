//! `textDocument/semanticTokens`: full, by difference to an earlier answer,
//! and of a range.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use engine::ide::SemanticKind;
use source::{TextRange, TextSize};
use tower_lsp::ls_types::{
    Position, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensDelta, SemanticTokensDeltaParams, SemanticTokensEdit,
    SemanticTokensFullDeltaResult, SemanticTokensLegend, SemanticTokensParams,
    SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult, Uri,
};

use super::{DocumentRequest, Stop};
use crate::limits::ANSWER_TOKENS;
use crate::lsp::from_protocol;
use crate::lsp::workers::Context;

/// The names of the kinds; a token's number is its place here.
const TYPES: [SemanticTokenType; 8] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::NUMBER,
    SemanticTokenType::COMMENT,
];

/// The meaning of the numbers in our tokens.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![SemanticTokenModifier::DEPRECATED],
    }
}

fn number(kind: SemanticKind) -> u32 {
    match kind {
        SemanticKind::Keyword => 0,
        SemanticKind::Opcode => 1,
        SemanticKind::File | SemanticKind::Macro => 2,
        SemanticKind::Word | SemanticKind::Symbol => 3,
        SemanticKind::Property | SemanticKind::Parameter | SemanticKind::Modifier => 4,
        SemanticKind::Components | SemanticKind::Register => 5,
        SemanticKind::Number | SemanticKind::Text | SemanticKind::Label => 6,
        SemanticKind::Comment => 7,
    }
}

/// The last answer of each document, which differences are made to.
#[derive(Clone, Default)]
pub(crate) struct LastTokens(Arc<Mutex<HashMap<Uri, Numbered>>>);

/// Tokens and their number.
type Numbered = (String, Vec<SemanticToken>);

impl LastTokens {
    /// Remembers an answer, and returns the one before.
    fn replace(&self, uri: &Uri, answer: Numbered) -> Option<Numbered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(uri.clone(), answer)
    }

    /// Forgets a document that was closed.
    pub(crate) fn forget(&self, uri: &Uri) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }
}

impl DocumentRequest for SemanticTokensParams {
    type Answer = Option<SemanticTokensResult>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let data = all(context)?;
        let id = identity(&data);
        context.tokens.replace(&context.uri, (id.clone(), data.clone()));
        Ok(Some(SemanticTokens { result_id: Some(id), data }.into()))
    }
}

impl DocumentRequest for SemanticTokensDeltaParams {
    type Answer = Option<SemanticTokensFullDeltaResult>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let data = all(context)?;
        let id = identity(&data);
        let before = context.tokens.replace(&context.uri, (id.clone(), data.clone()));
        Ok(Some(match before.filter(|(before, _)| *before == self.previous_result_id) {
            Some((_, before)) => {
                let edits = difference(&before, &data);
                SemanticTokensDelta { result_id: Some(id), edits }.into()
            }
            None => SemanticTokens { result_id: Some(id), data }.into(),
        }))
    }
}

impl DocumentRequest for SemanticTokensRangeParams {
    type Answer = Option<SemanticTokensRangeResult>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let range = from_protocol::range(&lines, self.range);
        let data = within(context, range)?;
        Ok(Some(SemanticTokens { result_id: None, data }.into()))
    }
}

fn all(context: &Context) -> Result<Vec<SemanticToken>, Stop> {
    let text = context.snapshot.text(context.file)?;
    within(context, TextRange::up_to(TextSize::of(&*text)))
}

/// The tokens of a range, each told by its distance from the one before.
fn within(context: &Context, range: TextRange) -> Result<Vec<SemanticToken>, Stop> {
    let lines = context.lines()?;
    let mut last = Position::new(0, 0);
    let found = context.snapshot.semantic_tokens(context.file, range)?;
    let tokens = context.first(ANSWER_TOKENS, "tokens", found).into_iter().map(|token| {
        let range = lines.range(token.range);
        let same_line = range.start.line == last.line;
        let base = if same_line { last.character } else { 0 };
        let told = SemanticToken {
            delta_line: range.start.line - last.line,
            delta_start: range.start.character - base,
            length: range.end.character - range.start.character,
            token_type: number(token.kind),
            token_modifiers_bitset: u32::from(token.historic),
        };
        last = range.start;
        told
    });
    Ok(tokens.collect())
}

/// A number for an answer: the same tokens have the same.
fn identity(tokens: &[SemanticToken]) -> String {
    let mut hasher = DefaultHasher::new();
    for token in tokens {
        let place = (token.delta_line, token.delta_start, token.length);
        (place, token.token_type, token.token_modifiers_bitset).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// One edit that replaces what lies between the equal beginnings and ends.
/// Positions count numbers, of which a token has five.
fn difference(before: &[SemanticToken], after: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let same = |(left, right): &(&SemanticToken, &SemanticToken)| left == right;
    let start = before.iter().zip(after).take_while(same).count();
    let (old, new) = (&before[start..], &after[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    vec![SemanticTokensEdit {
        start: start as u32 * 5,
        delete_count: old.len() as u32 * 5,
        data: (!new.is_empty()).then(|| new.to_vec()),
    }]
}
