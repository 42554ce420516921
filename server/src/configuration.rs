//! Values of the settings: the section `tungsten` of an editor, or of the file of a
//! project. [`crate::settings`] describes them.

use std::num::ParseIntError;
use std::path::PathBuf;

use engine::ide::{CostedLines, FormatNumbers, WantedHints};
use engine::{AssemblySettings, Budget, Build, Compiler, Environment, RuleSettings, RunSettings};
use gcn::dialect::Unsupported;
use serde_json::Value;
use thiserror::Error;

use crate::files::Access;
use crate::settings::{By, Reading, SETTINGS, SettingKind};

/// The section's name.
pub(crate) const SECTION: &str = "tungsten";

/// Values of all settings, the defaults of those that nobody set included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Configuration {
    /// The targets that shaders are compiled for, without repetition.
    pub(crate) targets: Vec<gcn::Target>,
    /// The compilers that compile for them, without repetition.
    pub(crate) compilers: Vec<Compiler>,
    /// Compiling of shaders, on or off.
    pub(crate) compile: bool,
    /// Keeping of results, on or off. A project has no say in it.
    pub(crate) cache: bool,
    /// The instructions that the formatter gives a number.
    pub(crate) format: FormatNumbers,
    /// The inlay hints that are shown.
    pub(crate) inlay_hints: WantedHints,
    /// Settings of assembly files.
    pub(crate) assembly: AssemblySettings,
    /// The files whose diagnostics a client is told that is pushed to. A project has no
    /// say in it.
    pub(crate) scope: DiagnosticsScope,
    /// Folders to look in for included files.
    pub(crate) include_folders: Vec<PathBuf>,
    /// Files that are not looked at with the others of a folder, as [`crate::exclude`]
    /// reads them.
    pub(crate) exclude: Vec<String>,
    /// The driver that shaders are checked for, and diagnostics that are not shown.
    pub(crate) rules: RuleSettings,
    /// The state that shaders are compiled for.
    pub(crate) environment: Environment,
    /// The inputs of shaders that name none.
    pub(crate) run: RunSettings,
    /// The seconds of a search for a faster form.
    pub(crate) advice_seconds: u64,
    /// Limits for what code costs.
    pub(crate) budgets: Vec<Budget>,
}

/// The files whose diagnostics are told unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiagnosticsScope {
    /// Open documents.
    Open,
    /// All files of the workspace's folders, too.
    Workspace,
}

impl Default for Configuration {
    fn default() -> Configuration {
        Configuration::read(&Value::Null, &Access::to([], &[])).0
    }
}

impl Configuration {
    /// Before the first setting is read: each has a default, which may be more than nothing.
    fn blank() -> Configuration {
        Configuration {
            targets: Vec::new(),
            compilers: Vec::new(),
            compile: false,
            cache: false,
            format: FormatNumbers::default(),
            inlay_hints: WantedHints { kinds: Vec::new(), lines: CostedLines::Important },
            assembly: AssemblySettings::default(),
            scope: DiagnosticsScope::Open,
            include_folders: Vec::new(),
            exclude: Vec::new(),
            rules: RuleSettings::default(),
            environment: Environment::default(),
            run: RunSettings::default(),
            advice_seconds: 0,
            budgets: Vec::new(),
        }
    }

    /// Reads the section, or an object that holds it, and the file of a profile that it
    /// names, as far as `access` reaches. Returns the settings and a sentence for each
    /// value that was not understood and is not used.
    pub(crate) fn read(value: &Value, access: &Access) -> (Configuration, Vec<String>) {
        let section = value.get(SECTION).unwrap_or(value);
        let mut reading =
            Reading { configuration: Configuration::blank(), access, problems: Vec::new() };
        for setting in SETTINGS {
            match (setting.by, &setting.kind) {
                // `crate::trust` tells of them.
                (By::User(_), SettingKind::Text { .. } | SettingKind::List { .. }) => {}
                _ => setting.read(section, &mut reading),
            }
        }
        let Reading { mut configuration, problems, .. } = reading;
        if configuration.targets.is_empty() {
            configuration.targets.push(gcn::Target::default());
        }
        if configuration.compilers.is_empty() {
            configuration.compilers.push(Compiler::default());
        }
        (configuration, problems)
    }
}

impl Configuration {
    /// The builds that are made of a shader which names no targets.
    pub(crate) fn builds(&self) -> Vec<Build> {
        let of = |target: &gcn::Target| {
            let target = *target;
            self.compilers.iter().map(move |compiler| Build { target, compiler: *compiler })
        };
        self.targets.iter().flat_map(of).collect()
    }
}

/// A mistake in the definition of a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum SymbolError {
    #[error("NAME=VALUE is expected")]
    NoValue,
    #[error("`{0}` is not a name of a symbol")]
    Name(String),
    #[error("`{0}` is not a value: {1}")]
    Value(String, ParseIntError),
}

/// A symbol with a value, as settings and command lines give it: `NAME=VALUE`, the value
/// in decimal or, behind `0x`, in hexadecimal digits.
///
/// # Errors
/// The part that is not as expected.
pub(crate) fn symbol(definition: &str) -> Result<(String, i64), SymbolError> {
    let (name, value) = definition.split_once('=').ok_or(SymbolError::NoValue)?;
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    if !name.bytes().all(is_letter) || name.bytes().next().is_none_or(|it| it.is_ascii_digit()) {
        return Err(SymbolError::Name(name.to_owned()));
    }
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", value),
    };
    let parsed = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(&format!("{sign}{digits}"), 16),
        None => value.parse(),
    };
    let value = parsed.map_err(|error| SymbolError::Value(value.to_owned(), error))?;
    Ok((name.to_owned(), value))
}

/// A sentence about a name that is not a dialect, with the nearest that is.
pub(crate) fn unknown_dialect(name: &str) -> String {
    let known = || tgsi::dialects::Dialect::all().iter().map(|dialect| dialect.name);
    match source::closest_match(name, known()) {
        Some(nearest) => format!("unknown dialect `{name}`; did you mean `{nearest}`?"),
        None => {
            let known: Vec<&str> = known().collect();
            format!("unknown dialect `{name}`: auto, {}", known.join(", "))
        }
    }
}

/// A sentence about a name that is not a target, with the nearest that is. A chip that is
/// known by name resembles no other.
pub(crate) fn unknown_target(name: &str) -> String {
    if let Some(unsupported) = Unsupported::find(name) {
        return format!("{unsupported} is not supported yet; `tungsten targets` lists what is");
    }
    let nearest = source::closest_match(name, gcn::Target::all().map(gcn::Target::name));
    match nearest {
        Some(nearest) => format!("unknown target `{name}`; did you mean `{nearest}`?"),
        None => format!("unknown target `{name}`; `tungsten targets` lists them"),
    }
}

#[cfg(test)]
mod tests {
    use engine::BudgetLimit;
    use engine::ide::{FormatNumbers, InlayHintKind};
    use gcn::assembler::Dialect;
    use serde_json::json;
    use source::Severity;

    use super::*;

    fn read(section: &Value) -> (Configuration, Vec<String>) {
        Configuration::read(section, &Access::Anywhere)
    }

    #[test]
    fn the_section_is_read_bare_or_wrapped() {
        let expected = Configuration {
            targets: vec![gcn::Target::find("tahiti").unwrap()],
            compilers: vec![Compiler::Aco, Compiler::Llvm],
            compile: false,
            cache: false,
            format: FormatNumbers::Always,
            inlay_hints: WantedHints::everywhere(&[
                InlayHintKind::Value,
                InlayHintKind::ScalarRegisters,
            ]),
            assembly: AssemblySettings {
                target: gcn::Target::find("vega10"),
                dialect: Some(Dialect::Clrx),
                symbols: vec![("size".to_owned(), 4), ("mask".to_owned(), -255)],
            },
            scope: DiagnosticsScope::Workspace,
            include_folders: vec![PathBuf::from("/kernels")],
            exclude: vec!["/old/**".to_owned()],
            rules: RuleSettings {
                profile: tgsi::profiles::Profile::find("cayman").cloned(),
                dialect: tgsi::dialects::Dialect::find("mesa-21"),
                host: Some("gles31-GL_OES_x".into()),
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
            advice_seconds: 25,
            budgets: vec![
                Budget { target: gcn::Target::default(), limit: BudgetLimit::Waves(8) },
                Budget { target: gcn::Target::default(), limit: BudgetLimit::Vgprs(64) },
                Budget { target: gcn::Target::default(), limit: BudgetLimit::Clocks(900) },
            ],
        };
        let bare = json!({
            "targets": ["tahiti", "tahiti"],
            "compilers": ["aco", "llvm", "aco"],
            "compile": false,
            "cache": false,
            "exclude": ["/old/**"],
            "advice": {"seconds": 25},
            "diagnostics": {"scope": "workspace"},
            "format": {"instructionNumbers": "always"},
            "inlayHints": {
                "lines": "all",
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
            "host": "gles31-GL_OES_x",
            "tgsi": {"dialect": "mesa-21"},
            "allow": ["tgsi::comment"],
            "severity": {"tgsi::comment": "error"},
            "run": {"inputs": "quad.toml", "lane": 3},
            "budget": {
                "waves": {"polaris10": 8},
                "vgprs": {"polaris10": 64},
                "clocks": {"polaris10": 900},
            },
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
    fn what_is_not_understood_is_said_and_not_used() {
        let value = json!({
            "targets": ["polaris11x", 7],
            "compile": "yes",
            "cache": 1,
            "format": {"instructionNumbers": "sometimes"},
            "inlayHints": {"values": 1},
            "profile": "caiman",
            "host": "gl99",
            "allow": ["tgsi::comment", 1],
            "exclude": ["*.s", "{a"],
            "diagnostics": {"scope": "all"},
            "run": {"inputs": 4, "lane": -1},
            "environment": {"flat-shad": true, "color-buffers": 9, "alpha-test": {}},
        });
        let (configuration, problems) = read(&value);
        let mut kept =
            Configuration { exclude: vec!["*.s".to_owned()], ..Configuration::default() };
        kept.rules.allow.push("tgsi::comment".to_owned());
        assert_eq!(configuration, kept);
        assert_eq!(problems.len(), 16, "{problems:?}");
        assert!(problems[0].contains("`polaris11x`"), "{}", problems[0]);
        let none = json!({"targets": ["polaris11x"]});
        assert_eq!(read(&none).0.targets, [gcn::Target::default()]);
    }

    #[test]
    fn an_empty_word_is_the_default() {
        let empty =
            json!({"llvm": "", "vrend": "", "host": "", "profile": "", "tgsi": {"dialect": ""}});
        assert_eq!(read(&empty), (Configuration::default(), Vec::new()));
        let any = json!({"tgsi": {"dialect": "auto"}});
        assert_eq!(read(&any), (Configuration::default(), Vec::new()));
        assert!(Configuration::default().compile);
    }
}
