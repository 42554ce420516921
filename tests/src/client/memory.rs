//! A server in memory, on a thread of this process.

use std::io::{Read, Write};
use std::path::PathBuf;

use serde_json::{Value, json};
use server::lsp::{ServerEnv, serve};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::runtime::{Builder, Runtime};

use super::{Client, Server};

impl Client {
    /// Starts a server in folders, by their URIs, with this program for the compiler
    /// process.
    pub fn in_folders(
        folders: &[String],
        capabilities: Value,
        options: Value,
        worker: PathBuf,
    ) -> Client {
        // Results of other runs would hide what is compiled.
        let env = ServerEnv { worker, ..ServerEnv::default() };
        Client::in_env(folders, capabilities, options, env)
    }

    /// The same with all that the server needs of the machine.
    pub fn in_env(
        folders: &[String],
        capabilities: Value,
        options: Value,
        env: ServerEnv,
    ) -> Client {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (output, input) = tokio::io::split(ours);
        let server = std::thread::spawn(move || {
            let (input, output) = tokio::io::split(theirs);
            runtime().block_on(serve(input, output, env))
        });
        let folder = |uri: &String| json!({"uri": uri, "name": uri});
        let params = json!({
            "processId": null,
            "rootUri": null,
            "workspaceFolders": folders.iter().map(folder).collect::<Vec<_>>(),
            "capabilities": capabilities,
            "initializationOptions": options,
        });
        let server = Server::Thread(Some(server));
        Client::connect(server, Box::new(Blocking::new(input)), Blocking::new(output), params)
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap_or_else(|error| panic!("{error}"))
}

/// A stream whose reads and writes wait.
struct Blocking<Stream> {
    stream: Stream,
    runtime: Runtime,
}

impl<Stream> Blocking<Stream> {
    fn new(stream: Stream) -> Blocking<Stream> {
        Blocking { stream, runtime: runtime() }
    }
}

impl<Stream: AsyncRead + Unpin> Read for Blocking<Stream> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.runtime.block_on(self.stream.read(buffer))
    }
}

impl<Stream: AsyncWrite + Unpin> Write for Blocking<Stream> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.runtime.block_on(self.stream.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.runtime.block_on(self.stream.flush())
    }
}
