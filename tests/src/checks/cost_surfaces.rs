//! Surfaces of costs in editors, on real kernels: nothing wrong is found in code that
//! works, and every range lies within its lines.

use std::sync::Arc;

use crate::kernels::Kernel;
use engine::ide::{InlayHintKind, WantedHints};
use engine::{AssemblySettings, FileId, Host, Language, Settings};
use source::{LineIndex, Severity, TextRange, TextSize};

/// A kernel's file in an engine, with all that it includes.
fn open(host: &mut Host, kernel: &Kernel) -> FileId {
    let target = Some(kernel.target);
    let assembly = AssemblySettings { target, ..AssemblySettings::default() };
    host.set_settings(Settings { assembly, ..Settings::default() });
    let text = Arc::from(kernel.text());
    let file = host.set_file(&kernel.file, text, Language::Gcn);
    loop {
        let wanted = host.snapshot().wanted_includes(file).unwrap();
        if wanted.is_empty() {
            return file;
        }
        let mut known = host.includes(file);
        for name in wanted {
            let text = kernel.include(&name);
            let id = text.map(|text| host.set_file(&format!("inc/{name}"), text, Language::Gcn));
            known.push((name, id.into()));
        }
        host.set_includes(file, known);
    }
}

/// Nothing worse than a hint is found in kernels that assemble; returns how many there are,
/// and how many of their lines have costs.
///
/// # Panics
/// Shows what is found.
pub fn nothing_is_wrong(kernels: &[Kernel]) -> (usize, usize) {
    let settings = Settings::default();
    let (mut files, mut codes, mut lines, mut hints) = (0, 0, 0, 0);
    for kernel in kernels.iter().filter(|kernel| kernel.assembles()) {
        let mut host = Host::new(settings.clone());
        let file = open(&mut host, kernel);
        let snapshot = host.snapshot();
        let text = snapshot.text(file).unwrap();
        let found = snapshot.cost_diagnostics(file).unwrap();
        for diagnostic in &found {
            assert_eq!(diagnostic.severity, Severity::Hint, "{}: {diagnostic:?}", kernel.file);
            assert!(text.get(std::ops::Range::<usize>::from(diagnostic.range)).is_some());
            for edit in diagnostic.fixes.iter().flat_map(|fix| &fix.edits) {
                assert!(text.get(std::ops::Range::<usize>::from(edit.range)).is_some());
            }
        }
        let index = LineIndex::new(&text);
        let all = TextRange::up_to(TextSize::of(&*text));
        let shown =
            snapshot.inlay_hints(file, all, &WantedHints::everywhere(&InlayHintKind::ALL)).unwrap();
        let costs = snapshot.code_costs(file).unwrap();
        assert!(shown.len() >= costs.len(), "{}", kernel.file);
        for code in costs {
            for cost in &code.lines {
                assert_eq!(index.line(cost.range.start()), cost.line, "{}", kernel.file);
                assert!(all.contains_range(cost.range) && cost.issue > 0, "{}", kernel.file);
                assert!(u32::from(cost.vgprs) <= code.chips[0].vgprs.peak, "{}", kernel.file);
            }
            (codes, lines) = (codes + 1, lines + code.lines.len());
        }
        (files, hints) = (files + 1, hints + found.len());
    }
    eprintln!("{files} files, {codes} codes, {lines} lines, {hints} hints, nothing worse");
    (files, lines)
}
