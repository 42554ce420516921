//! Declarations that no instruction names, and outputs that none writes.

use rustc_hash::FxHashSet;
use source::{Diagnostic, Tag};

use super::context::Context;
use crate::ast::{Declaration, Index, Register};
use crate::codes;
use crate::opcodes::Family;
use crate::report::Report;
use crate::words::{File, PropertyName, Stage};

/// The last register number that the token format can hold.
const LAST: u32 = 0xffff;

/// The registers that instructions name.
#[derive(Default)]
pub(super) struct Used {
    /// A bit for each number of each file.
    numbers: [Vec<u64>; File::ALL.len()],
    /// Arrays of which a computed number is named.
    arrays: FxHashSet<(File, u32)>,
    /// Files of which any register may be meant, one bit each.
    anywhere: u32,
}

impl Used {
    pub(super) fn register(&mut self, register: &Register) {
        self.index(register.file, register.index);
        for index in [Some(register.index), register.dimension].into_iter().flatten() {
            if let Some(indirect) = index.indirect {
                self.number(indirect.file, indirect.index);
            }
        }
    }

    fn number(&mut self, file: File, number: u32) {
        let number = number.min(LAST) as usize;
        let words = &mut self.numbers[file as usize];
        if words.len() <= number / 64 {
            words.resize(number / 64 + 1, 0);
        }
        words[number / 64] |= 1 << (number % 64);
    }

    fn index(&mut self, file: File, index: Index) {
        match (index.indirect, u32::try_from(index.offset)) {
            (None, Ok(number)) => self.number(file, number),
            (None, Err(_)) => {}
            (Some(indirect), _) => match indirect.array.filter(|array| *array != 0) {
                Some(array) => {
                    self.arrays.insert((file, array));
                }
                None => self.anywhere |= 1 << file as u32,
            },
        }
    }

    pub(super) fn has(&self, declaration: &Declaration) -> bool {
        let file = declaration.file.value;
        let range = declaration.range.value;
        let in_array =
            declaration.array.is_some_and(|array| self.arrays.contains(&(file, array.value)));
        in_array || self.anywhere & 1 << file as u32 != 0 || {
            let (first, last) = (range.first.min(LAST) as usize, range.last.min(LAST) as usize);
            let words = self.numbers[file as usize].iter().enumerate();
            words.take(last / 64 + 1).skip(first / 64).any(|(word, bits)| {
                let low = if word == first / 64 { first % 64 } else { 0 };
                let high = if word == last / 64 { last % 64 } else { 63 };
                bits & (u64::MAX << low) & (u64::MAX >> (63 - high)) != 0
            })
        }
    }
}

/// Reports what is declared for nothing.
pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    // A text without instructions is a list of declarations.
    if context.instructions.is_empty() {
        return;
    }
    let mut used = Used::default();
    let mut written = Used::default();
    let mut classic = false;
    for (instruction, row) in &context.instructions {
        classic |= row.family == Family::Texture;
        for destination in &instruction.destinations {
            used.register(&destination.register);
            if destination.register.file == File::Output {
                written.register(&destination.register);
            }
        }
        let sources = instruction.sources.iter().map(|source| &source.register);
        let offsets = instruction.offsets.iter().map(|offset| &offset.register);
        sources.chain(offsets).for_each(|register| used.register(register));
        if let Some(predicate) = &instruction.predicate {
            used.register(&predicate.register);
        }
    }
    for (statement, declaration) in &context.declarations {
        let file = declaration.file.value;
        if file == File::Output {
            if !written.has(declaration) && !is_fetched(context, &used, declaration) {
                let message = "nothing writes this output";
                report.hint(codes::UNWRITTEN_OUTPUT, declaration.file.range, || message);
            }
            continue;
        }
        // The TEX opcodes use a view by the number of its sampler.
        let by_sampler = file == File::SamplerView && classic;
        if !is_judged(file) || by_sampler || used.has(declaration) {
            continue;
        }
        report.push(|| {
            let message = format!("nothing uses this {file}");
            let diagnostic = Diagnostic::hint(codes::UNUSED_DECLARATION, statement.range, message)
                .with_tag(Tag::Unnecessary);
            match file {
                File::Temporary | File::Address => {
                    diagnostic.with_fix("Remove the declaration", statement.range, "")
                }
                // Others keep the places of what an application binds.
                _ => diagnostic,
            }
        });
    }
}

/// Tells whether a fragment shader reads this output from the frame buffer.
fn is_fetched(context: &Context<'_>, used: &Used, declaration: &Declaration) -> bool {
    let advanced = context.property(PropertyName::BlendEquationAdvanced).is_some();
    context.stage.value == Stage::Fragment && (advanced || used.has(declaration))
}

/// Files whose registers serve nothing but to be named by instructions.
fn is_judged(file: File) -> bool {
    matches!(
        file,
        File::Temporary
            | File::Address
            | File::Sampler
            | File::SamplerView
            | File::SystemValue
            | File::Image
            | File::Buffer
            | File::Memory
            | File::Input
            | File::Constant
    )
}
