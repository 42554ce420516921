//! Directives: what each does in which dialect, and what readers are told of it.

use std::path::Path;

use tables::print::{array, index, strings};
use tables::{Result, Row, Table};

/// Actions that take nothing from their cells, as the enumeration has them.
const ACTIONS: &str = "\
    else end-if macro end-macro exit-macro purge-macro repeat for-each for-each-letter for while \
    end-repeat set set-once set-expression undefine include end error fail warning section \
    push-section pop-section previous-section fill space align align-power origin unsized target \
    kernel-symbol kernel main config get open-scope close-scope using unusing \
    register-variables enumerate note";

/// The questions of `if` and `else-if`.
const CONDITIONS: &str = "\
    not-zero zero at-least-zero above-zero at-most-zero below-zero blank not-blank same-text \
    other-text same-string other-string defined not-defined bits-32 bits-64 architecture \
    other-architecture chip other-chip format other-format";

/// Returns all directives with the index of their names, and those that show a dialect.
pub(crate) fn code(data: &Path) -> Result<[String; 2]> {
    let (mut rows, mut names, mut evidence) = (Vec::new(), Vec::<&str>::new(), Vec::new());
    let table = Table::read(data, "directives.tsv")?;
    for row in table.rows() {
        crate::filled(row, &["name", "does", "source"])?;
        let (mut actions, mut dialects) = (Vec::new(), Vec::new());
        for (column, dialect) in [("llvm", "Dialect::Llvm"), ("clrx", "Dialect::Clrx")] {
            actions.push(match row.cell(column)? {
                "-" | "part" => "None".to_owned(),
                cell => {
                    let action = action(cell).ok_or_else(|| row.refuse(column))?;
                    format!("Some(Action::{action})")
                }
            });
            if row.cell(column)? != "-" {
                dialects.push(dialect);
            }
        }
        let name = row.cell("name")?;
        if dialects.is_empty() || names.contains(&name) {
            return Err(row.refuse("name"));
        }
        names.push(name);
        if given(row, "shows")?.is_some() {
            let [dialect] = *dialects else { return Err(row.refuse("shows")) };
            evidence.push(format!("    ({name:?}, {dialect}, {}),\n", row.number::<u32>("shows")?));
        }
        let example = given(row, "example")?.map(|lines| lines.replace("\\n", "\n"));
        rows.push(format!(
            "    DirectiveInfo {{ {}actions: [{}], dialects: &[{}], arguments: {:?}, example: \
             {example:?} }},\n",
            strings(row, &["name", "does", "source"])?,
            actions.join(", "),
            dialects.join(", "),
            given(row, "arguments")?.unwrap_or_default(),
        ));
    }
    Ok([
        array("ROWS", "DirectiveInfo", &rows) + &index("INDEX", &names),
        array("EVIDENCE", "(&str, Dialect, u32)", &evidence),
    ])
}

/// Returns a cell, `None` where it says nothing.
fn given<'a>(row: Row<'a>, column: &str) -> Result<Option<&'a str>> {
    row.cell(column).map(|cell| (cell != "-").then_some(cell))
}

/// Returns an action as code: its name, and what that takes.
fn action(cell: &str) -> Option<String> {
    let (word, rest) = cell.split_once(' ').unwrap_or((cell, ""));
    let of = |kind: &str, names: &str| Some(format!("{kind}::{}", variant(names, rest)?));
    let given = match word {
        "if" | "else-if" => of("Condition", CONDITIONS)?,
        "alternate-macros" | "macro-case" => of("Switch", "on off")?,
        "variable" => of("Sign", "signed unsigned")?,
        "data" => rest.parse::<u32>().ok()?.to_string(),
        "strings" => {
            let (width, terminated) = rest.split_once(' ')?;
            let width: u32 = width.parse().ok()?;
            format!("{width}, Terminated::{}", variant("no yes", terminated)?)
        }
        "block" | "text" => format!("{rest:?}"),
        _ => return variant(ACTIONS, cell),
    };
    Some(format!("{}({given})", camel_case(word)))
}

/// Returns the variant of a name, where it is one of these.
fn variant(names: &str, name: &str) -> Option<String> {
    names.split_ascii_whitespace().any(|it| it == name).then(|| camel_case(name))
}

/// Returns `for-each` as `ForEach`.
fn camel_case(name: &str) -> String {
    let part = |part: &str| part[..1].to_uppercase() + &part[1..];
    name.split('-').map(part).collect()
}
