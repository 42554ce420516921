//! Writes shaders that no file has as files, for programs that read such: one of each opcode and
//! form that are made from the table, and random ones.
//!
//! `cargo run --release -p long-tests --bin shader_files -- FOLDER [--count N]`
//!
//! `cargo xtask executors FOLDER` runs them on other executors.

use std::path::PathBuf;
use std::process::ExitCode;

use gcn::Target;
use tests::bench::Bench;
use tests::corpus::made_programs;
use tests::random_shaders::accepted;

/// Random shaders that are written unless another number is asked for.
const COUNT: u64 = 500;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map(PathBuf::from);
    let count = match (arguments.next().as_deref(), arguments.next()) {
        (Some("--count"), Some(count)) => count.parse().ok(),
        (None, None) => Some(COUNT),
        _ => None,
    };
    let (Some(folder), Some(count)) = (folder, count) else {
        eprintln!("usage: shader_files FOLDER [--count N]");
        return ExitCode::from(2);
    };
    match write(&folder, count) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &std::path::Path, count: u64) -> std::io::Result<()> {
    let [made, random] = ["made", "random"].map(|name| folder.join(name));
    std::fs::create_dir_all(&made)?;
    std::fs::create_dir_all(&random)?;
    for (number, program) in made_programs().into_iter().enumerate() {
        // The names have signs that no file name has everywhere.
        let kept = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '_' };
        let name: String = program.name.chars().map(kept).collect();
        std::fs::write(made.join(format!("{number:04}_{name}.tgsi")), program.text)?;
    }
    let mut bench = Bench::new(vec![Target::default()]);
    for seed in 0..count {
        let Some(shader) = accepted(&mut bench, seed) else { continue };
        std::fs::write(random.join(format!("{seed:05}.tgsi")), shader.text)?;
    }
    Ok(())
}
