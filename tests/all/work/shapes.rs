//! Texts of any size: a head, a piece that is repeated with its number, an end.

/// A shape of texts: `{n}` in the piece is its number, `{m}` the number from behind.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    head: &'static str,
    piece: &'static str,
    end: &'static str,
}

pub(super) const fn shape(
    name: &'static str,
    head: &'static str,
    piece: &'static str,
    end: &'static str,
) -> Shape {
    Shape { name, head, piece, end }
}

impl Shape {
    /// A text of about so many bytes. A piece with a bar is opened before it and closed
    /// behind it: so many times within each other.
    pub(crate) fn text(&self, bytes: usize) -> String {
        self.text_and_middle(bytes).0
    }

    /// The same, and the end of the first line of the piece in its middle.
    pub(super) fn text_and_middle(&self, bytes: usize) -> (String, usize) {
        let count = bytes / self.piece.len().max(1);
        let numbered = |piece: &str, number: usize| {
            piece.replace("{n}", &number.to_string()).replace("{m}", &(count - number).to_string())
        };
        let mut text = self.head.to_owned();
        let opening = self.piece.split('¦').next().unwrap_or_default();
        let before = (0..count / 2).map(|number| numbered(opening, number).len()).sum::<usize>();
        let middle = text.len() + before;
        match self.piece.split_once('¦') {
            Some((open, close)) => {
                text.extend((0..count).map(|number| numbered(open, number)));
                text.extend((0..count).rev().map(|number| numbered(close, number)));
            }
            None => text.extend((0..count).map(|number| numbered(self.piece, number))),
        }
        text += self.end;
        let line = text[middle..].find('\n').unwrap_or_default();
        (text, middle + line)
    }

    /// The same, and the number of the last line of the piece in its middle: a line of one kind
    /// in texts of any size.
    #[cfg(counted)]
    pub(super) fn text_and_line(&self, bytes: usize) -> (String, usize) {
        let (text, middle) = self.text_and_middle(bytes);
        let opening = self.piece.split('¦').next().unwrap_or_default();
        let more = opening.lines().count().saturating_sub(1);
        let line = text[..middle].matches('\n').count() + more;
        (text, line)
    }
}

pub(crate) const TGSI: [Shape; 44] = [
    shape(
        "arithmetic",
        "VERT\nDCL TEMP[0..9]\n",
        "MAD TEMP[0], TEMP[1], TEMP[2], TEMP[3]\n",
        "END\n",
    ),
    shape("a chain of values", "VERT\nDCL TEMP[0..65535]\n", "MOV TEMP[{n}], TEMP[{m}]\n", "END\n"),
    shape("declarations", "VERT\n", "DCL TEMP[{n}]\n", "END\n"),
    shape("declarations of one register", "VERT\n", "DCL TEMP[0]\n", "END\n"),
    shape("huge ranges", "VERT\n", "DCL TEMP[0..2147483647]\n", "END\n"),
    shape("ranges that overlap", "VERT\n", "DCL TEMP[{n}..65535]\n", "END\n"),
    shape("arrays", "VERT\n", "DCL TEMP[{n}..65535], ARRAY({n})\n", "END\n"),
    shape(
        "arrays in use",
        "VERT\nDCL ADDR[0]\n",
        "DCL TEMP[{n}], ARRAY({n})\nMOV TEMP[ADDR[0].x+{n}]({n}), TEMP[{n}]\n",
        "END\n",
    ),
    shape(
        "indirect of huge ranges",
        "VERT\nDCL ADDR[0]\nDCL TEMP[0..2147483647]\n",
        "MOV TEMP[ADDR[0].x+{n}], TEMP[ADDR[0].y]\n",
        "END\n",
    ),
    shape("immediates", "VERT\n", "IMM[{n}] FLT32 {0, 0x7fc00000, 1e-30, 1}\n", "END\n"),
    shape("equal immediates", "VERT\n", "IMM FLT32 {1, 1, 1, 1}\n", "END\n"),
    shape("values of an immediate", "VERT\nIMM FLT32 {", "1.5, ", "1}\nEND\n"),
    shape("properties", "GEOM\n", "PROPERTY GS_INPUT_PRIMITIVE POINTS\n", "END\n"),
    shape("nested conditions", "VERT\nDCL TEMP[0]\n", "IF TEMP[0].xxxx\n¦ENDIF\n", "END\n"),
    shape(
        "nested conditions with both parts",
        "VERT\nDCL TEMP[0]\n",
        "IF TEMP[0].xxxx\nMOV TEMP[0], TEMP[0]\n¦ELSE\nMOV TEMP[0].x, TEMP[0].yyyy\nENDIF\n",
        "END\n",
    ),
    shape(
        "nested loops",
        "VERT\nDCL TEMP[0..9]\n",
        "BGNLOOP\nMOV TEMP[1], TEMP[0]\n¦BRK\nENDLOOP\n",
        "END\n",
    ),
    shape(
        "loops",
        "VERT\nDCL TEMP[0..9]\n",
        "BGNLOOP\nIF TEMP[0].xxxx\nBRK\nENDIF\nADD TEMP[0], TEMP[1], TEMP[0]\nENDLOOP\n",
        "END\n",
    ),
    shape(
        "a loop of many leaves",
        "VERT\nDCL TEMP[0..9]\nBGNLOOP\n",
        "IF TEMP[{n}].xxxx\nBRK\nENDIF\n",
        "ENDLOOP\nEND\n",
    ),
    shape(
        "nested switches",
        "VERT\nDCL TEMP[0]\n",
        "SWITCH TEMP[0].xxxx\nCASE TEMP[0].yyyy\n¦ENDSWITCH\n",
        "END\n",
    ),
    shape(
        "cases",
        "VERT\nDCL TEMP[0]\nSWITCH TEMP[0].xxxx\n",
        "CASE TEMP[0].yyyy\nMOV TEMP[0], TEMP[0]\n",
        "ENDSWITCH\nEND\n",
    ),
    shape("open blocks", "VERT\n", "IF IN[0].xxxx :{n}\nBGNLOOP\n", ""),
    shape("closed blocks", "VERT\n", "ENDIF\nENDLOOP\nENDSWITCH\n", ""),
    shape("subroutines", "VERT\nEND\n", "{n}: BGNSUB\nCAL :{n}\nRET\nENDSUB\n", ""),
    shape("calls of one subroutine", "VERT\n", "CAL :90\n", "END\nBGNSUB\nRET\nENDSUB\n"),
    shape(
        "calls of the next",
        "VERT\nDCL TEMP[0]\nCAL :3\nEND\n",
        "BGNSUB\nCAL :{n}\nCAL :{m}\nENDSUB\n",
        "",
    ),
    shape("unknown opcodes", "VERT\n", "MADD{n} TEMP[0], IN[0]\n", "END\n"),
    shape("unknown words", "VERT\n", "DCL IN[{n}], GENERICC{n}, LINEER\n", "END\n"),
    shape("missing operands", "VERT\n", "MOV TEMP[0]\n", "END\n"),
    shape("unused registers", "VERT\n", "DCL TEMP[{n}]\nDCL IN[{n}]\nDCL CONST[{n}]\n", "END\n"),
    shape(
        "inputs and outputs",
        "FRAG\n",
        "DCL IN[{n}], GENERIC[{n}], LINEAR\nDCL OUT[{n}], GENERIC[{n}]\nMOV OUT[{n}], IN[{n}]\n",
        "END\n",
    ),
    shape("equal semantics", "FRAG\n", "DCL IN[{n}], GENERIC[0], LINEAR\n", "END\n"),
    shape(
        "samplers",
        "FRAG\nDCL TEMP[0]\n",
        "DCL SAMP[{n}]\nDCL SVIEW[{n}], 2D, FLOAT\nTEX TEMP[0], TEMP[0], SAMP[{n}], 2D\n",
        "END\n",
    ),
    shape("comments", "VERT\n", "NOP // c {n}\n# d\n/* e */\n", "END\n"),
    shape("one comment", "VERT\n/*", " comment {n}\n", "*/\nEND\n"),
    shape("directives in comments", "", "# tungsten: allow=tgsi::comment\n", "VERT\nEND\n"),
    shape("allowed codes", "# tungsten: allow=tgsi::a", ",tgsi::comment{n}", "\nVERT\nNOP\nEND\n"),
    shape("one line", "VERT ", "MOV TEMP[0], IN[{n}] ", "END"),
    shape("one word", "VERT\nMOV TEMP", "A", "\nEND\n"),
    shape("declarations of one line", "VERT ", "DCL TEMP[{n}] ", "MOV TEMP[0], TEMP[1]\nEND\n"),
    shape("nested conditions of one line", "VERT\n\n", "IF IN[0].xxxx ¦ENDIF ", "END\n"),
    shape(
        "images",
        "FRAG\nDCL TEMP[0]\n",
        "DCL IMAGE[{n}], 2D, PIPE_FORMAT_R32_UINT, WR\nLOAD TEMP[0], IMAGE[{n}], TEMP[0], 2D\n",
        "END\n",
    ),
    shape("shaders", "", "VERT\nDCL OUT[0], POSITION\nMOV OUT[0], OUT[0]\nEND\n\n", ""),
    shape("a log", "", "[{n}] ps: VERT\n[{n}] ps: END\nother {n} words\n", ""),
    shape("literals", "", "\"VERT\\n\"\n\"END\\n\"\n", ""),
];

pub(crate) const GCN: [Shape; 49] = [
    shape("instructions", "main:\n", " v_add_f32 v{n}, v1, v2\n", " s_endpgm\n"),
    shape(
        "loads and waits",
        "main:\n",
        " buffer_load_dword v1, v0, s[0:3], 0 offen\n s_waitcnt vmcnt(0)\n",
        " s_endpgm\n",
    ),
    shape(
        "loads without waits",
        "main:\n",
        " buffer_load_dword v1, v0, s[0:3], 0 offen\n",
        " v_mov_b32 v2, v1\n s_endpgm\n",
    ),
    shape("labels", "main:\n", "l{n}:\n s_nop 0\n", " s_endpgm\n"),
    shape("labels at one place", "main:\n", "l{n}:\n", " s_endpgm\n"),
    shape(
        "jumps to the end",
        "main:\n",
        " s_cbranch_scc0 end\n v_mov_b32 v1, v2\n",
        "end:\n s_endpgm\n",
    ),
    shape(
        "jumps to the beginning",
        "main:\n",
        " s_cbranch_scc0 main\n v_mov_b32 v1, v2\n",
        " s_endpgm\n",
    ),
    shape(
        "jumps to the next",
        "main:\n",
        " s_cbranch_vccz l{n}\n v_mov_b32 v1, v2\nl{n}:\n",
        " s_endpgm\n",
    ),
    shape(
        "nested jumps",
        "main:\n",
        "a{n}:\n s_cbranch_scc0 b{n}\n v_mov_b32 v1, v2\n¦ s_cbranch_scc1 a{n}\nb{n}:\n",
        " s_endpgm\n",
    ),
    shape(
        "jumps across",
        "main:\n",
        "l{n}:\n s_cbranch_execz l{m}\n v_mov_b32 v1, v2\n",
        " s_endpgm\n",
    ),
    shape(
        "lanes within lanes",
        "main:\n",
        " s_and_saveexec_b64 s[2:3], vcc\n s_cbranch_execz l{n}\n v_mov_b32 v1, v2\n¦l{n}:\n s_or_b64 exec, exec, s[2:3]\n",
        " s_endpgm\n",
    ),
    shape("unknown mnemonics", "main:\n", " v_ad_f3 v{n}, v1\n", " s_endpgm\n"),
    shape("unknown symbols", "main:\n", " s_mov_b32 s0, size{n}\n", " s_endpgm\n"),
    shape("symbols", "main:\n", "x{n} = {n}\n s_mov_b32 s0, x{n}\n", " s_endpgm\n"),
    shape("a symbol set again", "main:\n", "x = x + {n}\n s_mov_b32 s0, x\n", " s_endpgm\n"),
    shape("one symbol, mentioned", "main:\nx = 1\n", " s_mov_b32 s0, x\n", " s_endpgm\n"),
    shape("symbols of symbols", "main:\nx0 = 1\n", ".set y{n}, x{n} + 1\n", " s_endpgm\n"),
    shape(
        "symbols of later ones",
        "main:\n",
        " .set z{n}, z{m} + 1\n",
        " s_mov_b32 s0, z1\n s_endpgm\n",
    ),
    shape("distances", "main:\n", "d{n}:\n .long end - d{n}\n", "end:\n s_endpgm\n"),
    shape("numbered labels", "main:\n", "1:\n s_cbranch_scc0 1b\n", " s_endpgm\n"),
    shape(
        "macros",
        "main:\n",
        ".macro m{n} a\n v_mov_b32 v1, \\a\n.endm\n m{n} v2\n",
        " s_endpgm\n",
    ),
    shape(
        "calls of one macro",
        "main:\n.macro m a\n v_mov_b32 v1, \\a\n.endm\n",
        " m v{n}\n",
        " s_endpgm\n",
    ),
    shape(
        "wrong calls of one macro",
        "main:\n.macro m a\n v_mov_b32 v1, \\a\n.endm\n",
        " m size{n}\n",
        " s_endpgm\n",
    ),
    shape(
        "a long macro",
        "main:\n.macro m a\n",
        " v_mov_b32 v1, \\a\n",
        ".endm\n m v1\n m v2\n s_endpgm\n",
    ),
    shape(
        "arguments",
        "main:\n.macro m a:vararg\n .long \\a\n.endm\n m 1",
        ",{n}",
        "\n s_endpgm\n",
    ),
    shape("nested conditions", "main:\n", ".if {n}\n¦.endif\n", " s_endpgm\n"),
    shape("conditions", "main:\n", ".if {n}\n s_nop 0\n.else\n s_nop 1\n.endif\n", " s_endpgm\n"),
    shape("conditions of one line", "main:\n", ".if {n} ", "\n s_endpgm\n"),
    shape("one condition", "main:\nx = 1\n.if x", " + x", "\n.endif\n s_endpgm\n"),
    shape("repetitions", "main:\n", ".rept 4\n s_nop {n}\n.endr\n", " s_endpgm\n"),
    shape("a list", "main:\n.long 1", ", {n}", "\n s_endpgm\n"),
    shape("an expression", "main:\nx = 1", " + {n}", "\n s_endpgm\n"),
    shape("kernels", "", ".type k{n},@function\nk{n}:\n v_add_f32 v0, v1, v2\n s_endpgm\n", ""),
    shape(
        "descriptors",
        "main:\n s_endpgm\n",
        ".amdhsa_kernel k{n}\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n",
        "",
    ),
    shape(
        "fields of one descriptor",
        "main:\n s_endpgm\n.amdhsa_kernel main\n",
        ".amdhsa_next_free_vgpr 4\n",
        ".end_amdhsa_kernel\n",
    ),
    shape("sections", "main:\n", ".section .s{n}\n.long {n}\n", ""),
    shape("missing files", "main:\n", ".include \"none{n}.inc\"\n", " s_endpgm\n"),
    shape("one comment", "main:\n/*", " comment {n}\n", "*/\n s_endpgm\n"),
    shape("one line", "main:\n", " s_nop {n};", " s_endpgm\n"),
    shape("open blocks", "main:\n", ".if 1\n.rept 1\n", ""),
    shape("closed blocks", "main:\n", ".endif\n.endr\n.endm\n", " s_endpgm\n"),
    shape("blocks that others close", "main:\n", ".if 1\n¦.endr\n", " s_endpgm\n"),
    shape("macros of one name", "main:\n", ".macro m\n s_nop 1\n.endm\n m\n", " s_endpgm\n"),
    shape("CLRX: instructions", ".gpu fiji\n.text\n", " v_add_f32 v{n}, v1, v2\n", ""),
    shape("CLRX: one symbol", ".gpu fiji\n.text\nx = 1\n", " s_mov_b32 s0, x\n", ""),
    shape(
        "CLRX: scopes",
        ".gpu fiji\n.text\n",
        ".scope s{n}\nx = {n}\n s_mov_b32 s0, x\n.ends\n",
        "",
    ),
    shape(
        "CLRX: nested scopes",
        ".gpu fiji\n.text\nx = 1\n",
        ".scope s{n}\n s_mov_b32 s0, x\n¦.ends\n",
        "",
    ),
    shape(
        "CLRX: conditions of one line",
        ".gpu fiji\n.text\n",
        ".if {n}; s_nop 0; .else; s_nop 1; .endif; ",
        "\n",
    ),
    shape("CLRX: macros", ".gpu fiji\n.text\n", ".macro m{n} a\n s_nop \\a\n.endm\n M{n} 1\n", ""),
];
