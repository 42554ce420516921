//! Addresses of image instructions that name fewer registers than the hardware reads, or may.

use source::Severity;

use super::code::{Code, Instruction, image_address};
use super::def_use::DefUse;
use super::diagnostic::InstDiagnostic;
use crate::image::{self, AddressSize};
use crate::instruction::Class;
use crate::instruction::image::{address_fields, is_disassembled};
use crate::{Target, codes};

/// Finds addresses that no image has: assemblers take them, and encode only the first register. One
/// that a disassembler may have written is a hint.
pub(super) fn short_addresses<'a>(
    code: &'a Code,
    def_use: &'a [DefUse],
) -> impl Iterator<Item = InstDiagnostic> + 'a {
    let instructions = code.instructions.iter().zip(def_use).enumerate();
    instructions.filter_map(|(index, (instruction, def_use))| {
        let named = instruction.address_vgprs?;
        let form = def_use.desc.filter(|form| form.class() == Class::Image)?;
        let (array, packing) = address_fields(form, def_use.bits);
        let least = AddressSize::of(form.opcode(), array, packing)?.least;
        if named >= least {
            return None;
        }
        let shapes = image::shapes(form.opcode(), array, packing);
        let smallest = shapes.iter().min_by_key(|shape| shape.registers.len())?;
        let severity = match is_disassembled(form, code.target, named) {
            true => Severity::Hint,
            false => Severity::Warning,
        };
        let da = if array { " with `da`" } else { "" };
        let message = format!(
            "`{}`{da} reads {least} address registers or more, {named} named: the least is that of a \
             {} image, {}",
            form.name(),
            smallest.dimension.name(),
            smallest.registers.join(", "),
        );
        Some(InstDiagnostic::new(codes::IMAGE_ADDRESS, severity, index, message))
    })
}

/// Counts the registers of an image's address in a text, as [`image_address`] does; `None` where as
/// few are named as the smallest image has and a disassembler writes for any: it knows the first one
/// only, and the text may be one's.
pub(crate) fn source_address(line: &str, words: &[u32], target: Target) -> Option<u8> {
    let named = image_address(line, words, target)?;
    let own = DefUse::of(&Instruction::new(0, words, None), target);
    let form = own.desc?;
    let (array, packing) = address_fields(form, own.bits);
    let is_least = AddressSize::of(form.opcode(), array, packing)?.least == named;
    (!is_least || !is_disassembled(form, target, named)).then_some(named)
}

#[cfg(test)]
mod tests {
    use source::Severity;

    use super::super::{Cfg, DefUse, Liveness, check};
    use crate::Target;
    use crate::code_lines::from_lines;
    use crate::codes;

    fn found(text: &str) -> Vec<(source::Code, Severity, String)> {
        let target = Target::find("polaris10").expect("a chip");
        let code = from_lines(target, text).expect(text);
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let liveness = Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint);
        let found = check(&code, &def_use, &cfg, &liveness, None, &source::no_checkpoint);
        found.into_iter().map(|it| (it.code, it.severity, it.message)).collect()
    }

    #[test]
    fn too_few_registers_are_found_for_any_shape() {
        for (line, least) in [
            ("image_sample_c_d v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf", Some(4)),
            ("image_sample_d v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf", Some(3)),
            ("image_load v10, v4, s[0:7] dmask:0x1 unorm da", Some(2)),
            ("image_gather4 v[10:13], v4, s[0:7], s[8:11] dmask:0x1", Some(2)),
            ("image_load_mip v16, v4, s[0:7] dmask:0x1 unorm", Some(2)),
            ("image_sample_d v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf", None),
            ("image_load v10, v[4:5], s[0:7] dmask:0x1 unorm da", None),
            ("image_get_resinfo v10, v4, s[0:7] dmask:0x1 da", None),
        ] {
            let found = found(&format!("{line}\ns_endpgm"));
            let own = found.iter().find(|(code, ..)| *code == codes::IMAGE_ADDRESS);
            let expected = least.map(|least| format!("reads {least} address registers or more"));
            assert_eq!(own.is_some(), least.is_some(), "{line}: {found:?}");
            let told = own.zip(expected).is_none_or(|((.., message), it)| message.contains(&it));
            assert!(told, "{line}: {found:?}");
        }
    }

    #[test]
    fn what_the_hardware_reads_is_not_dead() {
        let dead = |text: &str| {
            found(text).into_iter().filter(|(code, ..)| *code == codes::DEAD_WRITE).count()
        };
        let write = "v_mov_b32 v40, 1.0\nv_mov_b32 v41, 1.0\n";
        let rest = "s_waitcnt vmcnt(0)\nexp mrt0 v0, v0, v0, v0 done vm\ns_endpgm";
        let few = "image_sample_d v0, v[36:37], s[0:7], s[8:11] dmask:0x1\n";
        assert_eq!(dead(&format!("{write}{few}{rest}")), 0);
        let enough = "image_sample_d v0, v[36:38], s[0:7], s[8:11] dmask:0x1\n";
        assert_eq!(dead(&format!("{write}{enough}{rest}")), 2);
    }

    #[test]
    fn as_few_registers_as_a_disassembler_names_are_a_hint() {
        let severity = |line: &str| {
            let found = found(&format!("{line}\ns_endpgm"));
            let own = found.into_iter().find(|(code, ..)| *code == codes::IMAGE_ADDRESS);
            own.map(|(_, severity, _)| severity)
        };
        let line =
            |address| format!("image_sample_c_d v[0:3], {address}, s[0:7], s[8:11] dmask:0xf");
        assert_eq!(severity(&line("v[4:6]")), Some(Severity::Hint));
        assert_eq!(severity(&line("v[4:7]")), None);
        let line = "image_sample_l v[0:3], v4, s[0:7], s[8:11] dmask:0xf";
        assert_eq!(severity(line), Some(Severity::Hint));
        let line = "image_sample_d v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf da";
        assert_eq!(severity(line), Some(Severity::Warning));
    }

    #[test]
    fn padding_of_an_address_is_not_read() {
        let unwritten = |line: &str| {
            let found = found(&format!("{line}\ns_endpgm"));
            let own = found.into_iter().find(|(code, ..)| *code == codes::UNINITIALISED_REGISTER);
            own.map(|(.., message)| message)
        };
        // The largest image's address has twelve registers.
        let line = "image_sample_c_d_cl_o v0, v[20:35], s[0:7], s[8:11] dmask:0x1";
        assert_eq!(unwritten(line), None);
        let line = "image_sample_c_d_cl_o v0, v[22:33], s[0:7], s[8:11] dmask:0x1";
        assert!(unwritten(line).is_some_and(|message| message.contains("`v32`")));
    }
}
