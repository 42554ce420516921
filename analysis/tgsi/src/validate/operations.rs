//! What a check must know of an opcode beyond its row: which operand is a
//! resource, which components of the sources count, where control goes.
//!
//! Facts: "Texture", "Resource access" and "GLSL ISA" opcodes of the Gallium
//! documentation of 2020; the components read follow the formulas of
//! `isa/data/tgsi/opcodes.tsv`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::Opcode;
use crate::opcodes::{OutputMode, Row, ValueType};
use crate::words::Stage;

/// The family of an opcode, as far as its operands have their own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Values in, a value out.
    Plain,
    /// `TEX` and its like: the last source is a sampler.
    Texture,
    /// `SAMPLE` and its like: the numbers of the view's and the sampler's source.
    View { view: usize, sampler: Option<usize> },
    /// `LOAD` and atomics, `RESQ`: the first source is a resource.
    Access,
    /// `STORE`: the destination is a resource.
    Store,
    /// `SAMP2HND`, `IMG2HND`: the first source is what the handle is for.
    Handle,
    /// `INTERP_…`: the first source is an input.
    Interpolate,
    /// `FBFETCH`: the first source is an output.
    Fetch,
    /// `EMIT`, `ENDPRIM`, `MEMBAR`: the source is an immediate.
    Immediate,
    /// Fences and other historic opcodes whose operands are not judged.
    Historic,
}

/// Where control goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Control {
    /// To the next instruction.
    Next,
    If,
    Else,
    EndIf,
    Loop,
    EndLoop,
    Switch,
    Case,
    Default,
    EndSwitch,
    Break,
    Continue,
    /// `RET`
    Return,
    End,
    /// `CAL`
    Call,
    /// `BGNSUB`
    Subroutine,
    /// `ENDSUB`
    EndSubroutine,
    /// Historic jumps: paths are not followed through them.
    Elsewhere,
}

/// Which components of a source an opcode reads, before the swizzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// Those of the write mask.
    Written,
    /// These, whatever is written.
    Fixed(u8),
    /// The pairs that hold the 64-bit values of the write mask.
    Pairs,
    /// `xy` for the first pair written, `zw` for the second: a narrow result
    /// of 64-bit values, and the reverse. Not followed.
    Unknown,
}

/// What checks know of an opcode.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) row: &'static Row,
    pub(super) family: Family,
    pub(super) control: Control,
    /// One bit for each stage that it is for.
    pub(super) stages: u8,
    /// Of each source; `Unknown` for those beyond.
    pub(super) reads: [Reads; 5],
}

impl Operation {
    pub(super) fn of(opcode: Opcode) -> &'static Operation {
        &TABLE[&opcode]
    }

    pub(super) fn is_in(&self, stage: Stage) -> bool {
        self.stages & (1 << stage as u8) != 0
    }
}

static TABLE: LazyLock<FxHashMap<Opcode, Operation>> =
    LazyLock::new(|| Opcode::all().map(|opcode| (opcode, operation(opcode.row()))).collect());

fn operation(row: &'static Row) -> Operation {
    let stages = match row.stages {
        "any" => u8::MAX,
        words => words
            .split(' ')
            .filter_map(Stage::from_word)
            .fold(0, |stages, stage| stages | 1 << stage as u8),
    };
    let family = family(row);
    let mut reads = [Reads::Unknown; 5];
    for (source, known) in reads.iter_mut().enumerate().take(row.sources) {
        *known = components(row, family, source);
    }
    Operation { row, family, control: control(row.mnemonic), stages, reads }
}

fn family(row: &Row) -> Family {
    match row.mnemonic {
        "SAMP2HND" | "IMG2HND" => Family::Handle,
        "TEXLD" | "TEXLDD" | "TEXLDB" | "TXQ_LZ" => Family::Historic,
        _ if row.texture => Family::Texture,
        "SAMPLE" | "SAMPLE_B" | "SAMPLE_C" | "SAMPLE_C_LZ" | "SAMPLE_D" | "SAMPLE_L"
        | "GATHER4" | "LOD" => Family::View { view: 1, sampler: Some(2) },
        "SAMPLE_I" | "SAMPLE_I_MS" | "SVIEWINFO" => Family::View { view: 1, sampler: None },
        // Either may ask for the render target instead of a view.
        "SAMPLE_POS" | "SAMPLE_INFO" => Family::Historic,
        "LOAD" | "RESQ" => Family::Access,
        "STORE" => Family::Store,
        word if word.starts_with("ATOM") => Family::Access,
        word if word.starts_with("INTERP_") => Family::Interpolate,
        "FBFETCH" => Family::Fetch,
        "EMIT" | "ENDPRIM" | "MEMBAR" => Family::Immediate,
        _ if !row.until.is_empty() => Family::Historic,
        _ => Family::Plain,
    }
}

fn control(mnemonic: &str) -> Control {
    match mnemonic {
        "IF" | "UIF" => Control::If,
        "ELSE" => Control::Else,
        "ENDIF" => Control::EndIf,
        "BGNLOOP" => Control::Loop,
        "ENDLOOP" => Control::EndLoop,
        "SWITCH" => Control::Switch,
        "CASE" => Control::Case,
        "DEFAULT" => Control::Default,
        "ENDSWITCH" => Control::EndSwitch,
        "BRK" => Control::Break,
        "CONT" => Control::Continue,
        "RET" => Control::Return,
        "END" => Control::End,
        "CAL" => Control::Call,
        "BGNSUB" => Control::Subroutine,
        "ENDSUB" => Control::EndSubroutine,
        "CALLNZ" | "CALL" | "BRA" | "IFC" | "BREAKC" | "BREAK" | "LOOP" | "REP" | "ENDREP"
        | "BGNFOR" | "ENDFOR" | "BGNLOOP2" | "ENDLOOP2" | "PUSHA" | "POPA" => Control::Elsewhere,
        _ => Control::Next,
    }
}

/// Whether a value takes two components.
pub(super) fn is_wide(ty: ValueType) -> bool {
    matches!(ty, ValueType::Double | ValueType::Signed64 | ValueType::Unsigned64)
}

fn components(row: &Row, family: Family, source: usize) -> Reads {
    if family != Family::Plain {
        // An index, a stream, a handle or coordinates: judged where it is certain.
        return match (row.mnemonic, source) {
            ("EMIT" | "ENDPRIM" | "MEMBAR", _) => Reads::Fixed(1),
            _ => Reads::Unknown,
        };
    }
    let wide = |types: &[ValueType]| types.iter().any(|ty| is_wide(*ty));
    if wide(row.source_types) || wide(row.destination_types) {
        let both = wide(row.destination_types) && is_wide(row.source_types[source]);
        return if both { Reads::Pairs } else { Reads::Unknown };
    }
    match (row.mnemonic, source) {
        ("DP2" | "PK2H" | "PK2US", _) => Reads::Fixed(0b0011),
        ("DP3", _) => Reads::Fixed(0b0111),
        ("DP4" | "PK4B" | "PK4UB", _) => Reads::Fixed(0b1111),
        ("IF" | "UIF" | "SWITCH" | "CASE" | "UP2H" | "UP2US" | "UP4B" | "UP4UB", _) => {
            Reads::Fixed(1)
        }
        ("KILL_IF", _) => Reads::Fixed(0b1111),
        ("EXP" | "LOG" | "BALLOT", _) => Reads::Fixed(1),
        _ => match row.output {
            OutputMode::Componentwise => Reads::Written,
            OutputMode::Replicate => Reads::Fixed(1),
            _ => Reads::Unknown,
        },
    }
}
