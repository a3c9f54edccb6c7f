//! Compression of pages.

use std::io::{self, Read};

use super::super::bytes::Bytes;

/// Appends `n` bytes, which were compressed to `packed`.
pub(super) fn unpack(codec: i64, packed: &[u8], n: usize, page: &mut Vec<u8>) -> io::Result<()> {
    match codec {
        0 => {
            page.extend_from_slice(packed);
            Ok(())
        }
        1 => snappy(packed, n, page).ok_or_else(|| io::Error::other("a page is damaged")),
        // One byte more shows that there are too many.
        2 => read(flate2::bufread::MultiGzDecoder::new(packed), n, page),
        6 => read(zstd::Decoder::with_buffer(packed)?, n, page),
        7 => {
            let unpacked = lz4_flex::block::decompress(packed, n).map_err(io::Error::other)?;
            page.extend_from_slice(&unpacked);
            Ok(())
        }
        other => {
            let name = match other {
                3 => "LZO",
                4 => "Brotli",
                5 => "the old LZ4",
                _ => "an unknown compression",
            };
            Err(io::Error::other(format!(
                "{name} is not read: write the table with Zstandard, Snappy, gzip or LZ4"
            )))
        }
    }
}

fn read(from: impl Read, n: usize, page: &mut Vec<u8>) -> io::Result<()> {
    from.take(n as u64 + 1).read_to_end(page).map(drop)
}

/// Decompresses Snappy: texts, and copies of what came before.
fn snappy(packed: &[u8], n: usize, page: &mut Vec<u8>) -> Option<()> {
    let start = page.len();
    let mut packed = Bytes(packed);
    // The length comes first.
    while packed.byte()? & 0x80 != 0 {}
    while let Some(tag) = packed.byte() {
        let upper = tag >> 2;
        let (len, distance) = match tag & 3 {
            0 => {
                // Lengths above 60 are in the next one to four bytes.
                let len = match upper {
                    0..60 => u64::from(upper),
                    _ => packed.word(upper - 59)?,
                };
                page.extend_from_slice(packed.take(len + 1)?);
                if page.len() - start > n {
                    return None;
                }
                continue;
            }
            1 => ((upper & 7) + 4, u64::from(upper >> 3) << 8 | u64::from(packed.byte()?)),
            2 => (upper + 1, packed.word(2)?),
            _ => (upper + 1, packed.word(4)?),
        };
        let (len, distance) = (usize::from(len), usize::try_from(distance).ok()?);
        let done = page.len() - start;
        if distance == 0 || distance > done || done + len > n {
            return None;
        }
        let from = page.len() - distance;
        // A copy may repeat itself.
        for i in from..from + len {
            page.push(page[i]);
        }
    }
    (page.len() - start == n).then_some(())
}
