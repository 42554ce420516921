//! Reports of refusals in the log of a host: virglrenderer prints the complaint of the GL
//! compiler, and behind it the GLSL with the numbers of its lines.

use source::{TextRange, TextSize};

use crate::words::Stage;

use super::complaints::complaints;

/// A shader that a host refused, as a log tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The line of the log that says so.
    pub range: TextRange,
    /// The compiler's complaint, without what a log puts before its lines.
    pub complaint: String,
    /// The stage, where the log has the GLSL.
    pub stage: Option<Stage>,
    /// GLSL, as far as it stands there.
    pub glsl: String,
    /// The place of each line of it in the log.
    pub lines: Vec<TextRange>,
}

/// Reports that are read of a log, at most.
const MOST: usize = 256;
/// Lines of a complaint, at most.
const MOST_LINES: usize = 64;
/// The words of the message, whose first letter newer versions write large.
const WORDS: &str = "hader failed to compile";

/// Reads the reports of a log.
pub fn reports(text: &str) -> Vec<Report> {
    let mut found: Vec<Report> = Vec::new();
    if !text.contains(WORDS) {
        return found;
    }
    let mut lines = Lines { text, at: 0 }.peekable();
    while let Some(line) = lines.next() {
        if line.text.contains(WORDS) {
            if found.len() == MOST {
                break;
            }
            let mut complaint = String::new();
            for _ in 0..MOST_LINES {
                let Some(said) = lines.peek().and_then(|it| said(it.text)) else { break };
                complaint.push_str(said);
                complaint.push('\n');
                lines.next();
            }
            let (stage, glsl, places) = (None, String::new(), Vec::new());
            found.push(Report { range: line.range, complaint, stage, glsl, lines: places });
            continue;
        }
        let Some(stage) = heading(line.text) else { continue };
        let Some(report) = found.last_mut().filter(|it| it.stage.is_none()) else { continue };
        report.stage = Some(stage);
        let mut number = 1;
        while let Some(next) = lines.next_if(|it| numbered(it.text, number).is_some()) {
            let glsl = numbered(next.text, number).unwrap_or_default();
            report.glsl.push_str(glsl);
            report.glsl.push('\n');
            report.lines.push(next.range);
            number += 1;
        }
    }
    found
}

/// A line of a log and its place.
struct Line<'a> {
    text: &'a str,
    range: TextRange,
}

struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.find('\n').unwrap_or(rest.len());
        let text = rest[..length].strip_suffix('\r').unwrap_or(&rest[..length]);
        let start = TextSize::new(self.at as u32);
        let range = TextRange::new(start, start + TextSize::of(text));
        self.at += (length + 1).min(rest.len());
        Some(Line { text, range })
    }
}

/// The complaint in a line, behind what a log puts before it.
fn said(line: &str) -> Option<&str> {
    let starts = ["ERROR: ", "WARNING: ", "0:", "0("];
    let mut places: Vec<usize> =
        starts.iter().flat_map(|it| line.match_indices(it).map(|(at, _)| at)).collect();
    places.sort_unstable();
    // A clock may stand before it: the first that reads as a complaint counts.
    places.into_iter().map(|at| &line[at..]).find(|rest| {
        !complaints(rest).is_empty() || rest.to_ascii_lowercase().contains("): warning: ")
    })
}

/// The stage of a heading, `fs: 2 GLSL:`.
fn heading(line: &str) -> Option<Stage> {
    const STAGES: [(&str, Stage); 6] = [
        ("vs", Stage::Vertex),
        ("fs", Stage::Fragment),
        ("gs", Stage::Geometry),
        ("tc", Stage::TessellationControl),
        ("te", Stage::TessellationEvaluation),
        ("cs", Stage::Compute),
    ];
    let before = line.trim_end().strip_suffix(" GLSL:")?;
    let before = before.trim_end_matches(|it: char| it.is_ascii_digit()).strip_suffix(": ")?;
    STAGES.iter().find(|(word, _)| before.ends_with(word)).map(|(_, stage)| *stage)
}

/// The GLSL behind a line's number: `  12: dvec2 fp64_dst[3];`.
fn numbered(line: &str, number: usize) -> Option<&str> {
    let digits = format!("{number}:");
    line.match_indices(&digits).find_map(|(at, _)| {
        let is_whole = !line[..at].ends_with(|it: char| it.is_ascii_digit() || it == ':');
        let rest = &line[at + digits.len()..];
        let is_text = rest.is_empty() || rest.starts_with(' ');
        (is_whole && is_text).then(|| rest.strip_prefix(' ').unwrap_or(rest))
    })
}
