//! Pages in Markdown as a terminal shows them: code without fences, words without their marks.
//!
//! Pages are our own, so this reads what they are written in: headings, fenced code, rules,
//! tables as they stand, and within a line code, emphasis and links.

use std::io;

use super::output::{Output, Style};

/// Columns of a rule between two parts.
const RULE_WIDTH: usize = 40;

/// Prints a page.
pub(super) fn print(markdown: &str, output: &mut Output) -> io::Result<()> {
    let mut fenced = false;
    let mut is_blank = true;
    for line in markdown.lines() {
        let word = line.trim();
        if word.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        // A fence leaves blank lines on both sides.
        if !fenced && word.is_empty() && is_blank {
            continue;
        }
        is_blank = word.is_empty();
        if fenced {
            output.styled_line(Style::Source, &format!("    {line}"))?;
        } else if word == "---" {
            output.styled_line(Style::Faint, &"\u{2500}".repeat(RULE_WIDTH))?;
        } else if let Some(heading) = heading(word) {
            output.styled_line(Style::Strong, heading)?;
        } else {
            for (style, text) in spans(line) {
                output.styled(style, text)?;
            }
            output.line("")?;
        }
    }
    Ok(())
}

/// The words of a heading.
fn heading(line: &str) -> Option<&str> {
    let words = line.trim_start_matches('#');
    (words.len() < line.len()).then(|| words.strip_prefix(' ')).flatten()
}

/// The marks around words, and how these are shown. The longer one of two comes first.
const MARKS: [(&str, Style); 4] =
    [("**", Style::Strong), ("`", Style::Source), ("*", Style::Faint), ("_", Style::Faint)];

/// The parts of a line, without the marks that say how they are shown.
fn spans(line: &str) -> Vec<(Style, &str)> {
    let mut spans = Vec::new();
    let mut rest = line;
    let mut plain = 0;
    while plain < rest.len() {
        let Some((style, inner, end)) = marked(&rest[plain..], is_word_end(&rest[..plain])) else {
            plain += rest[plain..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        if plain > 0 {
            spans.push((Style::Plain, &rest[..plain]));
        }
        match style {
            // What is emphasised may be code.
            Style::Strong => spans.push((style, inner.trim_matches('`'))),
            _ => spans.push((style, inner)),
        }
        rest = &rest[plain + end..];
        plain = 0;
    }
    if !rest.is_empty() {
        spans.push((Style::Plain, rest));
    }
    spans
}

/// Tells whether a mark after this text would be within a word, such as `a_b`.
fn is_word_end(before: &str) -> bool {
    before.chars().next_back().is_some_and(char::is_alphanumeric)
}

/// The words between marks at the beginning of a text, and where they end. Of a link that is
/// its title.
fn marked(text: &str, in_word: bool) -> Option<(Style, &str, usize)> {
    if let Some((title, target)) = text.strip_prefix('[').and_then(|it| it.split_once("](")) {
        let end = target.find(')')?;
        return (!title.contains(['[', ']'])).then(|| {
            let length = text.len() - target.len() + end + 1;
            (Style::Source, title.trim_matches('`'), length)
        });
    }
    let (mark, style) = MARKS.iter().find(|(mark, _)| text.starts_with(mark))?;
    let inner = &text[mark.len()..];
    let end = inner.find(mark)?;
    let stands = end > 0 && (*style == Style::Source || !in_word && !inner.starts_with(' '));
    stands.then(|| (*style, &inner[..end], end + 2 * mark.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_how_words_are_shown() {
        let shown = spans("**`IF`** opens: see `ENDIF`, *old*, [the page](x.md) and a_b_c * 2");
        let expected = [
            (Style::Strong, "IF"),
            (Style::Plain, " opens: see "),
            (Style::Source, "ENDIF"),
            (Style::Plain, ", "),
            (Style::Faint, "old"),
            (Style::Plain, ", "),
            (Style::Source, "the page"),
            (Style::Plain, " and a_b_c * 2"),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_no_mark_stays() {
        for line in ["a * b * c", "**", "`", "[a] (b)", "2 ** 3", "", "[", "é*"] {
            let shown: String = spans(line).into_iter().map(|(_, text)| text).collect();
            assert_eq!(shown, line);
        }
        assert_eq!(heading("## Two words"), Some("Two words"));
        assert_eq!(heading("#tag"), None);
    }
}
