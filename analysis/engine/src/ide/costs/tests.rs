//! Edits and what they analyse again, places where costs and diagnostics are shown, and fixes.

use std::sync::{Arc, Mutex};

use gcn::Target;
use source::{Severity, TextRange, TextSize};

use crate::ide::{CostedLines, InlayHint, InlayHintKind, Measured, WantedHints};
use crate::inputs::Database;
use crate::{FileId, Host, Language, Settings};

/// Two kernels, of which the first waits for a load.
const KERNELS: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"
.text
.type load,@function
load:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  buffer_load_dword v1, v0, s[4:7], 0 offen
  v_mov_b32 v2, 1.0
  s_waitcnt vmcnt(0)
  v_add_f32 v1, v1, v2
  buffer_store_dword v1, v0, s[4:7], 0 offen
  s_endpgm
.type other,@function
other:
  v_mov_b32 v1, 0
  v_mov_b32 v2, 0
  v_add_f32 v3, v1, v2
  exp mrt0 v3, v3, v3, v3 done vm
  s_endpgm
";

fn settings(targets: &[&str]) -> Settings {
    let targets = targets.iter().map(|name| Target::find(name).expect(name)).collect();
    Settings { targets, ..Settings::default() }
}

fn open(host: &mut Host, text: &str) -> FileId {
    host.set_file("a.s", Arc::from(text), Language::Gcn)
}

fn everything(host: &Host, file: FileId) -> usize {
    let snapshot = host.snapshot();
    let text = snapshot.text(file).unwrap();
    let all = TextRange::up_to(TextSize::of(&*text));
    snapshot.inlay_hints(file, all, &WantedHints::everywhere(&InlayHintKind::ALL)).unwrap();
    for lens in snapshot.code_lenses(file).unwrap() {
        snapshot.lens_title(file, &lens.measured).unwrap();
    }
    snapshot.cost_diagnostics(file).unwrap();
    snapshot.code_costs(file).unwrap().len()
}

#[test]
fn an_edit_in_one_kernel_analyses_that_kernel_alone() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let writer = log.clone();
    let db = Database::observed(move |query| writer.lock().unwrap().push(query));
    let mut host = Host::with_database(db, settings(&["gfx803", "vega10"]));
    let file = open(&mut host, KERNELS);
    let mut analysed = |text: &str| {
        log.lock().unwrap().clear();
        open(&mut host, text);
        assert_eq!(everything(&host, file), 2, "{text}");
        let log = log.lock().unwrap();
        let count = |name: &str| log.iter().filter(|query| query.starts_with(name)).count();
        (count("kernel_report"), count("kernel_diagnostics"))
    };
    // Each of the two chips is looked at, but only the file's own has diagnostics.
    assert_eq!(analysed(KERNELS), (4, 2), "at first");
    // The first kernel grows: the second moves in the text and in the code.
    let longer = KERNELS.replace("v2, 1.0\n", "v2, 1.0\n  v_mul_f32 v2, v2, v2\n");
    assert_eq!(analysed(&longer), (2, 1), "the edited kernel");
    let spaced = longer.replace("  v_mov_b32 v1, 0\n", "\n  // clear\n  v_mov_b32   v1,  0\n");
    assert_eq!(analysed(&spaced), (0, 0), "comments and white space");
    let first = spaced.replace("  s_load_dwordx4", "  s_nop 0\n  s_load_dwordx4");
    assert_eq!(analysed(&first), (2, 1), "the first one again");
    // A third one in front of both.
    let third = first.replace(".text\n", ".text\n.type new,@function\nnew:\n  s_endpgm\n");
    log.lock().unwrap().clear();
    open(&mut host, &third);
    assert_eq!(everything(&host, file), 3);
    let log = log.lock().unwrap();
    assert_eq!(log.iter().filter(|query| query.starts_with("kernel_report")).count(), 2, "{log:?}");
}

#[test]
fn diagnostics_of_the_text_wait_for_no_costs() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let writer = log.clone();
    let db = Database::observed(move |query| writer.lock().unwrap().push(query));
    let mut host = Host::with_database(db, settings(&["polaris10"]));
    let file = open(&mut host, KERNELS);
    assert_eq!(host.snapshot().diagnostics(file).unwrap(), []);
    assert!(host.snapshot().costs_are_quick(file).unwrap());
    let log = log.lock().unwrap();
    assert!(!log.iter().any(|query| query.starts_with("kernel")), "{log:?}");
}

#[test]
fn only_lines_that_stand_out_are_told_of_by_default() {
    let mut host = Host::new(settings(&["polaris10"]));
    let file = open(&mut host, KERNELS);
    let snapshot = host.snapshot();
    let all = TextRange::up_to(TextSize::of(KERNELS));
    let hinted = |lines| -> Vec<String> {
        let wanted = WantedHints { lines, ..WantedHints::everywhere(&InlayHintKind::ALL) };
        let hints = snapshot.inlay_hints(file, all, &wanted).unwrap().into_iter();
        let line = |hint: InlayHint| KERNELS[..hint.offset.into()].lines().last().unwrap().trim();
        hints.map(|hint| line(hint).to_owned()).collect()
    };
    let (every, important) = (hinted(CostedLines::All), hinted(CostedLines::Important));
    assert!(important.len() < every.len(), "{important:?}");
    assert!(important.iter().all(|line| every.contains(line)), "{important:?}");
    assert!(important.contains(&"s_waitcnt vmcnt(0)".to_owned()), "{important:?}");
    assert!(!important.contains(&"v_mov_b32 v1, 0".to_owned()), "{important:?}");
    assert_eq!(hinted(CostedLines::Off), [""; 0]);
}

#[test]
fn lines_tell_clocks_and_registers() {
    let mut host = Host::new(settings(&["polaris10"]));
    let file = open(&mut host, KERNELS);
    let snapshot = host.snapshot();
    let wait = KERNELS.find("  s_waitcnt vmcnt").unwrap() as u32 + 2;
    let line = TextRange::at(wait.into(), TextSize::of("s_waitcnt vmcnt(0)"));
    let labels = |wanted: &[InlayHintKind]| -> Vec<String> {
        let hints = snapshot.inlay_hints(file, line, &WantedHints::everywhere(wanted)).unwrap();
        hints.into_iter().map(|hint| hint.label).collect()
    };
    let clocks = labels(&[InlayHintKind::Clocks]);
    let [clocks] = clocks.as_slice() else { panic!("{clocks:?}") };
    let (issue, stall) = clocks.strip_suffix(" clk").and_then(|it| it.split_once('+')).unwrap();
    assert_eq!(issue, "4");
    assert!(stall.parse::<u32>().unwrap() > 200, "{clocks}");
    let both = labels(&[InlayHintKind::VectorRegisters, InlayHintKind::ScalarRegisters]);
    assert_eq!(both, ["V 3/4 \u{b7} S 4/16"]);
    assert_eq!(labels(&[InlayHintKind::Value]), Vec::<String>::new());

    let costs = snapshot.code_costs(file).unwrap();
    let names: Vec<&str> = costs.iter().map(|code| code.name.as_str()).collect();
    assert_eq!(names, ["load", "other"]);
    let wait = costs[0].lines.iter().find(|line| line.line == 8).unwrap();
    assert_eq!(wait.cause, Some(6), "the load");
    assert!(wait.peak && wait.vgprs == 3);
    let lenses = snapshot.code_lenses(file).unwrap();
    let title = snapshot.lens_title(file, &lenses[0].measured).unwrap().unwrap();
    assert!(title.starts_with("gfx803: 3 VGPRs, "), "{title}");
    assert_eq!((lenses.len(), lenses[0].measured), (2, Measured::Kernel(0)));
    assert_eq!(snapshot.lens_title(file, &Measured::Kernel(7)), Ok(None));
}

#[test]
fn a_hover_tells_the_whole_story() {
    let mut host = Host::new(settings(&["polaris10", "tahiti", "vega10"]));
    // Without a directive the text is code of each of them.
    let text = KERNELS.split_once('\n').unwrap().1;
    let file = open(&mut host, text);
    let hover = |word: &str| {
        let offset = TextSize::new(text.find(word).unwrap() as u32 + 1);
        host.snapshot().hover(file, offset).unwrap().unwrap_or_else(|| panic!("{word}")).markdown
    };
    let wait = hover("s_waitcnt vmcnt");
    for part in [
        "clocks on line 6 (`buffer_load_dword v1, v0, s[4:7], 0 offen`)",
        "3 VGPRs live here, 3 at the peak, 4 allocated",
        "They hold:",
        "- `v2`: of line 7 (`v_mov_b32 v2, 1.0`)",
        "- `v0`: from the start",
        "| polaris10 | 4 | 2",
        "| tahiti | 4 | 2",
        "| vega10 | 4 | 2",
    ] {
        assert!(wait.contains(part), "{part} is missing in\n{wait}");
    }
    let add = hover("v_add_f32 v1, v1, v2");
    assert!(add.contains("last use: `v2`"), "{add}");
    let label = hover("load:");
    assert!(label.contains("| tahiti | 3 |"), "{label}");
}

/// The diagnostics of the first kernel with an instruction left out, and the text after
/// the first fix.
fn without(left_out: &str) -> (Vec<(Severity, &'static str)>, String) {
    let text = KERNELS.replace(left_out, "");
    assert_ne!(text, KERNELS);
    let mut host = Host::new(settings(&["polaris10"]));
    let file = open(&mut host, &text);
    let found = host.snapshot().cost_diagnostics(file).unwrap();
    let mut fixed = text.clone();
    for edit in
        found.iter().flat_map(|diagnostic| &diagnostic.fixes).take(1).flat_map(|it| &it.edits)
    {
        fixed.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.insert);
    }
    (found.iter().map(|diagnostic| (diagnostic.severity, diagnostic.code.0)).collect(), fixed)
}

#[test]
fn a_missing_wait_is_an_error_that_can_be_fixed() {
    let (found, fixed) = without("  s_waitcnt vmcnt(0)\n");
    assert_eq!(found, [(Severity::Error, "gcn::missing-wait")]);
    assert_eq!(fixed, KERNELS);
    let (found, fixed) = without("  v_mov_b32 v2, 0\n  v_add_f32 v3, v1, v2\n");
    assert_eq!(found, [(Severity::Hint, "gcn::dead-write")]);
    assert!(!fixed.contains("v_mov_b32 v1, 0"), "{fixed}");
}

#[test]
fn nothing_is_said_of_what_is_being_typed() {
    let text = KERNELS.replace("  s_waitcnt vmcnt(0)\n", "  s_waitcnt vmc\n");
    let mut host = Host::new(settings(&["polaris10"]));
    let file = open(&mut host, &text);
    assert_eq!(host.snapshot().cost_diagnostics(file).unwrap(), []);
    assert!(!host.snapshot().diagnostics(file).unwrap().is_empty());
}

#[test]
fn lines_behind_one_with_an_error_keep_their_figures_and_the_lens_says_what_is_missing() {
    let figures = |text: &str| {
        let mut host = Host::new(settings(&["polaris10"]));
        let file = open(&mut host, text);
        let snapshot = host.snapshot();
        let lens = snapshot.code_lenses(file).unwrap()[0];
        let lens = snapshot.lens_title(file, &lens.measured).unwrap().unwrap();
        (snapshot.code_costs(file).unwrap()[0].lines.len(), lens)
    };
    let (whole, lens) = figures(KERNELS);
    assert!(!lens.contains("errors"), "{lens}");
    let (part, lens) = figures(&KERNELS.replace("  s_waitcnt vmcnt(0)\n", "  s_waitcnt vmc\n"));
    assert_eq!(part, whole - 1);
    assert!(lens.ends_with("(without the lines that have errors)"), "{lens}");
}

#[test]
fn an_included_file_has_its_own_diagnostics_and_costs() {
    let mut host = Host::new(settings(&["polaris10"]));
    let inner = "  buffer_load_dword v1, v0, s[4:7], 0 offen\n  v_add_f32 v1, v1, v1\n";
    let text = "  .include \"inner.inc\"\n  exp mrt0 v1, v1, v1, v1 done vm\n  s_endpgm\n";
    let file = open(&mut host, text);
    let part = host.set_file("inner.inc", Arc::from(inner), Language::Gcn);
    assert_eq!(host.snapshot().cost_diagnostics(part).unwrap(), [], "nobody includes it yet");
    host.set_includes(file, vec![("inner.inc".to_owned(), Some(part))]);
    let found = host.snapshot().cost_diagnostics(part).unwrap();
    let [diagnostic] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(&inner[diagnostic.range], "v_add_f32 v1, v1, v1");
    assert_eq!(diagnostic.fixes, [], "the includer's text is another one");
    let of_includer = host.snapshot().cost_diagnostics(file).unwrap();
    assert_eq!(&text[of_includer[0].range], ".include \"inner.inc\"");
    let lines = |file| {
        let costs = host.snapshot().code_costs(file).unwrap();
        costs[0].lines.iter().map(|line| (line.line, line.instructions)).collect::<Vec<_>>()
    };
    assert_eq!(lines(part), [(0, 1), (1, 1)]);
    assert_eq!(lines(file), [(0, 2), (1, 1), (2, 1)]);
}

/// A kernel of 48 vector registers, in workgroups of some threads.
fn kernel_of(threads: u32) -> String {
    format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.text\n.type wide,@function\nwide:\n  \
         v_mov_b32 v47, 0\n  s_endpgm\n.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: wide\n    \
         .symbol: wide.kd\n    .max_flat_workgroup_size: {threads}\n...\n.end_amdgpu_metadata\n"
    )
}

#[test]
fn waves_of_whole_workgroups_are_told_where_they_are_fewer() {
    let told = |threads| {
        let mut host = Host::new(settings(&["gfx900"]));
        let text = kernel_of(threads);
        let file = open(&mut host, &text);
        let snapshot = host.snapshot();
        let hover = |word: &str| {
            let offset = TextSize::of(text.split(word).next().unwrap());
            snapshot.hover(file, offset).unwrap().unwrap_or_else(|| panic!("{word}")).markdown
        };
        let lens = &snapshot.code_lenses(file).unwrap()[0];
        let costs = snapshot.code_costs(file).unwrap();
        let whole = costs[0].chips[0].whole_groups.map(|it| (it.groups, it.waves));
        let title = snapshot.lens_title(file, &lens.measured).unwrap().unwrap();
        (whole, title, hover("v_mov_b32"), hover("wide:"))
    };
    let (whole, lens, line, label) = told(1024);
    let words = "(as a whole 1 workgroup fits, 4 waves a SIMD)";
    assert_eq!(whole, Some((1, 4)));
    assert!(lens.contains(&format!("5 waves {words}, ")), "{lens}");
    assert!(line.contains(&format!("5 waves {words}, limited by vgprs; ")), "{line}");
    assert!(label.contains(&format!("| 5 {words} | vgprs |")), "{label}");
    let (whole, lens, line, label) = told(256);
    assert_eq!(whole, None);
    assert!([lens, line, label].iter().all(|it| !it.contains("as a whole")));
}
