//! Programs with mistakes that people make, planted in sound ones: those of the table of
//! everyday mistakes in TGSI, and typing mistakes in kernels.

use crate::random_shaders::Numbers;

/// The program that the lines of the table stand in.
const SOUND: &str = include_str!("../../analysis/tgsi/data/mistakes.tgsi");

/// The lines of [`SOUND`] that somebody got wrong, and what was written.
fn lines() -> impl Iterator<Item = (&'static str, String)> {
    let rows = include_str!("../../analysis/tgsi/data/mistakes.tsv").lines().skip(1);
    let cells = rows.map(|row| row.split('\t').collect::<Vec<_>>());
    let with_line = cells.filter(|cells| !cells[1].is_empty());
    with_line.map(|cells| (cells[1], cells[2].replace(" / ", "\n")))
}

/// Shaders with one to three everyday mistakes each.
pub fn shaders(count: usize, random: &mut Numbers) -> Vec<String> {
    let lines: Vec<_> = lines().collect();
    let planted = (0..count).map(|_| {
        let mut text = SOUND.to_owned();
        for _ in 0..=random.below(3) {
            let (right, wrong) = &lines[random.below(lines.len())];
            text = text.replacen(&format!("{right}\n"), &format!("{wrong}\n"), 1);
        }
        text
    });
    planted.collect()
}

/// A kernel with one to three typing mistakes in its lines.
pub fn kernel(sound: &str, random: &mut Numbers) -> String {
    let mut lines: Vec<String> = sound.lines().map(str::to_owned).collect();
    let is_code = |line: &String| line.starts_with([' ', '\t']) && line.contains([',', '_']);
    let code: Vec<usize> = (0..lines.len()).filter(|place| is_code(&lines[*place])).collect();
    if code.is_empty() {
        return sound.to_owned();
    }
    for _ in 0..=random.below(3) {
        let line = &mut lines[code[random.below(code.len())]];
        *line = match random.below(5) {
            // A letter twice.
            0 => match line.find('_') {
                Some(place) => format!("{}_{}", &line[..place], &line[place..]),
                None => line.clone(),
            },
            // An operand less.
            1 => line.rsplit_once(',').map_or(line.clone(), |(before, _)| before.to_owned()),
            // No comma.
            2 => line.replacen(',', "", 1),
            // Another register.
            3 => line.replacen('v', "s", 2),
            _ => line.replacen("32", "23", 1),
        };
    }
    lines.join("\n") + "\n"
}
