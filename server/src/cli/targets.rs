//! `tungsten targets`: the chips.

use gcn::targets::Compiles;
use serde::Serialize;

use super::format::Format;
use super::output::{Output, Style};
use super::{Status, Stop};

/// A chip as programs read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TargetLine {
    name: &'static str,
    processor: &'static str,
    products: &'static str,
    generation: &'static str,
    compiles: bool,
    /// Compute shaders alone are compiled for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    compute_only: bool,
    is_default: bool,
}

pub(super) fn run(format: Format, output: &mut Output) -> Result<Status, Stop> {
    match format {
        Format::Text => print(output),
        Format::Json => {
            for target in gcn::Target::all() {
                let row = target.row();
                output.json(&TargetLine {
                    name: row.name,
                    processor: row.processor,
                    products: row.products,
                    generation: row.generation.titles().1,
                    compiles: row.compiles != Compiles::Nothing,
                    compute_only: row.compiles == Compiles::Compute,
                    is_default: target == gcn::Target::default(),
                })?;
            }
            Ok(Status::Good)
        }
    }
}

fn print(output: &mut Output) -> Result<Status, Stop> {
    let width = gcn::Target::all().map(|target| target.name().len()).max().unwrap_or(0);
    let mut generation = None;
    for target in gcn::Target::all() {
        let row = target.row();
        if generation != Some(row.generation) {
            if generation.is_some() {
                output.line("")?;
            }
            generation = Some(row.generation);
            let (count, architecture) = row.generation.titles();
            output.styled_line(Style::Strong, &format!("{count} ({architecture})"))?;
        }
        let default = if target == gcn::Target::default() { "  (default)" } else { "" };
        let only = match row.compiles {
            Compiles::AllStages => "",
            Compiles::Compute => "  (compute shaders only)",
            Compiles::Nothing => "  (not compiled for)",
        };
        output.text("  ")?;
        output.styled(Style::Source, &format!("{:width$}", row.name))?;
        output.text(&format!("  {:7}", row.processor))?;
        output.styled(Style::Faint, &format!("  {}", row.products))?;
        output.line(&format!("{only}{default}"))?;
    }
    Ok(Status::Good)
}
