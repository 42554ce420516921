//! The values that instructions wrote in a run on the file of inputs that the text
//! names, at the ends of the instructions.

use salsa::Database;
use source::TextRange;
use tgsi::ast::{Component, Instruction, StatementKind};
use tgsi::opcodes::ValueType;
use tgsi::values;

use super::value_hints::statements_within;
use crate::inputs::File;
use crate::queries::execution::{RunOutcome, Written, ran};
use crate::queries::shaders;
use editor_model::{InlayHint, InlayHintKind};

pub(crate) fn run_hints(db: &dyn Database, file: File, range: TextRange) -> Vec<InlayHint> {
    let regions = shaders::regions(db, file);
    let mut hints = Vec::new();
    for (shader, region) in shaders::shaders(db, file).iter().zip(&regions.shaders) {
        let Some(visible) = region.map().touched(range) else { continue };
        let Some(ran) = ran(db, file, *shader) else { continue };
        let RunOutcome::Values { lane, written } = &*ran else { continue };
        let parse = shaders::parse(db, *shader);
        let Some(tree) = &parse.shader else { continue };
        for statement in statements_within(tree, visible) {
            let StatementKind::Instruction(instruction) = &statement.kind else { continue };
            let place = written.binary_search_by_key(&instruction.ordinal, |it| it.ordinal);
            let Some(written) = place.ok().map(|place| &written[place]) else { continue };
            if written.components.is_empty() {
                continue;
            }
            hints.push(InlayHint {
                offset: region.map().to_file(statement.range).end(),
                label: format!("\u{2192} {}", label(instruction, written)),
                tooltip: tooltip(*lane, written),
                kind: InlayHintKind::Run,
            });
        }
    }
    hints.retain(|hint| range.contains_inclusive(hint.offset));
    hints
}

/// The values by their type, the components of a pair of 64 bits as one.
fn label(instruction: &Instruction, written: &Written) -> String {
    let row = instruction.info();
    let ty = row.destination_types.first().copied().unwrap_or(ValueType::Untyped);
    let bits: Vec<u32> = written.components.iter().map(|(_, bits)| *bits).collect();
    match values::words(ty, &bits).as_slice() {
        [first, rest @ ..] if rest.iter().all(|value| value == first) => first.clone(),
        values => values.join(", "),
    }
}

fn tooltip(lane: usize, written: &Written) -> String {
    let values = written.components.iter().map(|(component, bits)| {
        let letter = Component::ALL[component & 3].letter();
        let (float, integer) = (f32::from_bits(*bits), *bits as i32);
        format!("- {letter}: `{float:?}`, `{integer}`, `0x{bits:08x}`")
    });
    let times = match written.times {
        1 => String::new(),
        times => format!(", the last of {times} times"),
    };
    format!("Lane {lane}{times}\n\n{}", values.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use source::TextSize;

    use super::*;
    use crate::Language;
    use crate::ide::WantedHints;
    use crate::{FileId, Host, Settings};

    const SHADER: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\n\
         IMM[0] FLT32 {1.0, 3.0, 0.0, 0.0}\n\
         MUL TEMP[0].xy, IN[0], IMM[0].yyyy\n\
         F2I TEMP[1].x, TEMP[0].xxxx\n\
         MOV TEMP[1].y, TEMP[1].xxxx\n\
         REP IMM[0].yyyy\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nENDREP\n\
         F2D TEMP[1].xy, TEMP[0].xxxx\n\
         IF IMM[0].zzzz\nMOV OUT[0], IMM[0]\nENDIF\nEND\n";
    const INPUTS: &str = "[in]\n0 = [[0.5, 0.5], [2.0, -1.0], [0.0], [0.0]]\n";

    fn host(head: &str, inputs: Option<&str>) -> (Host, FileId, String) {
        let mut host = Host::new(Settings::default());
        let text = format!("{head}{SHADER}");
        let file = host.set_file("a.tgsi", Arc::from(&*text), Language::Tgsi);
        let wanted = host.snapshot().wanted_includes(file).unwrap();
        let found = inputs.map(|text| host.set_file("in.toml", Arc::from(text), Language::Gcn));
        host.set_includes(file, wanted.into_iter().map(|name| (name, found)).collect());
        (host, file, text)
    }

    fn hints(head: &str, inputs: &str) -> Vec<String> {
        let (host, file, text) = host(head, Some(inputs));
        let all = TextRange::up_to(TextSize::of(&*text));
        let hints = host
            .snapshot()
            .inlay_hints(file, all, &WantedHints::everywhere(&[InlayHintKind::Run]))
            .unwrap();
        let line =
            |offset: TextSize| text[..usize::from(offset)].lines().last().unwrap_or_default();
        let word = |offset| line(offset).split(' ').next().unwrap_or_default().to_owned();
        hints.into_iter().map(|hint| format!("{} {}", word(hint.offset), hint.label)).collect()
    }

    #[test]
    fn the_values_of_a_lane_stand_at_the_instructions_that_ran() {
        let first = [
            "MUL \u{2192} 1.5",
            "F2I \u{2192} 1",
            "MOV \u{2192} 1",
            "ADD \u{2192} 4.5",
            "F2D \u{2192} 4.5",
        ];
        assert_eq!(hints("# tungsten: run=in.toml\n", INPUTS), first);
        let second = [
            "MUL \u{2192} 6.0, -3.0",
            "F2I \u{2192} 6",
            "MOV \u{2192} 6",
            "ADD \u{2192} 9.0",
            "F2D \u{2192} 9.0",
        ];
        assert_eq!(hints("# tungsten: run=in.toml lane=1\n", INPUTS), second);
        let said = format!("lane = 1\n{INPUTS}");
        assert_eq!(hints("# tungsten: run=in.toml\n", &said), second);
        assert_eq!(hints("# a comment\n", INPUTS), [""; 0]);
    }

    #[test]
    fn the_last_of_several_times_is_shown_and_said() {
        let (host, file, text) = host("# tungsten: run=in.toml\n", Some(INPUTS));
        let all = TextRange::up_to(TextSize::of(&*text));
        let hints = host
            .snapshot()
            .inlay_hints(file, all, &WantedHints::everywhere(&[InlayHintKind::Run]))
            .unwrap();
        assert_eq!(
            hints[3].tooltip,
            "Lane 0, the last of 3 times\n\n- x: `4.5`, `1083179008`, `0x40900000`"
        );
        assert_eq!(
            host.snapshot()
                .inlay_hints(file, all, &WantedHints::everywhere(&[InlayHintKind::Value]))
                .unwrap()
                .len(),
            4
        );
    }

    #[test]
    fn what_cannot_be_run_is_said_at_the_line() {
        let said = |head: &str, inputs: Option<&str>| -> Vec<String> {
            let (host, file, _) = host(head, inputs);
            let found = host.snapshot().diagnostics(file).unwrap();
            use crate::queries::codes::{DIRECTIVE, NOT_RUN};
            let of_line = found.into_iter().filter(|it| [DIRECTIVE, NOT_RUN].contains(&it.code));
            of_line.map(|it| it.message).collect()
        };
        let run = "# tungsten: run=in.toml\n";
        assert_eq!(said(run, Some(INPUTS)), [""; 0]);
        let missing = "it is not run: there is no file `in.toml` around this one";
        assert_eq!(said(run, None), [missing]);
        let wrong = "it is not run: in.toml:2: an array is expected";
        assert_eq!(said(run, Some("[in]\n0 = 1\n")), [wrong]);
        let lane = "it is not run: there are 4 lanes, and none is number 9";
        assert_eq!(said("# tungsten: run=in.toml lane=9\n", Some(INPUTS)), [lane]);
        let text = "`lane` takes the number of a lane, from 0";
        assert_eq!(said("# tungsten: run=in.toml lane=x\n", Some(INPUTS)), [text]);
    }

    #[test]
    fn settings_count_where_no_line_says_it() {
        let shown = |head: &str, inputs: Option<&str>, lane: Option<usize>| {
            let (mut host, file, text) = host(head, None);
            let given = host.set_file("in.toml", Arc::from(INPUTS), Language::Gcn);
            let inputs = inputs.map(str::to_owned);
            let run = crate::RunSettings { inputs, lane };
            host.set_settings(Settings { run, ..Settings::default() });
            let wanted = host.snapshot().wanted_includes(file).unwrap();
            for name in wanted {
                let found = (name == "in.toml").then_some(given);
                host.set_includes(file, vec![(name, found)]);
            }
            let all = TextRange::up_to(TextSize::of(&*text));
            let hints = host
                .snapshot()
                .inlay_hints(file, all, &WantedHints::everywhere(&[InlayHintKind::Run]))
                .unwrap();
            let found = host.snapshot().diagnostics(file).unwrap();
            let of_run = found.into_iter().find(|it| it.code == crate::queries::codes::NOT_RUN);
            let said = of_run.map(|it| (text[it.range].to_owned(), it.message));
            (hints.first().map(|it| it.label.clone()), said)
        };
        let label = |value: &str| Some(format!("\u{2192} {value}"));
        assert_eq!(shown("", Some("in.toml"), None), (label("1.5"), None));
        assert_eq!(shown("", Some("in.toml"), Some(1)), (label("6.0, -3.0"), None));
        assert_eq!(shown("# tungsten: lane=2\n", Some("in.toml"), Some(1)).0, label("0.0"));
        assert_eq!(shown("", None, Some(1)), (None, None));
        let none = "it is not run: there is no file `other.toml` around this one";
        let said = Some(("VERT".to_owned(), none.to_owned()));
        assert_eq!(shown("", Some("other.toml"), None), (None, said));
        // What a line says of itself is not said again at the shader.
        let lined = shown("# tungsten: run=in.toml\n", Some("other.toml"), None);
        assert_ne!(lined.1.map(|it| it.0), Some("VERT".to_owned()));
    }

    #[test]
    fn what_is_wrong_with_inputs_stands_at_its_place() {
        let text = "lane = 0\n[in]\n0 = [1.0, \"x\"]\n";
        let found = crate::check_inputs(text).expect("a diagnostic");
        assert_eq!((&text[found.range], &*found.message), ("\"x\"", "a number is expected"));
        assert_eq!(found.severity, source::Severity::Error);
        assert_eq!(crate::check_inputs(INPUTS), None);
    }

    #[test]
    fn an_endless_loop_is_given_up() {
        let (mut host, file, _) = host("# tungsten: run=in.toml\n", Some(INPUTS));
        let text = "# tungsten: run=in.toml\nVERT\nDCL TEMP[0]\nBGNLOOP\nMOV TEMP[0], TEMP[0]\nENDLOOP\nEND\n";
        host.set_file("a.tgsi", Arc::from(text), Language::Tgsi);
        let found = host.snapshot().diagnostics(file).unwrap();
        let said = found.iter().find(|it| it.code == crate::queries::codes::NOT_RUN).unwrap();
        assert!(said.message.starts_with("it is not run: too many steps"), "{}", said.message);
    }
}
