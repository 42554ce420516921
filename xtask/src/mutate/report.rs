//! The figures of a run, and every mutation that no test sees.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::state::{Entry, Mutation, Verdict, Way};

/// The table of mutations that change nothing.
const EQUIVALENTS: &str = "tests/results/mutation-equivalents.tsv";

/// Prints a text.
#[expect(clippy::print_stdout, reason = "the output is for whoever called the chore")]
pub(super) fn print(text: &str) {
    print!("{text}");
}

/// Prints what is known of one mutation.
pub(super) fn line(entry: &Entry) {
    let Mutation { path, line, row, .. } = &entry.mutation;
    let (verdict, new, test) = (entry.verdict.name(), entry.mutation.new_row(), &entry.test);
    print(&format!("{verdict:9} {path}:{line}\n  - {}\n  + {new}\n  {test}\n", row.trim()));
}

/// Prints every mutation.
pub(super) fn list(entries: &[Entry]) {
    entries.iter().for_each(line);
}

/// The reasons why mutations change nothing, by path, old and new line.
struct Equivalents(BTreeMap<(String, String, String), String>);

impl Equivalents {
    fn read(root: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(root.join(EQUIVALENTS))
            .map_err(|error| format!("{EQUIVALENTS}: {error}"))?;
        let row = |line: &str| {
            let mut cells = line.split('\t').map(str::to_owned);
            let key = (cells.next()?, cells.next()?, cells.next()?);
            Some((key, cells.next()?))
        };
        Ok(Self(text.lines().skip(1).filter_map(row).collect()))
    }

    fn reason(&self, mutation: &Mutation) -> Option<&str> {
        let cell = |row: &str| row.trim().replace('\t', " ");
        let key = (mutation.path.clone(), cell(&mutation.row), cell(&mutation.new_row()));
        self.0.get(&key).map(String::as_str)
    }
}

/// Counts of verdicts.
#[derive(Default)]
struct Figures {
    killed: usize,
    by_others: usize,
    unseen: usize,
    equivalent: usize,
}

impl Figures {
    fn add(&mut self, entry: &Entry, equivalents: &Equivalents) {
        *match entry.verdict {
            Verdict::Killed => &mut self.killed,
            Verdict::KilledByOthers => &mut self.by_others,
            _ if equivalents.reason(&entry.mutation).is_some() => &mut self.equivalent,
            _ => &mut self.unseen,
        } += 1;
    }

    fn row(&self, name: &str) -> String {
        let sum = self.killed + self.by_others + self.unseen + self.equivalent;
        let percent = |part: usize, whole: usize| match whole {
            0 => "–".to_owned(),
            _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
        };
        let all = self.killed + self.by_others;
        format!(
            "| {name} | {sum} | {} | {} | {} | {} | {} | {} | {} |\n",
            self.killed,
            self.by_others,
            self.equivalent,
            self.unseen,
            percent(self.killed, sum),
            percent(all, sum),
            percent(all, sum - self.equivalent),
        )
    }
}

/// Writes the report.
pub(super) fn markdown(
    root: &Path,
    seed: u64,
    count: usize,
    entries: &[Entry],
) -> Result<String, String> {
    let equivalents = Equivalents::read(root)?;
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(root).output().ok();
        let text = output.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
        text.unwrap_or_default()
    };
    let viable = |entry: &&Entry| entry.verdict != Verdict::Unviable;
    let unviable = entries.iter().filter(|entry| !viable(entry)).count();
    let counted: Vec<&Entry> = entries.iter().filter(viable).take(count.max(1)).collect();
    let alone = counted.iter().filter(|entry| entry.way == Way::Alone).count();
    let mut out = format!(
        "# Mutations\n\n{}, commit {}, seed {seed}: {} mutations, {alone} of them with a build each; \
         {unviable} more did not compile.\n",
        run("date", &["+%Y-%m-%d"]),
        run("git", &["rev-parse", "--short=12", "HEAD"]),
        counted.len(),
    );
    let folder: fn(&Entry) -> &str = |entry| entry.mutation.folder();
    let operator: fn(&Entry) -> &str = |entry| &entry.mutation.operator;
    for (title, key) in [("crate", folder), ("operator", operator)] {
        let mut groups: BTreeMap<&str, Figures> = BTreeMap::new();
        let mut sum = Figures::default();
        for entry in &counted {
            groups.entry(key(entry)).or_default().add(entry, &equivalents);
            sum.add(entry, &equivalents);
        }
        let _ = write!(
            out,
            "\n| {title} | mutations | killed by its crate's tests | only by others | changes nothing | survived \
             | killed by its crate | by all | by all, of those that change something |\n\
             |---|---|---|---|---|---|---|---|---|\n"
        );
        groups.iter().for_each(|(name, figures)| out.push_str(&figures.row(name)));
        out.push_str(&sum.row("all"));
    }
    out.push_str("\n## Seen by no test\n\n| place | old | new | reason |\n|---|---|---|---|\n");
    let unseen = counted
        .iter()
        .filter(|entry| !matches!(entry.verdict, Verdict::Killed | Verdict::KilledByOthers));
    for entry in unseen {
        let Mutation { path, line, row, .. } = &entry.mutation;
        let cell = |text: &str| format!("`` {} ``", text.trim().replace('|', "\\|"));
        let reason = equivalents.reason(&entry.mutation).unwrap_or("");
        let (old, new) = (cell(row), cell(&entry.mutation.new_row()));
        let _ = writeln!(out, "| {path}:{line} | {old} | {new} | {reason} |");
    }
    Ok(out)
}
