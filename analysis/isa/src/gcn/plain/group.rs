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
        /// Takes the sources of another opcode, exchanged.
        Reversed "reversed",
    }
}
