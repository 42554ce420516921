//! Pages: what is known of a diagnostic, an opcode, a word, a format, a GCN instruction or
//! directive or a chip, and the map of a matrix product, in Markdown. The command line prints
//! them, and editors show them as documents.

use tgsi::{Opcode, describe, formats, word_rows};

/// The word for the page on dumps.
pub(crate) const DUMPS: &str = "dumps";
/// The word for the page on running shaders.
pub(crate) const RUN: &str = "run";

/// The word for the page on results that the documents leave open.
pub(crate) const OPEN_BITS: &str = "open-bits";

/// The pages of a name. A word of several lists has one in each.
pub fn of(name: &str) -> Vec<String> {
    on(name, None)
}

/// The pages of a name, those of GCN as a chip has what they are about.
pub fn on(name: &str, target: Option<gcn::Target>) -> Vec<String> {
    if let Some(page) = engine::explain(name) {
        return vec![page.trim_end().to_owned() + &examples(name)];
    }
    if name.eq_ignore_ascii_case(DUMPS) {
        return vec![describe::dumps().to_owned()];
    }
    if name.eq_ignore_ascii_case(RUN) {
        return vec![tgsi_interp::inputs::page().to_owned()];
    }
    if name.eq_ignore_ascii_case(OPEN_BITS) {
        return vec![open_bits::page()];
    }
    if let Some(map) = gcn::describe::matrix_layout(name) {
        return vec![map];
    }
    let opcode = Opcode::find(name).map(describe::opcode);
    let words = word_rows::all().iter().filter(|row| row.word.eq_ignore_ascii_case(name));
    let words = words.filter_map(|row| describe::word(row.list, row.word));
    let format = formats::find(name).map(describe::format);
    let instruction = gcn::mnemonics::op_info(&name.to_ascii_lowercase())
        .map(|info| gcn::describe::mnemonic_on(info, target));
    let operand = gcn::describe::operand_word(name, target);
    let directive = gcn::describe::directive(name).map(gcn::describe::DirectiveInfo::markdown);
    let chip = gcn::Target::find(name).map(gcn::describe::target);
    let gcn = instruction.into_iter().chain(operand).chain(directive).chain(chip);
    let documented = describe::documented_name(name);
    opcode.into_iter().chain(words).chain(format).chain(gcn).chain(documented).collect()
}

/// The whole shaders that tests hold a diagnostic's page to.
fn examples(code: &str) -> String {
    let example = tgsi::codes::examples().find(|example| example.code == code);
    example.map_or(String::new(), |example| {
        let (wrong, right) = (example.wrong, example.right);
        format!("\n\nWrong:\n\n```tgsi\n{wrong}```\n\nRight:\n\n```tgsi\n{right}```\n")
    })
}
