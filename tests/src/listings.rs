//! Listings of shaders that a driver compiled, with its own statistics and, where
//! its compiler is ACO, the clocks of every instruction as that compiler counts them.

use gcn::Target;
use gcn::encoding;
use serde_json::Value;

use crate::corpora::{decompress, shared};

/// The compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// ACO of Mesa 22.3.
    Aco22,
    /// ACO of Mesa 25.0.
    Aco25,
    /// LLVM 15.
    Llvm15,
}

/// An instruction as ACO counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// ACO's block.
    pub block: u32,
    /// Stall and issue.
    pub clocks: u32,
    /// ACO's own text.
    pub text: String,
}

/// A compiled shader.
#[derive(Debug)]
pub struct Listing {
    /// The name of its source: `000.frag`.
    pub shader: String,
    /// The chip.
    pub target: Target,
    /// The compiler.
    pub backend: Backend,
    /// The lines of the listing that have words, and the words.
    pub lines: Vec<(String, Vec<u32>)>,
    statistics: Value,
    totals: Value,
    /// ACO's own count; empty where another compiled.
    pub counted: Vec<Counted>,
}

impl Listing {
    /// A figure of the driver's statistics: `VGPRs`.
    pub fn statistic(&self, name: &str) -> Option<u32> {
        self.statistics[name].as_u64().and_then(|figure| u32::try_from(figure).ok())
    }

    /// A figure that ACO worked out on the way: `num_waves`.
    pub fn total(&self, name: &str) -> Option<f64> {
        self.totals[name].as_f64()
    }

    /// Tells whether the listing is in the form that the driver takes from another
    /// disassembler, which prints image addresses as wide as they can be.
    pub fn is_clrx(&self) -> bool {
        matches!(self.target.generation(), gcn::Generation::Gfx6 | gcn::Generation::Gfx7)
            && self.backend != Backend::Llvm15
    }

    /// The words of the instructions that ACO counted, without the padding that it
    /// put in afterwards, each with its count; jumps are set to the new distances.
    /// `None` where the two lists do not belong together.
    pub fn counted_words(&self) -> Option<Vec<(Vec<u32>, &Counted)>> {
        let mut kept: Vec<(Vec<u32>, &Counted)> = Vec::new();
        // Old word offset of every line, and the new offset of what stands there.
        let mut moved = vec![(0_i64, 0_i64)];
        let (mut old, mut new) = (0_i64, 0_i64);
        let mut starts = Vec::new();
        let mut counted = self.counted.iter().peekable();
        for (text, words) in &self.lines {
            let length = words.len() as i64;
            let next = counted.peek()?;
            if same_instruction(text, &next.text) {
                starts.push((old, new));
                kept.push((words.clone(), next));
                counted.next();
                new += length;
            } else if !text.starts_with("s_nop") {
                return None;
            }
            old += length;
            moved.push((old, new));
            if counted.peek().is_none() {
                break;
            }
        }
        if counted.next().is_some() {
            return None;
        }
        for ((words, _), (old, new)) in kept.iter_mut().zip(starts) {
            let word = words.first_mut()?;
            let shape = encoding::shape(&[*word, 0], self.target.generation()).ok()?;
            // s_branch, and s_cbranch on SCC, VCC and EXEC.
            let jumps =
                shape.encoding == encoding::Encoding::Sopp && matches!(shape.opcode, 2 | 4..=9);
            if jumps {
                let target = old + 1 + i64::from(*word as u16 as i16);
                let (_, target) = moved.iter().find(|(old, _)| *old == target)?;
                let distance = target - (new + 1);
                *word = *word & 0xffff_0000 | u32::from(distance as i16 as u16);
            }
        }
        Some(kept)
    }
}

/// Tells whether a line of a listing is the instruction of ACO's own text: `v2 = v_add_f32
/// v0, v1`.
fn same_instruction(listed: &str, own: &str) -> bool {
    let own = own.split_once(" = ").map_or(own, |(_, after)| after);
    let own = own.split_ascii_whitespace().find(|word| !word.starts_with('('));
    let listed = listed.split_ascii_whitespace().next();
    let (Some(own), Some(listed)) = (own, listed) else { return false };
    let base = |name| gcn::mnemonics::base_name(name).to_owned();
    let (own, listed) = (base(own), base(listed));
    // Integer additions are named differently in each generation.
    let carry = |name: &str| name.replace("_co_", "_").replace("_i32", "_u32");
    own == listed || carry(&own) == carry(&listed)
}

/// The listings beside the project.
///
/// # Panics
/// Where they are absent.
pub fn listings() -> Vec<Listing> {
    let path = shared("data/perf/aco_listings.jsonl.gz");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = decompress(&bytes);
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let listing = |line| read(serde_json::from_slice(line).ok()?);
    lines.map(|line| listing(line).expect("a listing")).collect()
}

fn read(mut value: Value) -> Option<Listing> {
    let backend = match value["backend"].as_str()? {
        "aco22" => Backend::Aco22,
        "aco25" => Backend::Aco25,
        "llvm15" => Backend::Llvm15,
        _ => return None,
    };
    let counted = value["perf"]["instrs"].as_array().into_iter().flatten();
    let counted = counted.map(|row| {
        Some(Counted {
            block: u32::try_from(row[0].as_u64()?).ok()?,
            clocks: u32::try_from(row[1].as_u64()?).ok()?,
            text: row[2].as_str()?.to_owned(),
        })
    });
    Some(Listing {
        shader: value["shader"].as_str()?.to_owned(),
        target: Target::find(value["family"].as_str()?)?,
        backend,
        lines: value["asm"].as_str()?.lines().filter_map(words_of).collect(),
        counted: counted.collect::<Option<_>>()?,
        statistics: value["stats"].take(),
        totals: value["perf"]["totals"].take(),
    })
}

/// `v_mov_b32 v0, 1.0    ; 7e0002f2`
fn words_of(line: &str) -> Option<(String, Vec<u32>)> {
    let (code, comment) = line.split_once(';')?;
    let code = code.trim();
    let words: Option<Vec<u32>> = comment
        .split_ascii_whitespace()
        .map(|word| u32::from_str_radix(word, 16).ok().filter(|_| word.len() == 8))
        .collect();
    let words = words.filter(|words| !words.is_empty())?;
    (!code.is_empty() && !code.ends_with(':')).then(|| (code.to_owned(), words))
}
