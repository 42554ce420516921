//! Runs the literate suites in `suites/`: one test per heading.
//!
//! `TUNGSTEN_UPDATE_SUITES=1 cargo test -p tests --test suites` writes what was
//! found into the `findings` and `fixed` blocks. A filter may follow `--`: the cases whose
//! suite or heading contains it. Machine code is checked with every libLLVM on
//! this machine.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gcn::Target;
use tests::bench::{Bench, libraries, serve_if_worker};
use tests::literate::{Block, Case, matches, mend, missing_pattern, read, show_findings};
use tests::{names, programs, views};
use text::{LineIndex, TextSize};

/// Engines with a compiler, by its library and the targets: a compiler is
/// costly to start, and serves all cases.
type Benches = HashMap<(PathBuf, Vec<Target>), Bench>;

fn main() -> ExitCode {
    serve_if_worker();
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let wanted = |name: &str| filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites");
    let mut suites: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    suites.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    suites.sort();
    let libraries = libraries();
    if libraries.is_empty() {
        eprintln!("skipped: no libLLVM on this machine, so no machine code is checked");
    }
    let mut benches = Benches::new();
    let (mut passed, mut failed) = (0, 0);
    for path in suites {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let cases = read(&text);
        let mut updated = text.clone();
        // From the last to the first, so that what is written moves no block to come.
        for case in cases.iter().rev().filter(|case| wanted(&file) || wanted(&case.name)) {
            let name = format!("{file}:{} {}", case.line, case.name);
            let result = check(case, &libraries, &mut benches, &mut updated);
            match result {
                Ok(()) => passed += 1,
                Err(message) => {
                    failed += 1;
                    eprintln!("FAILED {name}\n{message}");
                }
            }
        }
        if updated != text && std::env::var_os("TUNGSTEN_UPDATE_SUITES").is_some() {
            let _ = std::fs::write(&path, updated);
        }
    }
    let verdict = if failed == 0 && passed > 0 { "ok" } else { "FAILED" };
    eprintln!("test result: {verdict}. {passed} passed; {failed} failed; 0 ignored");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checks one case: its findings, then its machine code with each libLLVM.
fn check(
    case: &Case,
    libraries: &[llvm::Found],
    benches: &mut Benches,
    suite: &mut String,
) -> Result<(), String> {
    if let Some(program) = case.block("asm") {
        return check_program(case, program, suite);
    }
    let shader = case.block("tgsi").ok_or("the case has no `tgsi` block")?;
    let targets = targets(case)?;
    let mut bench = Bench::new(targets.clone(), None);
    let file = bench.open(&case.name, &shader.text);
    let mut checks = 0;
    for block in case.blocks.iter().rev() {
        let found = match block.kind.as_str() {
            "findings" => findings(&bench, file, &shader.text, ""),
            "findings-tgsi" => findings(&bench, file, &shader.text, "tgsi::"),
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
        let key = (library.path.clone(), targets.clone());
        let bench = benches
            .entry(key)
            .or_insert_with(|| Bench::new(targets.clone(), Some(library.path.clone())));
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
        for block in case.blocks.iter().filter(|block| block.kind == "compiled-findings") {
            let found = findings(bench, file, &shader.text, "compile::");
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
    }
    if checks == 0 { Err("the case checks nothing".to_owned()) } else { Ok(()) }
}

/// Whether a block is about the machine code of a shader.
fn is_of_code(block: &Block) -> bool {
    let kind = block.kind.as_str();
    kind.starts_with("gcn")
        || ["costs", "compiled-hover", "compiled-findings"].contains(&kind)
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

/// The findings whose code begins so, one a line.
fn findings(bench: &Bench, file: engine::FileId, text: &str, prefix: &str) -> String {
    let mut all = bench.host.snapshot().diagnostics(file).unwrap_or_default().to_vec();
    all.retain(|finding| finding.code.0.starts_with(prefix));
    show_findings(&all, text)
}

/// The shader after the first fix of the first finding with the block's code.
fn fixed(bench: &Bench, file: engine::FileId, text: &str, block: &Block) -> Result<String, String> {
    let all = bench.host.snapshot().diagnostics(file).unwrap_or_default();
    mend(&all, text, block)
}

/// Checks a case about a GCN program.
fn check_program(case: &Case, source: &Block, suite: &mut String) -> Result<(), String> {
    let program = programs::assemble(case, source)?;
    let mut checks = 0;
    for block in case.blocks.iter().rev() {
        let found = match block.kind.as_str() {
            "findings" => show_findings(&program.diagnostics, &source.text),
            "fixed" => mend(&program.diagnostics, &source.text, block)?,
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
            "cost-findings" => {
                let (bench, file) = engine_with(case, source, block)?;
                show_findings(&cost_findings(&bench, file), &source.text)
            }
            "cost-fixed" => {
                let (bench, file) = engine_with(case, source, block)?;
                mend(&cost_findings(&bench, file), &source.text, block)?
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

/// What is found of the costs of a file.
fn cost_findings(bench: &Bench, file: engine::FileId) -> Vec<text::Diagnostic> {
    bench.host.snapshot().cost_findings(file).unwrap_or_default()
}

/// What each code of a file costs, and each of its lines, one a line.
fn costs(bench: &Bench, file: engine::FileId) -> String {
    let mut shown = String::new();
    for code in bench.host.snapshot().code_costs(file).unwrap_or_default() {
        for figures in std::iter::once(&code.figures).chain(&code.chips) {
            let engine::ide::Figures { target, waves, vgprs, sgprs, clocks, .. } = figures;
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
    let mut bench = Bench::new(others, None);
    bench.host.set_assembly_settings(engine::AssemblySettings {
        target,
        ..engine::AssemblySettings::default()
    });
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

/// Compares what was found with a block, and writes it there for an update.
fn compare(block: &Block, found: &str, suite: &mut String) -> Result<(), String> {
    if found == block.text {
        return Ok(());
    }
    replace_block(suite, block, found);
    if std::env::var_os("TUNGSTEN_UPDATE_SUITES").is_none() {
        return Err(format!("found:\n{found}expected:\n{}", block.text));
    }
    Ok(())
}

/// The offset that a block's argument names.
fn place(text: &str, block: &Block) -> Result<TextSize, String> {
    let (line, column) = block.place().ok_or("the block wants LINE:COLUMN")?;
    let lines = LineIndex::new(text);
    let line = lines.line_range(line.saturating_sub(1)).ok_or("there is no such line")?;
    Ok(line.start() + TextSize::new(column.saturating_sub(1)))
}

fn check_hover(
    bench: &Bench,
    file: engine::FileId,
    text: &str,
    block: &Block,
) -> Result<(), String> {
    let hover = bench.host.snapshot().hover(file, place(text, block)?).unwrap_or_default();
    let mut markdown = hover.as_ref().map(|hover| hover.markdown.clone()).unwrap_or_default();
    for link in hover.iter().flat_map(|hover| &hover.links) {
        let _ = write!(markdown, "\nlink: {}", link.title);
    }
    match missing_pattern(&markdown, &block.text) {
        Some(pattern) => Err(format!("`{pattern}` is missing, or out of order, in\n{markdown}")),
        None => Ok(()),
    }
}

fn check_completion(
    bench: &Bench,
    file: engine::FileId,
    text: &str,
    block: &Block,
) -> Result<(), String> {
    let offset = place(text, block)?;
    let found = bench.host.snapshot().completion(file, offset).unwrap_or_default();
    let labels: Vec<String> =
        found.into_iter().flat_map(|found| found.items).map(|item| item.label).collect();
    for line in block.text.lines() {
        let (label, wanted) = match line.strip_prefix('!') {
            Some(label) => (label, false),
            None => (line, true),
        };
        if labels.iter().any(|it| it == label) != wanted {
            let verb = if wanted { "is not offered" } else { "is offered" };
            return Err(format!("`{label}` {verb}: {}", labels.join(" ")));
        }
    }
    Ok(())
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
        let of_opcode =
            |range: &text::TextRange| source[*range].split_whitespace().any(|word| word == opcode);
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

/// Writes what was found into the suite's text, in which nothing before the
/// block has changed.
fn replace_block(suite: &mut String, block: &Block, text: &str) {
    // The fence's line goes before the block's text.
    let start: usize = suite.split_inclusive('\n').take(block.line).map(str::len).sum();
    suite.replace_range(start..start + block.text.len(), text);
}
