//! Order between writes and what comes after them: outputs that a second `EMIT` sends once
//! more, and shared memory that is read before other threads are waited for.
//!
//! Facts: "Geometry ISA" and "Inter-thread synchronization opcodes" of the Gallium documentation
//! of 2020; GLSL specification, `EmitVertex` and shared variables.

use rustc_hash::FxHashSet;
use source::{Diagnostic, TextRange};

use super::context::Context;
use crate::ast::{
    Component, Counts, Declaration, IndexRange, Instruction, Register, Source, Unread,
};
use crate::codes;
use crate::opcodes::{Control, Family, Opcode};
use crate::report::Report;
use crate::words::{File, MemoryKind, PropertyName, Stage};

/// The most outputs and stores that are followed; shaders have fewer.
const MOST: usize = 256;

/// The most memories that are searched for each access; drivers have one.
const MOST_MEMORIES: usize = 16;

/// Reports outputs that one vertex has and the next, in the same straight line, has not written
/// again.
pub(super) fn check_emitted(context: &Context<'_>, report: &mut Report) {
    if context.stage.value != Stage::Geometry {
        return;
    }
    // The outputs of the vertex before, and of this one, where they are known.
    let mut before: Option<(TextRange, FxHashSet<u32>)> = None;
    let mut now = Some(FxHashSet::default());
    for (number, (instruction, row)) in context.instructions.iter().enumerate() {
        if row.path() != Control::Next || now.as_ref().is_some_and(|it| it.len() > MOST) {
            before = None;
            now = Some(FxHashSet::default());
        }
        // One that has two operands does not emit.
        let emits = |it: &Unread| it.counts == Counts::Perhaps || it.declares.is_some();
        if context.gaps.at(number).any(|it| emits(it) || it.writes.may_be_of(File::Output)) {
            before = None;
            now = None;
        }
        for destination in &instruction.destinations {
            let register = &destination.register;
            if register.file != File::Output {
                continue;
            }
            match register.number() {
                Some(number) => now.iter_mut().for_each(|now| {
                    now.insert(number);
                }),
                None => before = None,
            }
        }
        if row.opcode != Opcode::EMIT {
            continue;
        }
        let written = now.replace(FxHashSet::default());
        // Each stream has outputs of its own.
        let Some(written) = written.filter(|_| is_first_stream(context, instruction)) else {
            before = None;
            continue;
        };
        if let Some((first, all)) = &before
            && let Some(missing) = all.iter().filter(|number| !written.contains(number)).min()
        {
            report.push(|| {
                let message = format!(
                    "`OUT[{missing}]` was written for the vertex before and not for this one: \
                     after `EMIT` outputs are undefined"
                );
                Diagnostic::hint(codes::STALE_OUTPUT, instruction.opcode.range, message)
                    .with_related(*first, "the vertex before")
            });
        }
        before = Some((instruction.opcode.range, written));
    }
}

fn is_first_stream(context: &Context<'_>, emit: &Instruction) -> bool {
    let Some(source) = emit.sources.first() else { return true };
    let immediate = source.register.immediate(&context.immediates);
    immediate.is_some_and(|it| it.bits[source.swizzle.0[0] as usize] == 0)
}

/// A place of shared memory as an instruction names it: the memory, and the register and
/// component of the address.
type Address = (Option<u32>, File, Option<u32>, Component);

fn address(memory: &Register, source: &Source) -> Address {
    let register = &source.register;
    (memory.number(), register.file, register.number(), source.swizzle.0[0])
}

/// Reports loads of shared memory behind a store, in the same straight line, to another place of
/// it with no `BARRIER` between.
pub(super) fn check_shared(context: &Context<'_>, report: &mut Report) {
    let is_shared = |declared: &&Declaration| {
        declared.memory.is_some_and(|kind| kind.value == MemoryKind::Shared)
    };
    let memories = context.declared(File::Memory).filter(is_shared).take(MOST_MEMORIES);
    let memories: Vec<IndexRange> = memories.map(|declared| declared.range.value).collect();
    let shared = |register: &Register| {
        let number = register.number().filter(|_| register.file == File::Memory);
        number.is_some_and(|number| memories.iter().any(|range| range.contains(number)))
    };
    let sizes = [PropertyName::BlockWidth, PropertyName::BlockHeight, PropertyName::BlockDepth];
    let alone = sizes.iter().all(|size| context.number(*size).is_some_and(|(it, _)| it == 1));
    if memories.is_empty() || alone || context.gaps.hide_properties() {
        return;
    }
    let mut stores: Vec<(Address, TextRange)> = Vec::new();
    // Set where a store, a barrier or another address may have been missed.
    let mut unsure = false;
    for (number, (instruction, row)) in context.instructions.iter().enumerate() {
        let waits = matches!(row.opcode, Opcode::BARRIER | Opcode::MEMBAR);
        // Behind a branch a thread may know that it reads what it wrote.
        if waits || row.path() != Control::Next {
            stores.clear();
            unsure = false;
        }
        let opcode = instruction.opcode.range;
        unsure |= context.gaps.at(number).any(|unread| {
            // What only lacks operands waits for nobody; to write an address says nothing either.
            let known = unread.range.contains_range(opcode) && row.family != Family::Store;
            // Nor does it wait if it has two operands, as no barrier has.
            let stores = unread.writes.may_be_of(File::Memory);
            unread.writes_unknown() && !known && (stores || unread.counts != Counts::One)
        });
        if unsure {
            continue;
        }
        match (row.family, instruction.sources.as_slice()) {
            (Family::Store, [place, ..]) => {
                let memory = instruction.destinations.first().map(|it| it.register);
                let memory = memory.filter(|memory| shared(memory) && stores.len() < MOST);
                if let Some(memory) = memory {
                    stores.push((address(&memory, place), instruction.opcode.range));
                }
            }
            (Family::Access, [memory, place, ..])
                if row.opcode == Opcode::LOAD && shared(&memory.register) =>
            {
                let here = address(&memory.register, place);
                let same = |known: &&(Address, TextRange)| known.0.0 == here.0;
                let own = stores.iter().any(|(store, _)| *store == here);
                let Some((_, store)) = stores.iter().find(same).filter(|_| !own) else { continue };
                report.push(|| {
                    let message = "another thread may not have written this yet: a `BARRIER` \
                                   is needed between the store and this load";
                    Diagnostic::hint(codes::MISSING_BARRIER, instruction.opcode.range, message)
                        .with_related(*store, "the store")
                });
                stores.clear();
            }
            _ => {}
        }
        // What addresses a store named is another place once its register changes.
        for destination in &instruction.destinations {
            let written = &destination.register;
            for ((_, file, number, component), _) in &mut stores {
                let hit = *file == written.file && *number == written.number();
                if hit && destination.mask.contains(*component) {
                    *file = File::Null;
                }
            }
        }
    }
}
