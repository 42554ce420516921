//! Temporaries that are declared `LOCAL`: they need not keep their value from
//! one subroutine to another.
//!
//! Facts: "Declaration" of the Gallium documentation of 2020.

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, TextRange};

use super::context::Context;
use crate::ast::{IndexRange, Unread};
use crate::codes;
use crate::opcodes::{Control, OpInfo};
use crate::report::Report;
use crate::words::File;

/// The most registers that are followed; drivers have far fewer.
const MOST_REGISTERS: u32 = 4096;

/// Checks reads of what another part of the program wrote. Parts are the program
/// itself and each subroutine.
pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    let locals = locals(context);
    let begins = |(_, op): &(&crate::ast::Instruction, &OpInfo)| op.control == Control::Subroutine;
    let unknown = context.gaps.steer || context.gaps.statements().any(Unread::writes_unknown);
    if unknown || locals.is_empty() || !context.instructions.iter().any(begins) {
        return;
    }
    let mut written: FxHashSet<(u32, usize)> = FxHashSet::default();
    let mut anywhere: FxHashMap<u32, TextRange> = FxHashMap::default();
    let mut read: Vec<(u32, usize, TextRange)> = Vec::new();
    let (mut part, mut parts) = (0, 0);
    for (instruction, op) in &context.instructions {
        if op.control == Control::Subroutine {
            parts += 1;
            part = parts;
        } else if op.control == Control::EndSubroutine {
            part = 0;
        }
        for source in &instruction.sources {
            if let Some(number) = source.register.temporary().filter(|it| locals.contains(it)) {
                read.push((number, part, source.range));
            }
        }
        for destination in &instruction.destinations {
            let register = &destination.register;
            // A computed number may be any.
            if register.file == File::Temporary && register.index.indirect.is_some() {
                return;
            }
            if let Some(number) = register.temporary().filter(|it| locals.contains(it)) {
                written.insert((number, part));
                anywhere.entry(number).or_insert(destination.range);
            }
        }
    }
    let mut reported = FxHashSet::default();
    for (number, part, range) in read {
        let Some(place) = anywhere.get(&number) else { continue };
        if written.contains(&(number, part)) || !reported.insert((number, part)) {
            continue;
        }
        report.push(|| {
            let message = format!(
                "`TEMP[{number}]` is declared LOCAL and written in another subroutine: its value \
                 may be lost on the way"
            );
            Diagnostic::warning(codes::LOCAL_REGISTER, range, message)
                .with_related(*place, "it is written here")
        });
    }
}

fn locals(context: &Context<'_>) -> FxHashSet<u32> {
    let mut locals = FxHashSet::default();
    let mut entered: u32 = 0;
    for declaration in context.declared(File::Temporary).filter(|it| it.local) {
        let IndexRange { first, last } = declaration.range.value;
        entered = entered.saturating_add(last.saturating_sub(first)).saturating_add(1);
        if entered > MOST_REGISTERS {
            return FxHashSet::default();
        }
        locals.extend(first..=last);
    }
    locals
}
