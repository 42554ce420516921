//! An instruction as it stands here: the formula of its opcode's row with the
//! actual operands, masks, swizzles, modifiers and the values of immediates.
//!
//! The formulas are text for people, so this file does not parse them as
//! expressions: it finds the operands in them (`src0.c`, `dst.xy`) and leaves
//! the rest as it is. The same walk tells which components are read, so that
//! liveness in highlights and hovers comes from the table too. A formula that
//! names an operand which is not there, or a row of a matrix, gives nothing.

mod values;

use crate::ast::{
    Component, Declaration, Indirect, Instruction, Register, Source, Swizzle, WriteMask,
};
use crate::coordinates::Coordinates;
use crate::opcodes::ValueType;
use crate::print;
use crate::words::{File, TextureTarget};

use super::declared::Declared;
use values::values;

/// An instruction with its operands spelled out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpandedFormula {
    /// The steps of its computation, one after the other, such as `OUT[0].xy = TEMP[0].xy ×
    /// CONST[3].xx + (0.5, 0.5)`. Empty where the formula says nothing of operands.
    pub steps: Vec<String>,
    /// For each source which components of its register are read.
    pub reads: Vec<WriteMask>,
    /// For each source whether it is written as well, as atomics do.
    pub source_written: Vec<bool>,
}

/// Spells out an instruction; `None` where the formula does not fit what is written.
pub fn expand(declared: &Declared<'_>, instruction: &Instruction) -> Option<ExpandedFormula> {
    let row = instruction.info();
    let target = target(declared, instruction);
    let formula = for_target(row.formula, target);
    let mask = written(instruction);
    let count = instruction.sources.len();
    let mut expanded = ExpandedFormula {
        steps: Vec::new(),
        reads: vec![WriteMask(0); count],
        source_written: vec![false; count],
    };
    let mut any_operand = false;
    for step in formula.split("; ") {
        let mut speller = Speller {
            declared,
            instruction,
            coordinates: target.map(Coordinates::of),
            kept: mask,
            left: None,
            any_operand: false,
            expanded: &mut expanded,
        };
        let spelled = speller.step(step)?;
        any_operand |= speller.any_operand;
        expanded.steps.extend(spelled);
    }
    // The formula knows nothing of what historic forms add.
    if !any_operand || !instruction.historic.is_empty() {
        expanded.steps.clear();
    }
    Some(expanded)
}

/// The components that the first destination writes; all without one.
fn written(instruction: &Instruction) -> WriteMask {
    instruction.destinations.first().map_or(WriteMask::ALL, |destination| destination.mask)
}

/// The shape that an instruction looks up: its own, else that of the view or
/// image that it names.
fn target(declared: &Declared<'_>, instruction: &Instruction) -> Option<TextureTarget> {
    let registers = instruction.sources.iter().map(|source| source.register);
    let registers = registers.chain(instruction.destinations.iter().map(|it| it.register));
    let declared = registers.filter_map(|register| {
        declared.covering(register.file, u32::try_from(register.index.offset).ok()?)
    });
    let of_declaration = |declaration: &Declaration| {
        let image = declaration.image.as_ref().map(|image| image.target.value);
        image.or(declaration.sampler_view.map(|view| view.target.value))
    };
    let own = instruction.target.map(|target| target.value);
    own.or_else(|| declared.filter_map(of_declaration).next())
}

/// A formula with what depends on the texture's shape decided.
fn for_target(formula: &str, target: Option<TextureTarget>) -> String {
    const REFERENCE: &str = ", reference src0.z or src0.w";
    let Some(coordinates) = target.map(Coordinates::of) else { return formula.to_owned() };
    let reference = match coordinates.reference {
        Some(component) => format!(", reference src0.{}", component.letter()),
        None => String::new(),
    };
    let mut formula = formula.replace(REFERENCE, &reference);
    if !formula.contains("reference") && formula.contains("(sampler ") && !reference.is_empty() {
        formula = formula.replacen(')', &format!("{reference})"), 1);
    }
    let level = if coordinates.samples { "sample" } else { "level" };
    formula.replace("level or sample", level)
}

/// The name of an operand of a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    Destination(usize),
    Source(usize),
}

/// An operand within a formula.
struct Term<'a> {
    operand: Operand,
    /// The letters after the dot; empty without.
    letters: &'a str,
    /// Its end in the step.
    end: usize,
}

/// Reads the operand that begins here, if one does.
fn term(step: &str, at: usize) -> Option<Term<'_>> {
    let before = step[..at].bytes().next_back();
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let rest = &step[at..];
    let (destination, name) = match (rest.strip_prefix("dst"), rest.strip_prefix("src")) {
        (Some(name), _) => (true, name),
        (_, Some(name)) => (false, name),
        _ => return None,
    };
    let digit = name.bytes().next().filter(u8::is_ascii_digit);
    let number = digit.map_or(0, |digit| usize::from(digit - b'0'));
    if digit.is_none() && !destination {
        return None;
    }
    let mut end = at + 3 + usize::from(digit.is_some());
    let mut letters = "";
    if let Some(tail) = step[end..].strip_prefix('.') {
        let length = tail.bytes().take_while(|byte| b"xyzwc".contains(byte)).count();
        letters = &tail[..length];
        end += if length > 0 { length + 1 } else { 0 };
    }
    let operand = if destination { Operand::Destination(number) } else { Operand::Source(number) };
    Some(Term { operand, letters, end })
}

struct Speller<'a> {
    declared: &'a Declared<'a>,
    instruction: &'a Instruction,
    coordinates: Option<Coordinates>,
    /// The components that this step writes.
    kept: WriteMask,
    /// The letters on the left side as the formula has them.
    left: Option<String>,
    any_operand: bool,
    expanded: &'a mut ExpandedFormula,
}

impl Speller<'_> {
    /// Spells out a step: `Some(None)` where nothing that it writes is wanted,
    /// `None` where it names what is not there.
    fn step(&mut self, step: &str) -> Option<Option<String>> {
        let first = term(step, 0);
        let assigns = step.contains(" = ");
        if let Some(Term { operand: Operand::Destination(number), letters, end }) = &first
            && assigns
            && !step[*end..].starts_with('[')
        {
            let mask = self.instruction.destinations.get(*number)?.mask;
            self.kept = kept(letters, mask, self.wide(*number));
            self.left = Some((*letters).to_owned());
            if self.kept.0 == 0 {
                return Some(None);
            }
        }
        let mut out = String::new();
        let mut at = 0;
        let mut value_start = 0;
        while at < step.len() {
            if let Some(found) = term(step, at) {
                let written = assigns && at == 0;
                self.operand(&mut out, step, at, &found, written)?;
                at = found.end;
                continue;
            }
            let letter = step[at..].chars().next()?;
            if value_start == 0 && step[at..].starts_with("= ") && step[..at].ends_with(' ') {
                value_start = out.len() + 2;
            }
            out.push(if letter == '*' { '×' } else { letter });
            at += letter.len_utf8();
        }
        if self.instruction.saturate && self.left.is_some() && value_start > 0 {
            let value = out.split_off(value_start);
            out.push_str(&format!("clamp({value}, 0.0, 1.0)"));
        }
        Some(Some(out))
    }

    fn wide(&self, destination: usize) -> bool {
        let types = &self.instruction.info().destination_types;
        types.get(destination).is_some_and(|ty| ty.is_wide())
    }

    /// Writes an operand of the formula that begins at `at`.
    fn operand(
        &mut self,
        out: &mut String,
        step: &str,
        at: usize,
        term: &Term<'_>,
        written: bool,
    ) -> Option<()> {
        self.any_operand = true;
        let indexed = step[term.end..].starts_with('[');
        match term.operand {
            Operand::Destination(number) => {
                let destination = self.instruction.destinations.get(number)?;
                let name = register(&destination.register);
                let components: Vec<Component> = match term.letters {
                    _ if indexed => Vec::new(),
                    "" | "c" => self.kept.components().collect(),
                    _ if written => self.kept.components().collect(),
                    letters => letters.chars().filter_map(Component::from_letter).collect(),
                };
                out.push_str(&name);
                push_swizzle(out, &components);
            }
            Operand::Source(number) => {
                let source = *self.instruction.sources.get(number)?;
                if indexed && step[term.end + 1..].starts_with(|next: char| next.is_ascii_digit()) {
                    return None; // A row of a matrix.
                }
                if written
                    && indexed
                    && let Some(entry) = self.expanded.source_written.get_mut(number)
                {
                    *entry = true;
                }
                let positions = self.positions(step, at, term, &source);
                self.source(out, number, &source, positions.as_deref());
            }
        }
        Some(())
    }

    /// Returns which positions of a source the formula takes here; `None` where it is a resource as
    /// a whole.
    fn positions(
        &self,
        step: &str,
        at: usize,
        term: &Term<'_>,
        source: &Source,
    ) -> Option<Vec<Component>> {
        const RESOURCES: [&str; 5] = ["sampler ", "view ", "image ", "resource ", "output "];
        let before = &step[..at];
        let follows = |word: &str| before.ends_with(word);
        if term.letters.is_empty()
            && (step[term.end..].starts_with('[')
                || RESOURCES.iter().any(|word| follows(word))
                || source.register.file.is_name()
                || source.register.file == File::Resource)
        {
            return None;
        }
        let first = |count: usize| Component::ALL[..count.min(4)].to_vec();
        let place = self.coordinates.map_or(4, |coordinates| coordinates.place);
        let letters = term.letters.chars().filter_map(Component::from_letter);
        Some(match term.letters {
            "c" => self.kept.components().collect(),
            "" if follows("coordinates ") => first(place),
            "" if follows("d/dx ") || follows("d/dy ") => {
                first(self.coordinates.map_or(4, |coordinates| coordinates.position))
            }
            "" if follows("[") => first(if self.addresses_texels() { place } else { 1 }),
            "" if follows("dot3(") || before.contains("dot3(") => first(3),
            "" if step.starts_with("dst[") => written(self.instruction).components().collect(),
            "" => first(4),
            _ if follows("coordinates ") => {
                let count = self.coordinates.map_or(4, |it| it.place).min(term.letters.len());
                letters.take(count).collect()
            }
            // `dst.xyz = src0.xyz`: position by position, but for pairs.
            same if self.left.as_deref() == Some(same) && !self.wide(0) => {
                letters.filter(|component| self.kept.contains(*component)).collect()
            }
            _ => letters.collect(),
        })
    }

    /// Tells whether the memory that the instruction names is an image, whose addresses are
    /// coordinates.
    fn addresses_texels(&self) -> bool {
        let mut registers = self.instruction.registers();
        registers.any(|register| matches!(register.file, File::Image | File::Resource))
    }

    /// Writes a source with its modifiers, at these positions.
    fn source(
        &mut self,
        out: &mut String,
        number: usize,
        source: &Source,
        positions: Option<&[Component]>,
    ) {
        let components: Vec<Component> = match positions {
            Some(positions) => {
                positions.iter().map(|position| source.swizzle.0[*position as usize]).collect()
            }
            None => Vec::new(),
        };
        if let Some(read) = self.expanded.reads.get_mut(number) {
            let named: WriteMask = components.iter().copied().collect();
            read.0 |= if positions.is_none() { WriteMask::ALL.0 } else { named.0 };
        }
        let types = &self.instruction.info().source_types;
        let ty = types.get(number).copied().unwrap_or(ValueType::Untyped);
        let mut text = match self.declared.immediate(&source.register) {
            Some(immediate) if positions.is_some() => values(immediate, ty, &components),
            _ => {
                let mut text = register(&source.register);
                push_swizzle(&mut text, &components);
                text
            }
        };
        if source.absolute {
            text = format!("|{text}|");
        }
        if source.negate {
            text = match text.strip_prefix('-') {
                Some(positive) => positive.to_owned(),
                None => format!("-{text}"),
            };
        }
        push_signed(out, &text);
    }
}

/// Appends a term, and joins its sign with the operator before it.
fn push_signed(out: &mut String, text: &str) {
    let Some(positive) = text.strip_prefix('-') else {
        out.push_str(text);
        return;
    };
    if out.ends_with(" + ") {
        out.truncate(out.len() - 2);
        out.push_str("- ");
        out.push_str(positive);
    } else if out.ends_with(" - ") {
        out.truncate(out.len() - 2);
        out.push_str("+ ");
        out.push_str(positive);
    } else if out.ends_with(['-', '^', '~']) || out.ends_with("× ") || out.ends_with("/ ") {
        out.push('(');
        out.push_str(text);
        out.push(')');
    } else {
        out.push_str(text);
    }
}

/// The components of the mask that a step of the formula writes. Values of 64
/// bits are written in pairs.
fn kept(letters: &str, mask: WriteMask, wide: bool) -> WriteMask {
    if letters.is_empty() || letters == "c" {
        return mask;
    }
    let named: WriteMask = letters.chars().filter_map(Component::from_letter).collect();
    let both = WriteMask(named.0 & mask.0);
    if wide && both.0 != 0 { named } else { both }
}

/// `.xyz`; nothing for a whole register in order, or where there is nothing.
fn push_swizzle(out: &mut String, components: &[Component]) {
    if components.is_empty() || components == Swizzle::IDENTITY.0 {
        return;
    }
    out.push('.');
    out.extend(components.iter().map(|component| component.letter()));
}

/// A register as it is written, without mask, swizzle and array numbers.
pub fn register(register: &Register) -> String {
    let mut register = *register;
    for index in register.dimension.iter_mut().chain([&mut register.index]) {
        index.indirect = index.indirect.map(|base| Indirect { array: None, ..base });
    }
    print::register(&register)
}
