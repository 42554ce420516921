//! Operands of instructions of a random shader.

use tgsi::opcodes::ValueType;

use super::Numbers;
use super::stages::{STAGES, Stage};

/// The opcodes by which a shader reads textures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lookups {
    /// The opcodes of OpenGL: a sampler names its texture.
    Samplers,
    /// The opcodes of Direct3D 10: view and sampler are named apart.
    Views,
}

/// The registers and resources of a shader.
pub(super) struct Operands {
    /// The stage's word.
    pub(super) stage: &'static str,
    row: &'static Stage,
    pub(super) lookups: Lookups,
    /// The texture target of each sampler, and what its view returns.
    samplers: Vec<(&'static str, &'static str)>,
    /// The target and format of the image.
    image: (&'static str, &'static str),
}

const TARGETS: [&str; 15] = [
    "1D",
    "2D",
    "3D",
    "CUBE",
    "RECT",
    "1D_ARRAY",
    "2D_ARRAY",
    "CUBE_ARRAY",
    "SHADOW1D",
    "SHADOW2D",
    "SHADOWRECT",
    "SHADOWCUBE",
    "SHADOW2D_ARRAY",
    "2D_MSAA",
    "BUFFER",
];

const IMAGE_TARGETS: [&str; 6] = ["1D", "2D", "3D", "2D_ARRAY", "BUFFER", "CUBE"];

const FORMATS: [&str; 4] = [
    "PIPE_FORMAT_R32_UINT",
    "PIPE_FORMAT_R32G32B32A32_FLOAT",
    "PIPE_FORMAT_R8G8B8A8_UNORM",
    "PIPE_FORMAT_R32_SINT",
];

const MASKS: [&str; 9] = ["", "", "", ".x", ".y", ".xy", ".zw", ".xyz", ".yw"];

const SWIZZLES: [&str; 8] = ["", "", ".xxxx", ".yyyy", ".wwww", ".wzyx", ".xyxy", ".zwxy"];

const MASKS_STORED: [&str; 5] = ["", ".x", ".xy", ".xyz", ".yw"];

/// Masks that write no more than two words.
const MASKS_OF_TWO: [&str; 3] = [".x", ".y", ".xy"];

/// Instructions that make the places of an invocation of its number: in `TEMP[52]` the address of
/// four words, its own, that of the second and of the third, and in `TEMP[53]` a texel.
fn own_places() -> impl Iterator<Item = String> {
    let lines = "UMUL TEMP[52].y, TEMP[52].xxxx, IMM[5].xxxx\n\
                 UADD TEMP[52].zw, TEMP[52].yyyy, IMM[4].zyyz\n\
                 AND TEMP[53].x, TEMP[52].xxxx, IMM[5].wwww\n\
                 USHR TEMP[53].y, TEMP[52].xxxx, IMM[5].yyyy\n\
                 AND TEMP[53].y, TEMP[53].yyyy, IMM[5].yyyy\n\
                 USHR TEMP[53].zw, TEMP[52].xxxx, IMM[7].xxxx";
    lines.lines().map(str::to_owned)
}

/// The number of a resource from an address: mostly one that all invocations share, for others leave
/// open what they lead to.
fn resource_number(numbers: &mut Numbers) -> &'static str {
    if numbers.once_in(6) { "ADDR[0].y" } else { "ADDR[1].y" }
}

impl Operands {
    pub(super) fn new(numbers: &mut Numbers) -> Operands {
        let row = &STAGES[numbers.below(STAGES.len())];
        let sampler = |numbers: &mut Numbers| {
            (numbers.one(&TARGETS), numbers.one(&["FLOAT", "FLOAT", "UINT", "SINT"]))
        };
        let mut samplers: Vec<_> = (0..3).map(|_| sampler(numbers)).collect();
        // An index chooses among those of one kind.
        samplers[1] = samplers[0];
        let image = (numbers.one(&IMAGE_TARGETS), numbers.one(&FORMATS));
        let lookups = if numbers.once_in(4) { Lookups::Views } else { Lookups::Samplers };
        Operands { stage: row.word, row, lookups, samplers, image }
    }

    pub(super) fn declarations(&self) -> Vec<String> {
        let mut lines: Vec<String> = vec![self.stage.to_owned()];
        lines.extend(self.row.declarations.iter().map(|line| (*line).to_owned()));
        for (number, (target, returned)) in self.samplers.iter().enumerate() {
            lines.push(format!("DCL SAMP[{number}]"));
            lines.push(format!("DCL SVIEW[{number}], {target}, {returned}"));
        }
        let (target, format) = self.image;
        lines.push(format!("DCL IMAGE[0], {target}, {format}, WR"));
        let rest = [
            "DCL BUFFER[0..3]",
            "DCL CONST[0][0..7]",
            "DCL CONST[1][0..3]",
            "DCL TEMP[0..7]",
            "DCL TEMP[8..11], ARRAY(1)",
            "DCL TEMP[12..43], ARRAY(2)",
            "DCL TEMP[44..54]",
            "DCL ADDR[0..1]",
            "IMM[0] FLT32 {0.5, -1.0, 2.0, 0.0}",
            "IMM[1] INT32 {-1, 7, 100, -2147483648}",
            "IMM[2] UINT32 {0, 1, 2, 31}",
            "IMM[3] FLT64 {1.5, -0.25}",
            "IMM[4] UINT32 {0, 4, 8, 12}",
            "IMM[5] UINT32 {16, 3, 128, 7}",
            "IMM[6] FLT32 {8.0, 0.0, 0.0, 0.0}",
            "IMM[7] UINT32 {5, 5, 5, 5}",
        ];
        lines.extend(rest.map(str::to_owned));
        lines
    }

    /// Instructions that make later ones depend on what the shader is given. No register is
    /// without a value: what is read from such a one is left open.
    pub(super) fn first_values(&self) -> Vec<String> {
        let fill = "MOV TEMP[0].x, IMM[2].xxxx\nBGNLOOP :0\n\
                    USLT TEMP[0].y, IMM[2].wwww, TEMP[0].xxxx\nUIF TEMP[0].yyyy :0\nBRK\nENDIF\n\
                    UARL ADDR[0].x, TEMP[0].xxxx\nMOV TEMP[ADDR[0].x+12](2), CONST[0][1]\n\
                    UADD TEMP[0].x, TEMP[0].xxxx, IMM[2].yyyy\nENDLOOP :0";
        let mut lines: Vec<String> = fill.lines().map(str::to_owned).collect();
        lines.push("UARL ADDR[0].x, IMM[2].xxxx".to_owned());
        lines.push("UARL ADDR[0].y, IMM[2].yyyy".to_owned());
        lines.push("AND TEMP[52].x, CONST[0][4].xxxx, IMM[2].yyyy".to_owned());
        lines.push("UARL ADDR[1].y, TEMP[52].xxxx".to_owned());
        lines.extend(self.row.number.iter().map(|line| (*line).to_owned()));
        lines.extend(own_places());
        lines.extend((8..12).map(|number| format!("MOV TEMP[{number}], CONST[0][{}]", number - 8)));
        let firsts = (0..8).map(|number| {
            let inputs = self.row.inputs;
            match inputs.get(number % (inputs.len() + 1)) {
                Some(input) => format!("MOV TEMP[{number}], {input}"),
                None => format!("MOV TEMP[{number}], CONST[0][{number}]"),
            }
        });
        lines.extend(firsts);
        lines
    }

    /// Instructions that let the world see every register.
    pub(super) fn results(&self) -> Vec<String> {
        let sum = "ADD TEMP[0], TEMP[0], TEMP[1]\nADD TEMP[0], TEMP[0], TEMP[2]\n\
                   ADD TEMP[3], TEMP[3], TEMP[4]\nADD TEMP[5], TEMP[5], TEMP[6]\n\
                   ADD TEMP[3], TEMP[3], TEMP[5]\nADD TEMP[3], TEMP[3], TEMP[7]";
        let lines = sum.lines().map(str::to_owned);
        lines.chain(self.row.results.iter().map(|line| (*line).to_owned())).collect()
    }

    /// Tells whether an address may be that of a vertex: behind the last one is nothing that a run
    /// could go on with.
    pub(super) fn indexes_vertices(&self) -> bool {
        self.row.inputs.iter().any(|input| input.contains("ADDR"))
    }

    pub(super) fn destination(&self, numbers: &mut Numbers) -> String {
        let register = match numbers.below(16) {
            0 => "TEMP[ADDR[0].x+8](1)".to_owned(),
            1 => "TEMP[ADDR[0].y+13](2)".to_owned(),
            2 => format!("TEMP[{}](1)", 8 + numbers.below(4)),
            3 if !self.row.outputs.is_empty() => numbers.one(self.row.outputs).to_owned(),
            _ => format!("TEMP[{}]", numbers.below(8)),
        };
        format!("{register}{}", numbers.one(&MASKS))
    }

    /// A register whose written components are pairs.
    pub(super) fn wide_destination(&self, numbers: &mut Numbers) -> String {
        format!("TEMP[{}]{}", numbers.below(8), numbers.one(&["", ".xy", ".zw"]))
    }

    /// A source that is read as values of a kind.
    pub(super) fn source(&self, numbers: &mut Numbers, kind: ValueType) -> String {
        let register = self.register(numbers);
        let swizzle = match kind {
            ValueType::Double | ValueType::Signed64 | ValueType::Unsigned64 => {
                numbers.one(&["", ".xyxy", ".zwzw", ".zwxy"])
            }
            _ => numbers.one(&SWIZZLES),
        };
        let operand = match register.rsplit_once("].") {
            // It says which components it has.
            Some((_, last)) if !last.ends_with(']') => register,
            _ => format!("{register}{swizzle}"),
        };
        match (kind, numbers.below(8)) {
            (ValueType::Float | ValueType::Double, 0) => format!("|{operand}|"),
            (ValueType::Float | ValueType::Double, 1) => format!("-|{operand}|"),
            (ValueType::Unsigned | ValueType::Unsigned64 | ValueType::Untyped, _) => operand,
            (_, 2) => format!("-{operand}"),
            _ => operand,
        }
    }

    /// One component of a source, in all four.
    pub(super) fn scalar(&self, numbers: &mut Numbers) -> String {
        let component = numbers.one(&["x", "y", "z", "w"]);
        let register = self.register(numbers);
        match register.starts_with("SV[") {
            true => format!("{}.xxxx", register.split('.').next().unwrap_or_default()),
            false => format!("{register}.{}", component.repeat(4)),
        }
    }

    /// One component of what the shader is given, which is never open.
    pub(super) fn given(&self, numbers: &mut Numbers) -> String {
        let component = numbers.one(&["x", "y", "z", "w"]);
        let is_direct = |it: &&str| it.starts_with("IN[") && !it.contains("ADDR");
        let inputs: Vec<&str> = self.row.inputs.iter().copied().filter(is_direct).collect();
        let register = match inputs.is_empty() || numbers.once_in(2) {
            true => format!("CONST[0][{}]", numbers.below(8)),
            false => numbers.one(&inputs).to_owned(),
        };
        format!("{register}.{}", component.repeat(4))
    }

    fn register(&self, numbers: &mut Numbers) -> String {
        match numbers.below(24) {
            0 | 1 => format!("IMM[{}]", numbers.below(4)),
            2 | 3 => format!("CONST[0][{}]", numbers.below(8)),
            4 => "CONST[1][ADDR[0].x+1]".to_owned(),
            5 => format!("CONST[{}][2]", resource_number(numbers)),
            6 => "TEMP[ADDR[0].x+9](1)".to_owned(),
            7 => "TEMP[ADDR[0].y+20](2)".to_owned(),
            8 => format!("TEMP[{}](2)", 12 + numbers.below(32)),
            9..12 if !self.row.inputs.is_empty() => numbers.one(self.row.inputs).to_owned(),
            _ => format!("TEMP[{}]", numbers.below(8)),
        }
    }

    /// A sampler with its target.
    pub(super) fn sampler(&self, numbers: &mut Numbers) -> (String, &'static str) {
        let number = numbers.below(self.samplers.len());
        let target = self.samplers[number].0;
        match numbers.once_in(12) {
            true => (format!("SAMP[{}]", resource_number(numbers)), self.samplers[0].0),
            false => (format!("SAMP[{number}]"), target),
        }
    }

    /// A view with a swizzle.
    pub(super) fn view(&self, numbers: &mut Numbers) -> String {
        format!("SVIEW[{}]{}", numbers.below(self.samplers.len()), numbers.one(&SWIZZLES))
    }

    /// A statement about memory: a buffer, an image, or what the threads share.
    pub(super) fn memory(&self, numbers: &mut Numbers) -> String {
        let (target, format) = self.image;
        let ending = format!(", {target}, {format}");
        let (resource, ending) = match numbers.below(8) {
            0 | 1 => ("IMAGE[0]", ending.as_str()),
            2 => ("BUFFER[1]", ""),
            3 | 4 if self.stage == "COMP" => ("MEMORY[0]", ""),
            _ => ("BUFFER[0]", ""),
        };
        let choice = numbers.below(8);
        // What is stored at an unknown place leaves nothing known of all that it may reach.
        let is_bold = numbers.once_in(if choice < 3 { 6 } else { 24 });
        let address = match resource {
            _ if is_bold => self.source(numbers, ValueType::Unsigned),
            "IMAGE[0]" => "TEMP[53]".to_owned(),
            // Of all invocations: what one finds there hangs on the others.
            "BUFFER[1]" => format!("IMM[4].{}", numbers.one(&["xxxx", "yyyy", "wwww"])),
            // Four words from the second on are another's, too.
            _ if choice < 3 && !numbers.once_in(8) => "TEMP[52].yyyy".to_owned(),
            _ => format!("TEMP[52].{}", numbers.one(&["yyyy", "zzzz", "wwww"])),
        };
        let value = self.source(numbers, ValueType::Unsigned);
        let access = numbers.one(&["", "", ", COHERENT", ", VOLATILE"]);
        match choice {
            0..3 => {
                let destination = self.destination(numbers);
                format!("LOAD {destination}, {resource}, {address}{access}{ending}")
            }
            3..5 => {
                // Behind the second word of an invocation's own are those of another.
                let masks =
                    if address.ends_with(['z', 'w']) { &MASKS_OF_TWO[..] } else { &MASKS_STORED };
                let mask = numbers.one(masks);
                format!("STORE {resource}{mask}, {address}, {value}{access}{ending}")
            }
            5 => format!("RESQ {}, {resource}{ending}", self.destination(numbers)),
            _ => {
                let operation = numbers.one(&[
                    "UADD", "XCHG", "CAS", "AND", "OR", "XOR", "UMIN", "UMAX", "IMIN", "IMAX",
                ]);
                let last = if operation == "CAS" { ", TEMP[5]" } else { "" };
                let destination = format!("TEMP[{}].x", numbers.below(8));
                format!(
                    "ATOM{operation} {destination}, {resource}, {address}, {value}{last}{ending}"
                )
            }
        }
    }

    /// A statement that the stage alone has. Some may stand in no block.
    pub(super) fn of_stage(&self, numbers: &mut Numbers, outermost: bool) -> Option<String> {
        let choice = numbers.below(4);
        let line = match (self.stage, choice) {
            ("FRAG", 0) => format!("KILL_IF {}", self.source(numbers, ValueType::Float)),
            ("FRAG", 1) => format!("INTERP_CENTROID {}, IN[0]", self.destination(numbers)),
            ("FRAG", 2) => format!("INTERP_OFFSET {}, IN[0], TEMP[2]", self.destination(numbers)),
            ("FRAG", _) => format!("FBFETCH {}, OUT[0]", self.destination(numbers)),
            ("GEOM", 0 | 1) => "EMIT IMM[2].xxxx".to_owned(),
            ("GEOM", _) => "ENDPRIM IMM[2].xxxx".to_owned(),
            ("COMP" | "TESS_CTRL", _) if outermost => "BARRIER".to_owned(),
            (_, 0) => "MEMBAR IMM[2].wwww".to_owned(),
            _ => return None,
        };
        Some(line)
    }
}
