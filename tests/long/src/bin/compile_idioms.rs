//! Compares single statements with what the last Mesa that compiled TGSI itself made
//! of them: `cargo run --release -p long-tests --bin compile_idioms -- [--llvm MAJOR]`
//!
//! The instructions of a statement are counted without those that fetch its operands
//! (interpolation, loads, moves of constants) or wait. `bench/idioms.tsv` has the other
//! side. Prints a table; exit status 1 if a statement takes more instructions than
//! there.

use std::process::ExitCode;

use gcn::{Generation, Target};
use tests::bench::{Bench, libraries, own_program, serve_if_worker};

const ROWS: &str = include_str!("../../../bench/idioms.tsv");
const TARGETS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];
/// Instructions that fetch operands or wait, by the beginning of their names.
const NOT_COUNTED: [&str; 9] = [
    "v_interp",
    "s_waitcnt",
    "s_load",
    "s_buffer_load",
    "v_mov",
    "s_mov",
    "s_nop",
    "s_wqm",
    "s_and_b64",
];

/// A shader with one statement to look at, the fourth line behind the declarations.
fn shader(statement: &str) -> String {
    format!(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], CONSTANT\n\
         DCL IN[2], GENERIC[2], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL ADDR[0]\n\
         DCL CONST[0][0..3]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n\
         {statement}\n{}\nMOV OUT[0], TEMP[0].xyxy\nEND\n",
        match statement.starts_with("ARL") {
            true => "MOV TEMP[0], CONST[0][ADDR[0].x]",
            false => "NOP",
        },
    )
}

/// The column of a generation in the table.
fn column(target: Target) -> usize {
    match target.row().generation {
        Generation::Gfx6 | Generation::Gfx7 => 1,
        Generation::Gfx8 => 2,
        Generation::Gfx9 => 3,
    }
}

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let mut arguments = std::env::args().skip(1);
    let major = arguments.by_ref().find(|it| it == "--llvm").and_then(|_| arguments.next());
    let targets: Vec<Target> = TARGETS.iter().filter_map(|name| Target::find(name)).collect();
    let mut good = true;
    for library in libraries() {
        let version = library.version.to_string();
        if major.as_deref().is_some_and(|major| version.split('.').next() != Some(major)) {
            continue;
        }
        let mut bench = Bench::with_compiler(targets.clone(), &own_program(), &library.path);
        let (mut ours, mut theirs) = ([0; 4], [0; 4]);
        println!("LLVM {version}");
        println!("{:<10} {}", "", TARGETS.map(|name| format!("{name:>12}")).concat());
        for row in ROWS.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = row.split('\t').collect();
            let statement = fields[0];
            let text = shader(statement);
            let place = text.find(statement).unwrap_or(0);
            let file = bench.open("idiom", &text);
            bench.compile(file);
            let opcode = statement.split(' ').next().unwrap_or_default();
            let mut line = format!("{opcode:<10} ");
            for (number, target) in targets.iter().enumerate() {
                let code = bench.code(file, 0, *target);
                let Some((code, compiled)) =
                    code.as_ref().and_then(|code| Some((code, code.compiled.as_ref()?)))
                else {
                    line.push_str("          --");
                    good = false;
                    continue;
                };
                let of_statement = compiled.instructions.iter().zip(&code.sources);
                let count = of_statement
                    .filter(|(_, source)| {
                        source.is_some_and(|range| usize::from(range.start()) == place)
                    })
                    .filter(|(instruction, _)| {
                        !NOT_COUNTED.iter().any(|name| instruction.text.starts_with(name))
                    })
                    .count();
                let wanted: usize = fields[column(*target)].parse().unwrap_or(0);
                ours[number] += count;
                theirs[number] += wanted;
                let mark = if count > wanted { "!" } else { " " };
                good &= count <= wanted;
                line.push_str(&format!("{:>11}{mark}", format!("{count} of {wanted}")));
            }
            println!("{line}");
            bench.host.remove_file(file);
        }
        let sums = [0, 1, 2, 3].map(|at: usize| format!("{} of {}", ours[at], theirs[at]));
        println!("{:<10} {}", "all", sums.map(|sum| format!("{sum:>11} ")).concat());
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
