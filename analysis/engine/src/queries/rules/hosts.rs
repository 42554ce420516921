//! Refusals of hosts: the answers of virglrenderer about the shaders of a file.

use std::sync::Arc;

use salsa::Database;
use source::{Diagnostic, SegmentMap, TextRange};
use tgsi::glsl::Refusal;

use crate::inputs::{File, HostAnswer, HostOutcome};
use crate::queries::codes::HOST_REFUSES;
use crate::queries::shaders;

/// A shader, its place in the file, and its lines.
pub(crate) struct Asked {
    pub(crate) parse: Arc<tgsi::parser::Parse>,
    text: Arc<str>,
    pub(crate) map: SegmentMap,
    lines: Arc<source::LineIndex>,
    /// Its stage, as its header spells it.
    pub(crate) title: &'static str,
}

impl Asked {
    /// The place of a statement in the file.
    fn range(&self, statement: usize) -> Option<TextRange> {
        Some(self.map.to_file(self.parse.shader.as_ref()?.statements.get(statement)?.range))
    }

    /// The line of a statement in the file, from 0.
    pub(crate) fn line(&self, statement: Option<usize>) -> Option<u32> {
        Some(self.lines.line(self.range(statement?)?.start()))
    }

    /// The answer about its present text.
    pub(crate) fn answer(&self, answers: &[HostAnswer], host: &str) -> Option<HostAnswer> {
        answers.iter().find(|it| &*it.host == host && it.text == self.text).cloned()
    }
}

/// Looks at a shader; `None` where the file has no such one with a stage.
pub(crate) fn asked(db: &dyn Database, file: File, shader: usize) -> Option<Asked> {
    let map = shaders::map(db, file, shader)?;
    let shader = *shaders::shaders(db, file).get(shader)?;
    let parse = shaders::parse(db, shader);
    let title = parse.shader.as_ref()?.stage.value.word();
    let lines = shaders::line_index(db, file);
    Some(Asked { parse, text: shader.text(db), map, lines, title })
}

/// A complaint and what would help, in a sentence.
pub(crate) fn sentence(refusal: &Refusal, host: &str) -> String {
    let message = refusal.message.clone();
    match refusal.need {
        Some(need) => format!("{message} ({})", need.sentence(host.starts_with("gles"))),
        None => message,
    }
}

/// Diagnostics for the refusals of the chosen host of a file, at the statements that made it.
pub(crate) fn refusal_diagnostics(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let Some(host) = &file.settings(db).rules(db).host else { return Vec::new() };
    let answers = file.answers(db);
    let mut found = Vec::new();
    if answers.is_empty() {
        return found;
    }
    for shader in 0..shaders::shaders(db, file).len() {
        let Some(asked) = asked(db, file, shader) else { continue };
        let Some(answer) = asked.answer(&answers, host) else { continue };
        let HostOutcome::Answered { refusals, .. } = answer.outcome else { continue };
        let head = asked.parse.shader.as_ref().map(|it| asked.map.to_file(it.stage.range));
        found.extend(refusals.iter().map(|refusal| {
            let range = refusal.statement.and_then(|it| asked.range(it)).or(head);
            let range = range.unwrap_or_default();
            let message = format!("{host} refuses this: {}", sentence(refusal, host));
            Diagnostic::warning(HOST_REFUSES, range, message)
        }));
    }
    found
}

/// Shaders that are looked at for a report: those around it.
const MOST_NEAR: usize = 8;

/// Diagnostics for the refusals in the log that the file is.
pub(crate) fn log_diagnostics(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let text = file.text(db);
    let reports = tgsi::glsl::reports(&text);
    if reports.is_empty() {
        return Vec::new();
    }
    let count = shaders::shaders(db, file).len();
    let regions = shaders::regions(db, file);
    let starts: Vec<_> = regions.shaders.iter().map(|it| it.range().start()).collect();
    reports
        .iter()
        .filter_map(|report| {
            let place = starts.partition_point(|it| *it < report.range.start());
            // The shader stands before the message or behind it, as versions have it.
            let near = place.saturating_sub(MOST_NEAR / 2)..(place + MOST_NEAR / 2).min(count);
            let found = near.filter_map(|it| {
                let asked = asked(db, file, it)?;
                Some((it.abs_diff(place), reported(&asked, report)?))
            });
            let (_, found) =
                found.max_by_key(|(distance, it)| (it.joined, usize::MAX - distance))?;
            Some(found.diagnostic)
        })
        .collect()
}

/// A report about a shader.
struct Reported {
    /// The lines of GLSL that are the shader's.
    joined: usize,
    diagnostic: Diagnostic,
}

/// Finds the statement that a report is about; `None` where it is about another shader.
fn reported(asked: &Asked, report: &tgsi::glsl::Report) -> Option<Reported> {
    let ast = asked.parse.shader.as_ref()?;
    let is_es =
        report.glsl.starts_with("#version 3") && report.glsl.lines().next()?.ends_with("es");
    let host = if is_es { "gles" } else { "gl" };
    let joined = tgsi::glsl::join(ast, &report.glsl);
    let joined = joined.iter().flatten().count();
    // Where the log has the GLSL, most of it must be of this shader.
    let instructions = ast.instructions().count();
    let is_of_another = report.stage.is_some_and(|it| it != ast.stage.value)
        || report.stage.is_some() && joined * 2 < instructions;
    if is_of_another {
        return None;
    }
    let refusals = tgsi::glsl::refusals(ast, &report.glsl, &report.complaint);
    let first = refusals.into_iter().next()?;
    let needing = first.need.and_then(|need| need.first_statement(ast));
    let (statement, is_sure) = match (first.statement, needing) {
        (Some(statement), _) => (Some(statement), true),
        (None, guess) => (guess, false),
    };
    let range = statement.and_then(|it| asked.range(it));
    let range = range.unwrap_or_else(|| asked.map.to_file(ast.stage.range));
    let words = sentence(&first, host);
    let mut diagnostic = if is_sure {
        Diagnostic::warning(HOST_REFUSES, range, format!("the host refused this: {words}"))
    } else {
        let message = format!("the host refused this shader, perhaps for this: {words}");
        Diagnostic::hint(HOST_REFUSES, range, message)
    };
    let line = first.line.and_then(|it| (it as usize).checked_sub(1));
    let line = line.and_then(|it| report.lines.get(it)).copied();
    let (at, message) = match line {
        Some(line) => (line, "the line of GLSL that it became"),
        None => (report.range, "the message"),
    };
    diagnostic.related.push(source::Related { range: at, message: message.to_owned() });
    Some(Reported { joined, diagnostic })
}

#[cfg(test)]
mod tests {
    use crate::{Host, Language, Settings};

    const SHADER: &str = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1.0, 2.0, 0.0, 0.0}\n  0: F2D TEMP[0].xy, IMM[0].xxxx\n  1: D2F TEMP[1].x, TEMP[0].xyxy\n  2: MOV OUT[0], TEMP[1].xxxx\n  3: END\n";
    const GLSL: &str = "fs: 2 GLSL:\n   1: #version 310 es\n   2:    out  vec4 fsout_c0;\n   3:  vec4 temp0;\n   4:  vec4 temp1;\n   5: dvec2 fp64_dst[3];\n   6: void main(void)\n   7: {\n   8: fp64_dst[0].x = double(1.0);\n   9: temp0.xy = uintBitsToFloat(unpackDouble2x32(fp64_dst[0].x));\n  10: fp64_src[0].x = packDouble2x32(uvec2(temp0.xy));\n  11: temp1.x = float(fp64_src[0]);\n  12: fsout_c0 = vec4(temp1.xxxx);\n  13: }\n";
    const MESSAGE: &str = "vrend_compile_shader: context error reported 1 \"app\" Illegal shader 0\nshader failed to compile\n0:10(1): error: illegal use of `packDouble2x32'\n\n";

    fn found(text: &str) -> Vec<(String, String)> {
        let mut host = Host::new(Settings::default());
        let file = host.set_file("host.log", text.into(), Language::Tgsi);
        let diagnostics = host.snapshot().diagnostics(file).unwrap();
        let own = diagnostics.into_iter().filter(|it| it.code.0 == "host::refuses");
        own.map(|it| (text[it.range].to_owned(), it.message)).collect()
    }

    #[test]
    fn the_instruction_of_the_refused_line_is_marked_wherever_the_shader_stands() {
        let other = "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n";
        for log in [
            format!("{other}\nfs: 2 TGSI:\n{SHADER}\n{MESSAGE}{GLSL}\n{other}"),
            format!("{MESSAGE}{GLSL}\n{SHADER}\n{other}"),
            format!("{SHADER}\n{MESSAGE}{GLSL}"),
        ] {
            let found = found(&log);
            assert_eq!(found.len(), 1, "{log}");
            assert!(found[0].0.contains("D2F TEMP[1].x"), "{found:?}");
            assert!(found[0].1.contains("no version of OpenGL ES has it"), "{found:?}");
        }
    }

    #[test]
    fn without_glsl_the_first_statement_that_wants_it_is_a_guess() {
        let log = format!("{MESSAGE}\n{SHADER}").replace("packDouble2x32", "dvec2");
        let found = found(&log);
        assert_eq!(found.len(), 1);
        assert!(found[0].0.contains("F2D") && found[0].1.contains("perhaps"), "{found:?}");
    }

    #[test]
    fn a_report_of_another_shader_marks_nothing() {
        let other = "VERT\nDCL OUT[0], POSITION\nMOV OUT[0], OUT[0]\nEND\n";
        assert_eq!(found(&format!("{other}\n{MESSAGE}{GLSL}")), []);
        assert_eq!(found(SHADER), []);
    }
}
