//! The words of the tables of behaviour: units, classes of issue time, counters,
//! registers that nobody names.

named! {
    /// The part of a compute unit that takes an instruction.
    Unit {
        /// None: the instruction buffer deals with it (`s_nop`, `s_waitcnt`).
        Sequencer "sequencer",
        /// Branches.
        Branch "branch",
        /// Messages and the thread trace.
        Message "message",
        /// Scalar arithmetic.
        Salu "salu",
        /// Scalar memory.
        Smem "smem",
        /// Vector arithmetic.
        Valu "valu",
        /// Matrices (gfx908).
        Matrix "matrix",
        /// Interpolation: vector arithmetic that reads attributes from the local data share.
        Interp "interp",
        /// The local data share.
        Lds "lds",
        /// The global data share.
        Gds "gds",
        /// Buffers, images and global memory.
        Vmem "vmem",
        /// Scratch memory (gfx9).
        Scratch "scratch",
        /// Memory of any kind, told by the address.
        Flat "flat",
        /// Exports.
        Export "export",
    }
}

named! {
    /// Instructions of one class take the wave's turn for the same time on every
    /// chip, in every model of time.
    IssueClass {
        /// `s_nop`, `s_waitcnt`: no unit.
        Sequencer "sequencer",
        /// Branches, taken or not.
        Branch "branch",
        /// Messages.
        Message "message",
        /// Scalar arithmetic.
        Salu "salu",
        /// Scalar arithmetic that writes EXEC and keeps what it was.
        SaveExec "saveexec",
        /// Writes of hardware registers.
        SetReg "setreg",
        /// Scalar loads of up to four dwords.
        Smem "smem",
        /// Scalar loads of 8 dwords.
        Smem8 "smem8",
        /// Scalar loads of 16 dwords.
        Smem16 "smem16",
        /// Scalar stores.
        SmemStore "smem-store",
        /// Scalar atomics.
        SmemAtomic "smem-atomic",
        /// Clocks, through scalar memory.
        SmemTime "smem-time",
        /// Control of the scalar cache.
        SmemControl "smem-control",
        /// Vector arithmetic at full rate.
        Valu32 "valu32",
        /// Packed arithmetic and products of parts.
        Packed "packed",
        /// The exchange of two registers.
        Swap "swap",
        /// Transcendental functions of 16 and 32 bits.
        Trans "trans",
        /// Products of 32-bit integers.
        Imul "imul",
        /// Products of 32-bit integers added to 64 bits.
        Imul64 "imul64",
        /// Sums of differences in four windows.
        Sad "sad",
        /// Fused multiplication and addition of 32-bit floats.
        Fma32 "fma32",
        /// Steps of a division of 32-bit floats.
        Division32 "division32",
        /// Addition of 64-bit floats.
        F64Add "f64add",
        /// Comparison of 64-bit floats.
        F64Compare "f64compare",
        /// Other simple operations on 64-bit floats: extremes, rounding, exponents.
        F64Simple "f64simple",
        /// The last step of a division of 64-bit floats.
        F64Fixup "f64fixup",
        /// Multiplication of 64-bit floats, fused or not.
        F64Mul "f64mul",
        /// Reciprocals and roots of 64-bit floats.
        F64Trans "f64trans",
        /// Conversion from and to 64-bit floats.
        Convert64 "convert64",
        /// Shifts of 64 bits.
        Shift64 "shift64",
        /// Comparison of 64-bit integers.
        I64Compare "i64compare",
        /// Matrices.
        Matrix "matrix",
        /// One step of interpolation.
        Interp "interp",
        /// Local data share: loads of up to 32 bits, and lists.
        LdsRead "lds-read",
        /// Loads of 64 bits, or twice 32.
        LdsRead64 "lds-read64",
        /// Loads of 96 and 128 bits, or twice 64.
        LdsRead128 "lds-read128",
        /// Stores of up to 32 bits.
        LdsWrite "lds-write",
        /// Stores of 64 bits, or twice 32.
        LdsWrite64 "lds-write64",
        /// Stores of 96 bits.
        LdsWrite96 "lds-write96",
        /// Stores of 128 bits, or twice 64.
        LdsWrite128 "lds-write128",
        /// Atomics of 32 bits.
        LdsAtomic "lds-atomic",
        /// Atomics of 64 bits.
        LdsAtomic64 "lds-atomic64",
        /// Atomics of 32 bits with two data operands.
        LdsCompare "lds-compare",
        /// Atomics of 64 bits with two data operands.
        LdsCompare64 "lds-compare64",
        /// Atomics of 32 bits whose data is at another address.
        LdsSource "lds-source",
        /// Atomics of 64 bits whose data is at another address.
        LdsSource64 "lds-source64",
        /// Copies of 32 bits within the local data share.
        LdsCopy "lds-copy",
        /// Copies of 64 bits within the local data share.
        LdsCopy64 "lds-copy64",
        /// Movement between lanes through the local data share.
        LdsMove "lds-move",
        /// Wave synchronisation and ordered counts.
        Gds "gds",
        /// Vector memory: loads of up to 32 bits.
        VmemLoad "vmem-load",
        /// Loads of two dwords.
        VmemLoad2 "vmem-load2",
        /// Loads of three and four dwords.
        VmemLoad4 "vmem-load4",
        /// Stores.
        VmemStore "vmem-store",
        /// Atomics.
        VmemAtomic "vmem-atomic",
        /// Atomics with a comparand.
        VmemCompare "vmem-compare",
        /// Control of the vector cache.
        VmemControl "vmem-control",
        /// Image loads without a sampler.
        ImageLoad "image-load",
        /// Image stores.
        ImageStore "image-store",
        /// Image atomics.
        ImageAtomic "image-atomic",
        /// Samples and gathers.
        ImageSample "image-sample",
        /// Sizes of images.
        ImageQuery "image-query",
        /// Exports.
        Export "export",
    }
}

named! {
    /// A counter that `s_waitcnt` waits for.
    Counter {
        /// Vector memory.
        Vm "vm",
        /// Data shares, scalar memory, messages.
        Lgkm "lgkm",
        /// Exports, and data registers being read.
        Exp "exp",
    }
}

named! {
    /// The event when a counter comes down again.
    CounterEvent {
        /// The result registers are written.
        Result "result",
        /// The data registers were read and may be written.
        Source "source",
        /// Memory was changed, or the message sent; no register depends on it.
        Done "done",
    }
}

spelled! {
    /// The occasions on which an instruction raises a counter.
    pub enum Condition {
        /// At every issue.
        Always,
        /// With the modifier `gds`.
        Gds,
    }
}

/// A counter that an instruction raises at issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CounterInc {
    /// The counter.
    pub counter: Counter,
    /// The event when it comes down.
    pub event: CounterEvent,
    /// The occasion on which it is raised.
    pub condition: Condition,
}

/// Registers that instructions use without naming them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Implicit {
    pub(crate) bits: u8,
}

named! {
    /// A register with a name of its own, which is the assembler's.
    Special {
        /// The condition mask of the lanes.
        Vcc "vcc",
        /// The mask of active lanes.
        Exec "exec",
        /// The scalar condition.
        Scc "scc",
        /// M0.
        M0 "m0",
        /// Base and size of scratch memory.
        FlatScratch "flat_scratch",
    }
}

impl Implicit {
    /// Tells whether a register is among them.
    pub fn has(self, special: Special) -> bool {
        self.bits & (1 << special as u8) != 0
    }

    /// With one more.
    #[must_use]
    pub fn with(self, special: Special) -> Implicit {
        Implicit { bits: self.bits | 1 << special as u8 }
    }

    /// Lists them in the order of [`Special::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Special> {
        Special::ALL.into_iter().filter(move |special| self.has(*special))
    }
}

named! {
    /// The condition on which a branch is taken.
    BranchCondition {
        /// SCC is clear, or set: nothing about lanes.
        Scalar "scc",
        /// VCC is zero.
        VccZero "vccz",
        /// VCC is not zero.
        VccNotZero "vccnz",
        /// EXEC is zero.
        ExecZero "execz",
        /// EXEC is not zero.
        ExecNotZero "execnz",
        /// The debugger's conditions.
        Debugger "debugger",
    }
}

/// The place to which control goes after an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Control {
    /// To the next instruction.
    Next,
    /// To its target.
    Jump,
    /// To its target or the next instruction.
    Branch(BranchCondition),
    /// To its target, and back behind it.
    Call,
    /// To where a register says, and perhaps back behind it.
    IndirectCall,
    /// To its target or the next instruction, one after the other, by the hardware's
    /// own stack.
    Fork,
    /// To where a register says.
    Indirect,
    /// Nowhere: the wave ends.
    End,
}

impl Control {
    /// Returns the one of a table's word.
    pub fn named(name: &str) -> Option<Control> {
        Some(match name {
            "next" => Control::Next,
            "jump" => Control::Jump,
            "call" => Control::Call,
            "indirect-call" => Control::IndirectCall,
            "fork" => Control::Fork,
            "indirect" => Control::Indirect,
            "end" => Control::End,
            _ => Control::Branch(BranchCondition::named(name)?),
        })
    }
}

/// The meaning of an opcode to the wave that executes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Behaviour {
    /// The unit that takes it.
    pub unit: Unit,
    /// Its class of issue time.
    pub issue: IssueClass,
    /// The place to which control goes.
    pub control: Control,
    /// The counters that it raises.
    pub counters: &'static [CounterInc],
    /// The registers that it reads unnamed.
    pub reads: Implicit,
    /// The registers that it writes unnamed.
    pub writes: Implicit,
    /// The source of the row.
    pub source: &'static str,
}
