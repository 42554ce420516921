//! Cases about a shader: its diagnostics, fixes, hovers and completions, then its machine code
//! with each libLLVM.

use std::collections::HashMap;
use std::path::PathBuf;

use gcn::Target;
use tests::bench::Bench;
use tests::literate::{Block, Case, apply_fixes, matches, missing_pattern, show_diagnostics};
use tests::views;

use super::program::costs;
use super::{check_completion, check_hover, compare};

/// Engines with a compiler, by its library and the targets: a compiler is
/// costly to start, and serves all cases.
pub(super) type Benches = HashMap<(PathBuf, Vec<Target>), Bench>;

/// Checks one case: its diagnostics, then its machine code with each libLLVM.
pub(super) fn check(
    case: &Case,
    libraries: &[llvm::Found],
    benches: &mut Benches,
    suite: &mut String,
) -> Result<(), String> {
    let shader = case.block("tgsi").ok_or("the case has no `tgsi` block")?;
    let targets = targets(case)?;
    let mut bench = Bench::new(targets.clone());
    let file = bench.open(&case.name, &shader.text);
    let mut checks = 0;
    for block in case.blocks.iter().rev() {
        let found = match block.kind.as_str() {
            "diagnostics" => diagnostics(&bench, file, &shader.text, ""),
            "diagnostics-tgsi" => diagnostics(&bench, file, &shader.text, "tgsi::"),
            "fixed" => fixed(&bench, file, &shader.text, block)?,
            "hover" => {
                checks += 1;
                check_hover(&bench, file, &shader.text, block)?;
                continue;
            }
            "completion" => {
                checks += 1;
                check_completion(&bench, file, &shader.text, block)?;
                continue;
            }
            _ => continue,
        };
        checks += 1;
        compare(block, &found, suite)?;
    }
    let blocks = case.blocks.iter().filter(|block| is_of_code(block)).count();
    checks += blocks;
    for library in libraries.iter().filter(|_| blocks > 0) {
        let worker = crate::TUNGSTEN.as_ref();
        let key = (library.path.clone(), targets.clone());
        let bench = benches
            .entry(key)
            .or_insert_with(|| Bench::with_compiler(targets.clone(), worker, &library.path));
        let file = bench.open(&case.name, &shader.text);
        bench.compile(file);
        for block in case.blocks.iter().filter(|block| block.kind == "costs") {
            let found = costs(bench, file);
            if let Some(pattern) = missing_pattern(&found, &block.text) {
                let version = &library.version;
                return Err(format!("LLVM {version}: `{pattern}` is missing in\n{found}"));
            }
        }
        for block in case.blocks.iter().filter(|block| block.kind == "compiled-hover") {
            check_hover(bench, file, &shader.text, block)
                .map_err(|error| format!("LLVM {}: {error}", library.version))?;
        }
        for block in case.blocks.iter().filter(|block| block.kind == "compiled-diagnostics") {
            let found = diagnostics(bench, file, &shader.text, "compile::");
            let missing = missing_pattern(&found, &block.text);
            if missing.is_some() || block.text.lines().count() != found.lines().count() {
                let (version, wanted) = (&library.version, &block.text);
                return Err(format!("LLVM {version}: found:\n{found}expected:\n{wanted}"));
            }
        }
        for block in case.blocks.iter().filter(|it| views::KINDS.contains(&it.kind.as_str())) {
            let found = views::seen(bench, case, block)?;
            if let Some(pattern) = missing_pattern(&found, &block.text) {
                let (kind, version) = (&block.kind, &library.version);
                let why = format!("`{pattern}` is missing in the block `{kind}`");
                return Err(format!("LLVM {version}: {why}:\n{found}"));
            }
        }
        for block in case.blocks.iter().filter(|block| block.kind.starts_with("gcn")) {
            for target in &block.arguments {
                check_code(bench, file, block, target)
                    .map_err(|error| format!("LLVM {}, {target}: {error}", library.version))?;
            }
        }
        bench.host.remove_file(file);
        bench.host.evict_caches();
    }
    if checks == 0 { Err("the case checks nothing".to_owned()) } else { Ok(()) }
}

/// Tells whether a block is about the machine code of a shader.
fn is_of_code(block: &Block) -> bool {
    let kind = block.kind.as_str();
    kind.starts_with("gcn")
        || ["costs", "compiled-hover", "compiled-diagnostics"].contains(&kind)
        || views::KINDS.contains(&kind)
}

fn targets(case: &Case) -> Result<Vec<Target>, String> {
    let mut targets = Vec::new();
    let code = case.blocks.iter().filter(|block| is_of_code(block));
    let names = code.flat_map(|block| &block.arguments);
    // A hover's first argument is its place.
    for name in names.filter(|name| !name.contains(':')) {
        let target = Target::find(name).ok_or_else(|| format!("no target {name}"))?;
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    Ok(if targets.is_empty() { vec![Target::default()] } else { targets })
}

/// The diagnostics whose code begins so, one a line.
fn diagnostics(bench: &Bench, file: engine::FileId, text: &str, prefix: &str) -> String {
    let mut all = bench.host.snapshot().diagnostics(file).unwrap_or_default().to_vec();
    all.retain(|diagnostic| diagnostic.code.0.starts_with(prefix));
    show_diagnostics(&all, text)
}

/// The shader after the first fix of the first diagnostic with the block's code.
fn fixed(bench: &Bench, file: engine::FileId, text: &str, block: &Block) -> Result<String, String> {
    let all = bench.host.snapshot().diagnostics(file).unwrap_or_default();
    apply_fixes(&all, text, block)
}

fn check_code(
    bench: &Bench,
    file: engine::FileId,
    block: &Block,
    target: &str,
) -> Result<(), String> {
    let target = Target::find(target).ok_or("no such target")?;
    let code = bench.code(file, 0, target).ok_or("there is no shader")?;
    if let Some(problem) = &code.problem {
        return Err(problem.message.clone());
    }
    let compiled = code.compiled.ok_or("there is no code")?;
    if block.kind == "gcn-of" {
        return check_code_of_opcodes(bench, file, block, target);
    }
    let listing: String =
        compiled.instructions.iter().flat_map(|instruction| [&instruction.text, "\n"]).collect();
    if block.kind == "gcn-not" {
        let unwanted = block.text.lines().filter(|pattern| !pattern.trim().is_empty());
        for pattern in unwanted {
            if let Some(line) = listing.lines().find(|line| matches(line, pattern)) {
                return Err(format!("`{line}` should not be there in\n{listing}"));
            }
        }
        return Ok(());
    }
    match missing_pattern(&listing, &block.text) {
        Some(pattern) => Err(format!("`{pattern}` is missing, or out of order, in\n{listing}")),
        None => Ok(()),
    }
}

/// Checks the code of each statement whose opcode a line names.
fn check_code_of_opcodes(
    bench: &Bench,
    file: engine::FileId,
    block: &Block,
    target: Target,
) -> Result<(), String> {
    let code = bench.code(file, 0, target).ok_or("there is no shader")?;
    let compiled = code.compiled.as_ref().ok_or("there is no code")?;
    let source = bench.host.snapshot().text(file).map_err(|_| "the text is gone")?;
    for line in block.text.lines() {
        let (opcode, patterns) = line.split_once(':').ok_or("a line wants OPCODE: patterns")?;
        let of_opcode = |range: &source::TextRange| {
            source[*range].split_whitespace().any(|word| word == opcode)
        };
        let of_line = |place: usize| {
            opcode == "*" || code.sources.get(place).and_then(Option::as_ref).is_some_and(of_opcode)
        };
        let listing: String = (compiled.instructions.iter().enumerate())
            .filter(|(place, _)| of_line(*place))
            .flat_map(|(_, instruction)| [&instruction.text, "\n"])
            .collect();
        if let Some(pattern) = missing_pattern(&listing, &patterns.replace(';', "\n")) {
            let all: String = (compiled.instructions.iter())
                .flat_map(|instruction| [&instruction.text, "\n"])
                .collect();
            return Err(format!(
                "`{}` is missing, or out of order, in the code of {opcode}:\n{listing}of\n{all}",
                pattern.trim()
            ));
        }
    }
    Ok(())
}
