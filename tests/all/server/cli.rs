//! The command line from outside: what scripts and people rely on.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use expect_test::expect;
use serde_json::{Value, json};

use super::folder::Folder;

const GOOD: &str = "\
VERT
DCL IN[0]
DCL OUT[0], POSITION
  0: MOV OUT[0], IN[0]
  1: END
";

fn tungsten(arguments: &[&str]) -> Command {
    let mut command = Command::new(crate::TUNGSTEN);
    // Results of other runs would hide what is compiled.
    command.args(arguments).env("NO_COLOR", "1").env("TUNGSTEN_CACHE", "off").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    tungsten(arguments).output().expect("tungsten starts")
}

/// Runs with a text on standard input.
fn feed(arguments: &[&str], text: &[u8]) -> Output {
    let mut child = tungsten(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tungsten starts");
    child.stdin.take().expect("piped").write_all(text).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn objects(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A file in the folder for this test run.
fn file(name: &str, text: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("writable");
    path
}

#[test]
fn check_is_silent_and_content_with_good_shaders() {
    let path = file("good.tgsi", GOOD.as_bytes());
    let output = run(&["check", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
}

#[test]
fn check_shows_where_the_mistake_is() {
    let output = feed(&["check", "-"], GOOD.replace("MOV", "MOVV").as_bytes());
    assert_eq!(output.status.code(), Some(1));
    expect![[r#"
        error[tgsi::unknown-opcode]: unknown opcode `MOVV`; did you mean `MOV`?
          ┌─ -:4:6
          │
        4 │   0: MOVV OUT[0], IN[0]
          │      ^^^^
          │
          = fix: Replace by `MOV`

    "#]]
    .assert_eq(&stdout(&output));
    assert_eq!(stderr(&output), "1 error, 0 warnings, 0 hints in 1 file\n");
}

#[test]
fn check_tells_scripts_everything() {
    let path = file("wrong-json.tgsi", GOOD.replace("MOV", "MOVV").as_bytes());
    let name = path.to_str().unwrap();
    let output = run(&["check", "--json", name]);
    assert_eq!(output.status.code(), Some(1));
    let diagnostics = objects(&output);
    let error =
        diagnostics.iter().find(|diagnostic| diagnostic["severity"] == "error").expect("an error");
    assert_eq!(error["file"], name);
    assert_eq!(error["language"], "tgsi");
    assert_eq!(error["code"], "tgsi::unknown-opcode");
    assert_eq!(
        (&error["line"], &error["column"], &error["endLine"], &error["endColumn"]),
        (&json!(4), &json!(6), &json!(4), &json!(10))
    );
    assert_eq!(error["shader"], 0);
    assert!(error["related"].is_array() && error["fixes"].is_array());
}

#[test]
fn what_cannot_run_says_so_and_ends_with_two() {
    for arguments in [
        &["check", "/nowhere/at/all.tgsi"][..],
        &["compile", "/nowhere/at/all.tgsi"],
        &["check", "--target", "voodoo2", "-"],
        &["explain", "tgsi::nothing"],
        &["frobnicate"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
        assert!(!stderr(&output).is_empty(), "{arguments:?}");
    }
}

#[test]
fn targets_have_names_and_processors() {
    let text = stdout(&run(&["targets"]));
    for name in ["tahiti", "bonaire", "polaris10", "vega10"] {
        assert!(text.contains(name), "{name}");
    }
    let default = text.lines().find(|line| line.ends_with("(default)")).expect("a default");
    assert!(default.contains("polaris10") && default.contains("gfx803"), "{default}");
}

#[test]
fn the_schema_of_project_files_is_the_one_that_editors_are_given() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/tungsten.schema.json");
    let printed = stdout(&run(&["schema"]));
    assert!(serde_json::from_str::<Value>(&printed).is_ok());
    assert_eq!(printed, std::fs::read_to_string(kept).expect("a schema"));
}

#[test]
fn a_chip_that_a_file_names_is_taken_and_one_that_is_not_known_is_an_error() {
    let text =
        |chip: &str| format!("# tungsten: target={chip}\nFRAG\nDCL OUT[0], COLOR\n  0: END\n");
    let known = file("names_its_chip.tgsi", text("tahiti").as_bytes());
    let said = run(&["check", &known.display().to_string()]);
    assert_eq!(said.status.code(), Some(0), "{}", stdout(&said));
    let unknown = file("names_no_chip.tgsi", text("nonsense").as_bytes());
    let said = run(&["check", "--json", &unknown.display().to_string()]);
    assert_eq!(said.status.code(), Some(1));
    let found = objects(&said);
    assert!(found.iter().any(|it| it["code"] == "file::unknown-target"), "{found:?}");
}

#[test]
fn nothing_is_done_for_another_chip_than_the_one_that_is_named() {
    let text = b".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nk: v_mov_b32 v0, v1\n\ts_endpgm\n";
    let named = file("for_gfx1100.s", text).display().to_string();
    let said = run(&["check", "--json", &named]);
    assert_eq!(said.status.code(), Some(0));
    let found = objects(&said);
    assert_eq!(found.iter().filter(|it| it["severity"] == "warning").count(), 1, "{found:?}");
    assert!(stdout(&said).contains("gfx1100 (RDNA 3) is not supported yet"), "{found:?}");
    let commands: [&[&str]; 4] =
        [&["asm"], &["asm", "--each-line"], &["stats"], &["convert", "--to", "clrx"]];
    for command in commands {
        let said = run(&[command, &[&*named]].concat());
        assert_eq!(said.status.code(), Some(2), "{command:?}");
        assert_eq!(stdout(&said), "", "{command:?}");
        assert!(stderr(&said).contains("gfx1100 (RDNA 3) is not supported yet"), "{command:?}");
    }
    // A name on the command line resembles no chip of another family, and one that is
    // supported wins over what the text says.
    let said = run(&["asm", "--target", "navi31", &named]);
    assert_eq!(said.status.code(), Some(2));
    assert!(!stderr(&said).contains("did you mean"), "{}", stderr(&said));
    assert!(run(&["asm", "--target", "gfx900", &named]).status.success());
}

#[test]
fn disasm_reads_digits_and_says_what_is_no_code() {
    let arguments = ["disasm", "--hex", "--target", "tahiti"];
    let good = feed(&arguments, b"0xff02007e 78563412 [00,00,80,bf]");
    assert!(good.status.success());
    assert_eq!(
        stdout(&good),
        "0\tff02007e78563412\tv_mov_b32_e32 v0, 0x12345678\n8\t000080bf\ts_nop 0\n"
    );
    let listing =
        feed(&["disasm", "--hex", "--target", "tahiti", "--emit", "listing"], b"000080bf feff82bf");
    assert!(stdout(&listing).contains("\ts_branch L_0000 "), "{}", stdout(&listing));
    let bad = feed(&arguments, b"ffffffff");
    assert_eq!(bad.status.code(), Some(1));
    assert_eq!(stdout(&bad), "0\tffffffff\t.long 0xffffffff\n");
    // Bare bytes do not say which chip they are for.
    let unknown = feed(&["disasm", "--hex"], b"000080bf");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("--target"), "{}", stderr(&unknown));
}

#[test]
fn bundles_are_listed_and_one_of_their_entries_is_read() {
    let file = |name: &str| format!("{}/data/gcn/bundle/{name}", env!("CARGO_MANIFEST_DIR"));
    let bundle = file("three_chips_zstd.hipfb");
    let listed = run(&["disasm", "--list", &bundle]);
    assert!(listed.status.success());
    assert_eq!(
        stdout(&listed),
        "1\t0\thost-x86_64-unknown-linux-gnu-\tempty\n\
         2\t2064\thipv4-amdgcn-amd-amdhsa--gfx900\tcode for gfx900\n\
         3\t984\thipv4-amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-\tcode for gfx906\n\
         4\t2128\thipv4-amdgcn-amd-amdhsa--gfx908\tcode for gfx908\n"
    );
    let first = |arguments: &[&str]| {
        let said = run(&[arguments, &[&bundle]].concat());
        assert!(said.status.success(), "{}", stderr(&said));
        stdout(&said).lines().next().unwrap_or_default().to_owned()
    };
    assert!(first(&["disasm"]).ends_with("gfx900"));
    assert!(first(&["disasm", "--target", "vega20"]).contains("gfx906:sramecc+"));
    assert!(first(&["disasm", "--entry", "4"]).starts_with("// entry 4 of 4"));
    assert!(first(&["stats", "--target", "gfx908"]).contains("gfx908"));
    let other = run(&["stats", "--target", "tahiti", &bundle]);
    assert_eq!(other.status.code(), Some(2));
    assert!(
        stderr(&other).contains("no entry is for tahiti; the file has 1 host"),
        "{}",
        stderr(&other)
    );
    // A program of any name, and one without code for GPUs.
    let program = std::fs::read(file("host_program.o")).unwrap();
    let said = feed(&["disasm", "--target", "gfx704"], &program);
    assert!(stdout(&said).starts_with("// entry 3 of 7: "), "{}", stderr(&said));
    let checked = feed(&["check", "-"], &program);
    assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
    let without: Vec<u8> =
        program.iter().map(|byte| if *byte == b'h' { b'x' } else { *byte }).collect();
    let said = feed(&["check", "-"], &without);
    assert_eq!(said.status.code(), Some(2));
    assert!(stderr(&said).contains("without a section `.hip_fatbin`"), "{}", stderr(&said));
}

#[test]
fn explain_knows_diagnostics_opcodes_and_words() {
    let explained = |name: &str| stdout(&run(&["explain", name]));
    for (name, parts) in [
        ("mad", &["MAD dst: float", "src2", "since 2007-11-23"][..]),
        ("tgsi::unknown-opcode", &["near"]),
        ("gcn::constant-bus", &["constant"]),
        ("dumps", &["AMD_DEBUG", "GALLIUM_TRACE"]),
        ("viewport_index", &["PIPE_CAP_MAX_VIEWPORTS"]),
        ("PIPE_FORMAT_R8G8_UNORM", &["16 bits per texel"]),
        // Both of that name.
        ("color", &["semantic", "interpolation"]),
        ("v_add_f32", &["v_add_f32"]),
        ("MIMG", &["| op | bits 24:18 |", "`image_sample_c_d_cl_o`", "CLRX's document"]),
        ("v_mfma_f32_32x32x8f16", &["K = 8", "lanes 32–63", "1,024 FLOPs"]),
        ("layout:v_mfma_f32_32x32x8f16", &["32 × 8 of f16", "lane 63: 0–1"]),
        ("vaddr", &["bits 39:32"]),
        // TGSI's format and GCN's modifier.
        ("unorm", &["Coordinates count texels", "bit 12"]),
    ] {
        let text = explained(name);
        for part in parts {
            assert!(text.contains(part), "{name}: no {part} in {text}");
        }
    }
    let tahiti = stdout(&run(&["explain", "image_atomic_swap", "--target", "tahiti"]));
    assert!(tahiti.contains("MIMG 15") && !tahiti.contains("MIMG 16"), "{tahiti}");
    let wrong = run(&["explain", "MADD_"]);
    assert!(stderr(&wrong).contains("MADD"), "{}", stderr(&wrong));
}

#[test]
fn the_whole_reference_has_every_row_and_contents_that_lead_somewhere() {
    let text = stdout(&run(&["explain", "--all"]));
    assert!(text.starts_with("# Tungsten reference\n"));
    let headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let contents = text.split("\n## ").nth(1).expect("contents");
    let links: Vec<&str> =
        contents.lines().filter_map(|line| line.strip_prefix("- [")?.split("](#").next()).collect();
    assert_eq!(headings[0], "Contents");
    assert_eq!(headings[1..], links);
    let has = |line: &str| assert!(text.contains(&format!("\n{line}")), "no {line}");
    for part in tgsi::describe::reference() {
        has(&format!("## {}\n\n{}", part.title, part.body));
    }
    for code in engine::codes() {
        has(&format!("### `{code}`\n"));
    }
    for info in gcn::mnemonics::all() {
        has(&format!("| `{}` |", info.name));
    }
    for target in gcn::Target::all() {
        assert!(text.contains(target.name()), "{}", target.name());
    }
}

/// Each row of the table begins with the command; flags stand between backticks, those of
/// another command behind its name.
#[test]
fn the_readme_names_commands_and_flags_that_exist() {
    let readme = include_str!("../../../README.md");
    let mut flags = 0;
    for row in readme.lines().filter(|line| line.starts_with("| `tungsten ")) {
        let rows_own = row.split(['`', ' ']).nth(3).unwrap_or_default();
        for span in row.split('`').skip(1).step_by(2) {
            let words: Vec<&str> = span.split_whitespace().collect();
            let command = match words[..] {
                ["tungsten", named, ..] | [named, "--stdout"] => named,
                _ => rows_own,
            };
            let help = run(&[command, "--help"]);
            assert!(help.status.success(), "there is no command `{command}`: {row}");
            for flag in words.iter().filter(|word| word.starts_with("--")) {
                assert!(stdout(&help).contains(flag), "`tungsten {command}` has no `{flag}`");
                flags += 1;
            }
        }
    }
    assert!(flags > 30, "{flags}");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn compile_shows_source_and_machine_code_together() {
    let path = file("compiled.tgsi", GOOD.as_bytes());
    let output = run(&["compile", path.to_str().unwrap(), "--target", "polaris10"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "VERT → polaris10",
        " waves (maximum)  ",
        "VGPR",
        "bytes",
        "LLVM",
        "0: MOV OUT[0], IN[0]",
        "s_endpgm",
        "bf810000",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn compile_tells_scripts_everything() {
    let output = feed(&["compile", "-", "--json", "--target", "tahiti,vega10"], GOOD.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let results = objects(&output);
    assert_eq!(results.len(), 2);
    for (result, target) in results.iter().zip(["tahiti", "vega10"]) {
        assert_eq!(result["file"], "-");
        assert_eq!(result["shader"], 0);
        assert_eq!(result["stage"], "VERT");
        assert_eq!(result["target"], target);
        assert_eq!(result["status"], "ok");
        assert_eq!(result["message"], Value::Null);
        assert!(result["llvm"].is_string());
        let code = result["code"].as_array().unwrap();
        assert_eq!(result["stats"]["instructions"], code.len());
        let last = code.last().unwrap();
        assert_eq!((&last["text"], &last["hex"]), (&json!("s_endpgm"), &json!("000081bf")));
        let bytes: usize = code.iter().map(|it| it["hex"].as_str().unwrap().len() / 2).sum();
        assert_eq!(result["stats"]["bytes"], bytes);
        let clocks = |name: &str| result["stats"][name].as_u64().expect("clocks");
        assert!(clocks("clocks") >= clocks("inverseThroughput") && clocks("clocks") > 0);
        assert!(code.iter().any(|instruction| instruction["line"] == 4), "{code:?}");
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn compile_sets_targets_side_by_side() {
    let targets = ["compile", "-", "--side-by-side", "--target", "tahiti,vega10"];
    let output = feed(&targets, GOOD.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "; VERT for tahiti, vega10");
    assert!(lines[1].ends_with("tahiti         vega10"), "{text}");
    assert!(lines.contains(&"; 4: MOV OUT[0], IN[0]"), "{text}");
    let both = |line: &&&str| line.matches("exp pos0").count() == 2 && line.contains(" | ");
    assert_eq!(lines.iter().filter(both).count(), 1, "{text}");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn compile_tells_what_has_changed_since_a_baseline() {
    let json = feed(&["compile", "-", "--json"], GOOD.as_bytes());
    let kept = file("baseline.json", &json.stdout);
    let kept = kept.to_str().unwrap();
    let same = feed(&["compile", "-", "--baseline", kept], GOOD.as_bytes());
    assert_eq!(same.status.code(), Some(0), "{}", stderr(&same));
    let changed = |line: &str| line.starts_with(['-', '+', '@']);
    assert!(!stdout(&same).lines().any(changed), "{}", stdout(&same));
    let edited = GOOD.replace("MOV OUT[0], IN[0]", "ADD OUT[0], IN[0], IN[0]");
    let output = feed(&["compile", "-", "--baseline", kept], edited.as_bytes());
    let text = stdout(&output);
    let heading = "@@ 4: ADD OUT[0], IN[0], IN[0] (was MOV OUT[0], IN[0]) @@";
    assert!(text.lines().any(|line| line == heading), "{text}");
    assert!(text.lines().any(|line| line.starts_with("+ v_add_f32")), "{text}");
    let clocks = text.lines().find(|line| line.starts_with("; clocks ")).unwrap();
    assert_eq!(clocks.split_whitespace().count(), 5, "before, now, difference: {clocks}");

    let other = feed(&["compile", "-", "--baseline", kept, "--target", "vega10"], GOOD.as_bytes());
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("no shader 0 for vega10"), "{}", stderr(&other));
    let wrong = file("no-baseline.json", b"{}");
    let wrong = feed(&["compile", "-", "--baseline", wrong.to_str().unwrap()], GOOD.as_bytes());
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        stderr(&wrong).contains("is not an output of `compile --format json`"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn compile_of_a_mistake_names_the_line() {
    let wrong = GOOD.replace("MOV", "MOVV");
    let output = feed(&["compile", "-", "--json"], wrong.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let results = objects(&output);
    assert_eq!(results[0]["code"], json!([]));
    assert_eq!(results[0]["stats"], Value::Null);
    assert_eq!(results[0]["status"], "invalid");
    let output = feed(&["compile", "-"], wrong.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("unknown-opcode"), "{}", stderr(&output));
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn compile_of_a_shader_that_names_no_known_chip_is_no_success() {
    let text = format!("# tungsten: target=nothing\n{GOOD}");
    let output = feed(&["compile", "-"], text.as_bytes());
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(1), ""));
    assert!(stderr(&output).contains("shader 0 names no known chip"), "{}", stderr(&output));
}

#[test]
fn a_missing_library_is_an_answer_of_its_own() {
    // Nothing in the folders that are searched: no system, no toolchain.
    let mut command = tungsten(&["compile", "-", "--json", "--llvm", "/nowhere/libLLVM.so"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tungsten starts");
    child.stdin.take().expect("piped").write_all(GOOD.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let results = objects(&output);
    match results[0]["status"].as_str() {
        Some("ok") => assert_ne!(results[0]["llvm"], Value::Null, "another one was found"),
        Some("no-llvm") => {
            assert_eq!(output.status.code(), Some(1));
            assert!(stderr(&output).contains("Install"), "{}", stderr(&output));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn each_kind_of_output_can_be_had_alone() {
    let emit = |kind: &str| {
        let output = feed(&["compile", "-", "--emit", kind], GOOD.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{kind}: {}", stderr(&output));
        stdout(&output)
    };
    assert!(emit("ir").contains("define "));
    assert!(emit("asm").lines().any(|line| line.trim() == "s_endpgm"));
    let hex = emit("hex");
    assert_eq!(hex.lines().last(), Some("000081bf"));
    assert!(hex.lines().all(|line| line.bytes().all(|byte| byte.is_ascii_hexdigit())));
    assert!(emit("stats").contains("waves"));
    assert!(serde_json::from_str::<Value>(emit("json").trim()).is_ok());
}

#[test]
fn nonsense_gives_diagnostics_and_no_crash() {
    let line = "MOV ".repeat(1 << 18);
    let nul = "VERT\n\0\0\0MOV OUT[0], IN[0]\n\0";
    let nested = format!("FRAG\n{}", "IF TEMP[0]\n".repeat(20_000));
    let lines = format!("FRAG\n{}", "x\n".repeat(100_000));
    let noise: Vec<u8> =
        (0..200_000u32).map(|it| (it.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for text in [line.as_bytes(), nul.as_bytes(), nested.as_bytes(), lines.as_bytes(), &noise, b""]
    {
        for command in [&["check", "-"][..], &["check", "--json", "-"]] {
            let output = feed(command, text);
            let status = output.status.code();
            assert!(matches!(status, Some(0 | 1)), "{status:?}: {}", stderr(&output));
            assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
            assert!(output.stdout.len() < 4 << 20, "{} bytes of diagnostics", output.stdout.len());
        }
    }
}

const KERNEL: &str = "\
.include \"parts.inc\"
main:
  clear v1
  s_cbranch_scc0 done
.ifdef wide
  s_nop 1
.endif
  .p2align 4
done:
  s_endpgm
";

/// A folder with a kernel and what it includes.
struct Kernel(Folder);

impl Kernel {
    fn new(name: &str) -> Kernel {
        let macros = ".macro clear r\n  v_mov_b32 \\r, 0\n  v_mov_b32 \\r, \\r\n.endm\n";
        Kernel(Folder::with(name, &[("kernel_gfx803.s", KERNEL), ("parts/parts.inc", macros)]))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

#[test]
fn programs_are_assembled_with_macros_includes_and_labels() {
    let folder = Kernel::new("asm");
    let (kernel, parts) = (folder.path("kernel_gfx803.s"), folder.path("parts"));
    let output = run(&["asm", &kernel, "-I", &parts, "--emit", "hex"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // A guess is called one.
    assert!(stderr(&output).contains("target gfx803, from the file name"), "{}", stderr(&output));
    assert!(stderr(&output).contains("dialect llvm"), "{}", stderr(&output));
    expect![[r#"
        3	8002027e0103027e
        4	010084bf
        8	000080bf
        10	000081bf
    "#]]
    .assert_eq(&stdout(&output));
    let words = [
        "asm",
        &kernel,
        "-I",
        &parts,
        "--emit",
        "listing",
        "--defsym",
        "wide=1",
        "--target=vega10",
    ];
    let output = run(&words);
    assert!(!stderr(&output).contains("target"), "{}", stderr(&output));
    expect![[r#"
        .text
        main:
             0  8002027e            v_mov_b32 v1, 0
             4  0103027e            v_mov_b32 v1, v1
             8  010084bf            s_cbranch_scc0 done
             c  010080bf            s_nop 1
        done:
            10  000081bf            s_endpgm
    "#]]
    .assert_eq(&stdout(&output));
    let output = run(&["asm", &kernel, "-I", &parts, "--emit", "bin"]);
    assert_eq!(output.stdout.len(), 20);
    assert!(output.stdout.ends_with(&[0, 0, 0x81, 0xbf]));
}

#[test]
fn what_is_wrong_with_a_program_is_drawn() {
    let folder = Kernel::new("asm-wrong");
    // Without its folder the included file is missing: a warning, and the macro a hint.
    let output = run(&["asm", &folder.path("kernel_gfx803.s"), "--emit", "hex"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("warning[gcn::include]"), "{}", stderr(&output));
    assert!(stderr(&output).contains("help[gcn::unknown-mnemonic]"), "{}", stderr(&output));
    let wrong = b"s_nop 0\nv_add_f32_e32 v0, v1, s2\n";
    let output = feed(&["asm", "-", "--target", "fiji", "--emit", "bin"], wrong);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let said = stderr(&output);
    assert!(
        said.contains("error[gcn::operand]") && said.contains("Write `v_add_f32_e64`"),
        "{said}"
    );
}

#[test]
fn lines_are_judged_one_by_one() {
    let lines =
        b"s_nop 0 // wait\n\nv_nop\nds_read_b96 v[0:2], v1\nv_mov_b32 s0, 1\nv_ad_f32 v0, v1, v2\n";
    let output = feed(&["asm", "-", "--target", "gfx600", "--each-line"], lines);
    assert_eq!(output.status.code(), Some(1));
    expect![[r#"
        1	ok	000080bf
        3	ok	0000007e
        4	err	1	`ds_read_b96` needs gfx700 or later; the target is gfx600
        5	err	11	`v_mov_b32` takes one vector register here
        6	err	1	no instruction is called `v_ad_f32`; did you mean `v_add_f32`?
    "#]]
    .assert_eq(&stdout(&output));
}

const LOOP: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"
kernel:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
loop:
  global_load_dword v2, v1, s[4:5]
  v_rcp_f32 v4, v1
  s_waitcnt vmcnt(0)
  v_add_f32 v3, v2, v4
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 loop
  global_store_dword v1, v3, s[4:5]
  s_endpgm
";

#[test]
fn stats_tell_scripts_what_a_kernel_costs() {
    let found = objects(&feed(&["stats", "-", "--json", "--live"], LOOP.as_bytes()));
    let [report] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((&report["target"], &report["model"]), (&json!("gfx900"), &json!("measured")));
    let stats = &report["stats"];
    assert_eq!((&stats["vgprs"], &stats["waves"]), (&json!(5), &json!(10)));
    let code = report["code"].as_array().expect("instructions");
    assert_eq!(code.len(), 12);
    // The wait names the load and what of it is hidden: a slow reciprocal.
    let wait = &code[5];
    assert_eq!((&wait["line"], &wait["cause"]), (&json!(9), &json!(7)));
    assert_eq!((&wait["wait"]["latency"], &wait["wait"]["waves"]), (&json!(290), &json!(6)));
    assert_eq!((&wait["stall"], &wait["wait"]["hidden"]), (&json!(276), &json!(14)));
    let live = ["s4", "s5", "s6", "exec_lo", "exec_hi", "v1", "v2", "v4"];
    assert_eq!(wait["liveIn"], json!(live));
    assert_eq!(report["loops"][0]["line"], 7);
}

#[test]
fn stats_follow_the_model_that_is_asked_for() {
    let clocks = |model: &[&str]| {
        let arguments = [&["stats", "-", "--json"], model].concat();
        let found = objects(&feed(&arguments, LOOP.as_bytes()));
        found[0]["code"][9]["issue"].as_u64().expect("clocks of the branch")
    };
    // It closes the loop, so it is taken.
    assert_eq!(clocks(&["--model", "measured"]), 16);
    assert_eq!(clocks(&["--model", "aco", "--profile", "mesa22"]), 8);
    assert_eq!(clocks(&["--model", "aco", "--profile", "mesa25"]), 4);
}

#[test]
fn stats_can_be_read_as_text_and_as_values() {
    let text = stdout(&feed(&["stats", "-", "--target", "vega10,vega20"], LOOP.as_bytes()));
    assert!(text.contains("waits 276 clocks for global_load_dword at line 7"), "{text}");
    assert!(text.contains("loop at line 7"), "{text}");
    assert!(text.contains("VGPR ▂▂▂▃▅▅▅▃▃▃▃▁") && text.contains("vega20"), "{text}");
    let values = stdout(&feed(&["stats", "-", "--csv"], LOOP.as_bytes()));
    let mut lines = values.lines();
    let columns = lines.next().expect("a head").split(',').count();
    assert!(
        lines
            .all(|line| line.split("\"").step_by(2).collect::<String>().split(',').count()
                == columns)
    );
    let barrier = b"s_barrier\ns_endpgm\n";
    let waves = |more: &[&str]| stdout(&feed(&[&["stats", "-"], more].concat(), barrier));
    assert!(waves(&[]).contains("taken to have 2 waves"));
    assert!(!waves(&["--workgroup", "256"]).contains("taken to have"));
    let nothing = feed(&["stats", "-"], b"# nothing\n");
    assert_eq!((nothing.status.code(), stdout(&nothing).as_str()), (Some(2), ""));
}
