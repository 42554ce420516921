//! The walk over instructions and lines of GLSL in step.

use crate::ast::{Destination, IndexRange, Instruction, Shader, StatementKind};
use crate::opcodes::{Control, Opcode, ValueType};
use crate::words::{File, Stage};

use super::declared::declared;

/// The most lines before the one that ends an instruction: the fix-ups of a vertex.
const MOST_BEFORE: usize = 64;
/// Lines and instructions together that are left out where one is looked for.
const MOST_LEFT_OUT: usize = 12;

/// For each line of GLSL, the statement that it comes from, by its place among the shader's
/// statements; `None` of what the renderer adds and of what is not certain.
pub fn join(shader: &Shader, glsl: &str) -> Vec<Option<usize>> {
    let lines: Vec<&str> = glsl.lines().collect();
    let mut joined = vec![None; lines.len()];
    let begins = lines.iter().position(|line| line.starts_with("void main("));
    let begins = begins.map_or(lines.len(), |it| (it + 2).min(lines.len()));
    for (line, place) in lines[..begins].iter().zip(&mut joined) {
        *place = declared(shader, line);
    }
    let body: Vec<Line<'_>> =
        lines[begins..].iter().map(|line| Line::read(line, shader.stage.value)).collect();
    let arrays = Arrays::of(shader);
    let instructions: Vec<(usize, Expected)> = shader
        .statements
        .iter()
        .enumerate()
        .filter_map(|(place, statement)| match &statement.kind {
            StatementKind::Instruction(it) => Some((place, it)),
            _ => None,
        })
        // What follows the end are subroutines, which the renderer does not call.
        .take_while(|(_, it)| it.opcode.value != Opcode::END)
        .map(|(place, it)| (place, Expected::of(it, &arrays)))
        .filter(|(_, expected)| *expected != Expected::Nothing)
        .collect();
    let (mut line, mut instruction) = (0, 0);
    while line < body.len() && instruction < instructions.len() {
        let Some(next) = nearest(&body[line..], &instructions[instruction..]) else {
            line += 1;
            continue;
        };
        let first = begins + line + next.lines;
        joined[first..first + next.count].fill(Some(instructions[instruction + next.silent].0));
        line += next.lines + next.count;
        instruction += next.silent + 1;
    }
    joined
}

/// The next instruction that has its lines.
struct Next {
    /// Lines before them, which are nobody's.
    lines: usize,
    /// Instructions before it, which have none.
    silent: usize,
    /// Its lines.
    count: usize,
}

/// The nearest pair of an instruction and its lines: where one of both is left out, rather a
/// line, which the renderer may add.
fn nearest(lines: &[Line<'_>], instructions: &[(usize, Expected)]) -> Option<Next> {
    (0..=MOST_LEFT_OUT).find_map(|distance| {
        (0..=distance).find_map(|silent| {
            let skipped = distance - silent;
            let (_, expected) = instructions.get(silent)?;
            let count = expected.lines_of(lines.get(skipped..)?)?;
            Some(Next { lines: skipped, silent, count })
        })
    })
}

/// Tells whether virglrenderer 0.10.4 to 1.3.0 read an opcode and write nothing for it: its
/// result is lost.
pub fn is_lost(opcode: Opcode) -> bool {
    let row = opcode.row();
    let mut types = row.destination_types.iter().chain(row.source_types);
    let wide = types.any(|it| matches!(it, ValueType::Signed64 | ValueType::Unsigned64));
    wide || matches!(
        opcode,
        Opcode::SWITCH
            | Opcode::CASE
            | Opcode::DEFAULT
            | Opcode::ENDSWITCH
            | Opcode::PK2H
            | Opcode::PK2US
            | Opcode::PK4B
            | Opcode::PK4UB
            | Opcode::UP2H
            | Opcode::UP2US
            | Opcode::UP4B
            | Opcode::UP4UB
            | Opcode::SAMPLE
            | Opcode::SAMPLE_B
            | Opcode::SAMPLE_C
            | Opcode::SAMPLE_C_LZ
            | Opcode::SAMPLE_D
            | Opcode::SAMPLE_I
            | Opcode::SAMPLE_I_MS
            | Opcode::SAMPLE_L
            | Opcode::GATHER4
            | Opcode::SVIEWINFO
            | Opcode::SAMPLE_POS
            | Opcode::SAMPLE_INFO
    )
}

/// A line of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    /// A value is given to a variable.
    Write {
        /// The variable.
        of: Variable,
        /// Its name.
        name: &'a str,
        /// The components, one bit each.
        components: u8,
        /// The value.
        value: &'a str,
    },
    /// Anything else.
    Words(&'a str),
}

/// The kinds of variables that the renderer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variable {
    Temporary(u32),
    Address(u32),
    Memory,
    /// For itself, within an instruction.
    Helper,
    /// Whatever leaves the shader.
    Output,
}

impl<'a> Line<'a> {
    fn read(line: &'a str, stage: Stage) -> Line<'a> {
        let line = line.trim();
        let Some((left, value)) = line.split_once(" = ") else { return Line::Words(line) };
        let name = left.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').next();
        let name = name.unwrap_or_default();
        // Fragments read clip distances, and the renderer copies them first.
        let is_copy = stage == Stage::Fragment && name == "clip_dist_temp";
        if name.is_empty() || line.starts_with("if ") || is_copy {
            return Line::Words(line);
        }
        let of = Variable::named(name, left);
        let components = match left.rsplit_once('.') {
            Some((_, last)) => components(last.trim_end()),
            None => 0xf,
        };
        Line::Write { of, name, components, value }
    }

    /// Tells whether it is a step within an instruction, whatever that is.
    fn is_step(&self) -> bool {
        match self {
            Line::Write { of, .. } => *of == Variable::Helper,
            Line::Words(words) => {
                *words == "{"
                    || words.starts_with("umulExtended(")
                    || words.starts_with("imulExtended(")
            }
        }
    }
}

/// The components that a member names; all of what is a member of another kind.
fn components(member: &str) -> u8 {
    let bit = |it: char| "xyzw".find(it).map(|place| 1u8 << place);
    member.chars().map(bit).try_fold(0, |mask, bit| Some(mask | bit?)).unwrap_or(0xf)
}

impl Variable {
    fn named(name: &str, left: &str) -> Variable {
        let number = |word: &str| name.strip_prefix(word).and_then(|it| it.parse().ok());
        if let Some(number) = number("temp") {
            return Variable::Temporary(number);
        }
        if let Some(number) = number("addr") {
            return Variable::Address(number);
        }
        if name.contains("ssbocontents") || name == "values" {
            return Variable::Memory;
        }
        // `vec4 val = ` declares one within a block.
        let is_declared = left.contains(' ') && !left.contains('[');
        let steps = ["fp64_src", "fp64_dst", "ssbo_addr_temp"];
        if steps.contains(&name) || is_declared && left.trim_end() != name {
            return Variable::Helper;
        }
        Variable::Output
    }
}

/// The lines that an instruction makes, as far as they tell it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// None at all.
    Nothing,
    /// Steps alone, whose result is lost.
    Steps(usize),
    /// One that begins with one of these words.
    Words(&'static [&'static str]),
    /// A condition, then the end of the fragment.
    ConditionalEnd,
    /// A vertex: what is put right of it, and the word.
    Vertex,
    /// As many writes to memory, or one to an image.
    Store(u32),
    /// Writes that together cover these components of one of these temporaries.
    Temporary(u32, u32, u8),
    /// As of temporaries, of an address register.
    Address(u32),
    /// As of temporaries, of an output.
    Output(u8),
}

impl Expected {
    fn of(instruction: &Instruction, arrays: &Arrays) -> Expected {
        let opcode = instruction.opcode.value;
        if is_lost(opcode) {
            let doubles = instruction.info().source_types.iter();
            return match doubles.filter(|it| **it == ValueType::Double).count() {
                0 => Expected::Nothing,
                count => Expected::Steps(count),
            };
        }
        match instruction.info().control {
            Control::If => return Expected::Words(&["if (bool("]),
            Control::Else => return Expected::Words(&["} else {"]),
            Control::EndIf => return Expected::Words(&["}"]),
            Control::Loop => return Expected::Words(&["do {"]),
            Control::EndLoop => return Expected::Words(&["} while"]),
            Control::Break => return Expected::Words(&["break;"]),
            Control::Continue => return Expected::Words(&["continue;"]),
            Control::Return => return Expected::Words(&["return;"]),
            _ => {}
        }
        match opcode {
            Opcode::KILL => Expected::Words(&["discard;"]),
            Opcode::KILL_IF => Expected::ConditionalEnd,
            Opcode::EMIT => Expected::Vertex,
            Opcode::ENDPRIM => Expected::Words(&["EndPrimitive", "EndStreamPrimitive"]),
            Opcode::BARRIER => Expected::Words(&["barrier()"]),
            Opcode::MEMBAR => Expected::Words(&["memoryBarrier", "groupMemoryBarrier"]),
            Opcode::STORE => {
                let mask = instruction.destinations.first().map_or(0, |it| bits(it).count_ones());
                Expected::Store(mask)
            }
            _ => match instruction.destinations.first() {
                Some(destination) => Expected::to(destination, arrays),
                None => Expected::Nothing,
            },
        }
    }

    fn to(destination: &Destination, arrays: &Arrays) -> Expected {
        let register = &destination.register;
        let number = u32::try_from(register.index.offset).unwrap_or(0);
        match register.file {
            File::Temporary => {
                let IndexRange { first, last } = arrays.with(number);
                Expected::Temporary(first, last, bits(destination))
            }
            File::Address => Expected::Address(number),
            File::Output => Expected::Output(bits(destination)),
            _ => Expected::Nothing,
        }
    }

    /// Tells whether a line writes what the instruction writes.
    fn is_written_by(self, of: Variable) -> bool {
        match (self, of) {
            (Expected::Temporary(first, last, _), Variable::Temporary(it)) => {
                (first..=last).contains(&it)
            }
            (Expected::Address(number), Variable::Address(it)) => number == it,
            (Expected::Output(_), Variable::Output) => true,
            _ => false,
        }
    }

    /// The number of lines at the beginning of these that are of the instruction; `None` where
    /// they do not begin with its own.
    fn lines_of(self, lines: &[Line<'_>]) -> Option<usize> {
        let steps = lines.iter().take(MOST_BEFORE).take_while(|it| it.is_step()).count();
        let words = |place: usize| match lines.get(place) {
            Some(Line::Words(words)) => *words,
            _ => "",
        };
        match self {
            Expected::Nothing => None,
            Expected::Steps(count) => (steps >= count).then_some(count),
            Expected::Words(wanted) => {
                let found = words(steps);
                let fits = |it: &&str| match *it {
                    "}" => found == "}",
                    word => found.starts_with(word),
                };
                wanted.iter().any(fits).then_some(steps + 1)
            }
            Expected::ConditionalEnd => {
                let is_begun = words(steps).starts_with("if (any(lessThan(");
                let is_whole = words(steps).ends_with("discard;");
                let ends = usize::from(!is_whole);
                (is_begun && words(steps + ends).ends_with("discard;")).then_some(steps + ends + 1)
            }
            Expected::Vertex => {
                let place = lines
                    .iter()
                    .take(MOST_BEFORE)
                    .position(|line| matches!(line, Line::Words(it) if it.starts_with("Emit")))?;
                let is_of_vertex = |line: &Line<'_>| match line {
                    Line::Write { of, .. } => *of == Variable::Output,
                    Line::Words(words) => *words == "}" || words.starts_with("if (clip_plane"),
                };
                lines[..place].iter().all(is_of_vertex).then_some(place + 1)
            }
            Expected::Store(count) => {
                if words(steps).starts_with("imageStore(") {
                    return Some(steps + 1);
                }
                let stored = lines
                    .get(steps..)?
                    .iter()
                    .take_while(|line| matches!(line, Line::Write { of: Variable::Memory, .. }));
                let stored = stored.take(count as usize).count();
                (stored > 0).then_some(steps + stored)
            }
            Expected::Temporary(_, _, mask) => self.covered(lines, steps, mask),
            Expected::Address(_) => self.covered(lines, steps, 1),
            Expected::Output(mask) => self.covered(lines, steps, mask),
        }
    }

    /// The lines up to the one by which all components are written.
    fn covered(self, lines: &[Line<'_>], steps: usize, mask: u8) -> Option<usize> {
        let mut written = 0;
        let mut place = steps;
        while written & mask != mask {
            let Some(Line::Write { of, components, .. }) = lines.get(place) else { break };
            let is_own = self.is_written_by(*of);
            if is_own {
                written |= components;
            } else if written == 0 || *of != Variable::Helper {
                break;
            }
            place += 1;
        }
        if written == 0 {
            return None;
        }
        // A clamped result is clamped in a line of its own.
        if let (
            Some(Line::Write { of, name, .. }),
            Some(Line::Write { of: next, name: same, value, .. }),
        ) = (lines.get(place - 1), lines.get(place))
            && of == next
            && name == same
            && value.starts_with("clamp(")
        {
            place += 1;
        }
        let opened = lines[..place].iter().filter(|it| **it == Line::Words("{")).count();
        let closing = lines[place..].iter().take_while(|it| **it == Line::Words("}")).count();
        Some(place + closing.min(opened))
    }
}

/// The temporaries that are declared together, by their first. Those that are addressed are an
/// array, which has the name of one of them.
struct Arrays(Vec<IndexRange>);

impl Arrays {
    fn of(shader: &Shader) -> Arrays {
        let declared = shader.declarations().filter(|it| it.file.value == File::Temporary);
        let mut ranges: Vec<IndexRange> = declared.map(|it| it.range.value).collect();
        ranges.sort_by_key(|it| it.first);
        Arrays(ranges)
    }

    /// The temporaries that are declared with one.
    fn with(&self, number: u32) -> IndexRange {
        let place = self.0.partition_point(|it| it.first <= number);
        let range = place.checked_sub(1).and_then(|it| self.0.get(it));
        let alone = IndexRange { first: number, last: number };
        range.copied().filter(|it| it.contains(number)).unwrap_or(alone)
    }
}

/// The components of a destination, one bit each.
fn bits(destination: &Destination) -> u8 {
    destination.mask.components().fold(0, |bits, component| bits | 1 << component as u8)
}
