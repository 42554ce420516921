//! Shaders of which a word of structure was taken out: the fix that is offered puts it back.

use std::collections::BTreeMap;

use source::{Code, Diagnostic, Severity, apply_edits, no_checkpoint};
use tgsi::ast::{Instruction, StatementKind};
use tgsi::format::{Numbers as Numbering, format};
use tgsi::opcodes::Control;
use tgsi::parser::parse;

use crate::random_shaders::Numbers;

/// Programs that are longer are left out: others have the same words.
const LONGEST: usize = 40_000;

/// The evidence that a text keeps of where its words stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// Numbers, labels and indentation, as drivers print them.
    All,
    /// The numbers of the instructions.
    Numbers,
    /// The labels of `IF` and `ELSE`.
    Labels,
    /// The indentation.
    Indentation,
    /// None of them.
    Nothing,
}

/// Every kind of text.
pub const KEPT: [Kept; 5] =
    [Kept::All, Kept::Numbers, Kept::Labels, Kept::Indentation, Kept::Nothing];

/// The results of taking words out.
#[derive(Debug, Default, Clone, Copy)]
pub struct Count {
    /// Texts with words taken out.
    pub texts: usize,
    /// Texts of which the fixes made the sound program again.
    pub right: usize,
    /// Texts that have a fix which does not put in what was taken out.
    pub wrong: usize,
    /// Texts about whose blocks something is told.
    pub told: usize,
    /// The diagnostics about blocks.
    pub diagnostics: usize,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.texts += other.texts;
        self.right += other.right;
        self.wrong += other.wrong;
        self.told += other.told;
        self.diagnostics += other.diagnostics;
    }

    /// The right ones of a hundred.
    pub fn rate(&self) -> f64 {
        self.right as f64 * 100.0 / self.texts.max(1) as f64
    }
}

/// The results by evidence and by the words that were taken out.
#[derive(Debug, Default)]
pub struct Summary {
    /// By evidence and word.
    pub counts: BTreeMap<(Kept, String), Count>,
    /// The first texts with a wrong fix.
    pub wrong: Vec<String>,
    /// The first texts that no fix made right.
    pub missed: Vec<String>,
}

impl Summary {
    /// The results of all words together.
    pub fn total(&self, kept: Kept) -> Count {
        let mut total = Count::default();
        let counts = self.counts.iter().filter(|((it, _), _)| *it == kept);
        counts.for_each(|(_, count)| total.add(*count));
        total
    }

    /// Checks that no fix put in another word or in another place, over so many texts at least.
    ///
    /// # Panics
    /// Shows the first fixes that did.
    pub fn check(&self, least: usize) {
        let texts = self.total(Kept::All).texts;
        assert!(texts >= least, "{texts} texts");
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }

    /// Checks that the fixes put back so many of a hundred with this evidence.
    ///
    /// # Panics
    /// Shows all rates, and the first texts that were missed.
    pub fn reach(&self, kept: Kept, least: f64) {
        let rate = self.total(kept).rate();
        assert!(rate >= least, "{kept:?} {rate}\n{}{}", self.rows(), self.missed.join("\n"));
    }

    /// Shows the results as rows of a table.
    pub fn rows(&self) -> String {
        let row = |kept: &Kept, word: &str, it: &Count| {
            let Count { texts, right, wrong, told, diagnostics } = it;
            let rate = it.rate();
            format!(
                "| {kept:?} | {word} | {texts} | {right} | {rate:.1} | {wrong} | {told} | {diagnostics} |\n"
            )
        };
        let words = self.counts.iter().map(|((kept, word), count)| row(kept, word, count));
        let totals = KEPT.iter().map(|kept| row(kept, "all", &self.total(*kept)));
        words.chain(totals).collect()
    }
}

/// Takes words out of each program, so many at once and so many times, in each kind of text.
pub fn take_words_out(programs: &[String], words: usize, times: usize, seed: u64) -> Summary {
    let mut random = Numbers::new(seed);
    let mut summary = Summary::default();
    for program in programs.iter().filter(|it| it.len() < LONGEST) {
        let Some(lines) = Lines::of(program) else { continue };
        let places: Vec<usize> =
            (0..lines.instructions.len()).filter(|it| lines.instructions[*it].may_go).collect();
        if places.len() < words {
            continue;
        }
        for _ in 0..times {
            let mut taken: Vec<usize> = Vec::new();
            while taken.len() < words {
                let place = places[random.below(places.len())];
                if !taken.contains(&place) {
                    taken.push(place);
                }
            }
            taken.sort_unstable();
            let names: Vec<&str> =
                taken.iter().map(|place| lines.instructions[*place].opcode.as_str()).collect();
            let name = if words == 1 { names.join(" ") } else { "several".to_owned() };
            for kept in KEPT {
                let (count, wrong) = lines.try_without(&taken, kept);
                summary.counts.entry((kept, name.clone())).or_default().add(count);
                if count.right == 0 && kept == Kept::All && summary.missed.len() < 20 {
                    summary.missed.push(lines.text(kept, &taken));
                }
                if let Some(wrong) = wrong.filter(|_| summary.wrong.len() < 20) {
                    summary.wrong.push(format!("{kept:?} {}: {wrong}", names.join(" ")));
                }
            }
        }
    }
    summary
}

/// A shader in lines, each instruction in its parts.
struct Lines {
    head: String,
    instructions: Vec<Line>,
}

struct Line {
    opcode: String,
    number: u32,
    indent: usize,
    words: String,
    label: String,
    /// Set where it is a word of structure.
    may_go: bool,
    /// Set where other words are left of the line without its opcode.
    has_operands: bool,
}

impl Lines {
    /// The lines of a sound shader that has blocks.
    fn of(program: &str) -> Option<Lines> {
        let printed = format(program, Numbering::Always);
        let shader = parse(&printed, &no_checkpoint).shader?;
        // Drivers leave the labels of loops at 0.
        let labels = tgsi::labels::labels(&shader);
        let edits: Vec<_> =
            labels.iter().filter(|it| it.matters).filter_map(|it| it.repair()).collect();
        let labelled = apply_edits(&printed, &edits)?;
        let parsed = parse(&labelled, &no_checkpoint);
        let shader = parsed.shader?;
        let found = tgsi::validate(&shader, &no_checkpoint);
        let mut all = parsed.diagnostics.iter().chain(&found);
        // One that tests an integer with `IF` says nothing about which word was meant.
        let doubtful = |it: &Diagnostic| is_told(it) || it.code.0 == "tgsi::value-type";
        if all.any(|it| doubtful(it) || it.severity == Severity::Error) {
            return None;
        }
        let mut lines = Lines {
            head: labelled[shader.stage.range].to_owned() + "\n",
            instructions: Vec::new(),
        };
        for statement in &shader.statements {
            let text = &labelled[statement.range];
            if text.contains('\n') {
                return None;
            }
            match &statement.kind {
                StatementKind::Instruction(it) => {
                    lines.instructions.push(Line::of(it, &labelled, statement.range.end().into())?);
                }
                _ => lines.head.push_str(&format!("{text}\n")),
            }
        }
        Some(lines)
    }

    /// The text with the words of some lines taken out.
    fn text(&self, kept: Kept, without: &[usize]) -> String {
        let mut text = self.head.clone();
        for (place, line) in self.instructions.iter().enumerate() {
            let taken = without.contains(&place);
            if taken && !line.has_operands {
                continue;
            }
            if matches!(kept, Kept::All | Kept::Numbers) {
                text.push_str(&format!("{:3}: ", line.number));
            }
            if matches!(kept, Kept::All | Kept::Indentation) {
                text.push_str(&" ".repeat(line.indent));
            }
            match taken {
                true => text.push_str(line.words[line.opcode.len()..].trim_start()),
                false => text.push_str(&line.words),
            }
            if matches!(kept, Kept::All | Kept::Labels) {
                text.push_str(&line.label);
            }
            text.push('\n');
        }
        text
    }

    /// The result without some words, and a text that has a wrong fix.
    fn try_without(&self, taken: &[usize], kept: Kept) -> (Count, Option<String>) {
        let plain = |text: &str| format(text, Numbering::Never);
        let sound = plain(&self.text(kept, &[]));
        // A fix that is right puts in one of the words.
        let mut steps = vec![Vec::new()];
        for place in taken {
            let with: Vec<Vec<usize>> =
                steps.iter().map(|it: &Vec<usize>| [it.as_slice(), &[*place]].concat()).collect();
            steps.extend(with);
        }
        let steps: Vec<String> = steps.iter().map(|it| plain(&self.text(kept, it))).collect();
        let mut text = self.text(kept, taken);
        let found = told(&text);
        let mut count = Count {
            texts: 1,
            told: usize::from(!found.is_empty()),
            diagnostics: found.len(),
            ..Count::default()
        };
        let mut objection = None;
        for found in &found {
            for fix in &found.fixes {
                let fixed = apply_edits(&text, &fix.edits).expect("edits that apply");
                if !steps.contains(&plain(&fixed)) {
                    count.wrong = 1;
                    objection = Some(format!("{}: {}\n{text}\n{fixed}", found.message, fix.title));
                }
            }
        }
        for _ in taken {
            let found = told(&text);
            let Some(fix) = found.iter().find_map(|it| it.fixes.first()) else { break };
            text = apply_edits(&text, &fix.edits).expect("edits that apply");
        }
        count.right = usize::from(plain(&text) == sound);
        (count, objection)
    }
}

impl Line {
    fn of(instruction: &Instruction, text: &str, end: usize) -> Option<Line> {
        let start = usize::from(instruction.opcode.range.start());
        let label = instruction.label.map(|label| {
            let digits = usize::from(label.range.start());
            text[..digits].trim_end_matches([':', ' ']).len()
        });
        let row = instruction.info();
        let may_go = matches!(
            row.control,
            Control::If
                | Control::Else
                | Control::EndIf
                | Control::Loop
                | Control::EndLoop
                | Control::Switch
                | Control::Case
                | Control::EndSwitch
                | Control::Subroutine
                | Control::EndSubroutine
        );
        Some(Line {
            opcode: text[instruction.opcode.range].to_owned(),
            number: instruction.number?.value,
            indent: instruction.indent? as usize,
            words: text[start..label.unwrap_or(end)].to_owned(),
            label: text[label.unwrap_or(end)..end].to_owned(),
            may_go: may_go && row.until.is_empty(),
            has_operands: row.sources > 0,
        })
    }
}

/// The diagnostics about blocks, and about a line whose word is missing.
fn told(text: &str) -> Vec<Diagnostic> {
    let parsed = parse(text, &no_checkpoint);
    let mut all = parsed.diagnostics;
    all.extend(parsed.shader.iter().flat_map(|it| tgsi::validate(it, &no_checkpoint)));
    all.retain(|it| is_told(it) || it.severity == Severity::Error);
    all
}

fn is_told(found: &Diagnostic) -> bool {
    let Code(code) = found.code;
    ["tgsi::unbalanced", "tgsi::outside-loop"].contains(&code)
}
