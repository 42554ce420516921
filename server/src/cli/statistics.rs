//! The figures of a shader or kernel as scripts read them: one shape, whichever
//! command prints it.

use engine::ide::CompiledFigures;
use gcn::analysis::Report;
use gcn::compiled::Statistics;
use serde::{Deserialize, Serialize};

/// Sizes, registers, waves and clocks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Json {
    instructions: u32,
    bytes: u32,
    vgprs: u32,
    sgprs: u32,
    lds: u32,
    scratch: u32,
    spilled_vgprs: u32,
    spilled_sgprs: u32,
    waves: u32,
    limiter: String,
    clocks: u64,
    inverse_throughput: u64,
}

impl Json {
    /// The figures of a compiled shader.
    pub(super) fn of_compiled(statistics: &Statistics, report: &Report) -> Json {
        let figures = CompiledFigures::of(statistics, report);
        Json {
            scratch: figures.scratch,
            spilled_vgprs: figures.spilled_vgprs,
            spilled_sgprs: figures.spilled_sgprs,
            ..Json::of_code(figures.instructions, figures.bytes, report)
        }
    }

    /// The figures of code that nobody described.
    pub(super) fn of_code(instructions: u32, bytes: u32, report: &Report) -> Json {
        let (usage, occupancy) = (&report.usage, &report.occupancy);
        Json {
            instructions,
            bytes,
            vgprs: usage.vgprs,
            sgprs: usage.sgprs,
            lds: usage.lds,
            scratch: 0,
            spilled_vgprs: 0,
            spilled_sgprs: 0,
            waves: occupancy.waves,
            limiter: occupancy.limiter.name().to_owned(),
            clocks: whole(report.timing.totals.latency),
            inverse_throughput: whole(report.timing.totals.inverse_throughput),
        }
    }
}

impl From<Json> for CompiledFigures {
    fn from(json: Json) -> CompiledFigures {
        CompiledFigures {
            instructions: json.instructions,
            bytes: json.bytes,
            vgprs: json.vgprs,
            sgprs: json.sgprs,
            lds: json.lds,
            scratch: json.scratch,
            spilled_vgprs: json.spilled_vgprs,
            spilled_sgprs: json.spilled_sgprs,
            waves: json.waves,
            limiter: json.limiter,
            clocks: json.clocks,
            inverse_throughput: json.inverse_throughput,
        }
    }
}

/// Clocks as a whole number; sums of absurd size end at the largest.
pub(super) fn whole(clocks: f64) -> u64 {
    clocks.round() as u64
}
