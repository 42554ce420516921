//! What every opcode does, besides those that compute component by component.

use tgsi::Opcode;

use crate::access::Atomic;
use crate::group::Group;
use crate::lookup::Lookup;
use crate::operation::{Operation, operation};

/// What an instruction does.
#[derive(Clone, Copy)]
pub(crate) enum Action {
    Compute(Operation),
    /// Subtrahend and minuend lane of every lane.
    Derivative([[usize; 4]; 2]),
    Lookup(Lookup),
    Load,
    Store,
    Atomic(Atomic),
    ResourceSize,
    /// A handle that names a sampler or image unit: its number.
    Handle,
    /// The colour that the pixel has.
    Framebuffer,
    Group(Group),
    InterpolateOffset,
    /// A double as fraction and exponent.
    TakeApart,
    /// A vector of `length` components times rows in consecutive registers.
    Matrix {
        length: usize,
        rows: usize,
    },
    Push,
    Pop,
    IfFloat,
    IfInteger,
    Else,
    EndIf,
    BeginLoop,
    EndLoop,
    /// A loop that runs as often as x of its source says.
    Repeat,
    /// A loop whose register counts.
    For,
    EndFor,
    Switch,
    Case,
    EndSwitch,
    Break,
    BreakIf,
    Continue,
    Call,
    Return,
    /// The first instruction of a subroutine; to run into it ends the program.
    Subroutine,
    Kill,
    KillIf,
    Emit,
    EndPrimitive,
    Barrier,
    End,
    Nothing,
}

/// What an opcode does; `None` where it is not executed.
///
/// What reads a Direct3D 8 texture unit does not name it, and labels of 2007
/// were never written down: those opcodes can not be executed.
pub(crate) fn action(opcode: Opcode) -> Option<Action> {
    own_action(opcode).or_else(|| own_action(opcode.successor()?))
}

/// What an opcode does under the name that it has.
fn own_action(opcode: Opcode) -> Option<Action> {
    if let Some(operation) = operation(opcode) {
        return Some(Action::Compute(operation));
    }
    let word = opcode.mnemonic();
    if let Some(lookup) = Lookup::find(word) {
        return Some(Action::Lookup(lookup));
    }
    if let Some(atomic) = Atomic::find(word) {
        return Some(Action::Atomic(atomic));
    }
    Some(match word {
        // Coarse derivatives are those of the first row and column.
        "DDX" => Action::Derivative([[0; 4], [1; 4]]),
        "DDY" => Action::Derivative([[0; 4], [2; 4]]),
        "DDX_FINE" => Action::Derivative([[0, 0, 2, 2], [1, 1, 3, 3]]),
        "DDY_FINE" => Action::Derivative([[0, 1, 0, 1], [2, 3, 2, 3]]),
        "IMG2HND" | "SAMP2HND" => Action::Handle,
        "FBFETCH" => Action::Framebuffer,
        "VOTE_ANY" => Action::Group(Group::Any),
        "VOTE_ALL" => Action::Group(Group::All),
        "VOTE_EQ" => Action::Group(Group::Equal),
        "BALLOT" => Action::Group(Group::Ballot),
        "READ_FIRST" => Action::Group(Group::ReadFirst),
        "READ_INVOC" => Action::Group(Group::Read),
        "CLOCK" => Action::Group(Group::Clock),
        "READ_HELPER" => Action::Group(Group::Helper),
        "INTERP_OFFSET" => Action::InterpolateOffset,
        "DFRACEXP" => Action::TakeApart,
        "M4X4" | "MULTIPLYMATRIX" => Action::Matrix { length: 4, rows: 4 },
        "M4X3" => Action::Matrix { length: 4, rows: 3 },
        "M3X4" => Action::Matrix { length: 3, rows: 4 },
        "M3X3" => Action::Matrix { length: 3, rows: 3 },
        "M3X2" => Action::Matrix { length: 3, rows: 2 },
        "PUSHA" => Action::Push,
        "POPA" => Action::Pop,
        "REP" => Action::Repeat,
        "BGNFOR" => Action::For,
        "ENDFOR" => Action::EndFor,
        "BREAKC" => Action::BreakIf,
        "LOAD" => Action::Load,
        "STORE" => Action::Store,
        "RESQ" => Action::ResourceSize,
        "IF" => Action::IfFloat,
        "UIF" => Action::IfInteger,
        "ELSE" => Action::Else,
        "ENDIF" => Action::EndIf,
        "BGNLOOP" => Action::BeginLoop,
        "ENDLOOP" => Action::EndLoop,
        "SWITCH" => Action::Switch,
        "CASE" | "DEFAULT" => Action::Case,
        "ENDSWITCH" => Action::EndSwitch,
        "BRK" | "BREAK" => Action::Break,
        "CONT" => Action::Continue,
        "CAL" | "CALL" => Action::Call,
        "RET" | "ENDSUB" => Action::Return,
        "BGNSUB" => Action::Subroutine,
        "KILL" | "KILP" | "DEMOTE" => Action::Kill,
        "KILL_IF" | "KIL" | "TEXKILL" => Action::KillIf,
        "EMIT" => Action::Emit,
        "ENDPRIM" => Action::EndPrimitive,
        "BARRIER" => Action::Barrier,
        "MEMBAR" | "MFENCE" | "LFENCE" | "SFENCE" | "NOP" => Action::Nothing,
        _ if opcode.is_gap() => Action::Nothing,
        "END" => Action::End,
        _ => return None,
    })
}
