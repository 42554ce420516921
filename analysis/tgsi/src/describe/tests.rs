//! Pages as a whole.

use expect_test::{Expect, expect};

use super::*;
use crate::words::{Modifier, PropertyName, SemanticName, TextureTarget};

fn check(page: &str, expected: Expect) {
    expected.assert_eq(page);
}

fn page(mnemonic: &str) -> String {
    Opcode::find(mnemonic).map(opcode).unwrap_or_default()
}

#[test]
fn live_opcode() {
    check(
        &page("LIT"),
        expect![[r#"
            ```tgsi
            LIT dst: float, src0: float
            ```

            ```text
            dst.x = 1.0
            dst.y = max(src0.x, 0.0)
            dst.z = (src0.x > 0.0) ? pow(max(src0.y, 0.0), clamp(src0.w, -128.0, 128.0)) : 0.0
            dst.w = 1.0
            ```

            Coefficients of classic lighting: x is the diffuse and y the specular cosine, w the shininess. The result's y and z are the diffuse and specular factors.

            Components: each by a rule of its own

            since 2007-11-23

            *Gallium documentation 2020, Core ISA*
        "#]],
    );
}

#[test]
fn texture_opcode() {
    check(
        &page("TXB2"),
        expect![[r#"
            ```tgsi
            TXB2 dst: float, src0: float, src1: float, src2: sampler, TARGET
            ```

            ```text
            dst = sample(sampler src2, coordinates src0, bias src1.x)
            ```

            TXB with the bias in a register of its own, for targets that need all four coordinates. The documents call SHADOW2D_ARRAY not legal; drivers that answer yes to PIPE_CAP_TEXTURE_SHADOW_LOD take it, and that reading is taken. The reference of a SHADOWCUBEARRAY is src1.y.

            FRAG · since 2012-11-09

            *Gallium documentation 2020, Core ISA*
        "#]],
    );
}

#[test]
fn historic_opcodes() {
    check(
        &page("XPD"),
        expect![[r#"
            ```tgsi
            XPD dst: float, src0: float, src1: float
            ```

            ```text
            dst.x = src0.y * src1.z - src1.y * src0.z
            dst.y = src0.z * src1.x - src1.z * src0.x
            dst.z = src0.x * src1.y - src1.x * src0.y
            dst.w = 1.0
            ```

            Cross product of two three-component vectors. Mesa dropped it; virglrenderer still reads it.

            Components: each by a rule of its own

            2007-11-23 to 2017-08-22

            **Historic.** Today:

            ```tgsi
            MUL tmp.xyz, src0.zxyw, src1.yzxw
            MAD dst.xyz, src0.yzxw, src1.zxyw, -tmp
            ```

            *TGSI specification 2009; Mesa opcode table of 2012*
        "#]],
    );
    check(
        &page("INDEX"),
        expect![[r#"
            ```tgsi
            INDEX dst: float, src0: float, src1: float
            ```

            ```text
            not documented
            ```

            A number reserved in the first opcode table; no document or program gives it a meaning.

            Components: each from the same component of the sources

            2007-11-23 to 2009-07-23

            **Historic**, and it has no replacement.

            *Mesa opcode table of 2009*
        "#]],
    );
}

#[test]
fn words_of_lists() {
    check(
        &super::page(SemanticName::Face.row()),
        expect![[r#"
            **`FACE`** semantic

            Which side faces the viewer. As an input a float, positive in front and negative behind; as a system value an integer, all bits set in front and zero behind.

            Components: x

            FRAG in, FRAG sv · since 2009-07-01

            Depends on `PIPE_CAP_TGSI_FS_FACE_IS_INTEGER_SYSVAL` (FRAG reads it from SV, as an integer, and not from IN)

            *Gallium documentation 2020, 3.4.3 Declaration Semantic; TGSI specification 2009, FACE*
        "#]],
    );
    check(
        &super::page(TextureTarget::ShadowArray2D.row()),
        expect![[r#"
            **`SHADOW2D_ARRAY`** texture target

            Layers of two-dimensional depth textures that are compared. First spelt SHADOW2DARRAY.

            Coordinates: xy, layer z, reference w

            since 2011-09-10

            Needs `PIPE_CAP_TEXTURE_SHADOW_LOD` (with a level or a bias), `PIPE_CAP_TEXTURE_SHADOW_MAP`

            Limited by `PIPE_CAP_MAX_TEXTURE_ARRAY_LAYERS` (0 means no arrays)

            *Gallium documentation 2020, 3.2.1 Core ISA (TEX); Mesa text tables of 2012*
        "#]],
    );
    check(
        &super::page(PropertyName::MultiplyZeroWins.row()),
        expect![[r#"
            **`MUL_ZERO_WINS`** property

            Float products are zero when a factor is zero, even against infinity or NaN; it covers MAD, FMA, dot products, LRP and the like too. The documents let FMA round once and zero win at the same time, and so it is done.

            Value: 0 or 1

            2017-01-23 to 2022-06-10

            Needs `PIPE_CAP_TGSI_MUL_ZERO_WINS`

            **Historic.** Today: LEGACY_MATH_RULES.

            *Gallium documentation 2020, 3.4.8 Properties*
        "#]],
    );
    check(
        &super::page(Modifier::Saturate.row()),
        expect![[r#"
            **`_SAT`** modifier

            Limits each component of the result to the range from 0 to 1. It is read on every opcode and means something for float results.

            Form: after the opcode

            since 2007-11-23

            Needs `PIPE_CAP_VERTEX_SHADER_SATURATE` (in VERT)

            *TGSI token format 2007, table 19; Gallium documentation 2020, 3.1.1 Modifiers*
        "#]],
    );
    assert_eq!(word("semantic", "FACE"), Some(super::page(SemanticName::Face.row())));
    assert_eq!(word("semantic", "NOTHING"), None);
}

#[test]
fn signatures_name_resources_by_kind() {
    let signature = |word| Opcode::find(word).map(|opcode| signature(opcode.row()));
    let is = |word, expected: &str| assert_eq!(signature(word).as_deref(), Some(expected));
    is("NOP", "NOP");
    is("CAL", "CAL [:label]");
    is("IF", "IF src0: float [:label]");
    is("TEX", "TEX dst: float, src0: float, src1: sampler, TARGET");
    is("SAMPLE", "SAMPLE dst: float, src0: float, src1: view, src2: sampler");
    is("STORE", "STORE dst: resource, src0: uint, src1: float");
    is("ATOMUADD", "ATOMUADD dst: uint, src0: resource, src1: uint, src2: uint");
    is("DFRACEXP", "DFRACEXP dst0: double, dst1: int, src0: double");
}

#[test]
fn every_texture_opcode_has_one_sampler() {
    for opcode in Opcode::all().filter(|opcode| opcode.row().texture) {
        assert_eq!(signature(opcode.row()).matches(": sampler").count(), 1, "{opcode:?}");
    }
}

#[test]
fn formats_are_spelled_out() {
    let page = |name: &str| crate::formats::find(name).map(format).unwrap_or_default();
    check(
        &page("PIPE_FORMAT_B8G8R8X8_SRGB"),
        expect![[r#"
        **`PIPE_FORMAT_B8G8R8X8_SRGB`** image format

        32 bits per texel, the lowest first: BGR 8 bits each (unsigned, normalised to 0..1), 8 unused bits.

        Read by a shader: (r, g, b, 1)

        Colours are kept in sRGB: reading makes them linear.

        *Mesa 21.0-devel, u_format.csv*
    "#]],
    );
    check(
        &page("PIPE_FORMAT_R11G11B10_FLOAT"),
        expect![[r#"
        **`PIPE_FORMAT_R11G11B10_FLOAT`** image format

        32 bits per texel, packed in a way of its own: RG 11 bits each (float), B 10 bits (float).

        Read by a shader: (r, g, b, 1)

        *Mesa 21.0-devel, u_format.csv*
    "#]],
    );
    check(
        &page("PIPE_FORMAT_L8A8_UNORM"),
        expect![[r#"
        **`PIPE_FORMAT_L8A8_UNORM`** image format

        16 bits per texel, the lowest first: LA 8 bits each (unsigned, normalised to 0..1).

        Read by a shader: (l, l, l, a)

        *Mesa 21.0-devel, u_format.csv*
    "#]],
    );
    check(
        &page("PIPE_FORMAT_Z24_UNORM_S8_UINT"),
        expect![[r#"
            **`PIPE_FORMAT_Z24_UNORM_S8_UINT`** image format

            32 bits per texel, the lowest first: Z 24 bits (unsigned, normalised to 0..1), S 8 bits (unsigned integer).

            Read by a shader: (z, s, -, -)

            Depth and stencil; x is the depth and y the stencil.

            *Mesa 21.0-devel, u_format.csv*
        "#]],
    );
    check(
        &page("PIPE_FORMAT_DXT1_RGB"),
        expect![[r#"
        **`PIPE_FORMAT_DXT1_RGB`** image format

        64 bits for 4×4 texels: S3TC compression.

        Read by a shader: (r, g, b, 1)

        *Mesa 21.0-devel, u_format.csv*
    "#]],
    );
    check(
        &page("PIPE_FORMAT_NONE"),
        expect![[r#"
        **`PIPE_FORMAT_NONE`** image format

        No format: what the image is bound with decides.

        *Mesa 21.0-devel, u_format.csv*
    "#]],
    );
}

#[test]
fn every_format_has_a_page_without_gaps() {
    for row in crate::formats::all() {
        let page = format(row);
        assert!(!page.contains('?') && page.contains("\n\n*"), "{page}");
    }
}

#[test]
fn formats_return_what_their_components_say() {
    for (name, components) in [
        ("PIPE_FORMAT_R32_FLOAT", "R"),
        ("PIPE_FORMAT_R16G16_SNORM", "RG"),
        ("PIPE_FORMAT_B8G8R8X8_UNORM", "RGB"),
        ("PIPE_FORMAT_A8B8G8R8_UNORM", "RGBA"),
        ("PIPE_FORMAT_A8_UNORM", "A"),
        ("PIPE_FORMAT_L16_FLOAT", "L"),
        ("PIPE_FORMAT_L4A4_UNORM", "LA"),
        ("PIPE_FORMAT_I32_UINT", "I"),
    ] {
        let format = crate::formats::find(name).expect("a format");
        let row = texture_components().iter().find(|row| row.components == components);
        assert_eq!(formats::returned(format), row.expect("a row").gallium, "{name}");
    }
}
