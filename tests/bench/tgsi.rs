//! The processor time that the TGSI front end takes for a line: reading it, and validating
//! it. Beside a yardstick of the same run: hashing the text byte by byte.
//!
//! `cargo bench -p tests --bench tgsi`; a missed bar fails it.

use std::hint::black_box;
use std::process::ExitCode;

use source::no_checkpoint;
use tests::measure::{hash, least, median, shader, yardstick};

/// The nanoseconds that reading and validating a line of a real shader may take.
const BAR: u128 = 250;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    println!(
        "{:<28} {:>7} {:>8} {:>12} {:>9} {:>9} {:>9}",
        "ns per line", "lines", "parse", "and validate", "lex", "format", "yardstick"
    );
    for lines in [300, 3_000, 30_000] {
        report(&format!("generated, {lines} lines"), &[shader(lines, 0)]);
    }
    report_scan();
    let folder = tests::corpora::shared("corpora/tgsi/mesa22-virgl-piglit");
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("the corpus of real shaders is not here: the bar is not judged");
        return ExitCode::SUCCESS;
    };
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    // Neighbours are alike: in another order branches are foretold worse.
    paths.sort();
    let texts = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    // The reference is timed without its table of formats.
    let texts: Vec<String> = texts.filter(|text| !text.contains("PIPE_FORMAT")).collect();
    let validate = report(&format!("{} real shaders", texts.len()), &texts);
    let verdict = if validate <= BAR { "kept" } else { "missed" };
    println!("bar of reading and validating a line of them: {BAR} ns, {verdict}");
    ExitCode::from(u8::from(validate > BAR))
}

/// The time to look for shaders in a large source of another language: without one, with one in
/// a literal near its end, one in a source of C with conditions, and beside them a hash of the same
/// bytes.
#[allow(clippy::print_stdout)]
fn report_scan() {
    const BYTES: usize = 10 << 20;
    const FUNCTION: &str = "/// Draws what is visible, back to front.\n\
        pub fn draw(items: &[Item], view: &View) -> Result<(), Error> {\n\
        \u{20}   for item in items.iter().filter(|item| view.sees(item)) {\n\
        \u{20}       log(\"drawn: {}\\n\", item.name());\n    }\n    Ok(())\n}\n\n";
    const WITH_CONDITIONS: &str = "#ifdef DEBUG\n#include <stdio.h>\n#endif\n\
        static void draw(struct item *items, const char *name)\n{\n#if LOG\n\
        \u{20}   printf(\"drawn: %s\\n\"\n#else\n    quiet(\"%s\\n\"\n#endif\n\
        \u{20}      \"and more\\n\", name);\n}\n\n";
    let source = FUNCTION.repeat(BYTES / FUNCTION.len());
    let conditions = WITH_CONDITIONS.repeat(BYTES / WITH_CONDITIONS.len());
    let shader = "const F: &str = \"FRAG\\nDCL OUT[0], COLOR\\nMOV OUT[0], IN[0]\\nEND\\n\";\n";
    for (name, text, shaders) in [
        ("no shader", source.clone(), 0),
        ("one shader", source + shader, 1),
        ("one shader and conditions of C", conditions + shader, 1),
    ] {
        assert_eq!(tgsi::regions::split(&text).shaders.len(), shaders);
        let scan = median(|| drop(black_box(tgsi::regions::split(&text))));
        let hash = yardstick(&text);
        let ratio = scan.as_secs_f64() / hash.as_secs_f64();
        println!("10 MiB of source, {name}: {scan:.1?}, {ratio:.2} of a hash of the bytes");
    }
}

/// One row: all texts one after the other, the least of the rounds by line. Returns the time of
/// reading and validating.
#[allow(clippy::print_stdout)]
fn report(name: &str, texts: &[String]) -> u128 {
    let lines: usize = texts.iter().map(|text| text.lines().count()).sum();
    let per_line = |work: &dyn Fn(&str)| {
        let total = least(|| texts.iter().for_each(|text| work(text)));
        total.as_nanos() / lines.max(1) as u128
    };
    let lex =
        per_line(&|text| tgsi::lexer::Lexer::new(text).for_each(|token| _ = black_box(token)));
    let parse = per_line(&|text| drop(black_box(tgsi::parser::parse(text, &no_checkpoint))));
    let validate = per_line(&|text| {
        let parse = tgsi::parser::parse(text, &no_checkpoint);
        if let Some(shader) = &parse.shader {
            drop(black_box(tgsi::validate(shader, &no_checkpoint)));
        }
    });
    let numbers = tgsi::format::Numbers::Always;
    let format = per_line(&|text| drop(black_box(tgsi::format::format(text, numbers))));
    let hash = per_line(&hash);
    println!("{name:<28} {lines:>7} {parse:>8} {validate:>12} {lex:>9} {format:>9} {hash:>9}");
    validate
}
