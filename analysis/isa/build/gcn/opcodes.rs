//! The opcodes: the enum, its rows, and the index of its names.

use std::path::Path;

use tables::print::{array, index};

use super::chips::Features;
use super::when::When;
use crate::plain::encoding::{Encoding, OpEncoding};
use tables::{Result, Row, Table};

/// An opcode.
pub(crate) struct Op {
    pub(crate) name: String,
    /// Other spellings of it.
    pub(crate) aliases: Vec<String>,
    pub(crate) source: String,
    /// Its effect in a sentence, as documentation.
    pub(crate) summary: String,
    /// Says where it is, for the chips of an expression.
    pub(crate) encodings: Vec<(When, Vec<OpEncoding>)>,
}

impl Op {
    /// Returns its numbers on chips with these features; none where they lack it.
    pub(crate) fn encodings(&self, features: u64) -> &[OpEncoding] {
        let found = self.encodings.iter().find(|(when, _)| when.holds(features));
        found.map_or(&[], |(_, encodings)| encodings)
    }
}

/// Finds the number of the opcode that has a name, or that another spelling stands for.
pub(crate) fn find(ops: &[Op], name: &str) -> Option<usize> {
    ops.iter().position(|op| op.name == name || op.aliases.iter().any(|it| it == name))
}

/// Returns the opcodes and the code for them.
pub(crate) fn read(data: &Path, features: &Features) -> Result<(Vec<Op>, String)> {
    let table = Table::read(data, "gcn/opcodes.tsv")?;
    let mut ops: Vec<Op> = Vec::new();
    let (mut variants, mut rows) = (String::new(), Vec::new());
    let mut aliases: Vec<(&str, usize)> = Vec::new();
    for row in table.rows() {
        let (name, summary) = (row.cell("name")?, row.cell("summary")?);
        if ops.last().is_some_and(|last| last.name.as_str() >= name) {
            return Err(row.error("the rows are in the order of the alphabet"));
        }
        if summary.is_empty() {
            return Err(row.refuse("summary"));
        }
        let number = ops.len();
        let llvm: Vec<&str> =
            row.words("aliases")?.filter_map(|it| it.strip_prefix("llvm:")).collect();
        let own: Vec<&str> =
            row.words("aliases")?.map(|it| it.strip_prefix("llvm:").unwrap_or(it)).collect();
        aliases.extend(own.iter().map(|alias| (*alias, number)));
        let encodings = encodings(row, features)?;
        let print = |(when, encodings): &(When, Vec<OpEncoding>)| {
            format!("({}, &{encodings:?}), ", when.code())
        };
        let printed: String = encodings.iter().map(print).collect();
        let source = row.cell("source")?;
        let doc = summary.replace('[', "\\[").replace('<', "\\<");
        variants += &format!("    #[doc = {doc:?}]\n    {name},\n");
        rows.push(format!(
            "    OpInfo {{ opcode: Opcode::{name}, name: {name:?}, aliases: &{own:?}, \
             llvm_aliases: &{llvm:?}, summary: \
             {summary:?}, source: {source:?}, encodings: &[{printed}] }},\n"
        ));
        let (name, source) = (name.to_owned(), source.to_owned());
        let aliases = own.into_iter().map(str::to_owned).collect();
        ops.push(Op { name, aliases, source, summary: doc, encodings });
    }
    let mut names: Vec<&str> = ops.iter().map(|op| op.name.as_str()).collect();
    names.extend(aliases.iter().map(|alias| alias.0));
    let mut sorted = names.clone();
    sorted.sort_unstable();
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("gcn/opcodes.tsv: `{}` stands twice", twice[0]).into());
    }
    let code = format!(
        "/// An opcode of GCN, spelled as the manuals spell it.\n\
         #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n\
         #[repr(u16)]\n\
         #[expect(non_camel_case_types, reason = \"an opcode is spelled as the manuals spell it\")]\n\
         pub enum Opcode {{\n{variants}}}\n\
         pub(super) {}{}\
         static ALIASES: [(&str, u16); {}] = {aliases:?};\n",
        array("ROWS", "OpInfo", &rows),
        index("INDEX", &names),
        aliases.len(),
    );
    Ok((ops, code))
}

/// Reads `gfx6..gfx7 VOP2:3 VOP3:259; gfx8..gfx9 VOP2:1+dpp+sdwa VOP3:257`.
fn encodings(row: Row<'_>, features: &Features) -> Result<Vec<(When, Vec<OpEncoding>)>> {
    let cell = row.cell("encodings")?;
    cell.split("; ")
        .map(|part| {
            let first = part.split(' ').position(|word| word.contains(':'));
            let words: Vec<&str> = part.split(' ').collect();
            let (when, encodings) = words.split_at(first.ok_or_else(|| row.refuse("encodings"))?);
            let when = features.expression(row, "encodings", &when.join(" "))?;
            let encodings = encodings.iter().map(|word| place(word));
            let encodings = encodings.collect::<Option<Vec<OpEncoding>>>();
            Ok((when, encodings.ok_or_else(|| row.refuse("encodings"))?))
        })
        .collect()
}

fn place(word: &str) -> Option<OpEncoding> {
    let (place, also) = word.split_once('+').unwrap_or((word, ""));
    let (encoding, number) = place.split_once(':')?;
    let known = |word: &str| matches!(word, "" | "dpp" | "sdwa");
    if !also.split('+').all(known) {
        return None;
    }
    Some(OpEncoding {
        encoding: Encoding::named(encoding)?,
        opcode: number.parse().ok()?,
        dpp: also.split('+').any(|word| word == "dpp"),
        sdwa: also.split('+').any(|word| word == "sdwa"),
    })
}
