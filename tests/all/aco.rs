//! Mesa's ACO as a judge: what it makes of our SPIR-V is executed in our emulator.

use std::process::Command;

/// Chips, one of each generation.
const CHIPS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

/// Runs the program in the project's folder; answers with its status and all that it says.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(crate::TUNGSTEN);
    command.current_dir(crate::architecture::root()).arg("run").args(arguments);
    let output = command.envs(variables.iter().copied()).output().expect("a run");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text + &String::from_utf8_lossy(&output.stderr))
}

#[test]
#[cfg_attr(no_radv, ignore = "no RADV of Mesa 22.3 on this machine")]
fn code_of_every_stage_runs_on_every_generation() {
    // Textures and derivatives; lanes of a wave that see each other; numbers of vertices; groups, shared memory, counters; an image.
    let files = [
        "examples/lit_texture.tgsi",
        "tests/data/tgsi/frag/texel_grid.tgsi",
        "tests/data/tgsi/frag/subgroup_votes.tgsi",
        "tests/data/tgsi/vert/instanced_grid.tgsi",
        "tests/data/tgsi/comp/prefix_sum.tgsi",
        "tests/data/tgsi/comp/raw_image.tgsi",
        "tests/data/tgsi/comp/sizes.tgsi",
    ];
    for chip in CHIPS {
        let engine = format!("aco:{chip}");
        let (status, text) =
            run(&[&files[..], &["--seed", "4", "--engine", &engine]].concat(), &[]);
        assert_eq!(status, Some(0), "{text}");
        let same = format!("{engine}: ACO's code gives the same ");
        assert_eq!(text.matches(&same).count(), files.len(), "{text}");
    }
}

/// Primitives, patches and points: their stages run behind another in one program on vega10.
#[test]
#[cfg_attr(no_radv, ignore = "no RADV of Mesa 22.3 on this machine")]
fn code_of_stages_between_runs_on_every_generation() {
    let files = ["geom", "tess_ctrl", "tess_eval"].map(|stage| {
        let folder = crate::architecture::root().join("tests/data/tgsi").join(stage);
        let mut files = Vec::new();
        crate::architecture::sources(&folder, "tgsi", &mut files);
        files.sort();
        files.into_iter().map(|file| file.display().to_string()).collect::<Vec<_>>()
    });
    let all: Vec<&str> = files.iter().flatten().map(String::as_str).collect();
    for chip in CHIPS {
        let engine = format!("aco:{chip}");
        let (_, text) = run(&[&all[..], &["--seed", "4", "--engine", &engine]].concat(), &[]);
        assert!(!text.contains("differ"), "{text}");
        let same = format!("{engine}: ACO's code gives the same ");
        assert!(text.matches(&same).count() * 5 > all.len() * 4, "{text}");
    }
}

#[test]
#[cfg_attr(no_radv, ignore = "no RADV of Mesa 22.3 on this machine")]
fn arrays_in_scratch_memory_run() {
    let folder = std::env::temp_dir().join(format!("tungsten-aco-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("scratch.tgsi");
    let body = "DCL TEMP[0..299], ARRAY(1), LOCAL\nDCL TEMP[300..301], LOCAL\nDCL ADDR[0]\n\
                IMM[0] UINT32 {255, 3, 5, 16}\nIMM[1] FLT32 {1.5, 2.0, 3.0, 4.0}\n";
    let vertex = format!(
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n{body}AND TEMP[300].xy, IN[0].xyyy, IMM[0].xxxx\n\
         UARL ADDR[0].xy, TEMP[300].xyyy\nMOV TEMP[5], IMM[1]\nMOV TEMP[ADDR[0].y](1), IMM[1]\n\
         MOV TEMP[ADDR[0].x](1), IN[0]\nADD OUT[0], TEMP[ADDR[0].x](1), TEMP[ADDR[0].y](1)\nEND\n"
    );
    // Two waves, each with its own part of it.
    let grid = format!(
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 100\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
         PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\n{body}\
         UARL ADDR[0].x, SV[0].xxxx\nMOV TEMP[7], IMM[1]\nUADD TEMP[300].x, SV[0].xxxx, IMM[0].yyyy\n\
         MOV TEMP[ADDR[0].x](1), TEMP[300].xxxx\nUMUL TEMP[301].x, SV[0].xxxx, IMM[0].wwww\n\
         STORE BUFFER[0], TEMP[301].xxxx, TEMP[ADDR[0].x](1)\nEND\n"
    );
    for (text, values) in [(vertex, 16), (grid, 400)] {
        std::fs::write(&file, text).expect("a file");
        let file = file.display().to_string();
        for chip in CHIPS {
            let engine = format!("aco:{chip}");
            let (status, text) = run(&[&file, "--seed", "4", "--engine", &engine], &[]);
            assert_eq!(status, Some(0), "{text}");
            let end = format!("{engine}: ACO's code gives the same {values} values\n");
            assert!(text.ends_with(&end), "{text}");
        }
    }
    std::fs::remove_dir_all(&folder).expect("a folder");
}

#[test]
#[cfg_attr(no_radv, ignore = "no RADV of Mesa 22.3 on this machine")]
fn a_reason_is_no_verdict() {
    let refused = |file: &str, chip: &str, reason: &str| {
        let (status, text) = run(&[file, "--seed", "4", "--engine", chip], &[]);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains(reason), "{text}");
    };
    let pixels = "tests/data/tgsi/frag/interpolated_anywhere.tgsi";
    refused(pixels, "aco:vega10", "aco:vega10: not compared: ");
    refused("examples/lit_texture.tgsi", "aco:abacus", "abacus");
}

#[test]
fn what_is_not_a_driver_is_told() {
    let arguments = ["examples/lit_texture.tgsi", "--seed", "4", "--engine", "aco:polaris10"];
    let file = crate::architecture::root().join("Cargo.toml").display().to_string();
    let (status, text) = run(&arguments, &[("TUNGSTEN_RADV", &file)]);
    assert_eq!(status, Some(2), "{text}");
    assert!(
        text.contains("aco:polaris10: not compared: RADV does not compile for polaris10"),
        "{text}"
    );
}

/// Mesa 22.3 states no lines; what computes a line's values is of the line.
#[test]
#[cfg_attr(no_radv, ignore = "no RADV of Mesa 22.3 on this machine")]
fn code_of_a_driver_without_lines_is_joined_by_values() {
    let folder = std::env::temp_dir().join(format!("tungsten-values-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("lines.tgsi");
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL CONST[0][0..1]\nDCL TEMP[0]\n\
                IMM[0] FLT32 {0.3, 1.7, 5.9, 0.0}\nMUL TEMP[0].x, IN[0].xxxx, CONST[0][1].yyyy\n\
                ADD TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\nMIN TEMP[0].y, TEMP[0].yyyy, IMM[0].yyyy\n\
                DP2 TEMP[0].z, TEMP[0].xyyy, IN[0].zwww\nSQRT TEMP[0].x, TEMP[0].zzzz\n\
                MOV OUT[0], TEMP[0].xyzx\nEND\n";
    std::fs::write(&file, text).expect("written");
    let path = file.display().to_string();
    let expected = [
        ("v_mul_f32", 7),
        ("v_add_f32", 8),
        ("v_min_f32", 9),
        ("v_mac_f32", 10),
        ("v_sqrt_f32", 11),
        ("exp pos0", 12),
    ];
    for chip in CHIPS {
        let arguments = ["compile", "--json", "--compiler", "aco", "--target", chip, &path];
        let mut command = Command::new(crate::TUNGSTEN);
        let output = command.args(arguments).output().expect("a compile");
        let answer: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("one shader as JSON");
        assert_eq!(answer["join"], "values", "{chip}");
        let code = answer["code"].as_array().expect("code");
        for (name, line) in expected {
            let of = |it: &&serde_json::Value| {
                it["text"].as_str().is_some_and(|it| it.starts_with(name))
            };
            let found: Vec<_> = code.iter().filter(of).map(|it| &it["line"]).collect();
            assert!(found.iter().any(|it| **it == line), "{chip}: {name} is of {found:?}");
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}
