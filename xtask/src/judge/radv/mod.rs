//! Our own compute shaders as RADV compiles them: registers, waves and code.
//!
//! Mesa's driver compiles for a chip that the machine need not have. Each chip has a process
//! of its own, since the driver asks once which it is, and may break: what it breaks on has
//! no row, and the next process goes on behind it.

mod shader;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use gcn::Target;
use gcn::targets::Feature;
use radv::{Binding, BindingKind, Driver, Executable, Job, Module, Stage, State};
use shader::Needs;

/// The arguments of a process that compiles for one chip.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The driver's library.
    library: PathBuf,
    /// The first shader to compile, by its number.
    first: usize,
}

const HEAD: &str = "\
# Our compute shaders as RADV compiles them: Mesa's version, the chip, what the shader needs (invocations of a workgroup;\n\
# words of each that live over a barrier; such words of all, in fours; bytes of local data share; words of an array), what\n\
# the driver allocates in registers and bytes, its waves per SIMD, the bytes of the code, and the code in words where the\n\
# driver prints it. Made by `cargo xtask judge`; SOURCES.tsv has the versions.\n\
mesa\tchip\tinvocations\tvalues\tshared_fours\tlds\tarray\tvgprs\tsgprs\tlds_allocated\tscratch\twaves\tbytes\tcode\n";

/// The figures of a row, by the driver's names.
const FIGURES: [&str; 6] =
    ["VGPRs", "SGPRs", "LDS size", "Scratch size", "Subgroups per SIMD", "Code size"];

/// Returns the table, the versions of the driver, and the number of rows. A command is the
/// path of a driver's library, or a wrapper with that path behind it.
pub(crate) fn table(commands: &[String]) -> Result<(String, String, usize), String> {
    let mut versions = Vec::new();
    let mut rows = Vec::new();
    for command in commands {
        let mut version = None;
        // The others are processors, which Mesa does not know by their names.
        // An old driver takes chips that draw nothing for those before them.
        let drawing = Target::all().filter(|it| it.has(Feature::Graphics));
        for chip in drawing.map(|it| it.name()).filter(|it| !it.starts_with("gfx")) {
            version = compile_all(command, chip, &mut rows)?.or(version);
        }
        versions.push(version.ok_or_else(|| format!("`{command}` knows no chip"))?);
    }
    // Chips compile a shader to much the same code: beside each other it takes little room.
    rows.sort();
    let text: String = rows.iter().map(|(_, row)| format!("{row}\n")).collect();
    Ok((format!("{HEAD}{text}"), format!("RADV of Mesa {}", versions.join(", ")), rows.len()))
}

/// Adds the rows of a chip, each with its shader's number; returns the driver's version, or
/// nothing where it does not know the chip.
fn compile_all(
    command: &str,
    chip: &str,
    rows: &mut Vec<(usize, String)>,
) -> Result<Option<String>, String> {
    let count = shader::family().len();
    let mut known = None;
    let mut first = 0;
    while first < count {
        let printed = run(command, chip, first)?;
        let mut lines = printed.lines();
        let Some((version, name)) = lines.next().and_then(|line| line.split_once('\t')) else {
            break;
        };
        if !name.to_lowercase().ends_with(&format!("(radv {chip})")) {
            return Err(format!("`{command}` compiles for {name} in place of {chip}"));
        }
        let mesa = version.rsplit_once('.').map_or(version, |(release, _)| release);
        for line in lines {
            if !line.is_empty() {
                rows.push((first, format!("{mesa}\t{chip}\t{line}")));
            }
            first += 1;
        }
        known = Some(version.to_owned());
        // The shader that broke the driver, if it did not come to the end.
        first += 1;
    }
    Ok(known)
}

/// Returns what a process prints that compiles for a chip.
fn run(command: &str, chip: &str, first: usize) -> Result<String, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let (wrapper, library) = command.rsplit_once(' ').unwrap_or(("", command));
    let mut words: Vec<OsString> = wrapper.split_whitespace().map(OsString::from).collect();
    words.extend([own.into(), "radv".into(), library.into(), first.to_string().into()]);
    let output = Command::new(&words[0])
        .args(&words[1..])
        // The driver without any chip takes the first; the other is for its kernel's stand-in.
        .envs([("RADV_FORCE_FAMILY", chip), ("AMDGPU_GPU_ID", chip)])
        .envs([("RADV_DEBUG", "nocache"), ("MESA_SHADER_CACHE_DISABLE", "true")])
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("`{command}`: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Compiles for the chip of the environment, and prints a line for each shader as soon as it
/// is compiled, empty where the chip has too little memory.
///
/// # Errors
/// The driver does not start, or refuses a shader.
#[expect(clippy::print_stdout, reason = "the output is for the chore that started this process")]
pub(crate) fn compile(options: &Options) -> Result<(), String> {
    let driver = Driver::open(&options.library).map_err(|error| error.to_string())?;
    println!("{}\t{}", driver.version, driver.chip);
    for needs in shader::family().into_iter().skip(options.first) {
        if needs.lds > driver.most_lds {
            println!();
            continue;
        }
        let modules = vec![Module { stage: Stage::Compute, words: shader::words(needs) }];
        let job = Job { modules, state: State { bindings: bindings(), ..State::default() } };
        let made = driver.compile_with_texts(&job).map_err(|error| error.to_string())?;
        let made = made.executables.first().ok_or("the driver tells of no code")?;
        println!("{}", row(needs, made));
    }
    Ok(())
}

/// The resources of the shaders.
fn bindings() -> Vec<Binding> {
    let kinds = [
        BindingKind::StorageBuffer,
        BindingKind::UniformBuffer,
        BindingKind::StorageBuffer,
        BindingKind::SampledImage,
    ];
    (0..).zip(kinds).map(|(first, kind)| Binding { first, count: 1, kind }).collect()
}

fn row(needs: Needs, made: &Executable) -> String {
    let Needs { invocations, values, shared_fours, lds, array } = needs;
    let mut cells =
        [invocations, values, shared_fours, lds, array].map(|it| it.to_string()).to_vec();
    cells.extend(
        FIGURES.map(|name| made.figure(name).map_or_else(String::new, |it| it.to_string())),
    );
    // GCN 1.0 and 1.1 are not disassembled by the library that Mesa asks.
    let words = made
        .text("Assembly")
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(';'))
        .flat_map(|(_, hex)| {
            hex.split_whitespace().filter(|it| it.len() == 8 && u32::from_str_radix(it, 16).is_ok())
        });
    cells.push(words.collect::<Vec<_>>().join(" "));
    cells.join("\t")
}
