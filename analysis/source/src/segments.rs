//! A text that stands in a file in pieces: between prefixes of log lines, in
//! string literals, in markup.
//!
//! A [`SegmentMap`] says where each piece of such a region is in its file, so
//! that a region is analysed as if it stood alone and all diagnostics of it
//! still points into the file. A region that is one piece, as in every plain
//! file, needs no table: its map is its place.

use crate::{Diagnostic, TextEdit, TextRange, TextSize};

/// A piece of a region. Where both ranges are equally long it is a copy of the
/// file's bytes, else a replacement of what the file writes differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Segment {
    region: TextRange,
    file: TextRange,
}

impl Segment {
    fn is_copy(&self) -> bool {
        self.region.len() == self.file.len()
    }

    /// Returns the start in the file of the character at an offset of the region.
    fn start(&self, offset: TextSize) -> TextSize {
        match self.is_copy() {
            true => self.file.start() + (offset - self.region.start()),
            false => self.file.start(),
        }
    }

    /// Returns the end in the file of the character that ends at an offset of the region.
    fn end(&self, offset: TextSize) -> TextSize {
        match self.is_copy() {
            true => self.file.start() + (offset - self.region.start()),
            false => self.file.end(),
        }
    }
}

/// The escapes by which the file writes characters that would mean something else in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Escapes {
    /// Every character stands for itself.
    None,
    /// Backslashes, as in a string literal of C.
    Literal,
    /// Entities, as in XML.
    Markup,
    /// Backslashes of a format string: what may mean something else in it is not
    /// written.
    Template,
}

/// The mapping of a region's bytes to those of its file, and back.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SegmentMap {
    /// From the first byte of the region to its last, in the file.
    range: TextRange,
    pieces: Option<Box<Pieces>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Pieces {
    /// In order; the region's ranges are contiguous from 0, the file's are disjoint.
    segments: Box<[Segment]>,
    escapes: Escapes,
    line_break: Option<Box<str>>,
}

impl Pieces {
    /// The segment that holds the character at an offset; the last one for the end.
    fn holding(&self, offset: TextSize) -> Option<&Segment> {
        let after = self.segments.partition_point(|segment| segment.region.start() <= offset);
        self.segments.get(after.checked_sub(1)?)
    }

    /// Returns the start in the file of the segment behind the one that ends at an offset,
    /// if other text lies between the two.
    fn gap_end(&self, offset: TextSize) -> Option<TextSize> {
        let after = self.segments.partition_point(|segment| segment.region.start() < offset);
        let (last, next) = (self.segments.get(after.checked_sub(1)?)?, self.segments.get(after)?);
        (last.region.end() == offset && last.file.end() < next.file.start())
            .then(|| next.file.start())
    }

    /// Tells whether other text of the file lies between the pieces of a file range.
    fn has_gap(&self, file: TextRange) -> bool {
        let first = self.segments.partition_point(|segment| segment.file.end() <= file.start());
        let inside = self.segments[first..].iter().take_while(|s| s.file.start() < file.end());
        let mut end = file.start();
        let mut last = end;
        for segment in inside {
            if segment.file.start() > end {
                return true;
            }
            end = segment.file.end();
            last = end;
        }
        last < file.end()
    }

    /// An inserted text as the file would write it; `None` where that is not sure.
    fn encode(&self, insert: &str) -> Option<String> {
        let mut encoded = String::with_capacity(insert.len());
        for character in insert.chars() {
            match (character, self.escapes) {
                ('\n', _) => encoded.push_str(self.line_break.as_deref()?),
                ('\t', Escapes::None) => encoded.push('\t'),
                ('\t', Escapes::Literal) => encoded.push_str("\\t"),
                ('\t', Escapes::Markup) => encoded.push_str("&#9;"),
                (control, _) if control.is_control() => return None,
                ('"' | '\'' | '\\', Escapes::Literal) => encoded.extend(['\\', character]),
                ('"' | '\'' | '`' | '\\' | '{' | '}' | '%' | '$', Escapes::Template) => {
                    return None;
                }
                ('<', Escapes::Markup) => encoded.push_str("&lt;"),
                ('>', Escapes::Markup) => encoded.push_str("&gt;"),
                ('&', Escapes::Markup) => encoded.push_str("&amp;"),
                ('"', Escapes::Markup) => encoded.push_str("&quot;"),
                ('\'', Escapes::Markup) => encoded.push_str("&apos;"),
                _ => encoded.push(character),
            }
        }
        Some(encoded)
    }
}

impl SegmentMap {
    /// The map of a region that is one piece of its file.
    pub fn contiguous(range: TextRange) -> SegmentMap {
        SegmentMap { range, pieces: None }
    }

    /// Tells whether the region is one piece of its file.
    pub fn is_contiguous(&self) -> bool {
        self.pieces.is_none()
    }

    /// From the first byte of the region to its last, in the file; what is
    /// between its pieces included.
    pub fn range(&self) -> TextRange {
        self.range
    }

    /// A range of the region in the file: the smallest that holds all of its
    /// characters. An empty one is where a character put there would stand.
    pub fn to_file(&self, range: TextRange) -> TextRange {
        let Some(pieces) = &self.pieces else { return range + self.range.start() };
        let at = |offset| {
            let segment = pieces.holding(offset)?;
            Some(match offset < segment.region.end() {
                true => segment.start(offset),
                false => segment.file.end(),
            })
        };
        let Some(start) = at(range.start()) else { return TextRange::empty(self.range.start()) };
        if range.is_empty() {
            return TextRange::empty(start);
        }
        let last = range.end() - TextSize::new(1);
        let end = pieces
            .holding(last)
            .map_or(start, |segment| segment.end(range.end().min(segment.region.end())));
        TextRange::new(start, end.max(start))
    }

    /// The same region in the file that its text was copied out of, piece by piece.
    #[must_use]
    pub fn within(self, outer: &SegmentedText) -> SegmentMap {
        let all = Segment { region: TextRange::up_to(self.range.len()), file: self.range };
        let (inner, escapes) = match self.pieces {
            Some(pieces) => (pieces.segments, pieces.escapes),
            None => (Box::from([all]), Escapes::None),
        };
        let mut segments = Vec::with_capacity(inner.len());
        for segment in inner {
            let first =
                outer.segments.partition_point(|it| it.region.end() <= segment.file.start());
            let touched = outer.segments[first..].iter();
            let touched = touched.take_while(|it| it.region.start() < segment.file.end());
            let parts = touched.filter_map(|it| {
                let part = it.region.intersect(segment.file)?;
                Some((part, TextRange::new(it.start(part.start()), it.end(part.end()))))
            });
            if segment.is_copy() {
                segments.extend(parts.map(|(part, file)| Segment {
                    region: part - segment.file.start() + segment.region.start(),
                    file,
                }));
            } else if let Some(file) = parts.map(|(_, file)| file).reduce(TextRange::cover) {
                segments.push(Segment { region: segment.region, file });
            }
        }
        let (Some(start), Some(end)) = (segments.first(), segments.last()) else {
            return SegmentMap::contiguous(TextRange::default());
        };
        let range = TextRange::new(start.file.start(), end.file.end());
        if segments.len() == 1 && start.is_copy() && escapes == Escapes::None {
            return SegmentMap::contiguous(range);
        }
        let segments = segments.into_boxed_slice();
        SegmentMap { range, pieces: Some(Box::new(Pieces { segments, escapes, line_break: None })) }
    }

    /// An offset of the file in the region; `None` where it is outside of the
    /// region or between its pieces. The end of a piece belongs to it.
    pub fn to_region(&self, offset: TextSize) -> Option<TextSize> {
        if !self.range.contains_inclusive(offset) {
            return None;
        }
        let Some(pieces) = &self.pieces else { return Some(offset - self.range.start()) };
        let after = pieces.segments.partition_point(|segment| segment.file.start() <= offset);
        let segment = pieces.segments.get(after.checked_sub(1)?)?;
        if segment.is_copy() {
            return (offset <= segment.file.end())
                .then(|| segment.region.start() + (offset - segment.file.start()));
        }
        match offset.cmp(&segment.file.end()) {
            std::cmp::Ordering::Less => Some(segment.region.start()),
            std::cmp::Ordering::Equal => Some(segment.region.end()),
            std::cmp::Ordering::Greater => None,
        }
    }

    /// A range of the file in the region: both ends as [`Self::to_region`] says.
    pub fn range_to_region(&self, range: TextRange) -> Option<TextRange> {
        let (start, end) = (self.to_region(range.start())?, self.to_region(range.end())?);
        (start <= end).then(|| TextRange::new(start, end))
    }

    /// The part of the region that a range of the file touches, whatever else
    /// lies in that range; `None` where it touches nothing of the region.
    pub fn touched(&self, range: TextRange) -> Option<TextRange> {
        let range = range.intersect(self.range)?;
        let Some(pieces) = &self.pieces else { return Some(range - self.range.start()) };
        let segments = &pieces.segments;
        let first = segments.partition_point(|segment| segment.file.end() < range.start());
        let after = segments.partition_point(|segment| segment.file.start() <= range.end());
        let touched = segments.get(first..after)?;
        let (first, last) = (touched.first()?, touched.last()?);
        let start = match range.start() > first.file.start() {
            true if range.start() == first.file.end() => first.region.end(),
            true if first.is_copy() => first.region.start() + (range.start() - first.file.start()),
            _ => first.region.start(),
        };
        let end = match range.end() < last.file.end() {
            true if last.is_copy() => last.region.start() + (range.end() - last.file.start()),
            true if range.end() == last.file.start() => last.region.start(),
            _ => last.region.end(),
        };
        (start <= end).then(|| TextRange::new(start, end))
    }

    /// An edit of the region as an edit of the file, with what it inserts
    /// written as the file writes such text. `None` where the outcome is not
    /// sure: a line more in a log, for example, that wants a time of its own.
    pub fn edit_to_file(&self, edit: &TextEdit) -> Option<TextEdit> {
        let Some(pieces) = &self.pieces else {
            return Some(TextEdit::replace(edit.range + self.range.start(), &edit.insert));
        };
        let (mut range, mut insert) = (edit.range, edit.insert.as_str());
        let mut gap_end = (!range.is_empty()).then(|| pieces.gap_end(range.end())).flatten();
        // Between lines with prefixes, what ends at a gap ends with a line feed.
        if let (Some(_), Escapes::None, Some(line)) =
            (gap_end, pieces.escapes, insert.strip_suffix('\n'))
        {
            range = TextRange::new(range.start(), range.end() - TextSize::new(1));
            insert = line.strip_suffix('\r').unwrap_or(line);
            gap_end = None;
        }
        let mut file = self.to_file(range);
        if let Some(end) = gap_end {
            file = TextRange::new(file.start(), end);
        }
        if pieces.line_break.is_none() && pieces.has_gap(file) {
            return None;
        }
        Some(TextEdit::replace(file, pieces.encode(insert)?))
    }

    /// Maps a diagnostic of the region to the file. Fixes whose edits are not
    /// sure in the file are left out.
    #[must_use]
    pub fn diagnostic_to_file(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if self.is_contiguous() {
            return diagnostic.shifted(self.range.start());
        }
        diagnostic.range = self.to_file(diagnostic.range);
        for related in &mut diagnostic.related {
            related.range = self.to_file(related.range);
        }
        diagnostic.fixes.retain_mut(|fix| {
            let edits: Option<Vec<TextEdit>> =
                fix.edits.iter().map(|edit| self.edit_to_file(edit)).collect();
            edits.map(|edits| fix.edits = edits).is_some()
        });
        diagnostic
    }
}

/// Collects the text of a region piece by piece, in order of the file.
#[derive(Debug, Clone, Default)]
pub struct SegmentedText {
    text: String,
    segments: Vec<Segment>,
}

impl SegmentedText {
    /// Nothing yet.
    pub fn new() -> SegmentedText {
        SegmentedText::default()
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of pieces so far.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Tells whether there is no piece yet.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Adds a range of the file as it is.
    pub fn copy(&mut self, file_text: &str, range: TextRange) {
        if range.is_empty() {
            return;
        }
        let start = TextSize::of(&self.text);
        self.text.push_str(&file_text[range]);
        match self.segments.last_mut() {
            Some(last) if last.is_copy() && last.file.end() == range.start() => {
                last.file = TextRange::new(last.file.start(), range.end());
                last.region = TextRange::at(last.region.start(), last.file.len());
            }
            _ => self
                .segments
                .push(Segment { region: TextRange::at(start, range.len()), file: range }),
        }
    }

    /// Adds a text that stands for a longer range of the file.
    pub fn replace(&mut self, text: &str, range: TextRange) {
        let region = TextRange::at(TextSize::of(&self.text), TextSize::of(text));
        debug_assert!(region.len() < range.len());
        self.text.push_str(text);
        self.segments.push(Segment { region, file: range });
    }

    /// The map of a part of the text, in positions relative to the part.
    pub fn map(
        &self,
        file_text: &str,
        part: TextRange,
        escapes: Escapes,
        breaks: LineBreaks,
    ) -> SegmentMap {
        let first = self.segments.partition_point(|segment| segment.region.end() <= part.start());
        let segments: Box<[Segment]> = self.segments[first..]
            .iter()
            .take_while(|segment| segment.region.start() < part.end())
            .filter_map(|segment| {
                let region = segment.region.intersect(part)?;
                let file = TextRange::new(segment.start(region.start()), segment.end(region.end()));
                Some(Segment { region: region - part.start(), file })
            })
            .collect();
        let (Some(start), Some(end)) = (segments.first(), segments.last()) else {
            return SegmentMap::contiguous(TextRange::default());
        };
        let range = TextRange::new(start.file.start(), end.file.end());
        if segments.len() == 1 && start.is_copy() && escapes == Escapes::None {
            return SegmentMap::contiguous(range);
        }
        let mut map = SegmentMap {
            range,
            pieces: Some(Box::new(Pieces { segments, escapes, line_break: None })),
        };
        if breaks == LineBreaks::AsTheFirst
            && let Some(feed) = self.text[part].find('\n')
        {
            let feed = TextSize::new(feed as u32);
            let next = feed + TextSize::new(1);
            if next < part.len() {
                let start = map.to_file(TextRange::new(feed, next)).start();
                let end = map.to_file(TextRange::empty(next)).start();
                if let Some(pieces) = &mut map.pieces {
                    pieces.line_break = Some(Box::from(&file_text[TextRange::new(start, end)]));
                }
            }
        }
        map
    }
}

/// The form of a new line break in the file around a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineBreaks {
    /// As the first one of the region is.
    AsTheFirst,
    /// Unknown: the text between the lines differs from line to line.
    Unsure,
}
