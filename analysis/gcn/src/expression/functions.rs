//! Functions of expressions that the LLVM assembler has: compilers state the registers of a
//! kernel by those of what it calls (LLVM's AMDGPUMCExpr; values as llvm-mc 22 computes them).

use crate::Target;
use crate::occupancy::SpecialSgprs;

/// A function of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// The largest.
    Max,
    /// The bits of all.
    Or,
    /// A number up to a multiple.
    AlignTo,
    /// The scalar registers above the numbered ones: for VCC, FLAT_SCRATCH and XNACK_MASK, where
    /// they are used.
    ExtraSgprs,
    /// The vector registers of both kinds that are allocated, of accumulation and vector
    /// registers.
    TotalNumVgprs,
    /// The waves that fit: of the most, the granule and the file of vector registers, LLVM's number
    /// of the generation, the waves that fit otherwise, scalar and vector registers.
    Occupancy,
}

/// LLVM's number of the eighth generation, the first whose scalar file is the larger one, and
/// that of the first whose scalar registers limit nothing.
const VOLCANIC_ISLANDS: u64 = 7;
const GFX10: u64 = 9;

impl Function {
    /// Finds the function of a name.
    pub(super) fn find(name: &str) -> Option<Function> {
        Some(match name {
            "max" => Function::Max,
            "or" => Function::Or,
            "alignto" => Function::AlignTo,
            "extrasgprs" => Function::ExtraSgprs,
            "totalnumvgprs" => Function::TotalNumVgprs,
            "occupancy" => Function::Occupancy,
            _ => return None,
        })
    }

    /// The arguments that it needs; what follows them is read and ignored.
    pub(super) fn arguments(self) -> usize {
        match self {
            Function::Max | Function::Or => 1,
            Function::AlignTo | Function::TotalNumVgprs => 2,
            Function::ExtraSgprs => 3,
            Function::Occupancy => 7,
        }
    }

    /// The value for enough arguments; `None` where it depends on a chip that is not given, or
    /// on a division by zero. The numbers are unsigned ones of 64 bits, and wrap.
    pub(super) fn apply(self, arguments: &[i64], target: Option<Target>) -> Option<i64> {
        match (self, arguments) {
            (Function::Max, all) => all.iter().copied().max(),
            (Function::Or, all) => Some(all.iter().fold(0, |bits, it| bits | it)),
            (Function::AlignTo, [number, multiple, ..]) => {
                aligned(*number as u64, *multiple as u64).map(|it| it as i64)
            }
            (Function::ExtraSgprs, [vcc, flat_scratch, xnack_mask, ..]) => {
                let [vcc, flat_scratch, xnack_mask] =
                    [vcc, flat_scratch, xnack_mask].map(|it| *it != 0);
                let special = SpecialSgprs { vcc, flat_scratch, xnack_mask };
                Some(i64::from(special.count(target?)))
            }
            (Function::TotalNumVgprs, [agprs, vgprs, ..]) => {
                match u64::from(target?.row().limits.accum_granule) {
                    granule if granule > 0 && *agprs != 0 => {
                        let offset = aligned(*vgprs as u64, granule)?;
                        Some(offset.wrapping_add(*agprs as u64) as i64)
                    }
                    _ => Some(*agprs.max(vgprs)),
                }
            }
            (Function::Occupancy, [arguments @ .., sgprs, vgprs]) if arguments.len() == 5 => {
                waves(arguments, *sgprs as u64, *vgprs as u64)
            }
            _ => None,
        }
    }
}

fn aligned(number: u64, multiple: u64) -> Option<u64> {
    let above = number.wrapping_add(multiple.wrapping_sub(1));
    Some(above.checked_div(multiple)?.wrapping_mul(multiple))
}

fn waves(limits: &[i64], sgprs: u64, vgprs: u64) -> Option<i64> {
    let limits: Vec<u64> = limits.iter().map(|it| *it as u64).collect();
    let [most, granule, file, generation, otherwise] = limits[..] else { return None };
    let by_vgprs = match vgprs {
        0 => otherwise,
        count if count < granule => most,
        count => file.checked_div(aligned(count, granule)?)?.max(1).min(most),
    };
    let edges: &[u64] = match generation {
        ..VOLCANIC_ISLANDS => &[48, 56, 64, 72, 80],
        VOLCANIC_ISLANDS..GFX10 => &[80, 88, 100],
        GFX10.. => &[],
    };
    let lost = edges.iter().filter(|edge| sgprs > **edge).count() as u64;
    let by_sgprs = match sgprs {
        0 => otherwise,
        _ if generation >= GFX10 => most,
        _ => 10 - lost,
    };
    Some(by_vgprs.min(by_sgprs).min(otherwise) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(name: &str, chip: &str, arguments: &[i64]) -> Option<i64> {
        let function = Function::find(name).expect(name);
        assert!(arguments.len() >= function.arguments(), "{name}");
        function.apply(arguments, Target::find(chip))
    }

    /// Values of llvm-mc 22.
    #[test]
    fn values_are_the_assemblers() {
        for (chip, total, special) in [
            ("gfx600", 5, [4, 2, 0, 0]),
            ("gfx700", 5, [4, 2, 0, 0]),
            ("gfx803", 5, [6, 2, 0, 4]),
            ("gfx908", 5, [6, 2, 0, 4]),
            ("gfx90a", 13, [6, 2, 0, 4]),
            ("gfx942", 13, [6, 6, 6, 6]),
        ] {
            assert_eq!(on("totalnumvgprs", chip, &[5, 5]), Some(total), "{chip}");
            let uses = [[1, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 1]];
            let found = uses.map(|it| on("extrasgprs", chip, &it));
            assert_eq!(found, special.map(Some), "{chip}");
        }
        assert_eq!(on("totalnumvgprs", "gfx90a", &[0, 5]), Some(5));
        assert_eq!(on("max", "gfx900", &[-1, 0]), Some(0));
        assert_eq!(on("or", "gfx900", &[1, 2, 8]), Some(11));
        let aligned = [[5, 4], [0, 4], [-1, 4]].map(|it| on("alignto", "gfx900", &it));
        assert_eq!(aligned, [Some(8), Some(0), Some(0)]);
        assert_eq!(on("alignto", "gfx900", &[5, 0]), None);
    }

    /// `getOccupancyWithNumSGPRs` of LLVM 22: one register more than an edge costs a wave.
    #[test]
    fn waves_fall_behind_each_edge_of_scalar_registers() {
        let on = |generation, sgprs| {
            on("occupancy", "gfx900", &[10, 4, 256, generation, 10, sgprs, 1]).expect("a number")
        };
        let (southern, volcanic) = ([48, 56, 64, 72, 80], [80, 88, 100]);
        for (generation, edges) in
            [(5, &southern[..]), (6, &southern), (7, &volcanic), (8, &volcanic)]
        {
            for (lost, edge) in (0_i64..).zip(edges) {
                let waves = [*edge, edge + 1].map(|sgprs| on(generation, sgprs));
                assert_eq!(waves, [10 - lost, 9 - lost], "generation {generation}, {edge}");
            }
        }
        assert_eq!(on(9, 106), 10);
    }

    #[test]
    fn waves_are_the_assemblers() {
        for (arguments, expected) in [
            ([8, 8, 512, 8, 10, 20, 100], 4),
            ([10, 4, 256, 8, 10, 81, 1], 9),
            ([10, 4, 256, 7, 10, 101, 1], 7),
            ([10, 4, 256, 6, 10, 57, 1], 8),
            ([10, 4, 256, 9, 10, 157, 1], 10),
            ([10, 4, 256, 5, 10, 96, 0], 5),
            ([10, 4, 256, 8, 10, 0, 257], 1),
            ([8, 8, 512, 8, 8, 0, 0], 8),
            ([10, 4, 256, 10, 3, 90, 1], 3),
        ] {
            assert_eq!(on("occupancy", "gfx900", &arguments), Some(expected), "{arguments:?}");
        }
        assert_eq!(on("occupancy", "gfx900", &[1, 0, 2, 3, 4, 5, 6]), None);
        // Without registers of a kind it is what it begins with, which may be more than fits.
        let most = [0, 1].map(|vgprs| on("occupancy", "gfx900", &[8, 8, 512, 8, 10, 0, vgprs]));
        assert_eq!(most, [Some(10), Some(8)]);
    }
}
