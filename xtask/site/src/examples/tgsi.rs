//! Examples of TGSI opcodes: a shader, and what the interpreter made of it.

use std::fmt::Write as _;

use tgsi::opcodes::ValueType;
use tgsi::{Opcode, Stage};
use tgsi_interp::launch::{QuadInputs, QuadOutputs, run_quad};
use tgsi_interp::patch::{Order, run_patch};
use tgsi_interp::{EMPTY, Image, LANES, Limits, Program, Register, Resources, Sampled, Textures};

use super::rows;

/// Single operations with their results, worked out by hand.
const CASES: &str = include_str!("../../../../analysis/tgsi-interp/data/cases.tsv");
/// Small programs with their results, worked out by hand.
const PROGRAMS: &str = include_str!("../../../../analysis/tgsi-interp/data/programs.tsv");
/// Texture look-ups, which have no result of their own here: the texture is made up.
const LOOK_UPS: &str = include_str!("../../data/look_ups.tsv");

/// Returns the example of an opcode as Markdown.
///
/// # Errors
/// There is none, or its result is not the one of its table.
pub(crate) fn of(opcode: Opcode) -> Result<String, String> {
    let word = opcode.mnemonic();
    let reason = opcode.row().not_executed;
    if !reason.is_empty() {
        return Ok(format!("It is not executed: {reason}.\n"));
    }
    if !opcode.had_text_form() {
        return Ok("It left the instruction set before any reader took text.\n".to_owned());
    }
    if opcode.is_gap() {
        return Ok("The number was never given a meaning, so nothing can be run.\n".to_owned());
    }
    let own = of_name(word).map(|it| (it, word));
    let today = opcode.successor().map(Opcode::mnemonic);
    let found = own.or_else(|| today.and_then(|today| Some((of_name(today)?, today))));
    let (example, name) = found.ok_or_else(|| format!("the opcode {word} has no example"))?;
    // An older name of the same operation.
    let example = if name == word { example } else { example.renamed(name, word) };
    example.run().map_err(|why| format!("the example of {word}: {why}\n{}", example.text))
}

fn of_name(word: &str) -> Option<Example> {
    let case = rows(CASES).filter(|row| row[0] == word);
    // Plain numbers read best, and then exact ones.
    let case = case.min_by_key(|row| {
        let operands = row[1..3].join(" ");
        (operands.contains("nan") || operands.contains("inf"), operands.contains("0x"))
    });
    let program = || rows(PROGRAMS).find(|row| row[0] == word);
    let look_up = || rows(LOOK_UPS).find(|row| row[0] == word);
    case.map(|row| Example::of_case(&row))
        .or_else(|| program().map(|row| Example::of_program(&row)))
        .or_else(|| look_up().map(|row| Example::of_look_up(row[1])))
}

/// A shader to run.
struct Example {
    text: String,
    /// The result by the table; `None` where the table has none.
    expected: Option<Expected>,
}

/// A result of a table.
enum Expected {
    /// Of lane 0, as a value of a type.
    Value(String, ValueType),
    /// The first component in each lane.
    Lanes([u32; LANES]),
}

impl Example {
    fn of_case(row: &[&str]) -> Example {
        let opcode = Opcode::find(row[0]).map(Opcode::row);
        let sources: Vec<&str> = row[1].split(' ').collect();
        let mut immediates = String::new();
        let mut operands = String::new();
        for (place, numbers) in sources.iter().enumerate() {
            let of_opcode = opcode.and_then(|row| row.source_types.get(place).copied());
            let ty = of_opcode.unwrap_or(ValueType::Float);
            let is_vector = numbers.contains(',');
            let swizzle = match (is_vector, ty.is_wide()) {
                (true, _) => "",
                (false, true) => ".xyxy",
                (false, false) => ".xxxx",
            };
            let _ = writeln!(immediates, "IMM[{place}] {}", immediate(numbers, ty));
            let _ = write!(operands, ", IMM[{place}]{swizzle}");
        }
        let ty = opcode.and_then(|row| row.destination_types.first().copied());
        let ty = ty.unwrap_or(ValueType::Float);
        let second = match opcode.map_or(1, |row| row.destinations) {
            2 => "TEMP[0], TEMP[1]",
            _ => "TEMP[0]",
        };
        let text = format!(
            "VERT\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0..1]\n{immediates}{} {second}{operands}\n\
             MOV OUT[0], TEMP[0]\nEND\n",
            row[0]
        );
        let expected = (!row[2].contains("nan")).then(|| Expected::Value(row[2].to_owned(), ty));
        Example { text, expected }
    }

    fn of_program(row: &[&str]) -> Example {
        let (stage, body) = (row[1], row[2]);
        let properties = match stage {
            "GEOM" => {
                "PROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\n\
                 PROPERTY GS_MAX_OUTPUT_VERTICES 8\n"
            }
            "TESS_CTRL" => "PROPERTY TCS_VERTICES_OUT 4\n",
            _ => "",
        };
        let input = match stage {
            "VERT" => "DCL IN[0]",
            "GEOM" | "TESS_CTRL" => "DCL IN[][0], GENERIC[0]",
            _ => "DCL IN[0], GENERIC[0], LINEAR",
        };
        let output = if stage == "FRAG" { "COLOR" } else { "GENERIC[0]" };
        let brackets = if stage == "TESS_CTRL" { "[]" } else { "" };
        let output = format!("DCL OUT{brackets}[0..1], {output}");
        let lines = [
            ("IN[", input),
            ("OUT[", &output),
            ("SV[", "DCL SV[0], INVOCATIONID"),
            ("TEMP[", "DCL TEMP[0..7]"),
            ("ADDR[", "DCL ADDR[0]"),
            ("BUFFER[", "DCL BUFFER[0]"),
            ("IMAGE[", "DCL IMAGE[0..1], 2D, PIPE_FORMAT_R32_UINT, WR"),
            ("RES[", "DCL RES[0], BUFFER, RAW, WR"),
            ("SAMP[", "DCL SAMP[0..3]"),
            ("LOOP[", "DCL LOOP[0]"),
            ("CONST[", "DCL CONST[0][0..1]"),
            ("IMM[0]", "IMM[0] FLT32 { 0.0, 1.0, 2.0, 3.0 }"),
            ("IMM[1]", "IMM[1] UINT32 { 0, 1, 2, 3 }"),
            ("IMM[2]", "IMM[2] INT32 { 4, 8, 12, -1 }"),
        ];
        let mut text = format!("{stage}\n{properties}");
        // Immediates are numbered in the order of the text: none before one that is used goes.
        let last = (0..3).rev().find(|number| body.contains(&format!("IMM[{number}]")));
        for (place, (word, line)) in lines.iter().enumerate() {
            let immediate = place.checked_sub(lines.len() - 3);
            let is_used = match immediate {
                Some(number) => last.is_some_and(|last| number <= last),
                None => body.contains(word),
            };
            if is_used {
                let _ = writeln!(text, "{line}");
            }
        }
        text.push_str(&body.split("; ").collect::<Vec<_>>().join("\n"));
        text.push_str(if body.contains("BGNSUB") { "\n" } else { "\nEND\n" });
        let lane = |number: &str| match number.parse::<i64>() {
            Ok(integer) => integer as u32,
            Err(_) => number.parse::<f32>().map_or(0, f32::to_bits),
        };
        let mut lanes = [0; LANES];
        for (place, number) in lanes.iter_mut().zip(row[3].split(' ')) {
            *place = lane(number);
        }
        Example { text, expected: Some(Expected::Lanes(lanes)) }
    }

    fn of_look_up(body: &str) -> Example {
        let body = body.split("; ").collect::<Vec<_>>().join("\n");
        let text = format!("FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n{body}\nEND\n");
        Example { text, expected: None }
    }

    /// The example under another name of its opcode.
    fn renamed(self, from: &str, to: &str) -> Example {
        let lines = self.text.lines().map(|line| match line.strip_prefix(from) {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => format!("{to}{rest}\n"),
            _ => format!("{line}\n"),
        });
        Example { text: lines.collect(), ..self }
    }

    /// Runs the shader, and returns it with its result as Markdown.
    fn run(&self) -> Result<String, String> {
        let parse = tgsi::parser::parse(&self.text, &source::no_checkpoint);
        let shader = parse.shader.ok_or("it is not a shader")?;
        let program = Program::prepare(&shader)
            .map_err(|refusal| format!("{refusal}: {:?}", parse.diagnostics))?;
        let inputs = QuadInputs {
            inputs: vec![vec![input(0.0)], vec![input(10.0)]],
            framebuffer: vec![[[0.5f32.to_bits(); LANES]; 4]],
            mask: 0xf,
            ..QuadInputs::default()
        };
        let mut resources = resources();
        if self.expected.is_none() {
            let mut sampled = Sampled::default();
            sampled.make_up(&program);
            resources.textures = Textures::Sampled(sampled);
        }
        let stopped = |stop: tgsi_interp::Stop| format!("it was stopped: {stop:?}");
        let (outputs, killed) = if program.stage == Stage::TessellationControl {
            let (order, limits) = (Order::Forward, Limits::default());
            let patch =
                run_patch(&program, &mut resources, &inputs, 0, order, limits).map_err(stopped)?;
            let lane = |component: usize| {
                std::array::from_fn(|vertex| patch.vertices[vertex][1][component])
            };
            (vec![std::array::from_fn(lane)], 0)
        } else {
            let QuadOutputs { outputs, killed, .. } =
                run_quad(&program, &mut resources, &inputs, Limits::default()).map_err(stopped)?;
            (outputs, killed)
        };
        let output = outputs.first().copied().unwrap_or(EMPTY);
        self.judge(&output)?;
        Ok(format!("```tgsi try\n{}```\n\n{}", self.text, self.result(&output, killed)))
    }

    /// Compares a result with that of the table.
    fn judge(&self, output: &Register) -> Result<(), String> {
        match &self.expected {
            None => Ok(()),
            Some(Expected::Lanes(expected)) => {
                // A sum that is 0 may have either sign.
                let found = output[0].map(|bits| if bits == 1 << 31 { 0 } else { bits });
                let is_right = found == *expected;
                is_right.then_some(()).ok_or_else(|| format!("{found:x?}, and not {expected:x?}"))
            }
            Some(Expected::Value(expected, ty)) => {
                let found = match expected.contains(',') {
                    false => value(output, 0, *ty),
                    true => {
                        let all = (0..4).map(|component| value(output, component, *ty));
                        all.collect::<Vec<_>>().join(",")
                    }
                };
                let bits: Vec<String> = expected.split(',').map(|it| normal(it, *ty)).collect();
                let expected = bits.join(",");
                (found == expected)
                    .then_some(())
                    .ok_or_else(|| format!("{found}, and not {expected}"))
            }
        }
    }

    /// The result in words for readers.
    fn result(&self, output: &Register, killed: u8) -> String {
        let mut text = String::new();
        match &self.expected {
            Some(Expected::Value(_, ty)) => {
                let count = if ty.is_wide() { 2 } else { 4 };
                let values: Vec<String> = (0..count).map(|it| value(output, it, *ty)).collect();
                let _ = writeln!(text, "`OUT[0]` is then `{}`.", values.join("`, `"));
            }
            _ => {
                text.push_str("| lane | `OUT[0].x` |\n|---|---|\n");
                for (lane, bits) in output[0].iter().enumerate() {
                    let killed = killed & 1 << lane != 0;
                    let note = if killed { ", killed" } else { "" };
                    let _ = writeln!(text, "| {lane} | `{}`{note} |", either(*bits));
                }
            }
        }
        if self.text.contains("IN[0]") && !matches!(self.expected, Some(Expected::Value(..))) {
            text.push_str("\n`IN[0]` of lane *n* is (*n*, *n* + 1, −*n*, 0.25).");
        }
        if self.expected.is_none() {
            text.push_str(
                " The texture is the one that `tungsten run` makes up where none is given.",
            );
        }
        text + "\n"
    }
}

/// An immediate that holds the numbers of a source.
fn immediate(numbers: &str, ty: ValueType) -> String {
    let numbers: Vec<&str> = numbers.split(',').collect();
    let is_raw = numbers
        .iter()
        .any(|it| it.starts_with("0x") || ["inf", "-inf", "nan"].contains(it) || it.contains('e'));
    let kind = match ty {
        _ if is_raw && !ty.is_wide() => "UINT32",
        ValueType::Float | ValueType::Untyped if numbers.iter().all(|it| it.contains('.')) => {
            "FLT32"
        }
        ValueType::Float => "FLT32",
        ValueType::Untyped | ValueType::Unsigned => "UINT32",
        ValueType::Signed => "INT32",
        ValueType::Double if is_raw => "UINT64",
        ValueType::Double => "FLT64",
        ValueType::Signed64 => "INT64",
        ValueType::Unsigned64 => "UINT64",
    };
    let written: Vec<String> = numbers.iter().map(|it| number(it, kind)).collect();
    let count = if ty.is_wide() { 2 } else { 4 };
    let zero = if kind.starts_with("FLT") { "0.0" } else { "0" };
    let filled = written.into_iter().chain(std::iter::repeat_n(zero.to_owned(), count)).take(count);
    format!("{kind} {{ {} }}", filled.collect::<Vec<_>>().join(", "))
}

/// A number as an immediate of a kind writes it: texts of TGSI have no hexadecimal digits.
fn number(number: &str, kind: &str) -> String {
    let bits = |ty| bits(number, ty);
    let is_integer = number.starts_with("0x") || number.parse::<i128>().is_ok();
    match kind {
        "UINT32" => bits(ValueType::Float).0.to_string(),
        "UINT64" => bits(ValueType::Double).1.to_string(),
        "INT32" => bits(ValueType::Signed).0.cast_signed().to_string(),
        "INT64" => bits(ValueType::Signed64).1.cast_signed().to_string(),
        _ if is_integer => format!("{number}.0"),
        _ => number.to_owned(),
    }
}

/// The value of a component of lane 0, or of a pair of components.
fn value(output: &Register, component: usize, ty: ValueType) -> String {
    let word = |component: usize| output.get(component).map_or(0, |lanes| lanes[0]);
    let bits = word(component);
    let long = u64::from(word(2 * component)) | u64::from(word(2 * component + 1)) << 32;
    written(bits, long, ty)
}

/// A number of a table in the form of [`value`].
fn normal(number: &str, ty: ValueType) -> String {
    let (bits, long) = bits(number, ty);
    written(bits, long, ty)
}

/// The bits of a number of a table: of 32 bits, and of 64.
fn bits(number: &str, ty: ValueType) -> (u32, u64) {
    if let Some(digits) = number.strip_prefix("0x") {
        let long = u64::from_str_radix(digits, 16).unwrap_or(0);
        return (long as u32, long);
    }
    match number.parse::<i128>() {
        Ok(integer) => (integer as u32, integer as u64),
        Err(_) if ty.is_wide() => (0, number.parse::<f64>().map_or(0, f64::to_bits)),
        Err(_) => (number.parse::<f32>().map_or(0, f32::to_bits), 0),
    }
}

fn written(bits: u32, long: u64, ty: ValueType) -> String {
    match ty {
        ValueType::Untyped => either(bits),
        ValueType::Float => format!("{:?}", f32::from_bits(bits)),
        ValueType::Signed => bits.cast_signed().to_string(),
        ValueType::Unsigned if bits > 0xffff => format!("{bits:#x}"),
        ValueType::Unsigned => bits.to_string(),
        ValueType::Double => format!("{:?}", f64::from_bits(long)),
        ValueType::Signed64 => long.cast_signed().to_string(),
        ValueType::Unsigned64 if long > 0xffff => format!("{long:#x}"),
        ValueType::Unsigned64 => long.to_string(),
    }
}

/// Bits whose type is not known: a float where they look like one.
fn either(bits: u32) -> String {
    let float = f32::from_bits(bits);
    let looks_like_a_float = float.is_finite() && (1e-6..1e9).contains(&float.abs());
    match bits {
        0..=0xffff => bits.to_string(),
        _ if looks_like_a_float => format!("{float:?}"),
        _ => format!("{bits:#x}"),
    }
}

/// The input of each lane, as the table of programs has it.
fn input(more: f32) -> Register {
    let mut input = EMPTY;
    for (component, lanes) in input.iter_mut().enumerate() {
        *lanes = std::array::from_fn(|lane| {
            let x = lane as f32 + more;
            [x, x + 1.0, -x, 0.25][component].to_bits()
        });
    }
    input
}

/// The memory that the programs of the table read.
fn resources() -> Resources {
    let texels = (100..104).map(|it| [it, 0, 0, 0]).collect();
    Resources {
        buffers: vec![vec![10, 11, 12, 13]],
        constants: vec![vec![[20, 21, 22, 23]]],
        images: vec![Some(Image { size: [2, 2, 1], texels })],
        ..Resources::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_has_an_example_or_a_reason() {
        let failed: Vec<String> = Opcode::all().filter_map(|opcode| of(opcode).err()).collect();
        assert!(failed.is_empty(), "{}:\n{}", failed.len(), failed.join("\n"));
    }

    #[test]
    fn a_wrong_result_is_an_error() {
        let text = "VERT\nDCL OUT[0], GENERIC[0]\nIMM[0] FLT32 { 1.5, 0.0, 0.0, 0.0 }\n\
                    MOV OUT[0], IMM[0].xxxx\nEND\n";
        let with = |expected: &str| Example {
            text: text.to_owned(),
            expected: Some(Expected::Value(expected.to_owned(), ValueType::Float)),
        };
        assert!(with("1.5").run().is_ok());
        assert!(with("2.5").run().is_err());
    }
}
