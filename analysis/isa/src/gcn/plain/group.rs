//! Groups of opcodes.

named! {
    /// A group of opcodes that rules speak of.
    OpGroup {
        /// Loads texels.
        ImageLoad "image-load",
        /// Stores texels.
        ImageStore "image-store",
        /// Changes texels atomically.
        ImageAtomic "image-atomic",
        /// Asks for the size of an image.
        ImageSize "image-size",
        /// Asks for the level that sampling would take.
        ImageLevel "image-level",
        /// Samples an image.
        ImageSample "image-sample",
        /// Gathers four texels.
        ImageGather "image-gather",
        /// Adds products of parts of its sources.
        Dot "dot",
        /// Multiplies and adds floats of 64 bits.
        DoubleFma "double-fma",
        /// Exchanges rows of lanes between two registers.
        RowSwap "row-swap",
        /// Converts to floats of 8 bits, in a byte or half that is chosen.
        ToBytes "to-bytes",
        /// Converts to floats of 4 bits, in a byte that is chosen.
        ToNibbles "to-nibbles",
        /// Takes the sources of another opcode, exchanged.
        Reversed "reversed",
    }
}
