//! Origins of texts: files, the texts that macros made, and the calls that led to them.
//!
//! A macro call makes a new text, as assemblers do it: the body with arguments in
//! place of parameters. Each piece of it remembers whether it is body or argument,
//! so that a place in it leads back to a place in a file.

use std::sync::{Arc, OnceLock};

use source::{LineIndex, TextRange, TextSize};

use super::edited::Moves;

/// A text: a file or what an expansion made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub(super) u32);

impl SourceId {
    /// The file that was given.
    pub const ROOT: SourceId = SourceId(0);
}

/// A range of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// The range in it.
    pub range: TextRange,
}

/// A step of expansion: what makes the statements within it stand where they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// No expansion: the statements of the file that was given.
    pub const ROOT: NodeId = NodeId(0);
}

/// The things that are expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The file that was given.
    Root,
    /// An included file.
    Include(SourceId),
    /// A call of a macro: the index in `Expansion::macros`.
    Macro(u32),
    /// One run through the body of a repetition, from 0.
    Iteration(u32),
}

/// One expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The expansion it is in.
    pub parent: NodeId,
    /// The call or directive that asked for it.
    pub call: Span,
    /// The thing it expands.
    pub kind: NodeKind,
    /// The range of the file that was given where the call is to be shown.
    pub(super) shown: TextRange,
    /// The first of this node and those above it that is not a run of a repetition.
    pub(super) outer: NodeId,
}

/// A piece of a made text, and what it repeats.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpandedPiece {
    /// Its start in the made text.
    pub(super) at: TextSize,
    /// The text it was taken from. Of the same length, unless blanks or quotes were dropped.
    pub(super) from: Span,
}

#[derive(Debug)]
struct Source {
    text: Arc<str>,
    /// The file that it is; `None` for a made text.
    file: Option<Box<File>>,
    /// The range of its pieces in [`Sources::pieces`].
    pieces: (u32, u32),
    /// The texts on the way to a file, at most: none for a file.
    origins: u32,
}

#[derive(Debug)]
struct File {
    name: Box<str>,
    /// Its lines, counted when one is asked for.
    lines: OnceLock<LineIndex>,
}

/// All texts of an expansion.
#[derive(Debug, Default)]
pub(super) struct Sources {
    sources: Vec<Source>,
    /// The pieces of all made texts: one list, since there are as many texts as calls.
    pieces: Vec<ExpandedPiece>,
}

impl Sources {
    pub(super) fn add_file(&mut self, name: &str, text: Arc<str>) -> SourceId {
        let file = File { name: Box::from(name), lines: OnceLock::new() };
        self.add(Source { text, file: Some(Box::new(file)), pieces: (0, 0), origins: 0 })
    }

    pub(super) fn add_expanded(&mut self, text: &str, pieces: &[ExpandedPiece]) -> SourceId {
        let end = |pieces: &[ExpandedPiece]| u32::try_from(pieces.len()).unwrap_or(u32::MAX);
        let first = end(&self.pieces);
        let before = pieces.iter().map(|piece| self.origins(piece.from.source)).max();
        let origins = before.unwrap_or_default().saturating_add(1);
        self.pieces.extend_from_slice(pieces);
        let pieces = (first, end(&self.pieces));
        self.add(Source { text: Arc::from(text), file: None, pieces, origins })
    }

    /// Tells whether the texts of all included files are those that are given now.
    pub(super) fn are_files(&self, includes: &dyn Fn(&str) -> Option<Arc<str>>) -> bool {
        let mut included =
            self.sources.iter().skip(1).filter_map(|it| Some((it, it.file.as_ref()?)));
        included.all(|(source, file)| includes(&file.name).is_some_and(|it| it == source.text))
    }

    /// The same with another text of the first file, to which all places are moved.
    pub(super) fn moved(&self, text: &Arc<str>, moves: &Moves) -> Option<Sources> {
        let file = |it: &File| Box::new(File { name: it.name.clone(), lines: OnceLock::new() });
        let copy = |it: &Source| Source {
            text: Arc::clone(&it.text),
            file: it.file.as_deref().map(file),
            ..*it
        };
        let mut sources: Vec<Source> = self.sources.iter().map(copy).collect();
        sources.first_mut()?.text = Arc::clone(text);
        let moved = |it: &ExpandedPiece| Some(ExpandedPiece { from: moves.span(it.from)?, ..*it });
        Some(Sources { sources, pieces: self.pieces.iter().map(moved).collect::<Option<_>>()? })
    }

    fn pieces_of(&self, source: &Source) -> &[ExpandedPiece] {
        self.pieces.get(source.pieces.0 as usize..source.pieces.1 as usize).unwrap_or_default()
    }

    fn add(&mut self, source: Source) -> SourceId {
        self.sources.push(source);
        SourceId(u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX))
    }

    fn get(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    /// The texts between a text and a file, at most: the steps of [`Sources::in_file`].
    pub(super) fn origins(&self, id: SourceId) -> u32 {
        self.get(id).origins
    }

    pub(super) fn text(&self, id: SourceId) -> &Arc<str> {
        &self.get(id).text
    }

    pub(super) fn file_name(&self, id: SourceId) -> Option<&str> {
        self.get(id).file.as_ref().map(|file| &*file.name)
    }

    /// The line of a place in its text, counted from 1.
    pub(super) fn line(&self, span: Span) -> usize {
        let source = self.get(span.source);
        let line = |lines: &LineIndex| lines.line(span.range.start()) as usize + 1;
        match &source.file {
            Some(file) => line(file.lines.get_or_init(|| LineIndex::new(&source.text))),
            None => line(&LineIndex::new(&source.text)),
        }
    }

    /// The files, in the order in which they were first read.
    pub(super) fn files(&self) -> impl Iterator<Item = (SourceId, &str)> {
        let id = |index| SourceId(u32::try_from(index).unwrap_or(u32::MAX));
        self.sources
            .iter()
            .enumerate()
            .filter_map(move |(index, source)| Some((id(index), &*source.file.as_ref()?.name)))
    }

    /// The place in a file that a place in any text repeats.
    pub(super) fn in_file(&self, mut span: Span) -> Span {
        // Each step leads to a text that was made before.
        while self.get(span.source).file.is_none() {
            match self.repeats(span) {
                Some(from) => span = from,
                None => break,
            }
        }
        span
    }

    /// The place that a place in a made text was copied from.
    pub(super) fn repeats(&self, span: Span) -> Option<Span> {
        let source = self.get(span.source);
        let first = self.piece(source, span.range.start())?;
        let start = self.within(source, first, span.range.start());
        let last_byte = span.range.end().max(span.range.start() + TextSize::new(1));
        let last = self.piece(source, last_byte - TextSize::new(1))?;
        let end = self.within(source, last, span.range.end());
        let pieces = self.pieces_of(source);
        let (from, to) = (pieces[first].from, pieces[last].from);
        let range = if from.source == to.source && start <= end {
            TextRange::new(start, end)
        } else {
            TextRange::new(start, from.range.end().max(start))
        };
        Some(Span { source: from.source, range })
    }

    /// The piece a place in a made text is in.
    fn piece(&self, source: &Source, at: TextSize) -> Option<usize> {
        self.pieces_of(source).partition_point(|piece| piece.at <= at).checked_sub(1)
    }

    /// The place in what a piece was taken from. All of it, where lengths differ.
    fn within(&self, source: &Source, index: usize, at: TextSize) -> TextSize {
        let pieces = self.pieces_of(source);
        let piece = pieces[index];
        let next = pieces.get(index + 1).map_or(TextSize::of(&*source.text), |it| it.at);
        if next - piece.at != piece.from.range.len() {
            let behind = at > piece.at;
            return if behind { piece.from.range.end() } else { piece.from.range.start() };
        }
        piece.from.range.start() + (at.max(piece.at) - piece.at).min(piece.from.range.len())
    }
}
