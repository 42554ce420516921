//! Driver profiles on the command line: the list of them, and the one that a
//! word names.

use std::sync::Arc;

use serde::Serialize;
use tgsi::profiles::Profile;

use super::format::Format;
use super::output::{Output, Style};
use super::{Status, Stop, complain, failed};
use crate::files::Access;

/// A profile as programs read it.
#[derive(Debug, Serialize)]
struct ProfileLine<'a> {
    name: &'a str,
    driver: &'a str,
    description: &'a str,
    assumes: &'a str,
    source: &'a str,
    date: &'a str,
}

/// `tungsten profiles`: whose answers are known.
pub(super) fn run(format: Format, output: &mut Output) -> Result<Status, Stop> {
    match format {
        Format::Text => print(output),
        Format::Json => {
            for profile in Profile::all() {
                output.json(&ProfileLine {
                    name: &profile.name,
                    driver: &profile.driver,
                    description: &profile.description,
                    assumes: &profile.assumes,
                    source: &profile.source,
                    date: &profile.date,
                })?;
            }
            Ok(Status::Good)
        }
    }
}

fn print(output: &mut Output) -> Result<Status, Stop> {
    let width = Profile::all().iter().map(|profile| profile.name.len()).max().unwrap_or(0);
    let mut driver = None;
    for profile in Profile::all() {
        if driver != Some(&profile.driver) {
            if driver.is_some() {
                output.line("")?;
            }
            driver = Some(&profile.driver);
            output.styled(Style::Strong, &profile.driver)?;
            output.styled_line(Style::Faint, &format!("  {}, {}", profile.source, profile.date))?;
        }
        output.text("  ")?;
        output.styled(Style::Source, &format!("{:width$}", profile.name))?;
        output.text(&format!("  {}", profile.description))?;
        if !profile.assumes.is_empty() {
            output.styled(Style::Faint, &format!("  ({})", profile.assumes))?;
        }
        output.line("")?;
    }
    Ok(Status::Good)
}

/// The profile that a word names: a shipped one, or a file. Complains where there is none.
pub(super) fn find(word: &str) -> Result<Arc<Profile>, Stop> {
    let (profile, problems) = crate::own_profiles::find(word, &Access::Anywhere).map_err(failed)?;
    problems.into_iter().for_each(complain);
    Ok(profile)
}
