//! The language that a text is in.
//!
//! The editor's word counts most, then the name's extension, then what the
//! text looks like: people open driver logs as `shader.txt`.

use engine::Language;

/// The language of an open document.
pub(crate) fn of_document(language_id: &str, name: &str, text: &str) -> Language {
    of_id(language_id).unwrap_or_else(|| of_file(name, text))
}

/// The language that an editor's word for it means; `None` for words that say nothing.
pub(crate) fn of_id(language_id: &str) -> Option<Language> {
    match language_id {
        "tgsi" => Some(Language::Tgsi),
        "gcn" | "amdgcn" => Some(Language::Gcn),
        _ => None,
    }
}

/// The language of a file: by its extension, else by its content. Of sources of other languages
/// the shaders are.
pub(crate) fn of_file(name: &str, text: &str) -> Language {
    let named = by_extension(name).or(engine::is_source(name).then_some(Language::Tgsi));
    named.unwrap_or_else(|| by_content(text))
}

/// Names that the assembly of every machine shares.
const SHARED_EXTENSIONS: [&str; 3] = ["s", "asm", "inc"];

/// Beginnings of directives that only our files have, or that bring in what has
/// our instructions.
const OWN_DIRECTIVES: [&str; 7] =
    [".amd", ".include", ".hsa_", ".gpu", ".gallium", ".rocm", ".macro"];

/// Tells whether a file is assembly of another machine: `.s` is a name that all share.
/// A text that shows nothing yet is not.
pub(crate) fn is_foreign(name: &str, text: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    if !extension.is_some_and(|it| SHARED_EXTENSIONS.iter().any(|of| it.eq_ignore_ascii_case(of))) {
        return false;
    }
    let mut others = false;
    let mut is_comment = false;
    for line in text.lines().take(LINES_LOOKED_AT) {
        // Words of a licence are not instructions.
        let comment = match is_comment {
            true => Some(line),
            false => line.trim_start().strip_prefix("/*"),
        };
        let line = match comment.map(|comment| comment.split_once("*/")) {
            None => line,
            Some(Some((_, behind))) => behind,
            Some(None) => "",
        };
        is_comment = comment.is_some_and(|comment| !comment.contains("*/"));
        // Labels stand before the statement.
        let label = line.split_once(": ").filter(|(label, _)| !label.trim().contains(' '));
        let statement = label.map_or(line, |(_, statement)| statement);
        let mut words = statement.split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        if words.next().is_some_and(|second| second.starts_with('=')) {
            continue; // A symbol is given a value alike everywhere.
        }
        if is_machine_line(statement) || gcn::mnemonics::op_info(first).is_some() {
            return false;
        }
        let lower = first.to_ascii_lowercase();
        if OWN_DIRECTIVES.iter().any(|own| lower.starts_with(own)) {
            return false;
        }
        others |= first.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && first.starts_with(|letter: char| letter.is_ascii_alphabetic());
    }
    others
}

/// Tells whether a text is what some program said, which nobody writes anew: a log with shaders
/// in it, or the listing of machine code. The strings of a source and the blocks of a page are
/// somebody's own.
pub(crate) fn is_log(name: &str, text: &str, language: Language) -> bool {
    let is_page = name.rsplit_once('.').is_some_and(|(_, it)| it.eq_ignore_ascii_case("md"));
    if language == Language::Gcn {
        return gcn::dialect::detect(text).listing.is_some();
    }
    if is_page || engine::is_source(name) {
        return false;
    }
    let shaders = tgsi::regions::split(text).shaders;
    let all_lines = shaders.iter().all(|shader| shader.map().is_contiguous());
    if !all_lines || by_extension(name).is_some() {
        return !all_lines;
    }
    let ends = shaders.iter().map(|shader| usize::from(shader.range().end()));
    let starts = shaders.iter().map(|shader| usize::from(shader.range().start()));
    let around = std::iter::once(0).chain(ends).zip(starts.chain([text.len()]));
    around.map(|(from, to)| text.get(from..to).unwrap_or_default()).any(|text| !is_quiet(text))
}

/// Tells whether a text is empty but for comments.
fn is_quiet(text: &str) -> bool {
    let mut is_comment = false;
    text.trim_start_matches('\u{feff}').lines().map(str::trim).all(|line| {
        let was_comment = is_comment || line.starts_with("/*");
        is_comment = was_comment && !line.ends_with("*/");
        was_comment || line.is_empty() || line.starts_with('#') || line.starts_with("//")
    })
}

/// The word that the command line prints for a language.
pub(crate) fn name(language: Language) -> &'static str {
    match language {
        Language::Tgsi => "tgsi",
        Language::Gcn => "gcn",
    }
}

/// The language that a name says; `None` where it says nothing.
pub(crate) fn by_extension(name: &str) -> Option<Language> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "tgsi" => Some(Language::Tgsi),
        "s" | "asm" | "gcn" | "isa" | "amdgcn" => Some(Language::Gcn),
        _ => None,
    }
}

/// A text with a shader header is TGSI, one with machine mnemonics and no
/// header is GCN; what says nothing is TGSI, whose parser explains itself.
fn by_content(text: &str) -> Language {
    if !tgsi::regions::split(text).shaders.is_empty() {
        return Language::Tgsi;
    }
    if gcn::dialect::detect(text).listing.is_some() {
        return Language::Gcn;
    }
    let machine_lines = text.lines().take(LINES_LOOKED_AT).filter(|line| is_machine_line(line));
    if machine_lines.count() > 0 { Language::Gcn } else { Language::Tgsi }
}

/// Enough to get past a licence and a block of directives.
const LINES_LOOKED_AT: usize = 500;

fn is_machine_line(line: &str) -> bool {
    let line = line.trim_start();
    const BEGINNINGS: [&str; 10] = [
        "s_",
        "v_",
        "ds_",
        "buffer_",
        "image_",
        "flat_",
        "global_",
        "exp ",
        ".amdgcn_target",
        ".gpu ",
    ];
    BEGINNINGS.iter().any(|beginning| {
        line.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_then_the_extension_then_the_text_decides() {
        assert_eq!(of_document("gcn", "a.tgsi", ""), Language::Gcn);
        assert_eq!(of_document("plaintext", "a.tgsi", "s_endpgm"), Language::Tgsi);
        assert_eq!(of_file("dir/kernel.S", ""), Language::Gcn);
        assert_eq!(of_file("log.txt", "  v_add_f32 v0, v1, v2\n"), Language::Gcn);
        let nir = "\tvec1 32 ssa_1 = iadd ssa_0, ssa_0\n".repeat(10_000);
        let dump = format!("shader: MESA_SHADER_COMPUTE\n{nir}\nCompute Shader\ndisasm:\n");
        assert_eq!(of_file("log.txt", &dump), Language::Gcn);
        assert_eq!(of_file("log.txt", "nothing known"), Language::Tgsi);
        assert_eq!(of_file("é", "é"), Language::Tgsi);
        assert_eq!(of_document("python", "a.py", "s_total = 1\n"), Language::Tgsi);
    }

    #[test]
    fn what_a_program_said_is_a_log() {
        const SHADER: &str = "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n";
        let of = |name: &str, text: &str| is_log(name, text, Language::Tgsi);
        let commented = format!("# one\n/* two\nthree */\n{SHADER}\n// four\n{SHADER}");
        assert!(!of("a.tgsi", SHADER) && !of("-", SHADER) && !of("-", &commented));
        assert!(of("a.txt", &format!("driver: loaded\n{SHADER}driver: done\n")));
        assert!(of("-", &SHADER.replace("\n", "\n[drm] ").replacen("FRAG", "[drm] FRAG", 1)));
        let literal = format!("const A: &str = \"{}\";\n", SHADER.replace('\n', "\\n"));
        assert!(!of("a.rs", &literal));
        assert!(!of("a.md", &format!("Text.\n\n```tgsi\n{SHADER}```\n")));
        let listing = "a.hsaco: file format elf64-amdgpu\n\ts_endpgm // 000000000000: BF810000\n";
        assert!(is_log("a.s", listing, Language::Gcn));
        assert!(!is_log("a.s", "s_endpgm\n", Language::Gcn));
    }

    #[test]
    fn assembly_of_other_machines_is_none_of_ours() {
        let texts = [
            "\t.file \"a.c\"\n\t.text\nmain:\n\tpushq %rbp\n\tmovq %rsp, %rbp\n\tret\n",
            "section .text\nglobal _start\n_start: mov eax, 1\n int 0x80\n",
            ".syntax unified\n.arch armv7-a\nmain:\n  push {r4, lr}\n  bl puts\n",
            "main:\n  addi sp, sp, -16\n  sd ra, 8(sp)\n",
        ];
        for text in texts {
            assert!(is_foreign("a.s", text) && is_foreign("A.ASM", text), "{text}");
            assert!(!is_foreign("a.gcn", text));
        }
        let ours = [
            "",
            "\n; nothing\n",
            "main: s_nop 0\n",
            ".include \"a.inc\"\n do it\n",
            ".gpu Fiji\n",
            "/* mov is\nno word of ours */\nnbytes = 4 / size\n",
            "a.hsaco: file format elf64-amdgpu\n\ts_endpgm // 000000000000: BF810000\n",
            "/*000000*/ .short 1\n/*bf810000*/ s_endpgm\n ret\n",
        ];
        for text in ours {
            assert!(!is_foreign("a.s", text), "{text}");
        }
    }
}
