//! Markdown to HTML: code in the colours of the editors, names linked to their pages.

use std::collections::HashMap;

use engine::Language;
use gcn::Target;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::highlight::{self, escaped};
use crate::names::Names;
use crate::playground;

/// A heading of a page: its level, anchor and words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) level: HeadingLevel,
    pub(crate) anchor: String,
    pub(crate) title: String,
}

/// The place where examples can be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trying {
    /// The site has none.
    Nowhere,
    /// A part of the site.
    InPlayground,
}

/// A text as HTML, with its headings.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    pub(crate) html: String,
    pub(crate) headings: Vec<Heading>,
}

/// Renders the text of the page at a path. Paths in its links are from the root of the site.
pub(crate) fn render(text: &str, path: &str, names: &Names, trying: Trying) -> Rendered {
    let up = up(path);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut rendered = Rendered::default();
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut code: Option<(String, String)> = None;
    let mut heading: Option<(HeadingLevel, usize)> = None;
    let mut anchors: HashMap<String, usize> = HashMap::new();
    let mut in_link = false;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match &kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                code = Some((info, String::new()));
            }
            Event::Text(part) if code.is_some() => {
                if let Some((_, text)) = &mut code {
                    text.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((info, text)) = code.take() {
                    events.push(Event::Html(block(&info, &text, &up, trying).into()));
                }
            }
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level, events.len())),
            Event::End(TagEnd::Heading(_)) => {
                let Some((level, start)) = heading.take() else { continue };
                let inside: Vec<Event<'_>> = events.drain(start..).collect();
                let title = plain(&inside);
                let anchor = unique(anchor(&title), &mut anchors);
                events.push(Event::Html(format!("<{level} id=\"{anchor}\">").into()));
                events.extend(inside);
                let mark = format!(
                    "<a class=anchor href=\"#{anchor}\" aria-label=\"Link to this section\">#</a></{level}>\n"
                );
                events.push(Event::Html(mark.into()));
                rendered.headings.push(Heading { level, anchor, title });
            }
            Event::Code(word) if heading.is_none() && !in_link => {
                events.push(Event::InlineHtml(inline(&word, path, &up, names)));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                in_link = true;
                let dest_url = relative(&dest_url, &up);
                events.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = relative(&dest_url, &up);
                events.push(Event::Start(Tag::Image { link_type, dest_url, title, id }));
            }
            Event::End(TagEnd::Link) => {
                in_link = false;
                events.push(Event::End(TagEnd::Link));
            }
            // A wide table scrolls by itself, and not the page with it.
            Event::Start(Tag::Table(columns)) => {
                events.push(Event::Html("<div class=table tabindex=0>".into()));
                events.push(Event::Start(Tag::Table(columns)));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html("</div>".into()));
            }
            other => events.push(other),
        }
    }
    pulldown_cmark::html::push_html(&mut rendered.html, events.into_iter());
    rendered
}

/// Returns the way from a page to the root of the site.
pub(crate) fn up(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

/// Returns a link's target as seen from a page.
fn relative(target: &str, up: &str) -> CowStr<'static> {
    let is_own = !target.contains(':') && !target.starts_with('#');
    if is_own { format!("{up}{target}").into() } else { target.to_owned().into() }
}

/// Renders a span of code, linked where it is a name that another page is about.
fn inline(word: &str, path: &str, up: &str, names: &Names) -> CowStr<'static> {
    let code = format!("<code>{}</code>", escaped(word));
    match names.path(word).filter(|page| *page != path) {
        Some(page) => format!("<a href=\"{up}{page}\">{code}</a>").into(),
        None => code.into(),
    }
}

/// Renders a block of code by the words behind its fence.
fn block(info: &str, text: &str, up: &str, trying: Trying) -> String {
    let mut words = info.split_ascii_whitespace();
    let language = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let html = match language {
        "tgsi" => highlight::html(text, Language::Tgsi),
        "gcn" | "asm" => highlight::html(text, Language::Gcn),
        "console" => console(text),
        _ => escaped(text),
    };
    let verdict = match () {
        () if rest.contains(&"wrong") => Some("Wrong"),
        () if rest.contains(&"right") => Some("Right"),
        () => None,
    };
    let is_example = verdict.is_some() || rest.contains(&"try");
    let chip = rest.iter().find_map(|word| Target::find(word)).unwrap_or_default();
    let open = match is_example && trying == Trying::InPlayground {
        true => format!(
            "<a class=open href=\"{up}{}\">Open in the playground</a>",
            playground::link(text, language, chip.name())
        ),
        false => String::new(),
    };
    let place: Vec<&str> =
        rest.into_iter().filter(|it| !["wrong", "right", "try"].contains(it)).collect();
    let class = verdict.map_or(String::new(), |verdict| format!(" {}", verdict.to_lowercase()));
    let caption: Vec<&str> = verdict.into_iter().chain(place).collect();
    let caption = match caption.is_empty() && open.is_empty() {
        true => String::new(),
        false => format!("<figcaption>{}{open}</figcaption>", escaped(&caption.join(" · "))),
    };
    format!(
        "<figure class=\"code{class}\">{caption}<pre tabindex=0><code>{html}</code></pre></figure>\n"
    )
}

/// Renders a session at a terminal: what is typed, and what answers.
fn console(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("$ ") {
        Some(typed) => format!("<i class=p>$ </i><b>{}</b>\n", escaped(typed)),
        None => escaped(line) + "\n",
    };
    text.lines().map(line).collect()
}

/// Returns the words of events without their marks.
fn plain(events: &[Event<'_>]) -> String {
    let words = events.iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(&**text),
        Event::InlineHtml(_) | Event::SoftBreak | Event::HardBreak => Some(" "),
        _ => None,
    });
    words.collect()
}

/// Returns the anchor of a heading, as Markdown readers make it.
pub(crate) fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
    kept.flat_map(char::to_lowercase).collect::<String>().trim().replace(' ', "-")
}

/// Returns an anchor that the page does not have yet.
fn unique(anchor: String, used: &mut HashMap<String, usize>) -> String {
    let times = used.entry(anchor.clone()).or_default();
    *times += 1;
    match *times {
        1 => anchor,
        times => format!("{anchor}-{}", times - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, Section};

    fn names() -> Names {
        Names::of(&[Page::about(Section::TgsiOpcodes, "MAD", String::new())])
    }

    #[test]
    fn names_are_linked_from_other_pages_alone() {
        let there = render("Use `MAD`.", "gcn/v_mad_f32.html", &names(), Trying::Nowhere).html;
        assert!(there.contains("<a href=\"../tgsi/mad.html\"><code>MAD</code></a>"), "{there}");
        assert!(
            !render("Use `MAD`.", "tgsi/mad.html", &names(), Trying::Nowhere).html.contains("<a ")
        );
    }

    #[test]
    fn headings_have_anchors_that_differ() {
        let rendered = render("## A `b`\n\n## A `b`\n", "a.html", &names(), Trying::Nowhere);
        let anchors: Vec<&str> = rendered.headings.iter().map(|it| &*it.anchor).collect();
        assert_eq!(anchors, ["a-b", "a-b-1"]);
        assert!(rendered.html.contains("<h2 id=\"a-b-1\">"), "{}", rendered.html);
    }

    #[test]
    fn links_start_at_the_root() {
        let html = render(
            "[a](start.html#b) [c](#d) [e](https://f/)",
            "g/h.html",
            &names(),
            Trying::Nowhere,
        )
        .html;
        assert!(html.contains("href=\"../start.html#b\""), "{html}");
        assert!(html.contains("href=\"#d\"") && html.contains("href=\"https://f/\""), "{html}");
    }

    #[test]
    fn examples_say_whether_they_are_right() {
        let html =
            render("```gcn gfx803 wrong\ns_nop 0\n```\n", "a.html", &names(), Trying::Nowhere).html;
        assert!(html.contains("<figcaption>Wrong · gfx803</figcaption>"), "{html}");
        assert!(html.contains("class=\"code wrong\""), "{html}");
    }
}
