//! A kernel as lines, with what each instruction needs and does.

use std::cell::OnceCell;
use std::sync::Arc;

use gcn::Generation;
use gcn::analysis::timing::{TimingOptions, time};
use gcn::analysis::{Cfg, Code, Control, DefUse, Liveness, RegisterSet};
use gcn::assembler::Dialect;
use gcn::program::{KernelCode, Options, Program, assemble};
use isa::gcn::behaviour::Unit;
use source::{LineIndex, Severity, no_checkpoint};

/// A kernel that can be changed.
pub(super) struct Listing {
    /// All lines of the text.
    pub(super) lines: Vec<String>,
    pub(super) instructions: Vec<Instruction>,
    /// Set where a wait stands behind a store: it may be there for somebody else who reads memory.
    pub(super) may_order_stores: bool,
    pub(super) cfg: Cfg,
    pub(super) liveness: Liveness,
    pub(super) def_use: Vec<DefUse>,
    pub(super) generation: Generation,
    code: Code,
    issue: OnceCell<Vec<u32>>,
}

/// An instruction with its line.
pub(super) struct Instruction {
    pub(super) line: usize,
    /// Its text without comments.
    pub(super) text: String,
    pub(super) reads: RegisterSet,
    pub(super) writes: RegisterSet,
    pub(super) kind: Kind,
}

/// Effects of an instruction besides writing registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// None.
    Free,
    /// Reads of memory.
    Loads(Unit),
    /// Writes to memory, or possible ones.
    Stores,
    /// A wait for counters or for a hazard.
    Waits,
    /// Nothing may cross it.
    Wall,
}

impl Listing {
    /// Reads a text; `None` of one that is left alone.
    pub(super) fn read(text: &str, options: &Options) -> Option<Listing> {
        let program = assembled(text, options)?;
        let [kernel] = &program.kernels[..] else { return None };
        if program.dialect != Dialect::Llvm || program.listing.is_some() {
            return None;
        }
        let own = KernelCode::of(&program, kernel, program.address_counts(), &no_checkpoint);
        let KernelCode { code, instructions: indices, missing, .. } = own;
        if missing > 0 || indices.len() != code.instructions.len() {
            return None;
        }
        let def_use = DefUse::of_all(&code, &no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let liveness = Liveness::of(&code, &def_use, &cfg, &no_checkpoint);
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let index = LineIndex::new(text);
        let mut instructions = Vec::new();
        let mut behind = 0;
        for (place, own) in indices.iter().zip(&def_use) {
            let instruction = program.instructions.get(*place as usize)?;
            let line = index.line(program.range(instruction).start()) as usize;
            let text = program.text(instruction).trim().to_owned();
            // Lines that expand, hold two statements or come from elsewhere stay as they are.
            let is_whole = lines.get(line).is_some_and(|own| own.trim_start().starts_with(&text));
            if !is_whole || !instructions.is_empty() && line <= behind {
                return None;
            }
            behind = line;
            let kind = match kind(own) {
                // What must come from memory keeps its place.
                Kind::Loads(_) if has_word(&text, "glc") => Kind::Stores,
                kind => kind,
            };
            let (reads, writes) = (own.read_set(), own.write_set());
            instructions.push(Instruction { line, text, reads, writes, kind });
        }
        let may_order_stores = keep_fences(&mut instructions, &cfg);
        Some(Listing {
            lines,
            instructions,
            may_order_stores,
            cfg,
            liveness,
            def_use,
            generation: program.target.generation(),
            code,
            issue: OnceCell::new(),
        })
    }

    /// The clocks for which each instruction keeps the wave from the next one.
    pub(super) fn issue_clocks(&self) -> &[u32] {
        self.issue.get_or_init(|| {
            let options = TimingOptions::default();
            let timing = time(&self.code, &self.def_use, &self.cfg, options, 1, &no_checkpoint);
            timing.instructions.iter().map(|it| it.issue).collect()
        })
    }

    /// The instructions of each basic block, with those between two walls apart.
    pub(super) fn stretches(&self) -> Vec<std::ops::Range<usize>> {
        let mut all = Vec::new();
        for block in &self.cfg.blocks {
            let range = block.instructions();
            let mut start = range.start;
            for place in range.clone() {
                if self.instructions[place].kind == Kind::Wall {
                    all.push(start..place);
                    start = place + 1;
                }
            }
            all.push(start..range.end);
        }
        all.retain(|range| !range.is_empty());
        all
    }

    /// The lines with some instructions in another order: the lines of a stretch hold them in
    /// their new order.
    pub(super) fn reordered(&self, stretch: &[usize], order: &[usize]) -> Vec<String> {
        let mut lines = self.lines.clone();
        for (from, to) in order.iter().zip(stretch) {
            let [from, to] = [*from, *to].map(|it| self.instructions.get(it).map(|it| it.line));
            if let Some((from, to)) = from.zip(to)
                && let Some(text) = self.lines.get(from)
                && let Some(place) = lines.get_mut(to)
            {
                place.clone_from(text);
            }
        }
        lines
    }

    /// The lines without some instructions.
    pub(super) fn without(&self, gone: impl Fn(usize) -> bool) -> Vec<String> {
        let gone: Vec<usize> = (0..self.instructions.len())
            .filter(|place| gone(*place))
            .map(|place| self.instructions[place].line)
            .collect();
        let kept = self.lines.iter().enumerate();
        kept.filter(|(line, _)| gone.binary_search(line).is_err())
            .map(|(_, text)| text.clone())
            .collect()
    }

    /// The line of an instruction in the text, from 1.
    pub(super) fn place(&self, instruction: usize) -> usize {
        self.instructions.get(instruction).map_or(0, |it| it.line + 1)
    }
}

impl Instruction {
    /// Tells whether it must stay behind an earlier one.
    pub(super) fn depends_on(&self, earlier: &Instruction) -> bool {
        self.keeps_behind(earlier, &RegisterSet::ALL)
    }

    /// The same, where some registers count and others do not.
    pub(super) fn keeps_behind(&self, earlier: &Instruction, registers: &RegisterSet) -> bool {
        let is_ordered = match (self.kind, earlier.kind) {
            (Kind::Wall, _) | (_, Kind::Wall) => true,
            // Waits are put in anew.
            (Kind::Waits, _) | (_, Kind::Waits) => false,
            (Kind::Stores, Kind::Stores | Kind::Loads(_)) | (Kind::Loads(_), Kind::Stores) => true,
            _ => false,
        };
        let writes = self.writes.intersection(registers);
        is_ordered
            || self.reads.intersection(registers).meets(&earlier.writes)
            || writes.meets(&earlier.reads)
            || writes.meets(&earlier.writes)
    }
}

fn kind(def_use: &DefUse) -> Kind {
    let Some(desc) = def_use.desc else { return Kind::Wall };
    let behaviour = desc.behaviour();
    let name = desc.name();
    // Wait states are put in anew as waits are, where a hazard needs them.
    if name == "s_waitcnt" || name == "s_nop" {
        return Kind::Waits;
    }
    if desc.control() != Control::Next {
        return Kind::Wall;
    }
    match behaviour.unit {
        Unit::Salu if name.starts_with("s_setreg") || name.starts_with("s_getreg") => Kind::Wall,
        Unit::Salu | Unit::Valu | Unit::Matrix | Unit::Interp if !def_use.writes().is_empty() => {
            Kind::Free
        }
        Unit::Smem | Unit::Vmem | Unit::Lds | Unit::Flat => {
            let is_load = !def_use.writes().is_empty() && !def_use.returns();
            let word = name.contains("load") || name.contains("read");
            match is_load && word {
                true => Kind::Loads(behaviour.unit),
                false => Kind::Stores,
            }
        }
        _ => Kind::Wall,
    }
}

/// Tells whether control goes on in code that is not seen.
pub(super) fn leads_elsewhere(own: &DefUse) -> bool {
    use Control::{Call, Fork, Indirect, IndirectCall};
    let control = own.desc.map(|desc| desc.control());
    matches!(control, Some(Call | IndirectCall | Indirect | Fork))
}

/// Tells whether an instruction has a modifier.
fn has_word(text: &str, word: &str) -> bool {
    text.split([' ', ',']).any(|own| own == word)
}

/// The first instruction of the outermost loop around an instruction; itself where there is none.
fn outermost_start(cfg: &Cfg, place: usize) -> usize {
    let block = cfg.blocks.get(cfg.block_of(place) as usize);
    let mut inner = block.and_then(|block| block.inner_loop);
    let mut start = place;
    while let Some(own) = inner.and_then(|it| cfg.loops.get(it as usize)) {
        let header = cfg.blocks.get(own.header as usize);
        start = header.map_or(start, |header| start.min(header.first as usize));
        inner = own.parent;
    }
    start
}

/// Waits behind a store may be there for others who read memory. Where the kernel has barriers,
/// atomics or the like they stay where they are; else they are told of.
fn keep_fences(instructions: &mut [Instruction], cfg: &Cfg) -> bool {
    let Some(first) = instructions.iter().position(|it| it.kind == Kind::Stores) else {
        return false;
    };
    // In a loop around one what stands before it runs behind it.
    let stores = instructions.iter().enumerate().filter(|(_, it)| it.kind == Kind::Stores);
    let first = stores.map(|(place, _)| outermost_start(cfg, place)).min().unwrap_or(first);
    let exchanges = instructions.iter().any(|it| {
        let opcode = it.text.split_whitespace().next().unwrap_or_default();
        let words = ["s_barrier", "atomic", "wbinvl1", "dcache", "_gws_", "ds_add", "sendmsg"];
        words.iter().any(|word| opcode.contains(word)) || has_word(&it.text, "glc")
    });
    let waits = instructions.iter_mut().skip(first).filter(|it| it.kind == Kind::Waits);
    let mut is_any = false;
    for wait in waits {
        is_any = true;
        if exchanges {
            wait.kind = Kind::Wall;
        }
    }
    is_any && !exchanges
}

/// Assembles a text without includes; `None` where it has errors.
pub fn assembled(text: &str, options: &Options) -> Option<Program> {
    let program = assemble(text, options, &|_| None::<Arc<str>>, &no_checkpoint);
    let is_wrong = program.diagnostics.iter().any(|it| it.severity == Severity::Error);
    (!is_wrong).then_some(program)
}
