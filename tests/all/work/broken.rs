//! Lines that cannot be read: to look for what each was meant as takes some times as long as to
//! read a sound line, and no more. The shapes of the other tests would not show it: only so many
//! broken lines of a text are looked at, and from there on the work is in proportion.

use std::sync::Arc;

use engine::{Host, Language, Settings};

use super::work_of;

/// Lines of a text: fewer than those whose meaning is looked for.
const LINES: usize = 60;

/// The work of a broken line, at most, in sound ones.
const MOST_TIMES: u64 = 100;

/// The times that a text which seems to take more is measured again.
const AGAIN: usize = 5;

/// A language, the text around its lines, a sound line and broken ones.
struct Lines {
    language: Language,
    head: &'static str,
    end: &'static str,
    sound: &'static str,
    broken: &'static [&'static str],
}

const TGSI: Lines = Lines {
    language: Language::Tgsi,
    head: "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL TEMP[0..99]\n",
    end: "END\n",
    sound: "MAD TEMP[{n}], IN[0], IN[0], IN[0]\n",
    broken: &[
        "MA@ TEMP[{n}], IN[0], IN[0], IN[0]\n",
        "QQ@QQ TEMP[{n}], IN[0], IN[0], IN[0]\n",
        "\"QQQQ TEMP[{n}], IN[0], IN[0], IN[0]\n",
        "MAD TEMP[{n}], IN@[0], IN[0], IN[0]\n",
        "MAD TEMP[{n}], IN[0], %s, IN[0]\n",
        "QQQQ TEMP[{n}], IN[0], IN[0], IN[0]\n",
        "QQQQ TEMP[{n}.xq, IN[0]],, IN[0]\n",
        "MAD TEMP[{n}], IN[0], IN[0]\n",
    ],
};

const GCN: Lines = Lines {
    language: Language::Gcn,
    head: "main:\n",
    end: " s_endpgm\n",
    sound: " v_mad_f32 v{n}, v1, v2, v3\n",
    broken: &[
        " v_ma@_f32 v{n}, v1, v2, v3\n",
        " v_qqq@qq v{n}, v1, v2, v3\n",
        " \"v_mad_f32 v{n}, v1, v2, v3\n",
        " v_mad_f32 v{n}, v@1, v2, v3\n",
        " v_qqqqq_f32 v{n}, v1, v2, v3\n",
        " v_qqq_qq v[{n}:x], v[1,, v2]\n",
        " v_mad_f32 v{n}, v1, v2\n",
    ],
};

/// The work of the diagnostics of a text in which one line is repeated, with its number.
fn work(lines: &Lines, line: &str) -> u64 {
    let body: String = (0..LINES).map(|at| line.replace("{n}", &at.to_string())).collect();
    let text: Arc<str> = [lines.head, &body, lines.end].concat().into();
    let mut host = Host::new(Settings { compile: false, ..Settings::default() });
    let file = host.set_file("a", text, lines.language);
    let snapshot = host.snapshot();
    work_of(|| drop(snapshot.all_diagnostics(file).expect("alone")))
}

#[test]
fn a_broken_line_costs_some_sound_lines_at_most() {
    let mut wrong = Vec::new();
    for lines in [TGSI, GCN] {
        // What is made once for a process is no work of a line.
        work(&lines, lines.sound);
        for broken in lines.broken {
            let measure = || (work(&lines, lines.sound), work(&lines, broken));
            let (mut sound, mut own) = measure();
            for _ in 0..AGAIN {
                if own <= MOST_TIMES * sound {
                    break;
                }
                let again = measure();
                (sound, own) = (sound.max(again.0), own.min(again.1));
            }
            eprintln!("{broken:?}: {own} of {sound}, {} times", own / sound.max(1));
            if own > MOST_TIMES * sound {
                wrong.push(format!("{broken:?}: {own}, a sound line {sound}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
