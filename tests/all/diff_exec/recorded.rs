//! Recorded comparisons of compiled programs, sound and with a fault in one instruction,
//! pinned by checksums. `programs` holds the programs; `cargo run -p long-tests --bin
//! agreement_programs` writes them anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gcn::Target;
use tgsi::ast::Shader;

use diff_exec::{Compiled, Error, Lowered, Merged, TestPair, Verdict, lowered, lowered_merged};

use crate::records::Records;

/// Seeds of sound programs.
const SEEDS: u64 = 9;
/// Programs with a fault in one instruction each: this many of a program.
const FAULTS: usize = 4;

fn folder() -> PathBuf {
    crate::architecture::root().join("analysis/diff-exec/programs")
}

/// A program of the folder.
pub(crate) struct Recorded {
    pub(crate) name: String,
    pub(crate) target: Target,
    /// The texts of its shaders, one after another.
    pub(crate) text: String,
    pub(crate) shaders: Vec<Shader>,
    pub(crate) assembly: String,
    pub(crate) code: Vec<u8>,
}

impl Recorded {
    fn read(path: &Path) -> Recorded {
        let text = std::fs::read_to_string(path).expect("a program");
        let parts: Vec<(&str, &str)> =
            text.split("--- ").skip(1).filter_map(|part| part.split_once('\n')).collect();
        let part = |name| parts.iter().find(|it| it.0 == name).map_or("", |it| it.1);
        let texts = parts.iter().filter(|it| it.0 == "shader").map(|(_, text)| *text);
        let shaders = texts.clone().map(|text| {
            let regions = tgsi::regions::split(text);
            let text = regions.shaders[0].text(text);
            tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader")
        });
        let hex = part("code").trim().as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16);
        Recorded {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            target: Target::find(part("chip").trim()).expect("a chip"),
            text: texts.collect(),
            shaders: shaders.collect(),
            assembly: part("assembly").to_owned(),
            code: hex.map(|pair| byte(pair).expect("a byte")).collect(),
        }
    }

    pub(crate) fn all() -> Vec<Recorded> {
        let files = std::fs::read_dir(folder()).expect("the programs");
        let mut paths: Vec<PathBuf> = files.map(|it| it.expect("a file").path()).collect();
        paths.sort();
        paths.iter().map(|path| Recorded::read(path)).collect()
    }

    /// The verdicts on some seeds with this code, and what was compared.
    fn checked(&self, code: &[u8], seeds: std::ops::Range<u64>) -> String {
        let (target, assembly) = (self.target, &*self.assembly);
        let entry = self.lowered().expect("it is lowered").entry;
        let compiled = Compiled { target, entry: &entry, assembly, code };
        let mut out = String::new();
        let mut say = |verdict: Verdict| {
            let _ = match verdict {
                Verdict::Differ(difference) => writeln!(out, "{difference}; {difference:?}"),
                other => writeln!(out, "{other:?}"),
            };
        };
        match &self.shaders[..] {
            [shader] => match TestPair::new(shader, &compiled) {
                Ok(pair) => {
                    seeds.for_each(|seed| say(pair.check(seed)));
                    let _ = write!(out, "{} {:?}", pair.compared(), pair.statistics());
                }
                Err(error) => out += &error.to_string(),
            },
            [first, second] => match Merged::new(first, second, &compiled) {
                Ok(merged) => {
                    seeds.for_each(|seed| say(merged.check(seed)));
                    let _ = write!(out, "{}", merged.compared());
                }
                Err(error) => out += &error.to_string(),
            },
            _ => panic!("{}: one shader or two", self.name),
        }
        out
    }

    /// The code with one bit changed: in a few instructions, each in its turn.
    pub(crate) fn faulty(&self) -> impl Iterator<Item = Vec<u8>> {
        let compiled = gcn::compiled::read(&self.assembly, &self.code, self.target);
        let offsets: Vec<u32> = compiled
            .map(|it| it.instructions.iter().map(|it| it.offset).collect())
            .unwrap_or_default();
        let step = offsets.len().div_ceil(FAULTS).max(1);
        offsets.into_iter().step_by(step).map(|offset| {
            let mut code = self.code.clone();
            code[offset as usize] ^= 1;
            code
        })
    }

    /// Lowers its shaders as the lowering is now.
    pub(crate) fn lowered(&self) -> Result<Lowered, Error> {
        match &self.shaders[..] {
            [shader] => lowered(shader, self.target),
            [first, second] => lowered_merged(first, second, self.target),
            _ => Err(Error::NotLowered("no shader".to_owned())),
        }
    }

    /// The words of that for a compiler.
    fn job(&self) -> String {
        let Lowered { ir, processor, features, instructions, .. } =
            self.lowered().expect("it is lowered");
        format!(
            "Ok(Lowered {{ ir: {ir:?}, processor: {processor:?}, features: {features:?}, \
             instructions: {instructions} }})"
        )
    }
}

#[test]
fn verdicts_about_compiled_programs() {
    let path = crate::architecture::root().join("analysis/diff-exec/records/programs.tsv");
    let mut records = Records::new(path);
    let (mut agree, mut differ) = (0, 0);
    for program in Recorded::all() {
        let sound = program.checked(&program.code, 0..SEEDS);
        assert!(!sound.contains("expected"), "{}: {sound}", program.name);
        agree += sound.matches("Agree").count();
        records.add(&program.name, "sound", &sound);
        let faults = program.faulty().map(|code| program.checked(&code, 0..2));
        let faults = faults.collect::<Vec<_>>().join("\n");
        differ += faults.matches("expected").count();
        records.add(&program.name, "faults", &faults);
        records.add(&program.name, "lowered", &program.job());
    }
    assert!(agree > 100 && differ > 50, "{agree} agree, {differ} differ");
    records.check();
}
