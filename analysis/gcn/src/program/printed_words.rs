//! The machine code that a listing shows, held against its text.
//!
//! A listing says each instruction twice. Where the two disagree, the text was
//! changed after it was printed, or is of another chip than the one it is read for.

use source::{Severity, TextRange, TextSize};

use super::DiagnosticSink;
use super::{Certainty, Dependence, Program};
use crate::assembler::sources::{NodeId, SourceId};
use crate::codes;
use crate::dialect::printed::words_of;
use crate::instruction::{InstructionSet, decode, no_wait};
use crate::mnemonics::Opcode;

/// Tells the instructions whose words are others than the listing shows. `text` is
/// the listing with all that was printed.
pub(super) fn check(program: &Program, text: &str, sink: &mut DiagnosticSink) {
    let Some(listing) = program.listing else { return };
    let set = InstructionSet::in_dialect(program.target, program.dialect);
    // Another chip may have the very line with these words.
    let severity = match program.certainty {
        Certainty::Explicit => Severity::Warning,
        Certainty::Guessed | Certainty::Assumed => Severity::Hint,
    };
    // Compilers set the bits of a wait that no counter of the chip uses.
    let unused_of_wait = !no_wait(program.target.generation()) as u32 & 0xffff;
    for instruction in program.instructions.iter().filter(|it| it.depends_on == Dependence::Text) {
        let statement = program.statement(instruction);
        let Some(assembled) = instruction.assembled else { continue };
        if statement.span.source != SourceId::ROOT || statement.node != NodeId::ROOT {
            continue;
        }
        let start = usize::from(statement.span.range.start());
        let begin = text.get(..start).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
        let line = text.get(begin..).and_then(|it| it.lines().next()).unwrap_or_default();
        let Some(shown) = words_of(line, listing) else { continue };
        let (ours, theirs) = (assembled.words(), shown.as_slice());
        if ours == theirs {
            continue;
        }
        // Bits that mean nothing may differ; a distance may be printed before it was known.
        let said = match (decode(ours, set), decode(theirs, set)) {
            (Ok(ours), Ok(theirs)) if ours.text == theirs.text => continue,
            (Ok(ours), Ok(theirs)) if ours.opcode == theirs.opcode && ours.jumps => {
                continue;
            }
            (Ok(decoded), Ok(_))
                if decoded.opcode == Opcode::s_waitcnt
                    && ours[0] | unused_of_wait == theirs[0] | unused_of_wait =>
            {
                continue;
            }
            (_, Ok(theirs)) => format!("is `{}`", theirs.text),
            (_, Err(_)) => format!("is not an instruction of {}", program.target.name()),
        };
        let hex = |words: &[u32]| {
            let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
            words.join(" ")
        };
        let message = format!(
            "the listing shows {} beside this line, which {said}; the line itself is {}",
            hex(theirs),
            hex(ours)
        );
        let whole = TextRange::up_to(TextSize::of(program.text(instruction)));
        let code = codes::LISTED_WORDS;
        sink.report(&program.expansion, statement, whole, code, severity, &message);
    }
}
