//! Pages of the names that documents and headers use: questions to drivers, debug variables,
//! and words with the prefix of their enum.

use std::fmt::Write as _;

use crate::Opcode;
use crate::Stage;
use crate::capabilities;
use crate::profiles::Profile;
use crate::word_rows;

/// A name that the documents have and texts do not.
#[derive(Debug, PartialEq, Eq)]
pub struct Documented {
    /// The name, such as `PIPE_CAP_DOUBLES`.
    pub name: &'static str,
    /// A question to drivers, a debug variable, a semantic without text.
    pub kind: &'static str,
    /// The form of an answer or value; empty where there is none.
    pub answer: &'static str,
    /// The meaning, in a sentence or two.
    pub meaning: &'static str,
    /// The source of the fact.
    pub source: &'static str,
    /// The reason why no shader asks for it, where that is known.
    pub unasked: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/documented.rs"));

/// The prefixes of enums, and the list of words that each comes before.
const PREFIXES: [(&str, &str); 12] = [
    ("TGSI_OPCODE_", OPCODES),
    ("TGSI_SEMANTIC_", "semantic"),
    ("TGSI_PROPERTY_", "property"),
    ("TGSI_FILE_", "file"),
    ("TGSI_INTERPOLATE_LOC_", "location"),
    ("TGSI_INTERPOLATE_", "interpolation"),
    ("TGSI_TEXTURE_", "target"),
    ("TGSI_RETURN_TYPE_", "return"),
    ("TGSI_MEMORY_TYPE_", "memory"),
    ("TGSI_MEMORY_", "qualifier"),
    ("PIPE_TEXTURE_", "target"),
    ("PIPE_PRIM_", "primitive"),
];

/// The list of opcodes, which have a table of their own.
const OPCODES: &str = "opcode";

/// Returns every name that the documents have and texts do not.
pub fn documented() -> &'static [Documented] {
    &DOCUMENTED
}

/// The beginnings of names that documents leave out now and then; that of 2007 has `SWIZZLE_X`.
const LEFT_OUT: [&str; 4] = ["TGSI_SEMANTIC_", "PIPE_CAP_", "PIPE_SHADER_CAP_", "TGSI_"];

/// The page of a name of the documents or headers; letter case does not count.
pub fn documented_name(name: &str) -> Option<String> {
    let found = DOCUMENTED.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    let short = || {
        let is_short = |row: &&Documented| {
            let rests = LEFT_OUT.iter().filter_map(|it| row.name.strip_prefix(it));
            rests.into_iter().any(|rest| rest.eq_ignore_ascii_case(name))
        };
        DOCUMENTED.iter().find(is_short).map(documented_page)
    };
    found.map(documented_page).or_else(|| prefixed(name)).or_else(short)
}

/// The page of a word under the name that headers have for it.
fn prefixed(name: &str) -> Option<String> {
    let spelled = HEADER_NAMES.iter().find(|row| row.0.eq_ignore_ascii_case(name));
    let (list, word) = match spelled {
        Some((_, list, word)) => (*list, *word),
        None => PREFIXES.iter().find_map(|(prefix, list)| {
            let (head, word) = name.split_at_checked(prefix.len())?;
            head.eq_ignore_ascii_case(prefix).then_some((*list, word))
        })?,
    };
    let (word, page) = if list == OPCODES {
        let opcode = Opcode::find(word)?;
        (opcode.mnemonic(), super::opcode(opcode))
    } else {
        let mut rows = word_rows::all().iter().filter(|row| row.list == list);
        let row = rows.find(|row| row.word.eq_ignore_ascii_case(word))?;
        (row.word, super::page(row))
    };
    Some(format!(
        "`{name}` is the name of the headers and documents; texts write `{word}`.\n\n{page}"
    ))
}

fn documented_page(row: &Documented) -> String {
    let mut page = format!("**`{}`** {}\n\n{}\n", row.name, row.kind, row.meaning);
    if !row.answer.is_empty() {
        let what = if row.kind == "debug variable" { "Value" } else { "Answer" };
        let _ = write!(page, "\n{what}: {}\n", row.answer);
    }
    if row.name.contains("CAP") {
        askers(&mut page, row);
        answers(&mut page, row.name);
    }
    let _ = write!(page, "\n*{}*\n", row.source);
    page
}

/// Writes the words of texts that depend on an answer.
fn askers(page: &mut String, documented: &Documented) {
    let mut any = false;
    for row in capabilities::all().iter().filter(|row| row.name == documented.name) {
        any = true;
        let words: Vec<String> = row.words.iter().map(|word| format!("`{word}`")).collect();
        let gap = if row.when.is_empty() { "" } else { ", " };
        let (list, words) = (row.list, words.join(", "));
        let _ = write!(page, "\nAsked by the {list} {words}{gap}{}\n", row.when);
    }
    match documented.unasked {
        _ if any => {}
        "" => page.push_str("\nNo word of a shader asks for it.\n"),
        reason => {
            let _ = write!(page, "\nNo word of a shader asks for it: {reason}.\n");
        }
    }
}

/// Writes the answers of the drivers that are known, the drivers of one answer together.
fn answers(page: &mut String, name: &str) {
    let stage = if name.starts_with("PIPE_COMPUTE") { Stage::Compute } else { Stage::Fragment };
    let mut answers: Vec<(String, Vec<&str>)> = Vec::new();
    for profile in Profile::all() {
        let Some(answer) = profile.answer(name, stage) else { continue };
        let answer = answer.to_string();
        match answers.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, drivers)) => drivers.push(&profile.name),
            None => answers.push((answer, vec![&profile.name])),
        }
    }
    let place = if name.starts_with("PIPE_SHADER") { " in FRAG" } else { "" };
    for (answer, drivers) in answers {
        let _ = write!(page, "\n`{answer}`{place}: {}\n", drivers.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_of_a_shader_has_a_page() {
        for row in capabilities::all() {
            let page = documented_name(row.name).unwrap_or_else(|| panic!("{}", row.name));
            assert!(page.contains("Asked by"), "{page}");
        }
        let names = DOCUMENTED.iter().map(|row| row.name);
        assert!(names.clone().is_sorted() && names.count() > 280);
    }

    /// The values of every enum that the documents name.
    #[test]
    fn values_of_enums_have_pages() {
        for (name, meaning) in [
            ("TGSI_SWIZZLE_W", "`TEMP[0].wwww`; 3 in tokens"),
            ("TGSI_WRITEMASK_XZ", "`xz`, as in `TEMP[0].xz`; 5 in tokens"),
            ("TGSI_CYLINDRICAL_WRAP_X", "`CYLWRAP_X`"),
            ("TGSI_EXTSWIZZLE_ZERO", "`TEMP[0].xy00`"),
            ("TGSI_SAT_ZERO_ONE", "`_SAT` in texts"),
            ("TGSI_DECLARE_RANGE", "`DCL TEMP[0..3]`"),
            ("PIPE_BIND_SHADER_IMAGE", "`IMAGE[n]` in texts"),
            ("PIPE_USAGE_STAGING", "the processor"),
            ("PIPE_FACE_NONE", "No polygon"),
            ("PIPE_POLYGON_MODE_LINE", "edges"),
            ("PIPE_CONSERVATIVE_RASTER_PRE_SNAP", "before its vertices"),
            ("PIPE_SPRITE_COORD_LOWER_LEFT", "lower left"),
            ("PIPE_TEX_WRAP_MIRROR_REPEAT", "mirrored"),
            ("PIPE_TEX_FILTER_NEAREST", "One texel"),
            ("PIPE_TEX_MIPFILTER_NONE", "level 0"),
            ("PIPE_TEX_COMPARE_R_TO_TEXTURE", "shadow targets"),
            ("PIPE_FUNC_LEQUAL", "less or equal"),
            ("PIPE_QUERY_TIMESTAMP", "nanoseconds"),
            ("PIPE_RENDER_COND_WAIT", "waits"),
            ("PIPE_FLUSH_DEFERRED", "fence"),
            ("PIPE_TRANSFER_READ", "is read"),
            ("PIPE_RESOURCE_FLAG_SPARSE", "committed"),
            ("PIPE_TESS_SPACING_EQUAL", "2 of the property `TES_SPACING`"),
        ] {
            let page = documented_name(name).unwrap_or_else(|| panic!("{name}"));
            assert!(page.contains(meaning), "{page}");
        }
    }

    #[test]
    fn names_of_headers_lead_to_the_words_of_texts() {
        for (name, word) in [
            ("TGSI_SEMANTIC_FACE", "FACE"),
            ("TGSI_OPCODE_MAD", "MAD"),
            ("TGSI_FILE_CONSTANT", "CONST"),
            ("PIPE_TEXTURE_CUBE", "CUBE"),
            ("PRIMID", "PRIM_ID"),
            ("PIPE_SHADER_FRAGMENT", "FRAG"),
            ("TGSI_PROCESSOR_TESS_EVAL", "TESS_EVAL"),
            ("PIPE_PRIMITIVE_QUAD", "QUADS"),
        ] {
            let page = documented_name(name).unwrap_or_else(|| panic!("{name}"));
            assert!(page.contains(&format!("texts write `{word}`")), "{page}");
        }
        assert_eq!(documented_name("TGSI_SEMANTIC_NONE"), None);
        for (short, whole) in [
            ("TESS_DEFAULT_OUTER_LEVEL", "TGSI_SEMANTIC_TESS_DEFAULT_OUTER_LEVEL"),
            ("doubles", "PIPE_CAP_DOUBLES"),
            ("INTEGERS", "PIPE_SHADER_CAP_INTEGERS"),
            ("SWIZZLE_X", "TGSI_SWIZZLE_X"),
        ] {
            assert_eq!(documented_name(short), documented_name(whole), "{short}");
        }
    }
}
