//! Pages as people read them.

use expect_test::expect;

use super::*;
use crate::instruction::{InstructionSet, NoSymbols, assemble_line};
use crate::mnemonics::op_info;
use crate::occupancy::Usage;

#[test]
fn a_chip() {
    let polaris = Target::find("polaris10").expect("polaris10");
    expect![[r#"
        **polaris10** (gfx803): GCN 1.2, Volcanic Islands

        Radeon RX 470/480/570/580/590, Radeon Pro WX 7100

        Also called ellesmere, polaris20, polaris30.

        | | |
        |---|---|
        | waves per SIMD | 8 |
        | vector registers | 256 per lane, allocated by 4 |
        | scalar registers | 800 per SIMD, 102 can be named, allocated by 16 |
        | local data share | 64 KiB per compute unit, 64 KiB per workgroup, allocated by 512 bytes |
        | 64-bit floats | 1/16 of the 32-bit rate |
        | 32-bit fused multiply-add | a quarter of the rate |
    "#]]
    .assert_eq(&target(polaris));
}

#[test]
fn a_mnemonic() {
    let info = op_info("v_mad_mix_f32").expect("v_mad_mix_f32");
    expect![[r#"
        **v_mad_mix_f32**

        D = S0 * S1 + S2, each a 32-bit or 16-bit float

        `D.f = S0 × S1 + S2, each f or f16`

        - unit: vector ALU; issue class: `packed`
        - reads EXEC without naming it

        | generation | encodings |
        |---|---|
        | gfx6 (GCN 1.0) | none |
        | gfx7 (GCN 1.1) | none |
        | gfx8 (GCN 1.2) | none |
        | gfx9 (GCN 1.4) | VOP3P 32 |
        | gfx904, gfx906, gfx908, gfx90a, gfx942, gfx950, gfx9-4-generic | none |
    "#]]
    .assert_eq(&mnemonic(info));
    let info = op_info("v_add_f32").expect("v_add_f32");
    assert!(mnemonic(info).contains("| gfx8 (GCN 1.2) | VOP2 1, DPP, SDWA; VOP3 257 |"));
}

#[test]
fn what_would_change_the_waves() {
    let of = |vgprs, sgprs, lds, name| {
        let usage = Usage { vgprs, sgprs, lds, ..Usage::default() };
        occupancy(&crate::occupancy::occupancy(usage, Target::find(name).expect(name)))
    };
    assert_eq!(
        of(41, 97, 0, "vega10"),
        "5 waves per SIMD, limited by vector registers. 1 vector register fewer would give 6."
    );
    assert_eq!(
        of(30, 90, 0, "polaris10"),
        "8 waves per SIMD, the most of this chip. 2 vector registers and 6 scalar registers \
         more cost no wave."
    );
    assert_eq!(
        of(84, 20, 16384, "verde"),
        "1 wave per SIMD, limited by local data share. 3328 bytes of local data share fewer \
         would give 2."
    );
    assert_eq!(of(300, 20, 0, "verde").lines().count(), 1);
}

#[test]
fn every_chip_is_listed() {
    let table = targets();
    assert_eq!(table.lines().count(), 2 + Target::all().len());
    assert!(table.contains("| vega10 | gfx900 | GCN 1.4 | 10 | Radeon RX Vega 56/64,"));
}

/// The page of a line's instruction.
fn page(line: &str, target: &str) -> String {
    let set = InstructionSet::of(Target::find(target).expect(target));
    let assembled = assemble_line(line, set, &NoSymbols).expect(line);
    instruction(assembled.words(), set).expect(line)
}

#[test]
fn an_instruction_with_its_operands() {
    expect![[r#"
        ```gcn
        v_mad_f32 v0, -s1, v2, 1.0 mul:2
        ```

        D = S0 * S1 + S2 (32-bit floats)

        `v0.f = -s1.f × v2.f + 1.0, then × 2`

        - unit: vector ALU; issue class: `valu32`
        - reads EXEC without naming it

        Every generation has it.

        `d1c10000 2bca0401` VOP3

        | bits | field | value | meaning |
        |---|---|---|---|
        | 7:0 | vdst | 0x0 | v0 |
        | 10:8 | abs | 0x0 | none |
        | 15 | clamp | 0x0 | not set |
        | 25:16 | op | 0x1c1 | v_mad_f32 |
        | 31:26 | encoding | 0x34 | VOP3 |
        | 40:32 | src0 | 0x1 | -s1 |
        | 49:41 | src1 | 0x102 | v2 |
        | 58:50 | src2 | 0xf2 | 1.0 |
        | 60:59 | omod | 0x1 | mul:2 |
        | 63:61 | neg | 0x1 | of `-s1` |
    "#]]
    .assert_eq(&page("v_mad_f32 v0, -s1, v2, 1.0 mul:2", "gfx803"));
    expect![[r#"
        ```gcn
        v_addc_u32_e32 v1, vcc, v2, v3, vcc
        ```

        D = S0 + S1 + the carry of the mask; the mask gets the carry

        `v1.u = v2.u + v3.u + vcc[lane]; vcc[lane] = carry`

        - unit: vector ALU; issue class: `valu32`
        - reads EXEC without naming it

        gfx6, gfx7 and gfx8 have it.

        `50020702` VOP2

        | bits | field | value | meaning |
        |---|---|---|---|
        | 8:0 | src0 | 0x102 | v2 |
        | 16:9 | vsrc1 | 0x3 | v3 |
        | 24:17 | vdst | 0x1 | v1 |
        | 30:25 | op | 0x28 | v_addc_u32 |
        | 31 | encoding | 0x0 | VOP2 |
    "#]]
    .assert_eq(&page("v_addc_u32 v1, vcc, v2, v3, vcc", "gfx600"));
    expect![[r#"
        ```gcn
        v_add_f32_sdwa v1, v2, -v3 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:BYTE_0
        ```

        D = S0 + S1 (32-bit floats)

        `v1.f = v2.f + -v3.f`

        - unit: vector ALU; issue class: `valu32`
        - reads EXEC without naming it

        Every generation has it.

        `020206f9 10061502` VOP2 + SDWA

        | bits | field | value | meaning |
        |---|---|---|---|
        | 8:0 | src0 | 0xf9 | SDWA follows |
        | 16:9 | vsrc1 | 0x3 | -v3 |
        | 24:17 | vdst | 0x1 | v1 |
        | 30:25 | op | 0x1 | v_add_f32 |
        | 31 | encoding | 0x0 | VOP2 |
        | 39:32 | src0 | 0x2 | v2 |
        | 42:40 | dst_sel | 0x5 | dst_sel:WORD_1 |
        | 44:43 | dst_unused | 0x2 | dst_unused:UNUSED_PRESERVE |
        | 45 | clamp | 0x0 | not set |
        | 50:48 | src0_sel | 0x6 | src0_sel:DWORD |
        | 51 | src0_sext | 0x0 | unused |
        | 52 | src0_neg | 0x0 | not set |
        | 53 | src0_abs | 0x0 | not set |
        | 58:56 | src1_sel | 0x0 | src1_sel:BYTE_0 |
        | 59 | src1_sext | 0x0 | unused |
        | 60 | src1_neg | 0x1 | set |
        | 61 | src1_abs | 0x0 | not set |
    "#]].assert_eq(&page(
        "v_add_f32_sdwa v1, v2, -v3 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:BYTE_0",
        "gfx803",
    ));
    expect![[r#"
        ```gcn
        buffer_atomic_add v1, v2, s[4:7], 0 offen glc
        ```

        Buffer, atomically: adds; returns what was there if asked

        `old = M; M.u = M.u + v1.u; if (glc) v1.u = old`

        - unit: vector memory; issue class: `vmem-atomic`
        - `vmcnt` comes down when its result is there
        - `expcnt` comes down when its data registers were read and may be written
        - reads EXEC without naming it

        Every generation has it.

        `e0c85000 80010102` MUBUF

        | bits | field | value | meaning |
        |---|---|---|---|
        | 11:0 | offset | 0x0 | the usual |
        | 12 | offen | 0x1 | set |
        | 13 | idxen | 0x0 | unused |
        | 14 | glc | 0x1 | set |
        | 15 | addr64 | 0x0 | unused |
        | 16 | lds | 0x0 | unused |
        | 24:18 | op | 0x32 | buffer_atomic_add |
        | 31:26 | encoding | 0x38 | MUBUF |
        | 39:32 | vaddr | 0x2 | v2 |
        | 47:40 | vdata | 0x1 | v1 |
        | 52:48 | srsrc | 0x1 | s[4:7] |
        | 54 | slc | 0x0 | not set |
        | 55 | tfe | 0x0 | unused |
        | 63:56 | soffset | 0x80 | 0 |
    "#]]
    .assert_eq(&page("buffer_atomic_add v1, v2, s[4:7], 0 offen glc", "gfx600"));
    expect![[r#"
        ```gcn
        s_and_saveexec_b64 s[0:1], vcc
        ```

        D = EXEC; EXEC = S0 and EXEC; SCC = EXEC is not 0

        `s[0:1].u64 = EXEC; EXEC = vcc.u64 & EXEC; SCC = EXEC != 0`

        - unit: scalar ALU; issue class: `saveexec`
        - reads EXEC without naming it
        - writes EXEC, SCC without naming it

        Every generation has it.

        `be80206a` SOP1

        | bits | field | value | meaning |
        |---|---|---|---|
        | 7:0 | s0 | 0x6a | vcc |
        | 15:8 | op | 0x20 | s_and_saveexec_b64 |
        | 22:16 | sdst | 0x0 | s[0:1] |
        | 31:23 | encoding | 0x17d | SOP1 |
    "#]]
    .assert_eq(&page("s_and_saveexec_b64 s[0:1], vcc", "gfx900"));
    expect![[r#"
        ```gcn
        v_madak_f32 v0, v1, v2, 0x40490fdb
        ```

        D = S0 * S1 + the constant (32-bit floats)

        `v0.f = v1.f × v2.f + 0x40490fdb`

        - unit: vector ALU; issue class: `valu32`
        - reads EXEC without naming it

        Every generation has it.

        `30000501 40490fdb` VOP2 + literal

        | bits | field | value | meaning |
        |---|---|---|---|
        | 8:0 | src0 | 0x101 | v1 |
        | 16:9 | vsrc1 | 0x2 | v2 |
        | 24:17 | vdst | 0x0 | v0 |
        | 30:25 | op | 0x18 | v_madak_f32 |
        | 31 | encoding | 0x0 | VOP2 |
        | 63:32 | literal | 0x40490fdb | the literal after the instruction |
    "#]]
    .assert_eq(&page("v_madak_f32 v0, v1, v2, 0x40490fdb", "gfx900"));
    expect![[r#"
        ```gcn
        global_load_dword v1, v2, s[4:5] offset:-8
        ```

        Loads one word from global memory

        `v1 = MEM[v2 + s[4:5] - 8].b32`

        - unit: vector memory; issue class: `vmem-load`
        - `vmcnt` comes down when its result is there
        - reads EXEC without naming it

        Only gfx9 has it.

        `dc509ff8 01040002` GLOBAL

        | bits | field | value | meaning |
        |---|---|---|---|
        | 12:0 | offset | 0x1ff8 | offset:-8 |
        | 13 | lds | 0x0 | unused |
        | 15:14 | seg | 0x2 | GLOBAL |
        | 16 | glc | 0x0 | not set |
        | 17 | slc | 0x0 | not set |
        | 24:18 | op | 0x14 | global_load_dword |
        | 31:26 | encoding | 0x37 | GLOBAL |
        | 39:32 | addr | 0x2 | v2 |
        | 47:40 | data | 0x0 | unused |
        | 54:48 | saddr | 0x4 | s[4:5] |
        | 55 | nv | 0x0 | unused |
        | 63:56 | vdst | 0x1 | v1 |
    "#]]
    .assert_eq(&page("global_load_dword v1, v2, s[4:5] offset:-8", "gfx900"));
}

#[test]
fn an_image_instruction() {
    let info = op_info("image_sample_c_d_o").expect("image_sample_c_d_o");
    expect![[r#"
        **image_sample_c_d_o**

        Samples an image, compared with a reference, with derivatives given, with texel offsets

        `D = filter(texels at the coordinates), the components of dmask`

        - unit: vector memory; issue class: `image-sample`
        - `vmcnt` comes down when its result is there
        - reads EXEC without naming it

        ```gcn
        image_sample_c_d_o VDATA, VADDR, SRSRC, SSAMP [MODIFIERS]
        ```

        | operand | registers |
        |---|---|
        | VDATA | 1 to 4, one for each bit of `dmask`; one more with `tfe`; with `d16` half as many from gfx9 on |
        | VADDR | 4 5 6 7 8 9 10 11; in CLRX's dialect 5 6 7 8 9 10 11 12 |
        | SRSRC | 8; with `r128` 4 are read, and 4 are named in CLRX's dialect |
        | SSAMP | 4 |

        Modifiers: `dmask`, `unorm`, `glc` `slc`, `r128` on gfx6, gfx7 and gfx8, `tfe`, `lwe`, `da`, `d16` on gfx8 and gfx9, `a16` on gfx9.

        - `_c`: the first component of each texel, which is a float, is compared with a reference by the sampler's function, as for shadows
        - `_d`: derivatives are given instead of taken from neighbouring lanes: 2, 4 or 6 registers
        - `_o`: texel offsets, six bits for each coordinate in one register

        | image | address, a register each | |
        |---|---|---|
        | 1D | offsets, reference, dx/dh, dx/dv, x |  |
        | 2D | offsets, reference, dx/dh, dy/dh, dx/dv, dy/dv, x, y |  |
        | 3D | offsets, reference, dx/dh, dy/dh, dz/dh, dx/dv, dy/dv, dz/dv, x, y, z |  |
        | cube | offsets, reference, dx/dh, dy/dh, dx/dv, dy/dv, x, y, face | `da` |
        | 1D array | offsets, reference, dx/dh, dx/dv, x, layer | `da` |
        | 2D array | offsets, reference, dx/dh, dy/dh, dx/dv, dy/dv, x, y, layer | `da` |

        With `a16` parts share registers, at most: offsets, reference, dx/dh & dy/dh, dz/dh, dx/dv & dy/dv, dz/dv, x & y, z.

        | generation | encodings |
        |---|---|
        | gfx6 (GCN 1.0) | MIMG 58 |
        | gfx7 (GCN 1.1) | MIMG 58 |
        | gfx8 (GCN 1.2) | MIMG 58 |
        | gfx9 (GCN 1.4) | MIMG 58 |
        | gfx90a, gfx942, gfx950, gfx9-4-generic | none |
    "#]]
    .assert_eq(&mnemonic(info));
}

/// Every field of every encoding is told once: no bit belongs to two fields.
#[test]
fn fields_do_not_overlap() {
    let mut checked = 0;
    for target in ["gfx600", "gfx700", "gfx803", "gfx900", "gfx908"] {
        let set = InstructionSet::of(Target::find(target).expect(target));
        for high in 0..=0xffff_u32 {
            let words = [high << 16 | 0x0101, 0x8040_0102 ^ high];
            let Ok(view) = encoding(&words, set) else { continue };
            let mut seen = 0_u64;
            for field in &view.fields {
                let mask = ((1_u128 << field.width) - 1) as u64;
                assert_eq!(seen & (mask << field.low), 0, "{target} {words:x?}: {view:?}");
                assert!(!field.meaning.is_empty(), "{target} {words:x?}: {field:?}");
                assert!(field.value <= mask, "{view:?}");
                seen |= mask << field.low;
            }
            checked += 1;
        }
    }
    assert!(checked > 100_000, "{checked}");
}

#[test]
fn the_reference_has_every_mnemonic_once() {
    let text = reference();
    for info in mnemonics::all() {
        assert_eq!(text.matches(&format!("| `{}` |", info.name)).count(), 1, "{}", info.name);
    }
    assert!(text.contains("| `v_mad_f32` | "));
}

#[test]
fn every_modifier_has_a_page_and_every_page_is_of_a_word() {
    use crate::instruction::{form::SlotKind, modifier};
    let mut known: Vec<&str> = crate::describe::words().iter().map(|info| info.name).collect();
    for target in ["tahiti", "bonaire", "fiji", "gfx900", "gfx908"] {
        let target = Target::find(target).expect("a target");
        let set = InstructionSet::in_dialect(target, crate::assembler::Dialect::Llvm);
        let mnemonics = crate::mnemonics::Opcode::all();
        for slot in mnemonics.flat_map(|it| set.forms_of(it)).flat_map(|form| form.slots()) {
            let word = match slot.kind {
                SlotKind::Flag(flag) => flag.name(),
                SlotKind::Number { key, .. } | SlotKind::List { key, .. } => key.name(),
                _ => continue,
            };
            assert!(crate::describe::word(word).is_some(), "{word}");
        }
    }
    known.retain(|word| {
        modifier::flag(word).is_none()
            && modifier::key(word).is_none()
            && modifier::bare_movement(word).is_none()
            && modifier::cache_policy(word).is_none()
    });
    let others = "vmcnt expcnt lgkmcnt abs sext sendmsg hwreg gpr_idx swizzle mrt mrtz null \
                  pos param";
    assert_eq!(known.join(" "), others);
}
