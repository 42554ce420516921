//! Effects of an instruction or a register at this very place: the operands
//! spelled out, components read and written, and links to declarations.

use editor_model::HoverLink;
use std::fmt::Write as _;

use source::{TextRange, TextSize};
use tgsi::ast::{Component, Instruction, Shader, StatementKind, WriteMask};
use tgsi::capabilities::{self, CapabilityKind};
use tgsi::cursor::{Found, What};
use tgsi::describe;
use tgsi::service::accesses::{self, AccessKind};
use tgsi::service::declared::Declared;
use tgsi::service::{formula, navigation};

use crate::ide::views::cut_line;

/// The formula with the actual operands, what is read and written, and
/// whether the stage fits. Ends in a rule if it says anything.
pub(super) fn instruction(shader: &Shader, instruction: &Instruction) -> String {
    let mut text = String::new();
    let row = instruction.info();
    let expanded = formula::expand(&Declared::new(shader), instruction);
    let steps = expanded.as_ref().map(|expanded| expanded.steps.join("\n")).unwrap_or_default();
    if !steps.is_empty() {
        let _ = write!(text, "```text\n{steps}\n```\n");
    }
    let mut parts: Vec<String> = Vec::new();
    if let Some(expanded) = &expanded {
        for (number, source) in instruction.sources.iter().enumerate() {
            let read = expanded.reads.get(number).copied().unwrap_or(WriteMask(0));
            if read.0 == 0 {
                continue;
            }
            let name = accesses::with_components(&source.register, read);
            let ty = row.source_types.get(number).map(|ty| describe::type_name(*ty));
            parts.push(format!("reads `{name}`{}", of_type(ty, source.register.file)));
        }
    }
    for (number, destination) in instruction.destinations.iter().enumerate() {
        let name = accesses::with_components(&destination.register, destination.mask);
        let ty = row.destination_types.get(number).map(|ty| describe::type_name(*ty));
        parts.push(format!("writes `{name}`{}", of_type(ty, destination.register.file)));
    }
    if !parts.is_empty() {
        let _ = write!(text, "\n{}\n", parts.join(" · "));
    }
    let stage = shader.stage.value;
    if row.stages != "any" && !row.stages.split(' ').any(|word| word == stage.word()) {
        let stages = row.stages.replace(' ', " and ");
        let _ = write!(text, "\n**For {stages} only**; this is {stage}.\n");
    }
    text.push_str(&words(instruction));
    if !text.is_empty() {
        text.push_str("\n---\n");
    }
    text
}

/// Needs of the words after the operands, which a driver has to meet: the opcode's own needs
/// are on its page.
fn words(instruction: &Instruction) -> String {
    let target = instruction.target.map(|it| ("target", it.value.word()));
    let qualifiers = instruction.qualifiers.iter().map(|it| ("qualifier", it.value.word()));
    let mut text = String::new();
    for (list, word) in target.into_iter().chain(qualifiers) {
        let needs = capabilities::of(list, word).filter(|it| it.kind == CapabilityKind::Need);
        for need in needs {
            let when = if need.when.is_empty() { "" } else { " " };
            let _ = write!(text, "\n`{word}` needs `{}`{when}{}\n", need.name, need.when);
        }
    }
    text
}

/// The type of an operand; resources have none.
fn of_type(ty: Option<&str>, file: tgsi::words::File) -> String {
    use tgsi::words::File;
    let resource = matches!(
        file,
        File::Sampler | File::SamplerView | File::Image | File::Buffer | File::Memory
    );
    match ty {
        Some(ty) if !resource => format!(" as {ty}"),
        _ => String::new(),
    }
}

/// Use of the register at the place under the cursor, and how often the
/// register is read and written in all.
pub(super) fn register(shader: &Shader, text: &str, place: TextSize) -> String {
    let all = accesses::accesses(text, shader);
    let Some(here) = accesses::access_at(&all, place) else { return String::new() };
    let letters: String = here.components.components().map(Component::letter).collect();
    let does = match here.kind {
        AccessKind::Declaration => return String::new(),
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
    };
    let count = |kind| {
        let same = all.iter().filter(|it| it.kind == kind && it.span.overlaps(&here.span));
        same.count()
    };
    let times = |count: usize| match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    };
    format!(
        "\nHere it {does} {letters}. In all it is read {} and written {}.\n",
        times(count(AccessKind::Read)),
        times(count(AccessKind::Write)),
    )
}

/// The lines that declare the register at a place, as code.
pub(super) fn declarations(shader: &Shader, text: &str, place: TextSize) -> String {
    let Some(found) = navigation::definitions(text, shader, place) else { return String::new() };
    let lines = found.destinations.iter().take(MOST_LINKS);
    let lines: Vec<String> = lines.map(|it| cut_line(text, it.range, MOST_CHARACTERS)).collect();
    format!("```tgsi\n{}\n```\n", lines.join("\n"))
}

/// The instruction that a label names.
pub(super) fn label(number: u32, shader: &Shader, text: &str) -> Option<String> {
    let statement = shader.statements.iter().find(|statement| match &statement.kind {
        StatementKind::Instruction(instruction) => {
            instruction.ordinal.checked_sub(1) == Some(number)
        }
        _ => false,
    });
    Some(match statement {
        Some(statement) => {
            format!("```tgsi\n{}\n```\n", cut_line(text, statement.range, MOST_CHARACTERS))
        }
        None => format!("There is no instruction {number}.\n"),
    })
}

/// Links to the declarations of what the cursor is on, or of every operand of
/// its instruction.
pub(super) fn links(
    shader: &Shader,
    text: &str,
    found: &Found<'_>,
    instruction: Option<&Instruction>,
    place: TextSize,
) -> Vec<HoverLink> {
    let mut places: Vec<TextSize> = Vec::new();
    match (&found.what, instruction) {
        (What::Opcode(_), Some(instruction)) => {
            let destinations = instruction.destinations.iter().map(|it| it.register.range.start());
            places.extend(destinations);
            places.extend(instruction.sources.iter().map(|it| it.register.range.start()));
        }
        (What::Register(_) | What::Label(_), _) => places.push(place),
        _ => {}
    }
    let mut ranges: Vec<TextRange> = Vec::new();
    let definitions =
        places.into_iter().filter_map(|place| navigation::definitions(text, shader, place));
    for destination in definitions.flat_map(|it| it.destinations) {
        if ranges.len() == MOST_LINKS {
            break;
        }
        if !ranges.contains(&destination.range) {
            ranges.push(destination.range);
        }
    }
    let link = |range| HoverLink { title: cut_line(text, range, MOST_CHARACTERS), range };
    ranges.into_iter().map(link).collect()
}

/// An instruction has few operands; a register declared part by part may have many lines.
const MOST_LINKS: usize = 8;
/// A statement longer than this is cut.
const MOST_CHARACTERS: usize = 80;
