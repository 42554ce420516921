//! Kernels, damaged at random, are assembled: no panic, an end within the budgets, diagnostics
//! within the text; what comes out of the assembler is read back, and a layout keeps it.

use std::collections::BTreeMap;
use std::sync::Arc;

use gcn::Target;
use gcn::assembler::{Dialect, Limits};
use gcn::instruction::{Assembled, InstructionSet, NoSymbols, assemble_line, decode};
use gcn::program::{Options, Program, assemble};
use source::Severity;

use crate::checks::assembly_layout::{formatted, without_blanks};
use crate::search::search;
use crate::writers::assembly;

/// The budgets of the search.
pub const SMALL: Limits =
    Limits { depth: 40, lines: 20_000, bytes: 1 << 20, work: 1 << 22, problems: 50 };

/// A text as a program, within small limits.
pub fn read(text: &str, dialect: Dialect) -> Program {
    read_for(text, dialect, "gfx803")
}

fn read_for(text: &str, dialect: Dialect, chip: &str) -> Program {
    let options =
        Options { target: Target::find(chip), dialect, limits: SMALL, ..Options::default() };
    let own: Arc<str> = Arc::from(text);
    let includes = |name: &str| (name == "self").then(|| Arc::clone(&own));
    assemble(text, &options, &includes, &source::no_checkpoint)
}

/// Checks what holds of every program.
///
/// # Panics
/// If it does not.
pub fn check(text: &str, program: &Program) {
    for diagnostic in &program.diagnostics {
        let places = diagnostic.related.iter().map(|related| related.range);
        for range in places.chain([diagnostic.range]) {
            let range = std::ops::Range::<usize>::from(range);
            assert!(text.get(range).is_some(), "{diagnostic:?}");
        }
        for edit in diagnostic.fixes.iter().flat_map(|fix| &fix.edits) {
            let range = std::ops::Range::<usize>::from(edit.range);
            assert!(text.get(range).is_some(), "{diagnostic:?}");
        }
    }
    assert!(program.diagnostics.len() <= 2 * source::MAX_DIAGNOSTICS);
    let count = program.instructions.len() as u32;
    let covered: u32 =
        program.kernels.iter().map(|it| it.instructions.end - it.instructions.start).sum();
    assert_eq!(covered, count, "each instruction is in one kernel");
    for offset in (0..=text.len() as u32).step_by(11) {
        let found = program.instruction_at(offset.into());
        assert!(found.is_none_or(|index| index < count));
    }
    for label in &program.labels {
        assert!(label.instruction <= count);
    }
}

/// Decodes assembled words to a text, which assembles to the same words.
fn check_round_trips(program: &Program, dialect: Dialect) {
    let set = InstructionSet::of(program.target);
    let all = program.instructions.iter().filter_map(|it| it.assembled);
    let all = all.filter(|it| it.fixup.is_none()).map(|it| it.words().to_vec());
    // Each of them once: repetitions make many.
    let distinct: BTreeMap<Vec<u32>, ()> = all.map(|words| (words, ())).collect();
    for words in distinct.keys().take(300) {
        let decoded = match decode(words, set) {
            Ok(decoded) => decoded,
            // CLRX's dialect sets bits that LLVM's has no words for.
            Err(_) if dialect == Dialect::Clrx => continue,
            Err(_) => panic!("{words:08x?} is not an instruction"),
        };
        // Bits that mean nothing to the instruction are in no text.
        if decoded.ignored != 0 {
            continue;
        }
        let again = match assemble_line(&decoded.text, set, &NoSymbols) {
            Ok(again) => again,
            // LLVM's dialect has rules that CLRX's has not.
            Err(_) if dialect == Dialect::Clrx => continue,
            Err(error) => panic!("{}: {}", decoded.text, error.message),
        };
        // A literal that a symbol made may be one that has a shorter form.
        let is_shorter = words.len() == 2 && again.words().len() == 1;
        assert!(is_shorter || again.words() == words, "{}: {words:08x?}", decoded.text);
    }
}

/// A layout changes blanks alone; it is settled, and assembles to the same where nothing is
/// wrong.
fn check_layout(text: &str, program: &Program, again: impl Fn(&str) -> Program) {
    let neat = formatted(text, program);
    assert_eq!(without_blanks(text), without_blanks(&neat), "more than blanks");
    let other = again(&neat);
    // Blanks are bytes, too: a text at its budget has another end than its layout.
    if has_errors(program) || program.expansion.stopped || other.expansion.stopped {
        return;
    }
    let words = |program: &Program| -> Vec<_> {
        let words = |it: &Assembled| it.words().to_vec();
        program
            .instructions
            .iter()
            .map(|it| (it.offset, it.assembled.as_ref().map(words)))
            .collect()
    };
    assert_eq!(words(program), words(&other), "other words:\n{neat}");
    assert_eq!(formatted(&neat, &other), neat, "once is enough");
}

fn has_errors(program: &Program) -> bool {
    program.diagnostics.iter().any(|found| found.severity == Severity::Error)
}

/// Damages texts of a dialect at random for so many seconds.
///
/// # Panics
/// Where something does not hold.
pub fn damaged_kernels_are_assembled(texts: Vec<String>, dialect: Dialect, seconds: f64) {
    let language = assembly::language(texts);
    let what = format!("GCN texts of {}", dialect.name());
    search(
        &what,
        seconds,
        |random| language.text(random),
        |text: &String| {
            // The chip is another with each text, and the same whenever it is made again.
            let chip = ["gfx600", "gfx704", "gfx803", "gfx900", "gfx908"][text.len() % 5];
            let program = read_for(text, dialect, chip);
            check(text, &program);
            check_round_trips(&program, dialect);
            check_layout(text, &program, |neat| read_for(neat, dialect, chip));
            !has_errors(&program)
        },
    );
}
