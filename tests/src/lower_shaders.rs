//! Shaders made from the opcode table: every lowered opcode in every form
//! that lowering treats in a way of its own.

mod stages;

use tgsi::Opcode;
use tgsi::opcodes::ValueType;
use tgsi::words::TextureTarget;

/// A shader and what it is about.
pub struct Made {
    /// Names it in messages.
    pub name: String,
    /// Its TGSI text.
    pub text: String,
}

/// Tells whether the first source of a shader's first instruction is not a float.
/// Interpolation would leave nothing of small integers.
fn takes_integers(body: &str) -> bool {
    let opcode = body.split(' ').next().and_then(Opcode::find);
    let first = opcode.and_then(|opcode| opcode.row().source_types.first().copied());
    !matches!(first, None | Some(ValueType::Float | ValueType::Untyped))
}

/// The words before a shader's instructions.
fn declarations(stage: &str, body: &str) -> String {
    let inputs = match stage {
        "FRAG" if takes_integers(body) => {
            "DCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], CONSTANT\n"
        }
        "FRAG" => "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], COLOR, LINEAR\n",
        "COMP" => return computing_declarations(),
        _ => "DCL IN[0]\nDCL IN[1]\n",
    };
    let output = if stage == "FRAG" { "COLOR" } else { "POSITION" };
    format!(
        "{stage}\n{inputs}DCL OUT[0], {output}\nDCL SAMP[0..1]\nDCL CONST[0..7]\nDCL ADDR[0]\n\
         DCL TEMP[0..7]\nIMM[0] UINT32 {{0, 1, 2, 3}}\n\
         MOV TEMP[0], IN[0]\nMOV TEMP[1], IN[1]\nMOV TEMP[4], CONST[0]\nMOV TEMP[5], CONST[1]\n"
    )
}

/// As [`declarations`], of a stage that has neither inputs nor outputs.
fn computing_declarations() -> String {
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n\
     DCL SAMP[0..1]\nDCL CONST[0..7]\nDCL ADDR[0]\nDCL TEMP[0..7]\nDCL BUFFER[7]\n\
     IMM[0] UINT32 {0, 1, 2, 3}\n\
     MOV TEMP[0], SV[0]\nMOV TEMP[1], SV[1]\nMOV TEMP[4], CONST[0]\nMOV TEMP[5], CONST[1]\n"
        .to_owned()
}

fn shader(stage: &str, name: String, extra: &str, body: &str) -> Made {
    let result = match stage {
        "COMP" => "STORE BUFFER[7], TEMP[0], TEMP[2]",
        _ => "MOV OUT[0], TEMP[2]",
    };
    with_result(stage, name, extra, &format!("{body}\n{result}"))
}

/// A computation in groups: each thread has words of two buffers, and leaves its own.
fn grouped(name: String, body: &str) -> Made {
    let body = format!(
        "SHL TEMP[6].x, SV[0].xxxx, IMM[0].wwww\nSHL TEMP[6].x, TEMP[6].xxxx, IMM[0].yyyy\n\
         LOAD TEMP[0], BUFFER[0], TEMP[6].xxxx\nLOAD TEMP[1], BUFFER[1], TEMP[6].xxxx\n\
         {body}\nSTORE BUFFER[7], TEMP[6].xxxx, TEMP[2]"
    );
    with_result("COMP", name, "DCL BUFFER[0..1]\n", &body)
}

fn with_result(stage: &str, name: String, extra: &str, body: &str) -> Made {
    let before = declarations(stage, body);
    let (header, rest) = before.split_once('\n').unwrap_or((&before, ""));
    Made { name, text: format!("{header}\n{extra}{rest}{body}\nEND\n") }
}

fn uses_sampler(mnemonic: &str) -> bool {
    Opcode::find(mnemonic).is_some_and(|opcode| opcode.row().texture)
}

/// Opcodes that only compute, from registers to registers, in both stages.
fn computing(made: &mut Vec<Made>) {
    // Beside those that steer.
    const ELSEWHERE: &[&str] = &[
        "LOAD",
        "STORE",
        "RESQ",
        "INTERP_CENTROID",
        "INTERP_SAMPLE",
        "INTERP_OFFSET",
        "FBFETCH",
        "EMIT",
        "ENDPRIM",
    ];
    // Their destinations name what is waited for, and are not written.
    const FENCES: &[&str] = &["LFENCE", "MFENCE", "SFENCE"];
    for opcode in Opcode::all().filter(|opcode| lower::supported(*opcode)) {
        let mnemonic = opcode.mnemonic();
        let row = opcode.row();
        if tgsi::validate::steers(opcode)
            || ELSEWHERE.contains(&mnemonic)
            || uses_sampler(mnemonic)
            || mnemonic.starts_with("ATOM")
            || view_sources(mnemonic).is_some()
        {
            continue;
        }
        let destinations = ["TEMP[2]", "TEMP[3].x"].into_iter().take(row.destinations);
        let sources = ["TEMP[0]", "TEMP[1].yxwz", "-TEMP[4]", "TEMP[5].wwzz"];
        let operands: Vec<&str> =
            destinations.chain(sources.into_iter().take(row.sources)).collect();
        let mut body = format!("{mnemonic} {}", operands.join(", "));
        if row.destinations == 0 || FENCES.contains(&mnemonic) {
            // What stands before it is still there behind it.
            body.push_str("\nMOV TEMP[2], TEMP[0]");
        }
        let stages: &[&str] = match row.stages {
            stages if stages.contains("FRAG") => &["FRAG"],
            stages if stages.contains("COMP") => &["COMP"],
            _ => &["FRAG", "VERT", "COMP"],
        };
        for stage in stages {
            let name = format!("{stage} {mnemonic}");
            made.push(match *stage {
                "COMP" => grouped(name, &body),
                stage => shader(stage, name, "", &body),
            });
        }
    }
}

/// Texture opcodes on every target, with and without an offset.
fn sampling(made: &mut Vec<Made>) {
    for opcode in Opcode::all().filter(|opcode| lower::supported(*opcode)) {
        let mnemonic = opcode.mnemonic();
        if !uses_sampler(mnemonic) {
            continue;
        }
        let sources: Vec<&str> = match (mnemonic, opcode.row().sources) {
            ("TG4", _) => vec!["TEMP[0]", "IMM[0].yyyy", "SAMP[0]"],
            (_, 1) => vec!["SAMP[0]"],
            (_, 2) => vec!["TEMP[0]", "SAMP[0]"],
            (_, 3) => vec!["TEMP[0]", "TEMP[1]", "SAMP[0]"],
            _ => vec!["TEMP[0]", "TEMP[1]", "TEMP[4]", "SAMP[0]"],
        };
        let sources = sources.join(", ");
        for target in TextureTarget::ALL {
            for offset in ["", ", IMM[0].xyz"] {
                for stage in ["FRAG", "VERT"] {
                    let body = format!("{mnemonic} TEMP[2], {sources}, {target}{offset}");
                    made.push(shader(stage, format!("{stage} {body}"), "", &body));
                }
            }
        }
    }
}

/// The sources of an opcode that names a view apart from the sampler.
fn view_sources(mnemonic: &str) -> Option<&'static str> {
    Some(match mnemonic {
        "SAMPLE" | "SAMPLE_LZ" | "GATHER4" | "LOD" => "TEMP[0], SVIEW[0], SAMP[1]",
        "SAMPLE_B" | "SAMPLE_L" | "SAMPLE_C" | "SAMPLE_C_LZ" => {
            "TEMP[0], SVIEW[0].yxwz, SAMP[1], TEMP[1]"
        }
        "SAMPLE_D" => "TEMP[0], SVIEW[0], SAMP[1], TEMP[1], TEMP[4]",
        "SAMPLE_I" | "SVIEWINFO" | "RESINFO" | "LOAD_MS" => "TEMP[0], SVIEW[0]",
        "SAMPLE_I_MS" => "TEMP[0], SVIEW[0], TEMP[1].xxxx",
        "SAMPLE_POS" | "SAMPLE_INFO" => "SVIEW[0], TEMP[1]",
        _ => return None,
    })
}

/// Opcodes that name a view apart from the sampler, on every target.
fn viewing(made: &mut Vec<Made>) {
    for opcode in Opcode::all().filter(|opcode| lower::supported(*opcode)) {
        let mnemonic = opcode.mnemonic();
        let Some(sources) = view_sources(mnemonic) else { continue };
        for target in TextureTarget::ALL {
            for stage in ["FRAG", "VERT"] {
                let extra = format!("DCL SVIEW[0], {target}, UINT\n");
                let body = format!("{mnemonic} TEMP[2], {sources}");
                made.push(shader(stage, format!("{stage} {body} {target}"), &extra, &body));
            }
        }
    }
}

/// Forms of texture and image opcodes that only some targets have.
fn textures_in_other_ways(made: &mut Vec<Made>) {
    let four_offsets = "IMM[0].xyz, IMM[0].yyz, IMM[0].zyx, IMM[0].zzz";
    for target in ["2D", "RECT", "2D_ARRAY", "CUBE", "CUBEARRAY"] {
        for returned in ["FLOAT", "UINT", "SINT"] {
            let extra = format!("DCL SVIEW[0], {target}, {returned}\n");
            // A texel has the components 0 to 3 (GLSL 4.60, section 8.9.4).
            let computed = "MOV TEMP[3].x, TEMP[1]\nAND TEMP[3].x, TEMP[3], IMM[0].wwww\n";
            for (before, component, offsets) in [
                ("", "IMM[0].yyyy", String::new()),
                (computed, "TEMP[3].xxxx", String::new()),
                ("", "IMM[0].xxxx", format!(", {four_offsets}")),
            ] {
                let body = format!("TG4 TEMP[2], TEMP[0], {component}, SAMP[0], {target}{offsets}");
                let name = format!("{returned} {body}");
                made.push(shader("FRAG", name, &extra, &format!("{before}{body}")));
            }
        }
    }
    for body in [
        "TEX TEMP[2], TEMP[0], TEMP[1], 2D",
        "TXF TEMP[2], TEMP[0], CONST[1], BUFFER",
        "TXF TEMP[2], TEMP[0], CONST[1].zwzw, 2D_MSAA",
        "TXQ TEMP[2], TEMP[0].xxxx, TEMP[1], CUBE",
        "LOAD TEMP[2], TEMP[0], TEMP[1], 2D, PIPE_FORMAT_R32_UINT",
        "LOAD TEMP[2], TEMP[0].zwzw, TEMP[1], BUFFER, PIPE_FORMAT_R32_UINT",
        "STORE TEMP[1], TEMP[0], TEMP[4], 2D, PIPE_FORMAT_R32_UINT",
        "ATOMUADD TEMP[2].x, CONST[1], TEMP[0], TEMP[1], 2D, PIPE_FORMAT_R32_UINT",
        "RESQ TEMP[2], TEMP[0], 2D, PIPE_FORMAT_R32_UINT",
    ] {
        for stage in ["FRAG", "COMP"] {
            made.push(shader(stage, format!("{stage} bindless {body}"), "", body));
        }
    }
    let extra = "DCL CONSTBUF[1]\nDCL CONSTBUF[2]\n";
    for body in [
        "LOAD TEMP[2], CONSTBUF[1], IMM[0].xxxx",
        "LOAD TEMP[2], CONSTBUF[2].wzyx, TEMP[0]",
        "ARL ADDR[0].x, TEMP[0]\nLOAD TEMP[2], CONSTBUF[ADDR[0].x], TEMP[0]",
    ] {
        made.push(shader("FRAG", format!("FRAG {body}"), extra, body));
    }
}

/// Buffer and image opcodes on every kind of resource.
fn memory(made: &mut Vec<Made>) {
    let mut resources = vec![("BUFFER[0]".to_owned(), "DCL BUFFER[0]\n".to_owned(), String::new())];
    for target in TextureTarget::ALL {
        let declaration = format!("DCL IMAGE[0], {target}, PIPE_FORMAT_R32_UINT, WR\n");
        let ending = format!(", {target}, PIPE_FORMAT_R32_UINT");
        resources.push(("IMAGE[0]".to_owned(), declaration, ending));
    }
    resources.push(("MEMORY[0]".into(), "DCL MEMORY[0], SHARED\n".into(), String::new()));
    resources.push(("HWATOMIC[0][1]".into(), "DCL HWATOMIC[0][1]\n".into(), String::new()));
    for (resource, declaration, ending) in resources {
        let mut bodies = vec![
            format!("LOAD TEMP[2], {resource}, TEMP[0], COHERENT{ending}"),
            format!("STORE {resource}, TEMP[0], TEMP[1]{ending}\nMOV TEMP[2], TEMP[0]"),
            format!("STORE {resource}.xzw, TEMP[0], TEMP[1]{ending}\nMOV TEMP[2], TEMP[0]"),
            format!("STORE {resource}.xyz, TEMP[0], TEMP[1]{ending}\nMOV TEMP[2], TEMP[0]"),
        ];
        if !resource.starts_with("MEMORY") && !resource.starts_with("HWATOMIC") {
            bodies.push(format!("RESQ TEMP[2], {resource}{ending}"));
        }
        for opcode in Opcode::all().filter(|opcode| lower::supported(*opcode)) {
            let mnemonic = opcode.mnemonic();
            if let Some(operation) = mnemonic.strip_prefix("ATOM") {
                let last = if operation == "CAS" { ", TEMP[5]" } else { "" };
                // The language allows no target after these.
                let plain = operation.ends_with("_WRAP") || operation == "FADD";
                let ending = if plain { "" } else { &ending };
                bodies.push(format!(
                    "{mnemonic} TEMP[2].x, {resource}, TEMP[0], TEMP[1]{last}{ending}"
                ));
            }
        }
        let stage = if resource.starts_with("MEMORY") { "COMP" } else { "FRAG" };
        for body in bodies {
            // Those without a target differ in that of the declaration.
            let name = match body.contains(&ending) {
                true => format!("{stage} {body}"),
                false => format!("{stage} {body}{ending}"),
            };
            made.push(shader(stage, name, &declaration, &body));
        }
    }
}

/// Inputs, outputs and system values in each of their ways.
fn interfaces(made: &mut Vec<Made>) {
    for name in [
        "VERTEXID",
        "VERTEXID_NOBASE",
        "INSTANCEID",
        "BASEVERTEX",
        "BASEINSTANCE",
        "DRAWID",
        "SUBGROUP_SIZE",
        "SUBGROUP_INVOCATION",
        "SUBGROUP_EQ_MASK",
        "SUBGROUP_GE_MASK",
        "SUBGROUP_GT_MASK",
        "SUBGROUP_LE_MASK",
        "SUBGROUP_LT_MASK",
    ] {
        let extra = format!("DCL SV[0], {name}\n");
        made.push(shader("VERT", format!("VERT {name}"), &extra, "MOV TEMP[2], SV[0]"));
    }
    for name in [
        "FACE",
        "POSITION",
        "SAMPLEID",
        "SAMPLEPOS",
        "SAMPLEMASK",
        "HELPER_INVOCATION",
        "LAYER",
        "SUBGROUP_LT_MASK",
    ] {
        let extra = format!("DCL SV[0], {name}\n");
        made.push(shader("FRAG", format!("FRAG {name}"), &extra, "MOV TEMP[2], SV[0]"));
    }
    for name in ["GRID_SIZE", "BLOCK_SIZE", "WORK_DIM", "CS_USER_DATA_AMD", "SUBGROUP_LT_MASK"] {
        let extra = format!("DCL SV[2], {name}\n");
        made.push(shader("COMP", format!("COMP {name}"), &extra, "MOV TEMP[2], SV[2]"));
    }
    for mode in ["CONSTANT", "LINEAR", "PERSPECTIVE", "COLOR"] {
        for location in ["CENTER", "CENTROID", "SAMPLE"] {
            let extra = format!("DCL IN[2], GENERIC[5], {mode}, {location}\n");
            for body in [
                "MOV TEMP[2], IN[2]",
                "INTERP_CENTROID TEMP[2], IN[2]",
                "INTERP_SAMPLE TEMP[2], IN[2], IMM[0].yyyy",
                "INTERP_OFFSET TEMP[2], IN[2], TEMP[0]",
            ] {
                made.push(shader("FRAG", format!("{mode} {location} {body}"), &extra, body));
            }
        }
    }
    for name in ["POSITION", "FACE", "FOG", "PRIM_ID", "TEXCOORD[0]", "PCOORD", "CLIPDIST[1]"] {
        let extra = format!("DCL IN[2], {name}, LINEAR\n");
        made.push(shader("FRAG", format!("FRAG input {name}"), &extra, "MOV TEMP[2], IN[2]"));
    }
    let outputs = [
        ("FRAG", "DCL OUT[1], POSITION\n", "MOV OUT[1].z, TEMP[0]"),
        ("FRAG", "DCL OUT[1], STENCIL\n", "MOV OUT[1].y, TEMP[0]"),
        ("FRAG", "DCL OUT[1], SAMPLEMASK\n", "MOV OUT[1].x, TEMP[0]"),
        ("FRAG", "DCL OUT[1], COLOR[1]\n", "MOV OUT[1], TEMP[0]"),
        ("VERT", "DCL OUT[1].x, PSIZE\n", "MOV OUT[1].x, TEMP[0]"),
        ("VERT", "DCL OUT[1], EDGEFLAG\n", "MOV OUT[1].x, TEMP[0]"),
        ("VERT", "DCL OUT[1], LAYER\n", "MOV OUT[1].x, TEMP[0]"),
        ("VERT", "DCL OUT[1], VIEWPORT_INDEX\n", "MOV OUT[1].x, TEMP[0]"),
        ("VERT", "DCL OUT[1], CLIPDIST[0]\n", "MOV OUT[1], TEMP[0]"),
        ("VERT", "DCL OUT[1], CLIPVERTEX\n", "MOV OUT[1], TEMP[0]"),
        ("VERT", "DCL OUT[1..2], GENERIC[3]\n", "MOV OUT[2], TEMP[0]"),
    ];
    for (stage, extra, body) in outputs {
        let name = format!("{stage} output {}", extra.trim_end());
        made.push(shader(stage, name, extra, &format!("{body}\nMOV TEMP[2], TEMP[1]")));
    }
    made.push(shader("FRAG", "FBFETCH".into(), "", "FBFETCH TEMP[2], OUT[0]"));
}

/// Control flow, indexing and killing.
fn structures(made: &mut Vec<Made>) {
    let bodies = [
        (
            "branch",
            "IF TEMP[0].xxxx :0\nMOV TEMP[2], TEMP[1]\nELSE :0\nMOV TEMP[2], TEMP[0]\nENDIF",
        ),
        (
            "loop",
            "AND TEMP[2], TEMP[0], IMM[0].wwww\nBGNLOOP\nUADD TEMP[2].x, TEMP[2], IMM[0].yyyy\nUSGE TEMP[3].x, TEMP[2], IMM[0].wwww\n\
             UIF TEMP[3].xxxx\nBRK\nENDIF\nCONT\nENDLOOP",
        ),
        (
            "switch",
            "SWITCH TEMP[0].xxxx\nCASE IMM[0].xxxx\nMOV TEMP[2], TEMP[0]\nCASE IMM[0].yyyy\n\
             MOV TEMP[2], TEMP[1]\nBRK\nDEFAULT\nMOV TEMP[2], TEMP[4]\nBRK\nENDSWITCH",
        ),
        ("return", "IF TEMP[0].xxxx\nRET\nENDIF\nMOV TEMP[2], TEMP[0]"),
        (
            "indexing",
            "ARL ADDR[0].x, TEMP[0]\nMOV TEMP[2], TEMP[ADDR[0].x+1]\n\
             MOV TEMP[ADDR[0].x], CONST[ADDR[0].x+2]\nMOV TEMP[3], IMM[ADDR[0].x]\n\
             ADD TEMP[2], TEMP[3], IN[ADDR[0].x]",
        ),
        (
            "modifiers",
            "ADD_SAT TEMP[2], -|TEMP[0]|, TEMP[1]\nDADD_SAT TEMP[3], -|TEMP[0]|, TEMP[1]\n\
             UADD TEMP[4], -|TEMP[0]|, TEMP[1]\nU64ADD TEMP[5], -|TEMP[0]|, TEMP[1]\n\
             ADD TEMP[2], TEMP[2], TEMP[3]\nADD TEMP[2], TEMP[2], TEMP[4]\n\
             ADD TEMP[2], TEMP[2], TEMP[5]",
        ),
        ("endless loop", "BGNLOOP\nMOV TEMP[2], TEMP[0]\nENDLOOP"),
        (
            "historic loops",
            "MOV TEMP[2], TEMP[0]\nMOV TEMP[3], TEMP[1]\n\
             REP TEMP[0].xxxx\nADD TEMP[2], TEMP[2], TEMP[1]\nBREAKC TEMP[2].yyyy\nCONT\nENDREP\n\
             BGNFOR LOOP[0], TEMP[4]\nADD TEMP[2].x, TEMP[2], LOOP[0].xxxx\nENDFOR LOOP[0]\n\
             LOOP\nADD TEMP[3], TEMP[3], TEMP[1]\nIFC TEMP[3].xxxx\nBREAK\nENDIF\nENDLOOP2",
        ),
        (
            "historic operands",
            "MOV_SATNV TEMP[2]_2X.xy, 1-(TEMP[0])\n\
             ADD TEMP[3]_D4, 2*((TEMP[0].xxyy)-0.5), -(|TEMP[1]|)\n\
             MUL TEMP[2], (TEMP[3])-.5, -(TEMP[1].yyyy)\nMOV TEMP[2].zw, |2*(TEMP[2])|\n\
             MOV TEMP[2], TEMP[2].x-y01\nMOV TEMP[2].y (NE.x), TEMP[0]\n\
             (!PRED[0].x) MOV TEMP[2], TEMP[1]\nSLT PRED[0], TEMP[0], TEMP[1]\n\
             (PRED[0]) MUL TEMP[2], TEMP[1], TEMP[2]\nPUSHA TEMP[1]\nPOPA TEMP[3]\n\
             ADD TEMP[2], TEMP[2], TEMP[3]",
        ),
    ];
    for (name, body) in bodies {
        for stage in ["FRAG", "VERT"] {
            let predicate = if body.contains("PRED") { "DCL PRED[0]\n" } else { "" };
            made.push(shader(stage, format!("{stage} {name}"), predicate, body));
        }
    }
    let some = "SLT TEMP[6].x, TEMP[0].xxxx, TEMP[1].xxxx\nIF TEMP[6].xxxx\nKILL\nENDIF";
    for killing in ["KILL_IF TEMP[0]", some] {
        for after in ["", "\nTEX TEMP[2], TEMP[0], SAMP[0], 2D", "\nDDX TEMP[2], TEMP[0]"] {
            let body = format!("{killing}{after}");
            made.push(shader("FRAG", format!("FRAG {body}"), "", &body));
        }
    }
    let property = "PROPERTY MUL_ZERO_WINS 1\n";
    made.push(shader("FRAG", "FRAG zero wins".into(), property, "MUL TEMP[2], TEMP[0], TEMP[1]"));
    let declaration = "DCL CONST[1][0..3]\n";
    let body = "ARL ADDR[0].x, TEMP[0]\nMOV TEMP[2], CONST[1][ADDR[0].x]\n\
                ADD TEMP[2], TEMP[2], CONST[ADDR[0].x][2]";
    made.push(shader("FRAG", "FRAG constant buffers".into(), declaration, body));
    let call = "CAL :7\nMOV OUT[0], TEMP[0]\nEND\nBGNSUB\nMOV TEMP[0], TEMP[1]\nRET\nENDSUB";
    let old = format!("{}{}\n", declarations("FRAG", ""), call.replacen("CAL", "CALL", 1));
    made.push(Made { name: "FRAG historic call".into(), text: old });
    made.push(Made {
        name: "FRAG call".into(),
        text: format!("{}{call}\n", declarations("FRAG", "")),
    });
}

/// All of them, in a fixed order.
pub fn all() -> Vec<Made> {
    let mut made = Vec::new();
    computing(&mut made);
    sampling(&mut made);
    viewing(&mut made);
    textures_in_other_ways(&mut made);
    memory(&mut made);
    interfaces(&mut made);
    structures(&mut made);
    stages::stages(&mut made);
    made
}
