//! The stream that the transport reads: frames that are in order, and requests for the
//! errors of those that are not.

use std::io::{Read, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

use super::Frames;

/// Bytes that are asked for at once.
const PIECE: usize = 16 << 10;

/// A stream in front of another one.
#[derive(Debug)]
pub(crate) struct FrameReader<I> {
    inner: I,
    frames: Frames,
    /// The bytes that are given out before anything else.
    ready: std::io::Cursor<Vec<u8>>,
}

impl<I> FrameReader<I> {
    /// Looks at each frame of `inner`.
    pub(crate) fn new(inner: I) -> FrameReader<I> {
        FrameReader { inner, frames: Frames::default(), ready: std::io::Cursor::default() }
    }

    /// Gives out what is ready; false if nothing is.
    fn give(&mut self, buffer: &mut ReadBuf<'_>) -> Result<bool> {
        let given = self.ready.read(buffer.initialize_unfilled())?;
        buffer.advance(given);
        Ok(given > 0)
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for FrameReader<I> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let this = self.get_mut();
        loop {
            if buffer.remaining() == 0 || this.give(buffer)? {
                return Poll::Ready(Ok(()));
            }
            if let Some(body) = this.frames.next() {
                let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
                frame.extend_from_slice(&body);
                this.ready = std::io::Cursor::new(frame);
                continue;
            }
            let mut piece = [0; PIECE];
            let mut read = ReadBuf::new(&mut piece);
            ready!(Pin::new(&mut this.inner).poll_read(context, &mut read))?;
            if read.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            this.frames.feed(read.filled());
        }
    }
}
