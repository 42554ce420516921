//! Tables of the questions to drivers and their answers, and the formats of images.

use std::collections::BTreeMap;
use std::path::Path;

use tables::print::{array, index, strings};
use tables::{Result, Row, Table};

use crate::answer::Answer;
use crate::words::Words;

const CHANNELS: [(&str, &str); 9] = [
    ("x", "Padding"),
    ("f", "Float"),
    ("h", "Fixed"),
    ("s", "SignedScaled"),
    ("sn", "SignedNormalized"),
    ("sp", "Signed"),
    ("u", "UnsignedScaled"),
    ("un", "UnsignedNormalized"),
    ("up", "Unsigned"),
];

/// Returns the formats of images, with indexes of their names as written and in capitals.
pub(crate) fn formats(data: &Path) -> Result<String> {
    let table = Table::read(data, "formats.tsv")?;
    let (mut rows, mut names, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for row in table.rows() {
        let name = row.cell("format")?;
        if names.contains(&name) {
            return Err(row.error("this format stands twice"));
        }
        names.push(name);
        upper.push(name.to_ascii_uppercase());
        let mut channels = String::new();
        for column in ["channel0", "channel1", "channel2", "channel3"] {
            if !row.cell(column)?.is_empty() {
                channels += &channel(row, column)?;
            }
        }
        let mut block = [0_u32; 3];
        for (size, column) in block.iter_mut().zip(["block_width", "block_height", "block_depth"]) {
            *size = row.number(column)?;
        }
        rows.push(format!(
            "    Format {{ name: {name:?}, color_space: {:?}, {}block: {block:?}, \
             channels: &[{channels}] }},\n",
            row.cell("colorspace")?,
            strings(row, &["layout", "swizzle", "source"])?,
        ));
    }
    Ok(array("ROWS", "Format", &rows) + &index("INDEX", &names) + &index("UPPER", &upper))
}

/// Returns a channel as code: `un8` is the kind's letters, then the bits. `n` is
/// normalised, `p` a pure integer; a number without either is scaled.
fn channel(row: Row<'_>, column: &str) -> Result<String> {
    let cell = row.cell(column)?;
    let digits = cell.find(|sign: char| sign.is_ascii_digit());
    let (kind, bits) = cell.split_at(digits.ok_or_else(|| row.refuse(column))?);
    let kind = CHANNELS.iter().find(|it| it.0 == kind).ok_or_else(|| row.refuse(column))?;
    let bits: u16 = bits.parse().map_err(|_| row.refuse(column))?;
    Ok(format!("Channel {{ kind: ChannelKind::{}, bits: {bits} }}, ", kind.1))
}

/// Returns the capabilities, and which rows name a word.
pub(crate) fn capabilities(data: &Path, words: &Words) -> Result<String> {
    let table = Table::read(data, "capabilities.tsv")?;
    let mut rows = Vec::new();
    let mut named: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    let kinds = [("need", "Need"), ("limit", "Limit"), ("choice", "Choice")];
    for (place, row) in table.rows().enumerate() {
        let list = row.cell("list")?;
        let all: Vec<&str> = row.words("words")?.collect();
        for word in &all {
            if !words.has(list, word) {
                return Err(row.error(format!("no {list} `{word}`")));
            }
            named.entry((list, word)).or_default().push(place);
        }
        rows.push(format!(
            "    Capability {{ name: {:?}, kind: CapabilityKind::{}, words: &{all:?}, {}}},\n",
            row.cell("capability")?,
            row.one_of("kind", &kinds)?,
            strings(row, &["list", "when", "source"])?,
        ));
    }
    let names: Vec<String> = named.keys().map(|(list, word)| tables::pair(list, word)).collect();
    let places: Vec<String> = named
        .iter()
        .map(|((list, word), places)| format!("    ({list:?}, {word:?}, &{places:?}),\n"))
        .collect();
    Ok(array("ROWS", "Capability", &rows)
        + &array("WORDS", "(&str, &str, &[usize])", &places)
        + &index("INDEX", &names))
}

/// Returns the shipped profiles, each with its answers by question.
pub(crate) fn profiles(data: &Path, words: &Words) -> Result<String> {
    let heads = Table::read(data, "profiles.tsv")?;
    let table = Table::read(data, "profile_answers.tsv")?;
    let mut answers: BTreeMap<&str, BTreeMap<&str, Vec<String>>> = BTreeMap::new();
    for row in heads.rows() {
        answers.insert(row.cell("profile")?, BTreeMap::new());
    }
    for row in table.rows() {
        let mut stages = Vec::new();
        match row.cell("stages")? {
            "-" | "any" => stages.push("None".to_owned()),
            list => {
                for word in list.split(' ') {
                    let stage = words.variant("stage", word).ok_or_else(|| row.refuse("stages"))?;
                    stages.push(format!("Some({stage})"));
                }
            }
        }
        let answer = row.named("answer", Answer::parse)?;
        for name in row.words("profiles")? {
            let of = answers.get_mut(name).ok_or_else(|| row.error(format!("no `{name}`")))?;
            let known = of.entry(row.cell("capability")?).or_default();
            for stage in &stages {
                let own = format!("({stage}, ");
                if known.iter().any(|it| it.starts_with(&own)) {
                    return Err(row.error(format!("`{name}` has another answer")));
                }
                known.push(format!("{own}{answer:?}), "));
            }
        }
    }
    let mut profiles = Vec::new();
    for row in heads.rows() {
        let name = row.cell("profile")?;
        let questions: String = answers[name]
            .iter()
            .map(|(capability, answers)| format!("({capability:?}, &[{}]), ", answers.concat()))
            .collect();
        let columns = ["profile", "driver", "description", "assumes", "date", "source"];
        let texts: Result<Vec<&str>> = columns.map(|it| row.cell(it)).into_iter().collect();
        profiles.push(format!("    ({:?}, &[{questions}]),\n", texts?));
    }
    Ok(array("TABLE", "([&str; 6], Questions)", &profiles))
}
