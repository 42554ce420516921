//! The lines of the source that machine instructions come from, by way of the ids of ACO's
//! program.
//!
//! Three texts of one shader are joined. ACO's program with debug comments says which line
//! each id comes from. The program after its registers were chosen says which register each
//! id is in; both have the same ids. The machine code has the registers: an instruction is
//! the first one of the program that has its opcode and writes its register and is not taken
//! yet. What the compiler makes of its own, such as an export, is of the line of what it
//! reads. Mesa 25.2 and later write such comments; in those of 25.0 are other lines, and older
//! ones know none.

use std::collections::HashMap;

use crate::job::{Executable, Module};
use crate::stores::Stores;
use crate::{Output, programs};

/// A place of the source, as `OpLine` states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// The name of ACO's program among an executable's texts.
const PROGRAM: &str = "ACO IR";
/// The beginning of a debug comment.
const COMMENT: &str = "// ";
/// The beginning of instructions that are not of the machine.
const PSEUDO: &str = "p_";
/// Ids that are looked at on the way from an instruction without a line to one that has it.
const FARTHEST: usize = 64;

/// An instruction of ACO's program.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line<'a> {
    /// All but the definitions.
    text: &'a str,
    opcode: &'a str,
    /// The definition: the id, and the register where one is chosen.
    definitions: Vec<(u32, &'a str)>,
    /// The ids that it reads.
    operands: Vec<u32>,
    place: Option<Place>,
}

/// Returns the place of each machine instruction, whose texts are in LLVM's dialect; `None`
/// where the driver's texts have no lines.
///
/// `lines` is what [`compile_with_lines`](crate::Compiler::compile_with_lines) gave, `chosen`
/// what [`compile_with_registers`](crate::Compiler::compile_with_registers) gave.
pub fn join(
    module: &Module,
    lines: &Executable,
    chosen: &Output,
    machine: &[&str],
) -> Option<Vec<Option<Place>>> {
    if !has_lines(lines) {
        return None;
    }
    let stage = module.stage;
    let mut program = read(lines.text(PROGRAM)?);
    place_stores(&mut program, &Stores::of(&module.words, stage));
    let mut places = Places::of(&program);
    let mut chosen = read(programs::chosen(chosen, stage)?);
    for line in &mut chosen {
        line.place = places.own(line);
    }
    places.add_readers(&chosen);
    let mut matcher = Matcher { chosen: &chosen, taken: vec![false; chosen.len()], at: 0 };
    let found = machine.iter().map(|text| {
        let line = matcher.find(text)?;
        places.of_line(line).or_else(|| places.of_effect(line, &chosen))
    });
    let mut found: Vec<Option<Place>> = found.collect();
    // Waits are for what comes next.
    let mut next = None;
    for (text, place) in machine.iter().zip(&mut found).rev() {
        let is_wait = WAITS.iter().any(|wait| text.starts_with(wait));
        match place {
            None if is_wait => *place = next,
            None if text.starts_with(END) => next = None,
            None => {}
            Some(own) => next = Some(*own),
        }
    }
    Some(found)
}

/// Returns the places of exports among machine instructions, by what the module stores; `None` for
/// all others.
pub fn places_of_exports(module: &Module, machine: &[&str]) -> Vec<Option<Place>> {
    let stores = Stores::of(&module.words, module.stage);
    let target = |text: &&str| {
        let target = text.strip_prefix("exp ")?.split([' ', ',']).next()?;
        stores.of_export(target)
    };
    machine.iter().map(target).collect()
}

/// Gives what the driver makes of stores the places of these: exports, and messages that a
/// vertex is complete, with the stores to memory before them.
fn place_stores(program: &mut [Line<'_>], stores: &Stores) {
    for line in program.iter_mut().filter(|line| line.opcode == "exp") {
        line.place = line.place.or_else(|| stores.of_export(line.text));
    }
    let is_message = |line: &Line<'_>| line.opcode == "s_sendmsg" && line.text.contains("emit");
    let messages: Vec<usize> = (0..program.len()).filter(|at| is_message(&program[*at])).collect();
    let vertices = stores.of_vertices(messages.len()).unwrap_or_default();
    let mut first = 0;
    for (at, place) in messages.into_iter().zip(vertices) {
        for line in &mut program[first..=at] {
            let is_store = line.definitions.is_empty() && !line.opcode.starts_with(PSEUDO);
            if is_store && line.place.is_none() {
                line.place = Some(*place);
            }
        }
        first = at + 1;
    }
}

/// Registers that instructions write without naming them.
const IMPLICIT: [&str; 2] = ["scc", "exec"];
/// Instructions that only wait, for the sake of the next.
const WAITS: [&str; 3] = ["s_waitcnt", "s_nop", "s_barrier"];
/// The end of a program, before which nothing goes on to what stands behind it.
const END: &str = "s_endpgm";
/// Branches of the machine, and the instructions of ACO's program that become them.
const BRANCHES: (&str, [&str; 4]) =
    ("s_cbranch_", ["p_cbranch", "p_branch", "p_exit_early_if", "p_exit_early_if_not"]);

/// Finds the instructions of ACO's program, whose registers are chosen, that machine
/// instructions come from.
struct Matcher<'a> {
    chosen: &'a [Line<'a>],
    taken: Vec<bool>,
    /// The one behind the last that was found.
    at: usize,
}

impl<'a> Matcher<'a> {
    /// Returns the instruction that a machine instruction comes from. Each comes from one of
    /// the same opcode and register that no other comes from, or from one that stands for
    /// several: copies of registers, which become moves, and branches.
    fn find(&mut self, text: &str) -> Option<&'a Line<'a>> {
        let (opcode, register) = parts(text);
        let fits = |line: &Line<'_>| {
            opcode_of(line.opcode) == opcode
                && line
                    .definitions
                    .first()
                    .is_none_or(|it| IMPLICIT.contains(&it.1) || is_register(it.1, register))
        };
        let all = self.chosen;
        if let Some(at) = (0..all.len()).find(|at| !self.taken[*at] && fits(&all[*at])) {
            self.taken[at] = true;
            self.at = at + 1;
            return all.get(at);
        }
        // A comparison may write the mask of lanes itself in the end.
        if let Some(rest) = opcode.strip_prefix("v_cmpx_") {
            let compares = |line: &Line<'_>| line.opcode.strip_prefix("v_cmp_") == Some(rest);
            let at = (0..all.len()).find(|at| !self.taken[*at] && compares(&all[*at]))?;
            self.taken[at] = true;
            return all.get(at);
        }
        let behind = || all[self.at..].iter().chain(all[..self.at].iter().rev());
        if text.starts_with(BRANCHES.0) {
            return behind().find(|line| BRANCHES.1.iter().any(|it| line.opcode.starts_with(it)));
        }
        // A lane of a vector register keeps a scalar one.
        if opcode == "v_writelane_b32" {
            return behind().find(|line| line.opcode == "p_spill");
        }
        let stands_for = |line: &&Line<'_>| {
            line.opcode.starts_with(PSEUDO)
                && line.definitions.iter().any(|it| holds(it.1, register))
        };
        behind().find(stands_for)
    }
}

/// Tells whether the driver's program of an executable states lines of the source, be it that
/// some instruction is of none. Mesa 25 states lines of its own program, which is no file.
pub fn has_lines(executable: &Executable) -> bool {
    let lines = executable.text(PROGRAM).unwrap_or_default().lines();
    let mut comments = lines.filter_map(|line| line.trim().strip_prefix(COMMENT));
    comments
        .any(|comment| comment.ends_with(|c: char| c.is_ascii_digit()) && !comment.starts_with(':'))
}

/// The places of a program's ids, and of what defines none.
struct Places<'a> {
    by_id: HashMap<u32, &'a Line<'a>>,
    /// Of instructions without ids, by opcode and what they read.
    by_operands: HashMap<(&'a str, &'a [u32]), Place>,
    /// The first that reads an id.
    readers: HashMap<u32, &'a Line<'a>>,
    /// Of instructions without ids, by opcode, in order.
    effects: HashMap<&'a str, Vec<Option<Place>>>,
}

impl<'a> Places<'a> {
    fn of(program: &'a [Line<'a>]) -> Places<'a> {
        let mut places = Places {
            by_id: HashMap::new(),
            by_operands: HashMap::new(),
            readers: HashMap::new(),
            effects: HashMap::new(),
        };
        for line in program {
            for (id, _) in line.definitions.iter().filter(|it| it.0 > 0) {
                places.by_id.entry(*id).or_insert(line);
            }
            for id in &line.operands {
                places.readers.entry(*id).or_insert(line);
            }
            if line.definitions.is_empty() {
                places.effects.entry(line.opcode).or_default().push(line.place);
            }
            if let (Some(place), []) = (line.place, &line.definitions[..]) {
                places.by_operands.entry((line.opcode, &line.operands)).or_insert(place);
            }
        }
        places
    }

    /// Adds those that read ids which the program before its registers were chosen does not have:
    /// copies.
    fn add_readers(&mut self, chosen: &'a [Line<'a>]) {
        for line in chosen {
            for id in &line.operands {
                self.readers.entry(*id).or_insert(line);
            }
        }
    }

    /// The place that an instruction itself has.
    fn own(&self, line: &Line<'_>) -> Option<Place> {
        let own = line.definitions.iter().find_map(|(id, _)| self.by_id.get(id)?.place);
        own.or_else(|| self.by_operands.get(&(line.opcode, line.operands.as_slice())).copied())
    }

    /// The place of an instruction: its own, that of what it reads, that of who reads it.
    fn of_line(&self, line: &Line<'_>) -> Option<Place> {
        let own = self.own(line).or_else(|| self.of_operands(&line.operands));
        own.or_else(|| self.of_readers(&line.definitions))
    }

    /// The place of an instruction without ids by its number among those of its opcode, where
    /// both programs have as many. What it reads may have been copied meanwhile.
    fn of_effect(&self, line: &Line<'_>, chosen: &[Line<'_>]) -> Option<Place> {
        let places = self.effects.get(line.opcode).filter(|_| line.definitions.is_empty())?;
        let mut same = chosen.iter().filter(|it| it.opcode == line.opcode);
        let number = same.clone().position(|it| std::ptr::eq(it.text, line.text))?;
        let place = places.get(number).copied().flatten();
        place.filter(|_| same.by_ref().count() == places.len())
    }

    /// The place of the nearest of those that read what is defined, or that read those.
    fn of_readers(&self, definitions: &[(u32, &str)]) -> Option<Place> {
        let first = definitions.iter().map(|it| it.0);
        nearest(
            first,
            |id| self.readers.get(&id),
            |line, next| {
                next.extend(line.definitions.iter().map(|it| it.0));
            },
        )
    }

    /// The place of the nearest of those that define what is read, or what those read.
    fn of_operands(&self, operands: &[u32]) -> Option<Place> {
        let first = operands.iter().copied();
        nearest(
            first,
            |id| self.by_id.get(&id),
            |line, next| {
                next.extend_from_slice(&line.operands);
            },
        )
    }
}

/// Goes from ids to instructions and on to the ids that `on` adds, until one has a place; looks
/// at no more than [`FARTHEST`].
fn nearest<'a>(
    first: impl Iterator<Item = u32>,
    line_of: impl Fn(u32) -> Option<&'a &'a Line<'a>>,
    on: impl Fn(&Line<'a>, &mut Vec<u32>),
) -> Option<Place> {
    let mut ids: Vec<u32> = first.collect();
    let mut at = 0;
    while at < ids.len().min(FARTHEST) {
        if let Some(line) = line_of(ids[at]) {
            if line.place.is_some() {
                return line.place;
            }
            on(line, &mut ids);
        }
        at += 1;
    }
    None
}

/// Reads the instructions of a program.
fn read(text: &str) -> Vec<Line<'_>> {
    let mut place = None;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("BB") {
            place = None;
        }
        let Some(line) = line.strip_prefix('\t').map(str::trim) else { continue };
        if let Some(comment) = line.strip_prefix(COMMENT) {
            place = place_of(comment);
            continue;
        }
        let (definitions, rest) = line.split_once(" = ").unwrap_or(("", line));
        let mut words = rest.splitn(2, ' ');
        let opcode = words.next().unwrap_or_default();
        let definitions: Vec<_> = ids(definitions).collect();
        let operands = ids(words.next().unwrap_or_default());
        let operands = operands.map(|it| it.0).filter(|id| *id > 0).collect();
        found.push(Line { text: rest, opcode, definitions, operands, place });
    }
    found
}

/// Reads `0x368 a.tgsi:10:1`; `(null):0:0` is of no place.
fn place_of(comment: &str) -> Option<Place> {
    let mut parts = comment.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (line > 0).then_some(Place { line, column })
}

/// The ids of a list, `%14:v[2]` or `%14`, each with its register. Number 0 is of fixed
/// registers alone.
fn ids(list: &str) -> impl Iterator<Item = (u32, &str)> {
    list.split('%').skip(1).filter_map(|it| {
        let end = it.find(|c: char| !c.is_ascii_digit()).unwrap_or(it.len());
        let id = it[..end].parse().ok()?;
        let register = it[end..].strip_prefix(':').unwrap_or_default();
        let end = register.find([',', ' ']).unwrap_or(register.len());
        Some((id, &register[..end]))
    })
}

/// The opcode of a machine instruction and its first operand.
fn parts(text: &str) -> (String, &str) {
    let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
    (opcode_of(mnemonic), operands.split(',').next().unwrap_or_default().trim())
}

/// An opcode without the form that it is encoded in; sums of integers have one name here,
/// whatever the version calls them.
fn opcode_of(mnemonic: &str) -> String {
    let mut name = mnemonic;
    for form in ["_e32", "_e64", "_sdwa", "_dpp"] {
        name = name.strip_suffix(form).unwrap_or(name);
    }
    match name {
        "v_add_i32" => "v_add_u32".to_owned(),
        "v_sub_i32" => "v_sub_u32".to_owned(),
        "v_subrev_i32" => "v_subrev_u32".to_owned(),
        name => name.replace("_co_", "_"),
    }
}

/// The file, the first and the last number of registers: `v[4-7]`, `v[4:7]`, `v[3]`, `v3`.
fn registers(name: &str) -> Option<(char, u32, u32)> {
    let file = name.chars().next().filter(|it| matches!(it, 's' | 'v'))?;
    let numbers = name[1..].trim_matches(['[', ']']);
    let (first, last) = numbers.split_once(['-', ':']).unwrap_or((numbers, numbers));
    Some((file, first.parse().ok()?, last.parse().ok()?))
}

/// Tells whether both names are of the same registers.
fn is_register(one: &str, other: &str) -> bool {
    match (registers(one), registers(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// Tells whether the registers of the first are all among those of the second.
fn holds(all: &str, part: &str) -> bool {
    match (registers(all), registers(part)) {
        (Some(all), Some(part)) => all.0 == part.0 && all.1 <= part.1 && part.2 <= all.2,
        _ => !part.is_empty() && all == part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;

    const LINES: &str = "After Spilling:\nACO shader stage: SW (FS), HW (PIXEL_SHADER)\nBB0\n\
        /* logical preds: / kind: top-level, */\n\
        \t s2: %1:s[0-1],  v1: (kill)%2:v[0] = p_startpgm\n\
        \t// (null):0:0\n\
        \t v1: %3 = v_interp_p1_f32 %2, %1:m0 attr0.x\n\
        \t// 0x368 a.tgsi:10:1\n\
        \t v1: %4 = v_mul_f32 %3, %3\n\
        \t// 0x378 a.tgsi:11:2\n\
        \t v1: (InfNaNPreserve)%5 = v_add_f32 1.0, (kill)%4\n\
        \t buffer_store_dword %1, %5, 0 offen\n\
        \t// (null):0:0\n\
        \t exp (kill)%5,  v1: undef mrt0\n\
        \ts_endpgm\n";
    const DUMP: &str = "After RA:\nACO shader stage: SW (VS), HW (VERTEX_SHADER)\nBB0\n\
        \t v1: %4:v[9] = v_mul_f32 %3:v[1], %3:v[1]\n\
        After RA:\nACO shader stage: SW (FS), HW (PIXEL_SHADER)\nBB0\n\
        \t s2: %1:s[0-1],  v1: %2:v[0] = p_startpgm\n\
        \t v1: %3:v[1] = v_interp_p1_f32 %2:v[0], %1:m0 attr0.x\n\
        \t v1: %4:v[2] = v_mul_f32 %3:v[1], %3:v[1]\n\
        \t v2: %7:v[4-5] = p_create_vector %4:v[2], %4:v[2]\n\
        \t v1: (InfNaNPreserve)%5:v[2] = v_add_f32 1.0, %4:v[2]\n\
        \t buffer_store_dword %1:s[0-1], %5:v[2], 0 offen\n\
        \t exp %5:v[2],  v1: undef mrt0\n\
        \ts_endpgm\n";

    fn executable(program: &str) -> Executable {
        let texts = vec![(PROGRAM.to_owned(), program.to_owned())];
        let (name, figures, code) = (String::new(), Vec::new(), Vec::new());
        Executable { name, stages: 16, lanes: 64, figures, code, constants: Vec::new(), texts }
    }

    fn module(stage: Stage) -> Module {
        Module { stage, words: Vec::new() }
    }

    #[test]
    fn machine_instructions_get_the_lines_of_their_ids() {
        let chosen = Output { executables: Vec::new(), added: 0, dump: DUMP.to_owned() };
        let machine = [
            "v_interp_p1_f32_e32 v1, v0, attr0.x",
            "v_mul_f32_e32 v2, v1, v1",
            "v_mov_b32_e32 v5, v2",
            "v_add_f32_e64 v2, 1.0, v2",
            "s_waitcnt vmcnt(0)",
            "buffer_store_dword v2, v3, s[0:3], 0 offen",
            "exp mrt0 v2, off, off, off done vm",
            "s_endpgm",
        ];
        let found = join(&module(Stage::Fragment), &executable(LINES), &chosen, &machine).unwrap();
        let lines: Vec<u32> = found.iter().map(|it| it.map_or(0, |it| it.line)).collect();
        // The wait is for the store.
        assert_eq!(lines, [10, 10, 10, 11, 11, 11, 11, 0]);
        assert_eq!(found[3], Some(Place { line: 11, column: 2 }));
        // A program of no statement, of another text, without lines; a dump of another stage.
        let of =
            |program: &str| join(&module(Stage::Fragment), &executable(program), &chosen, &machine);
        let silent = LINES.replace("0x368 a.tgsi:10:1", "(null):0:0");
        let silent = silent.replace("0x378 a.tgsi:11:2", "(null):0:0");
        assert_eq!(of(&silent), Some(vec![None; machine.len()]));
        assert_eq!(of(&silent.replace("(null)", "")), None);
        assert_eq!(of(&silent.replace("// (null):0:0", "")), None);
        assert_eq!(join(&module(Stage::Compute), &executable(LINES), &chosen, &machine), None);
    }

    #[test]
    fn names_of_registers_are_compared_by_what_they_name() {
        assert!(is_register("v[4-7]", "v[4:7]") && is_register("s[3]", "s3"));
        assert!(is_register("vcc", "vcc") && !is_register("v[3]", "s3"));
        assert!(holds("v[4-7]", "v6") && !holds("v[4-7]", "v8") && !holds("", ""));
    }
}
