//! Faults of many kinds, planted in shaders.

use crate::random_shaders::Numbers;

/// A fault: what it declares, and what it does.
struct Fault {
    declarations: &'static str,
    instructions: &'static str,
}

const fn fault(declarations: &'static str, instructions: &'static str) -> Fault {
    Fault { declarations, instructions }
}

/// Faults that leave the paths of a shader as they are.
const FAULTS: [Fault; 35] = [
    fault("DCL TEMP[900]", ""),
    fault("DCL SAMP[90]", ""),
    fault("", "MOV TEMP[901], TEMP[950]"),
    fault("", "MOV TEMP[901], CONST[3999]"),
    fault("", "MOV TEMP[901], IMM[990]"),
    fault("DCL TEMP[902]", "MOV TEMP[901], TEMP[902]"),
    fault(
        "DCL TEMP[903]",
        "IF TEMP[901].xxxx\nMOV TEMP[903], TEMP[901]\nENDIF\nMOV TEMP[901], TEMP[903]",
    ),
    fault("DCL TEMP[904]\nDCL TEMP[904]", "MOV TEMP[904], TEMP[901]"),
    fault("DCL CONST[1][0..3]", "MOV CONST[1][0], TEMP[901]"),
    fault("DCL SAMP[91]", "MOV TEMP[901], SAMP[91]"),
    fault("DCL SAMP[92]", "TXF TEMP[901], TEMP[901], SAMP[92], CUBE"),
    fault("", "DADD TEMP[901].x, TEMP[901], TEMP[901]"),
    fault("", "UADD_SAT TEMP[901], TEMP[901], TEMP[901]"),
    fault("", "UADD TEMP[901], |TEMP[901]|, TEMP[901]"),
    fault("", "MOV TEMP[901], TEMP[0][901]"),
    fault("", "IF TEMP[901].xxxx :3\nENDIF"),
    fault("PROPERTY NUM_CLIPDIST_ENABLED 9", ""),
    fault("PROPERTY CS_FIXED_BLOCK_WIDTH 8", ""),
    fault("PROPERTY VS_WINDOW_SPACE_POSITION 7", ""),
    fault("DCL OUT[90], GENERIC[77]\nDCL OUT[91], GENERIC[77]", "MOV OUT[91], TEMP[901]"),
    fault("DCL OUT[92], GENERIC[78]", ""),
    fault("DCL SV[90], POSITION", "MOV TEMP[901], SV[90]"),
    fault("", "EMIT"),
    fault("", "KILL"),
    fault("DCL TEMP[905].xy", "MOV TEMP[905].xy, TEMP[901]\nMOV TEMP[901], TEMP[905]"),
    fault("DCL TEMP[906]", "F2I TEMP[906], TEMP[901]\nADD TEMP[901], TEMP[906], TEMP[906]"),
    fault(
        "DCL TEMP[907]",
        "ADD TEMP[907], TEMP[901], TEMP[901]\nUDIV TEMP[901], TEMP[907], TEMP[901]",
    ),
    fault("IMM UINT32 {40, 0, 3, 9}", "SHL TEMP[901], TEMP[901], IMM[~].xxxx"),
    fault("IMM UINT32 {40, 0, 3, 9}", "UDIV TEMP[901], TEMP[901], IMM[~].yyyy"),
    fault("IMM UINT32 {40, 0, 3, 9}", "UBFE TEMP[901], TEMP[901], IMM[~].xxxx, IMM[~].wwww"),
    fault("IMM UINT32 {40, 0, 3, 9}\nDCL BUFFER[9]", "LOAD TEMP[901].x, BUFFER[9], IMM[~].zzzz"),
    fault(
        "DCL MEMORY[9], SHARED",
        "STORE MEMORY[9].x, TEMP[901].xxxx, TEMP[901]\nLOAD TEMP[901], MEMORY[9], TEMP[901].yyyy",
    ),
    fault("DCL OUT[93], GENERIC[79]", "MOV OUT[93], TEMP[901]\nEMIT IMM[~].yyyy\nEMIT IMM[~].yyyy"),
    fault(
        "DCL IN[95], GENERIC[75], PERSPECTIVE",
        "IF IN[95].xxxx\nMOV TEMP[901], IN[95]\nDDX TEMP[901], TEMP[901]\nENDIF",
    ),
    fault("DCL ADDR[91]", "ARL ADDR[91].x, TEMP[901].xxxx\nMOV TEMP[901], CONST[ADDR[91].x+4000]"),
];

/// Faults that change the paths: at most one of them is planted, at the end.
const LAST: [Fault; 5] = [
    fault("", "BRK"),
    fault("", "ENDIF"),
    fault("", "RET\nMOV TEMP[901], TEMP[901]"),
    fault("", "BGNLOOP\nENDLOOP"),
    fault("", "IF TEMP[901].xxxx"),
];

/// Plants from four to nine faults in a shader.
pub(crate) fn plant(text: &str, random: &mut Numbers) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // The lines between which control only goes on, outside of all blocks.
    let instruction = lines.iter().position(|line| opcode(line).is_some());
    let first = instruction.unwrap_or(lines.len());
    let mut depth = 0i32;
    let mut places = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(first) {
        if depth == 0 {
            places.push(number);
        }
        match opcode(line).unwrap_or_default() {
            "IF" | "UIF" | "BGNLOOP" | "SWITCH" | "BGNSUB" => depth += 1,
            "ENDIF" | "ENDLOOP" | "ENDSWITCH" | "ENDSUB" => depth -= 1,
            "END" => break,
            _ => {}
        }
    }
    let mut immediates = lines.iter().filter(|line| line.starts_with("IMM")).count();
    let mut inserts: Vec<(usize, String)> = Vec::new();
    for _ in 0..4 + random.below(6) {
        let fault = &FAULTS[random.below(FAULTS.len())];
        inserts.push((first, fault.declarations.to_owned()));
        if !places.is_empty() {
            // A tilde stands for the last immediate.
            let instructions = fault.instructions.replace('~', &immediates.to_string());
            inserts.push((places[random.below(places.len())], instructions));
        }
        immediates += usize::from(fault.declarations.starts_with("IMM"));
    }
    inserts.push((first, "DCL TEMP[901]".to_owned()));
    if let Some(last) = places.last().filter(|_| random.below(4) == 0) {
        inserts.push((*last, LAST[random.below(LAST.len())].instructions.to_owned()));
    }
    inserts.push((*places.first().unwrap_or(&first), "MOV TEMP[901], TEMP[901]".to_owned()));
    // Declarations come before what is planted at the first instruction.
    inserts.sort_by_key(|(place, text)| {
        (*place, !["DCL", "PROPERTY", "IMM"].iter().any(|word| text.starts_with(word)))
    });
    for (place, text) in inserts.into_iter().rev().filter(|(_, text)| !text.is_empty()) {
        let at = place.min(lines.len());
        lines.splice(at..at, text.lines().map(str::to_owned));
    }
    lines.join("\n") + "\n"
}

/// The opcode of a line that is an instruction.
fn opcode(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.split_once(':') {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest.trim_start()
        }
        _ => line,
    };
    let word =
        line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next()?;
    tgsi::Opcode::find(word)?;
    Some(word)
}
