//! Edits that lay out text: all of it, a range, or the line just finished.

use salsa::Database;
use source::{SegmentMap, TextEdit, TextSize};
use tgsi::ast::Shader;
use tgsi::format::{self, Numbers, Scope};

use super::languages::{Query, service};
use crate::inputs::File;
use crate::queries::shaders::{self, ShaderText};

/// The edits that format what lies in a scope of a file with shaders.
pub(super) fn of_shaders(
    db: &dyn Database,
    file: File,
    numbers: Numbers,
    scope: Scope,
) -> Vec<TextEdit> {
    let text = file.text(db);
    let regions = shaders::regions(db, file);
    let mut all = Vec::new();
    for (shader, region) in shaders::shaders(db, file).iter().zip(&regions.shaders) {
        let Some(scope) = scope.within(region.map()) else { continue };
        // Edits of which some cannot be written in the file are not made at all.
        let edits = shader_edits(db, &text, *shader, region.map(), numbers, scope);
        all.extend(edits.unwrap_or_default());
    }
    all
}

fn shader_edits<'db>(
    db: &'db dyn Database,
    file_text: &str,
    shader: ShaderText<'db>,
    map: &SegmentMap,
    numbers: Numbers,
    scope: Scope,
) -> Option<Vec<TextEdit>> {
    let parse = shaders::parse(db, shader);
    let tree = parse.shader.as_ref()?;
    let base = format::base_indent(file_text, map.range().start());
    let text = shader.text(db);
    let checkpoint = || db.unwind_if_revision_cancelled();
    let edits = format::shader_edits(&text, tree, base, numbers, scope, &checkpoint).ok()?;
    edits.iter().map(|edit| map.edit_to_file(edit)).collect()
}

/// The edits after a line end was typed, behind which `offset` is: the line
/// that it finished is formatted where a statement ends on it, and the new
/// line, if there is nothing on it, gets the column of the next statement.
pub(crate) fn on_new_line(
    db: &dyn Database,
    file: File,
    numbers: Numbers,
    offset: TextSize,
) -> Vec<TextEdit> {
    let text = file.text(db);
    let lines = shaders::line_index(db, file);
    let line = lines.line(offset.min(TextSize::of(&*text)));
    let finished = line.checked_sub(1).and_then(|line| lines.line_range(line));
    let (Some(finished), Some(new)) = (finished, lines.line_range(line)) else {
        return Vec::new();
    };
    let service = service(db, file);
    let mut edits = service.formatting(Query::of(db, file), numbers, Scope::Line(finished));
    // What goes on in the new line, such as a comment, is not finished.
    edits.retain(|edit| edit.range.end() <= finished.end());
    if let Some(blanks) = format::blank_rest_of_line(&text, new.start())
        && let Some(wanted) = service.indentation(Query::of(db, file), numbers, new.start())
        && text[blanks] != *wanted
    {
        edits.push(TextEdit::replace(blanks, wanted));
    }
    edits
}

/// The blanks that an empty line behind a shader's statement is to begin with.
pub(super) fn indentation(
    db: &dyn Database,
    file: File,
    numbers: Numbers,
    line: TextSize,
) -> Option<String> {
    let regions = shaders::regions(db, file);
    let after = regions.shaders.partition_point(|region| region.range().start() < line);
    let index = after.checked_sub(1)?;
    let map = regions.shaders.get(index)?.map();
    if !map.is_contiguous() {
        return None;
    }
    let shader = *shaders::shaders(db, file).get(index)?;
    let parse = shaders::parse(db, shader);
    let tree: &Shader = parse.shader.as_ref()?;
    let text = file.text(db);
    let base = format::base_indent(&text, map.range().start());
    let offset = line - map.range().start();
    format::new_line_indent(&shader.text(db), tree, base, numbers, offset)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use source::{TextRange, apply_edits};

    use super::*;
    use crate::{Host, Language, Settings};

    /// The text after a line end was typed at the mark.
    fn after_new_line(marked: &str) -> String {
        let place = marked.find('$').expect("a mark");
        let text = marked.replace('$', "\n");
        let mut host = Host::new(Settings::default());
        let file = host.set_file("a.tgsi", Arc::from(text.as_str()), Language::Tgsi);
        let offset = TextSize::new(place as u32 + 1);
        let edits = host.snapshot().on_new_line(file, Numbers::default(), offset);
        apply_edits(&text, &edits.expect("not cancelled")).expect("disjoint edits")
    }

    #[test]
    fn a_finished_line_is_numbered_and_the_next_one_indented() {
        assert_eq!(
            after_new_line("VERT\ndcl IN[0]\n  0: BGNLOOP\n  1:   NOP\nmov OUT[0],IN[0]$"),
            "VERT\ndcl IN[0]\n  0: BGNLOOP\n  1:   NOP\n  2:   MOV OUT[0], IN[0]\n       "
        );
        assert_eq!(
            after_new_line("VERT\nUIF TEMP[0].xxxx\n  NOP\n  else$\n"),
            "VERT\nUIF TEMP[0].xxxx\n  NOP\nELSE\n  \n"
        );
        assert_eq!(after_new_line("VERT\ndcl   IN[0]$"), "VERT\nDCL IN[0]\n");
    }

    #[test]
    fn what_is_not_finished_stays() {
        for text in [
            "VERT\nmov OUT[0],$\n  IN[0]\nEND\n",
            "VERT\nmov  OUT[0],$",
            "VERT\nEND\n\na log:  $   \nmore",
            "$",
        ] {
            assert_eq!(after_new_line(text), text.replace('$', "\n"));
        }
    }

    #[test]
    fn a_range_touches_no_other_shader() {
        let text = "VERT\nnop\nEND\nFRAG\nnop\nEND\n";
        let mut host = Host::new(Settings::default());
        let file = host.set_file("a.tgsi", Arc::from(text), Language::Tgsi);
        let second = TextSize::new(text.rfind("nop").expect("there") as u32);
        let scope = Scope::Range(TextRange::empty(second));
        let edits = host.snapshot().formatting(file, Numbers::default(), scope);
        let edited = apply_edits(text, &edits.expect("not cancelled"));
        assert_eq!(edited.as_deref(), Some("VERT\nnop\nEND\nFRAG\nNOP\nEND\n"));
    }
}
