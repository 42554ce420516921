//! Local data share and scratch memory: what declares them, which instructions reach them, and
//! what they cost.

use editor_model::{ExplainedAccess, ExplainedDeclaration, ExplainedMemory, Statistics};
use gcn::analysis::Report;
use gcn::occupancy::{Usage, occupancy};
use gcn::program::MemoryFields;
use source::{TextRange, no_checkpoint};
use tgsi::ast::StatementKind;

use super::Places;

/// Opcodes of local data share that exchange lanes without memory.
const EXCHANGES: [&str; 3] = ["ds_swizzle", "ds_permute", "ds_bpermute"];

/// The statements that declare the memory of a code.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryDeclarations {
    /// Of local data share.
    pub share: Vec<TextRange>,
    /// Of scratch memory.
    pub scratch: Vec<TextRange>,
    /// Bytes of scratch memory of each lane, where a statement says it.
    pub scratch_bytes: u32,
}

impl From<MemoryFields> for MemoryDeclarations {
    fn from(fields: MemoryFields) -> MemoryDeclarations {
        let MemoryFields { share, scratch, scratch_bytes } = fields;
        MemoryDeclarations { share, scratch, scratch_bytes }
    }
}

impl MemoryDeclarations {
    /// The statements of a shader, by its number in a text.
    pub fn of_shader(text: &str, shader: usize) -> MemoryDeclarations {
        let regions = tgsi::regions::split(text);
        let Some(region) = regions.shaders.get(shader) else {
            return MemoryDeclarations::default();
        };
        let parse = tgsi::parser::parse(region.text(text), &no_checkpoint);
        let Some(shader) = parse.shader else { return MemoryDeclarations::default() };
        let own = shader.statements.iter().filter(|it| {
            use tgsi::words::MemoryKind::{Private, Shared};
            let StatementKind::Declaration(own) = &it.kind else { return false };
            own.memory.is_some_and(|kind| matches!(kind.value, Shared | Private))
        });
        let share = own.map(|it| region.map().to_file(it.range)).collect();
        MemoryDeclarations { share, ..MemoryDeclarations::default() }
    }
}

/// Explains the memory of a code. `line` is the line of a range and its text.
pub fn explained_memory(
    report: &Report,
    declarations: &MemoryDeclarations,
    compiled: Option<&Statistics>,
    places: Places<'_>,
    line: &dyn Fn(TextRange) -> ExplainedDeclaration,
) -> Vec<ExplainedMemory> {
    let share = report.usage.lds;
    let scratch = compiled.map_or(declarations.scratch_bytes, |it| it.scratch);
    let spilled = compiled.map_or(0, |it| it.spilled_vgprs);
    let (waves, excess) = (report.occupancy.waves, report.occupancy.relief);
    let without = |usage: Usage| occupancy(usage, report.target).waves;
    let memory = |kind, bytes, declared: &[TextRange], reached: Vec<u32>| ExplainedMemory {
        kind,
        bytes,
        waves,
        without: waves,
        excess: 0,
        spilled: 0,
        declared: declared.iter().map(|range| line(*range)).collect(),
        waited: waited(report, &reached),
        accesses: reached.iter().filter_map(|index| access(report, *index, places)).collect(),
    };
    let mut all = Vec::new();
    if share > 0 || !declarations.share.is_empty() {
        let reached = reached(report, |index| is_share(report, index));
        all.push(ExplainedMemory {
            without: without(Usage { lds: 0, ..report.usage }).max(waves),
            excess: excess.map_or(0, |it| it.lds),
            ..memory("lds", share, &declarations.share, reached)
        });
    }
    if scratch > 0 {
        let resource = scratch_resource(report, places, compiled.is_none());
        let reached = reached(report, |index| {
            let text = places(index).text;
            text.starts_with("scratch_")
                || text.starts_with("buffer_")
                    && resource
                        .as_ref()
                        .is_some_and(|name| text.split([',', ' ']).any(|it| it == name))
        });
        all.push(ExplainedMemory {
            spilled,
            ..memory("scratch", scratch, &declarations.scratch, reached)
        });
    }
    all
}

/// The instructions that some rule takes.
fn reached(report: &Report, is_own: impl Fn(u32) -> bool) -> Vec<u32> {
    (0..u32::try_from(report.def_use.len()).unwrap_or(u32::MAX))
        .filter(|index| is_own(*index))
        .collect()
}

fn name(report: &Report, index: u32) -> &'static str {
    let own = report.def_use.get(index as usize);
    own.and_then(|it| it.desc).map_or("", |desc| desc.name())
}

fn is_share(report: &Report, index: u32) -> bool {
    let own = name(report, index);
    let is_elsewhere = own.contains("_gws_") || EXCHANGES.iter().any(|it| own.starts_with(it));
    own.starts_with("ds_") && own != "ds_nop" && !is_elsewhere
}

/// The registers of the descriptor of scratch memory: where a shader puts it together, or the
/// first four, where the hardware loads them for a kernel.
fn scratch_resource(report: &Report, places: Places<'_>, is_kernel: bool) -> Option<String> {
    let count = u32::try_from(report.def_use.len()).ok()?;
    let found = (0..count).find_map(|index| {
        let text = places(index).text;
        let (target, _) = text.strip_prefix("s_mov_b32 s")?.split_once(", SCRATCH_RSRC_DWORD0")?;
        target.parse::<u32>().ok()
    });
    let first = found.or(is_kernel.then_some(0))?;
    Some(format!("s[{first}:{}]", first + 3))
}

/// Clocks that a lone wave waits for results of some instructions.
fn waited(report: &Report, producers: &[u32]) -> u32 {
    let times = report.timing.instructions.iter();
    let waits =
        times.filter(|it| it.cause.is_some_and(|cause| producers.contains(&cause.producer)));
    waits.map(|it| it.stall).sum()
}

fn access(report: &Report, index: u32, places: Places<'_>) -> Option<ExplainedAccess> {
    let (at, opcode) = (places(index), name(report, index));
    let own = report.def_use.get(index as usize)?;
    let is_atomic = [
        "add", "sub", "min", "max", "inc", "dec", "and", "_or", "xor", "xchg", "cmp", "wrap",
        "atomic",
    ];
    let effect = match opcode {
        _ if opcode.contains("write") || opcode.contains("store") => "writes",
        _ if is_atomic.iter().any(|it| opcode.contains(it)) && !opcode.contains("load") => {
            "changes"
        }
        _ if own.writes().is_empty() => "writes",
        _ => "reads",
    };
    let size = bytes(opcode);
    let is_pair = opcode.contains("read2") || opcode.contains("write2") || opcode.contains("xchg2");
    let unit = if opcode.contains("st64") { size * 64 } else { size };
    let offset = |wanted: &str| {
        let mut words = at.text.split([' ', ',']);
        words.find_map(|word| word.strip_prefix(wanted)?.strip_prefix(':')?.parse::<u32>().ok())
    };
    let offsets = match is_pair {
        true => {
            ["offset0", "offset1"].map(|it| offset(it).unwrap_or(0).saturating_mul(unit)).to_vec()
        }
        false => offset("offset").into_iter().collect(),
    };
    Some(ExplainedAccess { effect, bytes: if is_pair { size * 2 } else { size }, offsets, at })
}

/// Bytes of a lane by the end of an opcode's name; 0 where it does not say.
fn bytes(opcode: &str) -> u32 {
    let ends = [
        ("dwordx4", 16),
        ("dwordx3", 12),
        ("dwordx2", 8),
        ("dword", 4),
        ("short", 2),
        ("byte", 1),
        ("b128", 16),
        ("b96", 12),
        ("64", 8),
        ("32", 4),
        ("16", 2),
        ("8", 1),
    ];
    let opcode = opcode.trim_end_matches("_d16").trim_end_matches("_hi").trim_end_matches("_d16");
    let found =
        ends.iter().find(|(end, _)| opcode.ends_with(end) || opcode.contains(&format!("_{end}_")));
    found.map_or(0, |(_, bytes)| *bytes)
}

/// The place of an access in words: what it does, with how much, where.
pub(super) fn words(own: &ExplainedAccess) -> String {
    let bytes = match own.bytes {
        0 => String::new(),
        1 => " 1 byte".to_owned(),
        bytes => format!(" {bytes} bytes"),
    };
    let offsets: Vec<String> = own.offsets.iter().map(|it| format!("{it:+}")).collect();
    let offsets =
        if offsets.is_empty() { String::new() } else { format!(" at {}", offsets.join(" and ")) };
    format!("{}{bytes}{offsets}", own.effect)
}

/// A statement of a text, for those that declare memory.
pub fn declaration(line: u32, text: &str) -> ExplainedDeclaration {
    ExplainedDeclaration { line, text: text.split_whitespace().collect::<Vec<_>>().join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_opcodes_say_how_much_a_lane_moves() {
        for (opcode, expected) in [
            ("buffer_load_dwordx4", 16),
            ("buffer_store_dwordx3", 12),
            ("global_load_dwordx2", 8),
            ("flat_load_dword", 4),
            ("global_load_lds_dword", 4),
            ("buffer_load_ushort", 2),
            ("buffer_load_sbyte_d16_hi", 1),
            ("global_load_short_d16", 2),
            ("ds_read_b128", 16),
            ("ds_write_b96", 12),
            ("ds_add_rtn_u64", 8),
            ("ds_add_u32", 4),
            ("ds_write_b16_d16_hi", 2),
            ("ds_read_u8_d16", 1),
            ("ds_swizzle_b32", 4),
            ("buffer_load_format_xyzw", 0),
        ] {
            assert_eq!(bytes(opcode), expected, "{opcode}");
        }
    }
}
