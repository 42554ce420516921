//! libLLVM's disassembler beside ours, on words drawn at random.
//!
//! It is loaded into the process of the test that asks: one library a process,
//! since libraries of several versions would share their global state.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;

use gcn::Target;
use gcn::codes;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line, decode};
use libloading::Library;

type Create = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    *mut c_void,
    c_int,
    *const c_void,
    *const c_void,
) -> *mut c_void;
type Instruction =
    unsafe extern "C" fn(*mut c_void, *mut u8, u64, u64, *mut c_char, usize) -> usize;

/// A disassembler of libLLVM.
pub struct Disassembler {
    context: *mut c_void,
    instruction: Instruction,
    // Never unloaded before the context is done with.
    _library: Library,
}

impl Disassembler {
    /// One for a processor from a library; `None` where the library has none.
    pub fn new(library: &Path, processor: &str) -> Option<Disassembler> {
        // SAFETY: a library of the system's, whose initialisers are LLVM's own.
        let library = unsafe { Library::new(library) }.ok()?;
        for name in [
            "LLVMInitializeAMDGPUTargetInfo\0",
            "LLVMInitializeAMDGPUTargetMC\0",
            "LLVMInitializeAMDGPUDisassembler\0",
        ] {
            // SAFETY: the functions take and return nothing, in every version.
            unsafe {
                let start: libloading::Symbol<'_, unsafe extern "C" fn()> =
                    library.get(name.as_bytes()).ok()?;
                start();
            }
        }
        let triple = CString::new("amdgcn--").ok()?;
        let processor = CString::new(processor).ok()?;
        // SAFETY: the types are those of llvm-c/Disassembler.h.
        let (context, instruction) = unsafe {
            let create: libloading::Symbol<'_, Create> =
                library.get(b"LLVMCreateDisasmCPUFeatures\0").ok()?;
            let instruction: libloading::Symbol<'_, Instruction> =
                library.get(b"LLVMDisasmInstruction\0").ok()?;
            let none = std::ptr::null_mut();
            let features = c"".as_ptr();
            let context = create(
                triple.as_ptr(),
                processor.as_ptr(),
                features,
                none,
                0,
                std::ptr::null(),
                std::ptr::null(),
            );
            (context, *instruction)
        };
        (!context.is_null()).then_some(Disassembler { context, instruction, _library: library })
    }

    /// The text and the words of the instruction that `words` begin with.
    pub fn read(&self, words: &[u32]) -> Option<(String, usize)> {
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut text = [0 as c_char; 512];
        // SAFETY: the pointers are to buffers of the lengths given.
        let count = unsafe {
            (self.instruction)(
                self.context,
                bytes.as_mut_ptr(),
                bytes.len() as u64,
                0,
                text.as_mut_ptr(),
                text.len(),
            )
        };
        // SAFETY: the text ends with a zero, since the library writes no more than the length.
        let text = unsafe { CStr::from_ptr(text.as_ptr()) };
        (count > 0).then(|| (normal(&text.to_string_lossy()), count / 4))
    }
}

/// One blank between words.
fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Statistics of the agreement of two disassemblers.
#[derive(Debug, Default)]
pub struct Agreement {
    /// All words tried.
    pub tried: usize,
    /// Both read them alike.
    pub equal: usize,
    /// Both read them, not alike, for a reason that is known: by reason.
    pub explained: BTreeMap<&'static str, usize>,
    /// Both read them, not alike: by mnemonic, how many and an example.
    pub different: BTreeMap<String, (usize, String)>,
    /// Neither reads them.
    pub neither: usize,
    /// We refuse them, and the library might end the process.
    pub not_asked: usize,
    /// Only we read them, and all their bits mean something to us.
    pub only_ours: BTreeMap<String, (usize, String)>,
    /// Only we read them, and say which bits mean nothing.
    pub only_ours_ignoring: usize,
    /// Only the library reads them, for a reason that is known: by reason.
    pub explained_theirs: BTreeMap<&'static str, usize>,
    /// Only the library reads them.
    pub only_theirs: BTreeMap<String, (usize, String)>,
    /// Words whose text assembles to the same words again.
    pub round_trips: usize,
    /// Words that do not, of which the lost bits are reported.
    pub round_trips_ignoring: usize,
    /// Words whose text assembles to others that mean the same.
    pub other_words: usize,
    /// Our assembler refuses it, and says why: the words break a rule, such as two
    /// scalar registers in a vector instruction.
    pub refused: usize,
    /// Words that do not come back, and nothing was reported.
    pub lost: BTreeMap<String, (usize, String)>,
}

impl Agreement {
    /// Words that both read.
    pub fn both(&self) -> usize {
        self.equal
            + self.explained.values().sum::<usize>()
            + self.different.values().map(|(count, _)| count).sum::<usize>()
    }
}

/// The identifying bits of the encodings, with their number, so that every
/// encoding is drawn as often.
const PREFIXES: [(u32, u32); 18] = [
    (0b0, 1),
    (0b10, 2),
    (0b1011, 4),
    (0b1_0111_1101, 9),
    (0b1_0111_1110, 9),
    (0b1_0111_1111, 9),
    (0b111_111, 7),
    (0b111_110, 7),
    (0b110_100, 6),
    (0b110_101, 6),
    (0b110_110, 6),
    (0b110_111, 6),
    (0b111_000, 6),
    (0b111_010, 6),
    (0b111_100, 6),
    (0b110_001, 6),
    (0b110_000, 6),
    (0b1_1010_0111, 9),
];

/// A repeatable source of numbers (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Two words: half of them with the bits of an encoding; of these half with
    /// few bits set, since most bits of most instructions are rarely set.
    fn words(&mut self) -> [u32; 2] {
        let (first, second) = (self.next(), self.next());
        let mut words = [first as u32, (first >> 32) as u32];
        if second & 1 == 1 {
            let (bits, width) = PREFIXES[(second >> 8) as usize % PREFIXES.len()];
            if second & 2 == 2 {
                words[0] &= self.next() as u32 | 0x0fff_0000;
                words[1] &= self.next() as u32;
            }
            words[0] = words[0] & (u32::MAX >> width) | bits << (32 - width);
        }
        words
    }
}

/// Reads `count` pairs of words with both.
pub fn compare(theirs: &Disassembler, target: Target, count: usize, seed: u64) -> Agreement {
    let set = InstructionSet::of(target);
    let mut numbers = Numbers(seed);
    let mut agreement = Agreement { tried: count, ..Agreement::default() };
    for _ in 0..count {
        let words = numbers.words();
        let ours = decode(&words, set).ok();
        if let Some(decoded) = &ours {
            let own = &words[..decoded.words];
            let again = assemble_line(&decoded.text, set, &NoSymbols);
            let same = again.as_ref().is_ok_and(|again| again.words() == own);
            if same {
                agreement.round_trips += 1;
            } else if decoded.ignored != 0 {
                agreement.round_trips_ignoring += 1;
            } else {
                match again {
                    // Two fields may hold the same register.
                    Ok(again)
                        if decode(again.words(), set).is_ok_and(|it| it.text == decoded.text) =>
                    {
                        agreement.other_words += 1;
                    }
                    Ok(again) => {
                        let detail = format!("{:08x?}", again.words());
                        note(
                            &mut agreement.lost,
                            decoded.opcode.name(),
                            own,
                            &decoded.text,
                            &detail,
                        );
                    }
                    Err(error) if is_rule(error.code) => agreement.refused += 1,
                    Err(error) => {
                        note(
                            &mut agreement.lost,
                            decoded.opcode.name(),
                            own,
                            &decoded.text,
                            &error.message,
                        );
                    }
                }
            }
        }
        if ours.is_none() && ends_the_process(words[0]) {
            agreement.not_asked += 1;
            continue;
        }
        match (ours, theirs.read(&words)) {
            (None, None) => agreement.neither += 1,
            (Some(ours), None) if ours.ignored != 0 => agreement.only_ours_ignoring += 1,
            (Some(ours), None) => {
                let own = &words[..ours.words];
                note(&mut agreement.only_ours, ours.opcode.name(), own, &ours.text, "");
            }
            (None, Some((text, _))) => {
                if let Some(reason) = refused(&text) {
                    *agreement.explained_theirs.entry(reason).or_insert(0) += 1;
                } else {
                    let name = text.split(' ').next().unwrap_or_default().to_owned();
                    note(&mut agreement.only_theirs, &name, &words, "", &text);
                }
            }
            (Some(ours), Some((text, count))) => {
                if normal(&ours.text) == text && ours.words == count {
                    agreement.equal += 1;
                } else if let Some(reason) = reason(&normal(&ours.text), ours.ignored, &text) {
                    *agreement.explained.entry(reason).or_insert(0) += 1;
                } else {
                    let own = &words[..ours.words];
                    note(&mut agreement.different, ours.opcode.name(), own, &ours.text, &text);
                }
            }
        }
    }
    agreement
}

fn note(
    all: &mut BTreeMap<String, (usize, String)>,
    mnemonic: &str,
    words: &[u32],
    ours: &str,
    theirs: &str,
) {
    let entry = all.entry(mnemonic.to_owned()).or_insert((0, String::new()));
    entry.0 += 1;
    if entry.1.is_empty() {
        entry.1 = format!("{words:08x?} {ours} | {theirs}");
    }
}

/// Tells whether the library may end the process on a first word that we refuse: it does on
/// selections of SDWA that are none, and on opcodes of buffers that are none.
fn ends_the_process(first: u32) -> bool {
    let sdwa = first >> 31 == 0 && first & 0x1ff == 0xf9;
    let buffer = matches!(first >> 26, 0b111_000 | 0b111_010);
    sdwa || buffer
}

/// Tells whether an error is about operands that may not stand together, not about one that
/// cannot be read.
fn is_rule(code: source::Code) -> bool {
    matches!(code, codes::CONSTANT_BUS | codes::OPERAND | codes::DATA_SIZE | codes::REGISTER)
}

/// Registers that some chips of the generations have. The library's disassembler
/// reads them for all, its assembler does not.
const OTHER_CHIPS: [&str; 7] = [
    "xnack_mask",
    "src_shared_",
    "src_private_",
    "src_pops_",
    " null",
    "ttmp",
    "src_flat_scratch_base",
];

/// The inline constants that are floats.
const FLOATS: [&str; 5] = ["0.5", "1.0", "2.0", "4.0", "0.15915494"];

/// Returns the known reason for which only the library reads words: its text names what its
/// own assembler refuses.
fn refused(theirs: &str) -> Option<&'static str> {
    let attribute = theirs.split("attr").nth(1).and_then(|rest| rest.split('.').next());
    if theirs.contains("isn't aligned") {
        Some("a scalar register that is not aligned")
    } else if theirs.contains("/*Invalid") || theirs.contains("Warning") {
        Some("an operand that cannot stand there")
    } else if reaches_too_far(theirs) {
        Some("registers beyond the last")
    } else if OTHER_CHIPS.iter().any(|name| theirs.contains(name)) {
        Some("a register that the chip does not have")
    } else if theirs.contains("invalid_") {
        Some("a target of an export, or part of an attribute, that does not exist")
    } else if attribute.and_then(|it| it.parse::<u32>().ok()).is_some_and(|it| it > 32) {
        Some("an attribute above 32")
    } else {
        None
    }
}

/// Tells whether a group such as `v[254:257]` or `s[100:103]` ends behind the last
/// register.
fn reaches_too_far(text: &str) -> bool {
    text.split(['v', 's']).filter_map(|rest| rest.strip_prefix('[')).any(|rest| {
        let ends = rest.split(']').next().and_then(|range| range.split_once(':'));
        let Some((Ok(first), Ok(last))) = ends.map(|(a, b)| (a.parse::<u32>(), b.parse::<u32>()))
        else {
            return false;
        };
        last > 255 || (text.contains(&format!("s[{first}:{last}]")) && last > 101)
    })
}

/// Returns the known reason for which two texts of the same words differ.
fn reason(ours: &str, ignored: u128, theirs: &str) -> Option<&'static str> {
    if ignored != 0 {
        return Some("bits that mean nothing: theirs may write them, ours reports them");
    }
    if ours.starts_with("s_waitcnt ") || ours.starts_with("s_sendmsg") {
        return Some("a wait or message with bits too many: ours is the number, theirs loses them");
    }
    if theirs.contains("/*Invalid") || theirs.contains("Warning") {
        return Some("an operand that cannot stand there: theirs is not assembly");
    }
    let name = ours.split(' ').next().unwrap_or_default();
    if name.contains("16") && FLOATS.iter().any(|float| ours.contains(float)) {
        return Some("an inline float constant of a 16-bit integer: theirs is a literal's bits");
    }
    if name.starts_with("v_dot") && ours.contains("op_sel") && !theirs.contains("op_sel") {
        return Some("halves of products of bytes: newer libraries do not write them");
    }
    if name.starts_with("image_gather4") {
        return Some("a gather whose dmask has not one bit: theirs counts other registers");
    }
    if ours.contains(" tfe") {
        return Some("a load with tfe: older libraries forget the register of the status");
    }
    None
}
