//! Listings that drivers printed, read as programs: every line is understood, and
//! assembles to the bytes that stand behind it.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::program::{Options, assemble};
use tests::corpora::shared;
use text::Severity;

struct Listing {
    name: String,
    family: String,
    text: String,
}

fn listings() -> Option<Vec<Listing>> {
    let path = shared("data/perf/aco_listings.jsonl.gz")?;
    let file = std::fs::File::open(path).unwrap();
    let lines = BufReader::new(flate2::read::GzDecoder::new(file)).lines();
    let read = lines.map(|line| {
        let record: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let field = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        let family = field("family");
        let name = format!("{} {family} {}", field("shader"), field("backend"));
        Listing { name, family, text: field("asm") }
    });
    Some(read.collect())
}

/// The bytes behind the semicolon of a line.
fn encoding(line: &str) -> Option<Vec<u32>> {
    let (code, words) = line.rsplit_once(';')?;
    (!code.trim().is_empty())
        .then(|| words.split_whitespace().map(|it| u32::from_str_radix(it, 16).ok()).collect())?
}

/// Whether words are the same but for bits that the text does not show: before
/// gfx9 the upper bits of a wait, which no counter uses, registers that an export
/// does not move, and a distance that was printed before it was known.
fn are_same(ours: &[u32], theirs: &[u32]) -> bool {
    const WAIT: u32 = 0xbf8c_0000;
    const UNUSED: u32 = 0xf080;
    const HALVES: u32 = 1 << 10;
    let is_jump = |word: u32| matches!(word >> 16, 0xbf82 | 0xbf84..=0xbf89);
    let is_export = |word: u32| matches!(word >> 26, 0b11_1110 | 0b11_0001);
    match (ours, theirs) {
        (&[ours], &[theirs]) if ours & 0xffff_0000 == WAIT => ours & !UNUSED == theirs & !UNUSED,
        (&[ours], &[theirs]) if is_jump(ours) && theirs & 0xffff == 0 => {
            ours & 0xffff_0000 == theirs
        }
        (&[first, ours], &[same, theirs]) if is_export(first) => {
            let moved = match first & HALVES {
                0 => (0..4).filter(|it| first & 1 << it != 0).map(|it| 0xff << (8 * it)).sum(),
                _ => 0xffff_u32,
            };
            first == same && ours & moved == theirs & moved
        }
        _ => ours == theirs,
    }
}

#[test]
fn every_line_of_a_driver_listing_is_understood() {
    let Some(listings) = listings() else { return };
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for listing in &listings {
        let target = Target::find(&listing.family).unwrap();
        let mut options = Options::of(&listing.text, "");
        options.target = Some(target);
        let program = assemble(&listing.text, &options, &|_| None, &|| ());
        let count =
            counts.entry(format!("{} {}", listing.family, options.dialect.name())).or_default();
        for finding in program.diagnostics.iter().filter(|it| it.severity <= Severity::Warning) {
            wrong.push(format!("{}: {}", listing.name, finding.message));
        }
        for instruction in &program.instructions {
            count[0] += 1;
            let statement = &program.expansion.statements[instruction.statement as usize];
            let start = statement.span.range.start();
            let line = listing.text[usize::from(start)..].lines().next().unwrap_or_default();
            let ours = instruction.assembled.as_ref().map(|it| it.words().to_vec());
            if ours.is_some_and(|ours| are_same(&ours, &encoding(line).unwrap_or_default())) {
                count[1] += 1;
            } else {
                count[2] += 1;
                wrong.push(format!("{}: {line}", listing.name));
            }
        }
    }
    for (kind, [lines, same, other]) in &counts {
        eprintln!("{kind}: {lines} instructions, {same} with the listing's bytes, {other} without");
    }
    eprintln!("{} listings", listings.len());
    let clrx = Dialect::Clrx.name();
    assert!(counts.keys().any(|kind| kind.ends_with(clrx)));
    assert!(listings.len() >= 480);
    assert!(wrong.is_empty(), "{} lines: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

/// What stands behind `//` in a line of llvm-objdump's.
fn objdump_encoding(line: &str) -> Option<Vec<u32>> {
    let (_, words) = line.rsplit_once("//")?.1.split_once(": ")?;
    words
        .split_whitespace()
        .take_while(|it| !it.starts_with('<'))
        .map(|it| u32::from_str_radix(it, 16).ok())
        .collect()
}

#[test]
fn what_objdump_printed_is_read_around_its_headings() {
    let Some(corpus) = tests::corpora::shared("corpora/gcn") else { return };
    let manifest = std::fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let (mut files, mut lines, mut same, mut foreign) = (0, 0, 0, 0);
    for row in manifest.lines().filter(|row| row.contains("llvm-objdump dump")) {
        let cells: Vec<&str> = row.split('\t').collect();
        let text = std::fs::read_to_string(corpus.join(cells[0])).unwrap();
        let mut options = Options::of(&text, cells[0]);
        assert_eq!(options.listing, Some(gcn::assembler::dialect::Listing::Objdump));
        options.target = Target::find(cells[3]);
        let program = assemble(&text, &options, &|_| None, &|| ());
        files += 1;
        lines += program.instructions.len();
        let line_at = |start: usize| text[start..].lines().next().unwrap_or_default();
        for instruction in &program.instructions {
            let statement = &program.expansion.statements[instruction.statement as usize];
            let line = line_at(usize::from(statement.span.range.start()));
            let theirs = objdump_encoding(line).unwrap_or_else(|| panic!("{line}"));
            match &instruction.assembled {
                Some(ours) if are_same(ours.words(), &theirs) => same += 1,
                Some(ours) => panic!("{line} {:x?}", ours.words()),
                // The files hold the code of later chips too, printed as one text.
                None => foreign += 1,
            }
        }
        for finding in program.diagnostics.iter().filter(|it| it.severity == Severity::Error) {
            let start =
                text[..usize::from(finding.range.start())].rfind('\n').map_or(0, |it| it + 1);
            assert!(objdump_encoding(line_at(start)).is_some(), "{}", finding.message);
        }
    }
    eprintln!(
        "{files} files, {lines} instructions, {same} with the listing's bytes, \
         {foreign} of chips after gfx8"
    );
    assert!(files >= 10 && same > 10 * foreign);
}

#[test]
fn programs_of_mesas_compiler_are_passed_over() {
    let Some(path) = shared("data/perf/aco_listings.jsonl.gz") else { return };
    let file = std::fs::File::open(path).unwrap();
    let (mut programs, mut lines) = (0, 0);
    for record in BufReader::new(flate2::read::GzDecoder::new(file)).lines() {
        let record: serde_json::Value = serde_json::from_str(&record.unwrap()).unwrap();
        let Some(instructions) = record["perf"]["instrs"].as_array() else { continue };
        let text: Vec<&str> = instructions.iter().filter_map(|it| it[2].as_str()).collect();
        let text = text.join("\n");
        let options = Options::of(&text, "");
        assert_eq!(options.listing, Some(gcn::assembler::dialect::Listing::Aco), "{text}");
        let program = assemble(&text, &options, &|_| None, &|| ());
        let findings: Vec<_> = program.diagnostics.iter().map(|it| it.message.as_str()).collect();
        assert!(findings.is_empty(), "{findings:?}\n{text}");
        programs += 1;
        lines += instructions.len();
    }
    eprintln!("{programs} programs of {lines} lines");
    assert!(programs >= 300);
}

/// Lines that LLVM's assembler takes for a class of chips, one of so many.
fn accepted_lines(class: &str, step: usize) -> Option<Vec<String>> {
    let file = std::fs::File::open(shared("data/gcn/mc-matrix")?.join(class)).unwrap();
    let rows = BufReader::new(flate2::read::GzDecoder::new(file)).lines().map(Result::unwrap);
    let rows: Vec<String> = rows.collect();
    let cells = rows.iter().map(|row| row.split('\t').collect::<Vec<_>>());
    let accepted = cells.filter(|cells| cells.get(1) == Some(&"ok"));
    // Branches have no place to go to.
    let plain = accepted.filter(|cells| !cells[0].contains("branch"));
    Some(plain.map(|cells| cells[0].to_owned()).step_by(step).collect())
}

/// Code of every encoding, assembled and printed by LLVM's tools where they are
/// installed: every line is understood, every word agrees, and the text says itself
/// which generation it is of.
#[test]
fn what_objdump_prints_of_objects_is_read() {
    let folder = std::env::temp_dir().join(format!("tungsten-listings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let out = std::process::Command::new(program).args(arguments).current_dir(&folder).output();
        let out = out.ok().filter(|out| out.status.success())?;
        Some(String::from_utf8(out.stdout).unwrap())
    };
    for (name, class) in [("gfx803", "gfx803.tsv.gz"), ("gfx900", "gfx900.tsv.gz")] {
        let target = Target::find(name).unwrap();
        let Some(lines) = accepted_lines(class, 11) else { return };
        let code = lines.join("\n\t");
        let loops = "loop_1:\n\ts_nop 0\n\ts_cbranch_scc1 loop_1\n\ts_branch first\n";
        std::fs::write(folder.join("k.s"), format!("first:\n\t{code}\n{loops}")).unwrap();
        let cpu = format!("-mcpu={name}");
        let arguments = ["-triple=amdgcn-amd-amdhsa", &cpu, "-filetype=obj", "k.s", "-o", "k.o"];
        let made = run("llvm-mc", &arguments);
        let listing = made.and_then(|_| run("llvm-objdump", &["-d", &cpu, "k.o"]));
        let Some(listing) = listing else {
            eprintln!("skipped: no llvm-mc and llvm-objdump for {name}");
            continue;
        };
        let options = Options::of(&listing, "");
        assert_eq!(options.listing, Some(gcn::assembler::dialect::Listing::Objdump));
        assert_eq!(options.default_target.generation(), target.generation());
        let options = Options { target: Some(target), ..options };
        let program = assemble(&listing, &options, &|_| None, &|| ());
        let found: Vec<_> = program.diagnostics.iter().map(|it| &it.message).collect();
        assert!(found.is_empty(), "{} findings: {:#?}", found.len(), &found[..found.len().min(9)]);
        for instruction in &program.instructions {
            let start = program.statement(instruction).span.range.start();
            let line = listing[usize::from(start)..].lines().next().unwrap_or_default();
            let ours = instruction.assembled.map(|it| it.words().to_vec());
            assert_eq!(ours, objdump_encoding(line), "{line}");
        }
        let read = program.instructions.len();
        eprintln!("{name}: {} lines, {read} instructions read", lines.len());
        assert!(read > 1_000 && program.labels.len() == 2);
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// A listing of each printer, in its form: what is read as what, and a changed line.
#[test]
fn every_printers_form_is_read() {
    use gcn::assembler::dialect::Listing;
    let listings = [
        (
            Listing::AmdDebug,
            "Pixel Shader:\nShader main disassembly:\nShader Disassembly:\nmain:\n\
             BB0_0:\n\
             \ts_mov_b32 m0, s11                                         ; BEFC000B\n\
             \tv_interp_p1_f32_e32 v2, v0, attr0.x                       ; D4080000\n\
             \texp mrt0 v2, v2, off, off done vm                         ; C4001803 00000202\n\
             \ts_endpgm                                                  ; BF810000\n\n\
             *** SHADER CONFIG ***\nSPI_PS_INPUT_ADDR = 0xd077\n*** SHADER STATS ***\n\
             SGPRS: 16\nVGPRS: 8\nCode Size: 20 bytes\n********************\n",
        ),
        (
            Listing::Radv,
            "Fragment Shader:\ndisasm:\nBB0:\n\
             \ts_nop 0                                                     ; bf800000\n\
             \t(then repeated 3 times)\n\
             BB1:\n\
             \ts_cbranch_scc1 BB1                                          ; bf85ffff\n\
             \ts_endpgm                                                    ; bf810000\n",
        ),
        (
            Listing::Rga,
            "; -------- Disassembly --------------------\nshader main\n  asic(VI)\n  type(PS)\n\
             \x20                                               // s_ps_state in s0\n\
             \x20 s_mov_b64     s[14:15], exec                   // 000000000000: BE8E017E\n\
             \x20 s_waitcnt     lgkmcnt(0)                       // 000000000004: BF8C007F\n\
             \x20 v_mul_f32     v2, 0x3f9d70a4, v1               // 000000000008: 0A0402FF 3F9D70A4\n\
             label_0010:\n\
             \x20 s_cbranch_scc1  label_0010                     // 000000000010: BF85FFFF\n\
             \x20 s_endpgm                                       // 000000000014: BF810000\nend\n",
        ),
        (
            Listing::Clrxdisasm,
            "/* Disassembling 'k.bin' */\n.rawcode\n.gpu Fiji\n.text\n\
             /*d1c10000 04060300*/ v_mad_f32       v0, v0, v1, v1\n\
             /*7e000280         */ v_mov_b32       v0, 0\n\
             .L12_0:\n\
             /*bf82ffff         */ s_branch        .L12_0\n\
             /*bf810000         */ s_endpgm\n",
        ),
        (
            Listing::Objdump,
            "\nk.o:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n\
             0000000000000000 <k>:\n\
             \ts_nop 0                         // 000000000000: BF800000\n\n\
             0000000000000004 <L1>:\n\
             \ts_cbranch_scc1 L1               // 000000000004: BF85FFFF <L1>\n\
             \ts_endpgm                        // 000000000008: BF810000\n\t\t...\n",
        ),
    ];
    let read = |text: &str| {
        let options = Options { target: Target::find("gfx803"), ..Options::of(text, "") };
        (options.listing, assemble(text, &options, &|_| None, &|| ()))
    };
    for (listing, text) in listings {
        let (found, program) = read(text);
        assert_eq!(found, Some(listing), "{text}");
        let messages: Vec<_> = program.diagnostics.iter().map(|it| &it.message).collect();
        assert!(messages.is_empty(), "{messages:?}\n{text}");
        let ends = program.instructions.last().unwrap();
        assert_eq!(program.text(ends), "s_endpgm");
        // A word that is not the line's.
        let (_, changed) =
            read(&text.replace("BF810000", "BF800007").replace("bf810000", "bf800007"));
        let messages: Vec<_> = changed.diagnostics.iter().map(|it| it.message.as_str()).collect();
        let told = "the listing shows bf800007 beside this line, which is `s_nop 7`; \
                    the line itself is bf810000";
        assert_eq!(messages, [told], "{text}");
    }
    // What was left out is in its place.
    let (_, program) = read(listings[1].1);
    assert_eq!(program.instructions.last().map(|it| it.offset), Some(20));
    assert_eq!(program.image(0).bytes[..16], [0, 0, 0x80, 0xbf].repeat(4));
}
