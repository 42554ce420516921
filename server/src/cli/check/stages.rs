//! Shaders of several files that run one after the other: named by the project,
//! or all that a command names.

use std::io;
use std::path::{Path, PathBuf};

use engine::{FileId, Host};
use source::{Diagnostic, Severity};

use super::json::Context;
use super::report::Report;
use crate::cli::files::SourceFile;
use crate::cli::output::Output;
use crate::cli::{Status, complain};
use crate::files::Access;

/// Gives the engine the files that a project names in pipelines with the one that is
/// checked, and returns those that were brought for it.
pub(super) fn bring(
    host: &mut Host,
    (id, path): (FileId, &Path),
    pipelines: &[Vec<PathBuf>],
    access: &Access,
) -> Vec<FileId> {
    let own = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let own = crate::includes::normal(&own);
    let mut brought = Vec::new();
    let mut joined = Vec::new();
    for files in pipelines {
        let stages: Option<Vec<FileId>> = files
            .iter()
            .map(|stage| {
                if *stage == own {
                    return Some(id);
                }
                let file = SourceFile::read_within(stage, access).ok()?;
                // No name that a command can give: the file may be checked for itself.
                let name = format!("stage:{}", stage.display());
                let stage = host.set_file(&name, file.text, file.language);
                brought.push(stage);
                Some(stage)
            })
            .collect();
        joined.extend(stages);
    }
    host.set_pipelines(id, &joined);
    brought
}

/// Prints what is wrong between the stages of a pipeline that is in
/// several files; one file has said it already.
pub(super) fn check(
    host: &Host,
    stages: &[(FileId, SourceFile)],
    report: &mut Report,
    output: &mut Output,
) -> io::Result<Status> {
    let files: Vec<FileId> = stages.iter().map(|(id, _)| *id).collect();
    let snapshot = host.snapshot();
    let Ok(Some(found)) = snapshot.link(&files) else {
        complain("the shaders are not a pipeline: each stage once, in order, and at least two");
        return Ok(Status::Failed);
    };
    if stages.len() < 2 {
        return Ok(Status::Good);
    }
    let mut status = Status::Good;
    for (id, file) in stages {
        let here = found.iter().filter(|(place, _)| place == id);
        let mut here: Vec<Diagnostic> = here.map(|(_, diagnostic)| diagnostic.clone()).collect();
        here.sort_by_key(|diagnostic| diagnostic.range.start());
        report.deny(&mut here);
        if here.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            status = Status::Bad;
        }
        report.file(file, &Context::of(&snapshot, *id, &here), &here, output)?;
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever has checked a file removes the others again.
    #[test]
    fn stages_that_were_brought_are_named() {
        let folder = std::env::temp_dir().join(format!("tungsten-stages-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("made");
        let [one, two] = ["one.tgsi", "two.tgsi"].map(|name| folder.join(name));
        std::fs::write(&two, "FRAG\nEND\n").expect("written");
        let mut host = Host::new(engine::Settings::default());
        let own = host.set_file("one", "VERT\nEND\n".into(), engine::Language::Tgsi);
        let files = [vec![one.clone(), two.clone()], vec![folder.join("none.tgsi"), one.clone()]];
        let brought = bring(&mut host, (own, &one), &files, &Access::Anywhere);
        let stage = host.file(&format!("stage:{}", two.display())).expect("it is brought");
        assert_eq!(brought, [stage]);
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
