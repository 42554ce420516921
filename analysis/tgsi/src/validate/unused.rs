//! Declarations that no instruction names, and outputs that none writes.

use rustc_hash::FxHashSet;
use source::{Diagnostic, Tag};

use super::context::Context;
use super::operands::files;
use crate::ast::{Counts, Declaration, Index, IndexRange, Numbers, Register};
use crate::codes;
use crate::opcodes::Family;
use crate::register_set::RegisterSet;
use crate::report::Report;
use crate::words::{File, PropertyName, Stage};

/// The registers that instructions name.
#[derive(Default)]
pub(super) struct Used {
    /// The numbers of each file.
    numbers: [RegisterSet; File::ALL.len()],
    /// Arrays of which a computed number is named.
    arrays: FxHashSet<(File, u32)>,
    /// Files of which any register may be meant, one bit each.
    anywhere: u32,
}

impl Used {
    /// The registers that all instructions of a shader name.
    fn of(context: &Context<'_>) -> Used {
        let operands = &context.operands;
        let mut used = Used { numbers: operands.named.clone(), ..Used::default() };
        operands.odd(&context.instructions).for_each(|register| used.register(register));
        if operands.predicates {
            let predicates =
                context.instructions.iter().filter_map(|(it, _)| it.predicate.as_ref());
            predicates.for_each(|predicate| used.register(&predicate.register));
        }
        used
    }

    pub(super) fn register(&mut self, register: &Register) {
        if !register.is_computed() {
            if let Some(number) = register.number() {
                self.number(register.file, number);
            }
            return;
        }
        self.index(register.file, register.index);
        for indirect in register.indirects() {
            self.number(indirect.file, indirect.index);
        }
    }

    /// Takes registers that a broken statement may name.
    fn numbers(&mut self, numbers: &Numbers) {
        self.anywhere |= numbers.files;
        for named in &numbers.known {
            for file in File::ALL.iter().filter(|file| named.may_be(**file)) {
                self.numbers[*file as usize].insert(named.range);
            }
        }
    }

    fn number(&mut self, file: File, number: u32) {
        self.numbers[file as usize].add(number);
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

    /// Tells whether all registers that are named lie below those of a declaration.
    fn is_below(&self, declaration: &Declaration) -> bool {
        let behind = IndexRange { first: declaration.range.value.first, last: u32::MAX };
        !self.numbers[declaration.file.value as usize].intersects(behind)
    }

    pub(super) fn has(&self, declaration: &Declaration) -> bool {
        let file = declaration.file.value;
        if declaration.is_numbered_by_kind() && self.numbers[file as usize].contains(0) {
            return true;
        }
        let in_array =
            declaration.array.is_some_and(|array| self.arrays.contains(&(file, array.value)));
        in_array
            || self.anywhere & 1 << file as u32 != 0
            || self.numbers[file as usize].intersects(declaration.range.value)
    }
}

/// Reports what is declared for nothing.
pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    // A text without instructions is a list of declarations.
    if context.instructions.is_empty() {
        return;
    }
    let used = Used::of(context);
    let mut written = Used::default();
    // What is read from the frame buffer.
    let mut fetched = None;
    // What broken statements may name, beside it.
    let mut perhaps: Option<Used> = None;
    for unread in context.gaps.statements() {
        let perhaps = perhaps.get_or_insert_default();
        perhaps.numbers(&unread.reads);
        perhaps.numbers(&unread.writes);
        if unread.fetches {
            fetched.get_or_insert_with(Used::default).numbers(&unread.reads);
        }
        written.numbers(&unread.writes);
    }
    // A broken opcode may have been one of them.
    let classic = context.has(Family::Texture)
        || context.gaps.statements().any(|unread| unread.counts != Counts::None);
    let fetches = context.has(Family::Framebuffer);
    for ((instruction, row), operands) in context.instructions.iter().zip(&context.operands.glances)
    {
        if fetches && row.family == Family::Framebuffer {
            let fetched = fetched.get_or_insert_default();
            instruction.sources.iter().for_each(|source| fetched.register(&source.register));
        }
        if operands.written & files(&[File::Output]) != 0 {
            let registers = instruction.destinations.iter().map(|it| &it.register);
            registers.filter(|it| it.file == File::Output).for_each(|it| written.register(it));
        }
    }
    // Compilers append temporaries that they may need later.
    let is_printed = context.is_printed();
    for (statement, declaration) in &context.declarations {
        let file = declaration.file.value;
        if file == File::Output {
            if !written.has(declaration) && !is_fetched(context, fetched.as_ref(), declaration) {
                let message = "this output is never written";
                report.hint(codes::UNWRITTEN_OUTPUT, declaration.file.range, || message);
            }
            continue;
        }
        // The TEX opcodes use a view by the number of its sampler.
        let by_sampler = file == File::SamplerView && classic;
        let named = used.has(declaration) || perhaps.as_ref().is_some_and(|it| it.has(declaration));
        if !is_judged(file) || by_sampler || named {
            continue;
        }
        if is_printed && file == File::Temporary && used.is_below(declaration) {
            continue;
        }
        report.push(|| {
            let message = format!("this {file} is never used");
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
fn is_fetched(context: &Context<'_>, fetched: Option<&Used>, declaration: &Declaration) -> bool {
    let advanced = context.property(PropertyName::BlendEquationAdvanced).is_some()
        || context.gaps.hide_properties();
    context.stage.value == Stage::Fragment
        && (advanced || fetched.is_some_and(|fetched| fetched.has(declaration)))
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
