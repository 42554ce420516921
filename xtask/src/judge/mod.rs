//! Tables of what other assemblers, readers and compilers say of our own lines.
//!
//! The lines are made from the tables of the instruction set and from templates,
//! the same ones for the same code. The judges are versions of LLVM's `llvm-mc`; that of
//! our shaders is virglrenderer, those of registers and waves are Mesa's driver RADV and LLVM. What is
//! stored are facts: whether a line is an instruction, its bytes, how it is spelled, the
//! column of a complaint, whether a shader is read, what a chip allocates for it. No
//! sentence of a judge is kept.

mod alter;
mod clrx;
mod lines;
mod llvm;
mod programs;
pub(crate) mod radv;
mod random;
mod table;
mod templates;
#[cfg_attr(not(unix), path = "virgl_elsewhere.rs")]
mod virgl;
mod waves;
mod words;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use llvm::Judge;
use table::{Outcome, Source};

/// The arguments of `cargo xtask judge`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Says whether the stored tables are current, and writes none.
    #[arg(long)]
    check: bool,
    /// Judges these classes of chips only.
    #[arg(long, value_delimiter = ',')]
    class: Vec<String>,
    /// Runs LLVM 22's llvm-mc: a program, or a wrapper with the program's name behind it.
    #[arg(long, value_name = "COMMAND", default_value = "llvm-mc-22")]
    llvm22: String,
    /// Takes verdicts of the CLRX assembler from a folder of `CLASS.tsv.gz`.
    #[arg(long, value_name = "FOLDER")]
    clrx: Option<PathBuf>,
    /// Runs LLVM 19's compiler llc, which tells the waves of a kernel.
    #[arg(long, value_name = "COMMAND", default_value = "llc-19")]
    llc: String,
    /// Runs LLVM 22's llc, for the chips that LLVM 19 does not know or knows in part.
    #[arg(long, value_name = "COMMAND", default_value = "llc-22")]
    llc22: String,
    /// Judges one body of cases alone.
    #[arg(long, value_enum)]
    only: Option<Body>,
    /// Runs virglrenderer's test server: a program, or a wrapper with the program's name
    /// behind it.
    #[arg(long, value_name = "COMMAND", default_value = "virgl_test_server")]
    virgl: String,
    /// The version of that server, which does not tell it.
    #[arg(
        long,
        value_name = "VERSION",
        required_unless_present = "only",
        required_if_eq("only", "shaders")
    )]
    virgl_version: Option<String>,
    /// Asks RADV: the path of its library, or a wrapper with that path behind it; once for
    /// each Mesa.
    #[arg(
        long,
        value_name = "COMMAND",
        required_unless_present = "only",
        required_if_eq("only", "registers")
    )]
    radv: Vec<String>,
}

/// A body of cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Body {
    /// Lines and programs of assembly.
    Lines,
    /// Shaders in TGSI.
    Shaders,
    /// Registers and waves of compute shaders.
    Registers,
    /// Waves of kernels by registers, memory and size of the workgroup.
    Waves,
}

/// The chips whose instruction sets differ.
const CLASSES: [&str; 12] = [
    "gfx600", "gfx704", "gfx801", "gfx803", "gfx810", "gfx900", "gfx904", "gfx906", "gfx908",
    "gfx90a", "gfx942", "gfx950",
];

/// Judges lines, programs and shaders, and writes or compares the tables.
///
/// # Errors
/// Where a judge is missing or a table is not current.
pub(crate) fn run(options: &Options, root: &Path) -> Result<String, String> {
    let folder = root.join("tests/data/judged");
    let mut shelf = Shelf {
        sources: Source::read(&folder)?,
        folder,
        check: options.check,
        stale: Vec::new(),
        said: String::new(),
    };
    let asked = |body| options.only.is_none_or(|only| only == body);
    if asked(Body::Lines) {
        judge_lines(options, root, &mut shelf)?;
    }
    if let (true, Some(version)) = (asked(Body::Shaders), &options.virgl_version) {
        let (text, outcome) = virgl::table(root, &options.virgl)?;
        shelf.put(
            "tgsi-virglrenderer.tsv.gz",
            &text,
            &format!("virglrenderer {version}"),
            outcome,
        )?;
    }
    if asked(Body::Registers) {
        let (text, versions, rows) = radv::table(&options.radv)?;
        shelf.put("gcn-radv.tsv.gz", &text, &versions, format!("{rows} rows"))?;
    }
    if asked(Body::Waves) {
        let judges = [
            Judge::new("llc-19", &options.llc, "on Debian 12 install the package llvm-19")?,
            Judge::new("llc-22", &options.llc22, "name LLVM 22's llc by --llc22")?,
        ];
        let (text, rows) = waves::table(&judges)?;
        shelf.put("gcn-waves.tsv.gz", &text, &versions(&judges), format!("{rows} rows"))?;
    }
    if !shelf.stale.is_empty() {
        return Err(format!("not current: {}", shelf.stale.join(", ")));
    }
    if !options.check {
        shelf.sources.write(&shelf.folder)?;
    }
    Ok(shelf.said)
}

/// The folder of the tables.
struct Shelf {
    folder: PathBuf,
    sources: Source,
    /// True if tables are compared only.
    check: bool,
    /// The tables that are not current.
    stale: Vec<String>,
    said: String,
}

impl Shelf {
    /// Writes a table that has changed, or notes that it has.
    fn put(
        &mut self,
        name: &str,
        text: &str,
        judges: &str,
        outcome: impl Display,
    ) -> Result<(), String> {
        self.said.push_str(&format!("{name}: {outcome}\n"));
        let path = self.folder.join(name);
        if table::is_current(&path, text)? {
            return Ok(());
        }
        if self.check {
            self.stale.push(name.to_owned());
            return Ok(());
        }
        table::write(&path, text)?;
        self.sources.record(name, judges, &outcome)
    }
}

/// Judges lines of assembly, class by class, and our programs in assembly.
fn judge_lines(options: &Options, root: &Path, shelf: &mut Shelf) -> Result<(), String> {
    let judges = [
        Judge::new("llvm-15", "llvm-mc-15", "on Debian 12 install the package llvm-15")?,
        Judge::new("llvm-19", "llvm-mc-19", "on Debian 12 install the package llvm-19")?,
        Judge::new(
            "llvm-22",
            &options.llvm22,
            "install the package llvm-22 of Debian unstable, or name its llvm-mc by --llvm22",
        )?,
    ];
    let places = lines::all_places();
    let asked =
        |class: &str| options.class.is_empty() || options.class.iter().any(|it| it == class);
    for class in CLASSES.into_iter().filter(|class| asked(class)) {
        let lines = lines::lines(class, share(class), &places);
        let judges = who_know(class, &judges)?;
        let (text, outcome) = judged(class, &lines, &judges)?;
        shelf.put(&format!("gcn-{class}.tsv.gz"), &text, &versions(&judges), outcome)?;
        if let Some(folder) = &options.clrx
            && let Some((name, text, outcome, judges)) = clrx::table(folder, class, &lines)?
        {
            shelf.put(&name, &text, &judges, outcome)?;
        }
    }
    shelf.stale.extend(programs::judge(root, &judges, options.check)?);
    Ok(())
}

/// The judges that know a chip.
fn who_know(class: &str, judges: &[Judge]) -> Result<Vec<Judge>, String> {
    let mut found = Vec::new();
    for judge in judges {
        if judge.knows("-triple=amdgcn", class)? {
            found.push(judge.clone());
        }
    }
    if found.is_empty() { Err(format!("no judge knows {class}")) } else { Ok(found) }
}

/// Of so many lines a class keeps one: less of the chips that differ in few instructions, and
/// of those that have the most templates.
fn share(class: &str) -> usize {
    match class {
        "gfx801" | "gfx810" | "gfx904" | "gfx906" => 4,
        "gfx90a" | "gfx942" | "gfx950" => 2,
        _ => 1,
    }
}

fn versions(judges: &[Judge]) -> String {
    let versions = judges.iter().map(|judge| format!("{} {}", judge.name, judge.version));
    versions.collect::<Vec<_>>().join("; ")
}

/// The table of a class, and what it holds in numbers.
fn judged(class: &str, lines: &[String], judges: &[Judge]) -> Result<(String, Outcome), String> {
    let verdicts = std::thread::scope(|scope| {
        let asked: Vec<_> =
            judges.iter().map(|judge| scope.spawn(|| judge.assemble(class, lines))).collect();
        let answers =
            asked.into_iter().map(|it| it.join().map_err(|_| "a judge broke".to_owned())?);
        answers.collect::<Result<Vec<_>, String>>()
    })?;
    let mut rows = table::rows(lines, judges, &verdicts);
    // Of the first two generations LLVM has no disassembler: its assembler prints them.
    if let (Some(judge), true) = (judges.last(), class >= "gfx8") {
        table::respell(&mut rows, |words| judge.disassemble(class, words))?;
    }
    Ok(table::print(class, &rows, judges))
}
