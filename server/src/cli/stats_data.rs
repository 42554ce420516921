//! Costs of code, for scripts: JSON and comma-separated values.

use std::io;

use engine::ide::{CompiledFigures, Relief};
use gcn::Target;
use gcn::analysis::timing::{Model, Profile, TimingOptions, UnitGroup};
use gcn::analysis::{InstructionCost, Report};
use gcn::occupancy::WholeGroups;
use gcn::targets::Feature;
use serde::Serialize;
use serde_json::{Map, Value};

use super::CompilerName;
use super::output::Output;
use super::stats::{Detail, whole};
use super::subjects::Subject;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonReport<'a> {
    file: &'a str,
    shader: usize,
    name: &'a str,
    target: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    compiler: Option<&'static str>,
    model: &'static str,
    profile: Option<&'static str>,
    stats: CompiledFigures,
    /// The registers that the words name, where the compiler's driver may allocate more.
    #[serde(skip_serializing_if = "Option::is_none")]
    named: Option<Registers>,
    /// The registers that the hardware loads before the code begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<Registers>,
    best: u64,
    worst: u64,
    bound: &'static str,
    busy: Map<String, Value>,
    spare: Registers,
    relief: Option<Relief>,
    /// The whole workgroups that fit, where they have fewer waves.
    #[serde(skip_serializing_if = "Option::is_none")]
    whole_groups: Option<WholeGroups>,
    loops: Vec<JsonLoop>,
    /// The figures that a dump or a driver states beside the code.
    #[serde(skip_serializing_if = "Map::is_empty")]
    stated: Map<String, Value>,
    code: Vec<JsonInstruction<'a>>,
}

/// Numbers of registers.
#[derive(Serialize)]
struct Registers {
    vgprs: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    agprs: Option<u32>,
    sgprs: u32,
}

#[derive(Serialize)]
struct JsonLoop {
    line: Option<u32>,
    offset: u32,
    issue: u64,
    stall: u64,
    carried: u64,
    busiest: &'static str,
    waves: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonInstruction<'a> {
    offset: u32,
    line: Option<u32>,
    text: &'a str,
    issue: u32,
    stall: u32,
    cause: Option<u32>,
    vgpr_live: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    agpr_live: Option<u16>,
    sgpr_live: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    wait: Option<JsonWait>,
    #[serde(skip_serializing_if = "Option::is_none")]
    live_in: Option<Vec<String>>,
}

/// The thing that a stall waits for.
#[derive(Serialize)]
struct JsonWait {
    offset: u32,
    #[serde(rename = "for")]
    kind: &'static str,
    latency: u32,
    hidden: u32,
    waves: u32,
}

/// Tells whether a chip has a unit.
fn has(target: Target, group: UnitGroup) -> bool {
    match group {
        UnitGroup::None => false,
        UnitGroup::Matrix => target.has(Feature::Mai),
        _ => true,
    }
}

/// Prints one object.
pub(super) fn print_json(
    subject: &Subject<'_>,
    report: &Report,
    timing: TimingOptions,
    detail: Detail,
    output: &mut Output,
) -> io::Result<()> {
    let totals = &report.timing.totals;
    let occupancy = &report.occupancy;
    let busy =
        UnitGroup::ALL.iter().zip(totals.busy).filter(|(group, _)| has(report.target, **group));
    output.json(&JsonReport {
        file: &subject.file.name,
        shader: subject.number,
        name: &subject.name,
        target: report.target.name(),
        compiler: subject.compiler.map(CompilerName::word),
        model: match timing.model {
            Model::Measured => "measured",
            Model::Aco => "aco",
        },
        profile: (timing.model == Model::Aco).then_some(match timing.profile {
            Profile::Mesa22 => "mesa22",
            Profile::Mesa25 => "mesa25",
        }),
        stats: subject.figures(report),
        named: subject.named.map(registers),
        inputs: subject.inputs.map(registers),
        best: whole(report.timing.paths.best),
        worst: whole(report.timing.paths.worst),
        bound: totals.bound.name(),
        busy: busy.map(|(group, clocks)| (group.name().to_owned(), whole(clocks).into())).collect(),
        spare: Registers {
            vgprs: occupancy.spare_vgprs,
            agprs: (report.usage.agprs > 0).then_some(occupancy.spare_agprs),
            sgprs: occupancy.spare_sgprs,
        },
        relief: occupancy.relief,
        whole_groups: occupancy.whole_groups(&report.usage),
        loops: loops(subject, report),
        stated: subject.stated.iter().map(|it| (it.name.to_string(), it.value.into())).collect(),
        code: instructions(subject, report, detail).collect(),
    })
}

fn registers([vgprs, sgprs]: [u32; 2]) -> Registers {
    Registers { vgprs, agprs: None, sgprs }
}

fn loops(subject: &Subject<'_>, report: &Report) -> Vec<JsonLoop> {
    let loops = report.cfg.loops.iter().zip(&report.timing.loops);
    let of = |(own, time): (&gcn::analysis::Loop, &gcn::analysis::timing::LoopTime)| {
        let first = report.cfg.blocks.get(own.header as usize)?.first as usize;
        Some(JsonLoop {
            line: subject.lines.get(first).copied().flatten(),
            offset: subject.offset(first),
            issue: whole(time.issue),
            stall: whole(time.stall),
            carried: whole(time.carried),
            busiest: time.busiest.name(),
            waves: time.waves,
        })
    };
    loops.filter_map(of).collect()
}

fn instructions<'a>(
    subject: &'a Subject<'_>,
    report: &'a Report,
    detail: Detail,
) -> impl Iterator<Item = JsonInstruction<'a>> {
    subject.instructions(report).map(move |(index, cost)| {
        let InstructionCost { time, live, .. } = cost;
        let line = |index: usize| subject.lines.get(index).copied().flatten();
        JsonInstruction {
            offset: subject.offset(index),
            line: line(index),
            text: subject.texts.get(index).map_or("", String::as_str),
            issue: time.issue,
            stall: time.stall,
            cause: time.cause.and_then(|cause| line(cause.producer as usize)),
            vgpr_live: live.vgprs,
            agpr_live: (report.usage.agprs > 0).then_some(live.agprs),
            sgpr_live: live.sgprs,
            wait: time.cause.map(|cause| JsonWait {
                offset: subject.offset(cause.producer as usize),
                kind: cause.kind.name(),
                latency: cause.latency,
                hidden: cause.hidden,
                waves: cause.waves,
            }),
            live_in: (detail == Detail::Live).then(|| live_in(report, index)),
        }
    })
}

/// The names of the registers that are live before an instruction.
pub(super) fn live_in(report: &Report, index: usize) -> Vec<String> {
    report.liveness.before(index).registers().map(|it| it.name(report.target)).collect()
}

/// Prints the names of the columns.
pub(super) fn print_csv_head(detail: Detail, output: &mut Output) -> io::Result<()> {
    let live = if detail == Detail::Live { ",liveIn" } else { "" };
    output.line(&format!(
        "file,shader,name,target,offset,line,text,issue,stall,cause,vgprLive,sgprLive{live},stated"
    ))
}

/// Prints a line for each instruction.
pub(super) fn print_csv(
    subject: &Subject<'_>,
    report: &Report,
    detail: Detail,
    output: &mut Output,
) -> io::Result<()> {
    let number = |number: Option<u32>| number.map_or(String::new(), |it| it.to_string());
    let (file, name) = (quoted(&subject.file.name), quoted(&subject.name));
    let (shader, target) = (subject.number, report.target);
    let stated = subject.stated.iter().map(|it| format!("{} {}", it.name, it.value));
    let stated = quoted(&stated.collect::<Vec<_>>().join("; "));
    for row in instructions(subject, report, detail) {
        let (text, line, cause) = (quoted(row.text), number(row.line), number(row.cause));
        let JsonInstruction { offset, issue, stall, vgpr_live, sgpr_live, .. } = row;
        let live = row.live_in.map_or(String::new(), |it| format!(",{}", it.join(" ")));
        output.line(&format!(
            "{file},{shader},{name},{target},{offset},{line},{text},{issue},{stall},{cause},\
             {vgpr_live},{sgpr_live}{live},{stated}"
        ))?;
    }
    Ok(())
}

/// A value that may hold commas and quotes.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
