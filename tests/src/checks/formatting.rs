//! The promises of the formatter: it never changes what a text means, keeps every comment,
//! and formatting twice is formatting once.

use crate::corpus::Program;
use source::{TextRange, TextSize, apply_edits, no_checkpoint};
use tgsi::ast::Shader;
use tgsi::format::{Numbers, Scope, format, meaning, text_edits};
use tgsi::lexer::{Lexer, TokenKind};
use tgsi::regions::Region;

/// The end of the sentence about a layout that is refused.
pub const REFUSED: &str = "the meaning would change";

/// Every instruction gets its number.
pub const ALWAYS: Numbers = Numbers::Always;

fn shaders(text: &str) -> Vec<Shader> {
    let regions = tgsi::regions::split(text).shaders.into_iter();
    let parse = |region: Region| tgsi::parser::parse(region.text(text), &no_checkpoint).shader;
    regions.filter_map(parse).collect()
}

/// The comments of each shader.
fn comments(text: &str) -> Vec<Vec<String>> {
    let of = |region: &Region| {
        let part = region.text(text);
        let tokens = Lexer::new(part).filter(|(kind, _)| {
            matches!(
                kind,
                TokenKind::LineComment | TokenKind::BlockComment | TokenKind::UnclosedComment
            )
        });
        tokens.map(|(_, range)| part[range].to_owned()).collect()
    };
    tgsi::regions::split(text).shaders.iter().map(of).collect()
}

/// Returns the parts of a text outside of its shaders.
fn outside(text: &str) -> Vec<&str> {
    let mut start = TextSize::new(0);
    let mut parts = Vec::new();
    for region in tgsi::regions::split(text).shaders {
        parts.push(&text[TextRange::new(start, region.range().start())]);
        start = region.range().end();
    }
    parts.push(&text[usize::from(start)..]);
    parts
}

fn broken(text: &str) -> Vec<String> {
    let regions = tgsi::regions::split(text).shaders.into_iter();
    let statements = regions.flat_map(|region| {
        let part = region.text(text);
        let shader = tgsi::parser::parse(part, &no_checkpoint).shader;
        let statements = shader.map(|shader| shader.statements).unwrap_or_default();
        let broken = statements.into_iter().filter(|statement| statement.broken);
        broken.map(|statement| part[statement.range].to_owned()).collect::<Vec<_>>()
    });
    statements.collect()
}

const NUMBERS: [Numbers; 3] = [Numbers::Keep, ALWAYS, Numbers::Never];

/// Checks every promise of the formatter on one text; says which one it broke.
///
/// # Errors
/// The promise.
pub fn check(text: &str) -> Result<(), String> {
    for region in tgsi::regions::split(text).shaders {
        let part = region.text(text);
        let shader = tgsi::parser::parse(part, &no_checkpoint).shader.ok_or("no shader")?;
        for numbers in NUMBERS {
            tgsi::format::shader_edits(part, &shader, "", numbers, Scope::Whole, &no_checkpoint)
                .map_err(|_| format!("{numbers:?}: {REFUSED}"))?;
        }
    }
    for numbers in NUMBERS {
        let edits = text_edits(text, numbers, Scope::Whole);
        let formatted = apply_edits(text, &edits).ok_or("edits overlap")?;
        let fail = |what: &str| Err(format!("{numbers:?}: {what}:\n{formatted}"));
        let (before, after) = (shaders(text), shaders(&formatted));
        if !before.iter().map(meaning).eq(after.iter().map(meaning)) {
            return fail("another meaning");
        }
        if comments(text) != comments(&formatted) {
            return fail("other comments");
        }
        if outside(text) != outside(&formatted) {
            return fail("text outside of shaders was touched");
        }
        if broken(text) != broken(&formatted) {
            return fail("a statement with an error was touched");
        }
        if format(&formatted, numbers) != formatted {
            let again = format(&formatted, numbers);
            return fail(&format!("formatting again gives\n{again}\nafter"));
        }
    }
    Ok(())
}

/// Every promise holds of every program.
///
/// # Panics
/// Names those of which it does not.
pub fn programs_keep_their_meaning(programs: &[Program]) {
    let mut wrong = Vec::new();
    for program in programs {
        if let Err(what) = check(&program.text) {
            wrong.push(format!("{}: {what}", program.name));
        }
    }
    eprintln!("{} programs, {} wrong", programs.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(3)].join("\n"));
}

/// After its labels are repaired a program has none to repair; returns how many there were.
///
/// # Panics
/// Names one that has.
pub fn repairing_labels_leaves_nothing(programs: &[Program]) -> usize {
    let mut repaired = 0;
    for program in programs {
        let Some(shader) = tgsi::parser::parse(&program.text, &no_checkpoint).shader else {
            continue;
        };
        let repairs = tgsi::labels::repairs(&shader);
        repaired += repairs.len();
        let text = apply_edits(&program.text, &repairs).expect("disjoint edits");
        let again = tgsi::parser::parse(&text, &no_checkpoint).shader.expect("a shader");
        assert_eq!(tgsi::labels::repairs(&again), [], "{}", program.name);
    }
    eprintln!("{repaired} labels repaired");
    repaired
}
