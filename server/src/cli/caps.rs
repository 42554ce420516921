//! `tungsten caps`: what shaders ask of drivers, and which drivers have it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use engine::ide::Needs;
use engine::{Host, Language, Settings};
use serde::Serialize;
use tgsi::profiles::{Profile, Verdict};
use tgsi::requirements::{Demand, Requirement};

use super::files::SourceFile;
use super::format::{Format, FormatArgument};
use super::output::{Output, Style, name_at_line_start};
use super::settings::Projects;
use super::{Status, Stop, complain, profiles};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Profiles to compare with: names of `tungsten profiles`, or files
    #[arg(long, value_delimiter = ',', value_name = "PROFILE")]
    profile: Vec<String>,
    /// Compare with every shipped profile
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    format: FormatArgument,
}

/// A requirement as scripts read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RequirementLine<'a> {
    file: &'a str,
    shader: usize,
    stage: &'static str,
    capability: &'a str,
    /// The question: `yes`, `at-least`, `at-most`, `form`.
    demand: &'static str,
    value: Vec<i64>,
    line: u32,
    column: u32,
    why: &'a str,
    profile: Option<&'a str>,
    answer: Option<String>,
    /// `met`, `unmet` or `unknown`; absent without a profile.
    verdict: Option<&'static str>,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let named: Result<Vec<Arc<Profile>>, Stop> =
        arguments.profile.iter().map(|word| profiles::find(word)).collect();
    let mut named = named?;
    if arguments.all {
        let others = Profile::all().iter().filter(|it| !named.iter().any(|n| n.name == it.name));
        let others: Vec<_> = others.cloned().collect();
        named.extend(others);
    }
    let mut host = Host::new(Settings::default());
    let mut projects = Projects::default();
    let mut status = Status::Good;
    for path in &arguments.files {
        let Ok(file) = SourceFile::read(path) else {
            status = Status::Failed;
            continue;
        };
        if file.language != Language::Tgsi {
            complain(format_args!("{}: only TGSI asks a driver for something", file.name));
            status = Status::Failed;
            continue;
        }
        let id = host.set_file(&file.name, file.text.clone(), file.language);
        let of_project = projects.of(path).map(|project| Settings {
            rules: project.configuration.rules.clone(),
            ..Settings::default()
        });
        host.set_own_settings(id, of_project);
        let Ok(needs) = host.snapshot().needs(id) else {
            complain(format_args!("{}: the analysis was cancelled", file.name));
            status = Status::Failed;
            continue;
        };
        for shader in &needs {
            // Without a word the file's own profile counts, else its project's.
            let own: Vec<_> = shader.profile.iter().cloned().collect();
            let asked = if named.is_empty() { &own } else { &named };
            let good = match arguments.format.chosen() {
                Format::Json => print_json(&file, shader, asked, output)?,
                Format::Text => print(&file, shader, asked, output)?,
            };
            // The question what all drivers do has no bad answer.
            if !good && !arguments.all {
                status = status.max(Status::Bad);
            }
        }
        host.remove_file(id);
        host.evict_caches();
    }
    Ok(status)
}

/// Tells whether a profile has something, and what it answers.
fn verdict(profile: &Profile, shader: &Needs, requirement: &Requirement) -> (&'static str, String) {
    match profile.verdict(shader.stage, requirement) {
        Verdict::Met(answer) => ("met", answer.to_string()),
        Verdict::Unmet(answer) => ("unmet", answer.to_string()),
        Verdict::Unknown => ("unknown", String::new()),
    }
}

/// Tells whether a shader runs on a profile, as far as is known. Forms do not count:
/// drivers take both, at a cost.
fn runs_on(profile: &Profile, shader: &Needs) -> bool {
    profile.has_stage(shader.stage)
        && !shader.requirements.iter().any(|requirement| {
            let form = matches!(requirement.demand, Demand::Form(_));
            !form && matches!(profile.verdict(shader.stage, requirement), Verdict::Unmet(_))
        })
}

fn print_json(
    file: &SourceFile,
    shader: &Needs,
    profiles: &[Arc<Profile>],
    output: &mut Output,
) -> io::Result<bool> {
    for requirement in &shader.requirements {
        let place = file.place(requirement.range);
        let (demand, value) = match requirement.demand {
            Demand::Yes => ("yes", vec![1]),
            Demand::AtLeast(number) => ("at-least", vec![number]),
            Demand::AtMost(number) => ("at-most", vec![number]),
            Demand::AtLeastEach(numbers) => ("at-least", numbers.to_vec()),
            Demand::Form(yes) => ("form", vec![i64::from(yes)]),
        };
        let asked = profiles.iter().map(Some);
        let nobody = profiles.is_empty().then_some(None);
        for profile in asked.chain(nobody) {
            let verdict = profile.map(|profile| verdict(profile, shader, requirement));
            output.json(&RequirementLine {
                file: &file.name,
                shader: shader.shader,
                stage: shader.stage.word(),
                capability: requirement.capability,
                demand,
                value: value.clone(),
                line: place.line,
                column: place.column,
                why: &requirement.why,
                profile: profile.map(|profile| profile.name.as_str()),
                answer: verdict.as_ref().map(|it| it.1.clone()).filter(|it| !it.is_empty()),
                verdict: verdict.map(|it| it.0),
            })?;
        }
    }
    Ok(profiles.iter().all(|profile| runs_on(profile, shader)))
}

fn print(
    file: &SourceFile,
    shader: &Needs,
    profiles: &[Arc<Profile>],
    output: &mut Output,
) -> io::Result<bool> {
    let title =
        format!("{}: shader {}, {}", name_at_line_start(&file.name), shader.shader, shader.stage);
    output.styled_line(Style::Strong, &title)?;
    for requirement in &shader.requirements {
        let Requirement { capability, demand, why, range } = requirement;
        let line = file.place(*range).line;
        let wanted = match demand {
            Demand::Yes => "yes".to_owned(),
            Demand::AtLeast(number) => format!("≥ {number}"),
            Demand::AtMost(number) => format!("≤ {number}"),
            Demand::AtLeastEach([x, y, z]) => format!("≥ {x},{y},{z}"),
            Demand::Form(yes) => format!("form {}", i64::from(*yes)),
        };
        output.styled(Style::Place, &format!("{line:>5}"))?;
        output.text(&format!("  {capability:45} {wanted:>9}  "))?;
        output.styled_line(Style::Faint, why)?;
    }
    let mut good = true;
    for profile in profiles {
        let runs = runs_on(profile, shader);
        good &= runs;
        let style = if runs { Style::Good } else { Style::Bad };
        output.styled(style, if runs { "  yes " } else { "  no  " })?;
        output.text(&format!("{:20}", profile.name))?;
        if !profile.has_stage(shader.stage) {
            output.text("has no such stage")?;
        } else {
            let lacks = shader.requirements.iter().filter_map(|requirement| {
                match profile.verdict(shader.stage, requirement) {
                    Verdict::Unmet(answer) => {
                        Some(format!("{} = {answer}", requirement.capability))
                    }
                    _ => None,
                }
            });
            output.text(&lacks.collect::<Vec<_>>().join(", "))?;
        }
        output.line("")?;
    }
    output.line("")?;
    Ok(good)
}
