//! LLVM's assembler and disassembler, asked about many lines at once.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A version of `llvm-mc`.
#[derive(Debug, Clone)]
pub(crate) struct Judge {
    /// Its name in the tables: `llvm-19`.
    pub(crate) name: String,
    /// The program and the words before its own options.
    command: Vec<String>,
    /// The version, in its own words.
    pub(crate) version: String,
}

/// Of a line: the bytes and the text as the judge prints it, or the column of its
/// complaint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// An instruction, with its bytes and its text.
    Right { bytes: String, text: String },
    /// No instruction; the column of the error, from 1.
    Wrong { column: usize },
}

impl Judge {
    /// Finds a judge by its command.
    ///
    /// # Errors
    /// If it does not run: what to install.
    pub(crate) fn new(name: &str, command: &str, help: &str) -> Result<Judge, String> {
        let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let mut judge = Judge { name: name.to_owned(), command, version: String::new() };
        let said = judge.run(&["--version"], "").map_err(|error| format!("{error}: {help}"))?;
        let version = said.0.lines().find_map(version_of);
        judge.version = version.ok_or_else(|| format!("{name} does not say its version"))?;
        Ok(judge)
    }

    /// Tells whether it knows a chip: of an unknown one it would judge another's lines.
    /// `triple` chooses the processor, an option that programs of LLVM spell differently.
    ///
    /// # Errors
    /// If it does not run.
    pub(crate) fn knows(&self, triple: &str, chip: &str) -> Result<bool, String> {
        let (_, help) = self.run(&[triple, "-mcpu=help"], "")?;
        let named = |line: &str| line.trim_start().split(' ').next() == Some(chip);
        Ok(help.lines().filter(|line| line.contains("Select the")).any(named))
    }

    /// Runs it with a text on its standard input; returns its output as text.
    fn run(&self, arguments: &[&str], input: &str) -> Result<(String, String), String> {
        let (output, complaints) = self.bytes_of(arguments, input)?;
        Ok((String::from_utf8_lossy(&output).into_owned(), complaints))
    }

    /// Runs it with a text on its standard input; returns its output and its complaints.
    pub(crate) fn bytes_of(
        &self,
        arguments: &[&str],
        input: &str,
    ) -> Result<(Vec<u8>, String), String> {
        let program = self.command.first().map_or("", String::as_str);
        let failed = |error: std::io::Error| format!("{program}: {error}");
        let mut child = Command::new(program)
            .args(self.command.iter().skip(1))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let output = std::thread::scope(|scope| {
            // Written beside reading: the pipes hold less than a table.
            let stdin = child.stdin.take();
            let writer = scope.spawn(move || stdin.map(|mut it| it.write_all(input.as_bytes())));
            let output = child.wait_with_output().map_err(failed);
            // A program that ends early is heard by its output.
            let _ = writer.join();
            output
        })?;
        Ok((output.stdout, String::from_utf8_lossy(&output.stderr).into_owned()))
    }

    /// The verdicts on lines; `None` for what is neither an instruction nor an error,
    /// or breaks the judge.
    pub(crate) fn assemble(
        &self,
        class: &str,
        lines: &[String],
    ) -> Result<Vec<Option<Verdict>>, String> {
        let mut verdicts = Vec::with_capacity(lines.len());
        while verdicts.len() < lines.len() {
            let rest = &lines[verdicts.len()..];
            let judged = self.assemble_until_broken(class, rest)?;
            if judged.is_empty() {
                return Err(format!("{} judges nothing for {class}", self.name));
            }
            verdicts.extend(judged);
        }
        Ok(verdicts)
    }

    /// The verdicts on lines up to the one that breaks the judge, that one with none.
    fn assemble_until_broken(
        &self,
        class: &str,
        lines: &[String],
    ) -> Result<Vec<Option<Verdict>>, String> {
        let mut input = String::new();
        for (index, line) in lines.iter().enumerate() {
            input.push_str(&format!("line_{index}:\n{line}\n"));
        }
        let mcpu = format!("-mcpu={class}");
        let (printed, complaints) =
            self.run(&["-triple=amdgcn", &mcpu, "-show-encoding"], &input)?;
        let mut verdicts = vec![None; lines.len()];
        let mut current = 0;
        for line in printed.lines() {
            if let Some(index) = line.strip_prefix("line_").and_then(|rest| rest.split(':').next())
            {
                current = index.parse().unwrap_or(current);
            } else if let Some((text, bytes)) = printed_instruction(line) {
                verdicts[current] = Some(Verdict::Right { bytes, text });
            } else if line.contains("fixup") {
                verdicts[current] = None;
            }
        }
        for (line, column) in complaints.lines().filter_map(complaint) {
            // Each line has its label before it; the first complaint counts.
            let index = (line.max(2) - 2) / 2;
            if line % 2 == 0 && !matches!(verdicts.get(index), Some(Some(Verdict::Wrong { .. }))) {
                verdicts[index] = Some(Verdict::Wrong { column });
            }
        }
        if current + 1 < lines.len() {
            verdicts.truncate(current + 1);
            verdicts[current] = None;
        }
        Ok(verdicts)
    }

    /// The texts that bytes stand for; `None` where the chip has no such instruction.
    pub(crate) fn disassemble(
        &self,
        class: &str,
        words: &[String],
    ) -> Result<Vec<Option<String>>, String> {
        // In brackets: bytes that are not an instruction end with their line.
        let spaced = |hex: &String| {
            let bytes = hex.as_bytes().chunks(2).map(String::from_utf8_lossy);
            format!("[{}]", bytes.map(|byte| format!("0x{byte} ")).collect::<String>().trim_end())
        };
        let input: String = words.iter().map(|hex| spaced(hex) + "\n").collect();
        let mcpu = format!("-mcpu={class}");
        let arguments = ["-triple=amdgcn", &mcpu, "-disassemble", "-show-encoding"];
        let (printed, said) = self.run(&arguments, &input)?;
        let refused: BTreeSet<usize> = said.lines().filter_map(complaint).map(|it| it.0).collect();
        let mut printed = printed.lines().filter_map(printed_instruction);
        let texts = (1..).zip(words).map(|(line, hex)| {
            if refused.contains(&line) {
                return None;
            }
            let (text, bytes) = printed.next()?;
            // Bytes of one instruction may be read as two.
            let mut length = bytes.len();
            let is_one = length >= hex.len();
            while length < hex.len() {
                length += printed.next()?.1.len();
            }
            is_one.then_some(text)
        });
        let texts: Vec<_> = texts.collect();
        match printed.next() {
            None => Ok(texts),
            Some((text, _)) => Err(format!("{class}: `{text}` is of no line")),
        }
    }
}

/// `Debian LLVM version 15.0.6`
fn version_of(line: &str) -> Option<String> {
    let (_, version) = line.split_once("LLVM version ")?;
    Some(version.to_owned())
}

/// The text and the bytes in hexadecimal of `v_nop ; encoding: [0x00,0x00,0x00,0x7e]`.
fn printed_instruction(line: &str) -> Option<(String, String)> {
    let (text, encoding) = line.split_once("; encoding: [")?;
    let bytes = encoding.trim_end().strip_suffix(']')?;
    let digits = bytes.split(',').map(|byte| byte.strip_prefix("0x").unwrap_or("?"));
    let text = text.split("//").next().unwrap_or(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    Some((words.join(" "), digits.collect()))
}

/// The line and column of `<stdin>:4:19: error: …`, or of a warning that bytes are none.
fn complaint(line: &str) -> Option<(usize, usize)> {
    let rest = line.strip_prefix("<stdin>:")?;
    let mut parts = rest.splitn(3, ':');
    let place = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let said = parts.next()?.trim_start();
    let refuses = said.starts_with("error") || said.contains("invalid instruction encoding");
    refuses.then_some(place)
}
