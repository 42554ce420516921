//! Facts of the language beside its words: what components mean, who read what and when.

use std::collections::BTreeMap;
use std::path::Path;

use tables::print::{array, index, strings};
use tables::{Result, Row, Table};

use crate::words::Words;

/// Returns the variant of a cell's word.
fn variant(row: Row<'_>, column: &str, list: &str, words: &Words) -> Result<String> {
    words.variant(list, row.cell(column)?).ok_or_else(|| row.refuse(column))
}

/// Returns the meaning of components of semantics.
pub(crate) fn semantic_components(data: &Path, words: &Words) -> Result<String> {
    let mut rows = Vec::new();
    for row in Table::read(data, "semantic_components.tsv")?.rows() {
        let stage = match row.cell("stages")? {
            "any" => "None".to_owned(),
            _ => format!("Some({})", variant(row, "stages", "stage", words)?),
        };
        let mut components = 0;
        for letter in row.cell("components")?.chars() {
            components |= 1 << "xyzw".find(letter).ok_or_else(|| row.refuse("components"))?;
        }
        if components == 0 {
            return Err(row.refuse("components"));
        }
        rows.push(format!(
            "    Meaning {{ semantic: {}, file: {}, stage: {stage}, components: {components}, {}}},\n",
            variant(row, "semantic", "semantic", words)?,
            variant(row, "file", "file", words)?,
            strings(row, &["what"])?,
        ));
    }
    Ok(array("MEANINGS", "Meaning", &rows))
}

/// Returns what look-ups return of textures that lack components.
pub(crate) fn texture_components(data: &Path) -> Result<String> {
    let columns = ["components", "gallium", "opengl", "direct3d", "note", "source"];
    let mut rows = Vec::new();
    for row in Table::read(data, "texture_components.tsv")?.rows() {
        rows.push(format!("    TextureComponents {{ {}}},\n", strings(row, &columns)?));
    }
    Ok(array("TEXTURE_COMPONENTS", "TextureComponents", &rows))
}

/// Returns the words of other languages, and what each stands for; an attribute's word may be of
/// any list.
pub(crate) fn misnomers(data: &Path, words: &Words) -> Result<String> {
    let mut rows = Vec::new();
    for row in Table::read(data, "misnomers.tsv")?.rows() {
        let (list, word, meant) = (row.cell("list")?, row.cell("word")?, row.cell("meant")?);
        let lists = match list {
            "header" => &["stage"][..],
            "attribute" => {
                &["semantic", "interpolation", "location", "memory", "return", "keyword"]
            }
            "register" => &["file"],
            _ => &[list],
        };
        if !lists.iter().any(|list| words.has(list, meant)) {
            return Err(row.refuse("meant"));
        }
        rows.push(format!("    ({list:?}, {word:?}, {meant:?}),\n"));
    }
    Ok(array("MISNOMERS", "(&str, &str, &str)", &rows))
}

/// Returns the dialects, and the forms of the text that readers took.
pub(crate) fn dialects(data: &Path) -> Result<String> {
    let (mut dialects, mut forms) = (Vec::new(), Vec::new());
    for row in Table::read(data, "dialects.tsv")?.rows() {
        let readers = [("mesa", "Mesa"), ("virglrenderer", "Virglrenderer")];
        dialects.push(format!(
            "    Dialect {{ {}reader: Reader::{} }},\n",
            strings(row, &["name", "description", "date"])?,
            row.one_of("reader", &readers)?
        ));
    }
    for row in Table::read(data, "dialect_forms.tsv")?.rows() {
        forms.push(format!(
            "    SyntaxFeature {{ {}virglrenderer: {} }},\n",
            strings(row, &["code", "since", "until"])?,
            row.flag("virglrenderer")?
        ));
    }
    Ok(array("ALL", "Dialect", &dialects) + &array("FORMS", "SyntaxFeature", &forms))
}

/// Returns the words that virglrenderer knows or lacks, other than Mesa of the last day.
pub(crate) fn dialect_words(data: &Path, words: &Words) -> Result<String> {
    let (mut rows, mut names) = (Vec::new(), Vec::new());
    for row in Table::read(data, "dialect_words.tsv")?.rows() {
        let (list, word) = (row.cell("list")?, row.cell("word")?);
        if !["form", "format"].contains(&list) && !words.has(list, word) {
            return Err(row.error(format!("no {list} `{word}`")));
        }
        names.push(tables::pair(list, word));
        rows.push(format!("    ({list:?}, {word:?}, {}),\n", row.flag("virglrenderer")?));
    }
    Ok(array("OWN", "(&str, &str, bool)", &rows) + &index("INDEX", &names))
}

/// Returns the shaders to begin with, each with its stage.
pub(crate) fn skeletons(data: &Path, words: &Words) -> Result<String> {
    let text = tables::read(data, "skeletons.txt")?;
    let mut skeletons = Vec::new();
    for section in text.split("== ").skip(1) {
        let (stage, shader) = section.split_once('\n').unwrap_or((section, ""));
        let known = words.variant("stage", stage);
        let known = known.ok_or_else(|| format!("data/skeletons.txt: no stage `{stage}`"))?;
        skeletons.push(format!("    ({known}, {shader:?}),\n"));
    }
    Ok(array("SKELETONS", "(Stage, &str)", &skeletons))
}

/// Returns the examples of diagnostics.
pub(crate) fn examples(data: &Path) -> Result<String> {
    let mut rows = Vec::new();
    for row in Table::read(data, "diagnostic_examples.tsv")?.rows() {
        let text = |column: &str| -> Result<String> {
            Ok(row.cell(column)?.replace("\\r", "\r").replace(" / ", "\n") + "\n")
        };
        rows.push(format!(
            "    Example {{ {}has_fix: {}, wrong: {:?}, right: {:?} }},\n",
            strings(row, &["code"])?,
            row.flag("fix")?,
            text("wrong")?,
            text("right")?
        ));
    }
    Ok(array("EXAMPLES", "Example", &rows))
}

/// Returns what the documents name and texts do not.
pub(crate) fn documented(data: &Path) -> Result<String> {
    let columns = ["name", "kind", "answer", "meaning", "source"];
    let elsewhere = Table::read(data, "capabilities_elsewhere.tsv")?;
    let mut reasons = BTreeMap::new();
    for row in elsewhere.rows() {
        for name in row.words("capabilities")? {
            reasons.insert(name, row.cell("reason")?);
        }
    }
    let table = Table::read(data, "documented.tsv")?;
    let mut rows = Vec::new();
    for row in table.rows() {
        let unasked = reasons.get(row.cell("name")?).copied().unwrap_or_default();
        let cells = strings(row, &columns)?;
        rows.push(format!("    Documented {{ {cells}unasked: {unasked:?} }},\n"));
    }
    Ok(array("DOCUMENTED", "Documented", &rows))
}

/// Returns the names of headers that end in another word than texts have.
pub(crate) fn header_names(data: &Path, words: &Words) -> Result<String> {
    let mut rows = Vec::new();
    for row in Table::read(data, "header_names.tsv")?.rows() {
        let (name, list, word) = (row.cell("name")?, row.cell("list")?, row.cell("word")?);
        if !words.has(list, word) {
            return Err(row.refuse("word"));
        }
        rows.push(format!("    ({name:?}, {list:?}, {word:?}),\n"));
    }
    Ok(array("HEADER_NAMES", "(&str, &str, &str)", &rows))
}

/// Returns the parts of GLSL that a host may lack.
pub(crate) fn glsl_needs(data: &Path, words: &Words) -> Result<String> {
    let mut rows = Vec::new();
    for row in Table::read(data, "glsl_needs.tsv")?.rows() {
        let marks: Vec<&str> = row.cell("marks")?.split(' ').collect();
        let mut statements = String::new();
        for asked in row.cell("statements")?.split(' ') {
            let (kind, word) = asked.split_once(':').ok_or_else(|| row.refuse("statements"))?;
            let named = |list| words.variant(list, word).ok_or_else(|| row.refuse("statements"));
            statements += &match kind {
                "op" => format!("Asks::Opcode(Opcode::{word}), "),
                "file" => format!("Asks::File({}), ", named("file")?),
                "semantic" => format!("Asks::Semantic({}), ", named("semantic")?),
                "target" => format!("Asks::Target({}), ", named("target")?),
                "stage" => format!("Asks::Stage({}), ", named("stage")?),
                "type" => "Asks::Doubles, ".to_owned(),
                _ => return Err(row.refuse("statements")),
            };
        }
        let brought = |column| -> Result<String> {
            let (version, extension) =
                row.cell(column)?.split_once(' ').ok_or_else(|| row.refuse(column))?;
            let [version, extension] = [version, extension].map(|it| (it != "-").then_some(it));
            Ok(format!("Brought {{ version: {version:?}, extension: {extension:?} }}"))
        };
        rows.push(format!(
            "    Need {{ {}marks: &{marks:?}, statements: &[{statements}], gl: {}, gles: {} }},\n",
            strings(row, &["what"])?,
            brought("gl")?,
            brought("gles")?,
        ));
    }
    Ok(array("NEEDS", "Need", &rows))
}
