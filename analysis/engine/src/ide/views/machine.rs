//! Machine code and its bytes as documents.

use std::fmt::Write as _;

use gcn::compiled::{Compiled, Instruction, Statistics};
use source::{LineIndex, SegmentMap, TextRange};

use super::Document;
use crate::ide::{CompiledCode, settings_lines};

/// The text of a shader, and where it stands in its file.
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) map: &'a SegmentMap,
    pub(super) lines: &'a LineIndex,
}

impl Source<'_> {
    /// The statement at a range of the file, as one line.
    fn statement(&self, range: TextRange) -> String {
        self.map
            .range_to_region(range)
            .map_or_else(String::new, |place| one_line(&self.text[place]))
    }
}

/// The document of a shader's machine code or bytes, by what is shown of an instruction,
/// or the reason why there is none.
pub(super) fn document(
    heading: &str,
    code: &CompiledCode,
    source: &Source<'_>,
    shown: fn(&Instruction) -> String,
) -> Document {
    let mut document = Document::default();
    document.line(None, &format!("; {heading}"));
    if let Some(listing) = &code.compiled {
        document.line(None, &format!("; {}", summary(&listing.statistics)));
        for note in code.notes.iter() {
            document.line(None, &format!("; {note}"));
        }
        if let Some(program) = &code.program {
            document.line(None, &format!("; {program}"));
        }
        let set = settings_lines("compiled for", &code.environment);
        for line in set.iter().chain(&settings_lines("assumed", &code.assumed)) {
            document.line(None, &format!("; {line}"));
        }
        document.line(None, "");
        document.listing(listing, code, source, shown);
    } else {
        let reason = code.problem.as_ref().map(|problem| problem.message.as_str());
        document.line(None, &format!("; {}", reason.unwrap_or("compiling\u{2026}")));
    }
    document
}

impl Document {
    /// The machine code, with the source statement above each run of
    /// instructions that came from it.
    fn listing(
        &mut self,
        compiled: &Compiled,
        code: &CompiledCode,
        source: &Source<'_>,
        shown: fn(&Instruction) -> String,
    ) {
        let mut labels = compiled.labels.iter().peekable();
        let mut last: Option<u32> = None;
        for (index, instruction) in compiled.instructions.iter().enumerate() {
            let mut labelled = false;
            while let Some((name, _)) = labels.next_if(|(_, at)| *at <= index) {
                self.line(None, &format!("{name}:"));
                labelled = true;
            }
            let place = code.source(index);
            let source_line = place.map(|range| source.lines.line(range.start()));
            if labelled || last != Some(instruction.ordinal) {
                let heading = match (code.partner_source(index), place) {
                    (Some(statement), _) => statement.text.to_string(),
                    (None, Some(range)) => source.statement(range),
                    _ if instruction.ordinal == 0 => "shared".to_owned(),
                    _ => "of a statement that has changed".to_owned(),
                };
                self.line(source_line, &format!("    ; {heading}"));
                last = Some(instruction.ordinal);
            }
            self.line(source_line, &shown(instruction));
        }
    }
}

/// The text, then the offset and the words.
pub(super) fn code_line(instruction: &Instruction) -> String {
    let words: Vec<String> = instruction.words.iter().map(|word| format!("{word:08X}")).collect();
    let (text, offset) = (&instruction.text, instruction.offset);
    format!("    {text:<52} // {offset:06X}: {}", words.join(" "))
}

/// The offset, the bytes in the order of memory, and the text. The longest instructions
/// have three words.
pub(super) fn hex_line(instruction: &Instruction) -> String {
    let bytes = instruction.words.iter().flat_map(|word| word.to_le_bytes());
    let bytes: Vec<String> = bytes.map(|byte| format!("{byte:02X}")).collect();
    format!("{:06X}  {:<36} {}", instruction.offset, bytes.join(" "), instruction.text)
}

/// A statistics line: registers, waves and what limits them, size.
fn summary(statistics: &Statistics) -> String {
    let mut summary = format!(
        "{} VGPRs, {} SGPRs, {} waves ({}), {} instructions, {} bytes",
        statistics.vgprs,
        statistics.sgprs,
        statistics.waves,
        match &*statistics.limiter {
            "waves" => "maximum",
            "vgprs" => "limited by VGPRs",
            "sgprs" => "limited by SGPRs",
            "lds" => "limited by LDS",
            "groups" => "limited by workgroups",
            other => other,
        },
        statistics.instructions,
        statistics.bytes,
    );
    if statistics.lds > 0 {
        let _ = write!(summary, ", {} bytes of LDS", statistics.lds);
    }
    if statistics.scratch > 0 {
        let _ = write!(summary, ", {} bytes of scratch", statistics.scratch);
    }
    if statistics.spilled_vgprs + statistics.spilled_sgprs > 0 {
        let (vgprs, sgprs) = (statistics.spilled_vgprs, statistics.spilled_sgprs);
        let _ = write!(summary, ", spilled {vgprs} VGPRs and {sgprs} SGPRs");
    }
    summary
}

/// A statement as one line: runs of white space become one blank.
pub(in crate::ide) fn one_line(statement: &str) -> String {
    statement.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The statement at a place as one line, cut behind so many characters.
pub(in crate::ide) fn cut_line(text: &str, range: TextRange, most: usize) -> String {
    let mut line = one_line(text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default());
    if let Some((end, _)) = line.char_indices().nth(most) {
        line.truncate(end);
        line.push('\u{2026}');
    }
    line
}
