//! The form of results: for people, or for programs.

use clap::ValueEnum;

/// The argument of commands with two forms.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct FormatArgument {
    /// Form of the results
    #[arg(long, default_value = "text", value_name = "FORM")]
    format: Format,
    /// Alias of `--format json`
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
}

/// The form of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// JSON objects, one a line
    Json,
}

impl FormatArgument {
    /// The form that is asked for.
    pub(super) fn chosen(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}
