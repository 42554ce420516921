//! The messages of a guest.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tgsi::Stage;
use vrend::connection::{Connection, PART, Stream};

/// A server that answers every wait and keeps what it was sent.
#[derive(Debug, Clone, Default)]
struct Recorder(Arc<Mutex<Vec<u8>>>);

impl Read for Recorder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(0);
        Ok(buffer.len())
    }
}

impl Write for Recorder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Recorder {
    fn wait_at_most(&self, _: Duration) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn messages_are_those_of_a_guest() {
    let recorder = Recorder::default();
    let mut connection =
        Connection::begin(Box::new(recorder.clone()), Duration::from_secs(1)).unwrap();
    let words = || {
        let sent = std::mem::take(&mut *recorder.0.lock().unwrap());
        sent.as_chunks().0.iter().map(|it| u32::from_le_bytes(*it)).collect::<Vec<u32>>()
    };
    words();
    let handle = connection.create(Stage::Fragment, "FRAG\nEND").unwrap();
    let text = [0x4741_5246, 0x444e_450a, 0];
    let create = [9, 6, 1 | 4 << 8 | 8 << 16, handle, 1, 9, 300, 0];
    let bind = [3, 6, 31 | 2 << 16, handle, 1, 2, 7, 0, 0];
    assert_eq!(words(), [&create[..], &text, &bind].concat());
    connection.link(&[(Stage::Vertex, 7), (Stage::Fragment, 8)]).unwrap();
    assert_eq!(words(), [7, 6, 52 | 6 << 16, 7, 8, 0, 0, 0, 0, 2, 7, 0, 0]);
}

#[test]
fn a_long_text_goes_in_parts() {
    let recorder = Recorder::default();
    let mut connection =
        Connection::begin(Box::new(recorder.clone()), Duration::from_secs(1)).unwrap();
    recorder.0.lock().unwrap().clear();
    connection.create(Stage::Vertex, &"x".repeat(2 * PART)).unwrap();
    let sent = recorder.0.lock().unwrap().clone();
    let at = |offset: u32| {
        let bytes = offset.to_le_bytes();
        sent.windows(4).any(|it| it == bytes)
    };
    assert!(at(2 * PART as u32 + 1) && at(PART as u32 | 1 << 31));
    assert!(at((2 * PART as u32) | 1 << 31));
}

/// Gallium's numbers: `enum pipe_shader_type`.
#[test]
fn each_stage_has_its_number_and_its_place_in_a_program() {
    let stages = [
        Stage::Vertex,
        Stage::Fragment,
        Stage::Geometry,
        Stage::TessellationControl,
        Stage::TessellationEvaluation,
        Stage::Compute,
    ];
    for (number, stage) in (0_u32..).zip(stages) {
        let recorder = Recorder::default();
        let mut connection =
            Connection::begin(Box::new(recorder.clone()), Duration::from_secs(1)).unwrap();
        recorder.0.lock().unwrap().clear();
        let handle = connection.create(stage, "END").unwrap();
        connection.link(&[(stage, 7)]).unwrap();
        let sent = recorder.0.lock().unwrap().clone();
        let words: Vec<u32> = sent.as_chunks().0.iter().map(|it| u32::from_le_bytes(*it)).collect();
        let has = |part: &[u32]| words.windows(part.len()).any(|it| it == part);
        assert!(has(&[1 | 4 << 8 | 6 << 16, handle, number, 4, 300]), "{stage:?}: {words:x?}");
        assert!(has(&[31 | 2 << 16, handle, number]), "{stage:?}: {words:x?}");
        let mut program = [52 | 6 << 16, 0, 0, 0, 0, 0, 0];
        program[number as usize + 1] = 7;
        assert!(has(&program), "{stage:?}: {words:x?}");
    }
}
