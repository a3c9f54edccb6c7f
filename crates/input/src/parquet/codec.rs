//! Compression of pages.

use std::io::{self, Read};

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
fn snappy(mut packed: &[u8], n: usize, page: &mut Vec<u8>) -> Option<()> {
    let start = page.len();
    // The length comes first.
    let end = packed.iter().position(|byte| byte & 0x80 == 0)?;
    packed = packed.get(end + 1..)?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte));
    while let Some((&tag, rest)) = packed.split_first() {
        let upper = usize::from(tag >> 2);
        let (len, distance, rest) = match tag & 3 {
            0 => {
                // Lengths above 60 are in the next one to four bytes.
                let (len, rest) = rest.split_at_checked(upper.saturating_sub(59))?;
                let len = if upper < 60 { upper } else { number(len) };
                let (text, rest) = rest.split_at_checked(len.checked_add(1)?)?;
                page.extend_from_slice(text);
                packed = rest;
                if page.len() - start > n {
                    return None;
                }
                continue;
            }
            1 => {
                let (&low, rest) = rest.split_first()?;
                ((upper & 7) + 4, (upper >> 3) << 8 | usize::from(low), rest)
            }
            2 => {
                let (distance, rest) = rest.split_at_checked(2)?;
                (upper + 1, number(distance), rest)
            }
            _ => {
                let (distance, rest) = rest.split_at_checked(4)?;
                (upper + 1, number(distance), rest)
            }
        };
        packed = rest;
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
