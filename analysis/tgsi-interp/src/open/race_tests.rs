//! Runs in which invocations reach the same words: what they leave is open where nothing keeps an
//! order.

use open_bits::{Rule, Word};

use crate::launch::{QuadInputs, run_quad};
use crate::open::{Script, Space};
use crate::patch::{Order, Patch, run_patch};
use crate::{EMPTY, Limits, Program, Register, Resources};

fn program(text: &str) -> Program {
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    Program::prepare(&parse.shader.expect("a shader")).unwrap_or_else(|it| panic!("{it}: {text}"))
}

fn inputs(input: Register) -> QuadInputs {
    let open = Some(Script::default());
    QuadInputs { inputs: vec![vec![input]], mask: 0xf, open, ..QuadInputs::default() }
}

/// The words of the first component of the first output in each lane, and of a buffer's first word,
/// of a run that knows what the first one learned.
fn run(body: &str, input: Register) -> (Vec<Word>, Word) {
    let text = format!(
        "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL BUFFER[0]\nDCL TEMP[0..1]\n\
         IMM[0] UINT32 {{ 0, 1, 2, 4294967292 }}\n{body}\nEND\n"
    );
    let program = program(&text);
    let mut start = Resources { buffers: vec![vec![9; 4]], ..Resources::default() };
    let once = |resources: &mut Resources| {
        run_quad(&program, resources, &inputs(input), Limits::default()).expect("a run")
    };
    let mut first = start.clone();
    once(&mut first);
    start.open.foresee(&first.open);
    let left = once(&mut start);
    let words = left.words.expect("a shadow").outputs[0][0].to_vec();
    let bits = start.buffers[0][0];
    (words, start.open.word(Space::Buffer, 0, 0, bits))
}

/// Tells whether the order of invocations leaves a word open.
fn is_raced(word: &Word) -> bool {
    word.is_any() && word.rules().has(Rule::InvocationOrder)
}

/// Lane 0 alone.
fn first_lane() -> Register {
    [[1, 0, 0, 0], [0; 4], [0; 4], [0; 4]]
}

#[test]
fn a_load_may_see_what_another_stores_later() {
    let branches = "UIF IN[0].xxxx :0\nLOAD OUT[0].x, BUFFER[0], IMM[0].xxxx\nELSE :0\n\
                    STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[0].x, IMM[0].xxxx\nENDIF";
    let (words, left) = run(branches, first_lane());
    assert!(is_raced(&words[0]), "{:?}", words[0]);
    assert_eq!(words[1], Word::exactly(0));
    assert_eq!(left, Word::exactly(1), "all store the same");
    // Each has its own word: nothing is open.
    let own = "SHL TEMP[0].x, IN[0].xxxx, IMM[0].zzzz\nLOAD OUT[0].x, BUFFER[0], TEMP[0].xxxx\n\
               STORE BUFFER[0].x, TEMP[0].xxxx, IN[0].xxxx";
    let (words, left) = run(own, [[0, 1, 2, 3], [0; 4], [0; 4], [0; 4]]);
    assert_eq!((words, left), (vec![Word::exactly(9); 4], Word::exactly(0)));
}

#[test]
fn atomics_find_what_other_instructions_leave_in_any_order() {
    let once = "ATOMUADD OUT[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy";
    let (words, left) = run(once, EMPTY);
    // Orders of quads tell of those.
    assert_eq!(words, [9, 10, 11, 12].map(Word::exactly));
    assert_eq!(left, Word::exactly(13));
    let twice = format!("{once}\nATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy");
    let (words, left) = run(&twice, EMPTY);
    assert!(words.iter().all(is_raced), "{words:?}");
    assert_eq!(left, Word::exactly(17));
}

#[test]
fn a_load_across_the_last_address_may_go_on_at_the_first() {
    let (words, _) = run("LOAD TEMP[0], BUFFER[0], IMM[0].wwww\nMOV OUT[0].x, TEMP[0].yyyy", EMPTY);
    let word = &words[0];
    assert!(word.holds(0) && word.holds(9) && !word.holds(1), "{word:?}");
    assert!(word.rules().has(Rule::OutOfBounds));
    let (words, _) = run("LOAD TEMP[0], BUFFER[0], IMM[0].wwww\nMOV OUT[0].x, TEMP[0].xxxx", EMPTY);
    assert_eq!(words[0], Word::exactly(0));
}

/// The outputs of a patch of five invocations and memory behind it, of a run that knows what the first
/// one learned.
fn patch(body: &str, order: Order) -> (Patch, Resources) {
    let text = format!(
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 5\nDCL SV[0], INVOCATIONID\nDCL OUT[][0], GENERIC[0]\n\
         DCL OUT[1], PATCH\nDCL BUFFER[0]\nDCL ADDR[0]\nDCL TEMP[0]\nIMM[0] UINT32 {{ 0, 1, 2, 3 }}\n\
         UARL ADDR[0].x, SV[0].xxxx\n{body}\nEND\n"
    );
    let program = program(&text);
    let mut start = Resources { buffers: vec![vec![9; 4]], ..Resources::default() };
    let once = |resources: &mut Resources| {
        run_patch(&program, resources, &inputs(EMPTY), 0, order, Limits::default()).expect("a run")
    };
    let mut first = start.clone();
    once(&mut first);
    start.open.foresee(&first.open);
    let left = once(&mut start);
    (left, start)
}

#[test]
fn invocations_of_a_patch_read_outputs_of_others_in_order_behind_barriers_only() {
    let first_writes = "USEQ TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUIF TEMP[0].xxxx :0\n\
                        MOV OUT[1], IMM[0].yyyy\nENDIF\n";
    let reads = "MOV OUT[ADDR[0].x][0], OUT[1]";
    for order in [Order::Forward, Order::Backward] {
        let read = |text: &str, vertex: usize| {
            patch(text, order).0.word(Some(vertex), 0, 0).expect("an output")
        };
        let together = format!("{first_writes}{reads}");
        assert_eq!(read(&together, 0), Word::exactly(1), "its own");
        assert!((1..5).all(|vertex| is_raced(&read(&together, vertex))));
        // What is read first may be read last as well.
        let before = format!("{reads}\n{first_writes}");
        assert!((1..5).all(|vertex| is_raced(&read(&before, vertex))));
        let apart = format!("{first_writes}BARRIER\n{reads}");
        assert!((0..5).all(|vertex| read(&apart, vertex) == Word::exactly(1)));
    }
}

#[test]
fn invocations_of_different_quads_are_different() {
    // Of five the last one is the first of its quad, as the first one is of its own.
    let store = "AND TEMP[0].x, SV[0].xxxx, IMM[0].wwww\nUIF TEMP[0].xxxx :0\nELSE :0\n\
                 STORE BUFFER[0].x, IMM[0].xxxx, SV[0].xxxx\nENDIF";
    let left = patch(store, Order::Forward).1;
    assert!(is_raced(&left.open.word(Space::Buffer, 0, 0, left.buffers[0][0])));
}

#[test]
fn components_that_a_system_value_does_not_have_are_open() {
    let left = patch("MOV OUT[ADDR[0].x][0].xy, SV[0]", Order::Forward).0;
    for vertex in 0..5 {
        assert_eq!(left.word(Some(vertex), 0, 0), Some(Word::exactly(vertex as u32)));
        let y = left.word(Some(vertex), 0, 1).expect("an output");
        assert!(y.is_any() && y.rules().has(Rule::Unwritten));
    }
}
