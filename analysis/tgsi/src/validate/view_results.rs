//! Checks of the types that sampler views return against the use of their texels.
//!
//! Only stretches without branches are followed, from the look-up to the next
//! write: elsewhere nothing is certain. Bits of floats are often taken apart with
//! integer opcodes on purpose; floats out of integers are not made that way.
//!
//! Facts: "Declaration Sampler View" of the Gallium documentation of 2020: drivers
//! make other code for integer views. The types of `isa/data/tgsi/opcodes.tsv`.

use rustc_hash::FxHashMap;
use source::{Diagnostic, TextRange};

use super::context::Context;
use super::dataflow::components_read;
use super::resources::Resources;
use super::textures::is_shadow;
use crate::ast::{Instruction, SamplerViewType, Unread};
use crate::codes;
use crate::opcodes::{Control, Family, Flag, Lookup, OpInfo, Opcode, VIEW, ValueType};
use crate::report::Report;
use crate::words::{File, ReturnType};

/// The texel that a component of a temporary was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Texel {
    integer: bool,
    /// The return type's place in the declaration.
    declared: TextRange,
}

/// The components of temporaries that hold texels.
type Held = FxHashMap<u32, [Option<Texel>; 4]>;

/// Checks all instructions.
pub(super) fn check(resources: &Resources<'_>, context: &Context<'_>, report: &mut Report) {
    if !resources.has_views() || context.gaps.steer {
        return;
    }
    let mut held = Held::default();
    for (number, (instruction, row)) in context.instructions.iter().enumerate() {
        if row.path() != Control::Next || context.gaps.at(number).any(Unread::writes_unknown) {
            held.clear();
            continue;
        }
        if row.family == Family::Plain && !held.is_empty() {
            check_sources(&held, instruction, row, report);
        }
        let texels = texels(resources, &held, instruction);
        for destination in &instruction.destinations {
            if destination.register.file != File::Temporary {
                continue;
            }
            let Some(number) = destination.register.temporary() else {
                held.clear();
                continue;
            };
            let known = held.entry(number).or_default();
            for component in destination.mask.components() {
                known[component as usize] = texels[component as usize];
            }
        }
    }
}

/// Returns what an instruction leaves in each component that it writes.
fn texels(resources: &Resources<'_>, held: &Held, instruction: &Instruction) -> [Option<Texel>; 4] {
    let row = instruction.info();
    if row.opcode == Opcode::MOV && !instruction.saturate {
        let Some(source) = instruction.sources.first() else { return [None; 4] };
        let from = source.register.temporary().and_then(|number| held.get(&number));
        let plain = from.filter(|_| !source.negate && !source.absolute);
        return plain.map_or([None; 4], |from| source.swizzle.0.map(|it| from[it as usize]));
    }
    // Queries return sizes and levels.
    if row.lookup.asks() {
        return [None; 4];
    }
    let (view, file, source) = match row.family {
        Family::Texture => (instruction.sources.last(), File::Sampler, None),
        Family::Sample | Family::View => {
            (instruction.sources.get(VIEW), File::SamplerView, instruction.sources.get(VIEW))
        }
        Family::Plain
        | Family::Access
        | Family::Atomic
        | Family::Store
        | Family::Handle
        | Family::Interpolate
        | Family::Framebuffer
        | Family::Immediate
        | Family::Historic => return [None; 4],
    };
    let declared = view
        .filter(|it| it.register.file == file)
        .and_then(|it| resources.view(&it.register))
        .and_then(|it| it.sampler_view);
    let Some(SamplerViewType { target, returns }) = declared else { return [None; 4] };
    // Comparisons return floats whatever the texels are.
    if is_shadow(target.value) || matches!(row.lookup, Lookup::Compared | Lookup::ComparedZero) {
        return [None; 4];
    }
    let gathered = row.lookup == Lookup::Gather;
    let of = |component: usize| {
        let ty = match gathered {
            // All four are of one component, which may be any.
            true => returns[0],
            false => {
                source.map_or(returns[component], |it| returns[it.swizzle.0[component] as usize])
            }
        };
        let integer = matches!(ty, ReturnType::Sint | ReturnType::Uint);
        Some(Texel { integer, declared: target.range })
    };
    if gathered && returns.iter().any(|ty| *ty != returns[0]) {
        return [None; 4];
    }
    [of(0), of(1), of(2), of(3)]
}

fn check_sources(held: &Held, instruction: &Instruction, row: &OpInfo, report: &mut Report) {
    let word = row.mnemonic;
    if row.has(Flag::Bits) {
        return;
    }
    for (place, (source, ty)) in instruction.sources.iter().zip(row.source_types).enumerate() {
        let Some(known) = source.register.temporary().and_then(|number| held.get(&number)) else {
            continue;
        };
        let Some(read) = components_read(instruction, row, place) else { continue };
        let wrong = (0..4).filter(|it| read & 1 << it != 0).find_map(|it| {
            let texel = known[it]?;
            let converts = matches!(row.opcode, Opcode::I2F | Opcode::U2F);
            let wrong = if texel.integer { *ty == ValueType::Float } else { converts };
            wrong.then_some(texel)
        });
        let Some(texel) = wrong else { continue };
        report.push(|| {
            let (holds, reads) = match texel.integer {
                true => ("integers", "floats"),
                false => ("floats", "integers"),
            };
            let message = format!("the view returns {holds} here; `{word}` reads them as {reads}");
            Diagnostic::hint(codes::VIEW_TYPE, source.range, message)
                .with_related(texel.declared, "the view's declaration")
        });
    }
}
