//! Directives: what each does in which dialect, and what readers are told of it.

use std::path::Path;

use tables::print::{array, index, strings};
use tables::{Row, Table};

/// Actions that take nothing from their cells.
const ACTIONS: [(&str, &str); 54] = [
    ("else", "Else"),
    ("endif", "EndIf"),
    ("macro", "Macro"),
    ("endm", "EndMacro"),
    ("exitm", "ExitMacro"),
    ("purgem", "PurgeMacro"),
    ("altmacro", "AlternateMacros(Switch::On)"),
    ("noaltmacro", "AlternateMacros(Switch::Off)"),
    ("macrocase", "MacroCase(Switch::On)"),
    ("nomacrocase", "MacroCase(Switch::Off)"),
    ("rept", "Repeat"),
    ("irp", "ForEach"),
    ("irpc", "ForEachLetter"),
    ("for", "For"),
    ("while", "While"),
    ("endr", "EndRepeat"),
    ("set", "Set"),
    ("equiv", "SetOnce"),
    ("eqv", "SetExpression"),
    ("undef", "Undefine"),
    ("include", "Include"),
    ("end", "End"),
    ("error", "Error"),
    ("abort", "Error"),
    ("fail", "Fail"),
    ("warning", "Warning"),
    ("section", "Section"),
    ("pushsection", "PushSection"),
    ("popsection", "PopSection"),
    ("previous", "PreviousSection"),
    ("ascii", "Strings(1, Terminated::No)"),
    ("asciz", "Strings(1, Terminated::Yes)"),
    ("fill", "Fill"),
    ("space", "Space"),
    ("align", "Align"),
    ("p2align", "AlignPower"),
    ("org", "Origin"),
    ("unsized", "Unsized"),
    ("leb signed", "Variable(Sign::Signed)"),
    ("leb unsigned", "Variable(Sign::Unsigned)"),
    ("target", "Target"),
    ("kernel-symbol", "KernelSymbol"),
    ("kernel", "Kernel"),
    ("main", "Main"),
    ("config", "Config"),
    ("field", "Field"),
    ("get", "Get"),
    ("scope", "OpenScope"),
    ("ends", "CloseScope"),
    ("using", "Using"),
    ("unusing", "Unusing"),
    ("regvar", "RegisterVariables"),
    ("enum", "Enumerate"),
    ("note", "Note"),
];

/// The questions of `if` and `elseif`.
const CONDITIONS: [(&str, &str); 23] = [
    ("if", "NotZero"),
    ("ifne", "NotZero"),
    ("ifeq", "Zero"),
    ("ifge", "AtLeastZero"),
    ("ifgt", "AboveZero"),
    ("ifle", "AtMostZero"),
    ("iflt", "BelowZero"),
    ("ifb", "Blank"),
    ("ifnb", "NotBlank"),
    ("ifc", "SameText"),
    ("ifnc", "OtherText"),
    ("ifeqs", "SameString"),
    ("ifnes", "OtherString"),
    ("ifdef", "Defined"),
    ("ifndef", "NotDefined"),
    ("if32", "Bits32"),
    ("if64", "Bits64"),
    ("ifarch", "Architecture"),
    ("ifnarch", "OtherArchitecture"),
    ("ifgpu", "Chip"),
    ("ifngpu", "OtherChip"),
    ("iffmt", "Format"),
    ("ifnfmt", "OtherFormat"),
];

/// Returns all directives, and the index of their names.
pub(crate) fn code(data: &Path) -> Result<String, String> {
    let (mut rows, mut names) = (Vec::new(), Vec::<&str>::new());
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
    Ok(array("ROWS", "DirectiveInfo", &rows) + &index("INDEX", &names))
}

/// Returns a cell, `None` where it says nothing.
fn given<'a>(row: Row<'a>, column: &str) -> Result<Option<&'a str>, String> {
    row.cell(column).map(|cell| (cell != "-").then_some(cell))
}

/// Returns an action as code.
fn action(cell: &str) -> Option<String> {
    if let Some(action) = meaning(&ACTIONS, cell) {
        return Some(action.to_owned());
    }
    let (word, rest) = cell.split_once(' ')?;
    let number = || rest.parse::<u32>().ok();
    Some(match word {
        "if" => format!("If(Condition::{})", meaning(&CONDITIONS, rest)?),
        "elseif" => format!("ElseIf(Condition::{})", meaning(&CONDITIONS, rest)?),
        "data" => format!("Data({})", number()?),
        "asciz" => format!("Strings({}, Terminated::Yes)", number()?),
        "block" => format!("Block({rest:?})"),
        "text" => format!("Text({rest:?})"),
        _ => return None,
    })
}

fn meaning(words: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    words.iter().find(|it| it.0 == word).map(|it| it.1)
}
