//! The only place that writes to standard output and standard error. What comes from
//! files, names included, is written as [`Printable`] text, unless it is the document that
//! was asked for and no terminal shows it.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::sync::OnceLock;

use clap::ValueEnum;
use codespan_reporting::term::termcolor::{Ansi, ColorSpec, WriteColor};
use serde::Serialize;
use source::{Printable, is_hidden};

use super::markdown;

/// Colours, by what they mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As it is.
    Plain,
    /// A heading or a name that is looked for.
    Strong,
    /// Text that is there but seldom read: offsets, machine words.
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
    is_terminal: bool,
}

/// The choice of coloured output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourChoice {
    /// On a terminal, or wherever `CLICOLOR_FORCE` is set; never where `NO_COLOR` is
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

static CHOICE: OnceLock<ColourChoice> = OnceLock::new();

/// Sets when output is coloured. The first word counts.
pub(crate) fn choose_colours(choice: ColourChoice) {
    CHOICE.get_or_init(|| choice);
}

/// Tells whether a stream shows colours: as was chosen, else as the environment says, else a
/// terminal does that is not a dumb one.
pub(crate) fn colours_on(stream: &impl IsTerminal) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is = |name, word: &str| std::env::var_os(name).is_some_and(|value| value == word);
    match CHOICE.get().unwrap_or(&ColourChoice::Auto) {
        ColourChoice::Always => true,
        ColourChoice::Never => false,
        ColourChoice::Auto if is_set("NO_COLOR") => false,
        ColourChoice::Auto if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") => true,
        ColourChoice::Auto => stream.is_terminal() && !is("TERM", "dumb"),
    }
}

impl Output {
    /// Standard output.
    pub(crate) fn standard() -> Output {
        let stdout = io::stdout();
        let colours = colours_on(&stdout);
        let is_terminal = stdout.is_terminal();
        Output { stream: BufWriter::new(stdout), colours, is_terminal }
    }

    /// Tells whether somebody reads it.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes text.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.print(&Printable::text(text))
    }

    fn print(&mut self, text: &Printable<'_>) -> io::Result<()> {
        self.stream.write_all(text.as_str().as_bytes())
    }

    /// Writes a text that was asked for as it is, to be kept: only a terminal is shown no
    /// control characters.
    pub(crate) fn document(&mut self, text: &str) -> io::Result<()> {
        match self.is_terminal {
            true => self.text(text),
            false => self.bytes(text.as_bytes()),
        }
    }

    /// Writes a page in Markdown: on a terminal, or in colours, as it is meant to be seen.
    pub(crate) fn page(&mut self, markdown: &str) -> io::Result<()> {
        match self.is_terminal || self.colours {
            true => markdown::print(markdown, self),
            false => self.text(markdown),
        }
    }

    /// Writes what a printer of diagnostics draws.
    pub(crate) fn drawing(&mut self) -> Drawing<&mut BufWriter<Stdout>> {
        Drawing { colours: self.colours, stream: Ansi::new(&mut self.stream) }
    }

    /// Writes bytes that are not text.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Writes text in a style.
    pub(crate) fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        if self.colours && style != Style::Plain {
            let text = Printable::text(text);
            write!(self.stream, "\x1b[{}m{text}\x1b[0m", style.parameters())
        } else {
            self.text(text)
        }
    }

    /// Writes text in a style that ends its line.
    pub(crate) fn styled_line(&mut self, style: Style, text: &str) -> io::Result<()> {
        self.styled(style, text)?;
        self.text("\n")
    }

    /// Writes a line, which stays one whatever it quotes.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        self.print(&Printable::line(text))?;
        self.text("\n")
    }

    /// Writes one JSON object on a line of its own.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let written = serde_json::to_string(value)?;
        let mut rest = written.as_str();
        // JSON escapes the first of them alone; all stand within strings.
        while let Some(at) = rest.find(is_hidden) {
            let (before, behind) = rest.split_at(at);
            let hidden = behind.chars().next().unwrap_or_default();
            write!(self.stream, "{before}\\u{:04x}", u32::from(hidden))?;
            rest = &behind[hidden.len_utf8()..];
        }
        self.stream.write_all(rest.as_bytes())?;
        self.text("\n")
    }

    /// Writes what is still buffered.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// A stream for a printer of diagnostics: its colours pass, control characters of what it
/// prints do not.
pub(crate) struct Drawing<W: Write> {
    colours: bool,
    stream: Ansi<W>,
}

/// The same on standard error.
pub(crate) fn drawing_on_error() -> Drawing<io::StderrLock<'static>> {
    let stderr = io::stderr();
    Drawing { colours: colours_on(&stderr), stream: Ansi::new(stderr.lock()) }
}

impl<W: Write> Write for Drawing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.stream.write_all(Printable::text(&text).as_str().as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl<W: Write> WriteColor for Drawing<W> {
    fn supports_color(&self) -> bool {
        self.colours
    }

    fn set_color(&mut self, colour: &ColorSpec) -> io::Result<()> {
        if self.colours { self.stream.set_color(colour) } else { Ok(()) }
    }

    fn reset(&mut self) -> io::Result<()> {
        if self.colours { self.stream.reset() } else { Ok(()) }
    }
}

/// Says a sentence on standard error, after the program's name.
pub(crate) fn complain(message: impl std::fmt::Display) {
    eprintln!("tungsten: {}", Printable::line(&message.to_string()));
}

/// Says on standard error how it ended, in a line of its own.
pub(crate) fn conclude(message: &str) {
    eprintln!("{}", Printable::line(message));
}

/// A number of things, as in `1 file` and `2 files`.
pub(crate) fn counted(number: usize, word: &str) -> String {
    match number {
        1 => format!("1 {word}"),
        _ => format!("{number} {word}s"),
    }
}

/// Shows how far something is, in a line of a terminal that the next takes the place of.
pub(crate) fn show_progress(message: &str) {
    eprint!("\r{}", Printable::line(message));
    let _ = io::stderr().flush();
}

/// Takes such a line away.
pub(crate) fn hide_progress() {
    eprint!("\r\x1b[K");
}

/// A file's name as it may begin a line: one that looks like a command to a runner of
/// workflows is written from its folder.
pub(crate) fn name_at_line_start(name: &str) -> String {
    let shown = Printable::line(name).into_string();
    match shown.trim_start().starts_with("::") {
        true => format!("./{shown}"),
        false => shown,
    }
}
