//! The operands of the instruction or macro call that is being written.

use editor_model::{Parameter, Signature};
use source::TextSize;

use super::View;
use super::statement::statement_at;
use crate::describe;
use crate::instruction::InstructionSet;
use crate::instruction::form::InstDesc;
use crate::instruction::message;
use crate::mnemonics::op_info;

/// The signature of the statement that the cursor is in.
pub fn signature(view: View<'_>, offset: TextSize) -> Option<Signature> {
    let expansion = &view.program.expansion;
    let statement = statement_at(view, offset);
    let active = statement.operand_at(offset)?;
    let word = statement.word();
    if let Some(macro_) = expansion.macros.iter().rev().find(|it| *it.name == *word) {
        let operands = macro_.parameters.iter().map(|parameter| {
            let takes = match (parameter.required, &parameter.default) {
                (false, Some(default)) if !default.text.is_empty() => {
                    format!("`{}` where it is left out", default.text)
                }
                (false, _) => "may be left out".to_owned(),
                (true, _) => "must be given".to_owned(),
            };
            (&*parameter.name, takes)
        });
        return Some(build(word, "A macro of this program.".to_owned(), operands, active));
    }
    if view.program.unsupported.is_some() {
        return None;
    }
    let info = op_info(word)?;
    let set = InstructionSet::in_dialect(view.program.target, view.program.dialect);
    let form = best_form(set, word, active)?;
    let active = statement.slot_at(form, offset)?;
    let operands = form.slots().iter().filter(|slot| slot.is_positional()).map(|slot| {
        let takes = message::describe(slot.kind);
        (short_name(&takes), takes)
    });
    Some(build(word, describe::mnemonic(info), operands, active))
}

/// The form of a mnemonic that has an operand at a place, the first of those.
fn best_form(set: InstructionSet, word: &str, operand: usize) -> Option<&'static InstDesc> {
    let forms = set.forms_written(word);
    let count = |form: &InstDesc| form.slots().iter().filter(|slot| slot.is_positional()).count();
    let fits = forms.iter().copied().find(|form| count(form) > operand);
    fits.or_else(|| forms.first().copied())
}

/// One word for what an operand takes.
fn short_name(takes: &str) -> &'static str {
    let kinds = [
        ("vector or scalar", "source"),
        ("vector", "vgpr"),
        ("accumulation", "agpr"),
        ("scalar", "sgpr"),
        ("label", "label"),
        ("lane", "mask"),
        ("vcc", "vcc"),
        ("off", "off"),
        ("export", "target"),
        ("hwreg", "hwreg"),
        ("sendmsg", "message"),
        ("counters", "counters"),
        ("attribute", "attribute"),
    ];
    kinds.iter().find(|(part, _)| takes.contains(part)).map_or("number", |(_, name)| name)
}

fn build<'a>(
    word: &str,
    documentation: String,
    parts: impl Iterator<Item = (&'a str, String)>,
    active: usize,
) -> Signature {
    let mut label = word.to_owned();
    let mut operands = Vec::new();
    for (name, documentation) in parts {
        label.push_str(if operands.is_empty() { " " } else { ", " });
        let start = label.len();
        label.push_str(name);
        operands.push(Parameter { range: start..label.len(), documentation });
    }
    let active = (active < operands.len()).then_some(active);
    Signature { label, documentation, operands, active }
}
