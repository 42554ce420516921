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
