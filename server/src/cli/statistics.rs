//! The figures of a shader or kernel as scripts read them: one shape, whichever
//! command prints it.

use gcn::compiled::Statistics;
use gcn::cost::Report;
use serde::Serialize;

/// Sizes, registers, waves and clocks.
#[derive(Debug, Serialize)]
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
    limiter: &'static str,
    clocks: u64,
    inverse_throughput: u64,
}

impl Json {
    /// The figures of a compiled shader.
    pub(super) fn of_compiled(statistics: &Statistics, report: &Report) -> Json {
        Json {
            scratch: statistics.scratch,
            spilled_vgprs: statistics.spilled_vgprs,
            spilled_sgprs: statistics.spilled_sgprs,
            ..Json::of_code(statistics.instructions, statistics.bytes, report)
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
            limiter: occupancy.limiter.name(),
            clocks: whole(report.timing.totals.latency),
            inverse_throughput: whole(report.timing.totals.inverse_throughput),
        }
    }
}

/// Clocks as a whole number; sums of absurd size end at the largest.
pub(super) fn whole(clocks: f64) -> u64 {
    clocks.round() as u64
}
