//! `tungsten advise --compilers`: what every libLLVM that is found makes of a shader, by itself
//! and under options.

use std::io;

use advise::{Figures, Proof};
use gcn::Target;
use llvm::{Compiler, Configuration};
use serde::Serialize;

use super::super::compiler::own_executable;
use super::super::output::{Output, Style};
use super::super::{LibraryArgument, Status};
use crate::advice::{AdvisedFigures, OptionResult, of_options};

/// The code of a shader by a libLLVM, under an option or none.
pub(super) struct CompilerRow {
    /// The version of the library.
    llvm: String,
    result: OptionResult,
}

/// A shader on a chip by all compilers.
pub(super) struct Compilers {
    pub(super) file: String,
    /// The number of the shader, from 1.
    pub(super) shader: usize,
    pub(super) target: Target,
    pub(super) rows: Vec<CompilerRow>,
}

/// The libraries that can be used, one of each version: those that the user names, else all of
/// this machine.
pub(super) fn libraries(library: &LibraryArgument) -> Vec<(Compiler, String)> {
    let wanted = library.wanted();
    let mut found = llvm::library::find(wanted.as_deref());
    found.retain(|library| wanted.is_none() || library.origin == "the setting");
    found.retain(|library| library.problem.is_none());
    found.sort_by(|one, two| one.version.cmp(&two.version));
    found.dedup_by(|one, two| one.version == two.version);
    let compilers = found.into_iter().map(|found| {
        let worker = own_executable();
        let configuration = Configuration::new(&worker, found.path, engine::INTRINSICS);
        (Compiler::new(configuration), found.version)
    });
    compilers.collect()
}

/// Compiles a shader by each of them, under each option.
pub(super) fn compiled(
    text: &str,
    target: Target,
    environment: engine::Environment,
    libraries: &mut [(Compiler, String)],
) -> Vec<CompilerRow> {
    let mut rows = Vec::new();
    for (compiler, version) in libraries {
        if crate::jobs::is_older(version, target) {
            continue;
        }
        let results = of_options(text, target, environment, compiler);
        rows.extend(
            results.into_iter().map(|result| CompilerRow { llvm: version.clone(), result }),
        );
    }
    rows
}

impl CompilerRow {
    fn option(&self) -> String {
        self.result.option.map_or_else(|| "as it is".to_owned(), |option| option.to_string())
    }

    /// Facts about the code besides its figures.
    fn remark(&self) -> String {
        match (&self.result.proof, &self.result.figures) {
            _ if self.result.is_same => "the same code".to_owned(),
            (_, None) => "does not compile".to_owned(),
            (Some(Proof::Equal { inputs, .. }), _) => {
                format!("does what the shader says on {inputs} random inputs")
            }
            (Some(Proof::Differs(place)), _) => format!("differs from the shader: {place}"),
            (Some(Proof::Unproven(why)), _) => format!("not proven: {why}"),
            (None, _) => String::new(),
        }
    }
}

impl Compilers {
    /// The status of the command: code that differs from its shader is a defect.
    pub(super) fn status(&self) -> Status {
        let differs = |row: &CompilerRow| matches!(row.result.proof, Some(Proof::Differs(_)));
        if self.rows.iter().any(differs) { Status::Bad } else { Status::Good }
    }

    fn name(&self) -> String {
        format!("{}, shader {}", self.file, self.shader)
    }

    /// Prints them for people; what gives the same code is left out.
    pub(super) fn print(&self, output: &mut Output) -> io::Result<()> {
        let title = format!("{} on {} by compilers and options", self.name(), self.target.name());
        output.styled_line(Style::Strong, &title)?;
        let head = format!(
            "  {:9}{:40}{:>6}{:>7}{:>7}{:>8}",
            "LLVM", "option", "waves", "VGPRs", "SGPRs", "clocks"
        );
        output.styled_line(Style::Faint, &head)?;
        for row in self.rows.iter().filter(|row| !row.result.is_same) {
            let cells = match &row.result.figures {
                Some(Figures { waves, vgprs, sgprs, clocks, .. }) => {
                    format!("{waves:>6}{vgprs:>7}{sgprs:>7}{clocks:>8}")
                }
                None => String::new(),
            };
            let (llvm, option) = (&row.llvm, row.option());
            output.line(&format!("  {llvm:9}{option:40}{cells}  {}", row.remark()))?;
        }
        let same: Vec<String> = self
            .rows
            .iter()
            .filter(|row| row.result.is_same)
            .map(|row| format!("{} on LLVM {}", row.option(), row.llvm))
            .collect();
        if !same.is_empty() {
            output.styled_line(Style::Faint, &format!("  the same code: {}", same.join(", ")))?;
        }
        output.line("")
    }

    /// Prints them as a table in Markdown.
    pub(super) fn table(&self, output: &mut Output) -> io::Result<()> {
        output.line("| shader | chip | LLVM | option | waves | VGPRs | clocks | |")?;
        output.line("|---|---|---|---|---|---|---|---|")?;
        for row in &self.rows {
            let figure = |pick: fn(&Figures) -> u64| {
                row.result.figures.as_ref().map(|it| pick(it).to_string()).unwrap_or_default()
            };
            let cells = [
                self.name(),
                self.target.name().to_owned(),
                row.llvm.clone(),
                row.option(),
                figure(|it| u64::from(it.waves)),
                figure(|it| u64::from(it.vgprs)),
                figure(|it| it.clocks),
                row.remark(),
            ];
            let cells = cells.map(|cell| cell.replace('|', "\\|"));
            output.line(&format!("| {} |", cells.join(" | ")))?;
        }
        output.line("")
    }

    /// Prints them for programs, an object a line.
    pub(super) fn json(&self, output: &mut Output) -> io::Result<()> {
        for row in &self.rows {
            let inputs = match row.result.proof {
                Some(Proof::Equal { inputs, .. }) => Some(inputs),
                _ => None,
            };
            output.json(&JsonCompiler {
                file: &self.file,
                shader: self.shader,
                target: self.target.name(),
                llvm: &row.llvm,
                option: row.result.option.map(|it| it.to_string()),
                model: "measured",
                figures: row.result.figures.as_ref().map(AdvisedFigures::from),
                same: row.result.is_same,
                inputs,
                message: row.remark(),
            })?;
        }
        Ok(())
    }
}

/// A row as programs read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonCompiler<'a> {
    file: &'a str,
    shader: usize,
    target: &'static str,
    llvm: &'a str,
    /// Null for the usual ones.
    option: Option<String>,
    model: &'static str,
    figures: Option<AdvisedFigures>,
    /// True where it gives the code that there is without the option.
    same: bool,
    /// The inputs at random on which the code does what the shader says.
    inputs: Option<u32>,
    message: String,
}
