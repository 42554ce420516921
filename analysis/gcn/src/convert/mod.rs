//! Assembly of one dialect written in the other.
//!
//! What is written is assembled before it is given out: it has the same words as what it
//! was made from, or there is nothing but a reason. So the ways to write a line that are
//! tried here need not be right, only plausible.

mod blocks;
mod directives;
mod error;
mod image;
mod program;

use std::cell::Cell;

pub use error::NoCounterpart;
pub use program::{Conversion, Refusal, convert};

use isa::gcn::operation::Operation;

use crate::Target;
use crate::dialect::Dialect;
use crate::instruction::modifier::Key;
use crate::instruction::{Assembled, InstructionSet, Symbols, assemble_line, decode, suggest};
use crate::mnemonics;
use crate::mnemonics::Opcode;

/// Tells whether a line asked for symbols while it was assembled.
struct Noticing<'a> {
    symbols: &'a dyn Symbols,
    asked: Cell<bool>,
}

impl Symbols for Noticing<'_> {
    fn value(&self, name: &str) -> Option<i64> {
        self.asked.set(true);
        self.symbols.value(name)
    }

    fn later(&self, name: &str) -> Option<i64> {
        self.asked.set(true);
        self.symbols.later(name)
    }

    fn registers(&self, name: &str) -> Option<&str> {
        let found = self.symbols.registers(name);
        if found.is_some() {
            self.asked.set(true);
        }
        found
    }
}

/// The text of an instruction in the dialect of `to`, with the same words; `from` and `to`
/// are of one chip. Names of symbols stay.
///
/// # Errors
/// A reason why there is none.
pub fn instruction(
    line: &str,
    from: InstructionSet,
    to: InstructionSet,
    symbols: &dyn Symbols,
) -> Result<String, NoCounterpart> {
    let line = line.trim();
    let noticing = Noticing { symbols, asked: Cell::new(false) };
    let assembled = assemble_line(line, from, &noticing)
        .map_err(|error| NoCounterpart::NoInstruction(error.message))?;
    if assembled.fixup.is_some() && line.contains(|it: char| "/<>|&^~!%()".contains(it)) {
        return Err(NoCounterpart::ComputedLater);
    }
    let is_same = |text: &str| is_same(text, &assembled, to, symbols);
    let written = ways(line, &assembled, to).into_iter().find(|text| is_same(text));
    if let Some(written) = written {
        return Ok(written);
    }
    if noticing.asked.get() {
        return Err(NoCounterpart::Symbols(to.dialect()));
    }
    let llvm = if to.dialect() == Dialect::Llvm { to } else { from };
    words_in(assembled.words(), llvm, to)
}

/// The text of an instruction's words in a dialect.
///
/// # Errors
/// A reason why there is none.
pub fn words(words: &[u32], target: Target, dialect: Dialect) -> Result<String, NoCounterpart> {
    let llvm = InstructionSet::in_dialect(target, Dialect::Llvm);
    words_in(words, llvm, InstructionSet::in_dialect(target, dialect))
}

fn words_in(
    words: &[u32],
    llvm: InstructionSet,
    to: InstructionSet,
) -> Result<String, NoCounterpart> {
    let decoded = decode(words, llvm).map_err(|_| NoCounterpart::NoWords)?;
    let words = words.get(..decoded.words).unwrap_or(words);
    let is_same = |text: &str| {
        let assembled = assemble_line(text, to, &crate::instruction::NoSymbols);
        assembled.is_ok_and(|it| it.fixup.is_none() && it.words() == words)
    };
    let ways = match to.dialect() {
        Dialect::Llvm => vec![decoded.text],
        Dialect::Clrx => written(&operands_for_clrx(&decoded.text, words), words, to),
    };
    let found = ways.into_iter().find(|text| is_same(text));
    found.ok_or(NoCounterpart::Words(to.dialect()))
}

/// Tells whether a text assembles to what another did. A value that comes later is the same
/// where its kind is and its text.
fn is_same(text: &str, wanted: &Assembled, to: InstructionSet, symbols: &dyn Symbols) -> bool {
    let Ok(assembled) = assemble_line(text, to, symbols) else { return false };
    let kind = |it: &Assembled| it.fixup.map(|fixup| fixup.kind);
    assembled.words() == wanted.words() && kind(&assembled) == kind(wanted)
}

/// The line with the names and operands that the other dialect may have for it.
fn ways(line: &str, assembled: &Assembled, to: InstructionSet) -> Vec<String> {
    let operands = match to.dialect() {
        Dialect::Llvm => operands_for_llvm(line),
        Dialect::Clrx => operands_for_clrx(line, assembled.words()),
    };
    written(&operands, assembled.words(), to)
}

/// Lines under each name, and with each count of registers, that a dialect may have for them.
fn written(lines: &[String], words: &[u32], to: InstructionSet) -> Vec<String> {
    let named = lines.iter().flat_map(|text| renamed(text, to));
    named.chain(lines.iter().flat_map(|text| image::resized(text, words, to))).collect()
}

/// A line under each name that its instruction has somewhere, its own first.
fn renamed(line: &str, to: InstructionSet) -> Vec<String> {
    let length = line.find(char::is_whitespace).unwrap_or(line.len());
    let (word, rest) = line.split_at(length);
    let lower = word.to_ascii_lowercase();
    let base = mnemonics::base_name(&lower);
    let suffix = &lower[base.len()..];
    let mut names: Vec<String> = vec![lower.clone()];
    let mut add = |name: String| {
        if !names.contains(&name) {
            names.push(name);
        }
    };
    if let Some(info) = mnemonics::op_info(base) {
        let others = std::iter::once(info.name).chain(info.aliases.iter().copied());
        others.for_each(|name| add(format!("{name}{suffix}")));
    }
    if let Some(other) = mnemonics::is_unknown_to(base, to.target().features(), to.dialect())
        && !other.is_empty()
    {
        add(format!("{other}{suffix}"));
    }
    suggest::other_names(&lower, base).into_iter().for_each(&mut add);
    // CLRX takes no literal where the suffix says 32 bits.
    if to.dialect() == Dialect::Clrx {
        add(base.to_owned());
    }
    names.into_iter().map(|name| format!("{name}{rest}")).collect()
}

/// Returns the opcode that a line begins with.
fn opcode_of(line: &str) -> Option<Opcode> {
    let word = line.split(char::is_whitespace).next()?;
    mnemonics::op_info(word).map(|info| info.opcode)
}

/// The line in the words of LLVM's dialect, as far as its operands are others.
fn operands_for_llvm(line: &str) -> Vec<String> {
    let mut lines = vec![line.to_owned()];
    let is_of_images = opcode_of(line).is_some_and(|opcode| opcode.row().is_of_images());
    if is_of_images && !line.contains(Key::Dmask.name()) {
        lines.push(format!("{line} dmask:0x1"));
    }
    // CLRX leaves `HW_REG_` away.
    lines.extend(rewritten(line, "hwreg(", ')', |inner| {
        format!("hwreg(HW_REG_{})", inner.trim().to_ascii_uppercase())
    }));
    lines.extend(rewritten(line, "sendmsg(", ')', |inner| {
        let prefixes = ["MSG_", "GS_OP_"].into_iter().chain(std::iter::repeat(""));
        let inner = inner.to_ascii_uppercase();
        let named = prefixes.zip(inner.split(',')).map(|(it, part)| it.to_owned() + part.trim());
        format!("sendmsg({})", named.collect::<Vec<_>>().join(", "))
    }));
    lines
}

/// The line in the words of CLRX's dialect: all that differs changed, and for choices
/// that are the instruction's each of them.
fn operands_for_clrx(line: &str, words: &[u32]) -> Vec<String> {
    let first = words.first().copied().unwrap_or(0);
    let opcode = opcode_of(line);
    let mut text = line.to_owned();
    let mut rewrite = |opening, closing, new: &dyn Fn(&str) -> String| {
        if let Some(new) = rewritten(&text, opening, closing, new) {
            text = new;
        }
    };
    rewrite("hwreg(", ')', &|inner| {
        let (register, bits) = inner.split_once(',').unwrap_or((inner, "0, 32"));
        let bits: Vec<&str> = bits.split(',').map(str::trim).collect();
        let register = match register.trim().strip_prefix("HW_REG_") {
            Some(name) => name.to_owned(),
            None => format!("@{}", register.trim()),
        };
        format!("hwreg({register}, {})", bits.join(", "))
    });
    rewrite("sendmsg(", ')', &|inner| {
        let named = inner.split(',').map(str::trim).enumerate().map(|(place, part)| {
            // A stream is a number in both.
            let is_marked = place != 2 && part.starts_with(|it: char| it.is_ascii_digit());
            format!("{}{part}", if is_marked { "@" } else { "" })
        });
        format!("sendmsg({})", named.collect::<Vec<_>>().join(", "))
    });
    rewrite("gpr_idx(", ')', &|_| {
        // The mode, and the second source of `s_set_gpr_idx_on`.
        let bits = if opcode == Some(Opcode::s_set_gpr_idx_on) { first >> 8 } else { first };
        format!("{:#x}", bits & 0xf)
    });
    rewrite("swizzle(", ')', &|_| (first & 0xffff).to_string());
    rewrite("format:[", ']', &|inner| {
        let inner = inner.replace("BUF_DATA_FORMAT_", "").replace("BUF_NUM_FORMAT_", "");
        format!("format:[{}]", inner.to_ascii_lowercase())
    });
    for written in ["bound_ctrl:1", "bound_ctrl:0"] {
        text = text.replace(written, "bound_ctrl");
    }
    if opcode == Some(Opcode::exp)
        && let [exp, target, rest] = *text.splitn(3, ' ').collect::<Vec<_>>()
        && !target.ends_with(',')
    {
        text = format!("{exp} {target}, {rest}");
    }
    if opcode == Some(Opcode::s_waitcnt) {
        text = text.replace("),", ") &").replace(") ", ") & ").replace("& &", "&");
    }
    if let Some(Opcode::v_cmp_class_f64 | Opcode::v_cmpx_class_f64) = opcode
        && let Some(wider) = with_wide_mask(&text)
    {
        text = wider;
    }
    let mut lines = vec![line.to_owned(), text.clone()];
    // CLRX wants a register, even of what reads none.
    if let Some(opcode) = opcode
        && matches!(opcode.operation(), Operation::Share(_) | Operation::WaveSync(_))
    {
        let rest = text.strip_prefix(opcode.name()).unwrap_or_default();
        lines.push(format!("{} v0{rest}", opcode.name()));
    }
    // A literal where CLRX would choose an inline constant, and the other way round.
    if words.len() == 2 {
        let literal = words[1];
        let written = [format!("{literal:#x}"), format!("{literal}"), (literal as i32).to_string()];
        let stems = written.iter().filter_map(|number| text.strip_suffix(&format!(", {number}")));
        lines.extend(stems.map(|stem| format!("{stem}, lit({literal:#x})")));
    }
    lines.push(format!("{text} vop3"));
    lines
}

/// A comparison of classes whose last operand, one register, is two: of the second nothing
/// is read.
fn with_wide_mask(line: &str) -> Option<String> {
    let (before, last) = line.rsplit_once(", ")?;
    let bank = last.get(..1).filter(|bank| matches!(*bank, "v" | "s"))?;
    let number: u16 = last[1..].parse().ok()?;
    Some(format!("{before}, {bank}[{number}:{}]", number + 1))
}

/// A line with another text for what a bracket encloses and what opens it; `None` where
/// the line has no such bracket.
fn rewritten(
    line: &str,
    opening: &str,
    closing: char,
    new: impl Fn(&str) -> String,
) -> Option<String> {
    let (before, rest) = line.split_once(opening)?;
    let (inner, after) = rest.split_once(closing)?;
    Some(format!("{before}{}{after}", new(inner)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::NoSymbols;

    #[test]
    fn an_instruction_has_the_name_that_the_other_dialect_knows() {
        use Dialect::{Clrx, Llvm};
        for (chip, from, line, expected) in [
            ("gfx700", Llvm, "buffer_wbinvl1_vol", "buffer_wbinvl1_sc"),
            ("gfx700", Clrx, "buffer_wbinvl1_sc", "buffer_wbinvl1_vol"),
            (
                "gfx600",
                Llvm,
                "v_mqsad_pk_u16_u8 v[0:1], v[2:3], v4, v[5:6]",
                "v_mqsad_u8 v[0:1], v[2:3], v4, v[5:6]",
            ),
            ("gfx803", Llvm, "v_add_u32_e64 v0, vcc, v1, s2", "v_add_u32_e64 v0, vcc, v1, s2"),
            ("gfx900", Llvm, "v_add_f32_e32 v0, 0x1234, v1", "v_add_f32 v0, 0x1234, v1"),
        ] {
            let target = Target::find(chip).expect(chip);
            let set = |dialect| InstructionSet::in_dialect(target, dialect);
            let found = instruction(line, set(from), set(from.other()), &NoSymbols);
            assert_eq!(found.as_deref().ok(), Some(expected), "{line}: {found:?}");
        }
    }
}
