//! The TGSI front end on whole shaders: what is accepted has no error, and one mistake gives one
//! error at its statement.

use crate::corpus::Program;
use source::{Diagnostic, LineIndex, Severity, TextRange, TextSize, no_checkpoint};
use tgsi::ast::{Shader, StatementKind};

/// Everything that the front end says of a text, and its shaders.
pub fn analyse(text: &str) -> (Vec<Shader>, Vec<Diagnostic>) {
    let regions = tgsi::regions::split(text);
    let mut diagnostics = regions.diagnostics;
    let mut shaders = Vec::new();
    for region in regions.shaders {
        let parse = tgsi::parser::parse(region.text(text), &no_checkpoint);
        let validated =
            parse.shader.iter().flat_map(|shader| tgsi::validate(shader, &no_checkpoint));
        let own: Vec<Diagnostic> = validated.chain(parse.diagnostics).collect();
        diagnostics.extend(own.into_iter().map(|found| region.map().diagnostic_to_file(found)));
        shaders.extend(parse.shader);
    }
    (shaders, diagnostics)
}

/// The errors among own.
pub fn errors(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    diagnostics.iter().filter(|found| found.severity == Severity::Error).collect()
}

/// A diagnostic with its line and the text that it stands at.
pub fn describe(text: &str, found: &Diagnostic) -> String {
    let line = LineIndex::new(text).line(found.range.start()) + 1;
    format!("line {line}: {} {} at {:?}", found.code.0, found.message, &text[found.range])
}

/// Every program that is accepted is one shader without errors; returns how many there are.
///
/// # Panics
/// Names those that are not.
pub fn accepted_programs_have_no_error(programs: &[Program]) -> usize {
    let mut wrong = Vec::new();
    let mut accepted = 0;
    for program in programs.iter().filter(|program| program.accepted) {
        accepted += 1;
        let (shaders, diagnostics) = analyse(&program.text);
        if shaders.len() != 1 {
            wrong.push(format!("{}: {} shaders", program.name, shaders.len()));
        }
        for error in errors(&diagnostics) {
            wrong.push(format!("{}: {}", program.name, describe(&program.text, error)));
        }
    }
    eprintln!("{accepted} accepted files, {} errors", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    accepted
}

/// A small generator of numbers, so that runs repeat.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

/// A way to break one statement for certain: what to replace by what. `None`
/// where the statement has no place for it.
type Mutation = (&'static str, fn(&str, &StatementKind, TextRange) -> Option<(TextRange, String)>);

const MUTATIONS: [Mutation; 25] = [
    ("misspelt keyword", |text, kind, range| match kind {
        StatementKind::Instruction(_) | StatementKind::Unknown => None,
        _ => {
            let word = text[range].find([' ', '['])? as u32;
            Some((TextRange::at(range.start(), word.into()), "QZXJ".to_owned()))
        }
    }),
    ("foreign letter", |text, _, range| {
        let end = text[range].rfind(|sign: char| sign.is_ascii_alphanumeric())? as u32;
        Some((TextRange::empty(range.start() + TextSize::new(end)), "é".to_owned()))
    }),
    ("unknown opcode", |_, kind, _| match kind {
        StatementKind::Instruction(i) => Some((i.opcode.range, "QZXJ".to_owned())),
        _ => None,
    }),
    ("missing comma", |text, kind, range| match kind {
        StatementKind::Instruction(_) => Some((find(text, range, ',')?, String::new())),
        _ => None,
    }),
    ("unknown file", |text, kind, range| match kind {
        StatementKind::Instruction(i) => {
            let register = i.destinations.first()?.register.range;
            let name = find(text, register.intersect(range)?, '[')?;
            Some((TextRange::new(register.start(), name.start()), "QZXJ".to_owned()))
        }
        _ => None,
    }),
    ("open bracket", |text, _, range| Some((find(text, range, ']')?, String::new()))),
    ("bad swizzle", |_, kind, _| match kind {
        StatementKind::Instruction(i) => {
            let source =
                i.sources.iter().find(|s| s.range.end() > s.register.range.end() && !s.absolute)?;
            Some((
                TextRange::new(source.register.range.end(), source.range.end()),
                ".xyzq".to_owned(),
            ))
        }
        _ => None,
    }),
    ("bad mask", |_, kind, _| match kind {
        StatementKind::Instruction(i) => {
            let destination = i.destinations.first()?;
            let end = TextRange::new(destination.register.range.end(), destination.range.end());
            Some((end, ".yx".to_owned()))
        }
        _ => None,
    }),
    ("missing operand", |_, kind, _| match kind {
        StatementKind::Instruction(i) => {
            let row = i.info();
            let historic = ["EMIT", "ENDPRIM", "SAMPLE_L", "SAMPLE_I_MS"].contains(&row.mnemonic);
            let source = i.sources.last().filter(|_| !historic && i.label.is_none())?;
            Some((source.range, String::new()))
        }
        _ => None,
    }),
    ("extra operand", |_, kind, range| match kind {
        StatementKind::Instruction(i) => {
            let row = i.info();
            let memory = row.number.is_some_and(|n| (145..=176).contains(&n) || n == 105);
            let plain = !row.texture && !memory && row.sources > 0;
            plain.then(|| (TextRange::empty(range.end()), ", TEMP[0], TEMP[0]".to_owned()))
        }
        _ => None,
    }),
    ("unknown semantic", |_, kind, _| match kind {
        StatementKind::Declaration(d) => Some((d.semantic?.range, "QZXJ[0]".to_owned())),
        _ => None,
    }),
    ("reversed range", |_, kind, _| match kind {
        StatementKind::Declaration(d) => Some((d.range.range, "9..2".to_owned())),
        _ => None,
    }),
    ("suffix", |_, kind, _| match kind {
        StatementKind::Immediate(i) => {
            let last = i.values.last()?;
            Some((TextRange::empty(last.end()), "u".to_owned()))
        }
        _ => None,
    }),
    ("semicolon", |_, _, range| Some((TextRange::empty(range.end()), ";".to_owned()))),
    ("bad property value", |_, kind, _| match kind {
        StatementKind::Property(p) => Some((p.value?.range, "-1".to_owned())),
        _ => None,
    }),
    ("missing property value", |_, kind, _| match kind {
        StatementKind::Property(p) => Some((p.value?.range, String::new())),
        _ => None,
    }),
    ("unknown target", |_, kind, _| match kind {
        StatementKind::Instruction(i) => Some((i.target?.range, "QZXJ".to_owned())),
        _ => None,
    }),
    ("unknown return type", |_, kind, _| match kind {
        StatementKind::Declaration(d) => {
            let target = d.sampler_view?.target.range;
            Some((TextRange::empty(target.end()), ", QZXJ".to_owned()))
        }
        _ => None,
    }),
    ("unknown interpolation", |_, kind, _| match kind {
        StatementKind::Declaration(d) => Some((d.interpolation?.range, "QZXJ".to_owned())),
        _ => None,
    }),
    ("open brace", |text, kind, range| match kind {
        StatementKind::Immediate(_) => Some((find(text, range, '}')?, String::new())),
        _ => None,
    }),
    ("value too few", |text, kind, range| match kind {
        StatementKind::Immediate(i) => {
            let comma = text[range].rfind(',')? as u32;
            let start = range.start() + TextSize::new(comma);
            Some((TextRange::new(start, i.values.last()?.end()), String::new()))
        }
        _ => None,
    }),
    ("value too many", |_, kind, _| match kind {
        StatementKind::Immediate(i) => {
            Some((TextRange::empty(i.values.last()?.end()), ", 1".to_owned()))
        }
        _ => None,
    }),
    ("open bar", |_, kind, _| match kind {
        StatementKind::Instruction(i) => {
            let source = i.sources.iter().find(|source| source.absolute)?;
            let bar = TextRange::at(source.range.end() - TextSize::new(1), 1.into());
            Some((bar, String::new()))
        }
        _ => None,
    }),
    ("label that is none", |_, kind, _| match kind {
        StatementKind::Instruction(i) => Some((i.label?.range, "QZXJ".to_owned())),
        _ => None,
    }),
    ("two opcodes", |_, kind, _| match kind {
        StatementKind::Instruction(i) => {
            let end = TextRange::empty(i.opcode.range.end());
            (!i.destinations.is_empty()).then(|| (end, " ADD".to_owned()))
        }
        _ => None,
    }),
];

fn find(text: &str, within: TextRange, sign: char) -> Option<TextRange> {
    let offset = text[within].find(sign)? as u32;
    Some(TextRange::at(within.start() + TextSize::new(offset), 1.into()))
}

/// So many mistakes in programs that are one shader without errors: each has one error, at
/// its statement.
///
/// # Panics
/// Names those that have not.
pub fn one_mistake_gives_one_error(programs: &[Program], wanted: usize) {
    let mut numbers = Numbers(0x7415_7e5d_0000_0001);
    let mut counts = [0usize; MUTATIONS.len()];
    let mut wrong = Vec::new();
    let mut done = 0;
    while done < wanted {
        let program = &programs[numbers.next(programs.len())];
        let text = &program.text;
        let region = tgsi::regions::split(text).shaders[0].range();
        let shader = tgsi::parser::parse(&text[region], &no_checkpoint).shader.expect("a shader");
        let index = numbers.next(shader.statements.len());
        let Some(statement) = shader.statements.get(index) else { continue };
        // Every kind gets its turn, rare ones as often as common ones.
        let kind = done % MUTATIONS.len();
        let (name, mutate) = MUTATIONS[kind];
        let part = &text[region];
        let Some((range, insert)) = mutate(part, &statement.kind, statement.range) else {
            continue;
        };
        let mut broken = part.to_owned();
        broken.replace_range(std::ops::Range::<usize>::from(range), &insert);
        let (shaders, diagnostics) = analyse(&broken);
        let found = errors(&diagnostics);
        let lines = LineIndex::new(&broken);
        let first = lines.line(statement.range.start());
        let last = first + text[region][statement.range].matches('\n').count() as u32;
        let place = found.first().map(|error| lines.line(error.range.start()));
        let at_statement = place.is_some_and(|line| (first..=last).contains(&line));
        let statements: usize = shaders.iter().map(|shader| shader.statements.len()).sum();
        let understood = statements == shader.statements.len();
        if found.len() != 1 || !at_statement || !understood {
            let said: Vec<String> = found.iter().map(|error| describe(&broken, error)).collect();
            let line = lines.line_range(first).map(|range| &broken[range]);
            wrong.push(format!("{name} in {} line {}: {line:?} {said:?}", program.name, first + 1));
        }
        counts[kind] += 1;
        done += 1;
    }
    eprintln!("{done} mutations: {counts:?}, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
