//! The pages of opcodes and words as Markdown, for hovers and `explain`.
//!
//! Everything said here comes from the rows of the tables; this file only
//! arranges it: a heading, how it is written or what it computes, what it
//! means, where and since when it is legal, and the source.

use std::fmt::Write as _;

use crate::Opcode;
use crate::opcodes::{Row, ValueType};
use crate::word_rows::{self, WordRow};
use crate::words::{
    CoordinateOrigin, File, ImmediateType, Interpolation, InterpolationLocation, Keyword,
    MemoryKind, MemoryQualifier, Modifier, PixelCenter, Primitive, PropertyName, ReturnType,
    SemanticName, Stage, TextureTarget,
};

/// The page of an opcode.
pub fn opcode(opcode: Opcode) -> String {
    let row = opcode.row();
    let mut page = format!("```tgsi\n{}\n```\n", signature(row));
    code_block(&mut page, "text", row.formula);
    let _ = write!(page, "\n{}\n", row.description);
    legality(&mut page, row.stages, row.since, row.until);
    replacement(&mut page, row.replacement);
    let _ = write!(page, "\n*{}*\n", row.source);
    page
}

/// The operands of an opcode in one line, such as
/// `MAD dst: float, src0: float, src1: float, src2: float`.
pub fn signature(row: &Row) -> String {
    let mut operands = Vec::new();
    for (number, ty) in row.destination_types.iter().enumerate() {
        let name = match row.destinations {
            1 => "dst".to_owned(),
            _ => format!("dst{number}"),
        };
        operands.push(operand(row, &name, *ty));
    }
    for (number, ty) in row.source_types.iter().enumerate() {
        operands.push(operand(row, &format!("src{number}"), *ty));
    }
    if row.texture {
        operands.push("TARGET".to_owned());
    }
    let separator = if operands.is_empty() { "" } else { " " };
    let label = if row.label { " [:label]" } else { "" };
    format!("{}{separator}{}{label}", row.mnemonic, operands.join(", "))
}

/// An operand with what it must be. Formulas name operands that are resources
/// by their kind; a type would say nothing about them.
fn operand(row: &Row, name: &str, ty: ValueType) -> String {
    const KINDS: [&str; 5] = ["sampler", "view", "image", "resource", "output"];
    let named = KINDS.iter().find(|kind| row.formula.contains(&format!("{kind} {name}")));
    let kind = match named {
        Some(kind) => kind,
        None if row.formula.contains(&format!("{name}[")) => "resource",
        None => type_name(ty),
    };
    format!("{name}: {kind}")
}

/// How pages call a type.
pub fn type_name(ty: ValueType) -> &'static str {
    match ty {
        ValueType::Untyped => "bits",
        ValueType::Float => "float",
        ValueType::Signed => "int",
        ValueType::Unsigned => "uint",
        ValueType::Double => "double",
        ValueType::Signed64 => "int64",
        ValueType::Unsigned64 => "uint64",
    }
}

/// The page of a word of the named list; `None` for a word the list does not
/// have. Letter case counts: it is the spelling of the enum.
pub fn word(list: &str, word: &str) -> Option<String> {
    word_rows::find(list, word).map(word_page)
}

fn word_page(row: &WordRow) -> String {
    let mut page = format!("**`{}`** {}\n\n{}\n", row.word, list_name(row.list), row.description);
    if !row.value.is_empty() {
        let _ = write!(page, "\n{}: {}\n", value_name(row.list), row.value);
    }
    legality(&mut page, row.stages, row.since, row.until);
    replacement(&mut page, row.replacement);
    let _ = write!(page, "\n*{}*\n", row.source);
    page
}

/// What a list's words are, in words.
fn list_name(list: &str) -> &str {
    match list {
        "file" => "register file",
        "target" => "texture target",
        "location" => "interpolation location",
        "immediate" => "immediate type",
        "return" => "return type",
        "memory" => "kind of memory",
        "qualifier" => "memory qualifier",
        "origin" => "coordinate origin",
        "center" => "pixel centre",
        "keyword" => "",
        other => other,
    }
}

/// What the `value` column of a list tells.
fn value_name(list: &str) -> &'static str {
    match list {
        "semantic" => "Components",
        "target" => "Coordinates",
        "file" | "modifier" | "keyword" => "Form",
        _ => "Value",
    }
}

/// Where and when: `FRAG · 2014-08-14 to today`.
fn legality(page: &mut String, stages: &str, since: &str, until: &str) {
    let mut parts = Vec::new();
    if stages != "any" {
        parts.push(stages.replace("any ", ""));
    }
    match (since, until) {
        ("", _) => {}
        (since, "") => parts.push(format!("{since} to today")),
        (since, until) => parts.push(format!("{since} to {until}")),
    }
    if !parts.is_empty() {
        let _ = write!(page, "\n{}\n", parts.join(" · "));
    }
}

/// What to write instead of a historic opcode or word.
fn replacement(page: &mut String, replacement: &str) {
    match replacement.strip_prefix("none") {
        _ if replacement.is_empty() => {}
        Some("") => page.push_str("\n**Historic**, and nothing replaces it.\n"),
        Some(why) => {
            let why = why.trim_start_matches([':', ' ']);
            let _ = write!(page, "\n**Historic**, and nothing replaces it as such: {why}.\n");
        }
        // Whole instructions; anything else is a name or a hint.
        None if replacement.contains("; ") || replacement.contains(" dst") => {
            page.push_str("\n**Historic.** Today:\n");
            code_block(page, "tgsi", replacement);
        }
        None => {
            let _ = write!(page, "\n**Historic.** Today: {replacement}.\n");
        }
    }
}

/// The steps of a formula or replacement, one to a line.
fn code_block(page: &mut String, language: &str, steps: &str) {
    let _ = write!(page, "\n```{language}\n{}\n```\n", steps.replace("; ", "\n"));
}

/// Defines the page of each word of an enum.
macro_rules! pages {
    ($($(#[$meta:meta])* $function:ident($name:ident);)*) => {
        $($(#[$meta])* pub fn $function(entry: $name) -> String { word_page(entry.row()) })*
    };
}

pages! {
    /// The page of a stage.
    stage(Stage);
    /// The page of a register file.
    file(File);
    /// The page of a semantic.
    semantic(SemanticName);
    /// The page of a property.
    property(PropertyName);
    /// The page of a texture target.
    target(TextureTarget);
    /// The page of an interpolation mode.
    interpolation(Interpolation);
    /// The page of an interpolation location.
    interpolation_location(InterpolationLocation);
    /// The page of an immediate type.
    immediate_type(ImmediateType);
    /// The page of a sampler view's return type.
    return_type(ReturnType);
    /// The page of a kind of memory.
    memory_kind(MemoryKind);
    /// The page of a memory qualifier.
    memory_qualifier(MemoryQualifier);
    /// The page of a primitive type.
    primitive(Primitive);
    /// The page of a coordinate origin.
    coordinate_origin(CoordinateOrigin);
    /// The page of a pixel centre.
    pixel_center(PixelCenter);
    /// The page of a modifier of an opcode or operand.
    modifier(Modifier);
    /// The page of a statement word or declaration attribute.
    keyword(Keyword);
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

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

                2007-11-23 to today

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

                TXB with the bias in a register of its own, for cube arrays and SHADOWCUBE only. The reference of a SHADOWCUBEARRAY is src1.y.

                FRAG · 2012-11-09 to today

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

                2007-11-23 to 2009-07-23

                **Historic**, and nothing replaces it.

                *Mesa opcode table of 2009*
            "#]],
        );
    }

    #[test]
    fn words_of_lists() {
        check(
            &semantic(SemanticName::Face),
            expect![[r#"
                **`FACE`** semantic

                Which side faces the viewer. As an input a float, positive in front and negative behind; as a system value an integer, all bits set in front and zero behind.

                Components: x

                FRAG in, FRAG sv · 2009-07-01 to today

                *Gallium documentation 2020, 3.4.3 Declaration Semantic; TGSI specification 2009, FACE*
            "#]],
        );
        check(
            &target(TextureTarget::ShadowArray2D),
            expect![[r#"
                **`SHADOW2D_ARRAY`** texture target

                Layers of two-dimensional depth textures that are compared. First spelt SHADOW2DARRAY.

                Coordinates: xy, layer z, reference w

                2011-09-10 to today

                *Gallium documentation 2020, 3.2.1 Core ISA (TEX); Mesa text tables of 2012*
            "#]],
        );
        check(
            &property(PropertyName::MultiplyZeroWins),
            expect![[r#"
                **`MUL_ZERO_WINS`** property

                Float products are zero when a factor is zero, even against infinity or NaN; it covers MAD, dot products, LRP and the like too.

                Value: 0 or 1

                2017-01-23 to 2022-06-10

                **Historic.** Today: LEGACY_MATH_RULES.

                *Gallium documentation 2020, 3.4.8 Properties*
            "#]],
        );
        check(
            &modifier(Modifier::Saturate),
            expect![[r#"
                **`_SAT`** modifier

                Limits each component of the result to the range from 0 to 1. It is read on every opcode and means something for float results.

                Form: after the opcode

                2007-11-23 to today

                *TGSI token format 2007, table 19; Gallium documentation 2020, 3.1.1 Modifiers*
            "#]],
        );
        assert_eq!(word("semantic", "FACE"), Some(semantic(SemanticName::Face)));
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
}
