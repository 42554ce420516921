//! The places where a module writes what leaves a stage, by the driver's names of it.
//!
//! The driver makes exports and messages of its own, which are of no line. What they export
//! says which store of the module they stand for.

use std::collections::HashMap;

use crate::Stage;
use crate::join::Place;
use crate::spirv::{Instruction, decoration, instructions, op, storage};

/// Values that Vulkan knows, by their numbers in the specification.
mod built_in {
    pub(super) const POSITION: u32 = 0;
    pub(super) const SAMPLE_MASK: u32 = 20;
    pub(super) const FRAG_DEPTH: u32 = 22;
    pub(super) const FRAG_STENCIL_REF: u32 = 5014;
}

/// The places of a stage's stores.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Stores {
    /// By what is exported: `param0`, `mrt1`, `pos0`.
    exports: HashMap<String, Place>,
    /// Of the vertices that are emitted, in the order of the module.
    vertices: Vec<Place>,
}

impl Stores {
    /// Reads the stores of a module. The last store to a variable counts.
    pub(crate) fn of(words: &[u32], stage: Stage) -> Stores {
        let all = instructions(words).unwrap_or_default();
        let decorated = |kind: u32| -> HashMap<u32, u32> {
            let own = |it: &&Instruction<'_>| it.opcode == op::DECORATE && it.operand(1) == kind;
            all.iter().filter(own).map(|it| (it.operand(0), it.operand(2))).collect()
        };
        let (locations, built_ins) =
            (decorated(decoration::LOCATION), decorated(decoration::BUILT_IN));
        let outputs = all.iter().filter(|it| it.opcode == op::VARIABLE);
        let outputs = outputs.filter(|it| it.operand(2) == storage::OUTPUT);
        let mut ranks: Vec<u32> =
            outputs.filter_map(|it| locations.get(&it.operand(1)).copied()).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let name = |variable: u32| {
            let location = locations.get(&variable);
            match (stage, location, built_ins.get(&variable)) {
                (Stage::Fragment, Some(location), _) => Some(format!("mrt{location}")),
                (Stage::Fragment, None, Some(own)) => matches!(
                    *own,
                    built_in::SAMPLE_MASK | built_in::FRAG_DEPTH | built_in::FRAG_STENCIL_REF
                )
                .then(|| "mrtz".to_owned()),
                // Parameters are numbered in the order of the locations.
                (_, Some(location), _) => {
                    Some(format!("param{}", ranks.binary_search(location).ok()?))
                }
                (_, None, Some(&built_in::POSITION)) => Some("pos0".to_owned()),
                (_, None, Some(_)) => Some("pos1".to_owned()),
                (_, None, None) => None,
            }
        };
        let mut stores = Stores::default();
        let mut place = None;
        let mut parts: HashMap<u32, u32> = HashMap::new();
        for it in &all {
            match it.opcode {
                op::LINE => place = Some(Place { line: it.operand(1), column: it.operand(2) }),
                op::NO_LINE | op::LABEL | op::FUNCTION_END => place = None,
                op::ACCESS_CHAIN => {
                    parts.insert(it.operand(1), it.operand(2));
                }
                op::STORE => {
                    let to = it.operand(0);
                    let name = name(parts.get(&to).copied().unwrap_or(to));
                    if let (Some(name), Some(place)) = (name, place) {
                        stores.exports.insert(name, place);
                    }
                }
                op::EMIT_VERTEX | op::EMIT_STREAM_VERTEX => stores.vertices.extend(place),
                _ => {}
            }
        }
        stores
    }

    /// The place of an export of the driver's program, `exp … mrt0`.
    pub(crate) fn of_export(&self, instruction: &str) -> Option<Place> {
        let target = instruction.split_ascii_whitespace().next_back()?;
        self.exports.get(target).copied()
    }

    /// The places of the vertices that a program emits, where it has as many messages of them.
    pub(crate) fn of_vertices(&self, messages: usize) -> Option<&[Place]> {
        (messages == self.vertices.len()).then_some(&self.vertices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spirv::Writer;

    #[test]
    fn stores_are_found_by_what_is_exported() {
        let mut writer = Writer::new();
        for _ in 0..9 {
            writer.id();
        }
        // Locations 4 and 2, the position, and a variable of the shader.
        writer.push(op::DECORATE, &[1, decoration::LOCATION, 4]);
        writer.push(op::DECORATE, &[2, decoration::LOCATION, 2]);
        writer.push(op::DECORATE, &[3, decoration::BUILT_IN, built_in::POSITION]);
        for (variable, class) in [(1, storage::OUTPUT), (2, storage::OUTPUT), (3, storage::OUTPUT)]
        {
            writer.push(op::VARIABLE, &[9, variable, class]);
        }
        writer.push(op::LINE, &[8, 5, 1]);
        writer.push(op::STORE, &[1, 7]);
        writer.push(op::LINE, &[8, 6, 0]);
        writer.push(op::ACCESS_CHAIN, &[9, 5, 2, 7]);
        writer.push(op::STORE, &[5, 7]);
        writer.push(op::EMIT_VERTEX, &[]);
        writer.push(op::NO_LINE, &[]);
        writer.push(op::STORE, &[3, 7]);
        writer.push(op::FUNCTION_END, &[]);
        let words = writer.finish();
        let stores = Stores::of(&words, Stage::Vertex);
        let line = |text: &str| stores.of_export(text).map(|it| it.line);
        assert_eq!(line("exp %1, %2 param1"), Some(5));
        assert_eq!(line("exp %1, %2 param0"), Some(6));
        assert_eq!((line("exp %1 pos0"), line("exp %1 param2"), line("")), (None, None, None));
        assert_eq!(stores.of_vertices(1).map(|it| it[0].line), Some(6));
        assert_eq!(stores.of_vertices(2), None);
        let stores = Stores::of(&words, Stage::Fragment);
        assert_eq!(stores.of_export("exp %1 mrt4").map(|it| it.line), Some(5));
        assert_eq!(Stores::of(&[], Stage::Vertex), Stores::default());
    }
}
