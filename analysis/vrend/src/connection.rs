//! A connection with the test server: the messages of a guest.
//!
//! They are little-endian words: a length, a command, the payload (virglrenderer's
//! `vtest_protocol.h` and `virgl_protocol.h`). The renderer compiles nothing before a program
//! is linked, or a grid is launched.

use std::io::{self, Read, Write};
use std::time::Duration;

use tgsi::Stage;

/// Commands of the test server.
const CREATE_RENDERER: u32 = 8;
const SUBMIT_CMD: u32 = 6;
const RESOURCE_BUSY_WAIT: u32 = 7;

/// Commands of the renderer.
const CREATE_OBJECT: u32 = 1;
const SET_SUB_CTX: u32 = 28;
const CREATE_SUB_CTX: u32 = 29;
const BIND_SHADER: u32 = 31;
const LAUNCH_GRID: u32 = 37;
const LINK_SHADER: u32 = 52;
const OBJECT_SHADER: u32 = 4;

/// The longest part of a text in one command, which counts its words in 16 bits.
pub const PART: usize = 60_000;

/// The least room for tokens that the renderer is told; more where the text is longer, which
/// never has more tokens than bytes.
const LEAST_ROOM: usize = 300;

/// A stream to the server, in this system's way.
pub trait Stream: Read + Write + std::fmt::Debug + Send {
    /// Bounds the time of a wait.
    fn wait_at_most(&self, time: Duration) -> io::Result<()>;
}

/// A connection with a context of its own.
#[derive(Debug)]
pub struct Connection {
    stream: Box<dyn Stream>,
    /// The number of the newest shader.
    shaders: u32,
}

/// The number of a stage in the protocol, and its place in a program.
fn number(stage: Stage) -> u32 {
    match stage {
        Stage::Vertex => 0,
        Stage::Fragment => 1,
        Stage::Geometry => 2,
        Stage::TessellationControl => 3,
        Stage::TessellationEvaluation => 4,
        Stage::Compute => 5,
    }
}

impl Connection {
    /// Makes a context, and waits until it is there: what fails here is no verdict on a
    /// shader.
    pub fn begin(mut stream: Box<dyn Stream>, limit: Duration) -> io::Result<Connection> {
        stream.wait_at_most(limit)?;
        let name = b"tungsten\0";
        // The one message whose length counts bytes.
        stream.write_all(&bytes(&[name.len() as u32, CREATE_RENDERER]))?;
        stream.write_all(name)?;
        let mut connection = Connection { stream, shaders: 0 };
        connection.submit(&[header(CREATE_SUB_CTX, 0, 1), 1, header(SET_SUB_CTX, 0, 1), 1])?;
        connection.wait()?;
        Ok(connection)
    }

    /// Bounds the time of each wait.
    pub fn limit(&mut self, time: Duration) -> io::Result<()> {
        self.stream.wait_at_most(time)
    }

    /// Has a shader translated; returns its number. The end of the connection is the
    /// renderer's refusal.
    pub fn create(&mut self, stage: Stage, text: &str) -> io::Result<u32> {
        self.shaders += 1;
        let handle = self.shaders;
        let whole = [text.as_bytes(), b"\0"].concat();
        let room = whole.len().max(LEAST_ROOM) as u32;
        for (count, part) in whole.chunks(PART).enumerate() {
            // The first part says how long the whole is, the others where they go on.
            let offset = match count {
                0 => whole.len() as u32,
                _ => (count * PART) as u32 | 1 << 31,
            };
            let mut body = vec![handle, number(stage), offset, room, 0];
            body.extend(part.chunks(4).map(|chunk| {
                let mut word = [0; 4];
                word[..chunk.len()].copy_from_slice(chunk);
                u32::from_le_bytes(word)
            }));
            body.insert(0, header(CREATE_OBJECT, OBJECT_SHADER, body.len()));
            self.submit(&body)?;
        }
        self.submit(&[header(BIND_SHADER, 0, 2), handle, number(stage)])?;
        self.wait()?;
        Ok(handle)
    }

    /// Has a program of shaders compiled by the host's driver.
    pub fn link(&mut self, shaders: &[(Stage, u32)]) -> io::Result<()> {
        let mut program = [0; 6];
        for (stage, handle) in shaders {
            program[number(*stage) as usize] = *handle;
        }
        let mut command = vec![header(LINK_SHADER, 0, program.len())];
        command.extend(program);
        self.submit(&command)?;
        if shaders.iter().any(|(stage, _)| *stage == Stage::Compute) {
            // A block of one invocation, a grid of one block, nothing indirect.
            let grid = [1, 1, 1, 1, 1, 1, 0, 0];
            self.submit(&[&[header(LAUNCH_GRID, 0, grid.len())][..], &grid].concat())?;
        }
        self.wait()
    }

    fn submit(&mut self, command: &[u32]) -> io::Result<()> {
        self.send(SUBMIT_CMD, command)
    }

    fn send(&mut self, command: u32, payload: &[u32]) -> io::Result<()> {
        self.stream.write_all(&bytes(&[payload.len() as u32, command]))?;
        self.stream.write_all(&bytes(payload))
    }

    /// Waits until all that was sent is done.
    fn wait(&mut self) -> io::Result<()> {
        self.send(RESOURCE_BUSY_WAIT, &[0, 0])?;
        self.stream.read_exact(&mut [0; 12])
    }
}

fn header(command: u32, object: u32, length: usize) -> u32 {
    command | object << 8 | (length as u32) << 16
}

fn bytes(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
