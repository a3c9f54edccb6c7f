//! The checksum at the end of a Syzygy table.
//!
//! A table ends with 16 bytes: the CityHash of the CityHashes of its chunks of 16 MB. The functions
//! are those of CityHash 1.0.3, which later versions changed. They follow the published code, which
//! has this license:
//!
//! Copyright (c) 2011 Google, Inc.
//!
//! Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
//! associated documentation files (the "Software"), to deal in the Software without restriction,
//! including without limitation the rights to use, copy, modify, merge, publish, distribute,
//! sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
//! furnished to do so, subject to the following conditions:
//!
//! The above copyright notice and this permission notice shall be included in all copies or
//! substantial portions of the Software.
//!
//! THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
//! NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
//! NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
//! DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
//! OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

use std::io::{self, Read};

/// Bytes of the checksum.
pub(super) const LENGTH: u64 = 16;

/// Tables are padded to a multiple of this number of bytes.
pub(super) const PADDING: u64 = 64;

/// Bytes that are hashed together.
const CHUNK: usize = 1 << 24;

/// Bytes of the hashes of chunks from which the other function hashes them.
const LONG: usize = 900;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;

/// Returns the checksum of `length` bytes.
///
/// # Errors
/// The bytes cannot be read, or there are fewer.
pub(super) fn checksum(from: &mut impl Read, length: u64) -> io::Result<[u8; 16]> {
    let mut hashes = Vec::new();
    let mut chunk = Vec::new();
    let mut left = length;
    while left > 0 {
        chunk.clear();
        let size = left.min(CHUNK as u64);
        if from.take(size).read_to_end(&mut chunk)? as u64 != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        hashes.extend(hash_of_chunk(&chunk).into_iter().flat_map(u64::to_le_bytes));
        left -= size;
    }
    let [low, high] = hash_of_hashes(&hashes);
    let mut sum = [0; 16];
    sum[..8].copy_from_slice(&low.to_le_bytes());
    sum[8..].copy_from_slice(&high.to_le_bytes());
    Ok(sum)
}

/// `CityHashCrc128`
fn hash_of_hashes(bytes: &[u8]) -> [u64; 2] {
    if bytes.len() <= LONG {
        return city_128(bytes);
    }
    let [_, _, low, high] = hash_of_chunk(bytes);
    [low, high]
}

/// `CityHashCrc256`
fn hash_of_chunk(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= 240 {
        return crc_256(bytes, 0);
    }
    let mut padded = [0; 240];
    padded[..bytes.len()].copy_from_slice(bytes);
    crc_256(&padded, !(bytes.len() as u32))
}

/// `CityHashCrc256Long`
fn crc_256(bytes: &[u8], seed: u32) -> [u64; 4] {
    let length = bytes.len() as u64;
    let seed = u64::from(seed);
    let a = word(bytes, 56).wrapping_add(K0);
    let b = word(bytes, 96).wrapping_add(K0);
    let mut first = hash_pair(b, length);
    let mut second = word(bytes, 120).wrapping_mul(K0).wrapping_add(length);
    let (c, d) = (first, second);
    let e = word(bytes, 184).wrapping_add(seed);
    let mut state = CrcState {
        words: [a, b, c, d, e],
        last: c.wrapping_add(d),
        sums: [seed as u32, 0, 0, 0, 0],
    };
    let n_whole = bytes.len() / 240 * 240;
    for (i, block) in bytes[..n_whole].chunks_exact(40).enumerate() {
        if i % 2 == 0 { state.mix(block, 1, 1) } else { state.mix(block, K0, 0) }
    }
    let rest = &bytes[n_whole..];
    rest.chunks_exact(40).for_each(|block| state.mix(block, K0, 0));
    if !rest.len().is_multiple_of(40) {
        state.mix(&bytes[bytes.len() - 40..], K0, 0);
    }
    let CrcState { words: [mut a, mut b, mut c, mut d, mut e], last, sums } = state;
    let [mut f, mut g, mut h, mut i, mut j] = sums.map(u64::from);
    j = j.wrapping_add(i << 32);
    a = hash_pair(a, j);
    h = h.wrapping_add(g << 32);
    b = b.wrapping_add(h);
    c = hash_pair(c, f).wrapping_add(i);
    d = hash_pair(d, e.wrapping_add(first));
    j = j.wrapping_add(e);
    i = i.wrapping_add(hash_pair(h, last));
    e = hash_pair(a, d).wrapping_add(j);
    f = hash_pair(b, c).wrapping_add(a);
    g = hash_pair(j, i).wrapping_add(c);
    first = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    a = shift_mix(a.wrapping_add(g).wrapping_mul(K0)).wrapping_mul(K0).wrapping_add(b);
    second = second.wrapping_add(a).wrapping_add(first);
    a = shift_mix(a.wrapping_mul(K0)).wrapping_mul(K0).wrapping_add(c);
    let third = a.wrapping_add(second);
    a = shift_mix(a.wrapping_add(e).wrapping_mul(K0)).wrapping_mul(K0);
    [first, second, third, a.wrapping_add(third)]
}

/// State of [`crc_256`] between blocks of 40 bytes.
struct CrcState {
    words: [u64; 5],
    last: u64,
    sums: [u32; 5],
}

impl CrcState {
    #[inline]
    fn mix(&mut self, block: &[u8], factor: u64, turn: u32) {
        let [a, b, c, d, e] = self.words;
        let mixed = |value: u64, by: u32, at: usize| {
            value.rotate_right(by ^ turn).wrapping_mul(factor).wrapping_add(word(block, at))
        };
        self.words = [
            mixed(b, 41, 0),
            mixed(c, 27, 8),
            mixed(d, 41, 16),
            mixed(e, 33, 24),
            mixed(self.last, 25, 32),
        ];
        self.last = a;
        for (sum, value) in self.sums.iter_mut().zip(self.words) {
            *sum = crc(*sum, value);
        }
    }
}

/// Tables of the CRC-32C of a byte, followed by zero to seven others.
static CRC_TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 256 {
        let (mut sum, mut bit) = (i as u32, 0);
        while bit < 8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0x82f6_3b78 } else { sum >> 1 };
            bit += 1;
        }
        tables[0][i] = sum;
        i += 1;
    }
    let mut n = 1;
    while n < 8 {
        let mut i = 0;
        while i < 256 {
            let before = tables[n - 1][i];
            tables[n][i] = before >> 8 ^ tables[0][(before & 0xff) as usize];
            i += 1;
        }
        n += 1;
    }
    tables
};

/// The CRC-32C with eight more bytes, as processors compute it.
#[inline]
fn crc(sum: u32, value: u64) -> u32 {
    let bytes = (value ^ u64::from(sum)).to_le_bytes();
    let parts = bytes.iter().zip(CRC_TABLES.iter().rev());
    parts.fold(0, |sum, (&byte, table)| sum ^ table[usize::from(byte)])
}

/// `CityHash128` of 16 bytes or more.
fn city_128(bytes: &[u8]) -> [u64; 2] {
    let (seed, rest) = bytes.split_at(16);
    let (low, high) = (word(seed, 0) ^ K3, word(seed, 8));
    if rest.len() < 128 { murmur(rest, low, high) } else { long_128(rest, low, high) }
}

/// `CityMurmur` of 16 bytes or more.
fn murmur(bytes: &[u8], low: u64, high: u64) -> [u64; 2] {
    let length = bytes.len();
    let (mut a, mut b, mut c, mut d);
    b = high;
    if length == 16 {
        let (first, last) = (word(bytes, 0), word(bytes, 8));
        a = shift_mix(low.wrapping_mul(K1)).wrapping_mul(K1);
        let hash = hash_pair(first, last.wrapping_add(16).rotate_right(16)) ^ last;
        c = b.wrapping_mul(K1).wrapping_add(hash);
        d = shift_mix(a.wrapping_add(first));
    } else {
        c = hash_pair(word(bytes, length - 8).wrapping_add(K1), low);
        let end = c.wrapping_add(word(bytes, length - 16));
        d = hash_pair(b.wrapping_add(length as u64), end);
        a = low.wrapping_add(d);
        for block in bytes[..length - 16].chunks(16) {
            a ^= shift_mix(word(block, 0).wrapping_mul(K1)).wrapping_mul(K1);
            a = a.wrapping_mul(K1);
            b ^= a;
            c ^= shift_mix(word(block, 8).wrapping_mul(K1)).wrapping_mul(K1);
            c = c.wrapping_mul(K1);
            d ^= c;
        }
    }
    a = hash_pair(a, c);
    b = hash_pair(d, b);
    [a ^ b, hash_pair(b, a)]
}

/// `CityHash128WithSeed` of 128 bytes or more.
fn long_128(bytes: &[u8], low: u64, high: u64) -> [u64; 2] {
    let (mut x, mut y) = (low, high);
    let mut z = (bytes.len() as u64).wrapping_mul(K1);
    let mut v = [0; 2];
    v[0] = (y ^ K1).rotate_right(49).wrapping_mul(K1).wrapping_add(word(bytes, 0));
    v[1] = v[0].rotate_right(42).wrapping_mul(K1).wrapping_add(word(bytes, 8));
    let mut w = [
        y.wrapping_add(z).rotate_right(35).wrapping_mul(K1).wrapping_add(x),
        x.wrapping_add(word(bytes, 88)).rotate_right(53).wrapping_mul(K1),
    ];
    let n_whole = bytes.len() / 128 * 128;
    for block in bytes[..n_whole].chunks_exact(64) {
        let sum = x.wrapping_add(y).wrapping_add(v[0]).wrapping_add(word(block, 8));
        x = sum.rotate_right(37).wrapping_mul(K1) ^ w[1];
        y = y.wrapping_add(v[1]).wrapping_add(word(block, 48)).rotate_right(42).wrapping_mul(K1);
        y = y.wrapping_add(v[0]).wrapping_add(word(block, 40));
        z = z.wrapping_add(w[0]).rotate_right(33).wrapping_mul(K1);
        v = hash_32(&block[..32], v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        w = hash_32(&block[32..], z.wrapping_add(w[1]), y.wrapping_add(word(block, 16)));
        std::mem::swap(&mut z, &mut x);
    }
    x = x.wrapping_add(v[0].wrapping_add(z).rotate_right(49).wrapping_mul(K0));
    z = z.wrapping_add(w[0].rotate_right(37).wrapping_mul(K0));
    // From the end, and beyond the beginning of the rest.
    let n_rest = (bytes.len() - n_whole).div_ceil(32);
    for n in 1..=n_rest {
        let block = &bytes[bytes.len() - 32 * n..][..32];
        y = x.wrapping_add(y).rotate_right(42).wrapping_mul(K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(block, 16));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(word(block, 0));
        w[1] = w[1].wrapping_add(v[0]);
        v = hash_32(block, v[0].wrapping_add(z), v[1]);
    }
    x = hash_pair(x, v[0]);
    y = hash_pair(y.wrapping_add(z), w[0]);
    [
        hash_pair(x.wrapping_add(v[1]), w[1]).wrapping_add(y),
        hash_pair(x.wrapping_add(w[1]), y.wrapping_add(v[1])),
    ]
}

/// `WeakHashLen32WithSeeds`
fn hash_32(block: &[u8], a: u64, b: u64) -> [u64; 2] {
    let last = word(block, 24);
    let a = a.wrapping_add(word(block, 0));
    let b = b.wrapping_add(a).wrapping_add(last).rotate_right(21);
    let sum = a.wrapping_add(word(block, 8)).wrapping_add(word(block, 16));
    let b = b.wrapping_add(sum.rotate_right(44));
    [sum.wrapping_add(last), b.wrapping_add(a)]
}

/// `Hash128to64`
fn hash_pair(low: u64, high: u64) -> u64 {
    const FACTOR: u64 = 0x9ddf_ea08_eb38_2d69;
    let mix = |value: u64| shift_mix(value.wrapping_mul(FACTOR));
    let a = mix(low ^ high);
    mix(high ^ a).wrapping_mul(FACTOR)
}

fn shift_mix(value: u64) -> u64 {
    value ^ value >> 47
}

/// The eight bytes at `at`, the lowest one first.
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that differ from chunk to chunk.
    fn bytes(n: usize) -> Vec<u8> {
        (0..n).map(|i| (i * i + 7 * i + 3 * (i >> 24)) as u8).collect()
    }

    /// A file that gives at most so many bytes at once.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = buffer.len().min(self.1);
            self.0.read(&mut buffer[..n])
        }
    }

    /// The values were computed by the C++ code of version 1.0.3.
    #[test]
    fn hashes_equal_those_of_the_published_code() {
        for (n, hash) in [
            (32, [0xb8c2_8f30_30e7_bda4, 0xbc03_f14b_6d22_eda4]),
            (64, [0x8936_6dc1_0800_bc24, 0x8e73_89cb_762c_a9e3]),
            (128, [0xfc39_3964_33e1_66cc, 0x6fd4_0794_120c_ce04]),
            (144, [0x50c8_05e6_5567_a7c0, 0x94ba_b0b8_3911_aab4]),
            (160, [0xf459_8b5a_da9b_b758, 0x2e43_2b05_42b7_2c12]),
            (288, [0xac8d_9c34_321d_f9a3, 0x419f_12e6_1bc9_a47d]),
            (896, [0x8645_76a9_7fe9_4457, 0xdc3f_8b51_c0e5_2fc8]),
            (928, [0xeb9d_eb96_afe2_d0b7, 0xbe6b_9168_b85b_5ea5]),
        ] {
            assert_eq!(hash_of_hashes(&bytes(n)), hash, "{n}");
        }
        for (n, hash) in [
            (
                64,
                [
                    0x792e_6c44_7ebf_7401,
                    0xd2b5_a7f2_81a3_35ed,
                    0xa7d1_c31a_75d7_ce9a,
                    0x7c6e_8e6e_72aa_0cd5,
                ],
            ),
            (
                192,
                [
                    0x5cf9_b908_b11e_e000,
                    0x606f_92d4_3fb3_95e2,
                    0x5412_c90d_3725_5430,
                    0xb201_e9a7_e2cb_9e70,
                ],
            ),
            (
                256,
                [
                    0x2094_2722_af1c_05a3,
                    0x6961_2ea7_826b_d7af,
                    0x4785_f7a5_4647_9e55,
                    0x35c9_e4ac_78f9_3fa2,
                ],
            ),
            (
                320,
                [
                    0x8988_cd13_e9df_77a8,
                    0x5feb_69b2_7be0_1a31,
                    0xcbfc_3865_41ce_ead0,
                    0x8845_b9f7_69cd_847f,
                ],
            ),
            (
                1024,
                [
                    0x0af2_3869_1710_7ceb,
                    0x7ea9_a4a8_43a8_0e38,
                    0xcf21_d986_698b_5d7c,
                    0x68cd_7e74_ecb9_da8a,
                ],
            ),
            (
                4096,
                [
                    0xdea4_71c6_4c35_00ab,
                    0x91d4_f9e0_8909_4ad9,
                    0xb0b1_8d7b_3ace_0d80,
                    0x0386_d22f_f364_6d39,
                ],
            ),
        ] {
            assert_eq!(hash_of_chunk(&bytes(n)), hash, "{n}");
        }
    }

    /// The values were computed by the same code, as the hash of the hashes of the chunks.
    #[test]
    fn long_tables_are_hashed_by_chunks() {
        let bytes = bytes(2 * CHUNK + 4160);
        let sum = |length: usize, at_once: usize| {
            let sum = checksum(&mut Slow(&bytes, at_once), length as u64).expect("a checksum");
            [word(&sum, 0), word(&sum, 8)]
        };
        for (n, expected) in [
            (1024, [0xad6e_8d59_5870_52be, 0x6925_eb88_e48c_800f]),
            (CHUNK, [0xa7b6_bcfe_d820_4722, 0x2f65_4aca_cddc_341f]),
            (CHUNK + 64, [0xc571_c3fc_cea1_1a49, 0x9501_8419_a8dd_24ed]),
            (2 * CHUNK, [0x7404_5b91_6a4a_5193, 0x7e34_1d73_8d66_fbf4]),
            (2 * CHUNK + 4160, [0x1904_3375_06c4_26fd, 0xdf3f_7811_6a49_cce5]),
        ] {
            assert_eq!(sum(n, usize::MAX), expected, "{n}");
        }
        assert_eq!(sum(2 * CHUNK, CHUNK - 1), sum(2 * CHUNK, usize::MAX));
        // A table that is cut where a chunk ends is noticed, too.
        let cut = &bytes[..CHUNK];
        let error = checksum(&mut Slow(cut, usize::MAX), 2 * CHUNK as u64).expect_err("too few");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_checksum_needs_all_bytes() {
        let bytes = bytes(128);
        let whole = checksum(&mut &bytes[..], 128).expect("a checksum");
        assert_ne!(whole, checksum(&mut &bytes[..], 64).expect("a checksum"));
        let error = checksum(&mut &bytes[..], 192).expect_err("too few");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
