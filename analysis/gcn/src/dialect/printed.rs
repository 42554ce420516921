//! The code in a listing.
//!
//! Whoever prints code prints other things beside it: statistics, addresses of
//! functions, headings, notes about repetitions. None of that is assembly, and
//! none of it is wrong. It becomes blanks of the same length, so an offset in
//! what is left is an offset in the listing.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::words::is_word;
use super::{Listing, Part, PartKind};
use crate::mnemonics;

/// The text of a listing with everything that is not code blanked: in a dump of `parts` all
/// but the disassemblies. Takes time linear in its length.
///
/// LLVM prints some labels without the prefix that jumps to them have: the prefix
/// becomes blanks too. A label between an address and angle brackets loses those,
/// and a note that a word was left out becomes the directive that puts it there.
pub fn code_of<'a>(text: &'a str, listing: Listing, parts: &[Part]) -> Cow<'a, str> {
    let mut copy: Option<String> = None;
    let mut start = 0;
    let bare_labels = text.starts_with("BB0_") || text.contains("\nBB0_");
    let mut bracketed = FxHashSet::default();
    let mut labels = Labels::default();
    let mut last_words = None;
    let mut places = PartsInOrder::new(parts);
    let mut metadata = MetadataBlock::default();
    for line in text.split_inclusive('\n') {
        let place = places.at(start);
        labels.enter(place);
        let is_heading = matches!(place, Place::Disassembly(_)) && super::parts::is_heading(line);
        let is_metadata = listing == Listing::Objdump && metadata.holds(line);
        let is_code = is_metadata || !is_heading && is_code(line, listing);
        let kept = place != Place::OtherText && is_code;
        let prefixed = bare_labels && line.contains(LOCAL_BLOCK);
        let other = match kept {
            true => {
                last_words = words_of(line, listing).or(last_words);
                let line =
                    if prefixed { line.replace(LOCAL_BLOCK, "  BB").into() } else { line.into() };
                match spelled(labels.own(line), listing) {
                    Cow::Borrowed(_) => None,
                    Cow::Owned(spelled) => Some(spelled),
                }
            }
            // What several functions or files of one listing share names no place.
            false => bracketed_label(line)
                .filter(|(name, _)| bracketed.insert(*name))
                .map(|(_, label)| label)
                .or_else(|| repetition(line, last_words.as_ref()?))
                .or_else(|| section_of(line)),
        };
        if (!kept || other.is_some()) && copy.is_none() {
            let mut before = String::with_capacity(text.len());
            before.push_str(text.get(..start).unwrap_or(""));
            copy = Some(before);
        }
        if let Some(copy) = &mut copy {
            match other {
                Some(other) => copy.push_str(&other),
                None if kept => copy.push_str(line),
                None => blank(line, copy),
            }
        }
        start += line.len();
    }
    copy.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Adds a line as blanks.
fn blank(line: &str, to: &mut String) {
    let blank = |byte| if byte == b'\n' || byte == b'\r' { byte } else { b' ' };
    to.extend(line.bytes().map(|byte| char::from(blank(byte))));
}

/// The YAML of a code object's metadata in its listing, which is not code and is read.
#[derive(Default)]
struct MetadataBlock {
    /// The line that ends it, while it is open.
    end: Option<&'static str>,
}

impl MetadataBlock {
    const BOUNDS: [(&'static str, &'static str); 2] = [
        (".amdgpu_metadata", ".end_amdgpu_metadata"),
        (".amd_amdgpu_hsa_metadata", ".end_amd_amdgpu_hsa_metadata"),
    ];

    /// Tells whether the next line belongs to it.
    fn holds(&mut self, line: &str) -> bool {
        let line = line.trim();
        if let Some(end) = self.end {
            self.end = Some(end).filter(|end| *end != line);
            return true;
        }
        self.end = Self::BOUNDS.iter().find(|(begin, _)| *begin == line).map(|(_, end)| *end);
        self.end.is_some()
    }
}

/// A place in a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before all headings, or in a text without any.
    Unheaded,
    /// In a disassembly, by its number in the dump.
    Disassembly(usize),
    /// In another part, or in none.
    OtherText,
}

/// The parts of a dump, passed in the order of the text.
struct PartsInOrder<'a> {
    parts: &'a [Part],
    next: usize,
}

impl<'a> PartsInOrder<'a> {
    fn new(parts: &'a [Part]) -> PartsInOrder<'a> {
        PartsInOrder { parts, next: 0 }
    }

    fn at(&mut self, offset: usize) -> Place {
        while self.parts.get(self.next).is_some_and(|it| usize::from(it.range.end()) <= offset) {
            self.next += 1;
        }
        let inside = self.parts.get(self.next).filter(|it| usize::from(it.range.start()) <= offset);
        match inside {
            Some(part) if part.kind == PartKind::Disassembly => Place::Disassembly(self.next),
            None if self.next == 0 => Place::Unheaded,
            _ => Place::OtherText,
        }
    }
}

/// The labels of several disassemblies in one dump, each of which calls its blocks alike.
///
/// From the second on a block has a numeric label in as many bytes, which may be defined
/// again and again. Other names that are known already name no place.
#[derive(Default)]
struct Labels {
    names: FxHashSet<String>,
    blocks: FxHashSet<String>,
    disassembly: Option<usize>,
    is_first: bool,
}

impl Labels {
    fn enter(&mut self, place: Place) {
        let Place::Disassembly(number) = place else { return };
        if self.disassembly != Some(number) {
            self.is_first = self.disassembly.is_none();
            self.disassembly = Some(number);
            self.blocks.clear();
        }
    }

    /// The line with labels that no other disassembly has.
    fn own<'a>(&mut self, line: Cow<'a, str>) -> Cow<'a, str> {
        if self.disassembly.is_none() {
            return line;
        }
        let start = line.len() - line.trim_ascii_start().len();
        let end = super::words::end_of_word(line.as_bytes(), start);
        if line[end..].starts_with(':') {
            return self.own_definition(line, start, end);
        }
        if self.is_first {
            return line;
        }
        // A jump's target is its last operand, with a blank behind.
        let code = line.split(';').next().unwrap_or(&line).trim_ascii_end();
        let start = code.rfind([' ', '\t', ',']).map_or(0, |at| at + 1);
        let end = code.len();
        match numeric(&code[start..]).filter(|_| line[end..].starts_with([' ', '\t'])) {
            Some(number) => {
                let direction = if self.blocks.contains(&number) { 'b' } else { 'f' };
                format!("{}{number}{direction}{}", &line[..start], &line[end + 1..]).into()
            }
            None => line,
        }
    }

    /// The line of a label whose name is between two offsets.
    fn own_definition<'a>(&mut self, line: Cow<'a, str>, start: usize, end: usize) -> Cow<'a, str> {
        let name = &line[start..end];
        if self.is_first {
            self.names.insert(name.to_owned());
            return line;
        }
        match numeric(name) {
            Some(number) => {
                let own = format!("{}{number}{}", &line[..start], &line[end..]);
                self.blocks.insert(number);
                own.into()
            }
            None if self.names.insert(name.to_owned()) => line,
            None => {
                let mut blanks = String::with_capacity(line.len());
                blank(&line, &mut blanks);
                blanks.into()
            }
        }
    }
}

/// The name of a block as a number of as many digits: `BB12`, `BB0_12`.
fn numeric(name: &str) -> Option<String> {
    let number =
        name.strip_prefix("BB").filter(|it| it.starts_with(|it: char| it.is_ascii_digit()))?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    is_number.then(|| format!("11{}", number.replace('_', "1")))
}

/// The line with pairs of registers as the dialects spell them: AMD's own compiler writes
/// `v[2,3]`.
fn spelled(line: Cow<'_, str>, listing: Listing) -> Cow<'_, str> {
    if listing != Listing::Rga || !line.contains('[') {
        return line;
    }
    let mut bytes = line.as_bytes().to_vec();
    let mut inside = None;
    for (at, byte) in bytes.iter_mut().enumerate() {
        match *byte {
            b'[' => inside = Some(at),
            b',' if inside.is_some_and(|open| open + 1 < at) => *byte = b':',
            digit if digit.is_ascii_digit() => {}
            _ => inside = None,
        }
    }
    match String::from_utf8(bytes) {
        Ok(other) if other != *line => other.into(),
        _ => line,
    }
}

/// `0000000000000014 <name>:` as the label that it is, in as many bytes; with its name.
fn bracketed_label(line: &str) -> Option<(&str, String)> {
    let (before, rest) = line.split_once('<')?;
    let (name, behind) = rest.split_once(">:")?;
    let is_address = before.trim_ascii().bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_name = name.bytes().all(is_word)
        && name.bytes().next().is_some_and(|first| !first.is_ascii_digit());
    (is_address && is_name && behind.trim_ascii().is_empty()).then(|| {
        let blanks = " ".repeat(before.len() + 1);
        (name, format!("{blanks}{name}: {behind}"))
    })
}

/// `Disassembly of section NAME:` as the directive that says it, in as many bytes.
fn section_of(line: &str) -> Option<String> {
    let (name, rest) = line.strip_prefix("Disassembly of section ")?.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(is_word);
    is_name.then(|| format!("              .section {name} {rest}"))
}

/// `(then repeated 3 times)` as the directive that puts the word before it there so
/// often, in as many bytes.
fn repetition(line: &str, words: &Words) -> Option<String> {
    let note = line.trim_ascii();
    let count = note.strip_prefix("(then repeated ")?.strip_suffix(" times)")?;
    let count: u32 = count.parse().ok()?;
    let directive = match words.as_slice() {
        [word] => format!(".fill {count},4,0x{word:x}"),
        words => format!(".space {}", u64::from(count) * 4 * words.len() as u64),
    };
    let width = note.len();
    let padded = format!("{directive:width$}");
    (padded.len() == width).then(|| line.replace(note, &padded))
}

/// The words of an instruction as a listing shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Words {
    words: [u32; 4],
    count: usize,
}

impl Words {
    /// The words: one, two or four.
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.words[..self.count]
    }
}

/// The machine code that a line of a listing shows beside an instruction.
pub(crate) fn words_of(line: &str, listing: Listing) -> Option<Words> {
    let shown = match listing {
        Listing::Clrxdisasm => line.trim_ascii_start().strip_prefix("/*")?.split_once("*/")?.0,
        Listing::AmdDebug | Listing::Radv => line.rsplit_once(';')?.1,
        Listing::Objdump | Listing::Rga => {
            let comment = line.rsplit_once("//")?.1;
            let code = comment.split_once(':')?.1;
            code.split('<').next().unwrap_or(code)
        }
        Listing::Aco => return None,
    };
    let mut found = Words { words: [0; 4], count: 0 };
    for word in shown.split_ascii_whitespace() {
        let is_word = word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        *found.words.get_mut(found.count)? =
            u32::from_str_radix(word, 16).ok().filter(|_| is_word)?;
        found.count += 1;
    }
    (found.count > 0).then_some(found)
}

/// The beginning of the names of blocks that only their file sees.
const LOCAL_BLOCK: &str = ".LBB";

/// Tells whether a line of a listing is an instruction, a label or a directive.
fn is_code(line: &str, listing: Listing) -> bool {
    if listing == Listing::Aco {
        // A language of its own: results stand in front.
        return line.trim().is_empty();
    }
    let line = behind_comment(line.trim());
    let word_end = line
        .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '.' | '$'))
        .unwrap_or(line.len());
    let (word, rest) = line.split_at(word_end);
    if word.is_empty() {
        // A comment, or nothing.
        return line.is_empty() || line.starts_with([';', '#']) || line.starts_with("//");
    }
    if let Some(rest) = rest.strip_prefix(':') {
        let rest = rest.trim_start();
        let alone = rest.is_empty() || rest.starts_with([';', '#']) || rest.starts_with("//");
        return alone && !word.starts_with(|first: char| first.is_ascii_digit());
    }
    if word.starts_with('.') {
        // Drivers print symbols of their own so; their values are in no assembly.
        return match listing {
            Listing::Clrxdisasm | Listing::AmdDebug => true,
            // A listing of a code object shows its descriptors, as LLVM's tools do, and the
            // words that are no instructions.
            Listing::Objdump => {
                const PLACED: [&str; 5] = [".section", ".text", ".p2align", ".long", ".byte"];
                PLACED.contains(&word)
                    || word.starts_with(".amdhsa_")
                    || word == ".end_amdhsa_kernel"
            }
            _ => false,
        };
    }
    let ends = rest.is_empty() || rest.starts_with([' ', '\t', ';', '/']);
    ends && (mnemonics::op_info(word).is_some() || mnemonics::begins_like_one(word))
}

/// Returns the line behind a comment in front, such as an encoding.
pub(crate) fn behind_comment(line: &str) -> &str {
    match line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
        Some((_, rest)) => rest.trim_start(),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_and_the_rest_becomes_blanks() {
        let text = "atax.co:\tfile format ELF64-amdgpu\n\
                    Disassembly of section .text:\n\
                    0000000000001000 <atax>:\n\
                    BB0_1:\n\
                    \ts_nop 0 // 000000001000: BF800000\r\n\
                    \t(then repeated 12 times)\n\
                    *** SHADER STATS ***\n\
                    SGPRS: 24\n\
                    Größe: 3\n\
                    /*bf810000*/ s_endpgm\n\
                    \ts_bogus_b32 s0\n\
                    s[4-7] = s_load_dwordx4 s[2-3], 0x180";
        let code = code_of(text, Listing::Objdump, &[]);
        assert_eq!(code.len(), text.len());
        let kept: Vec<&str> = code.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
        assert_eq!(
            kept,
            [
                ".section .text",
                "atax:",
                "BB0_1:",
                "s_nop 0 // 000000001000: BF800000",
                ".fill 12,4,0xbf800000",
                "/*bf810000*/ s_endpgm",
                "s_bogus_b32 s0"
            ]
        );
        let jump = "\ts_branch .LBB0_1\nBB0_1:\n";
        assert_eq!(code_of(jump, Listing::Radv, &[]), "\ts_branch   BB0_1\nBB0_1:\n");
        let objects = "0000000000000014 <L1>:\n\ts_branch L1 // 000000000014: BF82FFFF\n\
                       \t(then repeated 3 times)\n<L1>:\n0000 <a b>:\n";
        let code = code_of(objects, Listing::Objdump, &[]);
        assert_eq!(code.len(), objects.len());
        let kept: Vec<&str> = code.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
        assert_eq!(kept, ["L1:", "s_branch L1 // 000000000014: BF82FFFF", ".fill 3,4,0xbf82ffff"]);
        let analyzer = "\tv_add_f64 v[2,3], v[10:11], s[4,5]\n";
        assert_eq!(code_of(analyzer, Listing::Rga, &[]), "\tv_add_f64 v[2:3], v[10:11], s[4:5]\n");
        let plain = "BB0:\n\ts_nop 0 ; bf800000\n";
        assert!(matches!(code_of(plain, Listing::Radv, &[]), Cow::Borrowed(_)));
    }

    #[test]
    fn only_the_disassemblies_of_a_dump_are_code_and_each_has_its_own_labels() {
        let text = "shader: MESA_SHADER_FRAGMENT\nimpl main {\n}\n\n\
                    After RA:\nACO shader stage: fragment_fs\nBB0\n\
                    \tbuffer_store_dword %1:s[0-3], %2:v[1], 0, %3:v[2] offen\n\ts_endpgm\n\n\
                    Pixel Shader\ndisasm:\nBB0:\n\ts_branch BB0   ; bf82ffff\n\n\
                    Vertex Shader as VS\ndisasm:\nmain:\nBB0:\n\ts_cbranch_scc1 BB12   ; bf850001\n\
                    \ts_branch BB0   ; bf82fffe\nBB12:\n\ts_endpgm   ; bf810000\n\
                    Vertex Shader as VS:\n*** SHADER STATS ***\nSGPRs: 16\n";
        let code = code_of(text, Listing::Radv, &super::super::parts(text));
        assert_eq!(code.len(), text.len());
        let kept: Vec<&str> = code.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
        assert_eq!(
            kept,
            [
                "BB0:",
                "s_branch BB0   ; bf82ffff",
                "main:",
                "110:",
                "s_cbranch_scc1 1112f  ; bf850001",
                "s_branch 110b  ; bf82fffe",
                "1112:",
                "s_endpgm   ; bf810000"
            ]
        );
    }
}
