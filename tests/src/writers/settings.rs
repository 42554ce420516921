//! Settings: files of inputs and of projects in TOML, and sections of editors in JSON.

use serde_json::{Map, Value};

use super::language::{EDGES, Language};
use crate::random_shaders::Numbers;

/// Bytes that a text has at most.
const LONGEST: usize = 4_000;

/// The parts that a file of inputs may hold, each once.
const INPUTS: &str = "lane = 2\ngrid = [2, 1, 1]\n[in]\n0 = [0.5, 0.25, 0.0, 1.0]\n\
    1 = [[0.0], [1.0], [2.0], [3.0]]\n[vertex.1]\n0 = [1.0, 0.0, 0.0, 1.0]\n[const]\n\
    0 = [[1.0, 2.0, 3.0, 4.0], [0x7fc00000, -1]]\n[sv]\n0 = [7]\n[framebuffer]\n0 = [0.0, 1.0]\n\
    [buf]\n0 = [1, 2, 3]\n[hwatomic]\n0 = [0, 0]\n[img.0]\nsize = [2, 2]\n\
    texels = [[1], [2], [3], [4]]\n[tex.0]\nsize = [4, 4]\nlevels = 3\nnumbers = \"unorm\"\nseed = 7\n\
    [tex.1]\nsize = [2, 1]\ntexels = [[[1.0], [0.5]]]\n[samp.0]\nwrap = [\"repeat\", \"clamp_to_edge\"]\n\
    min = \"linear\"\nmag = \"linear\"\nmip = \"nearest\"\nlod = [0.0, 4.0]\nbias = 0.5\n\
    compare = \"less\"\nborder = [0.0, 0.0, 0.0, 1.0]\n";

/// The parts that the file of a project may hold.
const PROJECT: &str = "targets = ['tahiti', 'vega10']\nexclude = ['a/**', '*.s']\ncompile = true\n\
    profile = 'r600'\nallow = ['tgsi::comment']\nllvm = 'libLLVM.so'\ncache = '/tmp/x'\n\
    trustedFolders = ['/']\n[tgsi]\ndialect = '2009'\n[severity]\n'tgsi::comment' = 'warning'\n\
    [format]\ninstructionNumbers = 'always'\n[inlayHints]\nvalues = false\nclocks = true\n[run]\n\
    inputs = 'a.toml'\nlane = 3\n[assembly]\ntarget = 'vega10'\ndialect = 'clrx'\n\
    includeFolders = ['inc', '../inc', '/etc']\nsymbols = ['size=4', 'x=0x10']\n[environment]\n\
    instances = 2\n'vertex.0' = 'r32_float'\n[[pipeline]]\nname = 'p'\nfiles = ['a.tgsi', 'b.tgsi']\n";

/// Words that settings are made of.
const WORDS: [&str; 28] = [
    "lane",
    "grid",
    "in",
    "vertex",
    "const",
    "sv",
    "framebuffer",
    "buf",
    "img",
    "tex",
    "samp",
    "size",
    "texels",
    "levels",
    "numbers",
    "wrap",
    "targets",
    "exclude",
    "profile",
    "allow",
    "severity",
    "assembly",
    "symbols",
    "environment",
    "pipelines",
    "run",
    "llvm",
    "cache",
];

fn value(random: &mut Numbers, depth: usize) -> String {
    match random.below(if depth > 3 { 3 } else { 7 }) {
        0 => random.one(&EDGES).to_owned(),
        1 => format!("'{}'", random.one(&WORDS)),
        2 => random
            .one(&["true", "nan", "-inf", "1979-05-27", "\"\\u0000\"", "0b1", "1_000"])
            .to_owned(),
        3 => format!("{{{} = {}}}", random.one(&WORDS), value(random, depth + 1)),
        _ => {
            let items: Vec<String> =
                (0..random.below(5)).map(|_| value(random, depth + 1)).collect();
            format!("[{}]", items.join(", "))
        }
    }
}

fn statement(random: &mut Numbers) -> String {
    let key = match random.below(3) {
        0 => random.one(&EDGES),
        _ => random.one(&WORDS),
    };
    match random.below(5) {
        0 => format!("[{}.{key}]", random.one(&WORDS)),
        1 => format!("[[{key}]]"),
        2 => format!("{}.{key} = {}", random.one(&WORDS), value(random, 0)),
        _ => format!("{key} = {}", value(random, 0)),
    }
}

/// Files of inputs like some sound ones.
pub fn inputs(texts: impl IntoIterator<Item = String>) -> Language {
    Language::new(texts.into_iter().chain([INPUTS.to_owned()]), statement, &[], LONGEST)
}

/// Files of projects.
pub fn project() -> Language {
    Language::new([PROJECT.to_owned()], statement, &[], LONGEST)
}

/// A section of an editor: a project's words as JSON, some with another value.
pub fn section(random: &mut Numbers) -> Value {
    const PARTS: [&str; 10] = [
        "tungsten",
        "targets",
        "inlayHints",
        "values",
        "format",
        "assembly",
        "severity",
        "exclude",
        "diagnostics",
        "environment",
    ];
    object(random, &PARTS, 0)
}

fn object(random: &mut Numbers, names: &[&str], depth: usize) -> Value {
    let mut all = Map::new();
    for _ in 0..random.below(7) {
        let name = match random.once_in(2) {
            true => random.one(&WORDS),
            false => names[random.below(names.len())],
        };
        all.insert(name.to_owned(), json(random, names, depth + 1));
    }
    Value::Object(all)
}

fn json(random: &mut Numbers, names: &[&str], depth: usize) -> Value {
    match random.below(if depth > 5 { 5 } else { 8 }) {
        0 => Value::Null,
        1 => Value::Bool(random.once_in(2)),
        2 => Value::from(random.one(&EDGES)),
        3 => random.one(&EDGES).parse::<i64>().map_or(Value::from(1.5e300), Value::from),
        4 => Value::from(random.one(&WORDS)),
        5 => (0..random.below(5)).map(|_| json(random, names, depth + 1)).collect(),
        _ => object(random, names, depth),
    }
}
