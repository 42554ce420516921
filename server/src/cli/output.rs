//! The only place that writes to standard output.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

/// Colours, by what they mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As it is.
    Plain,
    /// A heading or a name that is looked for.
    Strong,
    /// What is there but seldom read: offsets, machine words.
    Faint,
    /// The source's own text.
    Source,
    /// A label or a place.
    Place,
    /// A scalar instruction.
    Scalar,
    /// A vector instruction.
    Vector,
    /// A memory access or export.
    Memory,
    /// A branch, wait or other control.
    Control,
    /// Good news.
    Good,
    /// Bad news.
    Bad,
}

impl Style {
    /// The parameters of the terminal's "select graphic rendition".
    fn parameters(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Strong => "1",
            Style::Faint => "2",
            Style::Source => "1;36",
            Style::Place => "33",
            Style::Scalar => "34",
            Style::Vector => "32",
            Style::Memory => "35",
            Style::Control => "31",
            Style::Good => "1;32",
            Style::Bad => "1;31",
        }
    }
}

/// Standard output, with colours where somebody sees them.
pub(crate) struct Output {
    stream: BufWriter<Stdout>,
    colours: bool,
}

/// Whether a stream shows colours: a terminal does, unless `NO_COLOR` is set
/// to anything or the terminal is a dumb one.
pub(crate) fn colours_on(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    stream.is_terminal() && !refused
}

impl Output {
    /// Standard output.
    pub(crate) fn standard() -> Output {
        let stdout = io::stdout();
        let colours = colours_on(&stdout);
        Output { stream: BufWriter::new(stdout), colours }
    }

    /// Whether colours are shown.
    pub(crate) fn colours(&self) -> bool {
        self.colours
    }

    /// Writes text.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(text.as_bytes())
    }

    /// Writes bytes that are no text.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Writes text in a style.
    pub(crate) fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        if self.colours && style != Style::Plain {
            write!(self.stream, "\x1b[{}m{text}\x1b[0m", style.parameters())
        } else {
            self.text(text)
        }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        self.text(text)?;
        self.text("\n")
    }

    /// Writes one JSON object on a line of its own.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.stream, value)?;
        self.text("\n")
    }

    /// Writes what is still buffered.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
