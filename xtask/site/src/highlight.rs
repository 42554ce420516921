//! Colours of code: those that the engine gives to editors.

use std::fmt::Write as _;
use std::sync::Arc;

use engine::ide::SemanticKind;
use engine::{Host, Language, Settings};
use source::{TextRange, TextSize};

/// Returns code as HTML, each word in an element with the class of its meaning.
pub(crate) fn html(code: &str, language: Language) -> String {
    let mut host = Host::new(Settings::default());
    let name = match language {
        Language::Tgsi => "example.tgsi",
        Language::Gcn => "example.s",
    };
    let file = host.set_file(name, Arc::from(code), language);
    let whole = TextRange::up_to(TextSize::of(code));
    let tokens = host.snapshot().semantic_tokens(file, whole).unwrap_or_default();
    let mut html = String::with_capacity(2 * code.len());
    let mut at = 0;
    for token in tokens {
        let range = std::ops::Range::<usize>::from(token.range);
        let (Some(between), Some(word)) = (code.get(at..range.start), code.get(range.clone()))
        else {
            continue;
        };
        let class = class(token.kind);
        let _ = write!(html, "{}<i class={class}>{}</i>", escaped(between), escaped(word));
        at = range.end;
    }
    html + &escaped(&code[at..])
}

/// Returns the class of a word in the style sheet.
fn class(kind: SemanticKind) -> &'static str {
    match kind {
        SemanticKind::Keyword | SemanticKind::Macro => "k",
        SemanticKind::Opcode => "o",
        SemanticKind::File | SemanticKind::Register => "r",
        SemanticKind::Word | SemanticKind::Property | SemanticKind::Modifier => "w",
        SemanticKind::Symbol | SemanticKind::Parameter | SemanticKind::Label => "s",
        SemanticKind::Components => "m",
        SemanticKind::Number | SemanticKind::Text => "n",
        SemanticKind::Comment => "c",
    }
}

/// Returns a text with the signs that HTML gives a meaning to written as entities.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sign_of_the_code_is_lost() {
        let code = "FRAG\nDCL OUT[0], COLOR # a<b\nMOV OUT[0], OUT[0]\nEND\n";
        let html = html(code, Language::Tgsi);
        assert!(html.contains("<i class=o>MOV</i>"), "{html}");
        let mut plain = html;
        while let Some(start) = plain.find("<") {
            let end = plain[start..].find('>').unwrap();
            plain.replace_range(start..=start + end, "");
        }
        assert_eq!(plain.replace("&lt;", "<"), code);
    }
}
