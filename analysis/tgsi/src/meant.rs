//! Statements that stand in for broken ones: what each must have been meant as, where its text
//! leaves only one.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use source::{Diagnostic, Related, TextRange};

use crate::ast::{
    Counts, Declaration, Immediate, Instruction, Property, Register, Shader, StatementKind, Unread,
};
use crate::print;

/// Statements that a diagnostic names, at most, of those that stand in for broken ones.
const NAMED: usize = 4;

impl Shader {
    /// The shader with the statements that broken ones must have been meant as in their places.
    pub(crate) fn as_meant(&self) -> Cow<'_, Shader> {
        if self.unread.iter().all(|unread| unread.meant.is_none()) {
            return Cow::Borrowed(self);
        }
        let mut shader = self.clone();
        for unread in &mut shader.unread {
            let Some(meant) = &unread.meant else { continue };
            // Now it is there.
            unread.counts = Counts::None;
            let start = unread.range.start();
            let place = self.statements.partition_point(|it| it.range.start() < start);
            if let Some(statement) = shader.statements.get_mut(place) {
                statement.kind = (**meant).clone();
                statement.broken = false;
            }
        }
        let instructions = shader.statements.iter_mut().filter_map(|it| match &mut it.kind {
            StatementKind::Instruction(instruction) => Some(instruction),
            _ => None,
        });
        for (ordinal, instruction) in (1..).zip(instructions) {
            instruction.ordinal = ordinal;
        }
        Cow::Owned(shader)
    }

    /// The shader in which no broken statement is taken for what it may have been meant as.
    pub(crate) fn without_readings(&self) -> Shader {
        let mut shader = self.clone();
        shader.unread.iter_mut().for_each(|unread| unread.meant = None);
        shader
    }

    /// Says of each diagnostic that is not among the certain ones which readings it rests on.
    pub(crate) fn tell_readings(&self, certain: &[Diagnostic], diagnostics: &mut [Diagnostic]) {
        let identity = |it: &Diagnostic| (it.code, it.range, it.message.clone());
        let certain: FxHashSet<_> = certain.iter().map(identity).collect();
        let read = |unread: &Unread| {
            let kind = unread.meant.as_deref()?;
            let message = format!("holds if this line is meant as `{}`", print::kind(kind));
            Some(Related { range: unread.range, message })
        };
        let notes: Vec<Related> = self.unread.iter().filter_map(read).take(NAMED).collect();
        for diagnostic in diagnostics.iter_mut().filter(|it| !certain.contains(&identity(it))) {
            diagnostic.related.extend(notes.iter().cloned());
        }
    }

    /// Takes out what would be told of statements that stand in for broken ones: those have their
    /// errors. Nor does a fix edit them.
    pub(crate) fn without_stand_ins(&self, diagnostics: &mut Vec<Diagnostic>) {
        let stand_ins = self.unread.iter().filter(|unread| unread.meant.is_some());
        let ranges: Vec<TextRange> = stand_ins.map(|unread| unread.range).collect();
        if ranges.is_empty() {
            return;
        }
        let touched = |range: TextRange| {
            let place = ranges.partition_point(|it| it.end() < range.start());
            ranges.get(place).filter(|it| it.start() <= range.end())
        };
        diagnostics.retain_mut(|diagnostic| {
            let own = diagnostic.range;
            diagnostic.fixes.retain(|fix| fix.edits.iter().all(|it| touched(it.range).is_none()));
            touched(own).is_none_or(|range| !range.contains_range(own))
        });
    }
}

/// A statement with all its parts in one place.
pub(crate) fn placed(mut kind: StatementKind, range: TextRange) -> StatementKind {
    match &mut kind {
        StatementKind::Declaration(declaration) => place_declaration(declaration, range),
        StatementKind::Immediate(immediate) => place_immediate(immediate, range),
        StatementKind::Property(property) => place_property(property, range),
        StatementKind::Instruction(instruction) => place_instruction(instruction, range),
        StatementKind::Unknown => {}
    }
    kind
}

fn place_declaration(declaration: &mut Declaration, range: TextRange) {
    declaration.file.range = range;
    declaration.range.range = range;
    declaration.dimension.iter_mut().flatten().for_each(|it| it.range = range);
    declaration.mask.iter_mut().for_each(|it| it.range = range);
    declaration.array.iter_mut().for_each(|it| it.range = range);
    declaration.semantic.iter_mut().for_each(|it| it.range = range);
    declaration.interpolation.iter_mut().for_each(|it| it.range = range);
    declaration.location.iter_mut().for_each(|it| it.range = range);
    declaration.streams.iter_mut().for_each(|it| it.range = range);
    declaration.memory.iter_mut().for_each(|it| it.range = range);
    declaration.sampler_view.iter_mut().for_each(|it| it.target.range = range);
    if let Some(image) = &mut declaration.image {
        image.target.range = range;
        image.format.iter_mut().for_each(|it| it.range = range);
    }
}

fn place_immediate(immediate: &mut Immediate, range: TextRange) {
    immediate.index.iter_mut().for_each(|it| it.range = range);
    immediate.ty.range = range;
    immediate.values.iter_mut().for_each(|it| *it = range);
}

fn place_property(property: &mut Property, range: TextRange) {
    property.name.iter_mut().for_each(|it| it.range = range);
    property.value.iter_mut().for_each(|it| it.range = range);
}

fn place_instruction(instruction: &mut Instruction, range: TextRange) {
    let place = |register: &mut Register| register.range = range;
    instruction.opcode.range = range;
    instruction.number.iter_mut().for_each(|it| it.range = range);
    instruction.target.iter_mut().for_each(|it| it.range = range);
    instruction.format.iter_mut().for_each(|it| it.range = range);
    instruction.label.iter_mut().for_each(|it| it.range = range);
    instruction.qualifiers.iter_mut().for_each(|it| it.range = range);
    instruction.historic.iter_mut().for_each(|it| it.range = range);
    if let Some(predicate) = &mut instruction.predicate {
        predicate.range = range;
        place(&mut predicate.register);
    }
    for destination in &mut instruction.destinations {
        destination.range = range;
        place(&mut destination.register);
    }
    for source in &mut instruction.sources {
        source.range = range;
        place(&mut source.register);
    }
    for offset in &mut instruction.offsets {
        offset.range = range;
        place(&mut offset.register);
    }
}

#[cfg(test)]
mod tests {
    use source::no_checkpoint;

    use crate::parser::parse;

    const HEAD: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n";

    /// The codes of what is found beside broken statements, each with what it rests on.
    fn told(body: &str) -> Vec<String> {
        let shader = parse(&[HEAD, body].concat(), &no_checkpoint).shader.expect("a header");
        let found = crate::validate(&shader, &no_checkpoint);
        let note = |it: source::Diagnostic| match it.related.last() {
            Some(related) => format!("{}, {}", it.code.0, related.message),
            None => it.code.0.to_owned(),
        };
        found.into_iter().map(note).collect()
    }

    #[test]
    fn what_rests_on_a_reading_says_so() {
        let sound = ["tgsi::unused-declaration", "tgsi::undeclared-register"];
        let body = "DCL TEMP[0..1]\nADD TEMP[0], IN[0], TEMP[5]\nMOV OUT[0], TEMP[0]\nEND\n";
        assert_eq!(told(body), sound);
        // The sampler is used by no reading, and the register is declared by some.
        let note = "tgsi::undeclared-register, holds if this line is meant as `DCL TEMP[0..1]`";
        assert_eq!(told(&body.replace("DCL", "DCLL")), [sound[0], note]);
    }

    #[test]
    fn a_number_tells_how_many_instructions_its_line_has() {
        let sound = ["tgsi::unused-declaration", "tgsi::wrong-label"];
        let body = "0: IF IN[0].xxxx :7\n1: MOV OUT[0], IN[0]\n2: ENDIF\n3: END\n";
        assert_eq!(told(body), sound);
        for broken in ["1: QQXZ  MOV OUT[0], IN[0]", "1: %s  MOV OUT[0], IN[0]"] {
            let body = body.replace("1: MOV OUT[0], IN[0]", broken);
            assert_eq!(told(&body), sound, "{broken}");
        }
    }

    #[test]
    fn of_several_readings_those_with_declared_registers_count() {
        let body = "DCL TEMP[12]\nDCL TEMP[90]\nMOV TEMP[12], IN[0]\nMOV OUT[0], TEMP[12]\nEND\n";
        let sound = ["tgsi::unused-declaration", "tgsi::unused-declaration"];
        assert_eq!(told(body), sound);
        assert_eq!(told(&body.replace("MOV TEMP[12]", "MOV TEMP[x2]")), sound);
    }
}
