//! Our own shaders as virglrenderer reads them.
//!
//! Its test server takes shaders over a socket, as it would from a guest, and closes the
//! connection on one that it cannot read, or cannot translate for its host: its log tells
//! which. Each shader gets a connection of its own. The
//! messages are little-endian words: a length, a command, the payload (virglrenderer's
//! `vtest_protocol.h` and `virgl_protocol.h`).

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::table::Outcome;

/// Commands of the test server.
const CREATE_RENDERER: u32 = 8;
const SUBMIT_CMD: u32 = 6;
const RESOURCE_BUSY_WAIT: u32 = 7;

/// Commands of the renderer.
const CREATE_OBJECT: u32 = 1;
const SET_SUB_CTX: u32 = 28;
const CREATE_SUB_CTX: u32 = 29;
const OBJECT_SHADER: u32 = 4;

/// Stages, each at its number.
const STAGES: [&str; 6] = ["VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP"];

/// The longest part of a text in one command, which counts its words in 16 bits.
const PART: usize = 60_000;

/// A running server.
struct Server {
    process: Child,
    socket: PathBuf,
    log: Receiver<String>,
}

/// The end of a shader.
#[derive(Clone, Copy)]
enum Verdict {
    Translated,
    /// Read, and refused by what makes the host's shader of it.
    Untranslated,
    Refused,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the table of our shaders with the verdict on each: `ok`, `untranslated` where it
/// is read and no more, `err` where it is not. `command` starts the server; a wrapper stands before the program's
/// name.
pub(crate) fn table(root: &Path, command: &str) -> Result<(String, Outcome), String> {
    let server = Server::start(command)?;
    let mut text = String::from(
        "# Our shaders as virglrenderer takes them, by their files and their places in them: ok; untranslated, read but not\n\
         # made into a shader of its host; err, not read. Made by `cargo xtask judge`; SOURCES.tsv has the version.\nfile\tshader\tverdict\n",
    );
    let mut outcome = Outcome::default();
    let folder = root.join("tests/data/tgsi");
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv"))
        .map_err(|error| format!("the manifest of our shaders: {error}"))?;
    let files = manifest.lines().filter_map(|row| row.split('\t').next());
    for file in files.filter(|file| file.ends_with(".tgsi")) {
        let whole = std::fs::read(folder.join(file)).map_err(|error| format!("{file}: {error}"))?;
        let whole = String::from_utf8_lossy(&whole);
        for (number, region) in tgsi::regions::split(&whole).shaders.iter().enumerate() {
            let shader = region.text(&whole);
            // Without a stage there is no object to ask for.
            let Some(stage) = stage(shader) else { continue };
            let verdict = server.judge(shader, stage).map_err(|e| format!("{file}: {e}"))?;
            let (count, verdict) = match verdict {
                Verdict::Translated => (&mut outcome.right, "ok"),
                Verdict::Untranslated => (&mut outcome.split, "untranslated"),
                Verdict::Refused => (&mut outcome.wrong, "err"),
            };
            *count += 1;
            text.push_str(&format!("{file}\t{}\t{verdict}\n", number + 1));
        }
    }
    Ok((text, outcome))
}

/// Returns the number of the stage that a text begins with.
fn stage(text: &str) -> Option<u32> {
    let word = text.trim_start().split(|c: char| !c.is_ascii_alphabetic() && c != '_').next()?;
    STAGES.iter().position(|stage| *stage == word).map(|number| number as u32)
}

impl Server {
    fn start(command: &str) -> Result<Server, String> {
        let socket = std::env::temp_dir().join(format!("virgl-judge-{}", std::process::id()));
        let mut words = command.split(' ');
        let mut start = Command::new(words.next().unwrap_or_default());
        start.args(words).args(["--use-egl-surfaceless", "--no-fork"]);
        start.arg(format!("--socket-path={}", socket.display()));
        start.env("LIBGL_ALWAYS_SOFTWARE", "1");
        start.env("VIRGL_LOG_LEVEL", "debug");
        start.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = start.spawn().map_err(|error| format!("`{command}`: {error}"))?;
        let stderr = process.stderr.take().ok_or("no log")?;
        let (sender, log) = channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(stderr).split(b'\n').map_while(Result::ok);
            // Nobody listens once all is judged.
            lines
                .map(|line| sender.send(String::from_utf8_lossy(&line).into_owned()))
                .all(|it| it.is_ok())
        });
        let server = Server { process, socket, log };
        for _ in 0..200 {
            if server.socket.exists() {
                return Ok(server);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(format!("`{command}` opens no socket"))
    }

    fn judge(&self, text: &str, stage: u32) -> Result<Verdict, String> {
        let mut connection = self.connect().map_err(|error| error.to_string())?;
        match connection.create_shader(text, stage) {
            Ok(()) => Ok(Verdict::Translated),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                Err("the server does not answer".to_owned())
            }
            Err(_) => self.reason(),
        }
    }

    /// Returns why the server has closed a connection.
    fn reason(&self) -> Result<Verdict, String> {
        let mut verdict = Verdict::Refused;
        loop {
            let line = self.log.recv_timeout(Duration::from_secs(10));
            let line = line.map_err(|_| "the server does not say why it refuses".to_owned())?;
            if line.contains("Illegal shader") {
                verdict = Verdict::Untranslated;
            }
            if line.contains("failed to dispatch CREATE_OBJECT") {
                return Ok(verdict);
            }
        }
    }

    /// Connects, and waits until the server has made a context: what fails here is no
    /// verdict on a shader.
    fn connect(&self) -> std::io::Result<Connection> {
        let stream = UnixStream::connect(&self.socket)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let mut connection = Connection { stream };
        let name = b"judge\0";
        // The one message whose length counts bytes.
        connection.stream.write_all(&words(&[name.len() as u32, CREATE_RENDERER]))?;
        connection.stream.write_all(name)?;
        connection.submit(&[header(CREATE_SUB_CTX, 0, 1), 1, header(SET_SUB_CTX, 0, 1), 1])?;
        connection.wait()?;
        Ok(connection)
    }
}

/// A connection with a context.
struct Connection {
    stream: UnixStream,
}

impl Connection {
    fn create_shader(&mut self, text: &str, stage: u32) -> std::io::Result<()> {
        let bytes = [text.as_bytes(), b"\0"].concat();
        // Room for tokens: never more of them than bytes.
        let room = bytes.len().max(300) as u32;
        for (number, part) in bytes.chunks(PART).enumerate() {
            // The first part says how long the whole is, the others where they go on.
            let offset = match number {
                0 => bytes.len() as u32,
                _ => (number * PART) as u32 | 1 << 31,
            };
            let mut body = vec![1, stage, offset, room, 0];
            body.extend(part.chunks(4).map(|chunk| {
                let mut word = [0; 4];
                word[..chunk.len()].copy_from_slice(chunk);
                u32::from_le_bytes(word)
            }));
            let mut command = vec![header(CREATE_OBJECT, OBJECT_SHADER, body.len())];
            command.append(&mut body);
            self.submit(&command)?;
        }
        self.wait()
    }

    fn submit(&mut self, command: &[u32]) -> std::io::Result<()> {
        self.send(SUBMIT_CMD, command)
    }

    fn send(&mut self, command: u32, payload: &[u32]) -> std::io::Result<()> {
        self.stream.write_all(&words(&[payload.len() as u32, command]))?;
        self.stream.write_all(&words(payload))
    }

    /// Waits until all that was sent is done.
    fn wait(&mut self) -> std::io::Result<()> {
        self.send(RESOURCE_BUSY_WAIT, &[0, 0])?;
        self.stream.read_exact(&mut [0; 12])
    }
}

fn header(command: u32, object: u32, length: usize) -> u32 {
    command | object << 8 | (length as u32) << 16
}

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
