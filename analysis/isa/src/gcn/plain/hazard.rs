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
        /// Matrix products.
        Product "mfma",
        /// Products of 4 by 4.
        Product4 "mfma-4x4",
        /// Products of 16 by 16.
        Product16 "mfma-16x16",
        /// Products of 32 by 32.
        Product32 "mfma-32x32",
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
        /// Loads to the local data share.
        LoadToShare "lds-dma",
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
        /// Whatever brings the matrix unit its sources.
        MatrixInput "matrix-input",
        /// Memory of any kind.
        Memory "memory",
    }
}
