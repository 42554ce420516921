//! Compiled code for reading: each source statement, then its machine code.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io;

use engine::ide::settings_lines;
use gcn::compiled::{Compiled, Instruction};
use rustc_hash::FxBuildHasher;
use source::TextRange;

use super::Status;
use super::compile::{CompiledShader, Guessed};
use super::compiler::Maker;
use super::output::{Output, Style};
use crate::aco::Made;

/// Prints a header, and source and machine code together.
pub(super) fn print(
    result: &CompiledShader<'_>,
    Guessed(guessed): Guessed,
    output: &mut Output,
) -> io::Result<Status> {
    let Some(compiled) = &result.code.compiled else { return Ok(Status::Bad) };
    print_header(result, output)?;
    if guessed {
        let note = format!("  {} was not asked for: it is the default (--target)", result.target);
        output.styled_line(Style::Faint, &note)?;
    }
    output.line("")?;
    let labels = labels(compiled);
    let width = offset_width(compiled);
    let mut last: Option<Option<TextRange>> = None;
    let mut seen: HashSet<TextRange, FxBuildHasher> = HashSet::default();
    for (index, instruction) in compiled.instructions.iter().enumerate() {
        let source = result.code.source(index);
        print_labels(&labels, index, output)?;
        if last != Some(source) {
            // The compiler mixes statements; the first time counts to the eye.
            let first = source.is_some_and(|source| seen.insert(source));
            let style = if first { Style::Source } else { Style::Faint };
            print_source(result, source, style, output)?;
            last = Some(source);
        }
        output.text("           ")?;
        let words = words(&instruction.words);
        output.styled(Style::Faint, &format!("{:0width$x}  {words:18}", instruction.offset))?;
        output.styled_line(style(&instruction.text), &instruction.text)?;
    }
    print_labels(&labels, compiled.instructions.len(), output)?;
    output.line("")?;
    Ok(Status::Good)
}

/// Prints what a shader costs.
pub(super) fn print_header(result: &CompiledShader<'_>, output: &mut Output) -> io::Result<Status> {
    let Some(compiled) = &result.code.compiled else { return Ok(Status::Bad) };
    let row = result.target.row();
    let stage = result.stage().unwrap_or("shader");
    output.styled(Style::Strong, &format!("{stage} → {}", row.name))?;
    let (count, architecture) = row.generation.titles();
    let (file, shader) = (&result.file.name, result.shader);
    let about = format!("  {}, {count}, {architecture}; shader {shader} of {file}", row.processor);
    output.styled_line(Style::Faint, &about)?;

    let figures = &compiled.statistics;
    output.text("  ")?;
    output.styled(Style::Good, &format!("{} waves", figures.waves))?;
    let limiter = match &*figures.limiter {
        "waves" => "maximum".to_owned(),
        "vgprs" => "limited by VGPRs".to_owned(),
        "sgprs" => "limited by SGPRs".to_owned(),
        "lds" => "limited by LDS".to_owned(),
        limiter => format!("limited by {limiter}"),
    };
    output.text(&format!(" ({limiter})  "))?;
    output.line(&format!(
        "{} VGPR  {} SGPR  {} instructions  {} bytes",
        figures.vgprs, figures.sgprs, figures.instructions, figures.bytes
    ))?;
    let mut memory = String::new();
    let more = [
        (figures.lds, "bytes of LDS"),
        (figures.scratch, "bytes of scratch"),
        (figures.spilled_vgprs, "VGPR spilled"),
        (figures.spilled_sgprs, "SGPR spilled"),
    ];
    for (count, what) in more.into_iter().filter(|(count, _)| *count > 0) {
        let _ = write!(memory, "  {count} {what}"); // Writing to a string cannot fail.
    }
    if !memory.is_empty() {
        output.styled_line(Style::Bad, &memory)?;
    }
    if let Some(program) = &result.code.program {
        output.styled_line(Style::Faint, &format!("  {program}"))?;
    }
    let set = settings_lines("compiled for", &result.code.environment);
    let assumed = settings_lines("assumed", &result.code.assumed);
    for line in set.iter().chain(&assumed) {
        output.styled_line(Style::Faint, &format!("  {line}"))?;
    }
    match result.maker {
        Maker::Llvm(Some(library)) => {
            let path = library.path.display();
            let text = format!("  LLVM {} ({path}, from {})", library.version, library.origin);
            output.styled_line(Style::Faint, &text)?;
        }
        Maker::Aco(Some(made)) => print_aco(made, output)?,
        Maker::Llvm(None) | Maker::Aco(None) => {}
    }
    Ok(Status::Good)
}

/// Prints what Mesa says of code that ACO made.
fn print_aco(made: &Made, output: &mut Output) -> io::Result<()> {
    for sentence in made.sentences() {
        output.styled_line(Style::Faint, &format!("  {sentence}"))?;
    }
    Ok(())
}

/// Prints the instructions alone, for an assembler.
pub(super) fn print_assembly(
    result: &CompiledShader<'_>,
    output: &mut Output,
) -> io::Result<Status> {
    let Some(compiled) = &result.code.compiled else { return Ok(Status::Bad) };
    let stage = result.stage().unwrap_or("shader");
    let by = match result.maker {
        Maker::Llvm(_) => "",
        Maker::Aco(_) => ", by ACO",
    };
    output.line(&format!("; {stage}, shader {}, {}{by}", result.shader, result.target))?;
    let labels = labels(compiled);
    for (index, instruction) in compiled.instructions.iter().enumerate() {
        for label in labels.get(&index).into_iter().flatten() {
            output.line(&format!("{label}:"))?;
        }
        output.line(&format!("    {}", instruction.text))?;
    }
    Ok(Status::Good)
}

/// Prints the bytes alone, in memory order, an instruction a line.
pub(super) fn print_hex(result: &CompiledShader<'_>, output: &mut Output) -> io::Result<Status> {
    let Some(compiled) = &result.code.compiled else { return Ok(Status::Bad) };
    for Instruction { words, .. } in &compiled.instructions {
        output.line(&hex(words))?;
    }
    Ok(Status::Good)
}

/// The bytes of words in memory order, lower case, without spaces.
pub(super) fn hex(words: &[u32]) -> String {
    let mut hex = String::with_capacity(words.len() * 8);
    source::digits::bytes(&mut hex, words.iter().flat_map(|word| word.to_le_bytes()));
    hex
}

fn words(words: &[u32]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
    words.join(" ")
}

fn offset_width(compiled: &Compiled) -> usize {
    let last = compiled.instructions.last().map_or(0, |instruction| instruction.offset);
    format!("{last:x}").len().max(4)
}

type Labels<'a> = HashMap<usize, Vec<&'a str>, FxBuildHasher>;

fn labels(compiled: &Compiled) -> Labels<'_> {
    let mut labels = Labels::default();
    for (name, index) in &compiled.labels {
        labels.entry(*index).or_default().push(name);
    }
    labels
}

fn print_labels(labels: &Labels<'_>, index: usize, output: &mut Output) -> io::Result<()> {
    for label in labels.get(&index).into_iter().flatten() {
        output.styled_line(Style::Place, &format!("       {label}:"))?;
    }
    Ok(())
}

/// Prints the statement that the next instructions come from.
fn print_source(
    result: &CompiledShader<'_>,
    source: Option<TextRange>,
    style: Style,
    output: &mut Output,
) -> io::Result<()> {
    let Some(range) = source else {
        return output
            .styled_line(Style::Faint, "     - │ shared by several statements, or of none");
    };
    let line = result.file.line(range.start());
    output.styled(Style::Faint, &format!("{line:6} │ "))?;
    let statement = result.file.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
    output.styled_line(style, &statement.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The style of a machine instruction: by the unit that runs it.
pub(super) fn style(text: &str) -> Style {
    let mnemonic = text.split_whitespace().next().unwrap_or_default();
    const CONTROL: [&str; 7] =
        ["s_waitcnt", "s_branch", "s_cbranch", "s_endpgm", "s_barrier", "s_nop", "s_sleep"];
    const MEMORY: [&str; 9] =
        ["s_load", "s_buffer", "buffer_", "tbuffer_", "image_", "flat_", "global_", "ds_", "exp"];
    let begins = |beginnings: &[&str]| beginnings.iter().any(|it| mnemonic.starts_with(it));
    if begins(&CONTROL) {
        Style::Control
    } else if begins(&MEMORY) || begins(&["scratch_"]) {
        Style::Memory
    } else if mnemonic.starts_with("s_") {
        Style::Scalar
    } else {
        Style::Vector
    }
}
