//! Answers of assembler, disassembler, hovers and pages.

use std::fmt::Write as _;

use gcn::assembler::Dialect;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line, decode};
use gcn::program::{Options, assemble};
use gcn::service::View;
use gcn::service::hover::hover as hover_at;
use gcn::{Target, convert, describe, mnemonics};
use source::text_size;

pub(super) fn target(chip: &str) -> Target {
    Target::find(chip).unwrap_or_else(|| panic!("no chip is called {chip}"))
}

/// Assembles a line in CLRX's dialect; with `llvm: ` before it in LLVM's.
fn assembled(chip: &str, line: &str) -> Result<Vec<u32>, String> {
    let (line, dialect) = match line.strip_prefix("llvm: ") {
        Some(line) => (line, Dialect::Llvm),
        None => (line, Dialect::Clrx),
    };
    let set = InstructionSet::in_dialect(target(chip), dialect);
    let assembled =
        assemble_line(line, set, &NoSymbols).map_err(|error| error.message.to_string())?;
    Ok(assembled.words().to_vec())
}

fn hexadecimal(words: &[u32]) -> String {
    words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
}

pub(super) fn words(chip: &str, line: &str) -> String {
    assembled(chip, line).map_or_else(|message| message, |words| hexadecimal(&words))
}

fn read(input: &str) -> Vec<u32> {
    let words = input.split(' ').map(|word| u32::from_str_radix(word, 16));
    words.collect::<Result<_, _>>().expect(input)
}

/// Words as a line in CLRX's dialect.
pub(super) fn printed(chip: &str, input: &str) -> Result<String, String> {
    let text = convert::words(&read(input), target(chip), Dialect::Clrx);
    text.map_err(|reason| reason.to_string())
}

pub(super) fn mnemonic(chip: &str, input: &str) -> String {
    match decode(&read(input), InstructionSet::of(target(chip))) {
        Ok(decoded) => decoded.text.split(' ').next().unwrap_or_default().to_owned(),
        Err(_) => "nothing".to_owned(),
    }
}

pub(super) fn verdict(chip: &str, line: &str) -> String {
    assembled(chip, line).map_or_else(|message| message, |_| "taken".to_owned())
}

/// Registers from a first one on.
fn range(bank: &str, first: u32, count: u32) -> String {
    match (bank, count) {
        ("v", 1) => format!("v{first}"),
        _ => format!("{bank}[{first}:{}]", first + count - 1),
    }
}

/// The sizes that are taken for `{v}` or `{s}` of a line.
pub(super) fn sizes(chip: &str, line: &str) -> String {
    let bank = if line.contains("{v}") { "v" } else { "s" };
    let with = |count| line.replace(&format!("{{{bank}}}"), &range(bank, 16, count));
    let taken = (1..=16).filter(|count| assembled(chip, &with(*count)).is_ok());
    taken.map(|count| count.to_string()).collect::<Vec<_>>().join(" ")
}

/// The one size of `{v}` for each mask, a digit each, without and with `tfe`; `-` where there is
/// none or another.
pub(super) fn data_sizes(chip: &str, line: &str) -> String {
    let mut text = String::new();
    for tfe in ["", " tfe"] {
        for mask in 1..=15 {
            let line = format!("{line} dmask:{mask}{tfe}");
            match sizes(chip, &line).as_str() {
                size if size.len() == 1 => text.push_str(size),
                _ => text.push('-'),
            }
        }
        text.push_str(if tfe.is_empty() { " " } else { "" });
    }
    text
}

/// The hover of the word behind `^` in a line of LLVM's dialect.
pub(super) fn hover(chip: &str, input: &str) -> String {
    let at = input.find('^').unwrap_or(0);
    let line = input.replacen('^', "", 1);
    let options =
        Options { target: Some(target(chip)), dialect: Dialect::Llvm, ..Options::default() };
    let program = assemble(&line, &options, &|_| None, &source::no_checkpoint);
    let found = hover_at(View::root(&program), text_size(at + 1));
    found.map_or_else(|| "no hover".to_owned(), |hover| hover.markdown)
}

/// The page of a name on a chip; on all of them where the chip is `every`.
pub(super) fn explain(chip: &str, name: &str) -> String {
    let target = (chip != "every").then(|| target(chip));
    let mut page = String::new();
    if let Some(info) = mnemonics::op_info(name) {
        page.push_str(&describe::mnemonic_on(info, target));
    }
    if let Some(word) = describe::operand_word(name, target) {
        let _ = writeln!(page, "{word}");
    }
    page
}
