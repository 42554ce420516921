//! The binary tokens of a shader as a document: one line a word, joined to the statement
//! that the word is of.

use salsa::Database;
use tgsi::tokens::{Layout, TokenType, decode, encode};

use super::{CompiledView, Document, shader_of, stage};
use crate::ide::compiled::CompiledRef;
use crate::inputs::File;
use crate::queries::shaders;
use editor_model::CompiledState;

pub(super) fn view(db: &dyn Database, file: File, compiled: &CompiledRef) -> Option<CompiledView> {
    let (shader, map) = shader_of(db, file, compiled)?;
    let lines = shaders::line_index(db, file);
    let line_of = |range| lines.line(map.to_file(range).start());
    let parse = shaders::parse(db, shader);
    let tree = parse.shader.as_ref()?;
    let layout = Layout::default();
    let mut document = Document::default();
    document.line(None, &format!("# {} as tokens of {layout}", stage(db, file, compiled)));
    let words = match encode(tree, layout) {
        Ok(words) => words,
        Err(error) => {
            document.line(Some(line_of(error.range)), &format!("# {}", error.message));
            return Some(document.finish(CompiledState::Unavailable, Some(error.message)));
        }
    };
    // Every statement begins with one word that says what it is, in order.
    let mut statements = tree.statements.iter();
    let mut source = Some(line_of(tree.stage.range));
    for (place, word) in decode(&words, layout).words.iter().enumerate() {
        if matches!(
            word.kind,
            TokenType::Declaration
                | TokenType::Immediate
                | TokenType::Property
                | TokenType::Instruction
        ) {
            source = statements.next().map(|statement| line_of(statement.range));
        }
        let (bits, meaning) = (word.bits, word.meaning_column());
        let (kind, fields) = (word.kind.name(), word.fields_text());
        document.line(source, &format!("{place:5}  {bits:08x}  {meaning}  {kind}{fields}"));
    }
    Some(document.finish(CompiledState::Fresh, None))
}
