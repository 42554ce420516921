//! Lines whose opcode is missing: an operand or a number stands there and nothing else. The blocks
//! around say which word of structure it was.

use source::{Fix, TextEdit, TextRange, TextSize, no_checkpoint};

use super::read;
use crate::ast::{Instruction, Shader, Statement, StatementKind};
use crate::lexer::{Lexer, TokenKind};
use crate::report::Report;
use crate::validate;

/// Adds the fix to the error of such a line, where it is the only one that hides what the blocks
/// are.
pub(super) fn repair(text: &str, shader: &Shader, report: &mut Report) {
    let mut hidden = shader.unread.iter().filter(|unread| unread.steers);
    let (Some(unread), None) = (hidden.next(), hidden.next()) else { return };
    let statement = shader.statements.iter().find(|it| it.range == unread.range);
    let Some(statement) = statement.filter(|it| it.kind == StatementKind::Unknown) else { return };
    let Some(fix) = fix(text, shader, statement) else { return };
    report.replace_fixes(statement.range, fix);
}

fn fix(text: &str, shader: &Shader, statement: &Statement) -> Option<Fix> {
    let line = &text[statement.range];
    let rest = behind_number(line);
    let before = shader.instruction_statements();
    let place = before.take_while(|(it, _)| it.range.end() <= statement.range.start()).count();
    let word = match rest.is_empty() {
        true => validate::missing_word(shader, place)?,
        false => validate::missing_word_before(shader, place, &lone_operand(shader, rest)?)?,
    };
    let word = word.mnemonic();
    let blanks = if rest.is_empty() && !line.is_empty() { (" ", "") } else { ("", " ") };
    let end = statement.range.end() - TextSize::of(rest);
    let edit = TextEdit::replace(TextRange::empty(end), format!("{}{word}{}", blanks.0, blanks.1));
    Some(Fix { title: format!("Insert `{word}`"), edits: vec![edit] })
}

/// The line without the number of the instruction.
fn behind_number(line: &str) -> &str {
    let mut tokens = Lexer::new(line).filter(|(kind, _)| !kind.is_trivia());
    match (tokens.next(), tokens.next()) {
        (Some((TokenKind::Number, _)), Some((TokenKind::Colon, colon))) => {
            line[usize::from(colon.end())..].trim_start()
        }
        _ => line,
    }
}

/// A line as it is behind a word that takes one operand and perhaps a label; `None` where it does
/// not read well there.
fn lone_operand(shader: &Shader, rest: &str) -> Option<Instruction> {
    let text = format!("{}\nUIF {rest}", shader.stage.value);
    let (shader, _) = read(&text, &no_checkpoint);
    let [statement] = &shader?.statements[..] else { return None };
    match &statement.kind {
        StatementKind::Instruction(instruction) if !statement.broken => Some(instruction.clone()),
        _ => None,
    }
}
