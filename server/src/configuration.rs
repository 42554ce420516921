//! What the user set: the section `tungsten` of an editor, and the same words in
//! the file of a project.

use std::path::PathBuf;

use engine::environment_keys::{KEYS as ENVIRONMENT_KEYS, SetError};
use engine::ide::{FormatNumbers, FormatOptions, InlayHintKind};
use engine::{AssemblySettings, Environment, RuleSettings, RunSettings};
use gcn::assembler::Dialect;
use serde_json::Value;
use text::Severity;

use crate::exclude;
use crate::files::Access;
use crate::own_profiles;

/// The section's name.
pub(crate) const SECTION: &str = "tungsten";

/// Every key of the section that a project's file may hold, as JSON pointers; `*`
/// is any word.
pub(crate) const KEYS: &[&str] = &[
    "/targets",
    "/exclude",
    "/compile",
    "/profile",
    "/tgsi/dialect",
    "/allow",
    "/severity/*",
    "/format/instructionNumbers",
    "/inlayHints/machineCode",
    "/inlayHints/values",
    "/inlayHints/run",
    "/run/inputs",
    "/run/lane",
    "/inlayHints/clocks",
    "/inlayHints/vectorRegisters",
    "/inlayHints/scalarRegisters",
    "/assembly/target",
    "/assembly/dialect",
    "/assembly/includeFolders",
    "/assembly/symbols",
    "/environment/*",
];

/// The words for how grave a finding is.
const SEVERITIES: [(&str, Severity); 3] =
    [("error", Severity::Error), ("warning", Severity::Warning), ("hint", Severity::Hint)];

/// What the user set, with defaults for the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Configuration {
    /// The targets that shaders are compiled for, without repetition.
    pub(crate) targets: Vec<gcn::Target>,
    /// Whether shaders are compiled.
    pub(crate) compile: bool,
    /// Whether results of compiles are kept. A project has no say in it.
    pub(crate) cache: bool,
    /// How requests for a layout lay out.
    pub(crate) format: FormatOptions,
    /// The kinds of inlay hints that are shown.
    pub(crate) inlay_hints: Vec<InlayHintKind>,
    /// What is set for assembly files.
    pub(crate) assembly: AssemblySettings,
    /// Whose findings a client is told that is pushed to. A project has no say in it.
    pub(crate) scope: FindingsScope,
    /// Folders to look in for included files.
    pub(crate) include_folders: Vec<PathBuf>,
    /// Files that are not looked at with the others of a folder, as [`crate::exclude`]
    /// reads them.
    pub(crate) exclude: Vec<String>,
    /// The driver that shaders are judged for, and findings that are not shown.
    pub(crate) rules: RuleSettings,
    /// The state that shaders are compiled for.
    pub(crate) environment: Environment,
    /// On what shaders are run that do not say it.
    pub(crate) run: RunSettings,
}

/// Whose findings are told unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FindingsScope {
    /// Those of open documents.
    Open,
    /// Those of all files of the workspace's folders, too.
    Workspace,
}

/// Kinds of inlay hints, their switches in the settings, and whether they are shown
/// without a word of the user.
const INLAY_HINTS: [(&str, InlayHintKind, bool); 6] = [
    ("machineCode", InlayHintKind::MachineCode, true),
    ("values", InlayHintKind::Value, true),
    ("run", InlayHintKind::Run, true),
    ("clocks", InlayHintKind::Clocks, true),
    ("vectorRegisters", InlayHintKind::VectorRegisters, true),
    ("scalarRegisters", InlayHintKind::ScalarRegisters, false),
];

/// Which instructions carry their number, by the setting's words.
const INSTRUCTION_NUMBERS: [(&str, FormatNumbers); 3] = [
    ("keep", FormatNumbers::Keep),
    ("always", FormatNumbers::Always),
    ("never", FormatNumbers::Never),
];

impl Default for Configuration {
    fn default() -> Configuration {
        Configuration {
            targets: vec![gcn::Target::default()],
            compile: true,
            cache: true,
            format: FormatOptions::default(),
            inlay_hints: INLAY_HINTS
                .iter()
                .filter_map(|(_, kind, shown)| shown.then_some(*kind))
                .collect(),
            assembly: AssemblySettings::default(),
            scope: FindingsScope::Open,
            include_folders: Vec::new(),
            exclude: Vec::new(),
            rules: RuleSettings::default(),
            environment: Environment::default(),
            run: RunSettings::default(),
        }
    }
}

impl Configuration {
    /// Reads the section, or an object that holds it, and the file of a profile that it
    /// names, as far as `access` reaches. Returns the settings and a sentence for each
    /// value that was not understood and is not used.
    pub(crate) fn read(value: &Value, access: &Access) -> (Configuration, Vec<String>) {
        let section = value.get(SECTION).unwrap_or(value);
        let mut configuration = Configuration::default();
        let mut problems = Vec::new();
        match section.get("targets") {
            None | Some(Value::Null) => {}
            Some(Value::Array(names)) => {
                let targets = read_targets(names, &mut problems);
                if !targets.is_empty() {
                    configuration.targets = targets;
                }
            }
            Some(_) => problems.push("`tungsten.targets` must be a list of names".to_owned()),
        }
        match section.get("cache") {
            // A folder is the user's to name, elsewhere.
            None | Some(Value::Null | Value::Bool(true) | Value::String(_)) => {}
            Some(Value::Bool(false)) => configuration.cache = false,
            Some(_) => problems.push("`tungsten.cache` must be true or false".to_owned()),
        }
        let mut switch = |place: &str, name: &str, default| match section.pointer(place) {
            None | Some(Value::Null) => default,
            Some(Value::Bool(on)) => *on,
            Some(_) => {
                problems.push(format!("`tungsten.{name}` must be true or false"));
                default
            }
        };
        configuration.compile = switch("/compile", "compile", true);
        let shown = INLAY_HINTS.iter().filter(|(word, _, shown)| {
            switch(&format!("/inlayHints/{word}"), &format!("inlayHints.{word}"), *shown)
        });
        configuration.inlay_hints = shown.map(|(_, kind, _)| *kind).collect();
        match section.pointer("/format/instructionNumbers") {
            None | Some(Value::Null) => {}
            Some(value) => {
                let word = value.as_str().unwrap_or_default();
                match INSTRUCTION_NUMBERS.iter().find(|(name, _)| *name == word) {
                    Some((_, numbers)) => configuration.format.numbers = *numbers,
                    None => problems.push(
                        "`tungsten.format.instructionNumbers` must be keep, always or never"
                            .to_owned(),
                    ),
                }
            }
        }
        match &section["diagnostics"]["scope"] {
            Value::Null => {}
            word if word == "open" => {}
            word if word == "workspace" => configuration.scope = FindingsScope::Workspace,
            _ => problems.push("`tungsten.diagnostics.scope` must be open or workspace".to_owned()),
        }
        match &section["exclude"] {
            Value::Null => {}
            Value::Array(patterns) if patterns.iter().all(Value::is_string) => {
                for pattern in patterns.iter().filter_map(Value::as_str) {
                    match exclude::problem(pattern) {
                        Some(problem) => problems.push(format!("`tungsten.exclude`: {problem}")),
                        None => configuration.exclude.push(pattern.to_owned()),
                    }
                }
            }
            _ => problems.push("`tungsten.exclude` must be a list of patterns".to_owned()),
        }
        configuration.read_assembly(&section["assembly"], &mut problems);
        configuration.read_rules(section, access, &mut problems);
        configuration.read_environment(&section["environment"], &mut problems);
        configuration.read_run(&section["run"], &mut problems);
        (configuration, problems)
    }
}

impl Configuration {
    /// Reads what is judged beside the rules of the languages.
    fn read_rules(&mut self, section: &Value, access: &Access, problems: &mut Vec<String>) {
        match &section["profile"] {
            Value::Null => {}
            Value::String(word) if word.is_empty() => {}
            Value::String(word) => match own_profiles::find(word, access) {
                Ok((profile, unread)) => {
                    self.rules.profile = Some(profile);
                    problems.extend(unread);
                }
                Err(message) => problems.push(message),
            },
            _ => problems.push("`tungsten.profile` must be a name, a path or null".to_owned()),
        }
        match &section["tgsi"]["dialect"] {
            Value::Null => {}
            Value::String(word) if word.is_empty() || word == ANY_DIALECT => {}
            Value::String(word) => match tgsi::dialects::Dialect::find(word) {
                Some(dialect) => self.rules.dialect = Some(dialect),
                None => problems.push(unknown_dialect(word)),
            },
            _ => problems.push("`tungsten.tgsi.dialect` must be a name or null".to_owned()),
        }
        match &section["allow"] {
            Value::Null => {}
            Value::Array(codes) if codes.iter().all(Value::is_string) => {
                let codes = codes.iter().filter_map(Value::as_str);
                self.rules.allow = codes.map(str::to_owned).collect();
            }
            _ => problems.push("`tungsten.allow` must be a list of codes".to_owned()),
        }
        match &section["severity"] {
            Value::Null => {}
            Value::Object(codes) => {
                for (code, word) in codes {
                    let found = SEVERITIES.iter().find(|(name, _)| word == name);
                    match found {
                        Some((_, severity)) => {
                            self.rules.severities.push((code.clone(), *severity));
                        }
                        None => problems.push(format!(
                            "`tungsten.severity.{code}` must be error, warning or hint"
                        )),
                    }
                }
            }
            _ => problems.push("`tungsten.severity` must name codes".to_owned()),
        }
    }

    /// Reads the state that shaders are compiled for.
    fn read_environment(&mut self, section: &Value, problems: &mut Vec<String>) {
        let keys = match section {
            Value::Null => return,
            Value::Object(keys) => keys,
            _ => {
                problems.push("`tungsten.environment` must name parts of the state".to_owned());
                return;
            }
        };
        for (key, value) in keys {
            let set = match environment_word(value) {
                Some(word) => self.environment.set(key, &word),
                None => Err(SetError::BadValue("a word, a number or a list".to_owned())),
            };
            match set {
                Ok(()) => {}
                Err(SetError::BadValue(wanted)) => {
                    problems.push(format!("`tungsten.environment.{key}` must be {wanted}"));
                }
                Err(SetError::UnknownKey) => {
                    let known = ENVIRONMENT_KEYS.iter().map(|known| known.name);
                    let nearest = text::nearest(key, known);
                    let nearest = nearest.map(|it| format!("; `{it}`?")).unwrap_or_default();
                    problems.push(format!("no part of the state is called `{key}`{nearest}"));
                }
            }
        }
    }

    /// Reads on what shaders are run.
    fn read_run(&mut self, section: &Value, problems: &mut Vec<String>) {
        match &section["inputs"] {
            Value::Null => {}
            Value::String(name) if name.is_empty() => {}
            Value::String(name) => self.run.inputs = Some(name.clone()),
            _ => problems.push("`tungsten.run.inputs` must be a path or null".to_owned()),
        }
        match &section["lane"] {
            Value::Null => {}
            value => match value.as_u64().and_then(|lane| u16::try_from(lane).ok()) {
                Some(lane) => self.run.lane = Some(lane.into()),
                None => problems.push(
                    "`tungsten.run.lane` must be the number of a lane, from 0, or null".to_owned(),
                ),
            },
        }
    }

    /// Reads what is set for assembly files.
    fn read_assembly(&mut self, section: &Value, problems: &mut Vec<String>) {
        match &section["target"] {
            Value::Null => {}
            Value::String(name) if name.is_empty() => {}
            Value::String(name) => match gcn::Target::find(name) {
                Some(target) => self.assembly.target = Some(target),
                None => problems.push(unknown_target(name)),
            },
            _ => problems.push("`tungsten.assembly.target` must be a name or null".to_owned()),
        }
        match &section["symbols"] {
            Value::Null => {}
            Value::Array(definitions) => {
                for definition in definitions {
                    match symbol(definition.as_str().unwrap_or_default()) {
                        Ok(symbol) => self.assembly.symbols.push(symbol),
                        Err(reason) => problems
                            .push(format!("`tungsten.assembly.symbols`: {definition}: {reason}")),
                    }
                }
            }
            _ => {
                problems.push("`tungsten.assembly.symbols` must be a list of NAME=VALUE".to_owned())
            }
        }
        match &section["dialect"] {
            Value::Null => {}
            Value::String(name) if name.is_empty() => {}
            value => match value.as_str().and_then(Dialect::find) {
                Some(dialect) => self.assembly.dialect = Some(dialect),
                None => {
                    problems.push("`tungsten.assembly.dialect` must be llvm or clrx".to_owned())
                }
            },
        }
        match &section["includeFolders"] {
            Value::Null => {}
            Value::Array(folders) if folders.iter().all(Value::is_string) => {
                let folders = folders.iter().filter_map(Value::as_str);
                self.include_folders = folders.map(PathBuf::from).collect();
            }
            _ => problems
                .push("`tungsten.assembly.includeFolders` must be a list of paths".to_owned()),
        }
    }
}

/// A symbol with a value, as settings and command lines give it: `NAME=VALUE`, the value
/// in decimal or, behind `0x`, in hexadecimal digits.
///
/// # Errors
/// A sentence for the user.
pub(crate) fn symbol(definition: &str) -> Result<(String, i64), String> {
    let (name, value) = definition.split_once('=').ok_or("NAME=VALUE is expected")?;
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    if !name.bytes().all(is_letter) || name.bytes().next().is_none_or(|it| it.is_ascii_digit()) {
        return Err(format!("`{name}` is no name of a symbol"));
    }
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", value),
    };
    let parsed = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(&format!("{sign}{digits}"), 16),
        None => value.parse(),
    };
    let value = parsed.map_err(|error| format!("`{value}` is no value: {error}"))?;
    Ok((name.to_owned(), value))
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

/// The word for no reader in particular.
const ANY_DIALECT: &str = "auto";

/// A sentence about a name that is no dialect, with the nearest that is.
pub(crate) fn unknown_dialect(name: &str) -> String {
    let known = || tgsi::dialects::Dialect::all().iter().map(|dialect| dialect.name);
    match text::nearest(name, known()) {
        Some(nearest) => format!("unknown dialect `{name}`; did you mean `{nearest}`?"),
        None => {
            let known: Vec<&str> = known().collect();
            format!("unknown dialect `{name}`: {ANY_DIALECT}, {}", known.join(", "))
        }
    }
}

fn read_targets(names: &[Value], problems: &mut Vec<String>) -> Vec<gcn::Target> {
    let mut targets = Vec::new();
    for name in names {
        let Some(name) = name.as_str() else {
            problems.push("`tungsten.targets` must be a list of names".to_owned());
            continue;
        };
        match gcn::Target::find(name) {
            Some(target) if targets.contains(&target) => {}
            Some(target) => targets.push(target),
            None => problems.push(unknown_target(name)),
        }
    }
    targets
}

/// A sentence about a name that is no target, with the nearest that is.
pub(crate) fn unknown_target(name: &str) -> String {
    let nearest = text::nearest(name, gcn::Target::all().map(gcn::Target::name));
    match nearest {
        Some(nearest) => format!("unknown target `{name}`; did you mean `{nearest}`?"),
        None => format!("unknown target `{name}`; `tungsten targets` lists them"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(section: &Value) -> (Configuration, Vec<String>) {
        Configuration::read(section, &Access::Anywhere)
    }

    #[test]
    fn the_section_is_read_bare_or_wrapped() {
        let expected = Configuration {
            targets: vec![gcn::Target::find("tahiti").unwrap()],
            compile: false,
            cache: false,
            format: FormatOptions { numbers: FormatNumbers::Always },
            inlay_hints: vec![InlayHintKind::Value, InlayHintKind::ScalarRegisters],
            assembly: AssemblySettings {
                target: gcn::Target::find("vega10"),
                dialect: Some(Dialect::Clrx),
                symbols: vec![("size".to_owned(), 4), ("mask".to_owned(), -255)],
            },
            scope: FindingsScope::Workspace,
            include_folders: vec![PathBuf::from("/kernels")],
            exclude: vec!["/old/**".to_owned()],
            rules: RuleSettings {
                profile: tgsi::profiles::Profile::find("cayman").cloned(),
                dialect: tgsi::dialects::Dialect::find("mesa-21"),
                allow: vec!["tgsi::comment".to_owned()],
                severities: vec![("tgsi::comment".to_owned(), Severity::Error)],
            },
            environment: Environment {
                flat_shade: true,
                color_buffers: 4,
                user_clip_planes: 3,
                ..Environment::default()
            },
            run: RunSettings { inputs: Some("quad.toml".to_owned()), lane: Some(3) },
        };
        let bare = json!({
            "targets": ["tahiti", "tahiti"],
            "compile": false,
            "cache": false,
            "exclude": ["/old/**"],
            "diagnostics": {"scope": "workspace"},
            "format": {"instructionNumbers": "always"},
            "inlayHints": {
                "machineCode": false,
                "values": true,
                "run": false,
                "clocks": false,
                "vectorRegisters": false,
                "scalarRegisters": true,
            },
            "assembly": {
                "target": "vega10", "dialect": "clrx", "includeFolders": ["/kernels"],
                "symbols": ["size=4", "mask=-0xff"],
            },
            "profile": "cayman",
            "tgsi": {"dialect": "mesa-21"},
            "allow": ["tgsi::comment"],
            "severity": {"tgsi::comment": "error"},
            "run": {"inputs": "quad.toml", "lane": 3},
            "environment": {"flat-shade": true, "color-buffers": 4, "user-clip-planes": [0, 1]},
        });
        assert_eq!(read(&bare), (expected.clone(), Vec::new()));
        assert_eq!(read(&json!({ "tungsten": bare })), (expected, Vec::new()));
        assert_eq!(read(&Value::Null), (Configuration::default(), Vec::new()));
    }

    #[test]
    fn symbols_are_names_with_values() {
        assert_eq!(symbol("a.b=0x10"), Ok(("a.b".to_owned(), 16)));
        for wrong in ["a", "=1", "1a=1", "a b=1", "a=x", "a=0x", "a=99999999999999999999", "a="] {
            assert!(symbol(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_project_may_set_every_hint() {
        for (word, ..) in INLAY_HINTS {
            assert!(KEYS.contains(&&*format!("/inlayHints/{word}")), "{word}");
        }
    }

    #[test]
    fn what_is_not_understood_is_said_and_not_used() {
        let value = json!({
            "targets": ["polaris11x", 7],
            "compile": "yes",
            "cache": 1,
            "format": {"instructionNumbers": "sometimes"},
            "inlayHints": {"values": 1},
            "profile": "caiman",
            "allow": ["tgsi::comment", 1],
            "exclude": ["*.s", "{a"],
            "diagnostics": {"scope": "all"},
            "run": {"inputs": 4, "lane": -1},
            "environment": {"flat-shad": true, "color-buffers": 9, "alpha-test": {}},
        });
        let (configuration, problems) = read(&value);
        let kept = Configuration { exclude: vec!["*.s".to_owned()], ..Configuration::default() };
        assert_eq!(configuration, kept);
        assert_eq!(problems.len(), 15, "{problems:?}");
        assert!(problems[0].contains("`polaris11x`"), "{}", problems[0]);
    }

    #[test]
    fn an_empty_word_is_the_default() {
        let empty = json!({"llvm": "", "profile": "", "tgsi": {"dialect": ""}});
        assert_eq!(read(&empty), (Configuration::default(), Vec::new()));
        let any = json!({"tgsi": {"dialect": ANY_DIALECT}});
        assert_eq!(read(&any), (Configuration::default(), Vec::new()));
        assert!(Configuration::default().compile);
    }
}
