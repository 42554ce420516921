//! The formatter against Mesa's own dumps, and its promises on real shaders
//! and on broken and oddly spaced ones: it never changes what a text means,
//! keeps every comment, and formatting twice is formatting once.

use proptest::prelude::*;
use serde_json::Value;
use tests::corpora;
use text::{TextRange, TextSize, apply_edits, no_checkpoint};
use tgsi::ast::Shader;
use tgsi::format::{Numbers, Options, Scope, format, meaning, text_edits};
use tgsi::lexer::{Lexer, TokenKind};
use tgsi::regions::Region;

const ALWAYS: Options = Options { numbers: Numbers::Always };

fn shaders(text: &str) -> Vec<Shader> {
    let regions = tgsi::regions::split(text).shaders.into_iter();
    let parse = |region: Region| tgsi::parser::parse(region.text(text), &no_checkpoint).shader;
    regions.filter_map(parse).collect()
}

/// One program of the corpora and what Mesa's dumper prints of it.
struct Dumped {
    file: String,
    text: String,
    dump: String,
}

fn dumped() -> Option<Vec<Dumped>> {
    let root = corpora::shared("corpora/tgsi")?;
    let mut all = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(root.join("dump")).ok()?.flatten().collect();
    files.sort_by_key(std::fs::DirEntry::path);
    for file in files.iter().filter(|file| file.path().extension().is_some_and(|e| e == "jsonl")) {
        let lines = std::fs::read_to_string(file.path()).expect("a file of dumps");
        for line in lines.lines() {
            let object: Value = serde_json::from_str(line).expect("an object");
            let field = |name: &str| object[name].as_str().expect("a string").to_owned();
            let (file, dump) = (field("file"), field("text"));
            let text = std::fs::read_to_string(root.join(&file)).expect("a program");
            all.push(Dumped { file, text, dump });
        }
    }
    Some(all)
}

/// The floats between the braces of a line, where it is an `IMM` of them.
fn floats(line: &str) -> Option<Vec<&str>> {
    let (head, rest) = line.split_once('{')?;
    (head.starts_with("IMM[") && head.ends_with("] FLT32 ")).then_some(())?;
    Some(rest.strip_suffix('}')?.split(", ").collect())
}

/// Word for word, with two classes of exceptions: blank lines, which the
/// dumper has none of and which are kept, and floats of which four decimals
/// are not all, which keep their bits.
#[test]
fn formatting_is_what_mesa_prints() {
    let Some(programs) = dumped() else { return };
    let mut wrong = Vec::new();
    let (mut same, mut kept) = (0, 0);
    for Dumped { file, text, dump } in &programs {
        let ours = format(text, &ALWAYS);
        let ours: Vec<&str> = ours.lines().filter(|line| !line.is_empty()).collect();
        let theirs: Vec<&str> = dump.lines().collect();
        if ours.len() != theirs.len() {
            wrong.push(format!("{file}: {} lines, Mesa {}", ours.len(), theirs.len()));
        }
        for (our, their) in ours.iter().zip(&theirs) {
            if our == their {
                same += 1;
            } else if is_rounded(our, their) {
                kept += 1;
            } else {
                wrong.push(format!("{file}:\n  ours {our:?}\n  Mesa {their:?}"));
            }
        }
    }
    eprintln!("{} programs, {same} lines the same, {kept} with more digits", programs.len());
    assert!(programs.len() > 200 && kept < 50, "the dumps were not read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a line of Mesa's is ours but for floats that it rounds.
fn is_rounded(our: &str, their: &str) -> bool {
    let (Some(ours), Some(theirs)) = (floats(our), floats(their)) else { return false };
    let head = |line: &str| line.split_once('{').map(|(head, _)| head.to_owned());
    head(our) == head(their)
        && ours.len() == theirs.len()
        && ours.iter().zip(theirs).all(|(our, their)| {
            let (ours, read): (f32, f32) = match (our.trim().parse(), their.trim().parse()) {
                (Ok(ours), Ok(read)) => (ours, read),
                _ => return false,
            };
            *our == their || read.to_bits() != ours.to_bits() && format!("{ours:10.4}") == their
        })
}

fn comments(text: &str) -> Vec<&str> {
    let tokens = Lexer::new(text).filter(|(kind, _)| {
        matches!(
            kind,
            TokenKind::LineComment | TokenKind::BlockComment | TokenKind::UnclosedComment
        )
    });
    tokens.map(|(_, range)| &text[range]).collect()
}

/// What is left of a text without its shaders.
fn outside(text: &str) -> Vec<&str> {
    let mut start = TextSize::new(0);
    let mut parts = Vec::new();
    for region in tgsi::regions::split(text).shaders {
        parts.push(&text[TextRange::new(start, region.range().start())]);
        start = region.range().end();
    }
    parts.push(&text[usize::from(start)..]);
    parts
}

fn broken(text: &str) -> Vec<String> {
    let regions = tgsi::regions::split(text).shaders.into_iter();
    let parts = regions.map(|region| &text[region.range()]);
    let statements = parts.flat_map(|part| {
        let shader = tgsi::parser::parse(part, &no_checkpoint).shader;
        let statements = shader.map(|shader| shader.statements).unwrap_or_default();
        let broken = statements.into_iter().filter(|statement| statement.broken);
        broken.map(|statement| part[statement.range].to_owned()).collect::<Vec<_>>()
    });
    statements.collect()
}

const OPTIONS: [Options; 3] =
    [Options { numbers: Numbers::Keep }, ALWAYS, Options { numbers: Numbers::Never }];

/// Checks every promise of the formatter on one text; says which one it broke.
fn check(text: &str) -> Result<(), String> {
    for region in tgsi::regions::split(text).shaders {
        let part = region.text(text);
        let shader = tgsi::parser::parse(part, &no_checkpoint).shader.ok_or("no shader")?;
        for options in &OPTIONS {
            tgsi::format::shader_edits(part, &shader, "", options, Scope::Whole, &no_checkpoint)
                .map_err(|_| format!("{options:?}: the meaning would change"))?;
        }
    }
    for options in &OPTIONS {
        let edits = text_edits(text, options, Scope::Whole);
        let formatted = apply_edits(text, &edits).ok_or("edits overlap")?;
        let fail = |what: &str| Err(format!("{options:?}: {what}:\n{formatted}"));
        let (before, after) = (shaders(text), shaders(&formatted));
        if !before.iter().map(meaning).eq(after.iter().map(meaning)) {
            return fail("another meaning");
        }
        if comments(text) != comments(&formatted) {
            return fail("other comments");
        }
        if outside(text) != outside(&formatted) {
            return fail("text outside of shaders was touched");
        }
        if broken(text) != broken(&formatted) {
            return fail("a statement with an error was touched");
        }
        if format(&formatted, options) != formatted {
            let again = format(&formatted, options);
            return fail(&format!("formatting again gives\n{again}\nafter"));
        }
    }
    Ok(())
}

#[test]
fn real_shaders_keep_their_meaning() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let mut wrong = Vec::new();
    for program in &programs {
        if let Err(what) = check(&program.text) {
            wrong.push(format!("{}: {what}", program.name));
        }
    }
    eprintln!("{} programs, {} wrong", programs.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(3)].join("\n"));
}

/// Mesa 22's compiler writes the labels that interpreters want. A driver's
/// pass may add instructions later and leave the labels behind: then each is
/// short by as many as were added before its target, never by anything else.
#[test]
fn labels_are_those_of_a_compiler_that_knew() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let (mut right, mut left_behind) = (0, 0);
    for program in programs.iter().filter(|it| it.name.starts_with("mesa22-virgl-piglit/")) {
        let Some(shader) = tgsi::parser::parse(&program.text, &no_checkpoint).shader else {
            continue;
        };
        let labels = tgsi::labels::labels(&shader);
        let mut pairs: Vec<(u32, u32)> = labels
            .iter()
            .filter(|label| label.matters)
            .map(|label| (label.right, label.written.expect("a label").value))
            .collect();
        pairs.sort_unstable();
        let mut added = 0;
        for (ours, theirs) in pairs {
            let shift = ours.checked_sub(theirs).filter(|shift| *shift >= added);
            added = shift.unwrap_or_else(|| panic!("{}: {ours} {theirs}", program.name));
            *(if added == 0 { &mut right } else { &mut left_behind }) += 1;
        }
    }
    eprintln!("{right} labels agree, {left_behind} were left behind");
    assert!(right > 500, "the programs were not read");
}

#[test]
fn repairing_labels_leaves_nothing_to_repair() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let mut repaired = 0;
    for program in &programs {
        let Some(shader) = tgsi::parser::parse(&program.text, &no_checkpoint).shader else {
            continue;
        };
        let repairs = tgsi::labels::repairs(&shader);
        repaired += repairs.len();
        let text = apply_edits(&program.text, &repairs).expect("disjoint edits");
        let again = tgsi::parser::parse(&text, &no_checkpoint).shader.expect("a shader");
        assert_eq!(tgsi::labels::repairs(&again), [], "{}", program.name);
    }
    eprintln!("{repaired} labels repaired");
    assert!(repaired > 500, "the programs were not read");
}

/// Every form of the language, for where the corpora are absent.
const FORMS: &str = "\
GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY UNHEARD_OF 1, 2
DCL IN[][0], POSITION
DCL IN[][1], GENERIC
DCL OUT[0], POSITION[0], STREAM(0, 0, 0, 0)
DCL OUT[1].xyzw, GENERIC[2], STREAM(0, 1, 0, 0), INVARIANT
DCL CONST[1][0..3]
DCL SAMP[0..0]
DCL SVIEW[0], CUBE_ARRAY, FLOAT, FLOAT, FLOAT, FLOAT
DCL IMAGE[0], 2D, WR, PIPE_FORMAT_R32_UINT
DCL MEMORY[0]
DCL BUFFER[0], ATOMIC
DCL TEMP[0..7], ARRAY(1), LOCAL
DCL ADDR[0]
IMM FLT32 { 0.5, 1e-10, -0, 0x3f800001 }
IMM[1] UINT32 {1065353216, 007, 4294967295, 4294967296}
IMM[2] INT32 {-1, +1, 0, 2}
IMM[3] FLT64 {0.1, 1e300}
IMM[4] INT64 {-1, 0xff}
17: mov_sat TEMP[ADDR[0]](1).xyzw, -|CONST[1][ADDR[0].x+2].xyzw|
UIF TEMP[0].x :0
  TEX TEMP[1].xy, IN[2][0], SAMP[0], CUBE_ARRAY
  TXF TEMP[1], TEMP[0], SAMP[0], 2D, IMM[2], IMM[2].zyx
ELSE :9
  LOAD TEMP[2], BUFFER[0], TEMP[1].yyyy, 2D, VOLATILE, COHERENT, PIPE_FORMAT_NONE
  STORE BUFFER[0].x, TEMP[1], TEMP[2], BUFFER
ENDIF
BGNLOOP
(!PRED[0].x) MOV TEMP[0], TEMP[1]
MVO TEMP[3]  ,  TEMP[1]
BRK
ENDLOOP
EMIT
ENDPRIM IMM[1].wwww
END
";

/// Forms of the language, and programs of the corpora where they exist.
fn bases() -> &'static [String] {
    static BASES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    BASES.get_or_init(|| {
        let programs = corpora::tgsi_programs().unwrap_or_default();
        let texts = programs.into_iter().map(|program| program.text);
        let short = texts.filter(|text| text.len() < 4000);
        short.step_by(7).chain(std::iter::repeat_n(FORMS.to_owned(), 60)).collect()
    })
}

/// What may stand between two tokens.
const GAPS: [&str; 14] = [
    "",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n\n",
    "\r\n",
    " \n  ",
    " /* a */ ",
    "/* b\n   c */",
    " // d\n",
    "\n# e\n",
    "\u{a0}",
    "\u{b}",
];

/// Puts other space between some tokens of a text: `changes` are places and gaps.
fn respaced(text: &str, changes: &[(usize, usize)]) -> String {
    let mut parts: Vec<(&str, TokenKind)> = Vec::new();
    for (kind, range) in Lexer::new(text) {
        parts.push((&text[range], kind));
    }
    let mut out: Vec<String> = parts.iter().map(|(part, _)| (*part).to_owned()).collect();
    for (place, gap) in changes {
        let place = place % parts.len();
        let gap = GAPS[gap % GAPS.len()];
        match parts[place].1.is_trivia() {
            true if gap.is_empty() => {}
            true => out[place] = gap.to_owned(),
            false => out[place].push_str(gap),
        }
    }
    out.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..Default::default() })]

    #[test]
    fn space_and_comments_anywhere_keep_the_meaning(
        base in 0usize..10_000,
        changes in proptest::collection::vec((0usize..100_000, 0usize..100), 0..40),
    ) {
        let bases = bases();
        let text = respaced(&bases[base % bases.len()], &changes);
        if let Err(what) = check(&text) {
            prop_assert!(false, "{}\n--- of\n{}", what, text);
        }
    }

    #[test]
    fn words_in_any_order_keep_the_meaning(
        base in 0usize..10_000,
        swaps in proptest::collection::vec((0usize..100_000, 0usize..100_000), 0..6),
    ) {
        let bases = bases();
        let text = &bases[base % bases.len()];
        let mut tokens: Vec<&str> = Lexer::new(text).map(|(_, range)| &text[range]).collect();
        for (a, b) in swaps {
            let (a, b) = (a % tokens.len(), b % tokens.len());
            tokens.swap(a.max(1), b.max(1));
        }
        let text = tokens.concat();
        if let Err(what) = check(&text) {
            prop_assert!(false, "{}\n--- of\n{}", what, text);
        }
    }
}
