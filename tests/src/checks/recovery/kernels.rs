//! Kernels with planted faults.

mod faults;
mod witnesses;

use std::sync::Arc;

use engine::{AssemblySettings, Host, Language, Settings};
use gcn::Dialect;

use super::{Kind, Pair, Summary, Told, breaks, compare};
use crate::kernels::Kernel;
use crate::random_shaders::Numbers;

/// Directives under which a line is not what it seems.
const UNCLEAR: [&str; 6] = [".macro", ".rept", ".irp", ".if", ".include", ".set"];

/// Plants faults in each kernel and breaks one of its lines, so many times.
pub fn break_lines(kernels: &[Kernel], times: usize, seed: u64) -> Summary {
    let mut random = Numbers::new(seed);
    let mut summary = Summary::default();
    for kernel in kernels {
        let text = kernel.text();
        if UNCLEAR.iter().any(|word| text.contains(word)) || text.contains("/*") {
            continue;
        }
        for _ in 0..times {
            let planted = faults::plant(kernel, &mut random);
            if missing(kernel, &planted) > 0 {
                continue;
            }
            let Some(pair) = broken(&planted, &mut random) else { continue };
            if missing(kernel, &pair.text) == 0 {
                continue;
            }
            let (before, after) = (found(kernel, &planted), found(kernel, &pair.text));
            summary.codes.extend(before.iter().map(|told| told.code.clone()));
            let depends = |told: &Told| depends(kernel, &planted, &pair, told);
            let count = summary.counts.entry(pair.kind).or_default();
            compare(&before, &after, &pair, &depends, count);
        }
    }
    summary
}

/// Tells whether a diagnostic that went had to: nobody can tell the line from another one that
/// breaks into the same text in the same way, and with that other one it is not there.
fn depends(kernel: &Kernel, planted: &str, pair: &Pair, told: &Told) -> bool {
    let line = |text: &str| words(text.lines().nth(pair.line).unwrap_or_default());
    let (sound, broken) = (line(planted), line(&pair.text));
    witnesses::witnesses(&sound, &broken, pair.way, &told.message).iter().any(|other| {
        let mut lines: Vec<&str> = planted.lines().collect();
        lines[pair.line] = other;
        let text = lines.join("\n") + "\n";
        missing(kernel, &text) == 0 && !found(kernel, &text).iter().any(|it| it.is_same(told))
    })
}

/// The words of a line, without what is a comment.
fn words(line: &str) -> String {
    line.split([';', '/']).next().unwrap_or_default().trim().to_owned()
}

/// The number of lines that are not an instruction.
fn missing(kernel: &Kernel, text: &str) -> usize {
    let program = kernel.assemble(text);
    program.instructions.iter().filter(|it| it.assembled.is_none()).count()
}

/// The diagnostics of a text as an editor shows them.
fn found(kernel: &Kernel, text: &str) -> Vec<Told> {
    let assembly = AssemblySettings {
        target: Some(kernel.target),
        dialect: Some(Dialect::Llvm),
        ..AssemblySettings::default()
    };
    let mut host = Host::new(Settings { assembly, ..Settings::default() });
    let file = host.set_file("kernel.s", Arc::from(text), Language::Gcn);
    let diagnostics = host.snapshot().all_diagnostics(file).expect("alone");
    diagnostics.iter().map(|found| Told::of(found, text)).collect()
}

/// Breaks one line; `None` where it cannot be broken in the way that was drawn.
fn broken(text: &str, random: &mut Numbers) -> Option<Pair> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let instructions: Vec<usize> =
        (0..lines.len()).filter(|line| faults::is_instruction(&lines[*line])).collect();
    let line = *instructions.get(random.below(instructions.len().max(1)))?;
    let words = words(&lines[line]);
    let (way, broken) = breaks::change(&words, random)?;
    lines[line] = format!("    {broken}");
    let kind = if faults::steers(&words) { Kind::Structure } else { Kind::Plain };
    Some(Pair { text: lines.join("\n") + "\n", line, way, kind })
}
