//! The parts of a dump: a program as each step of a compiler has it, its machine code, and
//! the figures that the compiler states.
//!
//! Drivers print the shader before and after a step, under headings. Of all that only the
//! disassembly is machine code; the intermediate programs look much like it, and are none.

use source::{TextRange, text_range};

isa::words! {
    /// The kind of a part.
    PartKind {
        /// Mesa's program between languages.
        Nir "NIR",
        /// LLVM's.
        LlvmIr "LLVM IR",
        /// The program of Mesa's back end, with or without registers.
        AcoIr "ACO IR",
        /// Machine code as text.
        Disassembly "Disassembly",
        /// Figures of the code.
        Statistics "Statistics",
        /// Anything else under a heading of its own, such as the state a shader is made for.
        Key "Shader key",
    }
}

/// A part of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its kind.
    pub kind: PartKind,
    /// The stage or the step that the dump names, as in `Compute Shader`; empty where none is.
    pub title: Box<str>,
    /// Its lines, with the heading and without the blanks behind.
    pub range: TextRange,
    /// Of machine code the figures that the dump states, in their order.
    pub statistics: Box<[Statistic]>,
    /// Of machine code the threads of a workgroup that the intermediate program states.
    pub work_items: Option<u32>,
}

/// A figure that a dump states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistic {
    /// Its name, as in `Code size`.
    pub name: Box<str>,
    /// The figure.
    pub value: u64,
}

impl Part {
    /// Returns the figure of a name.
    pub fn statistic(&self, name: &str) -> Option<u32> {
        let found = self.statistics.iter().find(|it| &*it.name == name)?;
        u32::try_from(found.value).ok()
    }

    /// Returns the figures that say how well the code fits a chip, in a line:
    /// `SGPRs 16, VGPRs 12, Subgroups per SIMD 10`; empty where the dump states none.
    pub fn summary(&self) -> String {
        const COUNTS: [&str; 7] = [
            "sgprs",
            "vgprs",
            "code size",
            "subgroups per simd",
            "max waves",
            "sgpr_count",
            "vgpr_count",
        ];
        let counts = |it: &&Statistic| COUNTS.iter().any(|name| it.name.eq_ignore_ascii_case(name));
        let figure = |it: &Statistic| format!("{} {}", it.name, it.value);
        self.statistics.iter().filter(counts).map(figure).collect::<Vec<_>>().join(", ")
    }
}

/// Finds the parts of a dump, in their order. What stands before the first heading is in
/// none; a text without headings has none. Takes time linear in the text.
pub fn parts(text: &str) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    // Beginning and end, without line ends, of the last line that is not blank.
    let mut before = (0, 0);
    let mut figures = Vec::new();
    // Figures that stand before their code, as old versions of radeonsi print them.
    let mut early = Vec::new();
    let mut is_open = false;
    let mut heading_end = 0;
    let mut threads = None;
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_ascii_end();
        let (begin, end) = (start, start + line.len());
        start += whole.len();
        if line.trim_ascii().is_empty() {
            continue;
        }
        let previous = text.get(before.0..before.1).unwrap_or("").trim_ascii();
        let heading = heading(line).filter(|heading| {
            // Some parts have headings of two lines.
            let same = is_open && found.last().is_some_and(|it| it.kind == heading.kind);
            !(same && heading_end == before.1)
        });
        if let Some(heading) = heading {
            early = state(&mut found, &mut figures).unwrap_or(early);
            let stage = stage(previous);
            // The stage's own line stands before the heading, and is of that part.
            let first = if stage.is_some() { before.0 } else { begin };
            close(text, &mut found, first, is_open);
            let title = heading.title.or(stage).unwrap_or("").into();
            let range = text_range(first, end);
            let is_code = heading.kind == PartKind::Disassembly;
            let work_items = if is_code { threads.take() } else { None };
            let statistics = if is_code { std::mem::take(&mut early) } else { Vec::new() };
            let statistics = statistics.into_boxed_slice();
            found.push(Part { kind: heading.kind, title, range, statistics, work_items });
            is_open = true;
            heading_end = end;
        } else if is_open && let Some(part) = found.last_mut() {
            match part.kind {
                PartKind::Statistics => {
                    figures.extend(statistic(line));
                    is_open = !line.trim_ascii().bytes().all(|byte| byte == b'*');
                }
                PartKind::Disassembly => figures.extend(bracketed_statistic(line)),
                PartKind::Nir => threads = work_items(line).or(threads),
                _ => {}
            }
            part.range = text_range(usize::from(part.range.start()), end);
            // The analyzer's programs end so.
            is_open &= line != "end";
        }
        before = (begin, end);
    }
    state(&mut found, &mut figures);
    found
}

/// Ends the last part at an offset, where it would go beyond.
fn close(text: &str, found: &mut [Part], at: usize, is_open: bool) {
    let Some(last) = found.last_mut().filter(|_| is_open) else { return };
    let start = usize::from(last.range.start());
    let end = usize::from(last.range.end()).min(at).max(start);
    last.range =
        text_range(start, start + text.get(start..end).unwrap_or("").trim_ascii_end().len());
}

/// Gives figures that were read to the code that they are of: that of the same stage, else
/// the last. Returns those of no stage for which no code before waits.
fn state(found: &mut [Part], figures: &mut Vec<Statistic>) -> Option<Vec<Statistic>> {
    if figures.is_empty() {
        return None;
    }
    let figures = std::mem::take(figures);
    let title = found.last().map(|it| it.title.clone()).unwrap_or_default();
    let mut codes = found.iter_mut().rev().filter(|it| it.kind == PartKind::Disassembly);
    let code = match codes.next() {
        Some(last) if last.title == title || title.is_empty() => Some(last),
        _ => codes.find(|it| it.title == title),
    };
    match code.filter(|it| it.statistics.is_empty()) {
        Some(code) => code.statistics = figures.into_boxed_slice(),
        None if title.is_empty() => return Some(figures),
        None => {}
    }
    None
}

/// The heading of a part.
struct Heading<'a> {
    kind: PartKind,
    title: Option<&'a str>,
}

/// Tells whether a line begins a part.
pub(super) fn is_heading(line: &str) -> bool {
    heading(line.trim_ascii_end()).is_some()
}

fn heading(line: &str) -> Option<Heading<'_>> {
    let of = |kind| Some(Heading { kind, title: None });
    let titled = |kind, title| Some(Heading { kind, title: Some(title) });
    let first = *line.as_bytes().first()?;
    // Intermediate programs indent most of their lines.
    if first == b'\t' {
        return None;
    }
    let line = line.trim_ascii();
    if line.starts_with("NIR shader ") && line.ends_with(':') {
        return of(PartKind::Nir);
    }
    if let Some(stage) = line.strip_prefix("shader: ") {
        return titled(PartKind::Nir, stage.trim_start_matches("MESA_SHADER_"));
    }
    if let Some(stage) = line.strip_prefix("ACO shader stage:") {
        return titled(PartKind::AcoIr, stage.trim_ascii());
    }
    if line.starts_with("After ") && line.len() < 60 {
        return line.strip_suffix(':').and_then(|step| titled(PartKind::AcoIr, step));
    }
    if line.starts_with("; ModuleID = ") || line.ends_with("LLVM IR:") {
        return of(PartKind::LlvmIr);
    }
    if line.starts_with("SHADER KEY") {
        return of(PartKind::Key);
    }
    if let Some(name) = line.strip_prefix("shader ")
        && first == b's'
        && !name.contains([' ', ':'])
    {
        return titled(PartKind::Disassembly, name);
    }
    if ["disasm:", "DISASM:", "Shader Disassembly:"].iter().any(|it| line.starts_with(it)) {
        return of(PartKind::Disassembly);
    }
    if let Some(title) = line.strip_suffix(" disassembly:") {
        return titled(PartKind::Disassembly, title);
    }
    if matches!(line, "*** SHADER STATS ***" | "*** SHADER CONFIG ***") {
        return of(PartKind::Statistics);
    }
    None
}

/// The stage that a line names, which stands before a heading: `Vertex Shader as VS:`.
fn stage(line: &str) -> Option<&str> {
    let name = line.trim_end_matches(':');
    let is_stage = name.ends_with(" Shader") || name.contains(" Shader as ");
    (is_stage && name.len() < 60).then_some(name)
}

/// `Code size: 196 bytes` as a figure.
fn statistic(line: &str) -> Option<Statistic> {
    let (name, value) = line.split_once(':')?;
    if name.ends_with("ash") {
        return None; // A hash is a name, no figure.
    }
    let value = value.trim_ascii().split(' ').next()?.parse().ok()?;
    Some(Statistic { name: name.trim_ascii().into(), value })
}

/// The threads in `workgroup-size: 8, 8, 1`.
fn work_items(line: &str) -> Option<u32> {
    let sizes = line.strip_prefix("workgroup-size: ")?.split(',');
    sizes
        .map(|it| it.trim_ascii().parse::<u32>().ok())
        .try_fold(1_u32, |all, it| all.checked_mul(it?))
}

/// `sgpr_count(16)` as a figure.
fn bracketed_statistic(line: &str) -> Option<Statistic> {
    let (name, value) = line.trim_ascii().strip_suffix(')')?.split_once('(')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let value = value.parse().ok().filter(|_| is_name)?;
    Some(Statistic { name: name.into(), value })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn shown(text: &str) -> String {
        let part = |part: Part| {
            let figure = |it: &Statistic| format!(" {}={}", it.name, it.value);
            let figures: String = part.statistics.iter().map(figure).collect();
            let threads = part.work_items.map_or(String::new(), |it| format!(" of {it} threads"));
            let lines = &text[part.range];
            let (first, last) = (lines.lines().next(), lines.lines().last());
            format!(
                "{} `{}` {first:?} to {last:?}{threads}{figures}\n",
                part.kind.name(),
                part.title
            )
        };
        parts(text).into_iter().map(part).collect()
    }

    #[test]
    fn a_driver_prints_each_step_its_code_and_its_figures() {
        let text = "WARNING: of the driver\n\
            shader: MESA_SHADER_COMPUTE\nworkgroup-size: 16, 8, 1\nubos: 1\n\nimpl main {\n\tblock block_0:\n}\n\n\
            After RA:\nACO shader stage: compute_cs\nBB0\n\t s1: %1:s[0] = s_mov_b32 0\n\ts_endpgm\n\n\
            Compute Shader\ndisasm:\nBB0:\n\ts_endpgm ; bf810000\n\n\n\
            Compute Shader:\n*** SHADER STATS ***\nHash: 7\nSGPRs: 16\nCode size: 4 bytes\n\
            ********************\n\n\n\
            After Spilling:\nACO shader stage: vertex_vs\n\ts_endpgm\n\
            Vertex Shader as VS\ndisasm:\nnot supported\n";
        expect![[r#"
            NIR `COMPUTE` Some("shader: MESA_SHADER_COMPUTE") to Some("}")
            ACO IR `After RA` Some("After RA:") to Some("\ts_endpgm")
            Disassembly `Compute Shader` Some("Compute Shader") to Some("\ts_endpgm ; bf810000") of 128 threads SGPRs=16 Code size=4
            Statistics `Compute Shader` Some("Compute Shader:") to Some("********************")
            ACO IR `After Spilling` Some("After Spilling:") to Some("\ts_endpgm")
            Disassembly `Vertex Shader as VS` Some("Vertex Shader as VS") to Some("not supported")
        "#]]
        .assert_eq(&shown(text));
    }

    #[test]
    fn other_printers_have_other_headings() {
        let text = "SHADER KEY\n  part.x = 0\n\
            Pixel Shader - Shader main disassembly:\nmain:\n\ts_endpgm ; BF810000\n\
            *** SHADER STATS ***\nVGPRS: 4\nMax Waves: 10\n\
            shader main\n  asic(GFX9)\n  sgpr_count(16)\n  s_endpgm // 0000: BF810000\nend\nmore\n";
        expect![[r#"
            Shader key `` Some("SHADER KEY") to Some("  part.x = 0")
            Disassembly `Pixel Shader - Shader main` Some("Pixel Shader - Shader main disassembly:") to Some("\ts_endpgm ; BF810000") VGPRS=4 Max Waves=10
            Statistics `` Some("*** SHADER STATS ***") to Some("Max Waves: 10")
            Disassembly `main` Some("shader main") to Some("end") sgpr_count=16
        "#]]
        .assert_eq(&shown(text));
        assert_eq!(shown("s_nop 0\n\ts_endpgm\n"), "");
        let early = "*** SHADER CONFIG ***\nSPI_PS_INPUT_ENA = 0x0002\n*** SHADER STATS ***\nVGPRS: 4\n\
            Max Waves: 10\n********************\n\nShader Disassembly:\n\ts_endpgm ; BF810000\n\
            *** SHADER STATS ***\nVGPRS: 5\n********************\n\
            Shader Disassembly:\n\ts_endpgm ; BF810000\n";
        expect![[r#"
            Statistics `` Some("*** SHADER CONFIG ***") to Some("SPI_PS_INPUT_ENA = 0x0002")
            Statistics `` Some("*** SHADER STATS ***") to Some("********************")
            Disassembly `` Some("Shader Disassembly:") to Some("\ts_endpgm ; BF810000") VGPRS=4 Max Waves=10
            Statistics `` Some("*** SHADER STATS ***") to Some("********************")
            Disassembly `` Some("Shader Disassembly:") to Some("\ts_endpgm ; BF810000") VGPRS=5
        "#]]
        .assert_eq(&shown(early));
    }
}
