//! The contents of the registers with which a program of the driver begins.
//!
//! Vulkan does not tell them. The driver's dump has the widths of what comes, in order, and of
//! the program before it was compiled the values that it asks for. The meaning of each register
//! follows from both by the driver's source (Mesa 22.3, `radv_shader_args.c`); where they do not
//! fit together, or the version is another one, nothing is said.

use std::collections::HashMap;

use thiserror::Error;

use crate::programs::{File, Register, chosen, source, start};
use crate::{BindingKind, Output, Stage, State};

/// The versions of Mesa whose convention was looked at, by their beginnings.
const KNOWN: [&str; 1] = ["22.3."];

/// The contents of a scalar register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// The lower half of the address of descriptor set 0.
    Set,
    /// The lower half of the address of the number of groups on each axis.
    GridLow,
    /// Its upper half.
    GridHigh,
    /// The number of the group on an axis.
    Group(u8),
    /// The number of the wave in its group, from bit 6 on.
    Wave,
    /// Of a grid, the first word of scratch memory's descriptor; of other stages, the lower half
    /// of the address of that word.
    ScratchLow,
    /// The second word, or the upper half.
    ScratchHigh,
    /// The offset of the wave in scratch memory.
    ScratchOffset,
    /// The number of the first vertex.
    FirstVertex,
    /// The mask of primitives, which interpolation needs.
    Primitives,
}

/// The contents of a vector register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vector {
    /// The number of the thread in its group on an axis.
    Thread(u8),
    /// The number of the vertex.
    Vertex,
    /// The place of the pixel's centre on an axis, a float.
    Pixel(u8),
    /// Something that no program here asks for.
    Unread,
}

/// The contents of all registers before a program begins, and the layout of its set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Convention {
    /// The scalar registers, from the first on.
    pub scalars: Vec<Scalar>,
    /// The vector registers, from the first on.
    pub vectors: Vec<Vector>,
    /// The upper half of the address of descriptor set 0.
    pub high: u32,
}

/// The reason why a convention is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnknownConvention {
    /// Nobody looked at this version.
    #[error("the calling convention of Mesa {0} is not known, only that of 22.3")]
    Version(String),
    /// The stage is not one of those that were looked at.
    #[error("the calling convention of the {0} stage is not known")]
    Stage(Stage),
    /// The dump does not have what it has to.
    #[error("the driver does not say {0}")]
    Untold(&'static str),
    /// Registers and program do not fit together.
    #[error(
        "the driver's program begins with {told} scalar registers, and {expected} were expected"
    )]
    Mismatch {
        /// The registers of the dump.
        told: usize,
        /// The registers by the values that the program asks for.
        expected: usize,
    },
}

/// Tells whether the convention of a version of Mesa is known.
pub fn is_known(version: &str) -> bool {
    KNOWN.iter().any(|known| version.starts_with(known))
}

/// Returns the convention of a stage's program, from a compile with registers.
///
/// # Errors
/// The convention is not known.
pub fn convention(
    version: &str,
    output: &Output,
    stage: Stage,
) -> Result<Convention, UnknownConvention> {
    use UnknownConvention::{Mismatch, Untold};
    if !is_known(version) {
        return Err(UnknownConvention::Version(version.to_owned()));
    }
    let asked =
        Asked::of(source(output, stage).ok_or(Untold("which values the program asks for"))?);
    let registers = chosen(output, stage).and_then(start);
    let registers = registers.ok_or(Untold("with which registers the program begins"))?;
    let widths = |file: File| -> Vec<usize> {
        let own = registers.iter().filter(|it| it.file == file);
        own.map(|it: &Register| it.count).collect()
    };
    let scalars = asked.scalars(stage)?;
    let told = widths(File::Scalar).iter().sum();
    if told != scalars.len() {
        return Err(Mismatch { told, expected: scalars.len() });
    }
    // The set's place among what comes is told; what stands before it takes one place each,
    // but for the two words at the beginning.
    let place = scalars.iter().position(|it| *it == Scalar::Set);
    if asked.set.is_some_and(|(argument, _)| place != Some(argument + 1)) {
        return Err(Untold("where the descriptor set is, as expected"));
    }
    let vectors = match (stage, &widths(File::Vector)[..]) {
        (Stage::Compute, [3]) => vec![Vector::Thread(0), Vector::Thread(1), Vector::Thread(2)],
        (Stage::Vertex, [1, 1, 1, 1]) => {
            vec![Vector::Vertex, Vector::Unread, Vector::Unread, Vector::Unread]
        }
        (Stage::Fragment, [2, 1, 1]) => {
            vec![Vector::Unread, Vector::Unread, Vector::Pixel(0), Vector::Pixel(1)]
        }
        _ => return Err(Untold("which vector registers it has, as expected")),
    };
    Ok(Convention { scalars, vectors, high: asked.set.map_or(0, |(_, high)| high) })
}

/// The values that a program asks for, by the text of NIR.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    /// The place of the descriptor set among what comes, and the upper half of its address.
    set: Option<(usize, u32)>,
    grid_size: bool,
    /// The axes on which the group's number counts.
    groups: [bool; 3],
    wave: bool,
}

impl Asked {
    fn of(text: &str) -> Asked {
        let mut asked = Asked::default();
        let mut arguments: HashMap<&str, usize> = HashMap::new();
        let mut constants: HashMap<&str, u32> = HashMap::new();
        let mut groups: Vec<&str> = Vec::new();
        for line in text.lines() {
            let Some((name, operation)) = line.split_once(" = ") else {
                asked.read(line, &groups);
                continue;
            };
            let name = name.split_whitespace().next_back().unwrap_or_default();
            asked.read(operation, &groups);
            let number = |after: &str| {
                let rest = operation.split_once(after)?.1;
                rest.split([',', ')', ' ']).next()
            };
            let words: Vec<&str> =
                operation.split([' ', ',']).filter(|it| !it.is_empty()).collect();
            match words[..] {
                ["intrinsic", "load_scalar_arg_amd", ..] => {
                    arguments.extend(
                        number("base=").and_then(|it| it.parse().ok()).map(|it| (name, it)),
                    );
                }
                ["load_const", ..] => {
                    let hex = number("(0x").and_then(|it| u32::from_str_radix(it, 16).ok());
                    constants.extend(hex.map(|it| (name, it)));
                }
                ["pack_64_2x32_split", low, high, ..] => {
                    if let (Some(low), Some(high)) = (arguments.get(low), constants.get(high)) {
                        asked.set.get_or_insert((*low, *high));
                    }
                }
                ["intrinsic", "load_workgroup_id", ..] => groups.push(name),
                ["intrinsic", "load_num_workgroups", ..] => asked.grid_size = true,
                ["intrinsic", "load_local_invocation_index" | "load_subgroup_id", ..] => {
                    asked.wave = true;
                }
                _ => {}
            }
        }
        asked
    }

    /// Notes the components of the group's number that an operation reads.
    fn read(&mut self, operation: &str, groups: &[&str]) {
        for operand in operation.split([' ', ',', '(', ')']) {
            let (name, components) = operand.split_once('.').unwrap_or((operand, "xyz"));
            if groups.contains(&name) {
                let all =
                    components.bytes().filter_map(|it| usize::from(it).checked_sub(b'x'.into()));
                all.for_each(|axis| {
                    self.groups.get_mut(axis).into_iter().for_each(|it| *it = true)
                });
            }
        }
    }

    /// The scalar registers of a stage that asks for these values.
    fn scalars(&self, stage: Stage) -> Result<Vec<Scalar>, UnknownConvention> {
        let mut all = vec![Scalar::ScratchLow, Scalar::ScratchHigh];
        let set = self.set.map(|_| Scalar::Set);
        match stage {
            Stage::Compute => {
                all.extend(set);
                if self.grid_size {
                    all.extend([Scalar::GridLow, Scalar::GridHigh]);
                }
                let groups = (0..3).filter(|axis| self.groups[usize::from(*axis)]);
                all.extend(groups.map(Scalar::Group));
                all.extend(self.wave.then_some(Scalar::Wave));
            }
            Stage::Vertex => {
                all.push(Scalar::FirstVertex);
                all.extend(set);
            }
            Stage::Fragment => {
                all.extend(set);
                all.push(Scalar::Primitives);
            }
            other => return Err(UnknownConvention::Stage(other)),
        }
        all.push(Scalar::ScratchOffset);
        Ok(all)
    }
}

/// Returns the places of a state's bindings in descriptor set 0, in bytes, and the bytes of all:
/// they follow each other in the order of their numbers (Mesa 22.3, `radv_descriptor_set.c`).
pub fn places(state: &State) -> (Vec<(u32, u32)>, u32) {
    let mut bindings: Vec<(u32, BindingKind)> = Vec::new();
    for own in &state.bindings {
        bindings.extend((own.first..own.first.saturating_add(own.count)).map(|it| (it, own.kind)));
    }
    bindings.sort_by_key(|it| it.0);
    let mut end: u32 = 0;
    let places = bindings.into_iter().map(|(number, kind)| {
        // An image has a second descriptor for its samples' masks, and then its sampler.
        let (bytes, alignment) = match kind {
            BindingKind::SampledImage => (96, 32),
            BindingKind::StorageImage => (32, 32),
            BindingKind::UniformBuffer
            | BindingKind::StorageBuffer
            | BindingKind::UniformTexels
            | BindingKind::StorageTexels => (16, 16),
        };
        let place = end.next_multiple_of(alignment);
        end = place + bytes;
        (number, place)
    });
    let places = places.collect();
    (places, end)
}

/// Bytes from an image's descriptor to its sampler's: the last sixteen of a binding, as the code of
/// every chip loads it.
pub const SAMPLER: u32 = 80;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Binding;

    const NIR: &str = "shader: MESA_SHADER_COMPUTE
\tvec1 32 ssa_58 = intrinsic load_scalar_arg_amd () (base=1, arg_upper_bound_u32_amd=0)
\tvec1 32 ssa_1 = load_const (0xffff8000 = -nan)
\tvec1 64 ssa_53 = pack_64_2x32_split ssa_58, ssa_1
\tvec3 32 ssa_10 = intrinsic load_workgroup_id () ()
\tvec1 32 ssa_11 = iadd ssa_9, ssa_10.z
\tvec3 32 ssa_12 = intrinsic load_num_workgroups () ()
";

    fn output(registers: &str) -> Output {
        let dump = format!(
            "{NIR}\nAfter RA:\nACO shader stage: compute_cs\nBB0\n\t {registers} = p_startpgm\n"
        );
        Output { executables: Vec::new(), added: 0, dump }
    }

    #[test]
    fn registers_follow_from_what_is_asked_for() {
        let told = "s2: %1:s[0-1],  s1: %2:s[2],  s1: %3:s[3],  s1: %4:s[4],  s1: %5:s[5],  \
                    s1: %6:s[6],  v3: %7:v[0-2]";
        let found = convention("22.3.6", &output(told), Stage::Compute).expect("a convention");
        use Scalar::*;
        let expected = [ScratchLow, ScratchHigh, Set, GridLow, GridHigh, Group(2), ScratchOffset];
        assert_eq!(found.scalars, expected);
        assert_eq!(found.vectors, [0, 1, 2].map(Vector::Thread));
        assert_eq!(found.high, 0xffff_8000);
    }

    #[test]
    fn what_does_not_fit_is_not_known() {
        let fewer = output("s2: %1:s[0-1],  s1: %2:s[2],  v3: %7:v[0-2]");
        let refused = |version: &str, output: &Output, stage| {
            convention(version, output, stage).expect_err("not known").to_string()
        };
        let words = refused("22.3.6", &fewer, Stage::Compute);
        assert!(words.contains("3 scalar registers, and 7 were expected"), "{words}");
        let words = refused("26.0.1", &fewer, Stage::Compute);
        assert!(words.contains("Mesa 26.0.1 is not known"), "{words}");
        let words = refused("22.3.6", &fewer, Stage::Fragment);
        assert!(words.contains("does not say"), "{words}");
    }

    #[test]
    fn a_value_that_is_used_whole_is_used_on_every_axis() {
        let text = "vec3 32 ssa_1 = intrinsic load_workgroup_id () ()\n\
                    intrinsic store_ssbo (ssa_1, ssa_2, ssa_3) (wrmask=xyz)\n";
        assert_eq!(Asked::of(text).groups, [true; 3]);
        assert_eq!(
            Asked::of("vec3 32 ssa_1 = intrinsic load_workgroup_id () ()").groups,
            [false; 3]
        );
        assert_eq!(Asked::of(NIR).groups, [false, false, true]);
    }

    #[test]
    fn bindings_follow_each_other() {
        let binding = |first, count, kind| Binding { first, count, kind };
        let bindings = vec![
            binding(20, 1, BindingKind::StorageBuffer),
            binding(0, 1, BindingKind::UniformBuffer),
            binding(1, 2, BindingKind::SampledImage),
        ];
        let (found, bytes) = places(&State { bindings, ..State::default() });
        assert_eq!(found, [(0, 0), (1, 32), (2, 128), (20, 224)]);
        assert_eq!(bytes, 240);
    }
}
