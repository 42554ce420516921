//! `workspace/willRenameFiles`: the names in `.include` and in the pipelines of projects
//! follow the files they mean, whether anybody has them open or not.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use tower_lsp::ls_types::{RenameFilesParams, TextEdit, Uri, WorkspaceEdit};

use super::other_files::everywhere;
use super::workspace_edit::workspace_edits;
use super::{DocumentRequest, Stop};
use crate::includes::normal;
use crate::lsp::session::path_of;
use crate::lsp::to_protocol::Lines;
use crate::lsp::workers::Context;
use crate::project::Project;

impl DocumentRequest for RenameFilesParams {
    type Answer = Option<WorkspaceEdit>;

    const READS_OTHER_FILES: bool = true;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let path = |uri: &str| path_of(&Uri::from_str(uri).ok()?);
        let renamed: Vec<(PathBuf, PathBuf)> = self
            .files
            .iter()
            .filter_map(|file| Some((path(&file.old_uri)?, path(&file.new_uri)?)))
            .collect();
        let moved = |path: &Path| {
            renamed.iter().find_map(|(old, new)| {
                let rest = path.strip_prefix(old).ok()?;
                Some(if rest.as_os_str().is_empty() { new.clone() } else { new.join(rest) })
            })
        };
        let mut changes = Vec::new();
        for (uri, file) in everywhere(context)? {
            let Some(includer) = path_of(&uri) else { continue };
            let includes = context.snapshot.includes(file)?;
            if includes.is_empty() {
                continue;
            }
            let lines = Lines::of(&context.snapshot, file, context.client.column_unit)?;
            let mut edits = Vec::new();
            for (range, included) in includes {
                let name = context.snapshot.name(included)?;
                let Some(old) = path(&name) else { continue };
                let written = lines.text().get(std::ops::Range::from(range)).unwrap_or_default();
                let includer = moved(&includer).unwrap_or_else(|| includer.clone());
                let new = moved(&old).unwrap_or_else(|| old.clone());
                let Some(name) = name_for(written, &old, &new, &includer) else { continue };
                edits.push(TextEdit::new(lines.range(range), name));
            }
            if !edits.is_empty() {
                changes.push((uri, edits));
            }
        }
        for project in context.projects.iter() {
            let edits = pipeline_edits(context, project, &moved);
            if let Some(uri) = Uri::from_file_path(&project.path).filter(|_| !edits.is_empty()) {
                changes.push((uri, edits));
            }
        }
        Ok((!changes.is_empty()).then(|| workspace_edits(context, changes)))
    }
}

/// The edits of a project's file by which its pipelines name the files that they mean.
fn pipeline_edits(
    context: &Context,
    project: &Project,
    moved: &impl Fn(&Path) -> Option<PathBuf>,
) -> Vec<TextEdit> {
    let path = moved(&project.path).unwrap_or_else(|| project.path.clone());
    let Some(folder) = path.parent() else { return Vec::new() };
    let lines = Lines::new(Arc::clone(&project.text), context.client.column_unit);
    let edits = project.named.iter().filter_map(|(range, old)| {
        let new = moved(old).unwrap_or_else(|| old.clone());
        let word = project.text.get(std::ops::Range::from(*range))?;
        let written = word.trim_matches(['\'', '"']);
        if normal(&folder.join(written)) == new {
            return None;
        }
        let name = match Path::new(written).is_absolute() {
            true => slashes(&new),
            false => slashes(&relative(folder, &new)),
        };
        // The string that says all without escapes holds no quotes of its own.
        let name = match word.starts_with('\'') && !name.contains('\'') {
            true => format!("'{name}'"),
            false => serde_json::Value::from(name).to_string(),
        };
        Some(TextEdit::new(lines.range(*range), name))
    });
    edits.collect()
}

/// The name that an `.include` of `includer` has to say for a file that was at `old` and will be
/// at `new`; `None` where what is written stays right.
fn name_for(written: &str, old: &Path, new: &Path, includer: &Path) -> Option<String> {
    let folder = includer.parent()?;
    if Path::new(written).is_absolute() {
        return (old != new).then(|| slashes(new));
    }
    // The folder that the name was looked for in: the includer's or one around it, or one
    // of the settings.
    let base = old.ancestors().find(|base| base.join(written) == *old);
    if old == new && base.is_some_and(|base| folder.starts_with(base)) {
        return None;
    }
    let from_base = base.and_then(|base| new.strip_prefix(base).ok());
    let name = match from_base.filter(|_| base.is_some_and(|base| folder.starts_with(base))) {
        Some(rest) => slashes(rest),
        None => slashes(&relative(folder, new)),
    };
    (name != written).then_some(name)
}

/// The way from a folder to a file.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let shared = folder.ancestors().find(|it| file.starts_with(it)).unwrap_or(Path::new(""));
    let up = folder.strip_prefix(shared).map_or(0, |rest| rest.components().count());
    let down = file.strip_prefix(shared).unwrap_or(file);
    std::iter::repeat_n(Path::new(".."), up).collect::<PathBuf>().join(down)
}

/// A path as assemblers write it.
fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_anew_as_they_were_meant() {
        let name = |written: &str, old: &str, new: &str, includer: &str| {
            name_for(written, Path::new(old), Path::new(new), Path::new(includer))
        };
        let found = [
            name("a.inc", "/p/a.inc", "/p/b.inc", "/p/main.s"),
            name("inc/a.inc", "/p/inc/a.inc", "/p/inc/b.inc", "/p/main.s"),
            name("inc/a.inc", "/p/inc/a.inc", "/p/other/a.inc", "/p/src/main.s"),
            name("a.inc", "/p/a.inc", "/q/a.inc", "/p/src/main.s"),
            name("a.inc", "/p/a.inc", "/p/a.inc", "/q/main.s"),
            name("a.inc", "/p/a.inc", "/p/a.inc", "/p/src/main.s"),
            name("/p/a.inc", "/p/a.inc", "/p/b.inc", "/p/main.s"),
        ];
        let expected = [
            Some("b.inc"),
            Some("inc/b.inc"),
            Some("other/a.inc"),
            Some("../../q/a.inc"),
            Some("../p/a.inc"),
            None,
            Some("/p/b.inc"),
        ];
        assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
    }
}
