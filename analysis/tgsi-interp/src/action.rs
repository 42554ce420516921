//! The action of every opcode, besides those that compute component by component.

use tgsi::Opcode;
use tgsi::opcodes::ByOpcode;

use crate::access::Atomic;
use crate::group::SubgroupOp;
use crate::lookup::PreparedLookup;
use crate::operation::{Operation, operation};

/// The action of an instruction.
#[derive(Clone, Copy)]
pub(crate) enum Action {
    Compute(Operation),
    /// Subtrahend and minuend lane of every lane.
    Derivative([[usize; 4]; 2]),
    Lookup(PreparedLookup),
    Load,
    Store,
    Atomic(Atomic),
    ResourceSize,
    /// A handle that names a sampler or image unit: its number.
    Handle,
    /// The colour that the pixel has.
    Framebuffer,
    Subgroup(SubgroupOp),
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

impl Action {
    /// Tells whether it opens a block, which another instruction closes.
    pub(crate) fn opens_block(self) -> bool {
        self.opens_loop()
            || matches!(
                self,
                Action::IfFloat | Action::IfInteger | Action::Switch | Action::Subroutine
            )
    }

    /// Tells whether it begins a loop.
    pub(crate) fn opens_loop(self) -> bool {
        matches!(self, Action::BeginLoop | Action::Repeat | Action::For)
    }
}

/// The opcodes that neither compute, look up nor change memory as a whole.
const TABLE: &[(Opcode, Action)] = &[
    // Coarse derivatives are those of the first row and column.
    (Opcode::DDX, Action::Derivative([[0; 4], [1; 4]])),
    (Opcode::DDY, Action::Derivative([[0; 4], [2; 4]])),
    (Opcode::DDX_FINE, Action::Derivative([[0, 0, 2, 2], [1, 1, 3, 3]])),
    (Opcode::DDY_FINE, Action::Derivative([[0, 1, 0, 1], [2, 3, 2, 3]])),
    (Opcode::IMG2HND, Action::Handle),
    (Opcode::SAMP2HND, Action::Handle),
    (Opcode::FBFETCH, Action::Framebuffer),
    (Opcode::VOTE_ANY, Action::Subgroup(SubgroupOp::Any)),
    (Opcode::VOTE_ALL, Action::Subgroup(SubgroupOp::All)),
    (Opcode::VOTE_EQ, Action::Subgroup(SubgroupOp::Equal)),
    (Opcode::BALLOT, Action::Subgroup(SubgroupOp::Ballot)),
    (Opcode::READ_FIRST, Action::Subgroup(SubgroupOp::ReadFirst)),
    (Opcode::READ_INVOC, Action::Subgroup(SubgroupOp::Read)),
    (Opcode::CLOCK, Action::Subgroup(SubgroupOp::Clock)),
    (Opcode::READ_HELPER, Action::Subgroup(SubgroupOp::Helper)),
    (Opcode::INTERP_OFFSET, Action::InterpolateOffset),
    (Opcode::DFRACEXP, Action::TakeApart),
    (Opcode::M4X4, Action::Matrix { length: 4, rows: 4 }),
    (Opcode::MULTIPLYMATRIX, Action::Matrix { length: 4, rows: 4 }),
    (Opcode::M4X3, Action::Matrix { length: 4, rows: 3 }),
    (Opcode::M3X4, Action::Matrix { length: 3, rows: 4 }),
    (Opcode::M3X3, Action::Matrix { length: 3, rows: 3 }),
    (Opcode::M3X2, Action::Matrix { length: 3, rows: 2 }),
    (Opcode::PUSHA, Action::Push),
    (Opcode::POPA, Action::Pop),
    (Opcode::REP, Action::Repeat),
    (Opcode::BGNFOR, Action::For),
    (Opcode::ENDFOR, Action::EndFor),
    (Opcode::BREAKC, Action::BreakIf),
    (Opcode::LOAD, Action::Load),
    (Opcode::STORE, Action::Store),
    (Opcode::RESQ, Action::ResourceSize),
    (Opcode::IF, Action::IfFloat),
    (Opcode::UIF, Action::IfInteger),
    (Opcode::ELSE, Action::Else),
    (Opcode::ENDIF, Action::EndIf),
    (Opcode::BGNLOOP, Action::BeginLoop),
    (Opcode::ENDLOOP, Action::EndLoop),
    (Opcode::SWITCH, Action::Switch),
    (Opcode::CASE, Action::Case),
    (Opcode::DEFAULT, Action::Case),
    (Opcode::ENDSWITCH, Action::EndSwitch),
    (Opcode::BRK, Action::Break),
    (Opcode::BREAK, Action::Break),
    (Opcode::CONT, Action::Continue),
    (Opcode::CAL, Action::Call),
    (Opcode::CALL, Action::Call),
    (Opcode::RET, Action::Return),
    (Opcode::ENDSUB, Action::Return),
    (Opcode::BGNSUB, Action::Subroutine),
    (Opcode::KILL, Action::Kill),
    (Opcode::KILP, Action::Kill),
    (Opcode::DEMOTE, Action::Kill),
    (Opcode::KILL_IF, Action::KillIf),
    (Opcode::KIL, Action::KillIf),
    (Opcode::TEXKILL, Action::KillIf),
    (Opcode::EMIT, Action::Emit),
    (Opcode::ENDPRIM, Action::EndPrimitive),
    (Opcode::BARRIER, Action::Barrier),
    (Opcode::MEMBAR, Action::Nothing),
    (Opcode::MFENCE, Action::Nothing),
    (Opcode::LFENCE, Action::Nothing),
    (Opcode::SFENCE, Action::Nothing),
    (Opcode::NOP, Action::Nothing),
    (Opcode::END, Action::End),
];

static ACTIONS: ByOpcode<Action> = ByOpcode::of(&[TABLE]);

/// Returns what an opcode does; `None` where it is not executed.
///
/// What reads a Direct3D 8 texture unit does not name it, and labels of 2007
/// were never written down: those opcodes can not be executed.
pub(crate) const fn action(opcode: Opcode) -> Option<Action> {
    match (own_action(opcode), opcode.successor()) {
        (None, Some(successor)) => own_action(successor),
        (own, _) => own,
    }
}

/// Returns what an opcode does under the name that it has.
const fn own_action(opcode: Opcode) -> Option<Action> {
    if let Some(operation) = operation(opcode) {
        Some(Action::Compute(operation))
    } else if let Some(lookup) = PreparedLookup::of(opcode) {
        Some(Action::Lookup(lookup))
    } else if let Some(atomic) = Atomic::of(opcode) {
        Some(Action::Atomic(atomic))
    } else if opcode.is_gap() {
        Some(Action::Nothing)
    } else {
        ACTIONS.get(opcode)
    }
}

// The compiler names an opcode that neither has an action nor a reason to have none.
const _: () = {
    let mut number = 0;
    while number < Opcode::COUNT {
        let opcode = Opcode::ALL[number];
        if action(opcode).is_some() != opcode.row().not_executed.is_empty() {
            panic!("{}", opcode.mnemonic());
        }
        number += 1;
    }
};
