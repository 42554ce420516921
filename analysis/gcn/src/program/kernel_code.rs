//! Kernels of a program as code, with what their descriptors declare.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::sync::{Arc, OnceLock};

use source::{Checkpoint, TextRange};

use super::broken_lines::{self, Meaning};
use super::kernel_labels::KernelLabels;
use super::{Kernel, Program, metadata};
use crate::analysis::{
    AddressCounts, CancelTicker, Code, Declared, DefUse, Instruction, ReadLine, has_target,
    source_address,
};
use crate::assembler::edited::Kept;
use crate::assembler::result::{Field, StatementKind};
use crate::dialect::Dialect;
use crate::instruction::FixupKind;
use crate::limits::BROKEN_LINES;

/// A kernel's code.
#[derive(Debug, Clone)]
pub struct KernelCode {
    /// Its instructions.
    pub code: Code,
    /// For each the instruction of the program, by index.
    pub instructions: Vec<u32>,
    /// The resources that its descriptor asks for.
    pub declared: Declared,
    /// The number of lines that are not an instruction, or none yet.
    pub missing: usize,
}

/// Fields of descriptors that say how much local data share a workgroup takes.
const LOCAL_FIELDS: [&str; 3] =
    [".amdhsa_group_segment_fixed_size", "workgroup_group_segment_byte_size", ".localsize"];

/// Fields of descriptors that say how much scratch memory each lane takes.
const SCRATCH_FIELDS: [&str; 3] =
    [".amdhsa_private_segment_fixed_size", "workitem_private_segment_byte_size", ".scratchbuffer"];

/// The fields of a kernel's descriptor that say how much memory it has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryFields {
    /// Of the local data share of a workgroup.
    pub share: Vec<TextRange>,
    /// Of the scratch memory of a lane.
    pub scratch: Vec<TextRange>,
    /// Bytes of that.
    pub scratch_bytes: u32,
}

/// Fields of CLRX's kernels that say how large a workgroup is, the most certain first.
const GROUP_FIELDS: [&str; 3] = [".cws", ".reqd_work_group_size", ".max_flat_work_group_size"];

/// The bytes that are left free for a line that is not an instruction yet.
const WORD: u32 = 4;

impl Program {
    /// Tells whether the text names all registers of image addresses: LLVM's dialect does,
    /// unless the text is a listing.
    pub fn address_counts(&self) -> AddressCounts {
        match (self.dialect, self.listing) {
            (Dialect::Llvm, None) => AddressCounts::Named,
            _ => AddressCounts::Unknown,
        }
    }
}

/// Statements between a place and the first instruction of a kernel, at most, where the place counts
/// as one of the kernel.
const NEAR: usize = 64;

/// The lines that are not an instruction, or none yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Broken {
    /// They are left out: nothing that the code is found to lack is certain.
    LeftOut,
    /// A gap stands for each.
    Gaps,
}

impl KernelCode {
    /// Returns the code of a kernel of a program without the lines that are not an instruction.
    /// Behind a line whose size is not known the program counts anew; here it goes on as if the
    /// line were one word. `checkpoint` may unwind.
    pub fn of(
        program: &Program,
        kernel: &Kernel,
        addresses: AddressCounts,
        checkpoint: Checkpoint<'_>,
    ) -> KernelCode {
        KernelCode::with(program, kernel, (addresses, Broken::LeftOut), checkpoint)
    }

    /// Returns the code of a kernel with a [`Gap`] for each line that is not an instruction: what is
    /// found in it holds whatever they are. `checkpoint` may unwind.
    pub fn with_gaps(
        program: &Program,
        kernel: &Kernel,
        addresses: AddressCounts,
        checkpoint: Checkpoint<'_>,
    ) -> KernelCode {
        KernelCode::with(program, kernel, (addresses, Broken::Gaps), checkpoint)
    }

    fn with(
        program: &Program,
        kernel: &Kernel,
        (addresses, broken): (AddressCounts, Broken),
        checkpoint: Checkpoint<'_>,
    ) -> KernelCode {
        let cancel = CancelTicker::new(checkpoint);
        let named = addresses == AddressCounts::Named;
        let mut code = Code::of(program.target, Vec::new());
        let mut instructions = Vec::new();
        let mut missing = 0;
        let mut open_jumps: Vec<(usize, Cow<'_, str>)> = Vec::new();
        let labels = LazyCell::new(|| KernelLabels::of(program, kernel));
        let (mut behind, mut shift) = (0, 0_u32);
        let mut unread = match broken {
            Broken::LeftOut => &[][..],
            Broken::Gaps => program.unread_in(kernel),
        };
        let has_unread = !unread.is_empty();
        // Where each instruction is in the program.
        let mut origins: Vec<u32> = Vec::new();
        for index in kernel.instructions.clone() {
            cancel.step();
            let Some(instruction) = program.instructions.get(index as usize) else { continue };
            if instruction.offset < behind {
                let free = code.instructions.last().map_or(0, Instruction::end) + WORD;
                shift = free.saturating_sub(instruction.offset);
            }
            while let Some((before, rest)) = unread.split_first() {
                if *before > instruction.statement {
                    break;
                }
                unread = rest;
                let place = code.instructions.len() as u32;
                let offset = code.instructions.last().map_or(0, Instruction::end);
                code.gaps.push(broken_lines::any_lines(program.target, place));
                code.instructions.push(Instruction::new(offset, &[Code::GAP], None));
                instructions.push(index);
                origins.push(instruction.offset);
            }
            origins.push(instruction.offset);
            let text = program.text(instruction);
            let Some(assembled) = instruction.assembled else {
                behind = instruction.offset;
                missing += 1;
                if broken == Broken::Gaps {
                    let place = code.instructions.len() as u32;
                    let offset = code.instructions.last().map_or(0, Instruction::end);
                    let statement = instruction.statement;
                    let meaning = match missing {
                        ..=BROKEN_LINES => broken_lines::meaning(program, text, statement, place),
                        _ => broken_lines::anything(text, program.target, place),
                    };
                    let is_label = |label: &str| labels.find(label, index).is_some();
                    let own = match meaning.with_labels(is_label) {
                        Meaning::Instruction(it, gap) => {
                            if let Some(label) = it.jump() {
                                open_jumps.push((code.instructions.len(), label.to_owned().into()));
                            }
                            code.readings.push(ReadLine { gap, text: it.text.clone() });
                            let words = it.assembled.words();
                            let address = source_address(&it.text, words, program.target);
                            Instruction::new(offset, words, address.filter(|_| named))
                        }
                        Meaning::Part(own, gap) => {
                            code.gaps.push(gap);
                            Instruction::new(offset, own.words(), None)
                        }
                        Meaning::Gap(gap) => {
                            code.gaps.push(gap);
                            Instruction::new(offset, &[Code::GAP], None)
                        }
                    };
                    code.instructions.push(own);
                    instructions.push(index);
                }
                continue;
            };
            let words = assembled.words();
            let address = if named { source_address(text, words, program.target) } else { None };
            let offset = match broken {
                Broken::Gaps if missing > 0 || has_unread => {
                    code.instructions.last().map_or(0, Instruction::end)
                }
                _ => instruction.offset.saturating_add(shift),
            };
            if let Some(fixup) = assembled.fixup.filter(|it| it.kind == FixupKind::Branch) {
                let label = fixup.text(text).unwrap_or("").trim();
                open_jumps.push((code.instructions.len(), label.into()));
            }
            code.instructions.push(Instruction::new(offset, words, address));
            behind = instruction.offset.saturating_add(4 * words.len() as u32);
            instructions.push(index);
        }
        if missing > 0 {
            for (jump, label) in open_jumps {
                let here = instructions.get(jump).copied().unwrap_or_default();
                let Some(own) = labels.find(&label, here) else { continue };
                let place = instructions.partition_point(|it| *it < own);
                let target = code.instructions.get(place).map(|it| it.offset);
                if let (Some(target), Some(jump)) = (target, code.instructions.get_mut(jump)) {
                    jump.jump_to(target);
                }
            }
        } else if has_unread {
            retarget(&mut code, &origins);
        }
        let steers = code.gaps.iter().any(|gap| gap.steers);
        if steers {
            code.targets_of_gaps = labels.places(&instructions);
        }
        if steers || code.readings.iter().any(|it| it.gap.steers) {
            code.targets_of_readings = labels.places(&instructions);
        }
        code.may_repeat = program.may_repeat();
        KernelCode { code, instructions, declared: program.declared(kernel), missing }
    }
}

/// Lets jumps lead to where they lead in a program that has no words for lines that are not read.
fn retarget(code: &mut Code, origins: &[u32]) {
    for (index, origin) in origins.iter().enumerate() {
        let own = &code.instructions[index];
        if !has_target(DefUse::of(own, code.target).control()) {
            continue;
        }
        let target = Code::jump_target(own) + i64::from(*origin) - i64::from(own.offset);
        // Where lines may be missing right there, they come first.
        let place = origins.partition_point(|it| i64::from(*it) < target);
        let is_there = origins.get(place).is_some_and(|it| i64::from(*it) == target);
        let offset = match code.instructions.get(place).filter(|_| is_there) {
            Some(it) => it.offset,
            None => code.instructions.last().map_or(0, Instruction::end),
        };
        code.instructions[index].jump_to(offset);
    }
}

impl Program {
    /// Returns the places within a kernel's code where lines may be missing, each as the number of
    /// statements before.
    pub fn unread_in(&self, kernel: &Kernel) -> &[u32] {
        let own = self.instructions_of(kernel);
        let (Some(first), Some(last)) = (own.first(), own.last()) else { return &[] };
        let all = &self.expansion.unread;
        let end = all.partition_point(|before| *before <= last.statement);
        let count = all[..end].iter().rev().take_while(|before| self.is_inside(**before, first));
        &all[end - count.count()..end]
    }

    /// Tells whether a place is behind the first instruction of a kernel, or right before it with no
    /// label between.
    fn is_inside(&self, before: u32, first: &super::Instruction) -> bool {
        let between = before as usize..first.statement as usize;
        let between = self.expansion.statements.get(between).unwrap_or_default();
        between.len() <= NEAR
            && between.iter().all(|it| !matches!(it.kind, StatementKind::Label(_)))
    }

    /// Returns the code of a kernel by number, with offsets from its first instruction; `None`
    /// where some line is not an instruction. It is made once, and kept by the programs of later
    /// texts as long as it is the same. `checkpoint` may unwind.
    pub fn whole_code(&self, number: usize, checkpoint: Checkpoint<'_>) -> Option<&Arc<Code>> {
        let made = self.codes.get(number)?.get_or_init(|| {
            let kernel = self.kernels.get(number)?;
            let own = self.instructions_of(kernel);
            if own.iter().any(|it| it.assembled.is_none()) {
                return None;
            }
            let mut code = KernelCode::of(self, kernel, self.address_counts(), checkpoint).code;
            let start = code.instructions.first()?.offset;
            for instruction in &mut code.instructions {
                instruction.offset = instruction.offset.saturating_sub(start);
            }
            Some(Arc::new(code))
        });
        made.as_ref()
    }

    /// Takes over the codes of kernels in which nothing changed since the text before.
    pub(super) fn keep_codes(&mut self, before: &Program, kept: Kept) {
        if self.may_repeat() != before.may_repeat() || self.kernels.len() != before.kernels.len() {
            return;
        }
        let pairs = self.kernels.iter().zip(&before.kernels).zip(&before.codes);
        let codes = pairs.map(|((kernel, earlier), code)| match code.get() {
            Some(Some(_)) if self.is_kept(kernel, (before, earlier), kept) => code.clone(),
            _ => OnceLock::new(),
        });
        self.codes = codes.collect();
    }

    /// Tells whether a kernel has the lines, words and distances that it had before.
    fn is_kept(&self, kernel: &Kernel, (before, earlier): (&Program, &Kernel), kept: Kept) -> bool {
        let (new, old) = (self.instructions_of(kernel), before.instructions_of(earlier));
        let (Some(first), Some(old_first)) = (new.first(), old.first()) else { return false };
        let shift = first.offset.wrapping_sub(old_first.offset);
        let is_same = |(new, old): (&super::Instruction, &super::Instruction)| {
            kept.later(old.statement) == Some(new.statement)
                && new.assembled == old.assembled
                && new.offset.wrapping_sub(old.offset) == shift
        };
        new.len() == old.len() && new.iter().zip(old).all(is_same)
    }

    fn instructions_of(&self, kernel: &Kernel) -> &[super::Instruction] {
        let range = kernel.instructions.start as usize..kernel.instructions.end as usize;
        self.instructions.get(range).unwrap_or_default()
    }

    /// Returns the fields of a kernel's descriptor that say how much memory it has.
    pub fn memory_fields(&self, kernel: &Kernel) -> MemoryFields {
        let Some(own) = kernel.descriptor.and_then(|it| self.expansion.kernels.get(it as usize))
        else {
            return MemoryFields::default();
        };
        let named = |names: &'static [&str]| {
            let is_named =
                |it: &&Field| names.iter().any(|name| it.name.eq_ignore_ascii_case(name));
            own.fields.iter().filter(is_named)
        };
        let ranges =
            |names| named(names).map(|it| self.expansion.in_root(it.span, own.node)).collect();
        let bytes = named(&SCRATCH_FIELDS).find_map(|it| it.value);
        MemoryFields {
            share: ranges(&LOCAL_FIELDS),
            scratch: ranges(&SCRATCH_FIELDS),
            scratch_bytes: bytes.and_then(|it| u32::try_from(it).ok()).unwrap_or(0),
        }
    }

    /// Returns the resources that the text declares for a kernel.
    pub fn declared(&self, kernel: &Kernel) -> Declared {
        declared(self, kernel)
    }
}

fn declared(program: &Program, kernel: &Kernel) -> Declared {
    let asked = program.asked_registers(kernel);
    let fields = program.descriptor_fields(kernel).iter();
    let local = fields
        .filter(|field| LOCAL_FIELDS.iter().any(|name| field.name.eq_ignore_ascii_case(name)))
        .find_map(|field| field.value);
    let number = |value: Option<i64>| value.and_then(|it| u32::try_from(it).ok());
    let stated = program.metadata.get(&kernel.name).copied().unwrap_or_default();
    let lanes = program.target.row().limits.lanes;
    let disassembly = program.disassembly_of(kernel);
    let in_dump = disassembly.and_then(|part| part.statistic("LDS size"));
    let work_items = work_items(program.descriptor_fields(kernel))
        .or(stated.work_items())
        .or(disassembly.and_then(|part| part.work_items));
    let lds = number(local).or(stated.lds).or(in_dump).unwrap_or(0);
    Declared {
        vgprs: number(asked.vgprs).unwrap_or(0),
        agprs: number(asked.agprs).unwrap_or(0),
        sgprs: number(asked.sgprs).unwrap_or(0),
        lds: lds.saturating_add(program.launch_lds.unwrap_or(0)),
        waves_per_group: work_items.map(|it| it.div_ceil(lanes)),
    }
}

/// The work-items of a workgroup by CLRX's directives: as many as it must have, else as many
/// as it may.
fn work_items(fields: &[Field]) -> Option<u32> {
    let stated = |name: &str| {
        let field = fields.iter().find(|it| it.name.eq_ignore_ascii_case(name))?;
        metadata::product(&field.text)
    };
    GROUP_FIELDS.iter().find_map(|name| stated(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{GapKind, Options, analyse, check_with_gaps};
    use crate::{codes, program};

    fn code_of(text: &str) -> (Program, KernelCode) {
        let options = program::Options::of(text, "kernel.gfx803.s");
        let program = program::assemble(text, &options, &|_| None, &source::no_checkpoint);
        let code = KernelCode::of(
            &program,
            &program.kernels[0],
            AddressCounts::Named,
            &source::no_checkpoint,
        );
        (program, code)
    }

    #[test]
    fn lines_behind_a_line_with_an_error_keep_their_costs() {
        let sound = "s_mov_b32 s0, 0\nloop:\ns_add_u32 s0, s0, 1\ns_nop 0\ns_cmp_lt_u32 s0, 9\n\
                     s_cbranch_scc1 loop\ns_branch out\nout:\ns_endpgm\n";
        let (_, whole) = code_of(sound);
        let (program, part) = code_of(&sound.replace("s_nop 0", "s_nop what ever"));
        assert_eq!((whole.missing, part.missing), (0, 1));
        assert!(!program.diagnostics.is_empty());
        // The line is one word, so that all others stand where they did.
        let others = |it: &&Instruction| it.offset != 8;
        let expected: Vec<_> = whole.code.instructions.iter().filter(others).collect();
        assert_eq!(part.code.instructions.iter().collect::<Vec<_>>(), expected);
        let costs = analyse(&part.code, &Options::default(), &source::no_checkpoint);
        assert_eq!(costs.cfg.loops.len(), 1, "the jump over the line is a loop");
    }

    /// The program of a text for gfx900, and the code of its kernel with gaps.
    fn gapped(text: &str) -> (Program, Code) {
        let options = program::Options::of(text, "kernel.gfx900.s");
        let program = program::assemble(text, &options, &|_| None, &source::no_checkpoint);
        let (kernel, addresses) = (&program.kernels[0], AddressCounts::Named);
        let own = KernelCode::with_gaps(&program, kernel, addresses, &source::no_checkpoint);
        (program, own.code)
    }

    #[test]
    fn a_gap_stands_for_a_broken_line() {
        let text = "s_mov_b32 s0, 0\nloop:\nv_add_f32 v0, v1\nv_ad_f32 v0, v1, v2\n\
                    s_cbranch_scc loop\ns_endpgm\n";
        let (program, _) = code_of(text);
        let own = KernelCode::with_gaps(
            &program,
            &program.kernels[0],
            AddressCounts::Named,
            &source::no_checkpoint,
        );
        let offsets: Vec<u32> = own.code.instructions.iter().map(|it| it.offset).collect();
        assert_eq!((own.missing, offsets), (3, vec![0, 4, 8, 12, 16]));
        let effects: Vec<_> =
            own.code.gaps.iter().map(|it| (it.instruction, it.steers, it.ends)).collect();
        assert_eq!(effects, [(1, false, false), (3, true, false)]);
        // One operand lacks, which is read.
        let [short, _] = &own.code.gaps[..] else { panic!("two lines") };
        assert_eq!((short.reads.vector_count(), short.writes.vector_count()), (256, 1));
        assert_eq!((short.kind, short.masks), (GapKind::Computes, false));
        // The other line can only be one instruction.
        let [reading] = &own.code.readings[..] else { panic!("one line") };
        assert_eq!((reading.gap.instruction, &*reading.text), (2, "v_add_f32 v0, v1, v2"));
        let meant = DefUse::of(&own.code.instructions[2], own.code.target);
        assert!(meant.is(crate::mnemonics::Opcode::v_add_f32));
        assert_eq!(own.code.targets_of_gaps, [1]);
    }

    #[test]
    fn what_rests_on_a_reading_says_so() {
        let text = "s_load_dword s8, s[4:5], 0\n{}\nv_mov_b32 v1, s8\n\
                    global_store_dword v[2:3], v1, off\nv_mov_b32 v9, 0\ns_endpgm\n";
        let told = |line: &str| -> Vec<String> {
            let (_, own) = gapped(&text.replace("{}", line));
            let found = check_with_gaps(&own, None, &source::no_checkpoint);
            let notes = found.iter().map(|it| match it.related.last() {
                Some((1, note)) => format!("{}: {note}", it.code.0),
                _ => it.code.0.to_owned(),
            });
            notes.collect()
        };
        assert_eq!(told("s_nop 0"), ["gcn::missing-wait", "gcn::dead-write"]);
        // It may be a wait, but reads v9 in no case.
        assert_eq!(
            told("s_nopp 0"),
            ["gcn::missing-wait: holds if this line is meant as `s_nop 0`", "gcn::dead-write"]
        );
    }

    #[test]
    fn jumps_lead_past_lines_that_are_not_read() {
        let text = "s_branch out\nagain:\n.rept times\n.endr\ns_nop 0\ns_cbranch_scc1 -2\n\
                    s_nop 1\nout:\n.rept times\n.endr\ns_endpgm\n";
        let (_, code) = gapped(text);
        let gaps: Vec<u32> = code.gaps.iter().map(|it| it.instruction).collect();
        assert_eq!(gaps, [1, 5]);
        let target = |index: usize| Code::jump_target(&code.instructions[index]);
        let offset = |index: usize| i64::from(code.instructions[index].offset);
        // What may be there comes first.
        assert_eq!((target(0), target(3)), (offset(5), offset(1)));
    }

    #[test]
    fn a_disassembled_address_may_be_longer() {
        let dead = |address: &str| -> Vec<String> {
            let (_, own) = code_of(&format!(
                "v_mov_b32 v1, 1.0\nv_mov_b32 v9, 1.0\n\
                 image_sample v0, {address}, s[0:7], s[8:11] dmask:0x1\n\
                 s_waitcnt vmcnt(0)\nexp mrt0 v0, v0, v0, v0 done vm\ns_endpgm"
            ));
            let found = check_with_gaps(&own.code, None, &source::no_checkpoint).into_iter();
            let dead = found.filter(|it| it.code == codes::DEAD_WRITE);
            dead.map(|it| it.message).collect()
        };
        // Of two dimensions or three, the same bits are disassembled so.
        assert_eq!(dead("v0"), [""; 0]);
        assert_eq!(dead("v8"), ["`v1` of this `v_mov_b32` is never read"]);
        assert_eq!(dead("v[1:2]"), ["`v9` of this `v_mov_b32` is never read"]);
    }

    #[test]
    fn nothing_is_said_that_lines_which_are_not_read_may_refute() {
        let codes = |lines: &str| -> Vec<&'static str> {
            let text = format!(
                ".macro twice count\n.rept \\count\nv_add_f32 v1, v9, v1\n.endr\n.endm\n\
                 kernel:\nv_mov_b32 v9, 1.0\nglobal_load_dword v1, v[2:3], off\n{lines}\n\
                 v_mov_b32 v4, v1\nglobal_store_dword v[2:3], v4, off\ns_endpgm\n"
            );
            let (_, own) = gapped(&text);
            let found = check_with_gaps(&own, None, &source::no_checkpoint);
            found.iter().map(|it| it.code.0).collect()
        };
        let all = ["gcn::dead-write", "gcn::missing-wait"];
        for known in ["s_nop 0", ".rept 2\ns_nop 0\n.endr", ".if 0\n.else\n.endif", "twice 0"] {
            assert_eq!(codes(known), all, "{known}");
        }
        for unread in [
            ".rept times\nv_add_f32 v1, v9, v1\n.endr",
            ".while times\ns_nop 0\n.endr",
            ".if times\ns_nop 0\n.else\ns_waitcnt 0\n.endif",
            ".if times\ns_nop 0\n.elseif 1\ns_waitcnt 0\n.endif",
            ".include \"not_there.inc\"",
            "twice times",
            "twice",
        ] {
            assert_eq!(codes(unread), [""; 0], "{unread}");
        }
        // What is not read before the kernel is none of its lines.
        let (program, _) = gapped(".rept times\n.endr\nkernel:\ns_endpgm\n");
        assert_eq!(program.expansion.unread, [0]);
        assert_eq!(program.unread_in(&program.kernels[0]), [0_u32; 0]);
    }

    #[test]
    fn a_branch_stands_for_a_line_if_its_label_is_known() {
        let text = "s_mov_b32 s0, s1\nss_branch out\nv_mov_b32 v1, 0\nout:\ns_endpgmm\n";
        let codes = |text: &str| {
            let (program, _) = code_of(text);
            let (kernel, addresses) = (&program.kernels[0], AddressCounts::Named);
            let own =
                KernelCode::with_gaps(&program, kernel, addresses, &source::no_checkpoint).code;
            let found = check_with_gaps(&own, None, &source::no_checkpoint);
            let codes = found.iter().map(|it| (it.instruction, it.code.0)).collect::<Vec<_>>();
            let readings = own.readings.iter().map(|it| it.text.clone()).collect::<Vec<_>>();
            (readings, codes)
        };
        let dead = [(0, "gcn::dead-write"), (2, "gcn::unreachable-code")];
        assert_eq!(
            codes(text),
            (vec!["s_branch out".to_owned(), "s_endpgm".to_owned()], dead.to_vec())
        );
        // Nobody knows where this one goes.
        let (readings, codes) = codes(&text.replace("out:", "in:"));
        assert_eq!((readings, codes), (vec!["s_endpgm".to_owned()], Vec::new()));
    }

    #[test]
    fn several_gaps_in_a_row_are_one_word() {
        let (_, own) = code_of("what\nis\ns_nop 0\nthis\nnow\ns_nop 1\ns_nop 2\n");
        let offsets: Vec<u32> = own.code.instructions.iter().map(|it| it.offset).collect();
        assert_eq!((own.missing, offsets), (4, vec![0, 8, 12]));
    }

    #[test]
    fn registers_that_are_counted_behind_the_kernel_are_known() {
        let text = "k:\ns_endpgm\n.amdhsa_kernel k\n\
                    .amdhsa_next_free_vgpr max(totalnumvgprs(k.num_agpr, k.num_vgpr), 1, 0)\n\
                    .amdhsa_next_free_sgpr max(k.numbered_sgpr+6, 1, 0)-6\n.end_amdhsa_kernel\n\
                    .set k.num_vgpr, max(8, all.max_vgpr)\n.set k.num_agpr, 0\n\
                    .set k.numbered_sgpr, max(9, all.max_sgpr)\n\
                    .set all.max_vgpr, 61\n.set all.max_sgpr, 34\n";
        let (program, own) = code_of(text);
        assert_eq!((own.declared.vgprs, own.declared.sgprs), (61, 34));
        assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    }
}
