//! Kernels on files of inputs.

use gcn::program::{Options, Program, assemble};

use super::*;
use crate::machine::Limits;

/// Adds a number to each word of a buffer.
const ADD: &str = r#"
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
add:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  s_lshl_b32 s7, s2, 6
  v_add_u32_e32 v0, s7, v0
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v1, v0, s[4:5]
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v1, s6, v1
  global_store_dword v0, v1, s[4:5]
  s_endpgm
.amdhsa_kernel add
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
"#;

fn program(text: &str) -> Program {
    let program = assemble(text, &Options::of(text, "k.s"), &|_| None, &source::no_checkpoint);
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    program
}

fn launch(text: &str, inputs: &str) -> Result<Launch, LaunchError> {
    let program = program(text);
    let inputs = KernelInputs::read(inputs).expect("inputs");
    Launch::new(&program, &program.kernels[0], inputs)
}

fn run(launch: &Launch) -> Result<GridExecution<'_>, crate::Stop> {
    let mut grid = GridExecution::new(launch, Limits::default());
    while grid.wave().is_some() {
        grid.step()?;
    }
    Ok(grid)
}

#[test]
fn a_grid_of_groups_changes_its_buffer() {
    let launch =
        launch(ADD, "grid = [3]\n[arg]\n0 = \"buf.0\"\n8 = 0.5\n[buf]\n0 = { words = 192 }\n")
            .unwrap();
    let grid = run(&launch).unwrap();
    assert_eq!(grid.machine().memory.words(Launch::buffer_address(0)), [0.5_f32.to_bits(); 192]);
    assert_eq!((grid.group(), grid.steps()), (2, 33));
}

#[test]
fn lanes_beyond_the_group_are_not_there() {
    let given = "group = [5, 2]\n[arg]\n0 = \"buf.0\"\n8 = 1.0\n[buf]\n0 = { words = 10 }\n";
    let launch = launch(ADD, given).unwrap();
    let begin = launch.machine();
    assert_eq!(begin.waves[0].exec(), 0x3ff);
    assert_eq!(begin.waves[0].vector(0)[..10], [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    // x alone is asked for, so that both rows write the first five words.
    let words = run(&launch).unwrap().machine().memory.words(Launch::buffer_address(0));
    assert_eq!(words[..6], [1, 1, 1, 1, 1, 0].map(|one| (one as f32).to_bits()));
}

#[test]
fn outside_of_a_buffer_the_run_ends() {
    let short = "[arg]\n0 = \"buf.0\"\n[buf]\n0 = { words = 63 }\n";
    let launch = launch(ADD, short).unwrap();
    let stop = run(&launch).unwrap_err();
    let address = Launch::buffer_address(0) + 252;
    assert_eq!(stop.to_string(), format!("no memory at {address:#x}"));
    assert_eq!(launch.program().instructions[stop.instruction].offset, 0x20);
}

#[test]
fn a_copy_of_a_run_goes_on_by_itself() {
    let given = "grid = [2]\n[arg]\n0 = \"buf.0\"\n8 = 2.0\n[buf]\n0 = { words = 128 }\n";
    let launch = launch(ADD, given).unwrap();
    let mut grid = GridExecution::new(&launch, Limits::default());
    for _ in 0..7 {
        grid.step().unwrap();
    }
    let copy = grid.clone();
    let finish = |mut grid: GridExecution<'_>| {
        while grid.wave().is_some() {
            grid.step().unwrap();
        }
        grid.machine().clone()
    };
    assert_eq!(finish(grid), finish(copy));
}

#[test]
fn what_cannot_be_launched_says_why() {
    let why = |inputs: &str| launch(ADD, inputs).map(|_| ()).unwrap_err().to_string();
    assert_eq!(why("[arg]\n0 = \"buf.1\"\n"), "the inputs name `buf.1` and do not give it");
    assert_eq!(why("group = [1025]\n"), "a group has 1025 work-items; 1 to 1024 can be launched");
    assert_eq!(why("grid = [0]\n"), "the grid has 0 groups; 1 to 65536 can be launched");
    assert_eq!(why("lane = 64\n"), "there are 64 work-items, and none is number 64");
    assert_eq!(why("[arg]\n0 = [1, 2]\n4 = 1\n"), "the arguments at 0 and 4 overlap");
    let calls = ADD.replace(
        "  s_endpgm",
        "  s_getpc_b64 s[4:5]\n  s_add_u32 s4, s4, other@rel32@lo+4\n  s_endpgm",
    );
    let refused = launch(&calls, "").map(|_| ()).unwrap_err().to_string();
    assert!(refused.starts_with("the kernel takes the address of `other`: "), "{refused}");
    let scratch = ADD.replace("16\n", "16\n.amdhsa_private_segment_fixed_size 16388\n");
    assert_eq!(
        launch(&scratch, "group = [1024]\n").map(|_| ()).unwrap_err().to_string(),
        "the kernel uses 16388 bytes of scratch a work-item; a group can be given 16 MiB"
    );
    let mistake = KernelInputs::read("[in]\n0 = [1]\n").unwrap_err();
    assert!(mistake.message.starts_with("`in`: a kernel has kernel, grid"), "{mistake}");
}

#[test]
fn scratch_is_where_compilers_look_for_it() {
    // By a descriptor and by flat addresses, by way of the queue, of operands, of set-up scratch.
    for (chip, text) in [
        ("gfx700", include_str!("../../data/scratch/gfx700.s")),
        ("gfx803", include_str!("../../data/scratch/gfx803.s")),
        ("gfx900", include_str!("../../data/scratch/gfx900.s")),
        ("gfx90a", include_str!("../../data/scratch/gfx90a.s")),
        ("gfx942", include_str!("../../data/scratch/gfx942.s")),
    ] {
        let words: Vec<u32> = (0..150).map(|item| item * 5 + 3).collect();
        let given = format!(
            "group = [150]\n[arg]\n0 = \"buf.0\"\n8 = \"buf.1\"\n[buf]\n0 = {{ words = 150 }}\n\
             1 = {words:?}\n"
        );
        let launch = launch(text, &given).unwrap();
        let grid = run(&launch).expect(chip);
        let found = grid.machine().memory.words(Launch::buffer_address(0));
        let wanted: Vec<u32> = (0..150).zip(&words).map(|(item, word)| (word & 7) * item).collect();
        assert_eq!(found, wanted, "{chip}");
        // Each lane has what it wrote, in its own words: the array is not always at the start.
        let word = |wave, lane, byte| {
            let address = launch.scratch().word(wave, lane, byte).expect("a word");
            grid.machine().memory.word(address).expect("memory")
        };
        let own: Vec<u32> = (0..9).map(|place| word(2, 7, 4 * place)).collect();
        let item = 2 * 64 + 7;
        let array: Vec<u32> = (0..8).map(|place| place * item).collect();
        assert!(own.windows(8).any(|words| words == array), "{chip}: {own:?}");
        assert_eq!(launch.scratch().word(0, 0, 36), None);
        assert_eq!(launch.scratch().word(3, 0, 0), None);
    }
}

#[test]
fn without_a_descriptor_registers_are_given() {
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.text\nk:\n\
                buffer_store_dword v3, off, s[4:7], 0 offset:4\ns_endpgm\n";
    let given = "group = [1]\n[buf]\n0 = [1, 2]\n[sgpr]\n4 = \"descriptor.buf.0\"\n[vgpr]\n3 = 7\n";
    let launch = launch(text, given).unwrap();
    assert!(!launch.has_descriptor());
    assert_eq!(run(&launch).unwrap().machine().memory.words(Launch::buffer_address(0)), [1, 7]);
}

/// Stores the hidden arguments of a dispatch of two axes, a word each.
const HIDDEN: &str = r#"
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
k:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx8 s[8:15], s[0:1], 0x8
  s_load_dwordx4 s[16:19], s[0:1], 0x28
  s_load_dwordx2 s[20:21], s[0:1], 0x58
  v_mov_b32_e32 v0, 0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v1, s8
  v_mov_b32_e32 v2, s9
  v_mov_b32_e32 v3, s10
  v_mov_b32_e32 v4, s11
  global_store_dwordx4 v0, v[1:4], s[4:5]
  v_mov_b32_e32 v5, s12
  v_mov_b32_e32 v6, s16
  v_mov_b32_e32 v7, s20
  v_mov_b32_e32 v8, s21
  global_store_dwordx4 v0, v[5:8], s[4:5] offset:16
  s_endpgm
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 96
  .amdhsa_next_free_vgpr 9
  .amdhsa_next_free_sgpr 22
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.kernels:
  - .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer }
      - { .offset: 8, .size: 4, .value_kind: hidden_block_count_x }
      - { .offset: 12, .size: 4, .value_kind: hidden_block_count_y }
      - { .offset: 16, .size: 2, .value_kind: hidden_group_size_x }
      - { .offset: 18, .size: 2, .value_kind: hidden_group_size_y }
      - { .offset: 20, .size: 2, .value_kind: hidden_group_size_z }
      - { .offset: 22, .size: 2, .value_kind: hidden_remainder_x }
      - { .offset: 24, .size: 2, .value_kind: hidden_grid_dims }
      - { .offset: 40, .size: 4, .value_kind: hidden_dynamic_lds_size }
      - { .offset: 80, .size: 8, .value_kind: hidden_hostcall_buffer }
      - { .offset: 88, .size: 8, .value_kind: hidden_heap_v1 }
    .name: k
.end_amdgpu_metadata
"#;

#[test]
fn hidden_arguments_are_filled_in_from_the_grid() {
    let stored = |given: &str| {
        let given = format!("[buf]\n0 = {{ words = 8 }}\n[arg]\n0 = \"buf.0\"\n{given}");
        let launch = launch(
            HIDDEN,
            &given.replacen("[buf]", "grid = [3, 2]\ngroup = [16, 4]\nshare = 96\n[buf]", 1),
        )
        .unwrap();
        let words = run(&launch).unwrap().machine().memory.words(Launch::buffer_address(0));
        (words, launch.unfilled().expect("some read 0"))
    };
    let sizes = [3, 2, 16 | 4 << 16, 1, 2, 96];
    let (words, unfilled) = stored("");
    assert_eq!(words, [&sizes[..], &[0, 0]].concat());
    assert_eq!(unfilled, "no runtime is here: hidden_hostcall_buffer, hidden_heap_v1 read 0");
    // A wave of one group, where nothing is said, without a share.
    let bare = launch(HIDDEN, "[buf]\n0 = { words = 8 }\n[arg]\n0 = \"buf.0\"\n").unwrap();
    let words = run(&bare).unwrap().machine().memory.words(Launch::buffer_address(0));
    assert_eq!(words, [1, 1, 64 | 1 << 16, 1, 1, 0, 0, 0]);
    // Inputs may give them like any other argument.
    let (words, unfilled) = stored("12 = 9\n88 = [7, 8]\n");
    assert_eq!(words, [3, 9, 16 | 4 << 16, 1, 2, 96, 7, 8]);
    assert_eq!(unfilled, "no runtime is here: hidden_hostcall_buffer read 0");
}
