//! Mesa's software driver in its process: it runs shaders, and harms nobody.

use std::path::PathBuf;
use std::process::Command;

use lavapipe::{
    Attempt, Buffer, BufferKind, Configuration, Dimension, ExecuteError, Executor, Found, Image,
    Job, Launch, LayerState, Numbers, Priority, Texels, choose,
};

fn executor(driver: Found) -> Executor {
    let executable = PathBuf::from(crate::TUNGSTEN);
    Executor::new(Configuration { executable, driver, priority: Priority::Normal })
}

/// Threads that add their number to a word of a buffer.
fn adding(words: &[u32]) -> Job {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
                PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\n\
                DCL TEMP[0..1]\nIMM[0] UINT32 {2, 0, 0, 0}\n\
                SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nLOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n\
                UADD TEMP[1].x, TEMP[1].xxxx, SV[0].xxxx\n\
                STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n";
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    let module = spirv::translate(&shader, &spirv::Options::default()).expect("a module").words;
    let binding = spirv::layout::FIRST_BUFFER;
    let buffer = Buffer { binding, kind: BufferKind::Storage, words: words.to_vec() };
    let launch = Launch::Grid { module, groups: [1; 3] };
    Job { launch, buffers: vec![buffer], textures: vec![], images: vec![] }
}

fn assert_works(executor: &mut Executor) {
    let output = executor.run(&adding(&[10, 10, 10, 10])).expect("a run");
    assert_eq!(output.words, [(spirv::layout::FIRST_BUFFER, vec![10, 11, 12, 13])]);
}

#[test]
#[cfg_attr(no_lavapipe, ignore = "no lavapipe of Mesa 22 on this machine")]
fn a_grid_runs() {
    let mut executor = executor(choose().expect("a driver"));
    assert_works(&mut executor);
    assert!(executor.version().expect("a version").contains('.'));
    // A thread that reaches beyond a buffer harms nobody.
    let output = executor.run(&adding(&[1])).expect("a run");
    assert_eq!(output.words[0].1, [1]);
}

/// Threads that store their number into the second row of an image of four by two texels.
fn storing(words: &[u32]) -> Job {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
                PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\n\
                DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0]\n\
                IMM[0] UINT32 {1, 0, 0, 0}\nMOV TEMP[0].x, SV[0].xxxx\n\
                MOV TEMP[0].y, IMM[0].xxxx\n\
                STORE IMAGE[0], TEMP[0], SV[0].xxxx, 2D, PIPE_FORMAT_R32_UINT\nEND\n";
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    let module = spirv::translate(&shader, &spirv::Options::default()).expect("a module").words;
    let image = Image {
        binding: spirv::layout::FIRST_IMAGE,
        dimension: Dimension::Two,
        texels: Texels { numbers: Numbers::Unsigned, components: 1 },
        size: [4, 2, 1],
        words: words.to_vec(),
    };
    let launch = Launch::Grid { module, groups: [1; 3] };
    Job { launch, buffers: vec![], textures: vec![], images: vec![image] }
}

#[test]
#[cfg_attr(no_lavapipe, ignore = "no lavapipe of Mesa 22 on this machine")]
fn images_are_written_and_come_back() {
    let mut executor = executor(choose().expect("a driver"));
    let output = executor.run(&storing(&[9; 8])).expect("a run");
    let expected = vec![9, 9, 9, 9, 0, 1, 2, 3];
    assert_eq!(output.words, [(spirv::layout::FIRST_IMAGE, expected)]);
    // Nothing is copied from beyond the words that are there.
    for count in [0, 7, 9] {
        let error = executor.run(&storing(&vec![9; count])).expect_err("too few or too many");
        assert!(error.to_string().contains("more or fewer words than texels"), "{error}");
    }
}

#[test]
#[cfg_attr(no_lavapipe, ignore = "no lavapipe of Mesa 22 on this machine")]
fn the_box_denies() {
    let mut executor = executor(choose().expect("a driver"));
    let layers = executor.confinement().expect("a worker");
    let seccomp = layers.iter().find(|layer| layer.name == "seccomp").expect("a filter");
    assert!(matches!(seccomp.state, LayerState::Holds(_)), "{seccomp:?}");
    for attempt in Attempt::ALL {
        let denied = executor.attempt(attempt).expect("an attempt");
        assert!(denied.is_some(), "{attempt:?}");
    }
    assert_works(&mut executor);
}

#[test]
#[cfg_attr(no_lavapipe, ignore = "no lavapipe of Mesa 22 on this machine")]
fn a_broken_module_harms_nobody() {
    let mut executor = executor(choose().expect("a driver"));
    let whole = adding(&[0; 4]);
    let Launch::Grid { module, groups } = &whole.launch else { unreachable!("a grid") };
    // The driver refuses some, dies of others, and makes something of the rest.
    let mut refused = 0;
    for words in [5, 40, 100, module.len() / 2, module.len() - 1] {
        let module = module[..words].to_vec();
        let job = Job { launch: Launch::Grid { module, groups: *groups }, ..whole.clone() };
        match executor.run(&job) {
            Ok(_) => {}
            Err(ExecuteError::Rejected(_) | ExecuteError::Died(_)) => refused += 1,
            Err(error) => panic!("{words} words: {error}"),
        }
        assert_works(&mut executor);
    }
    assert!(refused > 0, "no module was refused");
}

#[test]
#[cfg_attr(no_lavapipe, ignore = "no lavapipe of Mesa 22 on this machine")]
fn the_command_line_compares() {
    let root = crate::architecture::root();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(crate::TUNGSTEN);
        command.current_dir(&root).arg("run").args(arguments).args(["--engine", "lavapipe"]);
        let output = command.output().expect("a run");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text + &complaints)
    };
    let example = ["examples/lit_texture.tgsi", "--inputs", "examples/lit_texture.inputs.toml"];
    let (status, text) = run(&example);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.ends_with("lavapipe: our SPIR-V gives the same 16 values\n"), "{text}");
    // What is known to differ is shown at its line.
    let (status, text) = run(&["tests/data/tgsi/frag/level_viewer.tgsi", "--seed", "4"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("level_viewer.tgsi:9: lavapipe: OUT[0].y lane 0: "), "{text}");
    // A reason is no verdict.
    let (status, text) = run(&["tests/data/tgsi/frag/subgroup_votes.tgsi", "--seed", "4"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("lavapipe: not compared: lanes that see each other"), "{text}");
    let (status, text) = run(&["examples/lit_texture.tgsi", "--machine-code", "examples/copy.s"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("`--machine-code` is code for a chip"), "{text}");
}

#[test]
fn what_is_not_a_driver_is_told() {
    let path = crate::architecture::root().join("Cargo.toml");
    let driver = Found { path, origin: "the test", problem: None };
    let error = executor(driver).run(&adding(&[0; 4])).expect_err("no driver");
    let text = error.to_string();
    assert!(matches!(error, ExecuteError::NotStarted(_)), "{text}");
    assert!(
        text.contains("lavapipe could not be started: ") && text.contains("Cargo.toml"),
        "{text}"
    );
}
