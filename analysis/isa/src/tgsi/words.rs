//! The words of the tables of TGSI: types that the build and the program share.

words! {
    /// The dependence of a result's components on those of the sources.
    OutputMode {
        /// There is no result.
        None "none",
        /// Each component from the same component of the sources.
        Componentwise "componentwise",
        /// One value, written to every component of the mask.
        Replicate "replicate",
        /// Each component has a rule of its own.
        ChannelDependent "chan_dependent",
        /// Anything else: textures, memory.
        Other "other",
    }
}

words! {
    /// The type that an operand's bits are read as.
    #[allow(missing_docs)]
    ValueType {
        Untyped "untyped",
        Float "float",
        Signed "int",
        Unsigned "uint",
        Double "double",
        Signed64 "int64",
        Unsigned64 "uint64",
    }
}

words! {
    /// The rules that the operands of an opcode follow.
    Family {
        /// Values in, a value out.
        Plain "plain",
        /// `TEX` and its like: the last source is a sampler.
        Texture "texture",
        /// `SAMPLE` and its like: source 1 is a view, source 2 a sampler.
        Sample "sample",
        /// `SAMPLE_I` and its like: source 1 is a view.
        View "view",
        /// `LOAD` and `RESQ`: the first source is a resource.
        Access "access",
        /// Atomics: the first source is a resource, which is changed.
        Atomic "atomic",
        /// `STORE`: the destination is a resource.
        Store "store",
        /// `SAMP2HND`, `IMG2HND`: the first source is what the handle is for.
        Handle "handle",
        /// `INTERP_CENTROID` and its like: the first source is an input.
        Interpolate "interpolate",
        /// `FBFETCH`: the first source is an output.
        Framebuffer "framebuffer",
        /// `EMIT`, `ENDPRIM`, `MEMBAR`: the source is an immediate.
        Immediate "immediate",
        /// Fences and other historic opcodes whose operands are not checked.
        Historic "historic",
    }
}

words! {
    /// The part of an opcode in control flow.
    Control {
        /// Control goes to the next instruction.
        Next "next",
        /// Opens a branch.
        If "if",
        /// Ends the first arm of a branch and opens the second.
        Else "else",
        /// Closes a branch.
        EndIf "endif",
        /// Opens a loop.
        Loop "loop",
        /// Closes a loop.
        EndLoop "endloop",
        /// Opens a switch.
        Switch "switch",
        /// Begins an arm of a switch.
        Case "case",
        /// Begins the arm of a switch for all other values.
        Default "default",
        /// Closes a switch.
        EndSwitch "endswitch",
        /// Leaves a loop or a switch.
        Break "break",
        /// Begins the next round of a loop.
        Continue "continue",
        /// Returns from a subroutine.
        Return "return",
        /// Ends the program.
        End "end",
        /// Calls a subroutine.
        Call "call",
        /// Begins a subroutine.
        Subroutine "subroutine",
        /// Ends a subroutine.
        EndSubroutine "endsubroutine",
        /// Historic jumps, which are not followed.
        Jump "jump",
    }
}

words! {
    /// The form of a texture opcode.
    Lookup {
        /// No texture opcode.
        None "none",
        /// Samples at the level that neighbouring coordinates give.
        Implicit "implicit",
        /// The same with the reference in a source of its own.
        Implicit2 "implicit2",
        /// Samples at level 0.
        Zero "zero",
        /// Divides the coordinates first.
        Projected "projected",
        /// Adds a bias to the level.
        Bias "bias",
        /// The same with the bias in a source of its own.
        Bias2 "bias2",
        /// Samples at a level that is given.
        Level "level",
        /// The same with the level in a source of its own.
        Level2 "level2",
        /// Samples at the level that derivatives give.
        Derivatives "derivatives",
        /// Compares texels with a value in a source of its own.
        Compared "compared",
        /// The same at level 0.
        ComparedZero "compared_zero",
        /// Takes one component of four texels.
        Gather "gather",
        /// Reads one texel.
        Fetch "fetch",
        /// Reads one texel of level 0.
        FetchZero "fetch_zero",
        /// Reads one sample of a texel.
        FetchSample "fetch_sample",
        /// Asks for the size of a level.
        Size "size",
        /// Asks for the number of samples.
        Samples "samples",
        /// Asks for the position of a sample.
        Position "position",
        /// Asks for the level of detail.
        Detail "detail",
    }
}

words! {
    /// A fact of a few opcodes.
    Flag {
        /// Loads an address register.
        Address "address",
        /// Moves bits, whatever they mean.
        Bits "bits",
        /// Counts with integers: what it reads is a number, not a pattern of bits.
        Integer "integer",
        /// Takes differences between neighbouring pixels.
        Derivatives "derivatives",
        /// Depends on which lanes of the wave are active.
        Lanes "lanes",
        /// Takes a packed number apart, bit for bit.
        Unpack "unpack",
        /// A number without an instruction, which the reference parser reads under a name
        /// made from the number (`UNK67`).
        Gap "gap",
    }
}

words! {
    /// The scales of the units of a bound.
    Scale {
        /// The result.
        Result "result",
        /// The product of the first two sources.
        Product "product",
        /// The largest component of the sources.
        Largest "largest",
    }
}

words! {
    /// The values that decide whether there is a result.
    Argument {
        /// An angle, or what is raised to a power: x of the first source.
        First "",
        /// The size of what is divided by: the component of the second source.
        Divisor "divisor",
        /// The power of two that is multiplied by: the component of the second source, an integer.
        Exponent "exponent",
        /// The square of the first source's length, of as many components as have the bound.
        Square "square",
    }
}
