//! The values that a program of Mesa from 23.2 on asks for: its text loads arguments by their
//! numbers, so what it loads has to be known by its form. Before 26 the group and the grid have names.

use std::collections::BTreeSet;

use super::{Asked, Halves, UnknownConvention, number};
use crate::spirv::{self, decoration, op};
use crate::{Module, Stage};

/// The decoration of the number of a group (SPIR-V 1.6, 3.21, WorkgroupId).
const WORKGROUP_ID: u32 = 26;
/// Decorations of numbers that are made from that of the wave: NumSubgroups, SubgroupId and
/// LocalInvocationIndex.
const OF_WAVES: [u32; 3] = [38, 40, 29];
/// The first argument behind the driver's own memory.
const FIRST: usize = 1;
/// The most that the number of a group may be, as some of its loads state.
const MOST_GROUPS: &str = "arg_upper_bound_u32_amd=65535,";

/// The values behind the first argument, an address. GFX7 takes that address for one of an empty
/// descriptor, which loads nothing from there.
const OWN_MEMORY: &str = "what is in memory of its own, which the program reads";

/// Returns the values that a program asks for.
///
/// # Errors
/// The program loads something whose meaning is not known.
pub(super) fn asked(text: &str, module: &Module) -> Result<Asked, UnknownConvention> {
    let mut asked = Asked::default();
    let mut halves = Halves::default();
    // The arguments that are the number of a group.
    let (mut groups, mut others) = (BTreeSet::new(), BTreeSet::new());
    // The names of vector arguments, and their numbers.
    let mut vectors: Vec<&str> = Vec::new();
    let mut vector_arguments = BTreeSet::new();
    let mut named_groups: Vec<&str> = Vec::new();
    let mut own = OwnMemory::default();
    for line in text.lines() {
        let Some((left, operation)) = line.split_once(" = ") else {
            asked.read_groups(line, &named_groups);
            own.refuse(line)?;
            continue;
        };
        asked.read_groups(operation, &named_groups);
        let mut left = left.split_whitespace();
        let (Some(width), Some(name)) = (left.next(), left.next_back()) else { continue };
        let words: Vec<&str> = operation.split([' ', ',']).filter(|it| !it.is_empty()).collect();
        own.follow(name, &words)?;
        match words[..] {
            ["@load_scalar_arg_amd", ..] => {
                let Some(argument) = number(operation, "(base=").and_then(|it| it.parse().ok())
                else {
                    continue;
                };
                halves.arguments.insert(name, argument);
                match width {
                    _ if argument == 0 => own.values.push(name),
                    // The address of the number of groups.
                    "32x2" => asked.grid_size = true,
                    _ if operation.contains(MOST_GROUPS) => drop(groups.insert(argument)),
                    _ => drop(others.insert(argument)),
                }
            }
            ["@load_workgroup_id", ..] => named_groups.push(name),
            ["@load_num_workgroups", ..] => asked.grid_size = true,
            ["@load_local_invocation_index" | "@load_subgroup_id", ..] => asked.wave = true,
            ["@load_vector_arg_amd", ..] => {
                vectors.push(name);
                vector_arguments.insert(number(operation, "(base="));
            }
            ["unpack_32_2x16", value, ..] => asked.pixel_pair |= vectors.contains(&value),
            ["load_const", ..] => halves.add_constant(name, operation),
            ["pack_64_2x32_split", low, high, ..] => {
                let address = halves.joined(low, high);
                let is_first = address.is_some_and(|it| it.0 == FIRST);
                match module.stage {
                    // In front of the number of the first vertex.
                    Stage::Vertex if is_first => asked.vertex_buffers = true,
                    _ => asked.set = asked.set.or(address),
                }
            }
            _ => {}
        }
    }
    others.retain(|argument| asked.set.is_none_or(|(set, _)| set != *argument));
    if module.stage == Stage::Compute && named_groups.is_empty() {
        asked.wave |= !others.is_empty() && reads_waves(&module.words);
        if !asked.wave {
            groups.append(&mut others);
        }
        asked.groups = axes(groups.len(), module)?;
    }
    // Any other vector could be the pair.
    asked.pixel_pair &= vector_arguments.len() == 1;
    Ok(asked)
}

/// The values that are the address of the driver's own memory.
#[derive(Default)]
struct OwnMemory<'a> {
    /// The names of its halves, and of the address.
    values: Vec<&'a str>,
}

impl<'a> OwnMemory<'a> {
    /// Follows the address through an operation: its halves are joined, and it is one of two that
    /// a condition chooses from.
    fn follow(&mut self, name: &'a str, words: &[&str]) -> Result<(), UnknownConvention> {
        match *words {
            ["pack_64_2x32_split", low, high, ..] if self.is_value(low) && self.is_value(high) => {
                self.values.push(name);
                Ok(())
            }
            ["bcsel", condition, ..] => self.refuse(condition),
            _ => words.iter().try_for_each(|word| self.refuse(word)),
        }
    }

    fn is_value(&self, word: &str) -> bool {
        self.values.contains(&word.split_once('.').map_or(word, |it| it.0))
    }

    /// Refuses a text in which one of the values is used.
    fn refuse(&self, text: &str) -> Result<(), UnknownConvention> {
        let mut words = text.split([' ', ',', '(', ')']);
        match words.any(|word| self.is_value(word)) {
            true => Err(UnknownConvention::Untold(OWN_MEMORY)),
            false => Ok(()),
        }
    }
}

/// The axes on which the group's number counts, of a program that loads so many of them: in the
/// order of the axes, those that the module reads, or all.
fn axes(count: usize, module: &Module) -> Result<[bool; 3], UnknownConvention> {
    let read = read_axes(&module.words);
    match count {
        0 => Ok([false; 3]),
        3 => Ok([true; 3]),
        _ if read.iter().filter(|it| **it).count() == count => Ok(read),
        _ => Err(UnknownConvention::Untold("on which axes the number of a group counts")),
    }
}

/// The variables of a module that are given what one of some decorations names.
fn built_in(all: &[spirv::Instruction<'_>], wanted: &[u32]) -> Vec<u32> {
    let is_built_in = |it: &&spirv::Instruction<'_>| {
        (it.opcode, it.operand(1)) == (op::DECORATE, decoration::BUILT_IN)
            && wanted.contains(&it.operand(2))
    };
    all.iter().filter(is_built_in).map(|it| it.operand(0)).collect()
}

/// Tells whether a module reads what is made from the number of the wave.
fn reads_waves(words: &[u32]) -> bool {
    !built_in(&spirv::instructions(words).unwrap_or_default(), &OF_WAVES).is_empty()
}

/// The axes of the group's number that a module reads.
fn read_axes(words: &[u32]) -> [bool; 3] {
    let all = spirv::instructions(words).unwrap_or_default();
    let variables = built_in(&all, &[WORKGROUP_ID]);
    let loads = all.iter().filter(|it| it.opcode == op::LOAD);
    let values: Vec<u32> =
        loads.filter(|it| variables.contains(&it.operand(2))).map(|it| it.operand(1)).collect();
    let mut read = [false; 3];
    for it in all.iter().filter(|it| !matches!(it.opcode, op::LOAD | op::DECORATE | op::NAME)) {
        match it.opcode {
            op::COMPOSITE_EXTRACT if values.contains(&it.operand(2)) => {
                if let Some(axis) = read.get_mut(it.operand(3) as usize) {
                    *axis = true;
                }
            }
            op::VARIABLE | op::ENTRY_POINT => {}
            // A literal may be the number of a value, too; then more seems to be read than is.
            _ if it.operands.iter().any(|id| values.contains(id) || variables.contains(id)) => {
                read = [true; 3];
            }
            _ => {}
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spirv::Writer;

    /// A module that extracts axes of the group's number.
    fn module(stage: Stage, axes: &[u32]) -> Module {
        module_with(stage, axes, WORKGROUP_ID)
    }

    /// The same, with one more value that is given.
    fn module_with(stage: Stage, axes: &[u32], more: u32) -> Module {
        let mut writer = Writer::new();
        writer.push(op::DECORATE, &[1, decoration::BUILT_IN, WORKGROUP_ID]);
        writer.push(op::DECORATE, &[3, decoration::BUILT_IN, more]);
        writer.push(op::LOAD, &[50, 2, 1]);
        for axis in axes {
            writer.push(op::COMPOSITE_EXTRACT, &[60, 70 + axis, 2, *axis]);
        }
        writer.push(op::FUNCTION_END, &[]);
        Module { stage, words: writer.finish() }
    }

    const SET: &str = "\
    32     %1 = @load_scalar_arg_amd (base=1, arg_upper_bound_u32_amd=0, arg_num_lsb_zero=2)
    32     %2 = load_const (0xffff8000 = -32768 = 4294934528)
    64     %3 = pack_64_2x32_split %1, %2 (0xffff8000)
";
    const GROUP: &str = "\
    32     %4 = @load_scalar_arg_amd (base=3, arg_upper_bound_u32_amd=65535, arg_num_lsb_zero=0)
";

    #[test]
    fn arguments_are_known_by_their_form() {
        let grid = "    32x2   %5 = @load_scalar_arg_amd (base=2, arg_upper_bound_u32_amd=0, \
                    arg_num_lsb_zero=0)\n";
        let found = asked(&format!("{SET}{grid}{GROUP}"), &module(Stage::Compute, &[2])).unwrap();
        let expected = Asked {
            set: Some((1, 0xffff_8000)),
            grid_size: true,
            groups: [false, false, true],
            ..Asked::default()
        };
        assert_eq!(found, expected);
        let wave = "    32     %6 = @load_scalar_arg_amd (base=4, arg_upper_bound_u32_amd=0, \
                    arg_num_lsb_zero=0)\n";
        let by_wave = module_with(Stage::Compute, &[], OF_WAVES[1]);
        let found = asked(&format!("{SET}{wave}"), &by_wave).unwrap();
        assert_eq!(found, Asked { set: Some((1, 0xffff_8000)), wave: true, ..Asked::default() });
        // Not every load of a group's number has its bound.
        let found = asked(&format!("{SET}{wave}"), &module(Stage::Compute, &[1])).unwrap();
        assert_eq!((found.groups, found.wave), ([false, true, false], false));
        let vertex = asked(&format!("{SET}{wave}"), &module(Stage::Vertex, &[])).unwrap();
        assert!(!vertex.wave);
    }

    #[test]
    fn a_group_may_have_a_name() {
        let text = "    con 32x3   %9 = @load_workgroup_id\n    con 32    %10 = iadd %9.x, %2\n    \
                    @store_ssbo (%9.z, %4, %5) (wrmask=x)\n    con 32x3  %11 = @load_num_workgroups\n";
        let found = asked(&format!("{SET}{text}"), &module(Stage::Compute, &[])).unwrap();
        let expected = Asked {
            set: Some((1, 0xffff_8000)),
            grid_size: true,
            groups: [true, false, true],
            ..Asked::default()
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn axes_that_are_left_out_must_be_known() {
        let told = asked(GROUP, &module(Stage::Compute, &[1])).map(|it| it.groups);
        assert_eq!(told, Ok([false, true, false]));
        let told = asked(GROUP, &module(Stage::Compute, &[0, 1]));
        let untold = UnknownConvention::Untold("on which axes the number of a group counts");
        assert_eq!(told, Err(untold));
    }

    #[test]
    fn memory_of_the_driver_is_not_known() {
        let own = "    32x2   %5 = @load_scalar_arg_amd (base=0, arg_upper_bound_u32_amd=0, \
                   arg_num_lsb_zero=0)\n    64     %6 = pack_64_2x32_split %5.x, %5.y\n";
        let chosen = "    64     %9 = bcsel %8, %6, %7\n";
        let asked = |more: &str| asked(&format!("{own}{more}"), &module(Stage::Compute, &[]));
        let refused = Err(UnknownConvention::Untold(OWN_MEMORY));
        assert_eq!(
            asked("    32x4   %7 = @load_smem_amd (%6, %3 (0x0)) (align_mul=16)\n"),
            refused
        );
        assert_eq!(asked("    32     %7 = iadd %5.x, %3\n"), refused);
        assert_eq!(asked("    @store_global_amd (%2, %6) (base=0)\n"), refused);
        assert_eq!(asked("    64     %9 = bcsel %6, %7, %8\n"), refused);
        // One of two addresses, of which that of a descriptor that is not empty counts.
        assert_eq!(asked(chosen), Ok(Asked::default()));
    }

    #[test]
    fn a_pair_is_the_only_vector_that_is_loaded() {
        let pair = "    32     %0 = @load_vector_arg_amd (base=19, arg_upper_bound_u32_amd=0, \
                    arg_num_lsb_zero=0)\n    16x2   %7 = unpack_32_2x16 %0\n";
        let fragment = module(Stage::Fragment, &[]);
        assert!(asked(pair, &fragment).unwrap().pixel_pair);
        let again = pair.replace("%0", "%8").replace("%7", "%9");
        assert!(asked(&format!("{pair}{again}"), &fragment).unwrap().pixel_pair);
        let more = again.replace("base=19", "base=18").replace("unpack", "pack");
        assert!(!asked(&format!("{pair}{more}"), &fragment).unwrap().pixel_pair);
    }
}
