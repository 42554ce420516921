//! The documents for contributors name files, commands and tests that exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The documents, from the root of the repository.
const DOCUMENTS: [&str; 6] = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "tests/README.md",
];

/// Ends of names that are surely files of the repository.
const EXTENSIONS: [&str; 9] = ["rs", "tsv", "md", "toml", "json", "lua", "ts", "sh", "mjs"];

/// Made by users, and not there before.
const OF_USERS: [&str; 1] = ["VALUES.toml"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// Every file and folder of the repository, from its root, without what is made by a build.
fn tree() -> BTreeSet<String> {
    fn walk(folder: &Path, name: &str, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let own = entry.file_name().to_string_lossy().into_owned();
            if [".git", "target", "node_modules", "dist", "artefacts"].contains(&own.as_str()) {
                continue;
            }
            let name = if name.is_empty() { own } else { format!("{name}/{own}") };
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), &name, found);
            }
            found.insert(name);
        }
    }
    let mut found = BTreeSet::new();
    walk(&root(), "", &mut found);
    found
}

/// The lines of a document outside of fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Returns the texts between single backticks.
fn spans(text: &str) -> Vec<&str> {
    prose(text).flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// Returns the targets of a document's links, other sites left out.
fn links(text: &str) -> Vec<&str> {
    let ends = prose(text).flat_map(|line| line.split("](").skip(1));
    ends.filter_map(|rest| rest.split(')').next()).filter(|to| !to.contains("://")).collect()
}

/// The anchors that Markdown readers give a document's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let titles = prose(text).filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|sign| sign.is_alphanumeric() || " -".contains(*sign));
        kept.collect::<String>().replace(' ', "-")
    };
    titles.map(anchor).collect()
}

/// Tells whether a word is a path of the repository, going by its looks.
fn is_path(word: &str, top: &BTreeSet<&str>) -> bool {
    let plain = word.chars().all(|sign| sign.is_ascii_alphanumeric() || "._-/".contains(sign));
    let first = word.split('/').next().unwrap_or_default();
    let known = Path::new(word).extension().and_then(|it| it.to_str());
    let has_name = !word.starts_with('.') || word.contains('/');
    plain
        && has_name
        && !OF_USERS.contains(&word)
        && (word.contains('/') && top.contains(first)
            || known.is_some_and(|it| EXTENSIONS.contains(&it)))
}

/// Tells whether a path is in the repository: from its root, or as the end of longer paths.
fn is_there(word: &str, tree: &BTreeSet<String>) -> bool {
    let word = word.trim_end_matches('/');
    tree.contains(word) || tree.iter().any(|path| path.ends_with(&format!("/{word}")))
}

#[test]
fn every_file_that_a_document_names_exists() {
    let tree = tree();
    let top: BTreeSet<&str> =
        tree.iter().filter(|path| !path.contains('/')).map(|it| &**it).collect();
    let (mut checked, mut missing) = (0, Vec::new());
    for document in DOCUMENTS {
        let text = read(document);
        let words = spans(&text).into_iter().flat_map(str::split_whitespace);
        for word in words.map(|word| word.trim_end_matches([',', ';'])) {
            if is_path(word, &top) {
                checked += 1;
                if !is_there(word, &tree) {
                    missing.push(format!("{document}: `{word}`"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(checked > 200, "{checked}");
}

#[test]
fn every_link_of_a_document_leads_somewhere() {
    let mut checked = 0;
    for document in DOCUMENTS {
        let text = read(document);
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = Path::new(document).parent().unwrap();
            let target = if file.is_empty() { PathBuf::from(document) } else { folder.join(file) };
            assert!(root().join(&target).exists(), "{document}: {link}");
            let known = || anchors(&read(&target.to_string_lossy())).contains(anchor);
            assert!(anchor.is_empty() || known(), "{document}: no heading {link}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

/// The folder of each package, by its name.
fn packages(tree: &BTreeSet<String>) -> Vec<(String, String)> {
    let manifests = tree.iter().filter_map(|path| path.strip_suffix("/Cargo.toml"));
    let name = |folder: &str| {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = \""));
        name.unwrap_or_else(|| panic!("{folder}")).trim_end_matches('"').to_owned()
    };
    manifests.map(|folder| (name(folder), folder.to_owned())).collect()
}

/// Tells whether a package has a target of a kind, `test` or `example`, by a file or its
/// manifest.
fn has_target(folder: &str, kind: &str, name: &str, tree: &BTreeSet<String>) -> bool {
    let usual = format!("{folder}/{kind}s/{name}");
    let manifest = read(&format!("{folder}/Cargo.toml"));
    let head = format!("[[{kind}]]");
    let named = manifest.split(&head).skip(1);
    tree.contains(&format!("{usual}.rs"))
        || tree.contains(&format!("{usual}/main.rs"))
        || named
            .map(|rest| rest.split("\n[").next().unwrap_or_default())
            .any(|target| target.contains(&format!("name = \"{name}\"")))
}

/// A word that the reader replaces, such as `NAME`.
fn is_placeholder(word: &str) -> bool {
    word.chars().all(|sign| sign.is_ascii_uppercase())
}

/// Returns the part of a test's name by which a command chooses tests, if it does.
fn filter<'a>(words: &[&'a str]) -> Option<&'a str> {
    let (first, rest) = words.split_first()?;
    let last = rest.last().filter(|_| *first == "test")?;
    let argument = rest.len() < 2 || !rest[rest.len() - 2].starts_with('-');
    let is_filter = argument || rest[rest.len() - 2] == "--lib";
    (is_filter && !last.starts_with('-') && !is_placeholder(last)).then_some(*last)
}

#[test]
fn every_cargo_command_of_a_document_names_what_there_is() {
    let tree = tree();
    let functions = functions(&tree);
    let packages = packages(&tree);
    let mut checked = 0;
    for document in DOCUMENTS {
        let text = read(document);
        let commands = text.lines().flat_map(|line| line.split("cargo ").skip(1));
        for command in commands.filter_map(|rest| rest.split('`').next()) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let behind = |flags: &[&str]| {
                let places = words.windows(2).filter(|pair| flags.contains(&pair[0]));
                places.map(|pair| pair[1]).filter(|it| !is_placeholder(it)).collect::<Vec<_>>()
            };
            let named = behind(&["-p", "--package"]);
            let folders: Vec<&String> = packages
                .iter()
                .filter(|(name, _)| named.is_empty() || named.contains(&name.as_str()))
                .map(|(_, folder)| folder)
                .collect();
            for name in &named {
                assert!(packages.iter().any(|it| it.0 == *name), "{document}: no package {name}");
                checked += 1;
            }
            for kind in ["test", "example"] {
                for name in behind(&[&format!("--{kind}")]) {
                    let found = folders.iter().any(|it| has_target(it, kind, name, &tree));
                    assert!(found, "{document}: no {kind} {name}: cargo {command}");
                    checked += 1;
                }
            }
            for part in filter(&words).into_iter().flat_map(|word| word.split("::")) {
                let module = format!("/{part}");
                let is_module = |path: &String| {
                    path.contains(&format!("{module}/")) || path.ends_with(&format!("{module}.rs"))
                };
                let found = tree.iter().any(is_module)
                    || functions.iter().any(|function| function.contains(part));
                assert!(found, "{document}: no test {part}: cargo {command}");
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "{checked}");
}

/// The names of all functions of the sources.
fn functions(tree: &BTreeSet<String>) -> BTreeSet<String> {
    let sources = tree.iter().filter(|path| path.ends_with(".rs"));
    let mut found = BTreeSet::new();
    for text in sources.map(|path| read(path)) {
        let names = text.split("fn ").skip(1);
        let name = |rest: &str| {
            rest.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_')
                .next()
                .map(str::to_owned)
        };
        found.extend(names.filter_map(name));
    }
    found
}

/// A word of several parts is the name of a test or another function.
#[test]
fn every_test_that_a_document_names_exists() {
    let functions = functions(&tree());
    let mut checked = 0;
    for document in DOCUMENTS {
        let text = read(document);
        for word in spans(&text) {
            let plain =
                word.chars().all(|sign| sign.is_ascii_lowercase() || "_0123456789".contains(sign));
            let mnemonic = word.starts_with("s_") || word.starts_with("v_");
            if plain && !mnemonic && word.matches('_').count() >= 2 {
                assert!(functions.contains(word), "{document}: no function {word}");
                checked += 1;
            }
        }
    }
    assert!(checked > 25, "{checked}");
}

#[test]
fn every_recipe_names_a_test_that_fails_until_it_is_complete() {
    let text = read("CONTRIBUTING.md");
    let recipes = text.split("\n## Recipes\n").nth(1).expect("recipes");
    let recipes: Vec<&str> = recipes.split("\n### ").skip(1).collect();
    assert!(recipes.len() >= 7, "{}", recipes.len());
    for recipe in recipes {
        let title = recipe.lines().next().unwrap_or_default();
        let one_line = recipe.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains("fails until") || one_line.contains("fail until"), "{title}");
        assert!(
            text.contains(&format!("](#{}", title.to_lowercase().replace(' ', "-"))),
            "{title}"
        );
    }
}

/// The table of `ARCHITECTURE.md` against the dependencies of each manifest.
#[test]
fn the_table_of_crates_is_that_of_the_manifests() {
    let packages = packages(&tree());
    let text = read("ARCHITECTURE.md");
    let table = text.split("\n## Crates\n").nth(1).and_then(|it| it.split("\n## ").next());
    let rows = table.expect("the table").lines().filter(|line| line.starts_with("| `"));
    let mut checked = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let folder = cells[1].trim_matches('`');
        assert!(packages.iter().any(|(_, known)| known == folder), "no crate {folder}");
        let written: BTreeSet<&str> = cells[3].split('`').skip(1).step_by(2).collect();
        if written.is_empty() && cells[3] != "none" {
            continue;
        }
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
        let section = section.split("\n[").next().unwrap_or_default();
        let names = section.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
        let own =
            |name: &&str| packages.iter().any(|(_, folder)| folder.ends_with(&format!("/{name}")));
        assert_eq!(written, names.filter(own).collect(), "{folder}");
        checked += 1;
    }
    assert!(checked >= 11, "{checked}");
    let missing = packages.iter().filter(|(_, folder)| !text.contains(&format!("| `{folder}` |")));
    assert_eq!(missing.collect::<Vec<_>>(), [] as [&(String, String); 0], "crates without a row");
}

/// A row of a text that is gone says nothing: the next draw would not know it.
#[test]
fn mutations_that_change_nothing_are_of_the_current_code() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let table = read("tests/results/mutation-equivalents.tsv");
    let mut checked = 0;
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [path, old, new, reason] = fields[..] else { panic!("not four fields: {row}") };
        let source = read(path);
        let found = source.lines().any(|line| words(line) == words(old));
        assert!(found, "{path}: no line `{old}`");
        assert!(old != new && !reason.is_empty(), "{row}");
        checked += 1;
    }
    assert!(checked > 5, "{checked}");
}

#[test]
fn both_languages_have_icons_for_light_and_dark_themes() {
    let manifest: serde_json::Value =
        serde_json::from_str(&read("editors/vscode/package.json")).expect("JSON");
    let languages = manifest["contributes"]["languages"].as_array().expect("a list");
    let mut drawn = BTreeSet::new();
    for name in ["tgsi", "gcn"] {
        let language = languages.iter().find(|it| it["id"] == name).expect(name);
        for theme in ["light", "dark"] {
            let path = language["icon"][theme].as_str().expect("a path");
            let icon = read(&format!("editors/vscode/{path}"));
            assert!(icon.starts_with("<svg ") && icon.contains("viewBox=\"0 0 16 16\""), "{path}");
            drawn.insert(icon);
        }
    }
    assert_eq!(drawn.len(), 4, "each is a picture of its own");
}
