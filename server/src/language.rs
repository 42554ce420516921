//! Which language a text is in.
//!
//! The editor's word counts most, then the name's extension, then what the
//! text looks like: people open driver logs as `shader.txt`.

use engine::Language;

/// The language of an open document.
pub(crate) fn of_document(language_id: &str, name: &str, text: &str) -> Language {
    match language_id {
        "tgsi" => Language::Tgsi,
        "gcn" | "amdgcn" => Language::Gcn,
        _ => of_file(name, text),
    }
}

/// The language of a file: by its extension, else by its content.
pub(crate) fn of_file(name: &str, text: &str) -> Language {
    by_extension(name).unwrap_or_else(|| by_content(text))
}

/// The word that the command line prints for a language.
pub(crate) fn name(language: Language) -> &'static str {
    match language {
        Language::Tgsi => "tgsi",
        Language::Gcn => "gcn",
    }
}

fn by_extension(name: &str) -> Option<Language> {
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
        assert_eq!(of_file("log.txt", "nothing known"), Language::Tgsi);
        assert_eq!(of_file("é", "é"), Language::Tgsi);
    }
}
