//! Registers of assembly under other numbers: what reads what stays.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::kernels::Kernel;
use crate::random_shaders::Numbers;
use gcn::analysis::Origin;
use gcn::instruction::{Bank, Register};
use gcn::program::Program;
use gcn::service::View;
use gcn::service::registers::rename::rename;
use source::{TextEdit, TextRange, TextSize, apply_edits};

/// Statistics of attempted renames.
#[derive(Debug, Default)]
pub struct Statistics {
    /// Renames that were done.
    pub done: usize,
    /// The reasons for which others were refused, with their numbers.
    pub refused: BTreeMap<String, usize>,
}

impl Statistics {
    /// Counts a reason.
    pub fn refuse(&mut self, reason: &str) {
        // Without names and numbers, reasons are few.
        let digits = reason.split('`').step_by(2).collect::<Vec<_>>().join("_");
        let plain: String = digits.chars().filter(|it| !it.is_ascii_digit()).collect();
        *self.refused.entry(plain).or_default() += 1;
    }

    /// Shows all.
    pub fn show(&self, what: &str) {
        eprintln!("{what}: {} renamed", self.done);
        for (reason, count) in &self.refused {
            eprintln!("{count:6} {reason}");
        }
    }
}

/// The words of a text that name vector or scalar registers by number.
pub fn words(text: &str) -> Vec<TextRange> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'\\');
    for (at, byte) in bytes.iter().enumerate() {
        if !matches!(byte, b'v' | b's') || at > 0 && is_word(bytes[at - 1]) {
            continue;
        }
        let rest = &text[at + 1..];
        let length = match rest.strip_prefix('[') {
            Some(inside) => inside.find(']').map(|end| end + 2),
            None => Some(rest.bytes().take_while(u8::is_ascii_digit).count()).filter(|it| *it > 0),
        };
        let Some(length) = length.filter(|it| *it < 10) else { continue };
        let end = at + 1 + length;
        if bytes.get(end).is_none_or(|byte| !is_word(*byte)) {
            let place = |at: usize| TextSize::new(u32::try_from(at).expect("small"));
            found.push(TextRange::new(place(at), place(end)));
        }
    }
    found
}

/// A word with its numbers moved.
pub fn moved(word: &str, by: i64) -> Option<String> {
    let (letter, numbers) = (word.get(..1)?, word.get(1..)?.trim_matches(['[', ']']));
    let numbers: Option<Vec<i64>> =
        numbers.split(':').map(|number| Some(number.trim().parse::<i64>().ok()? + by)).collect();
    match numbers?.as_slice() {
        [first, last] if *first >= 0 => Some(format!("{letter}[{first}:{last}]")),
        [only] if *only >= 0 => Some(format!("{letter}{only}")),
        _ => None,
    }
}

/// Returns the definitions that reach each read of a program's kernel, as far as a register
/// of it is among some.
pub fn reads(program: &Program, kernel: usize, wanted: &dyn Fn(Register) -> bool) -> Reads {
    let values = &program.values(kernel, &source::no_checkpoint).expect("values").values;
    let mut found = BTreeMap::new();
    for (index, def_use) in (0..).zip(&values.def_use) {
        for (place, access) in def_use.reads().iter().enumerate() {
            for part in 0..access.register.dwords {
                let first = access.register.first + u16::from(part);
                let single = Register { first, dwords: 1, ..access.register };
                if wanted(single) {
                    found.insert((index, place, part), values.origins(index, single));
                }
            }
        }
    }
    found
}

/// The reads of a program, by instruction, place and component, and where the values are from.
pub type Reads = BTreeMap<(u32, usize, u8), Vec<Origin>>;

/// The registers that some edits take from and give to a text's words.
pub fn registers(text: &str, edits: &[TextEdit]) -> impl Fn(Register) -> bool {
    let mut bounds: Vec<(Bank, i64, i64)> = Vec::new();
    for word in edits.iter().flat_map(|edit| [&text[edit.range], edit.insert.as_str()]) {
        let bank = if word.starts_with(['v', 'V']) { Bank::Vector } else { Bank::Scalar };
        let numbers: Vec<i64> = word
            .split(|it: char| !it.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .collect();
        bounds.extend(numbers.first().zip(numbers.last()).map(|(from, to)| (bank, *from, *to)));
    }
    move |register: Register| {
        bounds.iter().any(|(bank, from, to)| {
            *bank == register.bank && (*from..=*to).contains(&i64::from(register.first))
        })
    }
}

/// Some registers of kernels that assemble are renamed, for so long; returns how many were, in
/// how many files.
///
/// # Panics
/// Shows a rename that changes what reads what.
pub fn registers_are_renamed_or_the_reason_is_told(
    kernels: &[Kernel],
    limit: Duration,
) -> (usize, usize) {
    const ATTEMPTS: usize = 6;
    let (start, mut statistics, mut files) = (Instant::now(), Statistics::default(), 0);
    let mut numbers = Numbers::new(11);
    for kernel in kernels.iter().filter(|kernel| kernel.assembles()) {
        if start.elapsed() > limit {
            break;
        }
        let text = kernel.text();
        let program = kernel.assemble(&text);
        let words = words(&text);
        if words.is_empty() || program.instructions.len() > 6_000 {
            continue;
        }
        files += 1;
        for _ in 0..ATTEMPTS {
            let word = words[numbers.below(words.len())];
            let by = 4 * (1 + numbers.below(12) as i64);
            let Some(new) = moved(&text[word], by) else { continue };
            let assemble = |text: &str| kernel.assemble(text);
            let Some(result) = rename(View::root(&program), word.start(), &new, &assemble) else {
                continue;
            };
            let edits = match result {
                Ok(edits) => edits,
                Err(reason) => {
                    statistics.refuse(&reason.to_string());
                    continue;
                }
            };
            statistics.done += 1;
            let after = kernel.assemble(&apply_edits(&text, &edits).expect("edits"));
            let shown = format!("{}: {} to {new}", kernel.file, &text[word]);
            assert_eq!(after.diagnostics.len(), program.diagnostics.len(), "{shown}");
            let wanted = registers(&text, &edits);
            let first = program.instruction_at(word.start()).expect("an instruction");
            let number = program.kernel_of(first).expect("a kernel");
            let was = reads(&program, number, &wanted);
            let is = reads(&after, number, &wanted);
            assert_eq!(was, is, "{shown}");
        }
    }
    statistics.show(&format!("{files} files"));
    (statistics.done, files)
}
