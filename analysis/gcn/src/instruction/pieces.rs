//! The operands of an instruction as text, and the line that they make.

use super::form::InstDesc;
use super::print;
use super::set::InstructionSet;
use crate::encoding::Encoding;

/// The texts of an instruction's slots, one behind the other. It is cleared and filled
/// again, so that a listing allocates nothing for an operand.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    text: String,
    /// For each piece its slot's index in the form, and its end in the text.
    ends: Vec<(usize, usize)>,
    /// The piece that is being written: what is there already changes how words are parted.
    next: String,
}

impl Pieces {
    /// Takes all pieces out.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// Adds what `write` writes for a slot, if that is anything; false where it says so.
    pub(super) fn push(&mut self, slot: usize, write: impl FnOnce(&mut String) -> bool) -> bool {
        self.next.clear();
        if !write(&mut self.next) {
            return false;
        }
        if !self.next.is_empty() {
            self.text.push_str(&self.next);
            self.ends.push((slot, self.text.len()));
        }
        true
    }

    /// Lists the slots that have a text.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |(slot, end)| {
            let piece = &self.text[start..*end];
            start = *end;
            (*slot, piece)
        })
    }
}

/// Writes the line of an instruction in LLVM's dialect: its mnemonic and the texts of its
/// slots.
pub(crate) fn write_line<'a>(
    out: &mut String,
    form: &InstDesc,
    pieces: impl Iterator<Item = (usize, &'a str)>,
    set: InstructionSet,
) {
    print::mnemonic(out, form, set);
    let slots = form.slots();
    let mut operands = 0;
    for (index, piece) in pieces {
        let modifier = !slots[index].is_positional();
        // Tradition has no comma after the target of an export.
        let after_target = operands == 1 && form.encoding == Encoding::Exp;
        if !modifier && operands > 0 && !after_target {
            out.push(',');
        }
        operands += u32::from(!modifier);
        out.push(' ');
        out.push_str(piece);
    }
}
