//! Every service of TGSI at every place of a text: no panic, and every range inside of the
//! text and on character boundaries.

use engine::ide::References;
use source::{TextRange, TextSize};
use tgsi::parser::parse;
use tgsi::service::completion::{CompletionContext, complete, complete_outside};
use tgsi::service::declared::Declared;
use tgsi::service::{
    accesses, folding, formula, navigation, refactor, rename, selection, signature, tokens,
};

use crate::corpus::Program;

fn inside(text: &str, range: TextRange, what: &str) {
    assert!(text.get(std::ops::Range::<usize>::from(range)).is_some(), "{what}: {range:?}\n{text}");
}

/// Asks everything at one place.
///
/// # Panics
/// Where an answer is outside of the text.
pub fn ask(text: &str, offset: TextSize) {
    let completion = complete_outside(text, offset);
    inside(text, completion.replace, "completion");
    signature::signature(text, offset);
    let Some(shader) = parse(text, &source::no_checkpoint).shader else { return };
    let completion = complete(CompletionContext { text, shader: &shader }, offset);
    inside(text, completion.replace, "completion");
    assert!(completion.replace.contains_inclusive(offset));
    let mut last: Option<TextRange> = None;
    for range in selection::selections(text, &shader, offset) {
        inside(text, range, "selection");
        assert!(range.contains_inclusive(offset));
        assert!(last.is_none_or(|last| range.contains_range(last)));
        last = Some(range);
    }
    for mention in navigation::highlights(text, &shader, offset) {
        inside(text, mention.range, "highlight");
    }
    for place in navigation::references(text, &shader, offset, References::All) {
        inside(text, place, "reference");
    }
    if let Some(found) = navigation::definitions(text, &shader, offset) {
        inside(text, found.origin, "origin");
        for destination in found.destinations {
            inside(text, destination.range, "statement");
            inside(text, destination.selection, "name");
        }
    }
    for edit in rename::rename(text, &shader, offset, "77").unwrap_or_default() {
        inside(text, edit.range, "edit");
    }
    for refactoring in refactor::Refactoring::ALL {
        let edits = refactor::edits(text, &shader, offset, refactoring).unwrap_or_default();
        assert!(edits.is_empty() || source::apply_edits(text, &edits).is_some());
    }
}

/// Asks what has no place.
///
/// # Panics
/// Where an answer is outside of the text.
pub fn ask_all(text: &str) {
    let all = TextRange::up_to(TextSize::of(text));
    let mut end = TextSize::new(0);
    for token in tokens::tokens(text, all) {
        inside(text, token.range, "token");
        assert!(token.range.start() >= end && !text[token.range].contains('\n'));
        end = token.range.end();
    }
    let Some(shader) = parse(text, &source::no_checkpoint).shader else { return };
    for access in accesses::accesses(text, &shader) {
        inside(text, access.range, "access");
    }
    for fold in folding::folds(text, &shader) {
        inside(text, fold.range, "fold");
    }
    let declared = Declared::new(&shader);
    for instruction in shader.instructions() {
        formula::expand(&declared, instruction);
    }
}

/// Every place of a text.
pub fn offsets(text: &str) -> impl Iterator<Item = TextSize> + '_ {
    (0..=text.len()).filter(|at| text.is_char_boundary(*at)).map(|at| TextSize::new(at as u32))
}

/// Asks everything at some places of every n-th program, and how each instruction is
/// spelled; returns how many of these have a form, and how many there are.
///
/// # Panics
/// Where an answer is outside of its text.
pub fn ask_programs(programs: &[Program], step: usize) -> (usize, usize) {
    let (mut instructions, mut spelled) = (0, 0);
    for Program { text, .. } in programs.iter().step_by(step) {
        if text.len() > 100_000 {
            continue;
        }
        ask_all(text);
        let offsets: Vec<TextSize> = offsets(text).collect();
        for offset in offsets.iter().step_by(offsets.len() / 8 + 1) {
            ask(text, *offset);
        }
        let Some(shader) = parse(text, &source::no_checkpoint).shader else { continue };
        let declared = Declared::new(&shader);
        for statement in shader.statements.iter().filter(|statement| !statement.broken) {
            let tgsi::ast::StatementKind::Instruction(instruction) = &statement.kind else {
                continue;
            };
            instructions += 1;
            spelled += usize::from(formula::expand(&declared, instruction).is_some());
        }
    }
    (spelled, instructions)
}
