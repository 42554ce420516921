//! The client's settings: the section `tungsten`.

use std::path::PathBuf;

use serde_json::Value;

/// The section's name.
pub(crate) const SECTION: &str = "tungsten";

/// What the user set, with defaults for the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Configuration {
    /// The targets that shaders are compiled for, without repetition.
    pub(crate) targets: Vec<gcn::Target>,
    /// The libLLVM to use; found by search where absent.
    pub(crate) llvm: Option<PathBuf>,
    /// Whether shaders are compiled.
    pub(crate) compile: bool,
}

impl Default for Configuration {
    fn default() -> Configuration {
        Configuration { targets: vec![gcn::Target::default()], llvm: None, compile: true }
    }
}

impl Configuration {
    /// Reads the section, or an object that holds it. Returns the settings and
    /// a sentence for each value that was not understood and is not used.
    pub(crate) fn read(value: &Value) -> (Configuration, Vec<String>) {
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
        match section.get("llvm") {
            None | Some(Value::Null) => {}
            Some(Value::String(path)) if path.is_empty() => {}
            Some(Value::String(path)) => configuration.llvm = Some(PathBuf::from(path)),
            Some(_) => problems.push("`tungsten.llvm` must be a path or null".to_owned()),
        }
        match section.get("compile") {
            None | Some(Value::Null) => {}
            Some(Value::Bool(compile)) => configuration.compile = *compile,
            Some(_) => problems.push("`tungsten.compile` must be true or false".to_owned()),
        }
        (configuration, problems)
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

    #[test]
    fn the_section_is_read_bare_or_wrapped() {
        let expected = Configuration {
            targets: vec![gcn::Target::find("tahiti").unwrap()],
            llvm: Some(PathBuf::from("/opt/libLLVM.so")),
            compile: false,
        };
        let bare =
            json!({"targets": ["tahiti", "tahiti"], "llvm": "/opt/libLLVM.so", "compile": false});
        assert_eq!(Configuration::read(&bare), (expected.clone(), Vec::new()));
        assert_eq!(Configuration::read(&json!({ "tungsten": bare })), (expected, Vec::new()));
        assert_eq!(Configuration::read(&Value::Null), (Configuration::default(), Vec::new()));
    }

    #[test]
    fn what_is_not_understood_is_said_and_not_used() {
        let value = json!({"targets": ["polaris11x", 7], "llvm": 3, "compile": "yes"});
        let (configuration, problems) = Configuration::read(&value);
        assert_eq!(configuration, Configuration::default());
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert!(problems[0].contains("`polaris11x`"), "{}", problems[0]);
    }
}
