//! GCN assembly by its tables: forms of instructions, directives with arguments, macros
//! and their calls, symbols and expressions.

use std::io::Read as _;
use std::sync::LazyLock;

use gcn::describe::{DirectiveInfo, directives};

use super::language::{EDGES, Language};
use crate::random_shaders::Numbers;

/// Bytes that a text has at most.
const LONGEST: usize = 8_000;

/// Lines of every form of some chips, packed.
const FORMS: [&[u8]; 4] = [
    include_bytes!("../../data/judged/gcn-gfx600.tsv.gz"),
    include_bytes!("../../data/judged/gcn-gfx803.tsv.gz"),
    include_bytes!("../../data/judged/gcn-gfx908.tsv.gz"),
    include_bytes!("../../data/judged/clrx-gfx803.tsv.gz"),
];

/// Of the lines of a chip one of so many is taken.
const STEP: usize = 40;

const BLOCKS: [(&str, &str); 9] = [
    (".if 1", ".else\n.endif"),
    (".ifdef x", ".endif"),
    (".rept 3", ".endr"),
    (".irp r, 1, 2, v3", "v_mov_b32 v\\r, \\r\n.endr"),
    (".macro m a, b=2, c:vararg", "m \\a, \\b, \\c\n.endm"),
    (".for i=0, i<4, i+1", ".endr"),
    (".scope s", ".ends"),
    ("/*", "*/"),
    (".amdhsa_kernel k", ".end_amdhsa_kernel"),
];

const NAMES: [&str; 16] = [
    "x", "y", "a", "b", "main", "loop", "1b", "1f", ".", "\\a", "\\@", "k", "s", "v", "%x",
    "::s::x",
];

/// Texts like some sound ones.
pub fn language(texts: Vec<String>) -> Language {
    Language::new(texts, statement, &BLOCKS, LONGEST)
}

static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let lines = FORMS.iter().flat_map(|packed| {
        let mut text = String::new();
        let read = flate2::read::GzDecoder::new(*packed).read_to_string(&mut text);
        assert!(read.is_ok(), "{read:?}");
        let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1).step_by(STEP);
        lines.filter_map(|line| Some(line.split('\t').next()?.to_owned())).collect::<Vec<_>>()
    });
    lines.collect()
});

fn number(random: &mut Numbers) -> String {
    match random.once_in(4) {
        true => random.one(&EDGES).to_owned(),
        false => random.below(70).to_string(),
    }
}

/// An expression, not too deep.
fn expression(random: &mut Numbers, depth: usize) -> String {
    const OPERATORS: [&str; 18] = [
        "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "==", "!=", "<", ">=",
        "//", "%%",
    ];
    match random.below(if depth > 4 { 2 } else { 7 }) {
        0 => number(random),
        1 => random.one(&NAMES).to_owned(),
        2 => format!("({})", expression(random, depth + 1)),
        3 => random.one(&["-", "~", "!", "+"]).to_owned() + &expression(random, depth + 1),
        4 => format!(
            "{} ? {} : {}",
            expression(random, depth + 1),
            expression(random, depth + 1),
            expression(random, depth + 1),
        ),
        _ => {
            let operator = random.one(&OPERATORS);
            format!("{}{operator}{}", expression(random, depth + 1), expression(random, depth + 1))
        }
    }
}

fn argument(random: &mut Numbers) -> String {
    match random.below(8) {
        0 => "\"a\\x41\\n\"".to_owned(),
        1 => random.one(&NAMES).to_owned(),
        2 => format!("{}:vararg", random.one(&NAMES)),
        3 => format!("{}={}", random.one(&NAMES), number(random)),
        4 => format!("v[{}:{}]", number(random), number(random)),
        _ => expression(random, 0),
    }
}

fn directive(random: &mut Numbers) -> String {
    let all = directives();
    let DirectiveInfo { name, example, .. } = &all[random.below(all.len())];
    if let Some(example) = example
        && random.once_in(2)
    {
        return (*example).to_owned();
    }
    let arguments: Vec<String> = (0..random.below(4)).map(|_| argument(random)).collect();
    format!("{name} {}", arguments.join(random.one(&[", ", ",", " "])))
}

fn statement(random: &mut Numbers) -> String {
    match random.below(12) {
        0..=2 => directive(random),
        3 => format!("{}:", random.one(&["x", "y", "main", "loop", "1", "2"])),
        4 => format!("{} = {}", random.one(&["x", "y", "a", "b"]), expression(random, 0)),
        5 => {
            let arguments: Vec<String> = (0..random.below(4)).map(|_| argument(random)).collect();
            format!("{} {}", random.one(&["m", "step", "twice"]), arguments.join(", "))
        }
        _ => LINES[random.below(LINES.len())].clone(),
    }
}
