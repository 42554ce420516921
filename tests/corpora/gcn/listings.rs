//! Listings that drivers printed, read as programs: every line is understood, and
//! assembles to the bytes that stand behind it.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::program::{Options, assemble};
use source::Severity;
use tests::corpora::shared;
use tests::kernels::kernels;
use tests::tools::llvm;

struct Listing {
    name: String,
    family: String,
    text: String,
}

fn listings() -> Vec<Listing> {
    let path = shared("data/perf/aco_listings.jsonl.gz");
    let file = std::fs::File::open(path).unwrap();
    let lines = BufReader::new(flate2::read::GzDecoder::new(file)).lines();
    let read = lines.map(|line| {
        let record: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let field = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        let family = field("family");
        let name = format!("{} {family} {}", field("shader"), field("backend"));
        Listing { name, family, text: field("asm") }
    });
    read.collect()
}

/// The bytes behind the semicolon of a line.
fn encoding(line: &str) -> Option<Vec<u32>> {
    let (code, words) = line.rsplit_once(';')?;
    (!code.trim().is_empty())
        .then(|| words.split_whitespace().map(|it| u32::from_str_radix(it, 16).ok()).collect())?
}

/// Tells whether words are the same but for bits that the text does not show: before gfx9
/// the upper bits of a wait, which no counter uses, registers that an export does not move,
/// and a distance that was printed before it was known.
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
    let listings = listings();
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for listing in &listings {
        let target = Target::find(&listing.family).unwrap();
        let mut options = Options::of(&listing.text, "");
        options.target = Some(target);
        let program = assemble(&listing.text, &options, &|_| None, &|| ());
        let count =
            counts.entry(format!("{} {}", listing.family, options.dialect.name())).or_default();
        for diagnostic in program.diagnostics.iter().filter(|it| it.severity <= Severity::Warning) {
            wrong.push(format!("{}: {}", listing.name, diagnostic.message));
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

/// Returns the words behind `//` in a line of llvm-objdump's.
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
    let corpus = tests::corpora::shared("corpora/gcn");
    let manifest = std::fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let (mut files, mut lines, mut same, mut foreign) = (0, 0, 0, 0);
    for row in manifest.lines().filter(|row| row.contains("llvm-objdump dump")) {
        let cells: Vec<&str> = row.split('\t').collect();
        let text = std::fs::read_to_string(corpus.join(cells[0])).unwrap();
        let mut options = Options::of(&text, cells[0]);
        assert_eq!(options.listing, Some(gcn::dialect::Listing::Objdump));
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
        for diagnostic in program.diagnostics.iter().filter(|it| it.severity == Severity::Error) {
            let start =
                text[..usize::from(diagnostic.range.start())].rfind('\n').map_or(0, |it| it + 1);
            assert!(objdump_encoding(line_at(start)).is_some(), "{}", diagnostic.message);
        }
    }
    eprintln!(
        "{files} files, {lines} instructions, {same} with the listing's bytes, \
         {foreign} of chips after gfx8"
    );
    assert!(files >= 10 && same > 10 * foreign);
}

#[test]
fn the_code_of_every_kernel_has_a_listing_that_assembles_to_it() {
    let (mut count, mut bytes) = (0, 0);
    for kernel in kernels(&shared("corpora/gcn")).iter().filter(|kernel| kernel.assembles()) {
        let code = kernel.assemble(&kernel.text()).image(0).bytes;
        let text = gcn::object::listing(&code, Some(kernel.target)).unwrap().text();
        let options = Options { target: Some(kernel.target), ..Options::of(&text, "") };
        let again = assemble(&text, &options, &|_| None, &|| ());
        let same = again.image(0).bytes == code;
        assert!(same, "{} {:?}", kernel.file, again.diagnostics.first());
        (count, bytes) = (count + 1, bytes + code.len());
    }
    eprintln!("{count} kernels, {bytes} bytes");
    assert!(count >= 65, "{count} kernels");
}

#[test]
fn programs_of_mesas_compiler_are_passed_over() {
    let path = shared("data/perf/aco_listings.jsonl.gz");
    let file = std::fs::File::open(path).unwrap();
    let (mut programs, mut lines) = (0, 0);
    for record in BufReader::new(flate2::read::GzDecoder::new(file)).lines() {
        let record: serde_json::Value = serde_json::from_str(&record.unwrap()).unwrap();
        let Some(instructions) = record["perf"]["instrs"].as_array() else { continue };
        let text: Vec<&str> = instructions.iter().filter_map(|it| it[2].as_str()).collect();
        let text = text.join("\n");
        let options = Options::of(&text, "");
        assert_eq!(options.listing, Some(gcn::dialect::Listing::Aco), "{text}");
        let program = assemble(&text, &options, &|_| None, &|| ());
        let diagnostics: Vec<_> =
            program.diagnostics.iter().map(|it| it.message.as_str()).collect();
        assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
        programs += 1;
        lines += instructions.len();
    }
    eprintln!("{programs} programs of {lines} lines");
    assert!(programs >= 300);
}

/// Lines that LLVM's assembler takes for a class of chips, every n-th.
fn accepted_lines(class: &str, step: usize) -> Vec<String> {
    let file = std::fs::File::open(shared("data/gcn/mc-matrix").join(class)).unwrap();
    let rows = BufReader::new(flate2::read::GzDecoder::new(file)).lines().map(Result::unwrap);
    let rows: Vec<String> = rows.collect();
    let cells = rows.iter().map(|row| row.split('\t').collect::<Vec<_>>());
    let accepted = cells.filter(|cells| cells.get(1) == Some(&"ok"));
    // Branches have no place to go to. Short codes of floats in operands of 16-bit integers
    // llvm-objdump prints as literals, of which llvm-mc makes other words.
    let is_float = |word: &str| word.contains('.') && word.parse::<f32>().is_ok();
    let printed_otherwise = |line: &str| {
        let integers = ["u16", "i16", "b16"].iter().any(|it| line.contains(it));
        integers && line.split([' ', ',']).any(is_float)
    };
    let plain = accepted.filter(|cells| !cells[0].contains("branch"));
    let lines = plain.map(|cells| cells[0].to_owned()).step_by(step);
    // Alone a symbol may be defined later; in a file it must be.
    let names_symbol = |line: &str| line.contains("(i1") || line.ends_with("-u");
    lines.filter(|line| !printed_otherwise(line) && !names_symbol(line)).collect()
}

/// Code of every encoding, assembled and printed by LLVM's tools: every line is understood, every word agrees, and the text says itself
/// which generation it is of.
#[test]
fn what_objdump_prints_of_objects_is_read() {
    let folder = std::env::temp_dir().join(format!("tungsten-listings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let out =
            std::process::Command::new(llvm(program)).args(arguments).current_dir(&folder).output();
        let out = out.expect(program);
        assert!(out.status.success(), "{program}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    for (name, class) in [("gfx803", "gfx803.tsv.gz"), ("gfx900", "gfx900.tsv.gz")] {
        let target = Target::find(name).unwrap();
        let lines = accepted_lines(class, 11);
        let code = lines.join("\n\t");
        let loops = "loop_1:\n\ts_nop 0\n\ts_cbranch_scc1 loop_1\n\ts_branch first\n";
        std::fs::write(folder.join("k.s"), format!("first:\n\t{code}\n{loops}")).unwrap();
        let cpu = format!("-mcpu={name}");
        let arguments = ["-triple=amdgcn-amd-amdhsa", &cpu, "-filetype=obj", "k.s", "-o", "k.o"];
        run("llvm-mc", &arguments);
        let listing = run("llvm-objdump", &["-d", &format!("-{cpu}"), "k.o"]);
        let options = Options::of(&listing, "");
        assert_eq!(options.listing, Some(gcn::dialect::Listing::Objdump));
        assert_eq!(options.default_target.generation(), target.generation());
        let options = Options { target: Some(target), ..options };
        let program = assemble(&listing, &options, &|_| None, &|| ());
        let found: Vec<_> = program.diagnostics.iter().map(|it| &it.message).collect();
        assert!(
            found.is_empty(),
            "{} diagnostics: {:#?}",
            found.len(),
            &found[..found.len().min(9)]
        );
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
