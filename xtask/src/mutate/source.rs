//! The production code of a crate: which files it has, which of their tokens are code
//! that ships, and in which function each stands.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::lexer::{Kind, Token, tokens};

/// A source file with its tokens.
pub(super) struct Source {
    /// The path from the root of the repository.
    pub(super) path: String,
    pub(super) text: String,
    /// The tokens outside of tests and attributes.
    pub(super) tokens: Vec<Token>,
    /// The bodies of the outermost functions, braces included.
    pub(super) bodies: Vec<Range<usize>>,
    /// The modules that it declares for production.
    modules: Vec<String>,
}

impl Source {
    /// Reads the tokens of a text.
    pub(super) fn new(path: &str, text: String) -> Self {
        let mut source = Self {
            path: path.to_owned(),
            tokens: Vec::new(),
            bodies: Vec::new(),
            modules: Vec::new(),
            text,
        };
        source.tokens = source.production();
        source.bodies = source.outermost_bodies();
        source.modules = source.declared_modules();
        source
    }

    /// Returns the text of a token; the empty text behind the last one.
    pub(super) fn word(&self, token: usize) -> &str {
        self.tokens.get(token).map_or("", |token| token.text(&self.text))
    }

    /// Returns the token that closes what the token `open` opens.
    pub(super) fn close(&self, open: usize) -> usize {
        close(&self.tokens, &self.text, open)
    }

    /// Returns the body of the outermost function that holds a byte.
    pub(super) fn body(&self, at: usize) -> Option<Range<usize>> {
        self.bodies.iter().find(|body| body.contains(&at)).cloned()
    }

    /// Drops attributes, and the items that an attribute keeps for tests.
    fn production(&self) -> Vec<Token> {
        let all = tokens(&self.text);
        let word = |at: usize| all.get(at).map_or("", |it: &Token| it.text(&self.text));
        let (mut kept, mut at) = (Vec::new(), 0);
        while at < all.len() {
            let inner = usize::from(word(at + 1) == "!");
            if word(at) != "#" || word(at + 1 + inner) != "[" {
                kept.push(all[at]);
                at += 1;
                continue;
            }
            let end = close(&all, &self.text, at + 1 + inner) + 1;
            let attribute: String = (at..end).map(word).collect();
            at = end;
            if attribute != "#[cfg(test)]" {
                continue;
            }
            while word(at) == "#" {
                at = close(&all, &self.text, at + 1) + 1;
            }
            while !["{", ";", ""].contains(&word(at)) {
                at = if ["(", "["].contains(&word(at)) { close(&all, &self.text, at) } else { at };
                at += 1;
            }
            at = if word(at) == "{" { close(&all, &self.text, at) } else { at } + 1;
        }
        kept
    }

    fn outermost_bodies(&self) -> Vec<Range<usize>> {
        let (mut bodies, mut at) = (Vec::new(), 0);
        while at < self.tokens.len() {
            let named = self.tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Word);
            if self.word(at) == "fn" && named {
                while !["{", ";", ""].contains(&self.word(at)) {
                    at = if ["(", "["].contains(&self.word(at)) { self.close(at) } else { at } + 1;
                }
                if self.word(at) == "{" {
                    let end = self.close(at);
                    bodies.push(self.tokens[at].start..self.tokens[end].end);
                    at = end;
                }
            }
            at += 1;
        }
        bodies
    }

    fn declared_modules(&self) -> Vec<String> {
        let named = |at: &usize| self.word(*at) == "mod" && self.word(*at + 2) == ";";
        (0..self.tokens.len()).filter(named).map(|at| self.word(at + 1).to_owned()).collect()
    }
}

/// Returns the token that closes what the token `open` opens, or the last one.
fn close(tokens: &[Token], text: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text(text) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

/// Reads the production sources of a crate, from its root module on.
pub(super) fn sources(root: &Path, folder: &str) -> Result<Vec<Source>, String> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut open = vec![PathBuf::from(folder).join("src/lib.rs")];
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let text = std::fs::read_to_string(root.join(&path))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let source = Source::new(&path.to_string_lossy(), text);
        let beside = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let children =
            if ["lib", "mod"].contains(&stem.as_str()) { beside } else { beside.join(stem) };
        for module in &source.modules {
            let file = children.join(format!("{module}.rs"));
            let folder = children.join(module).join("mod.rs");
            open.extend([file, folder].into_iter().filter(|it| root.join(it).exists()));
        }
        found.push(source);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Tells of a source file whether it runs as crates are built: in their build scripts, or
/// because the build script of its crate includes it.
pub(super) fn is_in_build_script(root: &Path, folder: &str, path: &str) -> bool {
    if folder == "analysis/tables" {
        return true;
    }
    let script = std::fs::read_to_string(root.join(folder).join("build/main.rs"));
    let script = script.unwrap_or_default();
    let included = script.lines().filter_map(|line| line.strip_prefix("#[path = \"../"));
    included.filter_map(|rest| rest.strip_suffix("\"]")).any(|file| {
        let file = format!("{folder}/{}", file.strip_suffix("mod.rs").unwrap_or(file));
        path.starts_with(&file)
    })
}

/// Returns the paths of the tables that the build script of a crate names, if it has one.
pub(super) fn built(root: &Path, folder: &str) -> Vec<String> {
    let folder = Path::new(folder);
    let script = |it: &str| files(root, &folder.join(it), ".rs");
    let scripts = [script("build.rs"), script("build")].concat();
    let texts = scripts.iter().filter_map(|path| std::fs::read_to_string(root.join(path)).ok());
    let text: String = texts.collect();
    let is_named = |path: &&PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        text.contains(&format!("{name}.tsv\"")) || text.contains(&format!("\"{name}\""))
    };
    let tables = files(root, &folder.join("data"), ".tsv");
    tables.iter().filter(is_named).map(|path| path.to_string_lossy().into_owned()).collect()
}

/// The files with an end that a path leads to, in order.
fn files(root: &Path, path: &Path, end: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(root.join(path)) else {
        let is_one = path.to_string_lossy().ends_with(end) && root.join(path).is_file();
        return if is_one { vec![path.to_path_buf()] } else { Vec::new() };
    };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    names.iter().flat_map(|name| files(root, &path.join(name), end)).collect()
}
