//! Neighbours of a line: one operand, modifier or suffix is another one. Most are
//! wrong; which, the judges say.

use super::random::Random;

/// A line in parts.
struct Parts {
    mnemonic: String,
    operands: Vec<String>,
    modifiers: Vec<String>,
}

const REGISTERS: [&str; 52] = [
    "v0",
    "v255",
    "v256",
    "v[0:1]",
    "v[254:255]",
    "v[255:256]",
    "v[0:2]",
    "v[0:3]",
    "v[1:8]",
    "v[0:15]",
    "v[0:12]",
    "s0",
    "s1",
    "s101",
    "s102",
    "s103",
    "s104",
    "s[0:1]",
    "s[1:2]",
    "s[100:101]",
    "s[102:103]",
    "s[2:5]",
    "s[4:7]",
    "s[0:7]",
    "s[100:103]",
    "s[8:23]",
    "v[2:3]",
    "v[1:2]",
    "v[0:31]",
    "a0",
    "a255",
    "a[0:1]",
    "a[1:2]",
    "a[0:3]",
    "a[0:15]",
    "acc[0:31]",
    "vcc",
    "vcc_lo",
    "vcc_hi",
    "exec",
    "exec_lo",
    "m0",
    "ttmp0",
    "ttmp11",
    "ttmp12",
    "ttmp15",
    "ttmp16",
    "flat_scratch",
    "xnack_mask",
    "tba_lo",
    "off",
    "src_lds_direct",
];

const CONSTANTS: [&str; 38] = [
    "0",
    "1",
    "64",
    "65",
    "-1",
    "-16",
    "-17",
    "0.5",
    "-0.5",
    "1.0",
    "-1.0",
    "2.0",
    "-2.0",
    "4.0",
    "-4.0",
    "0.15915494",
    "0.1592",
    "0x3e22f983",
    "0x3118",
    "0x3fc45f306dc9c882",
    "0x3f800000",
    "0x3c00",
    "0xffff",
    "0x10000",
    "-32768",
    "-32769",
    "0x12345678",
    "0xffffffff",
    "0x100000000",
    "-2147483648",
    "-2147483649",
    "0xffffffffffffffff",
    "123.0",
    "1.0e10",
    "65504.0",
    "1e-7",
    "src_scc",
    "src_vccz",
];

const MODIFIERS: [&str; 95] = [
    "clamp",
    "mul:2",
    "mul:4",
    "mul:3",
    "div:2",
    "div:4",
    "glc",
    "slc",
    "glc slc",
    "tfe",
    "lds",
    "gds",
    "offen",
    "idxen",
    "addr64",
    "offen idxen",
    "da",
    "unorm",
    "r128",
    "a16",
    "d16",
    "lwe",
    "high",
    "vm",
    "done",
    "compr",
    "op_sel:[0,0]",
    "op_sel:[1,1]",
    "op_sel:[0,1,1]",
    "op_sel:[0,0,0,1]",
    "op_sel_hi:[0,0]",
    "op_sel_hi:[1,0,1]",
    "neg_lo:[1,0]",
    "neg_lo:[1,1,0]",
    "neg_hi:[0,1]",
    "neg_hi:[0,1,1]",
    "dst_sel:BYTE_0",
    "dst_sel:WORD_1",
    "dst_sel:DWORD",
    "dst_unused:UNUSED_PAD",
    "dst_unused:UNUSED_SEXT",
    "src0_sel:BYTE_3",
    "src0_sel:WORD_0",
    "src1_sel:BYTE_2",
    "src1_sel:DWORD",
    "quad_perm:[0,1,2,3]",
    "quad_perm:[3,2,1,4]",
    "row_shl:1",
    "row_shl:0",
    "row_shl:15",
    "row_shl:16",
    "row_shr:1",
    "row_ror:15",
    "wave_shl:1",
    "wave_rol:2",
    "wave_ror:1",
    "row_mirror",
    "row_half_mirror",
    "row_bcast:15",
    "row_bcast:31",
    "row_bcast:16",
    "row_mask:0xf",
    "row_mask:0x10",
    "bank_mask:0x3",
    "bound_ctrl:0",
    "bound_ctrl:1",
    "bound_ctrl:2",
    "offset:0",
    "offset:255",
    "offset:256",
    "offset:4095",
    "offset:4096",
    "offset:-1",
    "offset:-4096",
    "offset:-4097",
    "offset:65535",
    "offset:65536",
    "offset0:255",
    "offset1:256",
    "dmask:0x3",
    "dmask:0x10",
    "cbsz:2 abid:1 blgp:7",
    "cbsz:4",
    "abid:1",
    "blgp:2",
    "neg:[1,0,1]",
    "sc0",
    "sc1",
    "nt",
    "sc0 sc1 nt",
    "scc",
    "row_newbcast:3",
    "row_newbcast:16",
    "op_sel:[0,0,1]",
    "bitop3:0x96",
];

/// Replacements for a number behind a colon.
const NUMBERS: [&str; 22] = [
    "0", "1", "2", "3", "7", "8", "15", "16", "0xff", "0x100", "4095", "4096", "-1", "-4096",
    "-4097", "65535", "65536", "2+1", "(1<<3)-1", "0b11", "017", "x",
];

const SUFFIXES: [&str; 5] = ["", "_e32", "_e64", "_sdwa", "_dpp"];

impl Parts {
    fn of(line: &str) -> Parts {
        let (mnemonic, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut operands = split(rest, b',');
        let mut modifiers = Vec::new();
        if let Some(last) = operands.pop() {
            let mut words = split(&last, b' ').into_iter();
            operands.extend(words.next());
            modifiers = words.collect();
        }
        Parts { mnemonic: mnemonic.to_owned(), operands, modifiers }
    }

    fn line(&self) -> String {
        let mut line = self.mnemonic.clone();
        if !self.operands.is_empty() {
            line = format!("{line} {}", self.operands.join(", "));
        }
        for modifier in &self.modifiers {
            line = format!("{line} {modifier}");
        }
        line
    }
}

/// Splits at a letter outside brackets; empty pieces are left out.
fn split(text: &str, at: u8) -> Vec<String> {
    let mut depth = 0_i32;
    let mut pieces = vec![String::new()];
    for letter in text.chars() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && letter == char::from(at) {
            pieces.push(String::new());
        } else if let Some(last) = pieces.last_mut() {
            last.push(letter);
        }
    }
    let trimmed = pieces.iter().map(|piece| piece.trim().to_owned());
    trimmed.filter(|piece| !piece.is_empty()).collect()
}

/// Some neighbour of a line; it may be the line itself.
pub(crate) fn neighbour(line: &str, random: &mut Random) -> String {
    let mut parts = Parts::of(line);
    let operands = parts.operands.len();
    if operands == 0 {
        return bare(parts, random);
    }
    let at = random.below(operands);
    match random.below(24) {
        0..=3 => parts.operands[at] = (*random.pick(&REGISTERS)).to_owned(),
        4..=6 => parts.operands[at] = (*random.pick(&CONSTANTS)).to_owned(),
        7 | 8 => parts.operands[at] = resized(&parts.operands[at], random),
        9 => {
            parts.operands.remove(at);
        }
        10 => {
            let twin = parts.operands[at].clone();
            parts.operands.insert(at, twin);
        }
        11..=13 => parts.modifiers.push((*random.pick(&MODIFIERS)).to_owned()),
        14..=16 if !parts.modifiers.is_empty() => {
            let at = random.below(parts.modifiers.len());
            renumber(&mut parts.modifiers[at], random);
        }
        17 if !parts.modifiers.is_empty() => {
            let at = random.below(parts.modifiers.len());
            parts.modifiers.remove(at);
        }
        18 | 19 => parts.operands[at] = signed(&parts.operands[at], random),
        20 => {
            let base = gcn::mnemonics::base_name(&parts.mnemonic).to_owned();
            parts.mnemonic = base + *random.pick(&SUFFIXES);
        }
        21 => {
            let other = random.below(operands);
            parts.operands.swap(at, other);
        }
        22 => {
            let other = random.below(operands);
            parts.operands[at] = parts.operands[other].clone();
        }
        _ => return laid_out(line, random),
    }
    parts.line()
}

fn bare(mut parts: Parts, random: &mut Random) -> String {
    match random.below(3) {
        0 => parts.operands.push((*random.pick(&REGISTERS)).to_owned()),
        1 => parts.operands.push((*random.pick(&CONSTANTS)).to_owned()),
        _ => {
            let base = gcn::mnemonics::base_name(&parts.mnemonic).to_owned();
            parts.mnemonic = base + *random.pick(&SUFFIXES);
        }
    }
    parts.line()
}

/// A register with one neighbour more or less, or beginning one later.
fn resized(operand: &str, random: &mut Random) -> String {
    let digits = |text: &str| text.parse::<u32>().ok();
    let letter = operand.get(..1).unwrap_or("v");
    let range = operand.get(1..).and_then(|rest| {
        let inside = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match inside {
            Some(inside) => {
                let (first, last) = inside.split_once(':')?;
                Some((digits(first)?, digits(last)?))
            }
            None => digits(rest).map(|number| (number, number)),
        }
    });
    let Some((first, last)) = range else { return format!("{operand}:1") };
    let (first, last) = match random.below(5) {
        0 => (first, last + 1),
        1 => (first, last.saturating_sub(1)),
        2 => (first + 1, last + 1),
        3 => (first, first + 2 * (last - first) + 1),
        _ => (first + 1, last),
    };
    format!("{letter}[{first}:{last}]")
}

fn signed(operand: &str, random: &mut Random) -> String {
    match random.below(8) {
        0 => format!("-{operand}"),
        1 => format!("|{operand}|"),
        2 => format!("-|{operand}|"),
        3 => format!("neg({operand})"),
        4 => format!("abs({operand})"),
        5 => format!("sext({operand})"),
        6 => format!("-abs({operand})"),
        _ => format!("abs(-{operand})"),
    }
}

fn renumber(modifier: &mut String, random: &mut Random) {
    match modifier.find(':') {
        Some(colon) => {
            modifier.truncate(colon + 1);
            let number = *random.pick(&NUMBERS);
            modifier.push_str(number);
        }
        None => modifier.insert_str(0, "no"),
    }
}

/// The same line in other letters, blanks or with a remark.
fn laid_out(line: &str, random: &mut Random) -> String {
    match random.below(6) {
        0 => line.to_uppercase(),
        1 => line.replace(", ", ","),
        2 => line.replace(", ", " ,  "),
        3 => format!("{line} // v1"),
        4 => format!("  {line} ; s0,"),
        _ => match line.split_once(' ') {
            Some((mnemonic, rest)) => format!("{} {rest}", mnemonic.to_uppercase()),
            None => format!("{line} /* x */"),
        },
    }
}
