//! Promises of the engine: what an edit recomputes, what a result is joined
//! to, and that what comes out lies inside the text.

mod incremental;

use std::sync::{Arc, Mutex};

use gcn::Target;
use source::{TextRange, TextSize};

use crate::ide::{
    Change, ComparisonPart, CompiledRef, CompiledState, InlayHintKind, ProblemKind, ViewKind,
    WantedHints,
};
use crate::inputs::Database;
use crate::{
    Build, Cancelled, Compiler, FileId, Host, JobInput, JobResult, Language, Settings, WantedJob,
};

const VERTEX: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
const FRAGMENT: &str =
    "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n";

/// Verbose assembly of two instructions, the first from TGSI instruction 1.
const ASSEMBLY: &str = "\t.text\n\t.globl\tmain\nmain:\n\t.loc\t1 1 1\n\tv_mov_b32_e32 v0, v1\n\t.loc\t1 2 1\n\ts_endpgm\n";
const CODE: [u8; 8] = [0x01, 0x03, 0x00, 0x7e, 0x00, 0x00, 0x81, 0xbf];

fn settings() -> Settings {
    Settings { targets: vec![Target::default()], compile: true, ..Settings::default() }
}

fn open(host: &mut Host, text: &str) -> FileId {
    host.set_file("a.tgsi", Arc::from(text), Language::Tgsi)
}

fn wanted(host: &Host, file: FileId) -> Vec<WantedJob> {
    host.snapshot().wanted_jobs(file).unwrap()
}

fn compiled() -> JobResult {
    JobResult::Compiled {
        assembly: Arc::from(ASSEMBLY),
        code: Arc::from(CODE),
        warnings: Arc::default(),
    }
}

fn finish_all(host: &mut Host, file: FileId, outcome: &JobResult) {
    let jobs = wanted(host, file);
    assert!(!jobs.is_empty());
    host.finish_jobs(jobs.into_iter().map(|job| (job, outcome.clone())).collect());
}

fn main_ref() -> CompiledRef {
    CompiledRef::new(0, Target::default())
}

fn state(host: &Host, file: FileId) -> CompiledState {
    host.snapshot().compiled_code(file, &main_ref()).unwrap().unwrap().state
}

#[test]
fn typing_in_one_shader_recomputes_nothing_of_another() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let writer = log.clone();
    let db = Database::observed(move |query| writer.lock().unwrap().push(query));
    let mut host = Host::with_database(db, settings());
    let file = open(&mut host, &format!("{VERTEX}{FRAGMENT}"));
    host.snapshot().diagnostics(file).unwrap();
    log.lock().unwrap().clear();

    let edited = FRAGMENT.replace("MOV OUT[0], IN[0]", "ADD OUT[0], IN[0], IN[0]");
    open(&mut host, &format!("{VERTEX}{edited}"));
    host.snapshot().diagnostics(file).unwrap();
    let again = log.lock().unwrap().clone();
    for query in ["parse", "diagnostics(", "failures"] {
        let count = again.iter().filter(|name| name.starts_with(query)).count();
        assert_eq!(count, 1, "{query} of the edited shader alone: {again:?}");
    }
    log.lock().unwrap().clear();

    // The first shader grows: the second moves, and is not parsed again.
    let taller = VERTEX.replace("DCL IN[0]\n", "DCL IN[0]\n\n\n");
    open(&mut host, &format!("{taller}{edited}"));
    host.snapshot().diagnostics(file).unwrap();
    let again = log.lock().unwrap().clone();
    assert_eq!(again.iter().filter(|name| name.starts_with("parse")).count(), 1, "{again:?}");
}

#[test]
fn white_space_and_comments_never_compile_again() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    finish_all(&mut host, file, &compiled());
    assert_eq!(wanted(&host, file), []);
    for text in [
        VERTEX.replace("DCL IN[0]\n", "\n\nDCL   IN[0]  \n"),
        VERTEX.replace("VERT\n", "VERT\n// a comment\n"),
        VERTEX.replace("  0: MOV", "17: mov"),
        format!("a line of a log\n{VERTEX}"),
    ] {
        open(&mut host, &text);
        assert_eq!(wanted(&host, file), [], "{text}");
        assert_eq!(state(&host, file), CompiledState::Fresh, "{text}");
    }
    open(&mut host, &VERTEX.replace("MOV OUT[0], IN[0]", "MOV OUT[0], IN[0].yxzw"));
    assert_eq!(wanted(&host, file).len(), 1);
    assert_eq!(state(&host, file), CompiledState::Stale);
}

#[test]
fn a_result_points_at_the_right_line_of_later_texts() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    finish_all(&mut host, file, &compiled());
    let edited = VERTEX.replace("  0: MOV", "  ADD OUT[0], IN[0], IN[0]\n\n  0: MOV");
    open(&mut host, &edited);
    let code = host.snapshot().compiled_code(file, &main_ref()).unwrap().unwrap();
    assert_eq!(code.state, CompiledState::Stale);
    let sources: Vec<&str> = code.sources.iter().map(|range| &edited[range.unwrap()]).collect();
    assert_eq!(sources, ["0: MOV OUT[0], IN[0]", "1: END"]);

    // A line that changed has no partner, whatever the old code says.
    open(&mut host, &VERTEX.replace("MOV OUT[0], IN[0]", "ADD OUT[0], IN[0], IN[0]"));
    let code = host.snapshot().compiled_code(file, &main_ref()).unwrap().unwrap();
    assert_eq!(code.sources[0], None);
}

#[test]
fn an_error_keeps_the_last_good_code() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    assert_eq!(state(&host, file), CompiledState::Pending);
    finish_all(&mut host, file, &compiled());
    assert_eq!(state(&host, file), CompiledState::Fresh);

    open(&mut host, &VERTEX.replace("MOV", "MVO"));
    assert_eq!(wanted(&host, file), [], "nothing is compiled while there are errors");
    let code = host.snapshot().compiled_code(file, &main_ref()).unwrap().unwrap();
    assert_eq!(code.state, CompiledState::Outdated);
    assert_eq!(code.problem.unwrap().kind, ProblemKind::Invalid);
    assert!(code.compiled.is_some());

    open(&mut host, VERTEX);
    assert_eq!(state(&host, file), CompiledState::Fresh, "the same text needs no new compile");
}

#[test]
fn a_failure_is_said_once_and_not_tried_again() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    finish_all(&mut host, file, &JobResult::Failed("LLVM said no".to_owned()));
    assert_eq!(wanted(&host, file), []);
    assert_eq!(state(&host, file), CompiledState::Unavailable);
    let diagnostics = host.snapshot().diagnostics(file).unwrap();
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].message.contains("LLVM said no"), "{}", diagnostics[0].message);
}

#[test]
fn what_the_compiler_warns_of_stands_at_its_statement() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    let warnings = [(2, "something at END".to_owned()), (0, "something".to_owned())];
    let outcome = JobResult::Compiled {
        assembly: Arc::from(ASSEMBLY),
        code: Arc::from(CODE),
        warnings: Arc::from(warnings),
    };
    finish_all(&mut host, file, &outcome);
    let found = |host: &Host, text: &str| -> Vec<(String, String)> {
        let all = host.snapshot().diagnostics(file).unwrap();
        all.iter().map(|it| (it.code.0.to_owned(), text[it.range].to_owned())).collect()
    };
    let expected = |place: &str| ("compile::warning".to_owned(), place.to_owned());
    assert_eq!(found(&host, VERTEX), [expected("VERT"), expected("1: END")]);
    // The statement is known again while the next result is on its way.
    let edited = VERTEX.replace("  0: MOV", "  ADD OUT[0], IN[0], IN[0]\n  0: MOV");
    open(&mut host, &edited);
    assert_eq!(found(&host, &edited), [expected("VERT"), expected("1: END")]);
    // Of a text with errors nothing is known.
    let wrong = VERTEX.replace("MOV", "MVO");
    open(&mut host, &wrong);
    assert!(!found(&host, &wrong).iter().any(|(code, _)| code == "compile::warning"));
}

#[test]
fn spills_stand_where_the_code_first_uses_their_memory() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    let assembly = "\t.section\t.AMDGPU.config\n\t.long\t8\n\t.long\t3\n\t.text\n\t.globl\tmain\n\
                    main:\n\t.loc\t1 1 1\n\ts_mov_b32 s16, SCRATCH_RSRC_DWORD0\n\t.loc\t1 2 1\n\
                    \tbuffer_store_dword v0, off, s[16:19], 0\n\ts_endpgm\n";
    let words: [u32; 5] = [0xbe90_00ff, 0, 0xe070_0000, 0x8004_0000, 0xbf81_0000];
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let outcome = JobResult::Compiled {
        assembly: Arc::from(assembly),
        code: Arc::from(code),
        warnings: Arc::default(),
    };
    finish_all(&mut host, file, &outcome);
    let found = host.snapshot().diagnostics(file).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].code.0, "compile::spills");
    assert_eq!(&VERTEX[found[0].range], "1: END");
    assert!(found[0].message.starts_with("3 vector registers are spilled"), "{found:?}");
}

#[test]
fn without_a_compiler_everything_else_works() {
    let mut host = Host::new(Settings { compile: false, ..settings() });
    let file = open(&mut host, VERTEX);
    assert_eq!(wanted(&host, file), []);
    let code = host.snapshot().compiled_code(file, &main_ref()).unwrap().unwrap();
    assert_eq!(code.problem.unwrap().kind, ProblemKind::Off);
    assert_eq!(host.snapshot().diagnostics(file).unwrap(), []);
    assert_eq!(host.snapshot().symbols(file).unwrap().len(), 1);
}

#[test]
fn hints_lenses_and_views_speak_of_the_code() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    finish_all(&mut host, file, &compiled());
    let snapshot = host.snapshot();
    let all = TextRange::up_to(TextSize::of(VERTEX));
    let hints =
        snapshot.inlay_hints(file, all, &WantedHints::everywhere(&InlayHintKind::ALL)).unwrap();
    let labels: Vec<&str> = hints.iter().map(|hint| hint.label.as_str()).collect();
    let line = |vgprs| format!("1 GCN \u{b7} 4 clk \u{b7} V {vgprs}/4 \u{b7} S 0/16");
    assert_eq!(labels, [line(1), line(0)]);
    assert!(hints[0].tooltip.contains("v_mov_b32"), "{}", hints[0].tooltip);
    let lenses = snapshot.code_lenses(file).unwrap();
    let title = snapshot.lens_title(file, &lenses[0].measured).unwrap().unwrap();
    assert!(title.contains("8 bytes, 8 clocks"), "{title}");
    let view = snapshot.compiled_view(file, &main_ref(), ViewKind::Code).unwrap().unwrap();
    assert_eq!(view.text.lines().count(), view.source_lines.len());
    let line = view.text.lines().position(|line| line.contains("v_mov_b32")).unwrap();
    assert_eq!(view.source_lines[line], Some(3));
}

#[test]
fn every_view_is_joined_to_the_source() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    // The IR needs no compiler.
    let ir = host.snapshot().compiled_view(file, &main_ref(), ViewKind::Ir).unwrap().unwrap();
    assert_eq!(ir.state, CompiledState::Fresh);
    assert_eq!(ir.text.lines().count(), ir.source_lines.len());
    let store = ir.text.lines().position(|line| line.contains("call void @llvm.amdgcn.exp"));
    assert_eq!(ir.source_lines[store.unwrap()], Some(4), "{}", ir.text);
    assert!(ir.source_lines.contains(&Some(3)), "{}", ir.text);

    finish_all(&mut host, file, &compiled());
    let hex = host.snapshot().compiled_view(file, &main_ref(), ViewKind::Hex).unwrap().unwrap();
    assert_eq!(hex.text.lines().count(), hex.source_lines.len());
    let line = hex.text.lines().position(|line| line.contains("v_mov_b32")).unwrap();
    assert_eq!(hex.source_lines[line], Some(3));
    assert!(hex.text.contains("000000  01 03 00 7E  "), "{}", hex.text);
    assert!(hex.text.contains("000004  00 00 81 BF  "), "{}", hex.text);

    open(&mut host, &VERTEX.replace("MOV", "MVO"));
    let ir = host.snapshot().compiled_view(file, &main_ref(), ViewKind::Ir).unwrap().unwrap();
    assert_eq!(ir.state, CompiledState::Unavailable);
    assert!(ir.message.is_some_and(|message| ir.text.contains(&message)));
}

#[test]
fn a_pinned_result_is_compared_with_what_comes_later() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    assert_eq!(host.snapshot().baseline(file, &main_ref()), Ok(None), "there is nothing to keep");
    finish_all(&mut host, file, &compiled());
    let none = host.snapshot().compare_baseline(file, &main_ref()).unwrap().unwrap();
    assert_eq!(none.columns[0].message.as_deref(), Some("nothing is pinned"));
    let kept = host.snapshot().baseline(file, &main_ref()).unwrap();
    host.pin_baseline(file, &main_ref(), kept);
    let same = host.snapshot().compare_baseline(file, &main_ref()).unwrap().unwrap();
    assert_eq!(same.changes(), 0, "{same:?}");

    // A new statement, and other code for the old one.
    let edited = VERTEX.replace("  0: MOV", "\n  ADD OUT[0], IN[0], IN[0]\n  0: MOV");
    open(&mut host, &edited);
    let assembly = "\t.text\n\t.globl\tmain\nmain:\n\t.loc\t1 1 1\n\tv_mov_b32_e32 v0, v1\n\
                    \t.loc\t1 2 1\n\tv_mov_b32_e32 v1, v1\n\t.loc\t1 3 1\n\ts_endpgm\n";
    let code = [1, 3, 0, 0x7e, 1, 3, 2, 0x7e, 0, 0, 0x81, 0xbf];
    let outcome = JobResult::Compiled {
        assembly: Arc::from(assembly),
        code: Arc::from(code),
        warnings: Arc::default(),
    };
    finish_all(&mut host, file, &outcome);
    let changed = host.snapshot().compare_baseline(file, &main_ref()).unwrap().unwrap();
    let statements: Vec<(Option<u32>, Vec<Change>)> = changed
        .statements
        .iter()
        .map(|it| (it.line, it.rows.iter().map(|row| row.change).collect()))
        .collect();
    let expected = [
        (Some(4), vec![Change::Added]),
        (Some(5), vec![Change::Renamed]),
        (Some(6), vec![Change::Same]),
    ];
    assert_eq!(statements, expected);
    let bytes = |column: usize| changed.columns[column].figures.as_ref().unwrap().statistics.bytes;
    assert_eq!((bytes(0), bytes(1)), (8, 12));
    let document = changed.document(ComparisonPart::Changes);
    assert_eq!(document.text.lines().count(), document.source_lines.len());
    let added = document.text.lines().position(|line| line.starts_with("+ v_mov_b32")).unwrap();
    assert_eq!(document.source_lines[added], Some(4));
    assert!(document.text.contains("2 more statements are the same code"), "{}", document.text);

    // A statement that was edited is known again, and one that is gone is told of.
    open(&mut host, &VERTEX.replace("MOV OUT[0], IN[0]", "ADD OUT[0], IN[0], IN[0]"));
    finish_all(&mut host, file, &compiled());
    let new = host.snapshot().compare_baseline(file, &main_ref()).unwrap().unwrap();
    assert_eq!(new.statements[0].line, Some(3));
    assert_eq!(new.statements[0].before.as_deref(), Some("MOV OUT[0], IN[0]"));
    open(&mut host, &VERTEX.replace("  0: MOV OUT[0], IN[0]\n", ""));
    finish_all(&mut host, file, &compiled());
    let gone = host.snapshot().compare_baseline(file, &main_ref()).unwrap().unwrap();
    assert_eq!(gone.statements[0].line, None);
    assert_eq!(gone.statements[0].text.as_deref(), Some("MOV OUT[0], IN[0]"));
    assert_eq!(gone.statements[0].rows[0].change, Change::Removed);
    host.pin_baseline(file, &main_ref(), None);
    assert_eq!(host.snapshot().pinned(file, &main_ref()), Ok(None));

    // What is pinned of a file goes with it.
    let kept = host.snapshot().baseline(file, &main_ref()).unwrap();
    host.pin_baseline(file, &main_ref(), kept);
    assert!(host.snapshot().pinned(file, &main_ref()).unwrap().is_some());
    host.remove_file(file);
    assert_eq!(open(&mut host, VERTEX), file);
    finish_all(&mut host, file, &compiled());
    assert_eq!(host.snapshot().pinned(file, &main_ref()), Ok(None));
}

#[test]
fn targets_stand_side_by_side() {
    let other = Target::find("vega10").unwrap();
    let targets = vec![Target::default(), other];
    let mut host =
        Host::new(Settings { targets: targets.clone(), compile: true, ..Settings::default() });
    let file = open(&mut host, VERTEX);
    let pending = host.snapshot().compare_targets(file, 0, &targets).unwrap().unwrap();
    assert_eq!(pending.columns[1].state, CompiledState::Pending);
    assert_eq!(pending.statements, []);
    finish_all(&mut host, file, &compiled());
    let both = host.snapshot().compare_targets(file, 0, &targets).unwrap().unwrap();
    assert_eq!(both.statements.len(), 2);
    assert!(both.statements[0].rows[0].cells.iter().all(Option::is_some));
    let document = both.document(ComparisonPart::All);
    let row = document.text.lines().position(|line| line.contains(" | v_mov_b32")).unwrap();
    assert_eq!(document.source_lines[row], Some(3), "{}", document.text);
    assert_eq!(host.snapshot().compare_targets(file, 0, &[]), Ok(None));
    assert_eq!(host.snapshot().compare_targets(file, 9, &targets), Ok(None));
}

#[test]
fn a_change_of_the_host_cancels_snapshots_and_is_not_lost() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    let snapshot = host.snapshot();
    let worker = std::thread::spawn(move || {
        let mut answers = 0;
        while snapshot.diagnostics(file).is_ok() && answers < 10_000_000 {
            answers += 1;
        }
        answers
    });
    open(&mut host, FRAGMENT);
    worker.join().unwrap();
    assert_eq!(&*host.snapshot().text(file).unwrap(), FRAGMENT);
}

#[test]
fn a_canceller_ends_its_own_snapshot_alone() {
    let mut host = Host::new(settings());
    let long = "  v_add_f32 v0, v1, v2\n".repeat(50_000);
    let file = host.set_file("a.s", Arc::from(long), Language::Gcn);
    let (snapshot, other) = (host.snapshot(), host.snapshot());
    let canceller = snapshot.canceller();
    let asked = std::thread::spawn(move || {
        // Whenever it comes, nothing is answered behind it.
        while snapshot.diagnostics(file).is_ok() {}
        snapshot.symbols(file)
    });
    canceller.cancel();
    assert_eq!(asked.join().expect("no panic"), Err(Cancelled));
    assert!(other.line_index(file).is_ok());
}

#[test]
fn a_removed_file_has_nothing_and_may_come_back() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    finish_all(&mut host, file, &compiled());
    host.remove_file(file);
    assert_eq!(host.snapshot().symbols(file).unwrap(), []);
    assert_eq!(open(&mut host, VERTEX), file);
    assert_eq!(wanted(&host, file).len(), 1);
}

/// The hover at the first place of a word, in a fragment shader that has been compiled.
fn hover_at(text: &str, word: &str) -> String {
    let mut host = Host::new(settings());
    let file = open(&mut host, text);
    finish_all(&mut host, file, &compiled());
    let offset = TextSize::new(text.find(word).unwrap() as u32);
    let hover = host.snapshot().hover(file, offset).unwrap();
    let hover = hover.unwrap_or_else(|| panic!("nothing at {word}"));
    assert!(hover.range.contains(offset), "{}", &text[hover.range]);
    hover.markdown
}

#[test]
fn hovers_say_what_words_mean_here() {
    let text = "FRAG\nDCL IN[0], GENERIC[3], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[1][0..3]\nIMM[0] FLT32 {0.5, 1, 0, 2}\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT\n  0: MAD_SAT OUT[0], IN[0].xxxx, CONST[1][2], IMM[0]\n  1: END\n";
    let opcode = hover_at(text, "MAD_SAT");
    assert!(opcode.contains("src0.c * src1.c + src2.c"), "{opcode}");
    assert!(opcode.contains("v_mov_b32"), "the machine code is shown: {opcode}");
    assert!(opcode.contains("_SAT"), "{opcode}");
    assert!(hover_at(text, "CONST[1][2]").contains("DCL CONST[1][0..3]"));
    assert!(hover_at(text, "IMM[0]\n").contains("(0.5, 1.0, 0.0, 2.0)"));
    assert!(hover_at(text, "0.5").contains("0x3f000000"));
    for word in ["FRAG", "DCL", "GENERIC", "PERSPECTIVE", "FS_COORD_ORIGIN", "xxxx"] {
        assert!(!hover_at(text, word).is_empty(), "{word}");
    }
}

#[test]
fn hovers_of_assembly_name_the_instruction() {
    let mut host = Host::new(settings());
    let text = "main:\n  v_mad_f32 v0, v1, v2, v3\n";
    let file = host.set_file("a.gcn", Arc::from(text), Language::Gcn);
    let hover = host.snapshot().hover(file, TextSize::new(10)).unwrap().unwrap();
    assert_eq!(&text[hover.range], "v_mad_f32");
    assert!(!hover.markdown.is_empty());
    assert_eq!(host.snapshot().symbols(file).unwrap().len(), 1);
}

/// A log with both shaders behind prefixes of lines, and a source with them in literals.
fn dumps(vertex: &str, fragment: &str) -> [String; 2] {
    let logged = |shader: &str| -> String {
        shader.lines().map(|line| format!("[ 12.5] si: {line}\n")).collect()
    };
    let literal = |shader: &str| -> String {
        shader.lines().map(|line| format!("  \"{line}\\n\"\n")).collect()
    };
    [
        format!("start\n{}[ 13.0] si: done\n{}", logged(vertex), logged(fragment)),
        format!("run(\n{});\nrun(\n{});\n", literal(vertex), literal(fragment)),
    ]
}

#[test]
fn typing_in_a_dump_recomputes_nothing_of_its_other_shaders() {
    for place in 0..2 {
        let log = Arc::new(Mutex::new(Vec::new()));
        let writer = log.clone();
        let db = Database::observed(move |query| writer.lock().unwrap().push(query));
        let mut host = Host::with_database(db, settings());
        let file = open(&mut host, &dumps(VERTEX, FRAGMENT)[place]);
        assert_eq!(host.snapshot().diagnostics(file).unwrap(), []);
        log.lock().unwrap().clear();
        let edited = VERTEX.replace("DCL IN[0]\n", "DCL IN[0]\nDCL IN[1]\n");
        open(&mut host, &dumps(&edited, FRAGMENT)[place]);
        host.snapshot().diagnostics(file).unwrap();
        let again = log.lock().unwrap().clone();
        assert_eq!(again.iter().filter(|name| name.starts_with("parse")).count(), 1, "{again:?}");
    }
}

#[test]
fn everything_said_of_a_dump_points_into_its_file() {
    for text in dumps(VERTEX, &FRAGMENT.replace("1: END", "1: MVO OUT[0], IN[0]\n  2: END")) {
        let mut host = Host::new(settings());
        let file = open(&mut host, &text);
        finish_all(&mut host, file, &compiled());
        let snapshot = host.snapshot();
        let diagnostics = snapshot.diagnostics(file).unwrap();
        let [diagnostic] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
        assert_eq!(&text[diagnostic.range], "MVO");
        assert_eq!(&text[diagnostic.fixes[0].edits[0].range], "MVO");

        let instruction = text.find("MOV").unwrap() as u32;
        let hover = snapshot.hover(file, instruction.into()).unwrap().expect("an opcode");
        assert_eq!(&text[hover.range], "MOV");
        assert!(hover.markdown.contains("v_mov_b32"), "{}", hover.markdown);
        let outside = text.find("VERT").unwrap() as u32 - 3;
        assert_eq!(snapshot.hover(file, outside.into()).unwrap(), None);
        assert_eq!(snapshot.shader_at(file, instruction.into()).unwrap(), Some(0));

        let symbols = snapshot.symbols(file).unwrap();
        let names: Vec<&str> = symbols.iter().map(|symbol| &text[symbol.selection]).collect();
        assert_eq!(names, ["VERT", "FRAG"]);
        let children: Vec<&str> =
            symbols[0].children.iter().map(|child| &text[child.range]).collect();
        assert_eq!(children, ["DCL IN[0]", "DCL OUT[0], POSITION"]);

        let all = TextRange::up_to(TextSize::of(text.as_str()));
        let hints =
            snapshot.inlay_hints(file, all, &WantedHints::everywhere(&InlayHintKind::ALL)).unwrap();
        let before: Vec<&str> = hints
            .iter()
            .map(|hint| text[..hint.offset.into()].rsplit(' ').next().unwrap())
            .collect();
        assert_eq!(before[..2], ["IN[0]", "END"]);
        let lenses = snapshot.code_lenses(file).unwrap();
        assert_eq!(&text[lenses[0].range], "VERT");

        let code = snapshot.compiled_code(file, &main_ref()).unwrap().unwrap();
        let sources: Vec<&str> = code.sources.iter().map(|range| &text[range.unwrap()]).collect();
        assert_eq!(sources, ["0: MOV OUT[0], IN[0]", "1: END"]);
        let view = snapshot.compiled_view(file, &main_ref(), ViewKind::Code).unwrap().unwrap();
        let line = view.text.lines().position(|line| line.contains("v_mov_b32")).unwrap();
        let source = text.lines().position(|line| line.contains("MOV")).unwrap();
        assert_eq!(view.source_lines[line], Some(source as u32));
        assert!(view.text.contains("; 0: MOV OUT[0], IN[0]\n"), "{}", view.text);
    }
}

#[test]
fn typing_in_an_assembly_file_recomputes_nothing_of_another() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let writer = log.clone();
    let db = Database::observed(move |query| writer.lock().unwrap().push(query));
    let mut host = Host::with_database(db, settings());
    let add = |host: &mut Host, name: &str, text: &str| {
        host.set_file(name, Arc::from(text), Language::Gcn)
    };
    let main = add(&mut host, "main.s", ".include \"inner.inc\"\n two\n s_endpgm\n");
    let other = add(&mut host, "other.s", "s_nop 0\n");
    let inner = add(&mut host, "inner.inc", ".macro two\n s_nop 1\n.endm\n");
    assert_eq!(host.snapshot().wanted_includes(main).unwrap(), ["inner.inc"]);
    host.set_includes(main, vec![("inner.inc".to_owned(), Some(inner))]);
    let ask = |host: &Host| {
        let snapshot = host.snapshot();
        for file in [main, other, inner] {
            assert_eq!(snapshot.diagnostics(file).unwrap(), []);
        }
    };
    ask(&host);
    assert_eq!(host.snapshot().wanted_includes(main).unwrap(), Vec::<String>::new());
    let programs = |log: &Mutex<Vec<String>>| {
        let log = std::mem::take(&mut *log.lock().unwrap());
        log.iter().filter(|name| name.starts_with("program")).count()
    };
    programs(&log);

    add(&mut host, "other.s", "s_nop 1\n");
    ask(&host);
    assert_eq!(programs(&log), 1, "the edited file alone");
    add(&mut host, "inner.inc", ".macro two\n s_nop 2\n.endm\n");
    ask(&host);
    assert_eq!(programs(&log), 1, "its includer alone");
    // The settings of compiles concern assembly only where it names no target.
    host.set_settings(Settings { compile: false, ..settings() });
    ask(&host);
    assert_eq!(programs(&log), 0);
}

const GEOMETRY: &str = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\n\
    PROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\n\
    DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n  \
    0: MOV OUT[0], IN[0][0]\n  1: EMIT IMM[0].xxxx\n  2: END\n";

#[test]
fn two_stages_of_one_program_are_compiled_and_shown_together() {
    let target = Target::find("vega10").unwrap();
    let both = format!("{VERTEX}\n{GEOMETRY}");
    let mut host =
        Host::new(Settings { targets: vec![target], compile: true, ..Settings::default() });
    let file = open(&mut host, &both);
    let jobs = wanted(&host, file);
    assert_eq!(jobs.len(), 2);
    assert_eq!((jobs[0].key, &jobs[0].input), (jobs[1].key, &jobs[1].input));
    assert_eq!(jobs[0].fingerprints.len(), 5);
    // Ordinals 1 and 4 are the first instruction of each shader.
    let assembly = ASSEMBLY.replace(".loc\t1 2 1", ".loc\t1 4 1");
    let outcome = JobResult::Compiled {
        assembly: Arc::from(assembly),
        code: Arc::from(CODE),
        warnings: Arc::default(),
    };
    finish_all(&mut host, file, &outcome);
    for (shader, own, other) in [
        (0, "0: MOV OUT[0], IN[0]", "1: EMIT IMM[0].xxxx"),
        (1, "1: EMIT IMM[0].xxxx", "0: MOV OUT[0], IN[0]"),
    ] {
        let snapshot = host.snapshot();
        let compiled = CompiledRef::new(shader, target);
        let code = snapshot.compiled_code(file, &compiled).unwrap().unwrap();
        assert_eq!(code.state, CompiledState::Fresh);
        assert_eq!(code.sources[1 - shader], None);
        assert_eq!(&both[code.sources[shader].unwrap()], own);
        let partner = code.partner_source(1 - shader).unwrap();
        assert_eq!((&*partner.text, &both[partner.range.unwrap()]), (other, other));
        assert!(code.program.unwrap().starts_with("one program with"));
        let view = snapshot.compiled_view(file, &compiled, ViewKind::Code).unwrap().unwrap();
        assert!(view.text.contains(other) && view.text.contains(own), "{}", view.text);
    }

    // The geometry shader alone is half of a program.
    let file = open(&mut host, GEOMETRY);
    finish_all(&mut host, file, &compiled());
    let alone = CompiledRef::new(0, target);
    let code = host.snapshot().compiled_code(file, &alone).unwrap().unwrap();
    assert!(code.program.unwrap().starts_with("half of a program"));
    assert_eq!(code.partner_sources, []);

    // The other half may be in another file of the project's pipeline.
    let vertex = host.set_file("v.tgsi", Arc::from(VERTEX), Language::Tgsi);
    host.set_pipelines(file, &[vec![vertex, file]]);
    let jobs = wanted(&host, file);
    assert_eq!(jobs[0].fingerprints.len(), 5);
    host.finish_jobs(jobs.into_iter().map(|job| (job, outcome.clone())).collect());
    let code = host.snapshot().compiled_code(file, &alone).unwrap().unwrap();
    let partner = code.partner_source(0).unwrap();
    assert_eq!((&*partner.text, partner.range), ("0: MOV OUT[0], IN[0]", None));
}

#[test]
fn a_source_of_another_language_is_judged_by_its_shaders_alone() {
    let mut host = Host::new(settings());
    let mut found = |name: &str, text: &str| {
        let file = host.set_file(name, Arc::from(text), Language::Tgsi);
        let snapshot = host.snapshot();
        let codes: Vec<_> =
            snapshot.all_diagnostics(file).unwrap().iter().map(|it| it.code.0).collect();
        (codes, snapshot.wanted_jobs(file).unwrap().len())
    };
    assert_eq!(found("a.tgsi", "package x"), (vec!["tgsi::missing-header"], 0));
    assert_eq!(found("a.go", "package x"), (vec![], 0));
    let shader = "s := \"FRAG\\nDCL OUT[0], COLOR\\nDCL CONST[0]\\nMOV OUT[0], CONST[0]\\nEND\\n\"";
    assert_eq!(found("b.go", shader), (vec![], 1));
    let zig = "const s =\n    \\\\FRAG\n    \\\\DCL OUT[0], COLOR\n    \\\\DCL CONST[0]\n    \
               \\\\MOV OUT[0], CONST[0]\n    \\\\END\n;\n";
    assert_eq!((found("d.zig", "const x = 1;"), found("e.zig", zig)), ((vec![], 0), (vec![], 1)));
    // What is not known cannot be compiled, and nothing is said of it.
    assert_eq!(found("c.go", &shader.replace("CONST[0]", "CONST[%d]")), (vec![], 0));
}

#[test]
fn each_compiler_has_its_own_jobs_and_code() {
    let mut host = Host::new(settings());
    let file = open(&mut host, VERTEX);
    let aco = Build { target: Target::default(), compiler: Compiler::Aco };
    let compilers = vec![Compiler::Llvm, Compiler::Aco];
    host.set_settings(Settings { compilers, ..host.settings() });
    let jobs = wanted(&host, file);
    let builds: Vec<Build> = jobs.iter().map(|job| job.build).collect();
    assert_eq!(builds, [Target::default().into(), aco]);
    let JobInput::Spirv(shader) = &jobs[1].input else { panic!("ACO is handed SPIR-V") };
    assert_eq!(shader.module.words[0], 0x0723_0203);
    assert!(VERTEX.contains(&*shader.text));
    // v_mov_b32 v5, s3; s_endpgm: of the first instruction, and of none.
    let read = |ordinal| {
        let words = [0x7e0a_0203, 0xbf81_0000];
        let stated = gcn::compiled::Stated::default();
        let mut compiled = gcn::compiled::of_words(&words, stated, Target::default()).unwrap();
        compiled.instructions[0].ordinal = ordinal;
        JobResult::Read { compiled: Arc::new(compiled), notes: Arc::from(["by hand".to_owned()]) }
    };
    let code = |host: &Host| {
        let reference = CompiledRef::new(0, aco);
        host.snapshot().compiled_code(file, &reference).unwrap().unwrap()
    };
    assert_eq!(code(&host).state, CompiledState::Pending);
    // The listing is there before its lines.
    for (ordinal, has_line) in [(0, false), (1, true)] {
        host.finish_jobs(vec![(jobs[1].clone(), read(ordinal))]);
        let code = code(&host);
        assert_eq!((code.state, code.sources[0].is_some()), (CompiledState::Fresh, has_line));
        assert_eq!(*code.notes, ["by hand".to_owned()]);
    }
    assert_eq!(wanted(&host, file).len(), 1);
    assert_eq!(state(&host, file), CompiledState::Pending, "LLVM's code is another");
    let snapshot = host.snapshot();
    let both = snapshot.compare_builds(file, 0, &builds).unwrap().unwrap();
    let labels: Vec<&str> = both.columns.iter().map(|column| column.label.as_str()).collect();
    assert_eq!(labels, ["polaris10", "aco:polaris10"]);
    let shown = snapshot.compiled_view(file, &CompiledRef::new(0, aco), ViewKind::Code);
    let shown = shown.unwrap().unwrap().text;
    assert!(shown.contains("by ACO") && shown.contains("; by hand"), "{shown}");
    let lenses = snapshot.code_lenses(file).unwrap();
    let titles = lenses.iter().map(|it| snapshot.lens_title(file, &it.measured).unwrap().unwrap());
    let titles: Vec<String> = titles.collect();
    assert!(titles[1].starts_with("aco:polaris10: 6 VGPRs"), "{titles:?}");
}
