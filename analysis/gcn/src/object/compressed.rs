//! Compressed bundles, of clang's offload bundler since version 18.
//!
//! Behind the signature stand the version and the method, of 16 bits, then the size of the whole
//! (from version 2 on), the size of the bundle, and 64 bits of its hash. Sizes are of 32 bits, in
//! version 3 of 64.

use std::io::Read as _;

use memchr::memmem::find_iter;
use ruzstd::decoding::StreamingDecoder;

use super::Fault;
use super::fields::Fields;

/// The signature at the begin of a compressed bundle.
pub(super) const SIGNATURE: &[u8; 4] = b"CCOB";

/// A way of compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Zlib,
    Zstd,
}

/// A compressed bundle at the begin of some bytes.
#[derive(Debug)]
pub(super) struct Compressed<'a> {
    method: Method,
    /// Compressed bytes.
    packed: &'a [u8],
    /// Bytes of the bundle.
    pub(super) unpacked: u64,
    /// The end of the whole.
    pub(super) end: usize,
}

impl<'a> Compressed<'a> {
    /// Reads the header that begins with the bytes, which are more than its own as a rule.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Compressed<'a>, Fault> {
        let mut fields = Fields::new(bytes.get(SIGNATURE.len()..).ok_or(Fault::Header)?);
        let version = fields.short().ok_or(Fault::Header)?;
        let method = match fields.short().ok_or(Fault::Header)? {
            0 => Method::Zlib,
            1 => Method::Zstd,
            other => return Err(Fault::Method(other)),
        };
        let sizes = match version {
            1 => fields.word().map(|unpacked| (None, unpacked)),
            2 => fields.word().and_then(|all| Some((Some(all), fields.word()?))),
            3 => fields.long().and_then(|all| Some((Some(all), fields.long()?))),
            other => return Err(Fault::Version(other)),
        };
        let (all, unpacked) = sizes.ok_or(Fault::Header)?;
        fields.long().ok_or(Fault::Header)?;
        let start = bytes.len() - fields.rest();
        let end = match all {
            Some(all) => {
                usize::try_from(all).ok().filter(|end| (start..=bytes.len()).contains(end))
            }
            // The first version does not say how long it is.
            None => Some(next(bytes, start).unwrap_or(bytes.len())),
        };
        let end = end.ok_or(Fault::Size)?;
        Ok(Compressed { method, packed: &bytes[start..end], unpacked, end })
    }

    /// Returns the bundle, of which at most so many bytes are unpacked.
    pub(super) fn unpack(&self, most: usize) -> Result<Vec<u8>, Fault> {
        let size = usize::try_from(self.unpacked).ok().filter(|size| *size <= most);
        let size = size.ok_or(Fault::Large(self.unpacked))?;
        let unpacked = match self.method {
            Method::Zlib => {
                miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(self.packed, size)
                    .map_err(|_| Fault::Damaged)?
            }
            Method::Zstd => unpack_zstd(self.packed, size)?,
        };
        if unpacked.len() == size { Ok(unpacked) } else { Err(Fault::Damaged) }
    }
}

/// Frames that one bundle is taken apart into at most; compressors make one.
const FRAMES: usize = 64;

/// Unpacks frames that hold no more than so many bytes together.
fn unpack_zstd(mut packed: &[u8], size: usize) -> Result<Vec<u8>, Fault> {
    // A window may be larger than what is in it, yet no larger than what a compressor makes.
    const LEAST_WINDOW: u64 = 8 << 20;
    let window = LEAST_WINDOW.max(size as u64);
    let mut unpacked = Vec::new();
    for _ in 0..FRAMES {
        if unpacked.len() >= size {
            break;
        }
        if let Some(skipped) = skippable(packed) {
            packed = skipped;
            continue;
        }
        let frame = StreamingDecoder::new_with_max_window_size(&mut packed, window);
        let frame = frame.map_err(|_| Fault::Damaged)?;
        let left = size - unpacked.len();
        frame.take(left as u64 + 1).read_to_end(&mut unpacked).map_err(|_| Fault::Damaged)?;
    }
    Ok(unpacked)
}

/// Returns what is behind a frame of some program's own data.
fn skippable(packed: &[u8]) -> Option<&[u8]> {
    let mut fields = Fields::new(packed);
    let is_own = fields.word()? & 0xffff_fff0 == 0x184d_2a50;
    let length = is_own.then(|| fields.word())??;
    packed.get(8..)?.get(usize::try_from(length).ok()?..)
}

/// Finds the next header behind an offset: the signature may also stand in compressed bytes.
fn next(bytes: &[u8], from: usize) -> Option<usize> {
    find_iter(&bytes[from..], SIGNATURE).map(|at| from + at).find(|at| is_header(&bytes[*at..]))
}

/// Tells whether bytes begin as a header of a known version and method does.
pub(super) fn is_header(bytes: &[u8]) -> bool {
    let Some(behind) = bytes.strip_prefix(SIGNATURE) else { return false };
    let mut fields = Fields::new(behind);
    let version = fields.short();
    matches!((version, fields.short()), (Some(1..=3), Some(0 | 1)))
}
