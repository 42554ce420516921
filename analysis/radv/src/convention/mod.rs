//! The contents of the registers with which a program of the driver begins.
//!
//! Vulkan does not tell them. The driver's dump has the widths of what comes, in order, and of
//! the program before it was compiled the values that it asks for: by name in Mesa 22.3, from
//! 23.2 on most of them by the number of the argument. The meaning of each register follows from
//! both by the driver's source (Mesa 22.3, `radv_shader_args.c`; of later ones their programs were
//! looked at); where they do not fit together, or the version is another one, nothing is said.

mod by_vertex;
mod named;
mod numbered;

use std::collections::HashMap;

use thiserror::Error;

use crate::programs::{File, Register, chosen, runs, source, start};
use crate::{BindingKind, Module, Output, Stage, State};
use by_vertex::Running;

/// The ways in which a version's program says which values it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Each by its name.
    Named,
    /// Most of them by the number of an argument.
    Numbered,
}

/// Returns the form of a version of Mesa. Programs of 22.3, 23.2, 24.0, 25.0, 25.2, 26.0, 26.1 and
/// 26.2 were looked at; those between them have the same form as both neighbours.
fn form_of(version: &str) -> Option<Form> {
    let mut numbers = version.split('.').map(|it| it.parse::<u32>().ok());
    match (numbers.next()??, numbers.next()??) {
        (22, 3) => Some(Form::Named),
        (23, 2..) | (24 | 25, _) | (26, ..=2) => Some(Form::Numbered),
        _ => None,
    }
}

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
    /// The lower half of the address of the descriptors of vertex buffers.
    VertexBuffers,
    /// The number of the first vertex.
    FirstVertex,
    /// The mask of primitives, which interpolation needs.
    Primitives,
    /// Of two merged stages the counts of lanes that each runs in: the first from bit 0, the second
    /// from bit 8 on.
    Lanes,
    /// Something that counts for no program here.
    Unread,
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
    /// The place of the pixel, integers of 16 bits: x, and y above it.
    PixelPair,
    /// The number of the patch.
    Patch,
    /// The number of the patch in its group, and from bit 8 on that of the invocation.
    Invocation,
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
    /// The order of its descriptors.
    pub order: Order,
}

/// The order of the descriptors of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By the numbers of their bindings.
    Numbers,
    /// By their alignments, that of the binding with the largest number last, and then by the numbers
    /// of their bindings.
    Alignment,
}

/// The reason why a convention is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnknownConvention {
    /// Nobody looked at this version.
    #[error(
        "the calling convention of Mesa {0} is not known, only those of 22.3 and of 23.2 to 26.2"
    )]
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
    form_of(version).is_some()
}

/// Returns the convention of a module's program, from a compile with registers.
///
/// # Errors
/// The convention is not known.
pub fn convention(
    version: &str,
    output: &Output,
    module: &Module,
) -> Result<Convention, UnknownConvention> {
    use UnknownConvention::{Mismatch, Untold};
    let form = form_of(version).ok_or_else(|| UnknownConvention::Version(version.to_owned()))?;
    let stage = module.stage;
    let program = source(output, stage).ok_or(Untold("which values the program asks for"))?;
    let asked = match form {
        Form::Named => named::asked(program),
        Form::Numbered => numbered::asked(program, module)?,
    };
    let registers = chosen(output, stage).and_then(start);
    let registers = registers.ok_or(Untold("with which registers the program begins"))?;
    let widths = |file: File| -> Vec<usize> {
        let own = registers.iter().filter(|it| it.file == file);
        own.map(|it: &Register| it.count).collect()
    };
    let told = widths(File::Scalar).iter().sum();
    let running = match chosen(output, stage) {
        Some(program) if stage != Stage::Vertex && runs(program, Stage::Vertex) => Running::Merged,
        _ => Running::Alone,
    };
    let scalars = match (stage, form) {
        (Stage::Vertex, Form::Named) => {
            let scalars = asked.scalars(stage)?;
            // One more is what the program does not ask for by a name.
            let asked = Asked { vertex_buffers: told == scalars.len() + 1, ..asked };
            asked.scalars(stage)?
        }
        (Stage::Vertex | Stage::Fragment | Stage::Compute, _) => asked.scalars(stage)?,
        (_, Form::Named) => {
            let set = asked.set.map(|(argument, _)| argument + 1);
            by_vertex::scalars(stage, running, set, told)?
        }
        (_, Form::Numbered) => return Err(UnknownConvention::Stage(stage)),
    };
    if told != scalars.len() {
        return Err(Mismatch { told, expected: scalars.len() });
    }
    // The set's place among what comes is told; what stands before it takes one place each,
    // but for the two words at the beginning.
    let place = scalars.iter().position(|it| *it == Scalar::Set);
    if asked.set.is_some_and(|(argument, _)| place != Some(argument + 1)) {
        return Err(Untold("where the descriptor set is, as expected"));
    }
    let widths = widths(File::Vector);
    let vectors = match (stage, &widths[..]) {
        (Stage::Compute, [3] | [1, 1, 1]) => {
            vec![Vector::Thread(0), Vector::Thread(1), Vector::Thread(2)]
        }
        (Stage::Vertex, [1, 1, 1, 1]) => {
            vec![Vector::Vertex, Vector::Unread, Vector::Unread, Vector::Unread]
        }
        (Stage::Fragment, [2, 1, 1]) => {
            vec![Vector::Unread, Vector::Unread, Vector::Pixel(0), Vector::Pixel(1)]
        }
        (Stage::Fragment, [1, 1]) if asked.pixel_pair => vec![Vector::Unread, Vector::PixelPair],
        (Stage::Fragment, [2, 1]) if asked.pixel_pair => {
            vec![Vector::Unread, Vector::Unread, Vector::PixelPair]
        }
        // Places between the corners, in the ways in which attributes are interpolated.
        (Stage::Fragment, widths) if widths.iter().all(|width| *width == 2) => {
            vec![Vector::Unread; 2 * widths.len()]
        }
        (Stage::Fragment, [ways @ .., 1, 1]) if ways.iter().all(|width| *width == 2) => {
            let mut all = vec![Vector::Unread; 2 * ways.len()];
            all.extend([Vector::Pixel(0), Vector::Pixel(1)]);
            all
        }
        (stage, widths) => by_vertex::vectors(stage, running, widths)
            .ok_or(Untold("which vector registers it has, as expected"))?,
    };
    let order = match form {
        Form::Named => Order::Numbers,
        Form::Numbered => Order::Alignment,
    };
    Ok(Convention { scalars, vectors, high: asked.set.map_or(0, |(_, high)| high), order })
}

/// The values of a program's text that an address is put together from, by their names.
#[derive(Default)]
struct Halves<'a> {
    /// The numbers of arguments.
    arguments: HashMap<&'a str, usize>,
    constants: HashMap<&'a str, u32>,
}

impl<'a> Halves<'a> {
    /// Notes a constant, `load_const (0xffff8000 = …)`.
    fn add_constant(&mut self, name: &'a str, operation: &str) {
        let hex = number(operation, "(0x").and_then(|it| u32::from_str_radix(it, 16).ok());
        self.constants.extend(hex.map(|it| (name, it)));
    }

    /// Returns the argument and the constant that an address is made of.
    fn joined(&self, low: &str, high: &str) -> Option<(usize, u32)> {
        Some((*self.arguments.get(low)?, *self.constants.get(high)?))
    }
}

/// Returns the digits behind some letters of an operation.
fn number<'a>(operation: &'a str, after: &str) -> Option<&'a str> {
    operation.split_once(after)?.1.split([',', ')', ' ']).next()
}

/// The values that a program asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    /// The place of the descriptor set among what comes, and the upper half of its address.
    set: Option<(usize, u32)>,
    /// True if descriptors of vertex buffers come.
    vertex_buffers: bool,
    grid_size: bool,
    /// The axes on which the group's number counts.
    groups: [bool; 3],
    wave: bool,
    /// True if the pixel's place comes as a pair of integers.
    pixel_pair: bool,
}

impl Asked {
    /// Notes the components of the group's number that an operation reads, by its names.
    fn read_groups(&mut self, operation: &str, names: &[&str]) {
        for operand in operation.split([' ', ',', '(', ')']) {
            let (name, components) = operand.split_once('.').unwrap_or((operand, "xyz"));
            if names.contains(&name) {
                let axes = components.bytes();
                let axes = axes.filter_map(|it| usize::from(it).checked_sub(b'x'.into()));
                axes.for_each(|axis| {
                    self.groups.get_mut(axis).into_iter().for_each(|it| *it = true);
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
                all.extend(self.vertex_buffers.then_some(Scalar::VertexBuffers));
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

/// A component of an attribute that a program interpolates.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attribute {
    /// The number by which instructions know the attribute.
    pub number: u32,
    /// The component.
    pub component: u32,
    /// The variable of the module.
    pub variable: String,
}

/// Returns the components of attributes that the program of a stage interpolates, as far as it
/// tells the names of their variables.
pub fn attributes(output: &Output, stage: Stage) -> Vec<Attribute> {
    const LOADS: [&str; 2] = ["load_interpolated_input", "load_input"];
    let program = source(output, stage).unwrap_or_default();
    let mut found: Vec<Attribute> = Vec::new();
    for line in program.lines().filter(|line| LOADS.iter().any(|load| line.contains(load))) {
        let value = |name: &str| number(line, name).and_then(|it| it.parse().ok());
        // As comments of C, in two ways.
        let name = line.rsplit_once("/* ").or_else(|| line.rsplit_once("// "));
        let name = name.map_or("", |it| it.1.trim_end_matches("*/").trim());
        let width = match line.trim_start().strip_prefix("vec") {
            Some(rest) => rest.split(' ').next().and_then(|it| it.parse().ok()),
            None => line.split("32x").nth(1).and_then(|it| it.split(' ').next()?.parse().ok()),
        };
        let (Some(number), Some(first)) = (value("(base="), value("component=")) else { continue };
        let own = (first..4).take(width.unwrap_or(1));
        found.extend(own.map(|component| Attribute {
            number,
            component,
            variable: name.to_owned(),
        }));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the places of a state's bindings in descriptor set 0, in bytes (Mesa 22.3,
/// `radv_descriptor_set.c`; that of later ones is read from their programs).
pub fn places(state: &State, order: Order) -> Vec<(u32, u32)> {
    let mut bindings: Vec<(u32, BindingKind)> = Vec::new();
    for own in &state.bindings {
        bindings.extend((own.first..own.first.saturating_add(own.count)).map(|it| (it, own.kind)));
    }
    let last = bindings.iter().max_by_key(|it| it.0).map(|it| size(it.1).1);
    bindings.sort_by_key(|(number, kind)| {
        let is_behind = order == Order::Alignment && Some(size(*kind).1) == last;
        (is_behind, *number)
    });
    let mut end: u32 = 0;
    let places = bindings.into_iter().map(|(number, kind)| {
        let (bytes, alignment) = size(kind);
        let place = end.next_multiple_of(alignment);
        end = place + bytes;
        (number, place)
    });
    places.collect()
}

/// The bytes of a descriptor and their alignment. An image has a second descriptor for its samples'
/// masks, and then its sampler.
fn size(kind: BindingKind) -> (u32, u32) {
    match kind {
        BindingKind::SampledImage => (96, 32),
        BindingKind::StorageImage => (32, 32),
        BindingKind::UniformBuffer
        | BindingKind::StorageBuffer
        | BindingKind::UniformTexels
        | BindingKind::StorageTexels => (16, 16),
    }
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

    fn module(stage: Stage) -> Module {
        Module { stage, words: Vec::new() }
    }

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
        let found =
            convention("22.3.6", &output(told), &module(Stage::Compute)).expect("a convention");
        use Scalar::*;
        let expected = [ScratchLow, ScratchHigh, Set, GridLow, GridHigh, Group(2), ScratchOffset];
        assert_eq!(found.scalars, expected);
        assert_eq!(found.vectors, [0, 1, 2].map(Vector::Thread));
        assert_eq!(found.high, 0xffff_8000);
    }

    #[test]
    fn versions_are_known_from_the_first_to_the_last_that_were_looked_at() {
        for (version, form) in [
            ("22.2.5", None),
            ("22.3.6", Some(Form::Named)),
            ("23.1.9", None),
            ("23.2.1", Some(Form::Numbered)),
            ("24.3.4", Some(Form::Numbered)),
            ("26.2.6-devel", Some(Form::Numbered)),
            ("26.3.0", None),
            ("27.0.0", None),
            ("22", None),
            ("", None),
        ] {
            assert_eq!(form_of(version), form, "{version}");
        }
    }

    #[test]
    fn vertex_buffers_come_before_the_first_vertex() {
        let nir = NIR.replace("COMPUTE", "VERTEX").replace("base=1", "base=3");
        let told = "s2: %1:s[0-1],  s1: %2:s[2],  s1: %3:s[3],  s1: %4:s[4],  s1: %5:s[5],  \
                    v1: %6:v[0],  v1: %7:v[1],  v1: %8:v[2],  v1: %9:v[3]";
        let mut output = output(told);
        output.dump = output.dump.replace(NIR, &nir).replace("compute_cs", "vertex_vs");
        let found = convention("22.3.6", &output, &module(Stage::Vertex)).expect("a convention");
        use Scalar::*;
        let expected = [ScratchLow, ScratchHigh, VertexBuffers, FirstVertex, Set, ScratchOffset];
        assert_eq!(found.scalars, expected);
    }

    #[test]
    fn attributes_have_the_names_of_their_variables() {
        let named = "shader: MESA_SHADER_FRAGMENT\n\tvec2 32 ssa_42 = intrinsic \
                     load_interpolated_input (ssa_38, ssa_31) (base=1, component=1, io location=33 \
                     slots=1 /*161*/)\t/* in_GENERIC_5 */\n";
        let numbered = "shader: MESA_SHADER_FRAGMENT\n    div 32x2  %42 = @load_interpolated_input \
                        (%38, %31 (0x0)) (base=1, component=1, dest_type=float32)  // in_GENERIC_5\n";
        for dump in [named, numbered] {
            let output = Output { executables: Vec::new(), added: 0, dump: dump.to_owned() };
            let own =
                |component| Attribute { number: 1, component, variable: "in_GENERIC_5".to_owned() };
            assert_eq!(attributes(&output, Stage::Fragment), [own(1), own(2)], "{dump}");
        }
    }

    #[test]
    fn what_does_not_fit_is_not_known() {
        let fewer = output("s2: %1:s[0-1],  s1: %2:s[2],  v3: %7:v[0-2]");
        let refused = |version: &str, output: &Output, stage| {
            convention(version, output, &module(stage)).expect_err("not known").to_string()
        };
        let words = refused("22.3.6", &fewer, Stage::Compute);
        assert!(words.contains("3 scalar registers, and 7 were expected"), "{words}");
        let words = refused("26.3.1", &fewer, Stage::Compute);
        assert!(words.contains("Mesa 26.3.1 is not known"), "{words}");
        let words = refused("22.3.6", &fewer, Stage::Fragment);
        assert!(words.contains("does not say"), "{words}");
    }

    #[test]
    fn bindings_follow_each_other() {
        let binding = |first, count, kind| Binding { first, count, kind };
        let bindings = vec![
            binding(20, 1, BindingKind::StorageBuffer),
            binding(0, 1, BindingKind::UniformBuffer),
            binding(1, 2, BindingKind::SampledImage),
        ];
        let state = State { bindings, ..State::default() };
        let found = places(&state, Order::Numbers);
        assert_eq!(found, [(0, 0), (1, 32), (2, 128), (20, 224)]);
        let found = places(&state, Order::Alignment);
        assert_eq!(found, [(1, 0), (2, 96), (0, 192), (20, 208)]);
        let mut state = state;
        state.bindings.push(binding(40, 1, BindingKind::StorageImage));
        let found = places(&state, Order::Alignment);
        assert_eq!(found, [(0, 0), (20, 16), (1, 32), (2, 128), (40, 224)]);
    }
}
