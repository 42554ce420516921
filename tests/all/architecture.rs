//! The invariants of `ARCHITECTURE.md` that manifests and sources can show.

use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn dependencies(manifest: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(manifest)).unwrap();
    let section = text.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    section
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

pub(crate) fn sources(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                sources(&path, extension, found);
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

#[test]
fn every_crate_depends_only_on_what_it_may() {
    let allowed: [(&str, &[&str]); 25] = [
        ("source", &[]),
        ("tables", &[]),
        ("editor-model", &["source"]),
        ("isa", &["tables"]),
        ("tgsi", &["source", "editor-model", "isa", "tables"]),
        ("gcn", &["source", "editor-model", "isa", "tables"]),
        ("lower", &["isa", "tgsi", "source"]),
        ("spirv", &["lower", "tgsi", "tables", "source"]),
        ("sampler", &[]),
        ("softfloat", &[]),
        ("open-bits", &[]),
        ("run-inputs", &["sampler"]),
        ("tgsi-interp", &["tgsi", "sampler", "softfloat", "open-bits", "source", "run-inputs"]),
        ("gcn-emu", &["gcn", "isa", "sampler", "softfloat", "source", "run-inputs"]),
        ("advise", &["source", "tgsi", "gcn", "isa"]),
        ("debugger", &["source", "tgsi", "gcn", "isa", "tgsi-interp", "gcn-emu", "diff-exec"]),
        ("debug-adapter", &["debugger", "tgsi", "tgsi-interp"]),
        (
            "diff-exec",
            &[
                "source",
                "tgsi",
                "gcn",
                "isa",
                "lower",
                "sampler",
                "softfloat",
                "open-bits",
                "tgsi-interp",
                "gcn-emu",
            ],
        ),
        ("engine", &["source", "editor-model", "tgsi", "gcn", "lower", "spirv", "tgsi-interp"]),
        ("worker", &[]),
        ("llvm", &["worker"]),
        ("vulkan", &[]),
        ("radv", &["vulkan", "worker"]),
        ("lavapipe", &["vulkan", "worker"]),
        ("vrend", &["worker", "tgsi"]),
    ];
    let is_own = |name: &str| name == "server" || allowed.iter().any(|(own, _)| *own == name);
    for (name, allowed) in allowed {
        let found = dependencies(&format!("analysis/{name}/Cargo.toml"));
        let strangers: Vec<&String> =
            found.iter().filter(|name| is_own(name) && !allowed.contains(&name.as_str())).collect();
        assert!(strangers.is_empty(), "{name} must not depend on {strangers:?}");
    }
}

/// A registry takes a package only where its name is free there and each crate that it
/// depends on has a version.
#[test]
fn every_crate_of_the_product_has_its_final_name_and_a_version() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let section = manifest.split("\n[workspace.dependencies]\n").nth(1).unwrap();
    let section = section.split("\n[").next().unwrap();
    let mut checked = 0;
    for line in section.lines().filter(|line| line.contains("path = \"")) {
        let value = |key: &str| line.split(&format!("{key} = \"")).nth(1)?.split('"').next();
        let folder = value("path").unwrap();
        if folder == "tests" {
            continue;
        }
        let package = value("package").unwrap_or_default();
        assert!(package.starts_with("tungsten-"), "{line}");
        assert!(value("version").is_some(), "{line}");
        let own = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        assert!(own.starts_with(&format!("[package]\nname = \"{package}\"\n")), "{folder}");
        checked += 1;
    }
    assert_eq!(checked, 26);
}

/// The crates that do nothing but compute.
const PURE: [&str; 17] = [
    "source",
    "editor-model",
    "isa",
    "tgsi",
    "gcn",
    "lower",
    "spirv",
    "sampler",
    "softfloat",
    "open-bits",
    "run-inputs",
    "tgsi-interp",
    "gcn-emu",
    "diff-exec",
    "advise",
    "debugger",
    "engine",
];

#[test]
fn pure_libraries_do_nothing_but_compute() {
    for library in PURE {
        let manifest = format!("analysis/{library}/Cargo.toml");
        for name in dependencies(&manifest) {
            let outside = ["tokio", "tower-lsp", "serde_json", "libloading", "libc"];
            assert!(!outside.contains(&name.as_str()), "{manifest} depends on {name}");
            assert!(library == "engine" || name != "salsa", "{manifest} depends on salsa");
        }
        let mut files = Vec::new();
        let folder = root().join(format!("analysis/{library}/src"));
        sources(&folder, "rs", &mut files);
        // Modules that the root has for tests only.
        let lib = std::fs::read_to_string(folder.join("lib.rs")).unwrap();
        let for_tests: Vec<&str> = lib
            .split("#[cfg(test)]")
            .skip(1)
            .filter_map(|rest| rest.trim_start().strip_prefix("mod ")?.split(';').next())
            .collect();
        files.retain(|file| {
            let inside = file.strip_prefix(&folder).unwrap();
            !inside.iter().any(|part| {
                let part = part.to_string_lossy();
                let name = part.trim_end_matches(".rs");
                name.ends_with("tests") || for_tests.contains(&name)
            })
        });
        assert!(!files.is_empty());
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for word in ["std::fs", "std::net", "std::process", "std::env"] {
                assert!(!code.contains(word), "{} uses {word}", file.display());
            }
        }
    }
}

/// The layers of the engine, the lowest first: each may ask those before it.
const LAYERS: [&str; 3] = ["inputs", "queries", "ide"];

/// The modules that a source names by their paths from the root of its crate.
fn named_modules(code: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect()
    };
    let paths = code.match_indices("crate::").flat_map(|(place, path)| {
        let rest = &code[place + path.len()..];
        match rest.strip_prefix('{') {
            None => vec![word(rest)],
            Some(group) => {
                let group = group.split(';').next().unwrap_or_default();
                group.split(',').map(|part| word(part.trim())).collect()
            }
        }
    });
    paths.filter(|name| !name.is_empty()).collect()
}

#[test]
fn the_engine_is_in_layers() {
    assert_eq!(named_modules("use crate::{a, b::C}; crate::d::e()"), ["a", "b", "d"]);
    let folder = root().join("analysis/engine/src");
    for (height, layer) in LAYERS.iter().enumerate() {
        let mut files = Vec::new();
        sources(&folder.join(layer), "rs", &mut files);
        let head = folder.join(format!("{layer}.rs"));
        files.push(head.clone());
        assert!(files.len() > 2, "{layer}");
        for file in files.iter().filter(|it| !it.to_string_lossy().contains("tests")) {
            let text = std::fs::read_to_string(file).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for name in named_modules(code) {
                let known = LAYERS[..=height].contains(&name.as_str());
                assert!(known, "{}: `{layer}` may not name `crate::{name}`", file.display());
            }
            let leaves = code.contains("super::super") || *file == head && code.contains("super::");
            assert!(!leaves, "{}: a path is written from the root", file.display());
        }
    }
}

/// Parts of the assembly of GCN, the lowest first, and the modules that each may name.
const ASSEMBLY: [(&str, &[&str]); 4] = [
    ("dialect", &["dialect", "mnemonics", "Target"]),
    ("expression", &["expression", "dialect", "limits"]),
    (
        "assembler",
        &[
            "assembler",
            "expression",
            "dialect",
            "codes",
            "limits",
            "targets",
            "Generation",
            "Target",
        ],
    ),
    (
        "instruction",
        &[
            "instruction",
            "expression",
            "dialect",
            "mnemonics",
            "encoding",
            "codes",
            "Generation",
            "Target",
        ],
    ),
];

/// The assembler's front end asks for the size of an instruction, and knows none; what
/// assembles an instruction knows no program.
#[test]
fn the_assembler_and_the_instructions_know_nothing_of_each_other() {
    for (part, allowed) in ASSEMBLY {
        let mut files = Vec::new();
        sources(&root().join("analysis/gcn/src").join(part), "rs", &mut files);
        assert!(files.len() > 2, "{part}");
        for file in files.iter().filter(|it| !it.to_string_lossy().contains("tests")) {
            let text = std::fs::read_to_string(file).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for name in named_modules(code) {
                let known = allowed.contains(&name.as_str());
                assert!(known, "{}: `{part}` may not name `crate::{name}`", file.display());
            }
            let tables = part == "assembler" && code.contains("isa::");
            assert!(!tables, "{}: the front end reads no row of an opcode", file.display());
        }
    }
}

/// Modules of `gcn`, and those that they must not know: the analyses see `Code` alone,
/// wherever it came from, and programs are assembled without any editor.
const BELOW: [(&str, &[&str]); 2] = [
    ("analysis", &["assembler", "compiled", "convert", "describe", "object", "program", "service"]),
    ("program", &["convert", "service"]),
];

#[test]
fn modules_of_gcn_do_not_know_those_above_them() {
    let folder = root().join("analysis/gcn/src");
    for (module, above) in BELOW {
        let mut files = Vec::new();
        sources(&folder.join(module), "rs", &mut files);
        assert!(files.len() > 10, "{module}");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for name in named_modules(&text) {
                let known = above.contains(&name.as_str());
                assert!(!known, "{}: `{module}` may not name `crate::{name}`", file.display());
            }
        }
    }
}

/// The files that a source names by their paths from the root of its crate.
fn named_files(code: &str, root: &Path) -> Vec<PathBuf> {
    let places = code.match_indices("crate::").map(|(place, path)| &code[place + path.len()..]);
    let files = places.filter_map(|path| {
        let (mut folder, mut file) = (root.to_owned(), None);
        for segment in path.split("::") {
            let name: String =
                segment.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect();
            let found = [format!("{name}.rs"), format!("{name}/mod.rs")];
            let Some(found) = found.iter().map(|it| folder.join(it)).find(|it| it.is_file()) else {
                break;
            };
            file = Some(found);
            folder = folder.join(name);
        }
        file
    });
    files.collect()
}

#[test]
fn files_of_the_lowering_import_one_way() {
    let folder = root().join("analysis/lower/src");
    let mut files = Vec::new();
    sources(&folder, "rs", &mut files);
    let is_test = |file: &PathBuf| file.strip_prefix(&folder).unwrap().starts_with("tests");
    files.retain(|file| !is_test(file) && !file.ends_with("tests.rs"));
    // The build writes a call of each function of this table into `dispatch.rs`.
    let table = std::fs::read_to_string(root().join("analysis/lower/data/emitters.tsv")).unwrap();
    let functions = table.lines().filter_map(|row| row.split('\t').nth(2));
    let calls: String = functions.map(|function| format!("crate::{function}\n")).collect();
    let imports = files.into_iter().map(|file| {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let is_by_root = !code.contains("super::") && !code.contains("crate::{");
        assert!(is_by_root, "{}: paths begin at the root, a line for each", file.display());
        let mut named = named_files(code, &folder);
        if file.ends_with("dispatch.rs") {
            named.extend(named_files(&calls, &folder));
            assert!(named.contains(&folder.join("texture_query.rs")));
        }
        (file, named)
    });
    let mut left: Vec<(PathBuf, Vec<PathBuf>)> = imports.collect();
    let context = left.iter().find(|(file, _)| file.ends_with("context.rs")).unwrap();
    assert!(context.1.contains(&folder.join("stages/state.rs")));
    // What is left when files without arrows go, one after the other, lies on a circle or
    // leads to one.
    loop {
        let names: Vec<PathBuf> = left.iter().map(|(file, _)| file.clone()).collect();
        left.retain(|(_, named)| named.iter().any(|file| names.contains(file)));
        if left.len() == names.len() {
            break;
        }
    }
    let names: Vec<_> = left.iter().map(|(file, _)| file.file_name().unwrap()).collect();
    assert!(names.is_empty(), "circles through {names:?}");
}

/// Features ask `LanguageService`, and never which language a file is in.
#[test]
fn one_place_of_the_engine_branches_on_languages() {
    let knowing = [
        // The seam.
        "ide/languages.rs",
        // Each language's own files: those with shaders, and those that include assembly.
        "queries/shaders.rs",
        "ide/assembly/navigation.rs",
        "inputs.rs",
    ];
    let mut branching = Vec::new();
    for (name, code) in code_of("analysis/engine") {
        let is_known = knowing.iter().any(|it| name.ends_with(&format!("engine/src/{it}")));
        if !is_known && (code.contains("Language::Tgsi") || code.contains("Language::Gcn")) {
            branching.push(name);
        }
    }
    assert_eq!(branching, [""; 0], "a method of `LanguageService` says it");
}

/// The code of a crate without its tests, each file with its name.
pub(crate) fn code_of(folder: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    sources(&root().join(folder).join("src"), "rs", &mut files);
    assert!(!files.is_empty(), "{folder}");
    let code = files.into_iter().filter_map(|file| {
        let name = file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
        let is_test = name.contains("/tests/") || name.ends_with("tests.rs");
        (!is_test).then_some((name, code))
    });
    code.collect()
}

/// The build script of a crate, each file with its name.
fn build_code_of(folder: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let (script, modules) =
        (root().join(folder).join("build.rs"), root().join(folder).join("build"));
    files.extend(script.is_file().then_some(script));
    if modules.is_dir() {
        sources(&modules, "rs", &mut files);
    }
    let code = files.into_iter().map(|file| {
        let text = std::fs::read_to_string(&file).unwrap();
        (file.display().to_string(), text)
    });
    code.collect()
}

fn in_server((file, what): (&str, &'static str)) -> (String, &'static str) {
    (format!("server/src/{file}"), what)
}

#[test]
fn one_module_of_the_server_opens_files() {
    let opening = [
        "fs::read",
        "fs::File",
        "File::open",
        "OpenOptions",
        "fs::write",
        "fs::copy",
        "tokio::fs",
        "fs::open",
        "fs::{",
        "fs::*",
        "libc::open",
        "Gitignore::new",
        "add_ignore",
    ];
    // What the user named is written back by `fmt` and `check --fix`.
    let excepted =
        [("files.rs", ""), ("cli/fmt.rs", "fs::write"), ("cli/check/changes.rs", "fs::write")]
            .map(in_server);
    for (name, code) in code_of("server") {
        for word in opening.iter().filter(|word| code.contains(**word)) {
            let is_excepted =
                excepted.iter().any(|(file, what)| name == *file && word.starts_with(what));
            assert!(is_excepted, "{name} has {word}: `files` opens files");
        }
        // The crate that walks through folders opens what has the name of a list of patterns.
        let walks = code.matches("WalkBuilder::new").count();
        assert_eq!(walks, code.matches("standard_filters(false)").count(), "{name}");
    }
}

#[test]
fn one_module_of_the_server_prints() {
    let printing = ["println!", "print!(", "io::stdout", "io::stderr", "stdout()", "stderr()"];
    // The streams of the protocols.
    let excepted = [
        ("cli/output.rs", ""),
        ("cli/dap.rs", "stdout()"),
        ("cli/dap.rs", "io::stdout"),
        ("lsp/mod.rs", "stdout()"),
        ("lsp/mod.rs", "io::stdout"),
    ]
    .map(in_server);
    // Whether somebody watches is asked, and nothing is written.
    let asks = "io::stderr().is_terminal()";
    for (name, code) in code_of("server") {
        let code = code.replace(asks, "");
        for word in printing.iter().filter(|word| code.contains(**word)) {
            let is_excepted =
                excepted.iter().any(|(file, what)| name == *file && word.starts_with(what));
            assert!(is_excepted, "{name} has {word}: `cli::output` prints");
        }
    }
}

#[test]
fn every_module_says_what_it_is_for() {
    let mut files = Vec::new();
    for folder in ["analysis", "server", "tests"] {
        sources(&root().join(folder), "rs", &mut files);
    }
    assert!(files.len() > 30);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//! "), "{} has no head comment", file.display());
    }
}

/// First words that no doc comment has: each begins with a verb or a noun.
const NO_FIRST_WORDS: [&str; 14] = [
    "What", "Where", "Who", "Whose", "Whom", "How", "Why", "Which", "When", "Whether", "That",
    "Those", "It", "Another",
];

/// Counts doc comments whose first word is one of [`NO_FIRST_WORDS`].
fn old_doc_comments(text: &str) -> usize {
    let mark = |line: &str| {
        let mark = line.get(..3).filter(|mark| ["///", "//!"].contains(mark))?;
        (!line.starts_with("////")).then(|| mark.to_owned())
    };
    let mut before = None;
    let mut found = 0;
    for line in text.lines().map(str::trim_start) {
        let own = mark(line);
        let words = line.get(3..).unwrap_or_default();
        let first = words.split(|sign: char| !sign.is_alphanumeric()).find(|word| !word.is_empty());
        let is_old = first.is_some_and(|word| NO_FIRST_WORDS.contains(&word));
        found += usize::from(own.is_some() && own != before && is_old);
        before = own;
    }
    found
}

#[test]
fn doc_comments_begin_with_a_verb_or_a_noun() {
    let text = "//! What\n\n/// Whether it is.\n/// What\nfn f() {}\n    /// `It`\n/// Items.";
    assert_eq!(old_doc_comments(text), 3);
    let mut crates = crates_of_the_product();
    crates.extend(["tests", "xtask"].map(str::to_owned));
    for name in crates {
        let mut files = Vec::new();
        sources(&root().join(&name), "rs", &mut files);
        for file in files {
            let found = old_doc_comments(&std::fs::read_to_string(&file).unwrap());
            let file = file.display();
            assert_eq!(found, 0, "{file}: doc comments that begin with What, Whether, …");
        }
    }
}

/// Counts results whose error is a `String`: no caller can tell such errors apart.
fn string_errors(code: &str) -> usize {
    let is_one = |after: &str| {
        let mut depth = 0;
        let mut parts = vec![String::new()];
        for sign in after.chars() {
            match sign {
                '<' | '(' | '[' => depth += 1,
                '>' | ')' | ']' if depth == 0 => break,
                '>' | ')' | ']' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(String::new());
                    continue;
                }
                _ => {}
            }
            if let Some(part) = parts.last_mut() {
                part.push(sign);
            }
        }
        parts.get(1).is_some_and(|error| error.trim() == "String")
    };
    let results = code.match_indices("Result<").map(|(place, word)| &code[place + word.len()..]);
    results.filter(|after| is_one(after)).count()
}

#[test]
fn errors_are_types() {
    let sample = "Result<Vec<(u8, u8)>, String> Result<Option<String>, E> io::Result<String>\n\
                  Option<Result<\n    A,\n    String,\n>>";
    assert_eq!(string_errors(sample), 2);
    assert!(build_code_of("analysis/isa").len() > 10);
    for name in crates_of_the_product() {
        let mut code = code_of(&name);
        code.extend(build_code_of(&name));
        for (file, code) in code {
            assert_eq!(string_errors(&code), 0, "{file}: results that have a `String` as error");
        }
    }
}

/// The folders of the crates, but those of the tests and chores.
fn crates_of_the_product() -> Vec<String> {
    let analysis = std::fs::read_dir(root().join("analysis")).unwrap().flatten();
    let folders = analysis.map(|it| format!("analysis/{}", it.file_name().to_string_lossy()));
    let mut crates: Vec<String> = folders.chain(["server".to_owned()]).collect();
    crates.sort();
    crates
}

#[test]
fn every_row_of_a_table_has_the_fields_of_its_head() {
    let mut files = Vec::new();
    sources(&root().join("analysis"), "tsv", &mut files);
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let rows = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
        let mut width = None;
        for (number, line) in rows {
            let fields = line.split('\t').count();
            let expected = *width.get_or_insert(fields);
            assert_eq!(fields, expected, "{}:{}", file.display(), number + 1);
        }
        assert!(width.is_some_and(|width| width > 1), "{} is not a table", file.display());
    }
}

/// A test that is never built proves nothing.
#[test]
fn crates_without_unit_tests_have_none() {
    let mut silent = 0;
    for name in std::fs::read_dir(root().join("analysis")).unwrap().flatten() {
        let manifest = std::fs::read_to_string(name.path().join("Cargo.toml")).unwrap();
        if !manifest.contains("\ntest = false\n") {
            continue;
        }
        silent += 1;
        let mut files = Vec::new();
        sources(&name.path(), "rs", &mut files);
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(!text.contains("#[test]"), "{} is never run", file.display());
        }
    }
    assert!(silent > 0);
}

/// Each takes seconds to link, and a crate's second build.
#[test]
fn cargo_test_makes_ten_executables() {
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = workspace.split("default-members = [").nth(1).unwrap();
    let members = members.split(']').next().unwrap().lines();
    let members = members.filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
    let has_unit_tests = |member: &&str| {
        let manifest = std::fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap();
        let library = manifest.split("[lib]\n").nth(1).unwrap_or_default();
        let library = library.split("\n[").next().unwrap_or_default();
        !library.lines().any(|line| line == "test = false")
    };
    let with_unit_tests: Vec<&str> = members.filter(has_unit_tests).collect();
    assert!(with_unit_tests.len() <= 9, "beside `all`: {with_unit_tests:?}");
}
