//! The time that the TGSI front end takes for a line: reading it, and diagnostic out what is
//! wrong with it. Beside a yardstick of the same run: hashing the text byte by byte.
//!
//! `cargo bench -p tests --bench tgsi`

use std::hint::black_box;
use std::time::Duration;

use source::no_checkpoint;
use tests::measure::{median, shader, yardstick};

#[allow(clippy::print_stdout)]
fn main() {
    println!(
        "{:<28} {:>7} {:>8} {:>12} {:>9} {:>9} {:>9}",
        "ns per line", "lines", "parse", "and validate", "lex", "format", "yardstick"
    );
    for lines in [300, 3_000, 30_000] {
        report(&format!("generated, {lines} lines"), &[shader(lines, 0)]);
    }
    report_scan();
    let folder = tests::corpora::shared("corpora/tgsi/mesa22-virgl-piglit");
    let Ok(files) = std::fs::read_dir(folder) else { return };
    let texts = files.filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok());
    // The reference is timed without its table of formats.
    let texts: Vec<String> = texts.filter(|text| !text.contains("PIPE_FORMAT")).collect();
    report(&format!("{} real shaders", texts.len()), &texts);
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

/// One row: the sum of each shader's medians, by line.
#[allow(clippy::print_stdout)]
fn report(name: &str, texts: &[String]) {
    let lines: usize = texts.iter().map(|text| text.lines().count()).sum();
    let per_line = |work: &dyn Fn(&str) -> Duration| {
        let total: Duration = texts.iter().map(|text| work(text)).sum();
        total.as_nanos() / lines.max(1) as u128
    };
    let lex = per_line(&|text| {
        median(|| tgsi::lexer::Lexer::new(text).for_each(|token| _ = black_box(token)))
    });
    let parse =
        per_line(&|text| median(|| drop(black_box(tgsi::parser::parse(text, &no_checkpoint)))));
    let validate = per_line(&|text| {
        median(|| {
            let parse = tgsi::parser::parse(text, &no_checkpoint);
            if let Some(shader) = &parse.shader {
                drop(black_box(tgsi::validate(shader, &no_checkpoint)));
            }
        })
    });
    let numbers = tgsi::format::Numbers::Always;
    let format = per_line(&|text| median(|| drop(black_box(tgsi::format::format(text, numbers)))));
    let hash = per_line(&yardstick);
    println!("{name:<28} {lines:>7} {parse:>8} {validate:>12} {lex:>9} {format:>9} {hash:>9}");
}
