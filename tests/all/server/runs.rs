//! `tungsten run` from outside: what a shader computes, by both engines.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(crate::TUNGSTEN);
    command.arg("run").args(arguments).env("NO_COLOR", "1").env("TUNGSTEN_CACHE", "off");
    command.stdin(Stdio::null()).output().expect("tungsten starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file in the folder for this test run.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("runs").join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
    std::fs::write(&path, text).expect("writable");
    path.to_str().expect("UTF-8").to_owned()
}

const CHIPS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

#[test]
fn a_shader_shows_what_its_lines_write_and_what_it_leaves() {
    let shader = file(
        "sums.tgsi",
        "VERT\nDCL IN[0]\nDCL OUT[0].xy, POSITION\nDCL TEMP[0]\n\n  0: ADD OUT[0].x, IN[0], IN[0]\n\
         \x20 1: MOV OUT[0].y, IN[0]\n  2: F2I TEMP[0].x, IN[0].xxxx\n  3: END\n",
    );
    let inputs = file("sums.toml", "[in]\n0 = [[1.0, 2.0], [2.0], [-3.0], [0.5]]\n");
    let output = run(&[&shader, "--trace", "--inputs", &inputs]);
    let text = stdout(&output);
    let lines: Vec<Vec<&str>> = text.lines().map(|it| it.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "6 0: ADD OUT[0].x, IN[0], IN[0]");
    assert_eq!(lines[1], [".x", "2.0", "4.0", "-6.0", "1.0"]);
    assert_eq!(lines[4].join(" "), "8 2: F2I TEMP[0].x, IN[0].xxxx");
    assert_eq!(lines[5], [".x", "1", "2", "-3", "0"]);
    assert_eq!(lines[6].join(" "), "lane 0 lane 1 lane 2 lane 3");
    assert_eq!(lines[7].join(" "), "OUT[0], POSITION");
    assert_eq!(lines[8][..5], [".x", "2.0", "(0x40000000)", "4.0", "(0x40800000)"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_cannot_run_is_said_at_its_line() {
    let branch = file("branch.tgsi", "FRAG\nDCL TEMP[0]\n  0: BRA TEMP[0].x\n  1: END\n");
    let refused = run(&[&branch]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("branch.tgsi:3: unsupported: BRA"), "{}", stderr(&refused));
    let good = file("good.tgsi", "VERT\nDCL OUT[0], POSITION\n  0: END\n");
    let inputs = file("wrong.toml", "[in]\n\n0 = [1.0, true]\n");
    let wrong = run(&[&good, "--inputs", &inputs]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("wrong.toml:3: a number is expected"), "{}", stderr(&wrong));
    let engine = run(&[&good, "--engine", "polaris99"]);
    assert_eq!(engine.status.code(), Some(2));
    assert!(stderr(&engine).contains("polaris99"), "{}", stderr(&engine));
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn the_machine_code_of_the_example_does_what_the_shader_says() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/lit_texture");
    let (shader, inputs) = (format!("{examples}.tgsi"), format!("{examples}.inputs.toml"));
    for chip in CHIPS {
        let output = run(&[&shader, "--inputs", &inputs, "--engine", chip]);
        let text = stdout(&output);
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(last, format!("{chip}: the machine code gives the same 16 values"));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

/// A recorded run of one vertex shader, whose first output is `x`.
fn record(x: &str) -> String {
    let zero = "[\"00000000\",\"00000000\",\"00000000\",\"00000000\"]";
    let one = "[\"3f800000\",\"40000000\",\"00000000\",\"bf800000\"]";
    format!(
        "{{\"file\":\"twice.tgsi\",\"set\":3,\"stage\":\"VERT\",\"inputs\":{{\"in\":{{\"0\":\
         [{one},{one},{zero},{zero}]}}}},\"outputs\":{{\"out\":{{\"0\":{{\"x\":\
         [\"{x}\",\"40000000\",\"00000000\",\"00000000\"]}}}}}}}}\n"
    )
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn recorded_runs_are_judged_by_either_engine() {
    let program =
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: ADD OUT[0], IN[0], IN[0]\n  1: END\n";
    let program = PathBuf::from(file("twice.tgsi", program));
    let folder = program.parent().and_then(|it| it.to_str()).expect("a folder");
    let right = file("right.jsonl", &record("40000000"));
    let wrong = file("wrong.jsonl", &record("40400000"));
    let repeat = |records: &str, engine: &str| {
        let output = run(&["--records", records, "--programs", folder, "--engine", engine]);
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let (code, text, counts) = repeat(&right, "tgsi");
    assert_eq!((code, text.as_str()), (Some(0), "twice.tgsi\t3\tsame\t\n"));
    assert_eq!(counts, "tungsten: 1 same, 0 differ, 0 skipped\n");
    let (code, text, _) = repeat(&wrong, "tgsi");
    assert_eq!(code, Some(1));
    assert!(text.starts_with("twice.tgsi\t3\tdiffers\tOUT[0].x"), "{text}");
    // Machine code is judged by the interpreter, not by what is recorded.
    for chip in CHIPS {
        let (code, text, _) = repeat(&wrong, chip);
        assert_eq!((code, text.as_str()), (Some(0), "twice.tgsi\t3\tsame\t\n"), "{chip}");
    }
}

/// Other programs write four components of each format. What the format does not store says
/// nothing; what it stores does.
#[test]
fn components_of_an_image_that_its_format_lacks_are_not_judged() {
    let program = "COMP\nDCL IMAGE[0], BUFFER, PIPE_FORMAT_R8_UINT, WR\n\
        IMM[0] UINT32 {0, 7, 0, 0}\n\
        STORE IMAGE[0].x, IMM[0].xxxx, IMM[0].yxxx, BUFFER, PIPE_FORMAT_R8_UINT\nEND\n";
    let program = PathBuf::from(file("narrow/store.tgsi", program));
    let folder = program.parent().and_then(|it| it.to_str()).expect("a folder");
    let record = |left: &str| {
        let image =
            r#"{"w":1,"h":1,"d":1,"texels":[["00000001","00000002","00000003","00000004"]]}"#;
        let inputs = format!(r#"{{"img":{{"0":{image}}},"grid":[1,1,1]}}"#);
        let outputs = format!(r#"{{"img":{{"0":[["{left}","00000000","00000000","00000000"]]}}}}"#);
        let head = r#""file":"store.tgsi","set":0,"stage":"COMP""#;
        format!("{{{head},\"inputs\":{inputs},\"outputs\":{outputs}}}\n")
    };
    for (left, verdict) in [("00000007", "same\t"), ("00000008", "differs\tIMAGE[0] texel 0")] {
        let records = file(&format!("narrow/{left}.jsonl"), &record(left));
        for engine in ["tgsi", "debugger"] {
            let output = run(&["--records", &records, "--programs", folder, "--engine", engine]);
            let text = stdout(&output);
            assert!(text.starts_with(&format!("store.tgsi\t0\t{verdict}")), "{engine}: {text}");
        }
    }
}

#[test]
fn inputs_are_those_that_the_file_or_its_project_names() {
    let shader = |head: &str| {
        format!("{head}VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n")
    };
    let one = file("named/one.toml", "[in]\n0 = [1.5]\n");
    file("named/two.toml", "[in]\n0 = [2.5]\n");
    // The second shader's line is its own.
    let head = "# tungsten: run=two.toml lane=1\n";
    let lined = file("named/lined.tgsi", &format!("{}{}", shader(head), shader("")));
    let lost = file("named/lost.tgsi", &shader("# tungsten: run=nowhere.toml\n"));
    let x = |arguments: &[&str]| {
        let output = run(arguments);
        let text = stdout(&output);
        let row = text.lines().find(|line| line.trim_start().starts_with(".x"));
        let value = row.and_then(|row| row.split_whitespace().nth(1)).unwrap_or_default();
        (value.to_owned(), stderr(&output))
    };
    let said = |path: &str| {
        let folder = PathBuf::from(&one).parent().expect("a folder").to_owned();
        format!("run on {}\n", folder.join(path).display())
    };
    let (value, words) = x(&[&lined]);
    assert_eq!(value, "2.5");
    assert!(words.ends_with(&said("two.toml")), "{words}");
    assert_eq!(x(&[&lined, "--shader", "2"]), ("0".to_owned(), String::new()));
    assert_eq!(x(&[&lined, "--inputs", &one]), ("1.5".to_owned(), String::new()));
    let output = run(&[&lost]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no file `nowhere.toml`"), "{}", stderr(&output));
    // A project says it for files without a line.
    file("named/project/tungsten.toml", "[run]\ninputs = \"three.toml\"\n");
    file("named/project/three.toml", "[in]\n0 = [3.5]\n");
    file("named/project/two.toml", "[in]\n0 = [4.5]\n");
    let plain = file("named/project/plain.tgsi", &shader(""));
    let lined = file("named/project/lined.tgsi", &shader(head));
    let (value, words) = x(&[&plain]);
    assert_eq!(value, "3.5");
    assert!(words.ends_with(&said("project/three.toml")), "{words}");
    assert_eq!(x(&[&lined]).0, "4.5");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn the_colours_that_pixels_have_are_given_to_both_engines() {
    let shader = file(
        "over.tgsi",
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
         \x20 0: FBFETCH TEMP[0], OUT[0]\n  1: MAD OUT[0], TEMP[0], IN[0].wwww, IN[0]\n  2: END\n",
    );
    let inputs = file(
        "over.toml",
        "[in]\n0 = [0.5, 0.25, 0.125, 2.0]\n[framebuffer]\n\
         0 = [[1.0, 2.0, 3.0, 4.0], [5.0], [0.0, 6.0], [7.0, 8.0, 9.0]]\n",
    );
    for chip in CHIPS {
        let output = run(&[&shader, "--inputs", &inputs, "--engine", chip]);
        let text = stdout(&output);
        let row = text.lines().find(|line| line.trim_start().starts_with(".x"));
        let row: Vec<&str> = row.unwrap_or_default().split_whitespace().collect();
        let lanes = [row[1], row[3], row[5], row[7]];
        assert_eq!(lanes, ["2.5", "10.5", "0.5", "14.5"], "{text}");
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(last, format!("{chip}: the machine code gives the same 16 values"));
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn doubles_close_below_a_whole_number_are_rounded_down_on_every_generation() {
    let shader = file(
        "floor.tgsi",
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\n\
         IMM[0] FLT64 {-1.0, 1.0}\nIMM[1] FLT32 {1.0, 0.0, 0.0, 0.0}\n\
         \x20 0: F2D TEMP[0].xy, IN[0].xxxx\n  1: DFLR TEMP[1].xy, TEMP[0]\n\
         \x20 2: DSEQ TEMP[1].x, TEMP[1], IMM[0]\n  3: AND OUT[0].x, TEMP[1], IMM[1]\n\
         \x20 4: DFRAC TEMP[2].xy, TEMP[0]\n  5: DSEQ TEMP[2].x, TEMP[2], IMM[0].zwzw\n\
         \x20 6: AND OUT[0].y, TEMP[2].xxxx, IMM[1].xxxx\n  7: END\n",
    );
    let inputs = file("floor.toml", "[in]\n0 = [-1e-30]\n");
    for chip in CHIPS {
        let output = run(&[&shader, "--inputs", &inputs, "--engine", chip]);
        let text = stdout(&output);
        assert!(output.status.success(), "{chip}: {text}{}", stderr(&output));
        for component in [".x", ".y"] {
            let row = text.lines().find(|line| line.trim_start().starts_with(component));
            let row: Vec<&str> = row.unwrap_or_default().split_whitespace().collect();
            assert_eq!(row.get(2), Some(&"(0x3f800000)"), "{chip}: {text}");
        }
    }
}

#[test]
fn a_kernel_leaves_what_it_is_to_leave() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/saxpy");
    let (kernel, inputs) = (format!("{examples}.s"), format!("{examples}.inputs.toml"));
    let output = run(&[&kernel, "--inputs", &inputs, "--trace"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(text.lines().last(), Some("as expected: 4 words"));
    assert!(text.contains("buf[1] word 65: 130.0 (0x43020000), was 0\n"), "{text}");
    let place = text.find("v_mac_f32_e32 v3, s8, v2\n").expect("it is executed");
    let written = text[place..].lines().nth(1).expect("a value");
    let words: Vec<&str> = written.split_whitespace().collect();
    assert_eq!(words[..3], ["v3", "130.0", "(0x43020000),"]);
    let given = std::fs::read_to_string(&inputs).expect("inputs");
    let other = file("other.toml", &given.replace("4.0, 6.0]\n", "4.0, 7.0]\n"));
    let differs = run(&[&kernel, "--inputs", &other]);
    assert_eq!(differs.status.code(), Some(1));
    let last = "buf.1 word 3: 6.0 (0x40c00000), expected 7.0 (0x40e00000)";
    assert_eq!(stdout(&differs).lines().last(), Some(last));
    let short = file("short.toml", &given.replace("words = 66", "words = 65"));
    let stopped = run(&[&kernel, "--inputs", &short]);
    assert_eq!(stopped.status.code(), Some(1));
    let reason = "saxpy.s:20: no memory at 0x1100000104 (group 1, wave 0";
    assert!(stderr(&stopped).contains(reason), "{}", stderr(&stopped));
}

#[test]
fn a_kernel_filters_and_writes_images() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/halve");
    let (kernel, inputs) = (format!("{examples}.s"), format!("{examples}.inputs.toml"));
    let output = run(&[&kernel, "--inputs", &inputs]);
    assert_eq!(stdout(&output).lines().last(), Some("as expected: 4 words"), "{}", stderr(&output));
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n.text\nk:\n\
                image_store v[1:4], v[5:6], s[4:11] dmask:0xf unorm\ns_endpgm\n";
    let kernel = file("store.s", text);
    let given = "group = [1]\n[img.0]\nsize = [2, 2]\n[sgpr]\n4 = \"descriptor.img.0\"\n[vgpr]\n\
                 1 = 0.5\n4 = 1.0\n5 = 1\n[expect.img]\n0 = [[0.0, 0.0, 0.0, 0.0], [0.5, 0.0]]\n";
    let output = run(&[&kernel, "--inputs", &file("store.toml", given)]);
    let lines = ["img[0] (1, 0, 0): [0.5, 0, 0, 1.0], was [0, 0, 0, 0]", "as expected: 6 words"];
    assert_eq!(stdout(&output).lines().collect::<Vec<_>>(), lines, "{}", stderr(&output));
    let tiled = given.replace("[vgpr]", "7 = 0x90d00fac\n[vgpr]");
    let output = run(&[&kernel, "--inputs", &file("tiled.toml", &tiled)]);
    let reason = "an image in tiles (mode 13), whose place in memory is not known";
    assert!(stderr(&output).contains(reason), "{}", stderr(&output));
}

#[test]
fn a_shader_leaves_what_it_is_to_leave() {
    let shader = file(
        "half.tgsi",
        "VERT\nDCL OUT[0], POSITION\nIMM[0] FLT32 {0.5, 0, 0, 0}\nMOV OUT[0], IMM[0].xxxx\nEND\n",
    );
    let good = file("good.toml", "[expect.out]\n0 = [0.5, 0.5]\n");
    let output = run(&[&shader, "--inputs", &good]);
    assert_eq!(stdout(&output).lines().last(), Some("as expected: 8 words"));
    let bad = file("bad.toml", "[expect.out]\n0 = [[0.5], [0.5], [0.25], [0.5]]\n");
    let output = run(&[&shader, "--inputs", &bad]);
    assert_eq!(output.status.code(), Some(1));
    let last = "out.0 word 0 of lane 2: 0.5 (0x3f000000), expected 0.25 (0x3e800000)";
    assert_eq!(stdout(&output).lines().last(), Some(last));
}
