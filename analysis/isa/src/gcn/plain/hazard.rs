//! Hazards: the kinds of instruction between which wait states must stand.

named! {
    /// A kind of instruction that comes first.
    Producer {
        /// Vector arithmetic.
        Valu "valu",
        /// Scalar arithmetic.
        Salu "salu",
        /// Writes of hardware registers.
        SetRegister "setreg",
        /// `s_setvskip`.
        SetSkip "setvskip",
        /// Stores of more than 64 bits whose data are read late.
        WideStore "wide-store",
        /// Interpolation.
        Interpolation "interp",
        /// Loads and atomics of vector memory and the data share.
        Load "load",
        /// Matrix products.
        Product "mfma",
        /// Matrix products of small floats and integers.
        SmallProduct "xdl",
        /// Matrix products of floats of 32 bits.
        SingleProduct "sgemm",
        /// Matrix products of floats of 64 bits.
        DoubleProduct "dgemm",
        /// Vector arithmetic other than matrix and dot products.
        PlainValu "valu-no-product",
        /// Vector arithmetic other than matrix products, with a matrix product of floats of 64
        /// bits between it and the second.
        ValuBeforeDouble "valu-before-dgemm",
        /// Dot products.
        Dot "dot",
        /// Transcendental functions.
        Transcendental "trans",
        /// Vector arithmetic that keeps a part of its result's register.
        PartialWrite "partial-write",
        /// `v_accvgpr_read_b32`.
        AccumulatorRead "accvgpr-read",
        /// `v_accvgpr_write_b32`.
        AccumulatorWrite "accvgpr-write",
    }
}

named! {
    /// The register through which the first reaches the second.
    Via {
        /// Scalar registers.
        Scalar "sgpr",
        /// The scalar registers of a buffer's descriptor.
        Descriptor "descriptor",
        /// Scalar registers that every lane reads alike.
        Constant "constant",
        /// Scalar registers with a bit for every lane: a carry, or the choice of a select.
        LaneMask "lane-mask",
        /// VCC.
        Vcc "vcc",
        /// Vector registers.
        Vector "vgpr",
        /// EXEC.
        Exec "exec",
        /// M0.
        M0 "m0",
        /// A hardware register.
        Hardware "hwreg",
        /// The bit of MODE that skips vector instructions.
        SkipMode "vskip",
        /// TRAPSTS.
        TrapStatus "trapsts",
        /// Registers that the first still reads and the second writes.
        Data "data",
        /// Accumulation registers.
        Accumulator "agpr",
        /// The sum of a matrix product.
        Addend "mfma-c",
        /// Vector and accumulation registers that the first writes and the second reads.
        Result "result",
        /// Vector and accumulation registers that both write.
        Rewritten "rewritten",
        /// Vector and accumulation registers that the first writes and the second touches.
        Touched "touched",
        /// The result that the second adds to, other registers among them.
        Overlap "overlap",
        /// The result that the second adds to, as a whole.
        Same "same",
        /// The result that another opcode adds to, as a whole.
        SameOfOther "same-of-other",
        /// No register: one unit does both.
        Unit "unit",
    }
}

named! {
    /// A kind of instruction that comes too early.
    Consumer {
        /// Scalar memory.
        ScalarMemory "smem",
        /// Scalar memory that reads a buffer.
        ScalarBuffer "smem-buffer",
        /// Vector memory.
        VectorMemory "vmem",
        /// The choice of a lane.
        LaneSelect "lane-select",
        /// Reads of a lane.
        LaneRead "lane-read",
        /// `v_div_fmas_f32` and its like.
        DivisionStep "div-fmas",
        /// A source that is VCCZ.
        VccZero "vccz-source",
        /// A source that is EXECZ.
        ExecZero "execz-source",
        /// Movement between lanes.
        Dpp "dpp",
        /// `s_getreg_b32`.
        GetRegister "getreg",
        /// Writes of hardware registers.
        SetRegister "setreg",
        /// Vector instructions.
        Vector "vector",
        /// Returns from traps.
        Return "rfe",
        /// The global data share.
        GlobalShare "gds",
        /// Messages.
        Message "message",
        /// Interpolation.
        Interpolation "interp",
        /// Moves by an index in M0.
        MoveRelative "movrel",
        /// The data share by the number of the lane.
        AddThread "addtid",
        /// Loads of buffers to the local data share.
        BufferToShare "buffer-lds-dma",
        /// Loads by an address to the local data share.
        FlatToShare "flat-lds-dma",
        /// A source that is in the local data share.
        ShareDirect "lds-direct",
        /// Vector arithmetic.
        Valu "valu",
        /// Factors of a matrix product.
        Factor "mfma-ab",
        /// The addend of a matrix product.
        Addend "mfma-c",
        /// `v_accvgpr_read_b32`.
        AccumulatorRead "accvgpr-read",
        /// `v_accvgpr_write_b32`.
        AccumulatorWrite "accvgpr-write",
        /// Matrix products.
        Product "mfma",
        /// The addend of a product of small floats and integers.
        SmallAddend "xdl-c",
        /// The addend of a product of floats of 32 bits.
        SingleAddend "sgemm-c",
        /// The addend of a product of floats of 64 bits.
        DoubleAddend "dgemm-c",
        /// Vector arithmetic other than matrix products.
        NoProduct "valu-no-mfma",
        /// Vector arithmetic and memory of another opcode, but matrix products.
        OtherOpcode "other-opcode",
        /// Factors of a dot product of the same opcode.
        SameDotFactor "same-dot-ab",
        /// Vector arithmetic other than transcendental functions.
        NoTranscendental "valu-no-trans",
        /// Fused products and sums of floats of 64 bits.
        DoubleFma "fma-f64",
        /// Reads and writes of a lane.
        Lane "lane",
        /// Exchanges of rows of lanes.
        RowSwap "permlane-swap",
        /// Whatever brings the matrix unit its sources.
        MatrixInput "matrix-input",
        /// Memory of any kind.
        Memory "memory",
    }
}

named! {
    /// The most severe thing that can be said of a violated hazard.
    Certainty {
        /// The hardware needs the states.
        Error "error",
        /// Most of those who know ask for the states.
        Warning "warning",
        /// Some ask for the states, and others do without.
        Hint "hint",
    }
}

/// The wait states that must stand between two instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum States {
    /// So many.
    Fixed(u8),
    /// So many after a matrix product of so many passes; others need none.
    ByPasses(&'static [(u8, u8)]),
}

impl States {
    /// Returns the states after a product of so many passes, or after another instruction.
    pub fn after(self, passes: Option<u8>) -> u8 {
        match self {
            States::Fixed(states) => states,
            States::ByPasses(list) => {
                let row = list.iter().find(|row| Some(row.0) == passes);
                row.map_or(0, |row| row.1)
            }
        }
    }

    /// Returns the most that any pair needs.
    pub fn most(self) -> u8 {
        match self {
            States::Fixed(states) => states,
            States::ByPasses(list) => list.iter().map(|row| row.1).max().unwrap_or(0),
        }
    }
}
