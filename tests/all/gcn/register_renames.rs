//! Registers that get other numbers at random: what is given out means the same. Every
//! read has the writes that it had, and machine code runs to the same end.

use std::time::Duration;

use gcn::service::View;
use gcn::service::registers::rename::rename;
use source::apply_edits;
use tests::checks::register_renames::{
    Statistics, moved, reads, registers_are_renamed_or_the_reason_is_told, words,
};
use tests::corpus;
use tests::random_shaders::Numbers;

use super::lane_runs::{self, kernel, vega};

#[test]
fn registers_of_own_kernels_are_renamed_or_the_reason_is_told() {
    let kernels = corpus::gcn_programs();
    let (done, files) =
        registers_are_renamed_or_the_reason_is_told(&kernels, Duration::from_secs(15));
    assert!(done > 10 && files >= 5, "{done} renamed in {files} files");
}

#[test]
fn renamed_programs_run_to_the_same_end() {
    const PROGRAMS: usize = 120;
    let mut numbers = Numbers::new(3);
    let (mut statistics, mut ended, mut exported) = (Statistics::default(), 0, 0);
    for _ in 0..PROGRAMS {
        let text = kernel(&mut numbers);
        let program = vega(&text);
        assert!(program.instructions.iter().all(|it| it.assembled.is_some()), "{text}");
        let words = words(&text);
        for _ in 0..12 {
            let word = words[numbers.below(words.len())];
            let step = if text[word].starts_with('s') { 2 } else { 1 };
            let by = step * (numbers.below(13) as i64 - 6);
            let Some(new) = moved(&text[word], by).filter(|_| by != 0) else { continue };
            match rename(View::root(&program), word.start(), &new, &vega).expect("a register") {
                Err(reason) => statistics.refuse(&reason.to_string()),
                Ok(edits) => {
                    statistics.done += 1;
                    let after = vega(&apply_edits(&text, &edits).expect("edits"));
                    let shown = format!("{} to {new}:\n{text}", &text[word]);
                    let (was, is) = (reads(&program, 0, &|_| true), reads(&after, 0, &|_| true));
                    assert_eq!(was, is, "{shown}");
                    for seed in 1..4 {
                        let run = |of| lane_runs::run(program.target, &lane_runs::words(of), seed);
                        let expected = run(&program);
                        assert_eq!(run(&after), expected, "{shown}");
                        ended += usize::from(expected.is_whole());
                        exported += usize::from(!expected.exports.is_empty());
                    }
                }
            }
        }
    }
    statistics.show("random programs");
    eprintln!("{ended} runs to the end, {exported} with exports");
    assert!(statistics.done > 200 && ended > 200 && exported > 200);
    assert!(statistics.refused.len() > 3);
}
