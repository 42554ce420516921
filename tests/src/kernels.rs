//! Real GCN kernels in LLVM's dialect, with the command lines that assemble them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use gcn::Target;
use gcn::assembler::{Abi, Dialect};
use gcn::program::{Options, Program, reassemble};

/// A file of the corpora and how it is assembled.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Its name within the corpora.
    pub file: String,
    /// The assembler, and its verdict: `llvm-mc-19 ok`.
    pub verdict: String,
    /// The chip.
    pub target: Target,
    /// Symbols that the command line defines.
    pub symbols: Vec<(String, i64)>,
    /// The descriptors in use, where the command line says it.
    pub abi: Option<Abi>,
    path: PathBuf,
    text: String,
    /// The folder in which it is assembled, and the words of the command.
    command: (PathBuf, Vec<String>),
    /// The folders of included files.
    folders: Vec<PathBuf>,
}

impl Kernel {
    /// Tells whether an assembler accepted it.
    pub fn assembles(&self) -> bool {
        self.verdict.ends_with(" ok")
    }

    /// A program of this repository that assembles.
    pub fn own(name: &str, target: Target, text: &str, folder: PathBuf) -> Kernel {
        Kernel {
            file: name.to_owned(),
            verdict: "own ok".to_owned(),
            target,
            symbols: Vec::new(),
            abi: None,
            path: folder.join(name),
            text: text.to_owned(),
            command: (folder.clone(), Vec::new()),
            folders: vec![folder],
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder in which it is assembled, and the words of the command.
    pub fn command(&self) -> (&Path, &[String]) {
        (&self.command.0, &self.command.1)
    }

    /// The folders of included files.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Its text.
    pub fn text(&self) -> String {
        self.text.clone()
    }

    fn options(&self) -> Options {
        Options {
            target: Some(self.target),
            dialect: Dialect::Llvm,
            symbols: self.symbols.clone(),
            abi: self.abi,
            ..Options::default()
        }
    }

    /// Assembles a text as its command line says.
    pub fn assemble(&self, text: &str) -> Program {
        self.reassemble(None, text)
    }

    /// The same, where an earlier state of the text was assembled before.
    pub fn reassemble(&self, before: Option<&Program>, text: &str) -> Program {
        let include = |name: &str| self.include(name);
        reassemble(before, &text.into(), &self.options(), &include, &source::no_checkpoint)
    }

    /// Tells whether nothing is wrong in it and it has instructions.
    pub fn is_sound(&self) -> bool {
        let program = self.assemble(&self.text);
        let wrong = program.diagnostics.iter().any(|it| it.severity < source::Severity::Hint);
        !wrong && !program.instructions.is_empty()
    }

    /// The text of a file that it includes.
    pub fn include(&self, name: &str) -> Option<Arc<str>> {
        let found = self.folders.iter().find_map(|folder| std::fs::read(folder.join(name)).ok())?;
        Some(Arc::from(String::from_utf8_lossy(&found)))
    }

    /// The bytes of a section in the object that its own command makes; `None`
    /// where that assembler or its tool is not installed.
    pub fn assemble_with_reference(&self, section: &str) -> Option<Vec<u8>> {
        let (folder, words) = &self.command;
        let (assembler, arguments) = words.split_first()?;
        let unique = format!("{}-{}", std::process::id(), self.file.replace('/', "-"));
        let object = std::env::temp_dir().join(format!("{unique}.o"));
        let dump = std::env::temp_dir().join(format!("{unique}.bin"));
        let arguments = arguments.iter().map(|word| match word.as_str() {
            "/dev/null" => object.as_os_str(),
            word => word.as_ref(),
        });
        let assembled =
            Command::new(assembler).args(arguments).current_dir(folder).output().ok()?;
        let copier = assembler.replace("mc", "objcopy");
        let copy = format!("--dump-section={section}={}", dump.display());
        let copied = assembled.status.success()
            && Command::new(copier).arg(copy).arg(&object).output().ok()?.status.success();
        let bytes = copied.then(|| std::fs::read(&dump).ok()).flatten();
        let _ = (std::fs::remove_file(&object), std::fs::remove_file(&dump));
        bytes
    }
}

/// The kernels that a corpus's manifest says are in LLVM's dialect.
///
/// # Panics
/// Where the manifest is not as its description says.
pub fn kernels(root: &Path) -> Vec<Kernel> {
    let manifest = std::fs::read_to_string(root.join("MANIFEST.tsv")).expect("the manifest");
    let mut kernels = Vec::new();
    for row in manifest.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, _, "llvm", processor, _, _, verdict, command, ..] = cells[..] else { continue };
        let words: Vec<&str> = command.split_ascii_whitespace().collect();
        let folder = root.join(words.get(1).copied().unwrap_or_default());
        let mut kernel = Kernel {
            file: file.to_owned(),
            verdict: verdict.to_owned(),
            path: root.join(file),
            text: String::from_utf8_lossy(&std::fs::read(root.join(file)).expect(file))
                .into_owned(),
            command: (folder.clone(), words.iter().skip(3).map(|it| (*it).to_owned()).collect()),
            folders: vec![folder.clone()],
            symbols: Vec::new(),
            target: Target::find(processor).expect(processor),
            abi: None,
        };
        for pair in words.windows(2) {
            match pair[0] {
                "-I" => kernel.folders.push(folder.join(pair[1])),
                "-defsym" => kernel.symbols.push(symbol(pair[1])),
                _ => {}
            }
            if pair[0] == "--amdhsa-code-object-version=2" {
                kernel.abi = Some(Abi::V2);
            }
        }
        kernels.push(kernel);
    }
    kernels
}

fn symbol(definition: &str) -> (String, i64) {
    let (name, value) = definition.split_once('=').expect("a value");
    let value = match value.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => value.parse(),
    };
    (name.to_owned(), value.expect("a number"))
}
