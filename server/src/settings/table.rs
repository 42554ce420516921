//! The settings, in the order of the pages.

use std::path::PathBuf;

use engine::environment_keys::{KEYS, SetError};
use engine::ide::{CostedLines, FormatNumbers, InlayHintKind};
use engine::{Budget, BudgetLimit};
use gcn::assembler::Dialect;
use serde_json::{Map, Value, json};
use source::Severity;

use super::{By, ChoiceWord, Noun, Nullable, Reading, Setting, SettingKind};
use crate::configuration::{
    Configuration, DiagnosticsScope, symbol, unknown_dialect, unknown_target,
};
use crate::{exclude, own_profiles};

/// The word for no reader in particular.
pub(crate) const ANY_DIALECT: &str = "auto";

/// Makes the switch of a kind of inlay hint, from its default.
macro_rules! hint {
    ($kind:ident, $default:literal) => {
        SettingKind::Switch {
            default: $default,
            put: |it, on| it.inlay_hints.kinds.extend(on.then_some(InlayHintKind::$kind)),
        }
    };
}

const fn choice(name: &'static str, text: &'static str, put: fn(&mut Configuration)) -> ChoiceWord {
    ChoiceWord { name, text, put }
}

/// Words for the severity of a diagnostic.
const SEVERITIES: [(&str, Severity); 3] =
    [("error", Severity::Error), ("warning", Severity::Warning), ("hint", Severity::Hint)];

/// A setting of the first version that editors and projects make.
const ANYONE: Setting = Setting {
    key: "",
    kind: SettingKind::Switch { default: false, put: |_, _| {} },
    by: By::Anyone,
    since: "0.1.0",
    text: "",
};

/// Every setting that the server reads. Clients have some of their own beside them.
pub(crate) const SETTINGS: &[Setting] = &[
    Setting {
        key: "targets",
        kind: SettingKind::List {
            of: Noun::Name,
            default: &["polaris10"],
            put: |it, name| match gcn::Target::find(name) {
                Some(target) if it.configuration.targets.contains(&target) => {}
                Some(target) => it.configuration.targets.push(target),
                None => it.problems.push(unknown_target(name)),
            },
        },
        text: "The chips to compile for: marketing or processor names, such as `tahiti`, `polaris10`, `vega10` or `gfx803`. The first is the one that hints and the compiled view show.",
        ..ANYONE
    },
    Setting {
        key: "compilers",
        kind: SettingKind::List {
            of: Noun::Name,
            default: &["llvm"],
            put: |it, name| match engine::Compiler::find(name) {
                Some(compiler) if it.configuration.compilers.contains(&compiler) => {}
                Some(compiler) => it.configuration.compilers.push(compiler),
                None => it
                    .problems
                    .push(format!("unknown compiler `{name}`; there are `llvm` and `aco`")),
            },
        },
        text: "The compilers: `llvm`, and `aco`, Mesa's, where its driver RADV is installed. The first is the one that hints and the compiled view show.",
        ..ANYONE
    },
    Setting {
        key: "compile",
        kind: SettingKind::Switch { default: true, put: |it, on| it.compile = on },
        text: "Compile shaders while they are edited. Without it, they are only checked.",
        ..ANYONE
    },
    Setting {
        key: "llvm",
        kind: SettingKind::Text { of: Noun::Path, default: None, known: Vec::new, put: |_, _| {} },
        by: By::User("`--llvm PATH` or TUNGSTEN_LLVM"),
        since: "0.1.0",
        text: "The `libLLVM` to compile with, or its folder. Without it, the newest one that is usable on this machine is taken. Only the user's settings count.",
    },
    Setting {
        key: "vrend",
        kind: SettingKind::Text { of: Noun::Path, default: None, known: Vec::new, put: |_, _| {} },
        by: By::User("TUNGSTEN_VREND"),
        since: "0.2.0",
        text: "The `virgl_test_server` that translates shaders to GLSL, or its folder. Without it, the one of this machine is taken. Only the user's settings count.",
    },
    Setting {
        key: "host",
        kind: SettingKind::Text {
            of: Noun::Name,
            default: None,
            known: Vec::new,
            put: |it, word| match word.parse::<vrend::Host>() {
                Ok(host) => it.configuration.rules.host = Some(host.to_string().into()),
                Err(error) => it.problems.push(error.to_string()),
            },
        },
        since: "0.2.0",
        text: "The host that virglrenderer hands GLSL to, such as `gl45` or `gles31`, with `-GL_EXTENSION` after it for each extension that it lacks. What it refuses is shown at the statements that made it. Without it, hosts are asked only where their GLSL is shown.",
        ..ANYONE
    },
    Setting {
        key: "cache",
        kind: SettingKind::SwitchOrPath { default: true, put: |it, on| it.cache = on },
        by: By::User("TUNGSTEN_CACHE"),
        since: "0.1.0",
        text: "Keep results of compiles on the disk, so that opening a file again compiles nothing. An absolute path names another folder for them than the system's. Only the user's settings count.",
    },
    Setting {
        key: "trustedFolders",
        kind: SettingKind::List { of: Noun::Path, default: &[], put: |_, _| {} },
        by: By::User("`--trust FOLDER`"),
        since: "0.1.0",
        text: "Folders from which files may be read that others name (includes, inputs, profiles), beside those of the workspace. Only the user's settings count.",
    },
    Setting {
        key: "profile",
        kind: SettingKind::Text {
            of: Noun::NameOrPath,
            default: None,
            known: Vec::new,
            put: |it, word| match own_profiles::find(word, it.access) {
                Ok((profile, unread)) => {
                    it.configuration.rules.profile = Some(profile);
                    it.problems.extend(unread);
                }
                Err(reason) => it.problems.push(reason.to_string()),
            },
        },
        text: "The driver that TGSI shaders are checked for: a name that `tungsten profiles` lists, such as `radeonsi-gfx8`, or a file of `name: value` lines. Without it, driver capabilities are not checked.",
        ..ANYONE
    },
    Setting {
        key: "tgsi.dialect",
        kind: SettingKind::Text {
            of: Noun::Name,
            default: Some(ANY_DIALECT),
            known: || tgsi::dialects::Dialect::all().iter().map(|it| it.name).collect(),
            put: |it, word| match tgsi::dialects::Dialect::find(word) {
                Some(dialect) => it.configuration.rules.dialect = Some(dialect),
                None => it.problems.push(unknown_dialect(word)),
            },
        },
        text: "The reader of TGSI that decides what is an error. `auto` takes what any of them reads, with hints where others refuse it.",
        ..ANYONE
    },
    Setting {
        key: "allow",
        kind: SettingKind::List {
            of: Noun::Code,
            default: &[],
            put: |it, code| it.configuration.rules.allow.push(code.to_owned()),
        },
        text: "Diagnostic codes to hide, such as `tgsi::comment`. Errors are always shown.",
        ..ANYONE
    },
    Setting {
        key: "severity",
        kind: SettingKind::Map {
            of: "codes",
            values: || json!({"additionalProperties": {"enum": SEVERITIES.map(|it| it.0)}}),
            put: |it, code, word| match SEVERITIES.iter().find(|(name, _)| word == name) {
                Some((_, severity)) => {
                    it.configuration.rules.severities.push((code.to_owned(), *severity));
                }
                None => it
                    .problems
                    .push(format!("`tungsten.severity.{code}` must be error, warning or hint")),
            },
        },
        text: "The severity of diagnostics, by their code, such as `\"tgsi::comment\": \"warning\"`. Errors stay errors.",
        ..ANYONE
    },
    Setting {
        key: "exclude",
        kind: SettingKind::List {
            of: Noun::Pattern,
            default: &[],
            put: |it, pattern| match exclude::problem(pattern) {
                Some(problem) => it.problems.push(format!("`tungsten.exclude`: {problem}")),
                None => it.configuration.exclude.push(pattern.to_owned()),
            },
        },
        text: "Files that are not checked with the others of a folder, and that nothing is looked for in, unless they are opened: patterns as in `.gitignore`, from the folder. What git ignores is left out anyway.",
        ..ANYONE
    },
    Setting {
        key: "diagnostics.scope",
        kind: SettingKind::Choice {
            nullable: Nullable::No,
            words: &[
                choice("open", "Those of open documents.", |it| it.scope = DiagnosticsScope::Open),
                choice("workspace", "Those of all files of the workspace's folders.", |it| {
                    it.scope = DiagnosticsScope::Workspace
                }),
            ],
        },
        by: By::Pushed,
        since: "0.1.0",
        text: "The files whose diagnostics are pushed to a client that does not pull.",
    },
    Setting {
        key: "format.instructionNumbers",
        kind: SettingKind::Choice {
            nullable: Nullable::No,
            words: &[
                choice("keep", "As most instructions of the shader have it.", |it| {
                    it.format = FormatNumbers::Keep
                }),
                choice("always", "Every instruction carries its number.", |it| {
                    it.format = FormatNumbers::Always
                }),
                choice("never", "No instruction carries one.", |it| {
                    it.format = FormatNumbers::Never
                }),
            ],
        },
        text: "Whether formatting puts the number before each TGSI instruction.",
        ..ANYONE
    },
    Setting {
        key: "inlayHints.lines",
        kind: SettingKind::Choice {
            nullable: Nullable::No,
            words: &[
                choice(
                    "important",
                    "Lines that stall, that cost most, or at which most registers are needed.",
                    |it| it.inlay_hints.lines = CostedLines::Important,
                ),
                choice("all", "Every line that became machine code.", |it| {
                    it.inlay_hints.lines = CostedLines::All
                }),
                choice("off", "None.", |it| it.inlay_hints.lines = CostedLines::Off),
            ],
        },
        since: "0.2.0",
        text: "The lines that show what they became and what they cost: machine instructions, clocks and registers.",
        ..ANYONE
    },
    Setting {
        key: "inlayHints.machineCode",
        kind: hint!(MachineCode, true),
        text: "Show how many machine instructions a line became.",
        ..ANYONE
    },
    Setting {
        key: "inlayHints.values",
        kind: hint!(Value, true),
        text: "Show what the numbers of immediates are when they are read as another type.",
        ..ANYONE
    },
    Setting {
        key: "inlayHints.run",
        kind: hint!(Run, true),
        text: "Show what each instruction wrote, in shaders with a line `# tungsten: run=FILE` that names a file of inputs, and in all where `run.inputs` is set.",
        ..ANYONE
    },
    Setting {
        key: "inlayHints.clocks",
        kind: hint!(Clocks, true),
        text: "Show the clocks of a line: `4+292 clk` is 4 to issue and 292 of stall.",
        ..ANYONE
    },
    Setting {
        key: "inlayHints.vectorRegisters",
        kind: hint!(VectorRegisters, true),
        text: "Show the vector registers of a line: `V 23/24` is 23 live and 24 allocated.",
        ..ANYONE
    },
    Setting {
        key: "inlayHints.scalarRegisters",
        kind: hint!(ScalarRegisters, false),
        text: "Show the scalar registers of a line in the same way: `S 12/16`.",
        ..ANYONE
    },
    Setting {
        key: "run.inputs",
        kind: SettingKind::Text {
            of: Noun::Path,
            default: None,
            known: Vec::new,
            put: |it, name| it.configuration.run.inputs = Some(name.to_owned()),
        },
        text: "The file of inputs that shaders are run on which name none themselves, by a path or by a name that is looked for around them. The values are shown beside the instructions.",
        ..ANYONE
    },
    Setting {
        key: "run.lane",
        kind: SettingKind::Number {
            of: "the number of a lane",
            default: None,
            put: |it, lane| it.run.lane = Some(lane.into()),
        },
        text: "The lane whose values are shown beside the instructions, from 0: a pixel of the quad, a vertex, a thread. Without it the file of inputs says which; a line `# tungsten: lane=N` counts more.",
        ..ANYONE
    },
    Setting {
        key: "assembly.target",
        kind: SettingKind::Text {
            of: Noun::Name,
            default: None,
            known: Vec::new,
            put: |it, name| match gcn::Target::find(name) {
                Some(target) => it.configuration.assembly.target = Some(target),
                None => it.problems.push(unknown_target(name)),
            },
        },
        text: "The chip of assembly files that name none, neither by a directive nor in their file name: `vega10`, `gfx803`.",
        ..ANYONE
    },
    Setting {
        key: "assembly.dialect",
        kind: SettingKind::Choice {
            nullable: Nullable::Yes,
            words: &[
                choice("llvm", "As LLVM reads it.", |it| it.assembly.dialect = Some(Dialect::Llvm)),
                choice("clrx", "As CLRX reads it.", |it| it.assembly.dialect = Some(Dialect::Clrx)),
            ],
        },
        text: "The language of every assembly file. Without it, each file shows its own.",
        ..ANYONE
    },
    Setting {
        key: "assembly.includeFolders",
        kind: SettingKind::List {
            of: Noun::Path,
            default: &[],
            put: |it, folder| it.configuration.include_folders.push(PathBuf::from(folder)),
        },
        text: "Where files named by `.include` are looked for, after the folders around the including file.",
        ..ANYONE
    },
    Setting {
        key: "assembly.symbols",
        kind: SettingKind::List {
            of: Noun::Symbol,
            default: &[],
            put: |it, definition| match symbol(definition) {
                Ok(symbol) => it.configuration.assembly.symbols.push(symbol),
                Err(reason) => it
                    .problems
                    .push(format!("`tungsten.assembly.symbols`: \"{definition}\": {reason}")),
            },
        },
        text: "Symbols of assembly files that have a value from the start, as a command line gives them: `NAME=VALUE`, such as `ARCH=803` or `MASK=0xff`.",
        ..ANYONE
    },
    Setting {
        key: "environment",
        kind: SettingKind::Map { of: "parts of the state", values: state_schema, put: environment },
        text: "The state that shaders are compiled for, in the words of `# tungsten:` lines, such as `{\"vertex-format\": \"r8g8b8a8_unorm\", \"alpha-test\": \"greater\"}`.",
        ..ANYONE
    },
    Setting {
        key: "advice.seconds",
        kind: SettingKind::Number {
            of: "a number of seconds",
            default: Some(10),
            put: |it, seconds| it.advice_seconds = seconds.into(),
        },
        since: "0.2.0",
        text: "How long *Find a Faster Form* searches at most, up to 600 seconds. The proof of what was found comes on top. With 0 it is not offered.",
        ..ANYONE
    },
    Setting {
        key: "budget.waves",
        kind: SettingKind::Map {
            of: "chips",
            values: numbers,
            put: |it, chip, value| budget(it, "waves", (chip, value), BudgetLimit::Waves),
        },
        since: "0.2.0",
        text: "The fewest waves of a SIMD that every shader and kernel must have on a chip, such as `{\"polaris10\": 8}`. `tungsten check` compiles shaders for these chips.",
        ..ANYONE
    },
    Setting {
        key: "budget.vgprs",
        kind: SettingKind::Map {
            of: "chips",
            values: numbers,
            put: |it, chip, value| budget(it, "vgprs", (chip, value), BudgetLimit::Vgprs),
        },
        since: "0.2.0",
        text: "The most vector registers that a shader or kernel may use on a chip.",
        ..ANYONE
    },
    Setting {
        key: "budget.clocks",
        kind: SettingKind::Map {
            of: "chips",
            values: numbers,
            put: |it, chip, value| budget(it, "clocks", (chip, value), BudgetLimit::Clocks),
        },
        since: "0.2.0",
        text: "The most clocks that a wave alone may take on a chip, in the model of time.",
        ..ANYONE
    },
];

/// Whole numbers by names.
fn numbers() -> Value {
    json!({"additionalProperties": {"type": "integer", "minimum": 0}})
}

/// Takes a limit for what code costs on a chip.
fn budget(
    reading: &mut Reading<'_>,
    figure: &str,
    (chip, value): (&str, &Value),
    limit: fn(u32) -> BudgetLimit,
) {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    match (gcn::Target::find(chip), number) {
        (None, _) => reading.problems.push(unknown_target(chip)),
        (_, None) => {
            let problem = format!("`tungsten.budget.{figure}.{chip}` must be a whole number");
            reading.problems.push(problem);
        }
        (Some(target), Some(number)) => {
            reading.configuration.budgets.push(Budget { target, limit: limit(number) });
        }
    }
}

/// Each part of the state with its sentence.
fn state_schema() -> Value {
    let types = json!(["string", "number", "boolean", "array"]);
    let keys = KEYS.iter().map(|key| {
        let text = format!("{} Takes {}.", key.description, key.values.text());
        (key.name.to_owned(), json!({"type": types, "description": text}))
    });
    json!({"additionalProperties": false, "properties": keys.collect::<Map<_, _>>()})
}

/// Takes a part of the state that shaders are compiled for.
fn environment(reading: &mut Reading<'_>, key: &str, value: &Value) {
    let set = match environment_word(value) {
        Some(word) => reading.configuration.environment.set(key, &word),
        None => Err(SetError::BadValue("a word, a number or a list".to_owned())),
    };
    match set {
        Ok(()) => {}
        Err(SetError::BadValue(wanted)) => {
            reading.problems.push(format!("`tungsten.environment.{key}` must be {wanted}"));
        }
        Err(SetError::UnknownKey) => {
            let nearest = source::closest_match(key, KEYS.iter().map(|known| known.name));
            let nearest = nearest.map(|it| format!("; `{it}`?")).unwrap_or_default();
            reading.problems.push(format!("no part of the state is called `{key}`{nearest}"));
        }
    }
}

/// A value as the lines of settings in files spell it.
fn environment_word(value: &Value) -> Option<String> {
    Some(match value {
        Value::Bool(true) => "on".to_owned(),
        Value::Bool(false) => "off".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(word) => word.clone(),
        Value::Array(items) if items.iter().all(|item| !item.is_array()) => {
            let words: Option<Vec<String>> = items.iter().map(environment_word).collect();
            words?.join(",")
        }
        Value::Array(_) | Value::Null | Value::Object(_) => return None,
    })
}
