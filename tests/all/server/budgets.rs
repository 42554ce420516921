//! Budgets of a project, which `tungsten check` holds.

use super::folder::{Folder, stderr, stdout};

/// Three vector registers, so ten waves on Tahiti and eight on Polaris, and v27 for no reason.
const KERNEL: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"
kernel:
  v_mov_b32 v27, 1.0
  v_add_f32 v1, v0, v27
  exp mrt0 v1, v1, v1, v1 done vm
  s_endpgm
";

const SHADER: &str = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0..1]\n\
                      0: MUL OUT[0], CONST[0][0], CONST[0][1]\n1: END\n";

fn checked(settings: &str, file: &str, text: &str) -> (Option<i32>, String) {
    let folder = Folder::with("budgets", &[("tungsten.toml", settings), (file, text)]);
    let output = folder.run(&["check", file, "--format", "json"]);
    let lines = stdout(&output);
    let messages = lines.lines().filter(|line| line.contains("project::budget")).map(|line| {
        let found: serde_json::Value = serde_json::from_str(line).expect("an object");
        let word = |key: &str| found[key].as_str().expect("a word").to_owned();
        format!("{}:{} {}: {}", found["line"], found["column"], word("severity"), word("message"))
    });
    (output.status.code(), messages.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_kernel_is_held_to_the_budgets_for_its_own_chip() {
    let held = "[budget]\nwaves = { gfx803 = 8, tahiti = 10 }\nvgprs = { polaris10 = 28 }\n";
    assert_eq!(checked(held, "a.s", KERNEL), (Some(0), String::new()));
    let (status, over) = checked("[budget]\nvgprs = { gfx803 = 24 }\n", "a.s", KERNEL);
    assert_eq!(status, Some(1));
    assert_eq!(
        over,
        "3:3 error: `code` uses 28 VGPRs on gfx803, and the project's budget is at most 24; 2 are \
         needed at once"
    );
    let many = KERNEL.replace("v27", "v40");
    let (status, over) = checked("[budget]\nwaves = { gfx803 = 8 }\n", "a.s", &many);
    assert_eq!(status, Some(1));
    assert!(
        over.contains("has 5 waves on gfx803, and the project's budget is at least 8;"),
        "{over}"
    );
    assert!(over.contains("1 VGPRs fewer give 6 waves"), "{over}");
    let (status, over) = checked("[budget]\nclocks = { gfx803 = 20 }\n", "a.s", KERNEL);
    assert!(status == Some(1) && over.contains("and the project's budget is at most 20"), "{over}");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_shader_is_compiled_for_the_chips_of_its_budgets() {
    let held = "[budget]\nwaves = { polaris10 = 8, tahiti = 10 }\n";
    assert_eq!(checked(held, "a.tgsi", SHADER), (Some(0), String::new()));
    let over = "targets = [\"vega10\"]\n[budget]\nvgprs = { tahiti = 1, polaris10 = 0 }\n";
    let (status, over) = checked(over, "a.tgsi", SHADER);
    let mut lines: Vec<&str> = over.lines().collect();
    lines.sort_by_key(|line| !line.contains("tahiti"));
    assert_eq!((status, lines.len()), (Some(1), 2), "{over}");
    for (line, chip, most) in [(lines[0], "tahiti", 1), (lines[1], "polaris10", 0)] {
        assert!(line.starts_with("1:1 error: `FRAG` uses "), "{line}");
        let budget = format!("VGPRs on {chip}, and the project's budget is at most {most};");
        assert!(line.contains(&budget), "{line}");
    }
}

#[test]
fn without_a_compiler_budgets_of_shaders_are_not_taken_for_held() {
    let settings = "[budget]\nwaves = { polaris10 = 8 }\n";
    let files =
        [("tungsten.toml", settings), ("a.tgsi", SHADER), ("b.tgsi", SHADER), ("c.s", KERNEL)];
    let folder = Folder::with("budgets", &files);
    let run = |files: &[&str]| {
        let mut command = folder.command(&[&["check"], files].concat());
        // No folder of programs, so no toolchain either; a library of the system is found all
        // the same.
        command.env("PATH", "/nowhere").env("HOME", "/nowhere").env_remove("CARGO_HOME");
        command.env_remove("TUNGSTEN_LLVM").output().expect("tungsten starts")
    };
    let output = run(&["a.tgsi", "b.tgsi"]);
    let said = stderr(&output);
    let says = said.matches("without a compiler the budgets of shaders are not checked").count();
    let expected = if said.contains("Install") { (Some(2), 1) } else { (Some(0), 0) };
    assert_eq!((output.status.code(), says), expected, "{said}");
    let output = run(&["c.s"]);
    assert_eq!((output.status.code(), stderr(&output).contains("compiler")), (Some(0), false));
}

#[test]
fn a_budget_that_is_not_understood_is_told() {
    let folder = Folder::with(
        "budgets",
        &[
            ("tungsten.toml", "[budget]\nwaves = { polaris11x = 8, tahiti = -1 }\n"),
            ("a.s", KERNEL),
        ],
    );
    let said = stderr(&folder.run(&["check", "a.s"]));
    assert!(said.contains("unknown target `polaris11x`"), "{said}");
    assert!(said.contains("`tungsten.budget.waves.tahiti` must be a whole number"), "{said}");
}
