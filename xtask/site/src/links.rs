//! The check that no link of the site leads nowhere.

use std::collections::{HashMap, HashSet};

use crate::playground;
use crate::write::Site;

/// Faults that a message lists at most.
const MOST_LISTED: usize = 40;

/// Checks every link of every document.
///
/// # Errors
/// The links whose file or anchor is not part of the site, with the page of each.
pub(crate) fn check(site: &Site) -> Result<(), String> {
    let anchors: HashMap<&str, HashSet<&str>> =
        site.documents().map(|(path, html)| (path, values(html, "id=").collect())).collect();
    let mut faults = Vec::new();
    let mut checked = 0;
    for (path, html) in site.documents() {
        for target in values(html, "href=").chain(values(html, "src=")) {
            if target.contains(':') {
                continue;
            }
            checked += 1;
            if let Err(fault) = follow(path, target, site, &anchors) {
                faults.push(format!("{path}: {fault}"));
            }
        }
    }
    // Each page has its menu: none at all means that links are not recognised.
    if checked < 10 {
        return Err(format!("only {checked} links were found"));
    }
    if faults.is_empty() {
        return Ok(());
    }
    let count = faults.len();
    faults.truncate(MOST_LISTED);
    Err(format!("{count} links lead nowhere:\n{}", faults.join("\n")))
}

/// Follows one link from a page.
fn follow(
    path: &str,
    target: &str,
    site: &Site,
    anchors: &HashMap<&str, HashSet<&str>>,
) -> Result<(), String> {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = if file.is_empty() { path.to_owned() } else { joined(path, file) };
    if !site.has(&file) {
        return Err(format!("`{target}`: there is no {file}"));
    }
    // The playground reads what follows the sign itself.
    if file == playground::PATH {
        return Ok(());
    }
    let known = |anchor: &str| anchors.get(&*file).is_some_and(|own| own.contains(anchor));
    if !anchor.is_empty() && !known(anchor) {
        return Err(format!("`{target}`: {file} has no section `{anchor}`"));
    }
    Ok(())
}

/// Returns the path that a link from a page means.
fn joined(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the values of an attribute in a document, quoted or not.
fn values<'a>(html: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    html.match_indices(attribute).filter_map(move |(at, _)| {
        if !html[..at].ends_with(' ') {
            return None;
        }
        let value = &html[at + attribute.len()..];
        match value.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => value.split([' ', '>']).next(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found() {
        let html = "<a href=\"b.html#c\"><h2 id=d><img src=e.png><p data-id=f>";
        assert_eq!(values(html, "href=").collect::<Vec<_>>(), ["b.html#c"]);
        assert_eq!(values(html, "id=").collect::<Vec<_>>(), ["d"]);
        assert_eq!(values(html, "src=").collect::<Vec<_>>(), ["e.png"]);
    }

    #[test]
    fn a_broken_link_is_an_error() {
        let page = |links: &str| {
            let links = format!("<h2 id=here>{}", links.repeat(10));
            Site::of([("a/b.html".to_owned(), links.into_bytes())])
        };
        assert_eq!(check(&page("<a href=\"../a/b.html#here\">")), Ok(()));
        let fault = check(&page("<a href=\"c.html\">")).unwrap_err();
        assert!(fault.contains("there is no a/c.html"), "{fault}");
        let fault = check(&page("<a href=\"#there\">")).unwrap_err();
        assert!(fault.contains("no section `there`"), "{fault}");
        assert!(check(&Site::of([])).is_err());
    }
}
