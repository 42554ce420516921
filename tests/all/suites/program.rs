//! Cases about GCN code.

use std::fmt::Write as _;

use gcn::Target;
use tests::bench::Bench;
use tests::literate::{Block, Case, apply_fixes, show_diagnostics};
use tests::{names, programs};

use super::{check_completion, check_hover, compare, place};

/// Checks a case about a GCN program.
pub(super) fn check_program(case: &Case, source: &Block, suite: &mut String) -> Result<(), String> {
    let program = programs::assemble(case, source)?;
    let mut checks = 0;
    for block in case.blocks.iter().rev() {
        let found = match block.kind.as_str() {
            "diagnostics" => show_diagnostics(&program.diagnostics, &source.text),
            "fixed" => apply_fixes(&program.diagnostics, &source.text, block)?,
            "hover" | "completion" => {
                checks += 1;
                let (bench, file) = engine_with(case, source, block)?;
                match block.kind.as_str() {
                    "hover" => check_hover(&bench, file, &source.text, block)?,
                    _ => check_completion(&bench, file, &source.text, block)?,
                }
                continue;
            }
            "definition" | "uses" | "renamed" => {
                let (bench, file) = engine_with(case, source, block)?;
                names::answer(&bench, file, &source.text, block, place(&source.text, block)?)?
            }
            "costs" => {
                let (bench, file) = engine_with(case, source, block)?;
                costs(&bench, file)
            }
            "cost-diagnostics" => {
                let (bench, file) = engine_with(case, source, block)?;
                show_diagnostics(&cost_diagnostics(&bench, file), &source.text)
            }
            "cost-fixed" => {
                let (bench, file) = engine_with(case, source, block)?;
                apply_fixes(&cost_diagnostics(&bench, file), &source.text, block)?
            }
            "words" => programs::words(&program),
            "kernels" => programs::kernels(&program),
            _ => continue,
        };
        checks += 1;
        compare(block, &found, suite)?;
    }
    if checks == 0 { Err("the case checks nothing".to_owned()) } else { Ok(()) }
}

/// Returns the diagnostics of the costs of a file.
fn cost_diagnostics(bench: &Bench, file: engine::FileId) -> Vec<source::Diagnostic> {
    bench.host.snapshot().cost_diagnostics(file).unwrap_or_default()
}

/// Returns the costs of each code of a file, and of each of its lines, one a line.
pub(super) fn costs(bench: &Bench, file: engine::FileId) -> String {
    let mut shown = String::new();
    for code in bench.host.snapshot().code_costs(file).unwrap_or_default() {
        for engine::ide::ChipCosts { target, waves, vgprs, sgprs, clocks, .. } in &code.chips {
            let (vgprs, sgprs) = (vgprs.used, sgprs.used);
            let _ = writeln!(
                shown,
                "{} on {target}: {vgprs} VGPRs, {sgprs} SGPRs, {waves} waves, {clocks} clocks",
                code.name
            );
        }
        for cost in &code.lines {
            let _ = write!(shown, "{}", cost.line + 1);
            if let Some(cause) = cost.cause {
                let _ = write!(shown, " waits for {}", cause + 1);
            }
            let peak = if cost.peak { ", most" } else { "" };
            let _ = writeln!(shown, ": {}+{}, V {}{peak}", cost.issue, cost.stall, cost.vgprs);
        }
    }
    shown
}

/// An engine with a program, for the chip of its block, compared with those that the
/// block asking names, and with the files beside it.
fn engine_with(
    case: &Case,
    source: &Block,
    block: &Block,
) -> Result<(Bench, engine::FileId), String> {
    let target = source.arguments.first().and_then(|name| Target::find(name));
    let others = block.arguments.iter().filter_map(|name| Target::find(name)).collect();
    let mut bench = Bench::new(others);
    let assembly = engine::AssemblySettings { target, ..engine::AssemblySettings::default() };
    bench.host.set_settings(engine::Settings { assembly, ..bench.host.settings() });
    let add = |bench: &mut Bench, name: &str, text: &str| {
        bench.host.set_file(name, std::sync::Arc::from(text), engine::Language::Gcn)
    };
    let file = add(&mut bench, "main.s", &source.text);
    let included = case.blocks.iter().filter(|block| block.kind == "include");
    let mut includes = Vec::new();
    for block in included {
        let name = block.arguments.first().ok_or("an include wants a name")?;
        let id = add(&mut bench, name, &block.text);
        includes.push((name.clone(), Some(id)));
    }
    bench.host.set_includes(file, includes);
    Ok((bench, file))
}
