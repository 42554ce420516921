//! Puts the whole module together: function, declarations, attributes, debug
//! metadata.
//!
//! The text keeps to what LLVM 15 to 22 all read: opaque pointers, every
//! intrinsic declared, no data layout (it differs by version; the compiler
//! sets it) and therefore an address space on every `alloca`. Buffers are
//! descriptors of four words: pointers to buffers came with LLVM 17.

use std::fmt::Write as _;

use crate::abi::EntryPoint;
use crate::builder::location;
use crate::context::Lowering;
use crate::entry::EntryFunction;
use crate::hardware_stage::Half;
use crate::line::IrLine;

/// A lowered shader.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Module {
    /// The IR as text, without target triple and data layout.
    pub ir: String,
    /// The number of TGSI instructions that it was made from; bounds the compile time.
    pub instructions: u32,
    /// The part that it is of a program of two stages; `None` if it is a whole program.
    pub half: Option<Half>,
    /// The ABI of its function: convention and parameters.
    pub entry: EntryPoint,
}

/// The first instruction of the body, to which the entry block jumps.
pub(crate) const BODY: &str = "body";

/// Writes the module of one function, which is lowered.
pub(crate) fn assemble(lowering: Lowering<'_>, instructions: u32, half: Option<Half>) -> Module {
    let EntryFunction { point, attributes, globals } = lowering.entry_point();
    let mut written = lowering.builder;
    written.lines.insert(0);
    let mut parameters = String::new();
    IrLine(&mut parameters).commas(&point.parameters, |line, parameter| parameter.write(line));
    let convention = point.convention;
    let mut text = String::with_capacity(written.entry.len() + written.body.len() + 4096);
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "source_filename = \"shader\"\n\n{globals}\
         define {convention} void @main({parameters}) #0 !dbg !5 {{\n\
         entry:\n{}  br label %{BODY}, !dbg !{}\n{BODY}:\n{}}}\n\n",
        written.entry,
        location(0),
        written.body,
    );
    for declaration in written.declarations.values() {
        let _ = writeln!(text, "{declaration}");
    }
    // Flushing single precision denormals is what lets the compiler use the
    // multiply-add and the one-instruction exponentials of this hardware.
    // An input address of 0 leaves the inputs of a pixel to LLVM; any other keeps registers
    // that nothing reads. The high bits are those of every pointer in address space 6. LLVM 15
    // does not read `memory(none)`, all later ones still read `readnone`.
    let _ = write!(
        text,
        "\nattributes #0 = {{ nounwind \
         \"InitialPSInputAddr\"=\"0\" \
         \"amdgpu-32bit-address-high-bits\"=\"0xffff8000\" \
         \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\" \
         \"no-signed-zeros-fp-math\"=\"true\" {attributes}}}\n\
         attributes #1 = {{ nounwind readnone }}\n\n"
    );
    text.push_str(
        "!llvm.module.flags = !{!1}\n\
         !llvm.dbg.cu = !{!2}\n\n\
         !0 = !{}\n\
         !1 = !{i32 2, !\"Debug Info Version\", i32 3}\n\
         !2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, isOptimized: true, \
         runtimeVersion: 0, emissionKind: LineTablesOnly)\n\
         !3 = !DIFile(filename: \"shader\", directory: \"\")\n\
         !4 = !DISubroutineType(types: !0)\n\
         !5 = distinct !DISubprogram(name: \"main\", scope: !3, file: !3, line: 0, type: !4, \
         scopeLine: 0, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)\n",
    );
    for line in &written.lines {
        // One column for all: LLVM 15 merges equal lines with different
        // columns into line 0.
        let _ = writeln!(
            text,
            "!{} = !DILocation(line: {line}, column: 1, scope: !5)",
            location(*line)
        );
    }
    Module { ir: text, instructions, half, entry: point }
}
