//! `tungsten why`: what holds registers and what waits wait for, as people and scripts read it.

use expect_test::expect;
use serde_json::{Value, json};

use super::folder::{Folder, stderr, stdout};

/// From line 8 on seven vector registers are needed: the address in v0, then v2, the loads'
/// results v[4:7] and v1, and the factor in v9, which line 3 makes and only line 14 reads.
const KERNEL: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"
kernel:
  v_mov_b32 v9, 0x42280000
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  buffer_load_dwordx4 v[4:7], v0, s[4:7], 0 offen
  buffer_load_dword v1, v0, s[4:7], 0 offen offset:64
  v_mul_u32_u24 v2, 3, v0
  s_waitcnt vmcnt(0)
  v_add_f32 v4, v4, v5
  v_add_f32 v4, v4, v6
  v_add_f32 v4, v4, v7
  v_mul_f32 v1, v1, v9
  v_add_f32 v1, v1, v4
  buffer_store_dword v1, v2, s[4:7], 0 offen
  s_endpgm
";

fn folder() -> Folder {
    Folder::with("why", &[("kernel.s", KERNEL), ("empty.s", "# nothing\n")])
}

fn objects(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let output = folder.run(&[&["why", "--format", "json"], arguments].concat());
    let lines = stdout(&output);
    lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn a_line_has_its_values_and_its_wait() {
    let output = folder().run(&["why", "kernel.s:9"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    expect![[r#"
        code → gfx900  gfx900; number 0 of kernel.s
          10 waves, as many as the chip holds; 14 more VGPRs or 72 more SGPRs cost no wave

        7 VGPRs live at line 9 (`v_mul_u32_u24 v2, 3, v0`): nowhere more, 10 used, 12 allocated
          v9       1  from line 3 (`v_mov_b32 v9, 0x42280000`), read last at line 14
                      made at line 14 only, where it is read: 1 fewer here, the peak falls to 6, 10 waves fit
          v[4:7]   4  from line 7 (`buffer_load_dwordx4 v[4:7], v0, s[4:7], 0 offen`), read last at line 13
                      loaded at line 11 only, where it is read, with its wait: 3 fewer here, the peak stays, elsewhere as many are needed
          v1       1  from line 8 (`buffer_load_dword v1, v0, s[4:7], 0 offen offset:64`), read last at line 14
          v2       1  from line 9 (`v_mul_u32_u24 v2, 3, v0`), read last at line 16

        4 SGPRs live at line 9 (`v_mul_u32_u24 v2, 3, v0`): nowhere more, 8 used, 16 allocated
          s[4:7]   4  from line 4 (`s_load_dwordx4 s[4:7], s[0:1], 0x0`), read last at line 16

        Each change is made alone and the live ranges are computed again, without scheduling or allocating.


    "#]].assert_eq(&stdout(&output));
    let wait = stdout(&folder().run(&["why", "kernel.s", "--at", "10"]));
    let (_, wait) = wait.split_once("allocating.\n").expect("a part about waits");
    expect![[r#"

        line 10 (`s_waitcnt vmcnt(0)`) waits 288 clocks
          after line 4 (`s_load_dwordx4 s[4:7], s[0:1], 0x0`): 30 clocks, 28 waited
          for line 8 (`buffer_load_dword v1, v0, s[4:7], 0 offen offset:64`): 290 clocks, 288 waited
          1 instruction between hides 2 clocks; 5 waves would hide the rest
          it waits for these, too:
            line 7 (`buffer_load_dwordx4 v[4:7], v0, s[4:7], 0 offen`)

        Clocks are those of a wave that is alone on its SIMD; what could move is judged by registers and the order of memory.

    "#]].assert_eq(wait);
}

/// A kernel with local data share and scratch memory, whose descriptor is on lines 13 to 18.
const MEMORY: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"
kernel:
  v_lshlrev_b32 v1, 2, v0
  ds_write2st64_b32 v1, v0, v2 offset1:2
  ds_read_b64 v[2:3], v1 offset:8
  s_waitcnt lgkmcnt(0)
  v_add_f32 v2, v2, v3
  buffer_store_dword v2, off, s[0:3], 0 offset:4
  buffer_load_dword v3, off, s[0:3], 0 offset:4
  s_waitcnt vmcnt(0)
  buffer_store_dword v3, v1, s[8:11], 0 offen
  s_endpgm
.rodata
.amdhsa_kernel kernel
  .amdhsa_group_segment_fixed_size 16384
  .amdhsa_private_segment_fixed_size 8
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
";

#[test]
fn memory_has_its_declarations_its_lines_and_its_cost() {
    let folder = Folder::with("why_memory", &[("kernel.s", MEMORY)]);
    let text = stdout(&folder.run(&["why", "kernel.s"]));
    let (_, memory) = text.split_once("allocating.\n\n").expect("a part about memory");
    let (memory, _) = memory.split_once("line 10").expect("a part about waits");
    expect![[r#"
        16384 bytes of LDS for a workgroup: room for 1 wave, for 10 without it
          3584 bytes fewer are needed for one wave more
          declared by line 15 (`.amdhsa_group_segment_fixed_size 16384`)
          line 4 (`ds_write2st64_b32 v1, v0, v2 offset1:2`) writes 8 bytes at +0 and +512
          line 5 (`ds_read_b64 v[2:3], v1 offset:8`) reads 8 bytes at +8
          64 clocks are waited for it; addresses in registers are not followed, so any line may reach any byte

        8 bytes of scratch for a lane, in memory: it costs no wave, but waits
          declared by line 16 (`.amdhsa_private_segment_fixed_size 8`)
          line 8 (`buffer_store_dword v2, off, s[0:3], 0 offset:4`) writes 4 bytes at +4
          line 9 (`buffer_load_dword v3, off, s[0:3], 0 offset:4`) reads 4 bytes at +4
          292 clocks are waited for it; machine code does not say which access is a spill and which an array

    "#]].assert_eq(memory);
    let all = objects(&folder, &["kernel.s"]);
    let memories = all[0]["memories"].as_array().expect("memories");
    let [share, scratch] = memories.as_slice() else { panic!("{memories:?}") };
    assert_eq!((&share["kind"], &share["bytes"]), (&json!("lds"), &json!(16384)));
    assert_eq!(share["accesses"][0]["offsets"], json!([0, 512]));
    assert_eq!((&scratch["kind"], &scratch["bytes"]), (&json!("scratch"), &json!(8)));
    let lines = |own: &Value| -> Vec<u64> {
        let accesses = own["accesses"].as_array().expect("accesses");
        accesses.iter().filter_map(|it| it["line"].as_u64()).collect()
    };
    assert_eq!((lines(share), lines(scratch)), (vec![4, 5], vec![8, 9]));
    // What it costs is what is won without it.
    let field = "  .amdhsa_group_segment_fixed_size 16384\n";
    folder.write("without.s", &MEMORY.replace(field, ""));
    assert_eq!(objects(&folder, &["without.s"])[0]["waves"], share["without"]);
    // A line has its own accesses alone.
    let at = objects(&folder, &["kernel.s:5"]);
    assert_eq!(at[0]["memories"].as_array().map(Vec::len), Some(1), "{}", at[0]);
    assert_eq!(lines(&at[0]["memories"][0]), [5]);
    assert_eq!(objects(&folder, &["kernel.s:7"])[0]["memories"], json!([]));
}

/// Each lane writes what its neighbour reads; an array that is indexed goes to scratch memory.
const SHARED: &str = "\
COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
DCL SV[0], THREAD_ID
DCL BUFFER[0]
DCL MEMORY[0], SHARED
DCL TEMP[0..1], LOCAL
DCL TEMP[2..41], ARRAY(1), LOCAL
DCL ADDR[0]
IMM[0] UINT32 { 2, 4, 31, 3 }
SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx
BARRIER
XOR TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy
LOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy
AND TEMP[1].y, TEMP[1].xxxx, IMM[0].zzzz
UARL ADDR[0].x, TEMP[1].yyyy
MOV TEMP[ADDR[0].x+2](1), TEMP[1].xyxy
UARL ADDR[0].x, TEMP[1].xxxx
MOV TEMP[1], TEMP[ADDR[0].x+3](1)
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx
END
";

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn memory_of_a_shader_is_explained_by_its_statements() {
    let folder = Folder::with("why_shared", &[("shared.tgsi", SHARED)]);
    let all = objects(&folder, &["shared.tgsi", "--target", "polaris10"]);
    let memories = all[0]["memories"].as_array().expect("memories");
    let share = memories.iter().find(|it| it["kind"] == "lds").expect("local data share");
    // The state that a shader is used with says how large it is.
    assert_eq!(share["bytes"], 0);
    assert_eq!(share["declared"], json!([{"line": 5, "text": "DCL MEMORY[0], SHARED"}]));
    let of = |own: &Value, line: u64| -> Vec<String> {
        let accesses = own["accesses"].as_array().expect("accesses");
        let own = accesses.iter().filter(|it| it["line"] == line);
        own.filter_map(|it| it["effect"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(
        (of(share, 11), of(share, 14)),
        (vec!["writes".to_owned()], vec!["reads".to_owned()])
    );
    // Some compilers keep the array in registers.
    if let Some(scratch) = memories.iter().find(|it| it["kind"] == "scratch") {
        assert_eq!(all[0]["scratch"], scratch["bytes"]);
        assert!(of(scratch, 17).iter().all(|it| it == "writes"), "{scratch}");
        assert!(!of(scratch, 19).is_empty(), "{scratch}");
    }
}

#[test]
fn scripts_are_told_the_same() {
    let folder = folder();
    let found = objects(&folder, &["kernel.s", "--at", "9", "--target", "gfx900,tonga"]);
    let [gfx900, tonga] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((&gfx900["target"], &tonga["target"]), (&json!("gfx900"), &json!("tonga")));
    assert_eq!((&gfx900["line"], &gfx900["name"]), (&json!(9), &json!("code")));
    // v0 is read here for the last time, and v2 takes its place.
    assert_eq!(gfx900["peak"], json!({"vgprs": 7, "agprs": 0, "sgprs": 4, "line": 8}));
    let values = gfx900["values"].as_array().expect("values");
    let vgprs = values.iter().filter(|value| value["kind"] == "vgprs");
    let sum: u64 = vgprs.clone().map(|value| value["registers"].as_u64().expect("a number")).sum();
    let pressure = &gfx900["registers"][0];
    assert_eq!((pressure["kind"].as_str(), pressure["here"].as_u64()), (Some("vgprs"), Some(sum)));
    let factor = vgprs.clone().find(|value| value["register"] == "v9").expect("the factor");
    assert_eq!(
        (&factor["from"], &factor["to"], &factor["gain"]),
        (&json!(3), &json!(14), &json!(1))
    );
    let saving = &factor["savings"][0];
    assert_eq!((&saving["change"], &saving["before"][0]["line"]), (&json!("later"), &json!(14)));
    assert_eq!((&saving["peak"], &saving["waves"]), (&json!(6), &json!(10)));
    let all = objects(&folder, &["kernel.s"]);
    let stalls = all[0]["stalls"].as_array().expect("waits");
    let wait = stalls.iter().find(|it| it["at"]["line"] == 10).expect("the wait for both loads");
    let awaited = wait["awaited"].as_array().expect("results");
    let lines: Vec<&Value> = awaited.iter().map(|it| &it["line"]).collect();
    assert_eq!(lines, [&json!(7), &json!(8)]);
    assert_eq!((&wait["chain"][0]["line"], &wait["chain"][1]["line"]), (&json!(4), &json!(8)));
}

#[test]
fn what_is_said_to_be_won_is_won_by_hand() {
    let by_hand = KERNEL.replace("  v_mov_b32 v9, 0x42280000\n", "").replace(
        "  v_mul_f32 v1, v1, v9\n",
        "  v_mov_b32 v9, 0x42280000\n  v_mul_f32 v1, v1, v9\n",
    );
    let folder = folder();
    folder.write("edited.s", &by_hand);
    let peak = |file: &str| {
        let lines = stdout(&folder.run(&["stats", file, "--format", "json"]));
        let report: Value = serde_json::from_str(&lines).expect("an object");
        let code = report["code"].as_array().expect("instructions").clone();
        code.iter().filter_map(|it| it["vgprLive"].as_u64()).max()
    };
    assert_eq!((peak("kernel.s"), peak("edited.s")), (Some(7), Some(6)));
}

#[test]
fn a_line_without_code_and_a_file_without_any_are_told() {
    let folder = folder();
    let output = folder.run(&["why", "kernel.s:2"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        "tungsten: kernel.s:2: no instruction comes from this line alone\n"
    );
    for (file, says) in [("empty.s", "no machine code was found"), ("none.s", "none.s: ")] {
        let output = folder.run(&["why", file]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
    let twice = folder.run(&["why", "kernel.s:9", "--at", "9"]);
    assert_eq!(twice.status.code(), Some(2));
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_shader_is_compiled_for_each_chip() {
    let shader = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0..1]\n\
                  0: MUL OUT[0], CONST[0][0], CONST[0][1]\n1: END\n";
    let folder = Folder::with("why-shader", &[("a.tgsi", shader)]);
    let found = objects(&folder, &["a.tgsi", "--target", "tahiti,vega10"]);
    let targets: Vec<&Value> = found.iter().map(|it| &it["target"]).collect();
    assert_eq!(targets, [&json!("tahiti"), &json!("vega10")]);
    for own in &found {
        assert_eq!((&own["compiler"], &own["name"]), (&json!("llvm"), &json!("FRAG")));
        let lines = stdout(&folder.run(&["stats", "a.tgsi", "--format", "json", "--target", {
            own["target"].as_str().expect("a chip")
        }]));
        let stats: Value = serde_json::from_str(&lines).expect("an object");
        let live = |key: &str| {
            let code = stats["code"].as_array().expect("instructions").iter();
            code.filter_map(|it| it[key].as_u64()).max()
        };
        for (kind, key) in [("vgprs", "vgprLive"), ("sgprs", "sgprLive")] {
            let values = own["values"].as_array().expect("values").iter();
            let own = values.filter(|value| value["kind"] == kind);
            let sum: u64 = own.map(|value| value["registers"].as_u64().expect("a number")).sum();
            assert_eq!(Some(sum), live(key), "{kind}");
        }
    }
    let wrong = folder.run(&["why", "a.tgsi:2"]);
    assert_eq!(wrong.status.code(), Some(1));
}
