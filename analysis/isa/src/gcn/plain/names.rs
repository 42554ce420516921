//! Names that are not opcodes, and who speaks them.

named! {
    /// An assembly language.
    #[derive(Default)]
    Dialect {
        /// The LLVM assembler's.
        #[default]
        Llvm "llvm",
        /// CLRadeonExtender's.
        Clrx "clrx",
    }
}

impl Dialect {
    /// Returns the dialect of a name; letter case does not count.
    pub fn find(name: &str) -> Option<Dialect> {
        Dialect::ALL.iter().copied().find(|it| it.name().eq_ignore_ascii_case(name))
    }

    /// Returns the other one.
    pub fn other(self) -> Dialect {
        match self {
            Dialect::Llvm => Dialect::Clrx,
            Dialect::Clrx => Dialect::Llvm,
        }
    }
}

named! {
    /// The sort of number that a name stands for.
    NameKind {
        /// A message of `s_sendmsg`.
        Message "message",
        /// An operation of `MSG_GS`.
        GeometryOperation "gs-operation",
        /// An operation of `MSG_SYSMSG`.
        SystemOperation "system-operation",
        /// A register of the hardware.
        HardwareRegister "register",
        /// A hardware register that only CLRX has a name for.
        ClrxRegister "clrx-register",
        /// A message that only CLRX calls so.
        ClrxMessage "clrx-message",
    }
}

named! {
    /// The place of an address component that a word of an image opcode adds.
    SuffixPlace {
        /// Nothing is added.
        None "",
        /// Before the coordinates, in the order of the table.
        Front "front",
        /// Before the coordinates, for each direction of the screen.
        Derivatives "derivatives",
        /// Behind the coordinates.
        Body "body",
    }
}

impl NameKind {
    /// Returns what such a number is, in words.
    pub fn title(self) -> &'static str {
        match self {
            NameKind::Message | NameKind::ClrxMessage => "message",
            NameKind::GeometryOperation => "operation of the message `MSG_GS`",
            NameKind::SystemOperation => "operation of the message `MSG_SYSMSG`",
            NameKind::HardwareRegister | NameKind::ClrxRegister => "register of the hardware",
        }
    }
}
