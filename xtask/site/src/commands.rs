//! Commands in chapters: a block `run` is run in the repository when the site is made, and shown
//! with what it printed. So no chapter shows what the program no longer says.

use std::path::Path;
use std::process::Command;

/// Replaces every block `run` of a text by a session at a terminal.
///
/// The words after `run` are `exit=N`, the status that is expected in place of 0, and `lines=N`,
/// the number of lines that are shown.
///
/// # Errors
/// A command that is not the program's, does not start or ends otherwise than expected.
pub(crate) fn run_blocks(text: &str, root: &Path, tungsten: &Path) -> Result<String, String> {
    let mut result = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(options) = line.strip_prefix("```run") else {
            result.push_str(line);
            result.push('\n');
            continue;
        };
        let option = |name: &str| {
            let value = options.split_ascii_whitespace().find_map(|it| it.strip_prefix(name));
            value.and_then(|value| value.parse::<usize>().ok())
        };
        result.push_str("```console\n");
        for command in lines.by_ref().take_while(|line| *line != "```") {
            let printed = run(command, root, tungsten, option("exit=").unwrap_or(0))?;
            result.push_str(&format!("$ {command}\n"));
            let most = option("lines=").unwrap_or(usize::MAX);
            for line in printed.lines().take(most) {
                result.push_str(line.trim_end());
                result.push('\n');
            }
            if printed.lines().count() > most {
                result.push_str("…\n");
            }
        }
        result.push_str("```\n");
    }
    Ok(result)
}

/// Runs one command, and returns what it prints: results, then what it says besides.
pub(crate) fn run(
    command: &str,
    root: &Path,
    tungsten: &Path,
    status: usize,
) -> Result<String, String> {
    let mut words = command.split_ascii_whitespace();
    if words.next() != Some("tungsten") {
        return Err(format!("`{command}`: only `tungsten` is run"));
    }
    let output = Command::new(tungsten)
        .args(words)
        .current_dir(root)
        .env("NO_COLOR", "1")
        .output()
        .map_err(|why| format!("`{command}`: {why}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    if output.status.code().and_then(|code| usize::try_from(code).ok()) != Some(status) {
        return Err(format!(
            "`{command}` ended with {} in place of {status}:\n{text}",
            output.status
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_commands_stay() {
        let text = "a\n```tgsi\nEND\n```\n";
        assert_eq!(run_blocks(text, Path::new("."), Path::new("tungsten")).unwrap(), text);
    }

    #[test]
    fn other_programs_are_not_run() {
        let fault =
            run_blocks("```run\nrm -r x\n```\n", Path::new("."), Path::new("/")).unwrap_err();
        assert!(fault.contains("only `tungsten` is run"), "{fault}");
    }
}
