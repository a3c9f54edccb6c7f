//! Reads structures in the compact protocol of Apache Thrift, in which Parquet describes itself.

use std::io::{self, Read};

use super::super::bytes::{append, varint, zigzag};

/// Kinds of values.
pub(super) const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const INTEGERS: std::ops::RangeInclusive<u8> = 4..=6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
pub(super) const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
pub(super) const STRUCT: u8 = 12;

/// Largest number of values within each other.
const DEEPEST: u32 = 32;

/// Reads values one after the other.
pub(super) struct Thrift<R> {
    pub(super) from: R,
}

impl<R: Read> Thrift<R> {
    /// Reads a structure. `field` receives the number and the kind of each field, and returns
    /// whether it has read the value.
    pub(super) fn structure(
        &mut self,
        field: &mut dyn FnMut(&mut Self, u64, u8) -> io::Result<bool>,
    ) -> io::Result<()> {
        let mut number = 0;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            number = match head >> 4 {
                0 => self.integer()? as u64,
                step => number.saturating_add(u64::from(step)),
            };
            if !field(self, number, head & 15)? {
                self.skip(head & 15, DEEPEST)?;
            }
        }
    }

    /// Reads a list of structures, each with `element`.
    pub(super) fn structures(
        &mut self,
        element: &mut dyn FnMut(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        let (n, kind) = self.list()?;
        if kind != STRUCT {
            return Err(damaged());
        }
        (0..n).try_for_each(|_| element(self))
    }

    /// Reads an integer of any size.
    pub(super) fn integer(&mut self) -> io::Result<i64> {
        self.varint().map(zigzag)
    }

    /// Reads a text.
    pub(super) fn text(&mut self) -> io::Result<String> {
        let n = self.varint()?;
        let mut text = Vec::new();
        append(&mut self.from, n, &mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Reads the head of a list: the number and the kind of its values.
    fn list(&mut self) -> io::Result<(u64, u8)> {
        let head = self.byte()?;
        let n = match head >> 4 {
            15 => self.varint()?,
            n => u64::from(n),
        };
        Ok((n, head & 15))
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.from.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn varint(&mut self) -> io::Result<u64> {
        varint(&mut self.from, 64)?.ok_or_else(damaged)
    }

    fn skip(&mut self, kind: u8, depth: u32) -> io::Result<()> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(damaged());
        };
        match kind {
            TRUE | FALSE => Ok(()),
            BYTE => self.byte().map(drop),
            kind if INTEGERS.contains(&kind) => self.varint().map(drop),
            DOUBLE => self.skip_bytes(8),
            BINARY => {
                let n = self.varint()?;
                self.skip_bytes(n)
            }
            LIST | SET => {
                let (n, kind) = self.list()?;
                // Here, truth values have a byte of their own.
                let kind = if kind == FALSE { BYTE } else { kind.max(BYTE) };
                (0..n).try_for_each(|_| self.skip(kind, depth))
            }
            MAP => {
                let n = self.varint()?;
                let kinds = if n == 0 { 0 } else { self.byte()? };
                (0..n).try_for_each(|_| {
                    self.skip(kinds >> 4, depth)?;
                    self.skip(kinds & 15, depth)
                })
            }
            STRUCT => loop {
                let head = self.byte()?;
                if head == 0 {
                    break Ok(());
                }
                if head >> 4 == 0 {
                    self.varint()?;
                }
                self.skip(head & 15, depth)?;
            },
            _ => Err(damaged()),
        }
    }

    fn skip_bytes(&mut self, n: u64) -> io::Result<()> {
        match io::copy(&mut self.from.by_ref().take(n), &mut io::sink())? {
            skipped if skipped < n => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

fn damaged() -> io::Error {
    io::Error::other("a structure is damaged")
}
