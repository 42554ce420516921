//! Costs of code, for reading: figures, a chart of pressure, waits, loops.
//!
//! Everything can be read without colours.

use std::io;

use gcn::analysis::timing::{InstructionTime, UnitGroup};
use gcn::analysis::{Pressure, Report};
use gcn::occupancy::{Limiter, ReliefKind};

use super::CompilerName;
use super::output::{Output, Style};
use super::stats::{Detail, whole};
use super::subjects::Subject;
use super::{interleave, stats_data};

/// Columns of a chart.
const CHART_WIDTH: usize = 64;
/// So many waits are listed.
const WAITS: usize = 8;

/// Prints a shader or kernel on a chip.
pub(super) fn print(
    subject: &Subject<'_>,
    report: &Report,
    detail: Detail,
    output: &mut Output,
) -> io::Result<()> {
    print_head(subject, report, output)?;
    print_chart(report, output)?;
    print_waits(subject, report, output)?;
    print_loops(subject, report, output)?;
    if detail != Detail::Sums {
        print_lines(subject, report, detail, output)?;
    }
    output.line("")
}

fn print_head(subject: &Subject<'_>, report: &Report, output: &mut Output) -> io::Result<()> {
    let row = report.target.row();
    output.styled(Style::Strong, &format!("{} → {}", subject.name, row.name))?;
    let (file, number) = (&subject.file.name, subject.number);
    let by = match subject.compiler {
        Some(CompilerName::Aco) => " by ACO",
        Some(CompilerName::Llvm) | None => "",
    };
    output.styled(Style::Faint, &format!("  {}{by}; number {number} of {file}", row.processor))?;
    output.line("")?;
    let occupancy = &report.occupancy;
    output.text("  ")?;
    let plural = if occupancy.waves == 1 { "" } else { "s" };
    output.styled(Style::Good, &format!("{} wave{plural}", occupancy.waves))?;
    let limiter = match occupancy.limiter {
        Limiter::Waves => "maximum".to_owned(),
        limiter => format!("limited by {}", limiter.name()),
    };
    output.text(&format!(" ({limiter}"))?;
    if let Some(relief) = &occupancy.relief {
        let needs = relief.words(|kind, count| {
            let what = match kind {
                ReliefKind::Vgprs => "VGPR",
                ReliefKind::Agprs => "AGPR",
                ReliefKind::Sgprs => "SGPR",
                ReliefKind::Lds => "bytes of LDS",
            };
            format!("{count} {what}")
        });
        output.text(&format!("; {needs} less for {}", relief.waves))?;
    }
    let (vgprs, sgprs) = (occupancy.spare_vgprs, occupancy.spare_sgprs);
    let usage = &report.usage;
    let agprs = |lead, count| match usage.agprs {
        0 => String::new(),
        _ => format!("{lead}{count} AGPR"),
    };
    let spare = agprs(", ", occupancy.spare_agprs);
    output.line(&format!("; {vgprs} VGPR{spare} and {sgprs} SGPR free)"))?;
    let together = match usage.total_vgprs(report.target) {
        Some(total) => format!(" ({total} together)"),
        None => String::new(),
    };
    output.line(&format!(
        "  {} VGPR{}{together}  {} SGPR  {} bytes of LDS  {} instructions  {} bytes",
        usage.vgprs,
        agprs("  ", usage.agprs),
        usage.sgprs,
        usage.lds,
        subject.code.instructions.len(),
        subject.bytes(),
    ))?;
    if !subject.stated.is_empty() {
        let figures = subject.stated.iter().map(|it| format!("{} {}", it.name, it.value));
        let who = if subject.compiler.is_some() { "Mesa states" } else { "the dump states" };
        output.line(&format!("  {who}: {}", figures.collect::<Vec<_>>().join(", ")))?;
    }
    let waves = usage.waves_per_group;
    match subject.declared.waves_per_group {
        // Of graphics stages, and of code that shares nothing, it makes no difference.
        Some(1) => {}
        Some(waves) => output.line(&format!("  a workgroup has {waves} waves"))?,
        None if waves > 1 => output.line(&format!(
            "  a workgroup is taken to have {waves} waves, for there is a barrier (--workgroup says how many threads)"
        ))?,
        None if usage.lds > 0 => output.line(
            "  a workgroup is taken to have one wave, for there is no barrier (--workgroup says how many threads)",
        )?,
        None => {}
    }
    if let Some(whole) = occupancy.whole_groups(usage) {
        output.line(&format!("  {whole}"))?;
    }
    let totals = &report.timing.totals;
    let paths = &report.timing.paths;
    output.line(&format!(
        "  {} clocks a wave ({} issue, {} wait; ways from {} to {}), {} clocks of a SIMD per wave, bound by {}",
        whole(totals.latency),
        whole(totals.issue),
        whole(totals.stall),
        whole(paths.best),
        whole(paths.worst),
        whole(totals.inverse_throughput),
        totals.bound.name(),
    ))?;
    output.line(&format!("  busy: {}", busy(&totals.busy)))?;
    for (class, first) in &report.timing.unknown {
        let offset = subject.offset(*first as usize);
        output.line(&format!("  the model does not know {class} (at {offset:#x})"))?;
    }
    Ok(())
}

fn busy(clocks: &[f64]) -> String {
    let groups = UnitGroup::ALL.iter().zip(clocks);
    let groups = groups.filter(|(group, clocks)| **group != UnitGroup::None && **clocks > 0.0);
    let groups: Vec<String> =
        groups.map(|(group, clocks)| format!("{} {}", group.name(), whole(*clocks))).collect();
    groups.join("  ")
}

/// The levels of a chart from low to high.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

fn print_chart(report: &Report, output: &mut Output) -> io::Result<()> {
    let count = report.timing.instructions.len();
    let live: Vec<Pressure> = (0..count).map(|index| report.liveness.pressure(index)).collect();
    type Count = fn(&Pressure) -> u16;
    let together = report.usage.total_vgprs(report.target);
    let rows: [(&str, Count, u32); 4] = [
        ("VGPR", |live| live.vgprs, report.usage.vgprs),
        ("AGPR", |live| live.agprs, report.usage.agprs),
        ("both", |live| live.vgprs + live.agprs, together.unwrap_or(0)),
        ("SGPR", |live| live.sgprs, report.usage.sgprs),
    ];
    // Most chips have no accumulation registers, or not in the same file.
    let is_shown = |row: &(&str, Count, u32)| !matches!(row.0, "AGPR" | "both") || row.2 > 0;
    for (name, figure, used) in rows.into_iter().filter(is_shown) {
        let all: Vec<u32> = live.iter().map(|live| u32::from(figure(live))).collect();
        let Some((peak, most)) = all.iter().enumerate().rev().max_by_key(|(_, count)| **count)
        else {
            continue;
        };
        let chart = chart(&all, used.max(*most));
        output.text(&format!("  {name} "))?;
        output.styled(Style::Source, &chart)?;
        output.line(&format!("  peak {most} of {used} at instruction {}", peak + 1))?;
    }
    Ok(())
}

/// The largest of each stretch, as a level below `most`.
fn chart(figures: &[u32], most: u32) -> String {
    let columns = figures.len().min(CHART_WIDTH);
    let level = |column: usize| {
        let (from, to) = (column * figures.len() / columns, (column + 1) * figures.len() / columns);
        let highest = figures.get(from..to).unwrap_or_default().iter().max().copied().unwrap_or(0);
        let step = u64::from(highest) * (LEVELS.len() as u64 - 1) / u64::from(most.max(1));
        LEVELS.get(step as usize).copied().unwrap_or('█')
    };
    (0..columns).map(level).collect()
}

/// Prints the longest waits, in the order of the code.
fn print_waits(subject: &Subject<'_>, report: &Report, output: &mut Output) -> io::Result<()> {
    let weighted = |time: &InstructionTime| f64::from(time.stall) * time.weight;
    let mut waits: Vec<(usize, &InstructionTime)> =
        report.timing.instructions.iter().enumerate().filter(|(_, time)| time.stall > 0).collect();
    let all = waits.len();
    waits.sort_by(|one, other| weighted(other.1).total_cmp(&weighted(one.1)));
    waits.truncate(WAITS);
    waits.sort_by_key(|(index, _)| *index);
    for (index, time) in &waits {
        let Some(cause) = time.cause else { continue };
        let producer = cause.producer as usize;
        let text = subject.texts.get(producer).map_or("", String::as_str);
        let mnemonic = text.split(' ').next().unwrap_or_default();
        output.styled(Style::Place, &format!("  {}", subject.place(*index)))?;
        if let Some(unit) = cause.kind.unit() {
            output.line(&format!(
                " waits {} clocks for {unit}, which {mnemonic} at {} keeps busy for {}; more waves do not help",
                time.stall,
                subject.place(producer),
                cause.latency,
            ))?;
            continue;
        }
        output.line(&format!(
            " waits {} clocks for {mnemonic} at {}, which takes {}; {} are hidden, {} waves hide the rest ({} fit)",
            time.stall,
            subject.place(producer),
            cause.latency,
            cause.hidden,
            cause.waves,
            report.occupancy.waves,
        ))?;
    }
    if all > waits.len() {
        output.line(&format!("  and {} shorter waits", all - waits.len()))?;
    }
    Ok(())
}

fn print_loops(subject: &Subject<'_>, report: &Report, output: &mut Output) -> io::Result<()> {
    for (own, time) in report.cfg.loops.iter().zip(&report.timing.loops) {
        let block = report.cfg.blocks.get(own.header as usize);
        let first = block.map_or(0, |block| block.first as usize);
        output.styled(Style::Place, &format!("  loop at {}", subject.place(first)))?;
        output.line(&format!(
            " {} clocks an iteration ({} issue, {} wait, {} of it for the one before), {}; {} waves hide the waiting",
            whole(time.issue + time.stall),
            whole(time.issue),
            whole(time.stall),
            whole(time.carried),
            busy(&time.busy),
            time.waves,
        ))?;
    }
    Ok(())
}

fn print_lines(
    subject: &Subject<'_>,
    report: &Report,
    detail: Detail,
    output: &mut Output,
) -> io::Result<()> {
    output.styled_line(Style::Faint, "    line   offset  issue+stall  V   S")?;
    for (index, cost) in subject.instructions(report) {
        let line = subject.lines.get(index).copied().flatten();
        let line = line.map_or("-".to_owned(), |line| line.to_string());
        let (offset, time, live) = (subject.offset(index), cost.time, cost.live);
        let clocks = format!("{}+{}", time.issue, time.stall);
        output.text(&format!(
            "  {line:>6} {offset:#8x} {clocks:>12} {:>3} {:>3}  ",
            live.vgprs, live.sgprs
        ))?;
        let text = subject.texts.get(index).map_or("", String::as_str);
        output.styled(interleave::style(text), text)?;
        if detail == Detail::Live {
            let names = stats_data::live_in(report, index).join(" ");
            output.styled(Style::Faint, &format!("  ; {names}"))?;
        }
        output.line("")?;
    }
    Ok(())
}

/// Prints the chips of each shader side by side, where there are several.
pub(super) fn print_comparisons(
    subjects: &[Subject<'_>],
    reports: &[Report],
    output: &mut Output,
) -> io::Result<()> {
    let pairs: Vec<(&Subject<'_>, &Report)> = subjects.iter().zip(reports).collect();
    for chips in pairs.chunk_by(|one, other| one.0.number == other.0.number) {
        let [(subject, _), _, ..] = chips else { continue };
        output.styled_line(Style::Strong, &subject.name)?;
        let head = "  chip        waves limit   VGPR SGPR  instructions   bytes   clocks  per wave  bound   fma  f64";
        output.styled_line(Style::Faint, head)?;
        for (subject, report) in chips {
            let (totals, row) = (&report.timing.totals, report.target.row());
            let name = match subject.compiler {
                Some(CompilerName::Aco) => format!("{} aco", row.name),
                Some(CompilerName::Llvm) | None => row.name.to_owned(),
            };
            output.line(&format!(
                "  {name:<11} {:>5} {:<6} {:>5} {:>4} {:>13} {:>7} {:>8} {:>9}  {:<6} {:>4} {:>4}",
                report.occupancy.waves,
                report.occupancy.limiter.name(),
                report.usage.vgprs,
                report.usage.sgprs,
                subject.code.instructions.len(),
                subject.bytes(),
                whole(totals.latency),
                whole(totals.inverse_throughput),
                totals.bound.name(),
                if row.fast_fma { "1" } else { "1/4" },
                row.fp64_rate,
            ))?;
        }
    }
    Ok(())
}
