//! Shaders that are not compared, and why, row by row.

/// Shaders of the corpora that are not compared, and why: `tests/data/agreement_exceptions.tsv`.
pub const EXCEPTIONS: &str = include_str!("../../data/agreement_exceptions.tsv");

/// A row of [`EXCEPTIONS`].
#[derive(Debug, Clone, Copy)]
pub struct Exception<'a> {
    /// The end of the file's name.
    pub file: &'a str,
    /// The beginning of the reason.
    pub reason: &'a str,
    /// The explanation, and its source.
    pub explanation: &'a str,
}

impl<'a> Exception<'a> {
    /// All rows.
    pub fn all(text: &'a str) -> impl Iterator<Item = Exception<'a>> {
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        rows.filter_map(|row| {
            let [file, reason, explanation] =
                <[&str; 3]>::try_from(row.split('\t').collect::<Vec<_>>()).ok()?;
            Some(Exception { file, reason, explanation })
        })
    }

    /// The explanation of a file that is skipped for a reason.
    pub fn find(text: &'a str, file: &str, reason: &str) -> Option<&'a str> {
        let mut all = Exception::all(text);
        let found = all.find(|row| file.ends_with(row.file) && reason.starts_with(row.reason));
        found.map(|row| row.explanation)
    }
}

/// Made shaders that are not compared, and why: `tests/data/agreement_exceptions_made.tsv`.
pub const MADE_EXCEPTIONS: &str = include_str!("../../data/agreement_exceptions_made.tsv");

/// A row of [`MADE_EXCEPTIONS`]: each of its opcodes with each of its targets.
#[derive(Debug, Clone)]
pub struct MadeException<'a> {
    /// The words behind the stage of a shader's name, one of which it has there.
    pub opcodes: Vec<&'a str>,
    /// The words of which the name has one after that; `-` for a name without others.
    pub targets: Vec<&'a str>,
    /// The beginning of the reason.
    pub reason: &'a str,
    /// The explanation, and its source.
    pub explanation: &'a str,
}

impl<'a> MadeException<'a> {
    /// All rows.
    pub fn all(text: &'a str) -> impl Iterator<Item = MadeException<'a>> {
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        rows.filter_map(|row| {
            let [opcodes, targets, reason, explanation] =
                <[&str; 4]>::try_from(row.split('\t').collect::<Vec<_>>()).ok()?;
            let [opcodes, targets] = [opcodes, targets].map(|cell| cell.split(' ').collect());
            Some(MadeException { opcodes, targets, reason, explanation })
        })
    }

    /// Returns the opcode and the target for which the row explains a made shader that is
    /// skipped for a reason.
    pub fn explains(&self, name: &str, reason: &str) -> Option<[&'a str; 2]> {
        let mut words = name.split([' ', ',', '\n']).skip(1);
        let opcode = words.next()?;
        let opcode = self.opcodes.iter().find(|own| **own == opcode)?;
        let target = match &self.targets[..] {
            [none @ "-"] => none,
            all => words.find_map(|word| all.iter().find(|own| **own == word))?,
        };
        reason.starts_with(self.reason).then_some([*opcode, *target])
    }

    /// The explanation of a made shader that is skipped for a reason.
    pub fn find(text: &'a str, name: &str, reason: &str) -> Option<&'a str> {
        let found = MadeException::all(text).find(|row| row.explains(name, reason).is_some());
        found.map(|row| row.explanation)
    }
}
