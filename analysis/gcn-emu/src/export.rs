//! Exports, messages and signals: all that leaves a wave without going through memory.

use isa::gcn::operation::WaveSync;

use crate::operand::Fields;
use crate::wave::{LANES, Wave};

/// One `exp`.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// The wave that sent it.
    pub wave: usize,
    /// The index of the instruction.
    pub instruction: usize,
    /// Its fields.
    pub sent: Send,
    /// The lanes it is sent for: EXEC.
    pub lanes: u64,
    /// The instructions that wrote the registers last; `u32::MAX` where none did.
    pub writers: [u32; 4],
    /// The registers' bits.
    pub values: [[u32; LANES]; 4],
}

/// One `s_sendmsg`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// The wave that sent it.
    pub wave: usize,
    /// The index of the instruction.
    pub instruction: usize,
    /// Its sixteen bits: message, operation, stream.
    pub bits: u16,
    /// M0 at that time.
    pub m0: u32,
    /// EXEC at that time.
    pub lanes: u64,
}

impl Message {
    /// The message itself: 1 interrupt, 2 and 3 geometry shaders.
    pub fn id(self) -> u16 {
        self.bits & 15
    }

    /// Returns the operation of a geometry shader's message: 1 cut, 2 emit, 3 both.
    pub fn operation(self) -> u16 {
        self.bits >> 4 & 3
    }

    /// The stream that it says it of.
    pub fn stream(self) -> u16 {
        self.bits >> 8 & 3
    }
}

/// One instruction on the global wave synchronisation that waits for nobody: what it
/// tells a resource that waves of all workgroups share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signal {
    /// The wave that sent it.
    pub wave: usize,
    /// The index of the instruction.
    pub instruction: usize,
    /// The operation on the resource.
    pub kind: SignalKind,
    /// The resource, from 0 to 63 within the workgroup's part.
    pub resource: u8,
    /// The register's value in the first active lane, where it has a register.
    pub value: u32,
}

/// An operation on a resource of the global wave sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalKind {
    /// `ds_gws_init`: it begins with a count.
    Begin,
    /// `ds_gws_sema_v`: the count goes up by one.
    Up,
    /// `ds_gws_sema_br`: the count goes up by a number.
    UpBy,
    /// `ds_gws_sema_release_all`: all that wait go on.
    ReleaseAll,
}

/// An instruction that sends a signal, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SendSignal {
    kind: SignalKind,
    offset: u32,
    register: Option<usize>,
}

impl SendSignal {
    /// `None` for what waits for other waves: a semaphore that is taken, a barrier of all
    /// workgroups.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub(crate) fn of(opcode: WaveSync, fields: &Fields) -> Option<SendSignal> {
        let kind = match opcode {
            WaveSync::ds_gws_init => SignalKind::Begin,
            WaveSync::ds_gws_sema_v => SignalKind::Up,
            WaveSync::ds_gws_sema_br => SignalKind::UpBy,
            WaveSync::ds_gws_sema_release_all => SignalKind::ReleaseAll,
            WaveSync::ds_gws_sema_p | WaveSync::ds_gws_barrier => return None,
        };
        let has_register = matches!(kind, SignalKind::Begin | SignalKind::UpBy);
        let register = has_register.then(|| fields.get("addr") as usize);
        Some(SendSignal { kind, offset: fields.get("offset0"), register })
    }

    pub(crate) fn run(&self, own: &Wave, wave: usize, instruction: usize) -> Signal {
        let lane = own.exec().trailing_zeros() as usize % LANES;
        let value = self.register.map_or(0, |register| own.lane(register, lane));
        // M0 names the workgroup's part (GCN3 ISA, "GWS").
        let resource = ((own.m0() >> 16) + self.offset) as u8 & 63;
        Signal { wave, instruction, kind: self.kind, resource, value }
    }
}

/// `exp`, decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Send {
    /// The target: 0 to 7 colours, 8 depth, 9 nothing, 12 to 15 positions, from 32 on
    /// parameters.
    pub target: u8,
    /// A bit for each of the four registers that is sent.
    pub enabled: u8,
    /// COMPR: registers 0 and 1 hold two values of 16 bits each.
    pub compressed: bool,
    /// DONE: the last export of its kind.
    pub done: bool,
    /// VM: EXEC says which pixels are alive.
    pub valid_mask: bool,
    /// The numbers of the registers.
    pub registers: [u8; 4],
}

impl Send {
    pub(crate) fn of(fields: &Fields) -> Send {
        let registers = ["vsrc0", "vsrc1", "vsrc2", "vsrc3"].map(|name| fields.get(name) as u8);
        Send {
            target: fields.get("tgt") as u8,
            enabled: fields.get("en") as u8,
            compressed: fields.flag("compr"),
            done: fields.flag("done"),
            valid_mask: fields.flag("vm"),
            registers,
        }
    }

    pub(crate) fn run(&self, own: &Wave, wave: usize, instruction: usize) -> Export {
        let writer = |register: u8| own.writers.get(usize::from(register)).copied();
        Export {
            wave,
            instruction,
            sent: *self,
            lanes: own.exec(),
            writers: self.registers.map(|register| writer(register).unwrap_or(u32::MAX)),
            values: self.registers.map(|register| *own.vector(register.into())),
        }
    }
}
