//! `tungsten advise`: nothing is offered that was not measured and run.

use serde_json::Value;

use super::folder::{Folder, stderr, stdout};

const KERNEL: &str = include_str!("../../data/advice/spoiled/rows_early_waits.s");
const SHADER: &str = include_str!("../../data/advice/spoiled/load_in_both_arms.tgsi");

fn folder(name: &str) -> Folder {
    // Whoever reads registers that nobody names has no inputs.
    let bare = "// s_nop\n  s_waitcnt vmcnt(0)\n  v_mov_b32_e32 v1, v0\n  v_add_f32_e32 v1, v1, v1\n  \
                global_store_dword v0, v1, s[2:3]\n  s_endpgm\n";
    let files = [
        ("kernel.s", KERNEL),
        ("shader.tgsi", SHADER),
        ("lookups.tgsi", include_str!("../../data/advice/spoiled/wide_lookup_kept.tgsi")),
        ("plain.tgsi", "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n"),
        ("bare.s", bare),
        ("saxpy.s", include_str!("../../../examples/saxpy.s")),
        ("saxpy.inputs.toml", include_str!("../../../examples/saxpy.inputs.toml")),
        ("wrong.s", "  v_nothing v0\n"),
    ];
    Folder::with(name, &files)
}

fn results(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let output = folder.run(&[&["advise", "--format", "json"], arguments].concat());
    let text = stdout(&output);
    assert!(!text.is_empty(), "{}", stderr(&output));
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn without_time_nothing_is_offered() {
    let results = results(&folder("advise_no_time"), &["kernel.s", "--seconds", "0"]);
    let result = &results[0];
    assert_eq!((result["status"].as_str(), result["tried"].as_u64()), (Some("none"), Some(0)));
    assert!(result["text"].is_null() && result["before"].is_null(), "{result}");
    assert_eq!(result["message"], "no time was given: nothing was tried");
}

#[test]
fn a_kernel_is_measured_and_run_before_it_is_offered() {
    let folder = folder("advise_kernel");
    let arguments = ["kernel.s", "--seconds", "60", "--variants", "60"];
    let results = results(&folder, &arguments);
    let result = &results[0];
    assert_eq!(result["status"], "better", "{result}");
    assert_eq!(result["proof"], serde_json::json!({"inputs": 32, "equal": true, "open": 0}));
    assert!(result["after"]["clocks"].as_u64() < result["before"]["clocks"].as_u64(), "{result}");
    assert_eq!(
        (result["target"].as_str(), result["differing"].as_u64()),
        (Some("gfx900"), Some(0))
    );
    // What is offered costs what was told.
    let text = result["text"].as_str().expect("a text");
    let file = Folder::with("advise_kernel_after", &[("after.s", text)]);
    let stats: Value =
        serde_json::from_str(&stdout(&file.run(&["stats", "--json", "after.s"]))).expect("JSON");
    assert_eq!(stats["stats"]["clocks"], result["after"]["clocks"]);
    assert_eq!(stats["stats"]["vgprs"], result["after"]["vgprs"]);
    // The same seed, the same advice.
    let again = folder.run(&[&["advise", "--format", "json"], &arguments[..]].concat());
    let again: Value = serde_json::from_str(stdout(&again).trim()).expect("an object");
    assert_eq!(&again, result);
}

#[test]
fn what_cannot_be_proven_is_not_offered() {
    let folder = folder("advise_unproven");
    let bare = results(&folder, &["bare.s", "--target", "vega10", "--variants", "40"]);
    assert_eq!(bare[0]["status"], "unproven", "{}", bare[0]);
    assert!(bare[0]["text"].is_null() && bare[0]["proof"].is_null());
    assert!(bare[0]["message"].as_str().is_some_and(|it| it.contains("file of inputs")));
    // A file of inputs says what metadata do not.
    let given = ["saxpy.s", "--inputs", "saxpy.inputs.toml", "--variants", "40"];
    let given = results(&folder, &given);
    assert_ne!(given[0]["status"], "unproven", "{}", given[0]);
    let wrong = folder.run(&["advise", "wrong.s", "--target", "vega10"]);
    assert_eq!(wrong.status.code(), Some(1), "{}", stderr(&wrong));
    assert_eq!(stdout(&wrong), "");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_shader_is_compiled_and_run_in_both_engines() {
    let folder = folder("advise_shader");
    let arguments =
        ["shader.tgsi", "--target", "polaris10", "--seconds", "120", "--variants", "24"];
    let result = &results(&folder, &arguments)[0];
    assert_eq!(result["status"], "better", "{result}");
    assert_eq!(
        (result["shader"].as_u64(), result["proof"]["inputs"].as_u64()),
        (Some(1), Some(32))
    );
    let table = folder.run(&[&["advise", "--format", "markdown"], &arguments[..]].concat());
    let table = stdout(&table);
    assert!(table.contains("the same on 32 random inputs in interpreter and emulator"), "{table}");
    assert!(table.contains("1 of 1 better: 0 in waves, 1 by 5 % of clocks or more"), "{table}");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn compilers_and_options_are_rows_with_their_own_proof() {
    let folder = folder("advise_compilers");
    // One library: each proof runs a shader 32 times.
    let found = llvm::library::find(None).into_iter().find(|it| it.problem.is_none());
    let library = found.expect("a libLLVM").path;
    let common = ["--target", "polaris10", "--seconds", "0", "--compilers", "--llvm"];
    let rest = [&common[..], &[library.to_str().expect("a path")]].concat();
    let all = results(&folder, &[&["lookups.tgsi"], &rest[..]].concat());
    let rows: Vec<&Value> = all.iter().filter(|row| row.get("option").is_some()).collect();
    let usual = rows.iter().filter(|row| row["option"].is_null()).count();
    assert!(usual == 1 && rows.len() > 4, "{rows:?}");
    for row in &rows {
        let is_proven = row["inputs"] == 32 || row["inputs"].is_null() && row["same"] == true;
        assert!(is_proven && row["figures"]["clocks"].as_u64() > Some(0), "{row}");
        assert_eq!((&row["shader"], &row["target"]), (&1.into(), &"polaris10".into()), "{row}");
    }
    // Ten waves leave fewer registers than the scheduler takes by itself.
    let is_ten = |row: &&&Value| row["option"] == "amdgpu-waves-per-eu=10,10";
    assert!(rows.iter().filter(is_ten).any(|row| row["same"] == false), "{rows:?}");
    let text = stdout(&folder.run(&[&["advise", "plain.tgsi"], &rest[..]].concat()));
    assert!(text.contains("by compilers and options") && text.contains("as it is"), "{text}");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn one_form_for_several_chips_is_worse_on_none() {
    let folder = folder("advise_together");
    let arguments = ["shader.tgsi", "--target", "polaris10,tahiti,vega10", "--together"];
    let rows =
        results(&folder, &[&arguments[..], &["--seconds", "120", "--variants", "24"]].concat());
    assert_eq!(rows.len(), 3);
    let mut gains = 0;
    for row in &rows {
        assert_eq!((&row["status"], &row["text"]), (&rows[0]["status"], &rows[0]["text"]));
        let [before, after] = ["before", "after"].map(|it| row[it]["clocks"].as_u64());
        assert!(row["status"] == "better" && after <= before, "{row}");
        assert!(row["after"]["waves"].as_u64() >= row["before"]["waves"].as_u64(), "{row}");
        gains += usize::from(after < before);
    }
    assert!(gains > 0, "{rows:?}");
}
