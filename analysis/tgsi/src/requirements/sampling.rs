//! Requirements of texture look-ups beyond their opcode: targets, gathers, offsets, handles.

use super::gather::Known;
use super::{Demand, Needs};
use crate::Stage;
use crate::ast::{Component, Instruction, Register, Spanned, Swizzle};
use crate::opcodes::Lookup;
use crate::words::{File, TextureTarget};

/// The bits of an operand's component, where it is an immediate.
pub(super) fn immediate(
    known: &Known<'_>,
    register: &Register,
    component: Component,
) -> Option<u32> {
    Some(register.immediate(&known.immediates)?.bits[component as usize])
}

/// Notes what a target asks for, wherever it stands.
pub(super) fn target(stage: Stage, target: Spanned<TextureTarget>, needs: &mut Needs) {
    let word = target.value.word();
    needs.word("target", word, stage, target.range);
    if word.contains("D_ARRAY") && !word.contains("MSAA") {
        needs.ask("PIPE_CAP_MAX_TEXTURE_ARRAY_LAYERS", Demand::AtLeast(1), target.range, || {
            word.to_owned()
        });
    }
}

/// Notes what one instruction asks for.
pub(super) fn check(known: &Known<'_>, instruction: &Instruction, needs: &mut Needs) {
    let Some(target) = instruction.target else { return };
    let row = instruction.info();
    self::target(known.stage, target, needs);
    let levelled =
        matches!(row.lookup, Lookup::Level | Lookup::Bias | Lookup::Level2 | Lookup::Bias2);
    let compared = matches!(
        target.value,
        TextureTarget::ShadowArray2D | TextureTarget::ShadowCube | TextureTarget::ShadowCubeArray
    );
    if levelled && compared {
        needs.ask("PIPE_CAP_TEXTURE_SHADOW_LOD", Demand::Yes, target.range, || {
            format!("`{}` of {}", row.mnemonic, target.value)
        });
    }
    if !row.texture {
        return;
    }
    if let Some(sampler) = instruction.sources.last()
        && matches!(
            sampler.register.file,
            File::Temporary | File::Constant | File::Input | File::Immediate
        )
    {
        needs.ask("PIPE_CAP_BINDLESS_TEXTURE", Demand::Yes, sampler.range, || {
            format!("a texture handle in {}", sampler.register.file)
        });
    }
    if row.lookup == Lookup::Gather {
        gather(known, instruction, target.value, needs);
    }
    offsets(known, instruction, target.value, row.lookup, needs);
}

fn gather(known: &Known<'_>, instruction: &Instruction, target: TextureTarget, needs: &mut Needs) {
    const COMPONENTS: &str = "PIPE_CAP_MAX_TEXTURE_GATHER_COMPONENTS";
    const MODERN: &str = "PIPE_CAP_TEXTURE_GATHER_SM5";
    let opcode = instruction.opcode.range;
    needs.ask(COMPONENTS, Demand::AtLeast(1), opcode, || "`TG4`".to_owned());
    if target.word().starts_with("SHADOW") {
        needs.ask(MODERN, Demand::Yes, opcode, || "`TG4` with a comparison".to_owned());
    }
    if let [_, component, sampler] = instruction.sources.as_slice() {
        let chosen = immediate(known, &component.register, component.swizzle.0[0]);
        if chosen.is_some_and(|chosen| chosen != 0) {
            let why = || "`TG4` of a chosen component".to_owned();
            needs.ask(MODERN, Demand::Yes, component.range, why);
            needs.ask(COMPONENTS, Demand::AtLeast(4), component.range, why);
        }
        let in_swizzle = sampler.swizzle != Swizzle::IDENTITY
            && sampler.swizzle.0.iter().any(|component| *component != Component::X);
        if in_swizzle {
            let capability = "PIPE_CAP_TGSI_TG4_COMPONENT_IN_SWIZZLE";
            needs.ask(capability, Demand::Form(true), sampler.range, || {
                "`TG4` with its component in the sampler's swizzle".to_owned()
            });
        }
    }
    if instruction.offsets.len() == 4 {
        needs.ask("PIPE_CAP_TEXTURE_GATHER_OFFSETS", Demand::Yes, opcode, || {
            "`TG4` with four offsets".to_owned()
        });
    }
    let computed = |file| file != File::Immediate;
    if let Some(offset) = instruction.offsets.iter().find(|it| computed(it.register.file)) {
        needs.ask(MODERN, Demand::Yes, offset.range, || "`TG4` with a computed offset".to_owned());
    }
}

/// The least and greatest offsets that stand in immediates.
fn offsets(
    known: &Known<'_>,
    instruction: &Instruction,
    target: TextureTarget,
    lookup: Lookup,
    needs: &mut Needs,
) {
    let used = match target {
        TextureTarget::Texture1D
        | TextureTarget::Shadow1D
        | TextureTarget::Array1D
        | TextureTarget::ShadowArray1D => 1,
        TextureTarget::Texture3D => 3,
        _ => 2,
    };
    let [least, greatest] = match lookup == Lookup::Gather {
        true => ["PIPE_CAP_MIN_TEXTURE_GATHER_OFFSET", "PIPE_CAP_MAX_TEXTURE_GATHER_OFFSET"],
        false => ["PIPE_CAP_MIN_TEXEL_OFFSET", "PIPE_CAP_MAX_TEXEL_OFFSET"],
    };
    for offset in &instruction.offsets {
        for component in &offset.swizzle[..used] {
            let Some(bits) = immediate(known, &offset.register, *component) else { continue };
            let value = i64::from(bits as i32);
            let why = || format!("a texel offset of {value}");
            match value {
                ..0 => needs.ask(least, Demand::AtMost(value), offset.range, why),
                0 => {}
                _ => needs.ask(greatest, Demand::AtLeast(value), offset.range, why),
            }
        }
    }
}
