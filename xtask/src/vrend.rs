//! virglrenderer's GLSL of our shaders on many hosts, and how well its lines are joined.
//!
//! The judge of the join is virglrenderer itself: a mark before each instruction shows in the
//! GLSL where its lines begin, and the shortest beginning of a shader that is refused shows
//! the statement that is to blame.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ::vrend::{Configuration, Host, TranslateError, Translation, Translator, Verdict};

/// Has virglrenderer translate shaders for many hosts, and judges the join of its lines.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The built program, which becomes the server in its sandbox.
    #[arg(long)]
    tungsten: PathBuf,
    /// Every which shader is taken.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// The hosts; all without it.
    #[arg(long, value_delimiter = ',')]
    host: Vec<Host>,
    /// Report faults without failing, for versions that nobody has seen.
    #[arg(long)]
    report: bool,
    /// Further files or folders of shaders.
    files: Vec<PathBuf>,
}

/// Counts of a run.
#[derive(Debug, Default)]
struct Counts {
    /// Shaders with GLSL on some host.
    shaders: BTreeSet<String>,
    accepted: usize,
    refused: usize,
    untranslated: usize,
    /// Shaders that the server died of, and those whose partner is refused.
    died: usize,
    unshown: usize,
    /// Hosts that were asked.
    hosts: usize,
    /// Lines of bodies that the marks tell apart, joined rightly, wrongly and not.
    right: usize,
    wrong: usize,
    unjoined: usize,
    /// Translations that the marks change.
    changed: usize,
    /// Refusals whose statement is that of the shortest refused beginning, another, and none.
    blamed: usize,
    misplaced: usize,
    unplaced: usize,
    /// Refusals that nothing judges.
    unjudged: usize,
    /// Opcodes that make no line.
    silent: BTreeSet<&'static str>,
    failures: BTreeMap<String, usize>,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<String, String> {
    let server =
        ::vrend::choose(None).ok_or("there is no virgl_test_server; install virgl-server")?;
    let executable = std::fs::canonicalize(&options.tungsten)
        .map_err(|error| format!("{}: {error}", options.tungsten.display()))?;
    let mut translator = Translator::new(Configuration { executable, server });
    let mut counts = Counts::default();
    let mut report = String::new();
    let hosts = if options.host.is_empty() { Host::all() } else { options.host.clone() };
    let shaders = shaders(root, &options.files)?;
    for host in &hosts {
        if let Err(error) = translator.try_host(host) {
            let _ = writeln!(report, "{host}: {error}");
            *counts.failures.entry(host.to_string()).or_default() += 1;
            continue;
        }
        counts.hosts += 1;
        for (name, text) in shaders.iter().step_by(options.every.max(1)) {
            judge(&mut translator, host, name, text, &mut counts, &mut report);
        }
    }
    let Counts { shaders, accepted, refused, untranslated, died, unshown, .. } = &counts;
    let _ = writeln!(
        report,
        "{} shaders with GLSL on {} hosts: {accepted} accepted, {refused} refused, {untranslated} not translated; the server died of {died}, {unshown} have a partner that is refused",
        shaders.len(),
        counts.hosts,
    );
    let Counts { right, wrong, unjoined, changed, .. } = &counts;
    let _ = writeln!(
        report,
        "lines of bodies: {right} joined as the marks say, {wrong} otherwise, {unjoined} not; {changed} translations are other ones with marks"
    );
    let Counts { blamed, misplaced, unplaced, unjudged, .. } = &counts;
    let _ = writeln!(
        report,
        "refusals: {blamed} at the statement that the marks or the shortest refused beginning show, {misplaced} at another, {unplaced} at none; {unjudged} that nothing shows"
    );
    let silent: Vec<&str> = counts.silent.iter().copied().collect();
    let _ = writeln!(report, "opcodes without a line: {}", silent.join(" "));
    for (what, count) in &counts.failures {
        let _ = writeln!(report, "{count}: {what}");
    }
    let few = counts.shaders.len() < 40 || counts.refused == 0 || counts.hosts < hosts.len();
    let fails = counts.wrong > 0 || counts.misplaced > 0 || few || !counts.failures.is_empty();
    if fails && !options.report { Err(report) } else { Ok(report) }
}

/// Our own shaders and those of the files, by name.
fn shaders(root: &Path, files: &[PathBuf]) -> Result<Vec<(String, String)>, String> {
    let mut paths = vec![root.join("tests/data/tgsi"), root.join("examples")];
    paths.extend_from_slice(files);
    let mut found = Vec::new();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries =
                std::fs::read_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let mut entries: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
            entries.sort();
            paths.extend(entries.into_iter().rev());
            continue;
        }
        if path.extension().is_none_or(|it| it != "tgsi") {
            continue;
        }
        let whole = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let whole = String::from_utf8_lossy(&whole);
        for (number, region) in tgsi::regions::split(&whole).shaders.iter().enumerate() {
            let name = path.strip_prefix(root).unwrap_or(&path).display();
            found.push((format!("{name}:{number}"), region.text(&whole).to_owned()));
        }
    }
    Ok(found)
}

fn judge(
    translator: &mut Translator,
    host: &Host,
    name: &str,
    text: &str,
    counts: &mut Counts,
    report: &mut String,
) {
    let Some(shader) = tgsi::parser::parse(text, &|| {}).shader else { return };
    let translation = match translator.translate(text, host) {
        Ok(translation) => translation,
        Err(error) => {
            let _ = writeln!(report, "{host} {name}: {error}");
            match error {
                // What a foreign program does on some texts is no fault of the join.
                TranslateError::Died(_) | TranslateError::Quarantined => counts.died += 1,
                TranslateError::NotShown(_) => counts.unshown += 1,
                other => *counts.failures.entry(other.to_string()).or_default() += 1,
            }
            return;
        }
    };
    let Translation { glsl, verdict } = &translation;
    match verdict {
        Verdict::Accepted => counts.accepted += 1,
        Verdict::Refused(_) => counts.refused += 1,
        Verdict::Untranslated(_) => counts.untranslated += 1,
    }
    let Some(glsl) = glsl else { return };
    counts.shaders.insert(name.to_owned());
    let joined = tgsi::glsl::join(&shader, glsl);
    let marks = marked(translator, host, &shader, text, glsl, counts);
    match &marks {
        Some(marks) => {
            for (line, (found, known)) in joined.iter().zip(marks.iter().copied()).enumerate() {
                let Some(known) = known else { continue };
                match *found {
                    Some(found) if found == known => counts.right += 1,
                    None => {
                        counts.unjoined += 1;
                        let line_text = glsl.lines().nth(line).unwrap_or_default();
                        let _ = writeln!(
                            report,
                            "{host} {name}: not joined: {line_text} | {}",
                            &text[shader.statements[known].range]
                        );
                    }
                    Some(found) => {
                        counts.wrong += 1;
                        let line_text = glsl.lines().nth(line).unwrap_or_default();
                        let (found, known) = (&shader.statements[found], &shader.statements[known]);
                        let _ = writeln!(
                            report,
                            "{host} {name}: {line_text} | {} | joined to {}",
                            &text[known.range], &text[found.range]
                        );
                    }
                }
            }
        }
        None => counts.changed += 1,
    }
    let Verdict::Refused(log) = verdict else { return };
    let refusals = match translator.refusals(text, host, &translation) {
        Ok(refusals) => refusals,
        Err(error) => {
            *counts.failures.entry(format!("{error}")).or_default() += 1;
            return;
        }
    };
    let Some(first) = refusals.first() else { return };
    // What the line's instruction is, the marks say; of other lines, what is taken without it.
    let line = first.line.map_or(0, |it| it as usize);
    let cause = match marks.as_ref().filter(|_| first.is_in_body) {
        Some(marks) => line.checked_sub(1).and_then(|it| marks.get(it).copied().flatten()),
        None if first.is_in_body => None,
        None => translator.cause(text, host, verdict).unwrap_or_default(),
    };
    let first = first.statement;
    let shown = |place: usize| text[shader.statements[place].range].to_owned();
    match (first, cause) {
        (_, None) => counts.unjudged += 1,
        (None, Some(cause)) => {
            counts.unplaced += 1;
            let _ = writeln!(
                report,
                "{host} {name}: no statement, {} is the cause: {log}",
                shown(cause)
            );
        }
        (Some(first), Some(cause)) if first == cause => counts.blamed += 1,
        (Some(first), Some(cause)) => {
            counts.misplaced += 1;
            let _ = writeln!(
                report,
                "{host} {name}: {} is blamed, {} is the cause: {log}",
                shown(first),
                shown(cause)
            );
        }
    }
}

/// The statement of each line of a body by marks; `None` where the marks change the GLSL.
fn marked(
    translator: &mut Translator,
    host: &Host,
    shader: &tgsi::ast::Shader,
    text: &str,
    glsl: &str,
    counts: &mut Counts,
) -> Option<Vec<Option<usize>>> {
    let (marked, name) = tgsi::glsl::marked(shader, text);
    let marked = translator.translate(&marked, host).ok()?.glsl?;
    let statements: Vec<usize> = (0..shader.statements.len())
        .filter(|it| {
            matches!(shader.statements[*it].kind, tgsi::ast::StatementKind::Instruction(_))
        })
        .collect();
    let opcode = |place: &usize| match &shader.statements[*place].kind {
        tgsi::ast::StatementKind::Instruction(it) => Some(it.opcode.value),
        _ => None,
    };
    let end = statements.iter().position(|it| opcode(it) == Some(tgsi::Opcode::END));
    let end = end.unwrap_or(statements.len());
    let mut spoken = BTreeSet::new();
    let is_mark = |line: &str| {
        let mut words = line.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        words.any(|word| word == name)
    };
    let mut number = 0;
    let mut known = Vec::new();
    let mut rest = String::new();
    for line in marked.lines() {
        if is_mark(line) {
            number += usize::from(line.contains(" = "));
            continue;
        }
        rest.push_str(line);
        rest.push('\n');
        // Behind the mark of END stands what the renderer adds.
        let own = number.checked_sub(1).filter(|it| *it < end).and_then(|it| statements.get(it));
        known.push(own.copied());
        spoken.extend(own.copied());
    }
    if rest != glsl {
        return None;
    }
    let silent = statements[..end].iter().filter(|it| !spoken.contains(*it));
    counts.silent.extend(silent.filter_map(opcode).map(tgsi::Opcode::mnemonic));
    Some(known)
}
