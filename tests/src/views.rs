//! Blocks of literate suites about the views of a compiled shader: its IR and bytes, its
//! targets side by side, and what changed since a text of before.

use std::fmt::Write as _;

use engine::FileId;
use engine::ide::{ComparisonPart, CompiledRef, CompiledView, ViewKind};
use gcn::Target;

use crate::bench::Bench;
use crate::literate::{Block, Case};

/// The words of such blocks.
pub const KINDS: [&str; 7] = [
    "view-ir",
    "view-spirv",
    "view-hex",
    "view-registers",
    "view-waits",
    "side-by-side",
    "changes",
];

/// Returns the lines that a block of a case asks for, each behind the number of the source
/// line that it is joined to.
///
/// # Errors
/// Where the block's targets are not known, or there is nothing to see.
pub fn seen(bench: &mut Bench, case: &Case, block: &Block) -> Result<String, String> {
    let targets: Option<Vec<Target>> =
        block.arguments.iter().map(|name| Target::find(name)).collect();
    let targets = targets.ok_or("an argument is not a target")?;
    let compiled = CompiledRef::new(0, *targets.first().ok_or("no target")?);
    let source = &case.block("tgsi").ok_or("the case has no `tgsi` block")?.text;
    let name = format!("{} of {}", block.kind, case.name);
    let file = bench.open(&name, source);
    let view = match block.kind.as_str() {
        "changes" => changes(bench, case, &name, &compiled)?,
        kind => {
            bench.compile(file);
            view(bench, file, kind, &targets)?
        }
    };
    bench.host.remove_file(file);
    bench.host.evict_caches();
    let mut shown = String::new();
    for (line, source) in view.text.lines().zip(&view.source_lines) {
        let source = source.map_or_else(|| "-".to_owned(), |line| (line + 1).to_string());
        let _ = writeln!(shown, "{source}| {line}"); // Writing to a string cannot fail.
    }
    Ok(shown)
}

fn view(
    bench: &Bench,
    file: FileId,
    kind: &str,
    targets: &[Target],
) -> Result<CompiledView, String> {
    let snapshot = bench.host.snapshot();
    let compiled = CompiledRef::new(0, targets[0]);
    let view = match kind {
        "view-ir" => snapshot.compiled_view(file, &compiled, ViewKind::Ir),
        "view-spirv" => snapshot.compiled_view(file, &compiled, ViewKind::Spirv),
        "view-hex" => snapshot.compiled_view(file, &compiled, ViewKind::Hex),
        "view-registers" => snapshot.compiled_view(file, &compiled, ViewKind::Registers),
        "view-waits" => snapshot.compiled_view(file, &compiled, ViewKind::Waits),
        _ => snapshot
            .compare_targets(file, 0, targets)
            .map(|found| found.map(|it| it.document(ComparisonPart::All))),
    };
    view.ok().flatten().ok_or_else(|| "there is no shader".to_owned())
}

/// Compiles the text of the block `before`, pins that, and compares the case's text.
fn changes(
    bench: &mut Bench,
    case: &Case,
    name: &str,
    compiled: &CompiledRef,
) -> Result<CompiledView, String> {
    let before = case.block("before").ok_or("`changes` wants a block `before`")?;
    let file = bench.open(name, &before.text);
    bench.compile(file);
    let kept = bench.host.snapshot().baseline(file, compiled).ok().flatten();
    let kept = kept.ok_or("the text of before has no code")?;
    bench.host.pin_baseline(file, compiled, Some(kept));
    bench.open(name, &case.block("tgsi").ok_or("no `tgsi` block")?.text);
    bench.compile(file);
    let compared = bench.host.snapshot().compare_baseline(file, compiled).ok().flatten();
    Ok(compared.ok_or("there is no shader")?.document(ComparisonPart::Changes))
}
