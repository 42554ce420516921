//! A listing of each printer, read as a program.

use gcn::Target;
use gcn::program::{Options, assemble};

/// A listing of each printer, in its form: what is read as what, and a changed line.
#[test]
fn every_printers_form_is_read() {
    use gcn::dialect::Listing;
    let listings = [
        (
            Listing::AmdDebug,
            "Pixel Shader:\nShader main disassembly:\nShader Disassembly:\nmain:\n\
             BB0_0:\n\
             \ts_mov_b32 m0, s11                                         ; BEFC000B\n\
             \tv_interp_p1_f32_e32 v2, v0, attr0.x                       ; D4080000\n\
             \texp mrt0 v2, v2, off, off done vm                         ; C4001803 00000202\n\
             \ts_endpgm                                                  ; BF810000\n\n\
             *** SHADER CONFIG ***\nSPI_PS_INPUT_ADDR = 0xd077\n*** SHADER STATS ***\n\
             SGPRS: 16\nVGPRS: 8\nCode Size: 20 bytes\n********************\n",
        ),
        (
            Listing::Radv,
            "Fragment Shader:\ndisasm:\nBB0:\n\
             \ts_nop 0                                                     ; bf800000\n\
             \t(then repeated 3 times)\n\
             BB1:\n\
             \ts_cbranch_scc1 BB1                                          ; bf85ffff\n\
             \ts_endpgm                                                    ; bf810000\n",
        ),
        (
            Listing::Rga,
            "; -------- Disassembly --------------------\nshader main\n  asic(VI)\n  type(PS)\n\
             \x20                                               // s_ps_state in s0\n\
             \x20 s_mov_b64     s[14:15], exec                   // 000000000000: BE8E017E\n\
             \x20 s_waitcnt     lgkmcnt(0)                       // 000000000004: BF8C007F\n\
             \x20 v_mul_f32     v2, 0x3f9d70a4, v1               // 000000000008: 0A0402FF 3F9D70A4\n\
             label_0010:\n\
             \x20 s_cbranch_scc1  label_0010                     // 000000000010: BF85FFFF\n\
             \x20 s_endpgm                                       // 000000000014: BF810000\nend\n",
        ),
        (
            Listing::Clrxdisasm,
            "/* Disassembling 'k.bin' */\n.rawcode\n.gpu Fiji\n.text\n\
             /*d1c10000 04060300*/ v_mad_f32       v0, v0, v1, v1\n\
             /*7e000280         */ v_mov_b32       v0, 0\n\
             .L12_0:\n\
             /*bf82ffff         */ s_branch        .L12_0\n\
             /*bf810000         */ s_endpgm\n",
        ),
        (
            Listing::Objdump,
            "\nk.o:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n\
             0000000000000000 <k>:\n\
             \ts_nop 0                         // 000000000000: BF800000\n\n\
             0000000000000004 <L1>:\n\
             \ts_cbranch_scc1 L1               // 000000000004: BF85FFFF <L1>\n\
             \ts_endpgm                        // 000000000008: BF810000\n\t\t...\n",
        ),
    ];
    let read = |text: &str| {
        let options = Options { target: Target::find("gfx803"), ..Options::of(text, "") };
        (options.listing, assemble(text, &options, &|_| None, &|| ()))
    };
    for (listing, text) in listings {
        let (found, program) = read(text);
        assert_eq!(found, Some(listing), "{text}");
        let messages: Vec<_> = program.diagnostics.iter().map(|it| &it.message).collect();
        assert!(messages.is_empty(), "{messages:?}\n{text}");
        let ends = program.instructions.last().unwrap();
        assert_eq!(program.text(ends), "s_endpgm");
        // A word that is not the line's.
        let (_, changed) =
            read(&text.replace("BF810000", "BF800007").replace("bf810000", "bf800007"));
        let messages: Vec<_> = changed.diagnostics.iter().map(|it| it.message.as_str()).collect();
        let told = "the listing shows bf800007 beside this line, which is `s_nop 7`; \
                    the line itself is bf810000";
        assert_eq!(messages, [told], "{text}");
    }
    // What was left out is in its place.
    let (_, program) = read(listings[1].1);
    assert_eq!(program.instructions.last().map(|it| it.offset), Some(20));
    assert_eq!(program.image(0).bytes[..16], [0, 0, 0x80, 0xbf].repeat(4));
}

/// Two stages as RADV prints them with all its steps; the code is that of two small shaders.
const DUMP: &str = "\
WARNING: radv is not a conformant Vulkan implementation, testing use only.
shader: MESA_SHADER_COMPUTE
workgroup-size: 64, 2, 1
shared-size: 512
decl_var shared INTERP_MODE_NONE float[128] s

impl main {
	block block_0:
	vec1 32 ssa_1 = intrinsic load_shared (ssa_0) (base=0, align_mul=4, align_offset=0)
	/* succs: block_1 */
	block block_1:
}

After RA:
ACO shader stage: compute_cs
BB0
/* logical preds: / linear preds: / kind: uniform, top-level, */
	 s2: %1:s[0-1],  s1: %2:s[2] = p_startpgm
	s_cbranch_scc1 BB1
	buffer_store_dword %18:s[8-11], %17:v[1], 0, %61:v[2] offen glc storage:buffer
	exp %3:v[0], %4:v[1],  v1: undef,  v1: undef en:rg** mrt0
	s_endpgm

Compute Shader
disasm:
BB0:
	v_lshlrev_b32_e32 v2, 2, v0                                 ; 24040082
	s_cbranch_scc1 BB1                                          ; bf850002
	ds_write_b32 v2, v2                                         ; d81a0000 00000202
BB1:
	s_endpgm                                                    ; bf810000


Compute Shader:
*** SHADER STATS ***
Driver pipeline hash: 9071536304178373546
SGPRs: 16
VGPRs: 4
Code size: 20
LDS size: 512
Subgroups per SIMD: 10
Hash: 12
********************


shader: MESA_SHADER_VERTEX
impl main {
}

ACO shader stage: vertex_vs
BB0
	s_endpgm

Vertex Shader as VS
disasm:
BB0:
	s_nop 0                                                     ; bf800000
	s_cbranch_scc0 BB1                                          ; bf840001
	s_branch BB0                                                ; bf82fffd
BB1:
	s_endpgm                                                    ; bf810000
";

/// Of a driver's dump only the disassemblies are code, each is a kernel of its own with
/// blocks of its own, and every part has its place in the outline and folds.
#[test]
fn a_dump_is_read_part_by_part() {
    use gcn::program::KernelCode;
    use gcn::service::{View, folding, formatting, outline};

    let options = Options::of(DUMP, "shader.vega10.dump");
    let program = assemble(DUMP, &options, &|_| None, &source::no_checkpoint);
    assert_eq!(program.diagnostics, []);
    let kernel = |kernel: &gcn::program::Kernel| {
        let part = program.disassembly_of(kernel).expect("a part");
        let own = KernelCode::of(&program, kernel, program.address_counts(), &|| ());
        let (count, declared) = (own.code.instructions.len(), own.declared);
        let waves = declared.waves_per_group;
        format!("{}: {count}, {} of {waves:?}; {}", kernel.name, declared.lds, part.summary())
    };
    let kernels: Vec<String> = program.kernels.iter().map(kernel).collect();
    assert_eq!(
        kernels,
        [
            "Compute Shader: 4, 512 of Some(2); SGPRs 16, VGPRs 4, Code size 20, \
             Subgroups per SIMD 10",
            "Vertex Shader as VS: 4, 0 of None; "
        ]
    );
    // Jumps stay within their shader.
    let words: Vec<u32> =
        program.instructions.iter().flat_map(|it| it.assembled).map(|it| it.words()[0]).collect();
    assert_eq!(words[1], 0xbf85_0002);
    assert_eq!(words[5..7], [0xbf84_0001, 0xbf82_fffd]);

    let view = View::root(&program);
    let items: Vec<String> = outline::outline(view)
        .iter()
        .map(|item| {
            let labels: Vec<&str> = item.children.iter().map(|it| &*it.name).collect();
            format!("{} {} {labels:?}", item.name, item.detail)
        })
        .collect();
    assert_eq!(
        items,
        [
            "NIR COMPUTE []",
            "ACO IR After RA []",
            r#"Disassembly Compute Shader ["BB0", "BB1"]"#,
            "Statistics Compute Shader []",
            "NIR VERTEX []",
            "ACO IR vertex_vs []",
            r#"Disassembly Vertex Shader as VS ["BB0", "BB1"]"#,
        ]
    );
    let starts: Vec<&str> = folding::folds(view)
        .iter()
        .filter_map(|fold| DUMP[fold.range].lines().next())
        .filter(|line| !line.starts_with("BB"))
        .collect();
    assert_eq!(
        starts,
        [
            "shader: MESA_SHADER_COMPUTE",
            "After RA:",
            "Compute Shader",
            "Compute Shader:",
            "shader: MESA_SHADER_VERTEX",
            "ACO shader stage: vertex_vs",
            "Vertex Shader as VS",
        ]
    );
    let all = source::TextRange::up_to(source::TextSize::of(DUMP));
    assert_eq!(formatting::edits(view, all), []);
}

/// A dump of a chip whose code the driver could not print has no code, and nothing wrong.
#[test]
fn a_dump_without_machine_code_is_not_judged() {
    let start = DUMP.find("BB0:").expect("code");
    let end = DUMP.find("\n\nCompute Shader:").expect("figures");
    let text = format!(
        "{}Shader disassembly is not supported in the current configuration.\n{}",
        &DUMP[..start],
        &DUMP[end..]
    );
    let text = &text[..text.find("Vertex Shader").expect("a stage")];
    let program =
        assemble(text, &Options::of(text, "tahiti.dump"), &|_| None, &source::no_checkpoint);
    assert_eq!(program.diagnostics, []);
    assert_eq!(program.instructions.len(), 0);
    assert_eq!(program.parts.len(), 6);
}

/// A dump that ends before the disassembly is all of the compiler's own languages.
#[test]
fn a_dump_that_was_cut_off_is_not_judged() {
    let text = &DUMP[..DUMP.find("Compute Shader\n").expect("a stage")];
    let options = Options::of(text, "shader.log");
    assert_eq!(options.listing, Some(gcn::dialect::Listing::Aco));
    let program = assemble(text, &options, &|_| None, &source::no_checkpoint);
    assert_eq!(program.diagnostics, []);
    assert_eq!(program.instructions.len(), 0);
}

/// Registers in pairs as AMD's own compiler writes them.
#[test]
fn the_analyzers_pairs_are_registers() {
    let text = "shader main\n  asic(VI)\n  sgpr_count(8)\n\
                \x20 s_mov_b64     s[4,5], exec                     // 000000000000: BE84017E\n\
                \x20 s_endpgm                                       // 000000000004: BF810000\nend\n";
    let program = assemble(text, &Options::of(text, "a.isa"), &|_| None, &source::no_checkpoint);
    assert_eq!(program.diagnostics, []);
    let words = program.instructions[0].assembled.map(|it| it.words()[0]);
    assert_eq!(words, Some(0xbe84_017e));
    assert_eq!(program.kernels[0].name, "main".into());
}
