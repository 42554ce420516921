//! The frame around each page: menu, search, contents.

use std::fmt::Write as _;

use pulldown_cmark::HeadingLevel;

use crate::chapters::CHAPTERS;
use crate::highlight::escaped;
use crate::markdown::{Heading, Rendered, Trying, up};
use crate::page::{Page, Section};
use crate::playground;

/// Headings from which on a page has a list of its contents.
const HEADINGS_FOR_CONTENTS: usize = 4;

/// Returns a page as a whole document.
pub(crate) fn document(page: &Page, rendered: &Rendered, trying: Trying) -> String {
    let up = up(&page.path);
    let is_home = page.path == "index.html";
    let title = match is_home {
        true => "Tungsten: see what your shader becomes".to_owned(),
        false => format!("{} · Tungsten", page.title),
    };
    let heading = match page.section {
        Section::Chapters => escaped(&page.title),
        _ => format!("<code>{}</code>", escaped(&page.title)),
    };
    let crumbs = match page.section {
        Section::Chapters => String::new(),
        section => format!(
            "<p class=crumbs><a href=\"{up}{}\">{}</a></p>",
            Page::list_path(section),
            section.title()
        ),
    };
    let contents = contents(&rendered.headings);
    let class = if is_home { "home" } else { "page" };
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<meta name=description content=\"{summary}\">\n\
         <link rel=icon href=\"{up}icon.svg\">\n<link rel=stylesheet href=\"{up}style.css\">\n\
         <script src=\"{up}theme.js\"></script>\n\
         <script defer src=\"{up}site.js\" data-root=\"{up}\"></script>\n</head>\n\
         <body class={class}>\n<a class=skip href=\"#content\">Skip to content</a>\n\
         <header>\n<button id=menu-button aria-expanded=false aria-controls=menu>Menu</button>\n\
         <a class=name href=\"{up}index.html\">Tungsten</a>\n\
         <div class=search role=search><input id=search type=search autocomplete=off role=combobox \
         aria-expanded=false aria-controls=results aria-label=\"Search opcodes, instructions, \
         diagnostics and chips\" placeholder=\"Search: MAD, v_mad_f32, tgsi::…   press /\">\
         <ul id=results role=listbox aria-label=Results hidden></ul></div>\n\
         {playground}<button id=theme>Theme</button>\n</header>\n\
         <nav id=menu aria-label=Site>\n{menu}</nav>\n\
         <main id=content tabindex=-1>\n{crumbs}<h1>{heading}</h1>\n{contents}{html}{turns}</main>\n\
         </body>\n</html>\n",
        title = escaped(&title),
        summary = escaped(&page.summary),
        menu = menu(page, &up),
        playground = match trying {
            Trying::Nowhere => String::new(),
            Trying::InPlayground => {
                format!("<a class=try href=\"{up}{}\">Playground</a>\n", playground::PATH)
            }
        },
        html = rendered.html,
        turns = turns(page, &up),
    )
}

/// The menu: chapters by their parts, then the sections of the reference.
fn menu(page: &Page, up: &str) -> String {
    let mut html = String::new();
    let item = |html: &mut String, path: &str, title: &str, is_here: bool| {
        let here = if is_here { " aria-current=page" } else { "" };
        let _ = writeln!(html, "<li><a href=\"{up}{path}\"{here}>{}</a></li>", escaped(title));
    };
    for part in CHAPTERS {
        let _ = writeln!(html, "<h2>{}</h2>\n<ul>", part.title);
        for chapter in part.chapters {
            item(&mut html, chapter.path, chapter.title, chapter.path == page.path);
        }
        html.push_str("</ul>\n");
    }
    html.push_str("<h2>Reference</h2>\n<ul>\n");
    for section in Section::REFERENCE {
        let path = Page::list_path(section);
        item(&mut html, &path, section.title(), section == page.section);
    }
    html + "</ul>\n"
}

/// The list of a page's sections, where it has several.
fn contents(headings: &[Heading]) -> String {
    let second: Vec<&Heading> = headings.iter().filter(|it| it.level == HeadingLevel::H2).collect();
    if second.len() < HEADINGS_FOR_CONTENTS {
        return String::new();
    }
    let mut html = String::from("<nav class=contents aria-label=\"On this page\"><ul>");
    for heading in second {
        let _ = write!(
            html,
            "<li><a href=\"#{}\">{}</a></li>",
            heading.anchor,
            escaped(&heading.title)
        );
    }
    html + "</ul></nav>\n"
}

/// Links to the chapters before and after.
fn turns(page: &Page, up: &str) -> String {
    let all: Vec<_> = CHAPTERS.iter().flat_map(|part| part.chapters).collect();
    let Some(place) = all.iter().position(|chapter| chapter.path == page.path) else {
        return String::new();
    };
    let mut html = String::from("<nav class=turns aria-label=Chapters>");
    if let Some(before) = place.checked_sub(1).map(|place| all[place]) {
        let _ = write!(html, "<a rel=prev href=\"{up}{}\">← {}</a>", before.path, before.title);
    }
    if let Some(after) = all.get(place + 1) {
        let _ = write!(html, "<a rel=next href=\"{up}{}\">{} →</a>", after.path, after.title);
    }
    html + "</nav>\n"
}
