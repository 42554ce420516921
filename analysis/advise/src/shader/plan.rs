//! Plans of changes, and the text that comes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use tgsi::words::File;

use super::body::Body;
use crate::search::{Promise, Variant};

/// Changes of a shader's lines.
pub(super) struct Plan<'b> {
    body: &'b Body<'b>,
    dropped: BTreeSet<usize>,
    replaced: BTreeMap<usize, Vec<String>>,
    /// New lines before a line; those of one call stay in their order.
    before: BTreeMap<usize, Vec<String>>,
    /// Lines that go before another line.
    moved: Option<(RangeInclusive<usize>, usize)>,
    /// Temporaries that are new.
    fresh: u32,
}

impl<'b> Plan<'b> {
    pub(super) fn new(body: &'b Body<'b>) -> Plan<'b> {
        Plan {
            body,
            dropped: BTreeSet::new(),
            replaced: BTreeMap::new(),
            before: BTreeMap::new(),
            moved: None,
            fresh: 0,
        }
    }

    /// A new temporary.
    pub(super) fn fresh(&mut self) -> u32 {
        self.fresh += 1;
        self.body.free + self.fresh - 1
    }

    pub(super) fn drop_line(&mut self, line: usize) {
        self.dropped.insert(line);
    }

    pub(super) fn replace(&mut self, line: usize, texts: Vec<String>) {
        self.replaced.insert(line, texts);
    }

    pub(super) fn insert(&mut self, before: usize, text: String) {
        self.before.entry(before).or_default().push(text);
    }

    pub(super) fn move_lines(&mut self, lines: RangeInclusive<usize>, before: usize) {
        self.moved = Some((lines, before));
    }

    /// The variant that comes of it.
    pub(super) fn variant(self, promise: Promise, change: String) -> Variant {
        let text = self.text();
        Variant { text, change, assumes: String::new(), promise }
    }

    fn order(&self) -> Vec<usize> {
        let all = 0..self.body.lines.len();
        let Some((lines, before)) = &self.moved else { return all.collect() };
        let rest = all.filter(|line| !lines.contains(line));
        let mut order: Vec<usize> = rest.collect();
        let place = order.iter().position(|line| line >= before).unwrap_or(order.len());
        order.splice(place..place, lines.clone());
        order
    }

    fn text(&self) -> String {
        let body = self.body;
        let mut text = body.text.get(..body.head).unwrap_or_default().to_owned();
        if self.fresh > 0 {
            let temporaries = body.shader.declarations();
            let mut temporaries =
                temporaries.filter(|it| it.file.value == File::Temporary).peekable();
            let has_some = temporaries.peek().is_some();
            let local = if has_some && temporaries.all(|it| it.local) { ", LOCAL" } else { "" };
            let (first, last) = (body.free, body.free + self.fresh - 1);
            let range = if first == last { format!("{first}") } else { format!("{first}..{last}") };
            text.push_str(&format!("\nDCL TEMP[{range}]{local}"));
        }
        let mut number = 0;
        // Comments of lines that are dropped stay.
        let mut kept = String::new();
        let mut write = |kept: &mut String, lead: &str, line: &str| {
            let lead = if lead.contains('\n') { lead } else { "\n" };
            // A number brings its own blanks.
            let lead = if body.is_numbered { lead.trim_end_matches([' ', '\t']) } else { lead };
            text.push_str(&std::mem::take(kept));
            text.push_str(lead);
            text.push_str(&body.numbered(number, line));
            number += 1;
        };
        for place in self.order() {
            let Some(line) = body.lines.get(place) else { continue };
            let indent = line.lead.rsplit('\n').next().unwrap_or_default();
            let indent = indent.chars().all(char::is_whitespace).then_some(indent);
            let plain = format!("\n{}", indent.unwrap_or_default());
            for new in self.before.get(&place).into_iter().flatten() {
                write(&mut kept, &plain, new);
            }
            match self.replaced.get(&place) {
                Some(texts) => {
                    for (count, new) in texts.iter().enumerate() {
                        let lead = if count == 0 { &line.lead } else { &plain };
                        write(&mut kept, lead, new);
                    }
                }
                None if self.dropped.contains(&place) => {
                    if !line.lead.trim().is_empty() {
                        kept.push_str(line.lead.trim_end());
                    }
                }
                None => write(&mut kept, &line.lead, &line.text),
            }
        }
        text.push_str(&kept);
        text.push_str(body.tail());
        text
    }
}
