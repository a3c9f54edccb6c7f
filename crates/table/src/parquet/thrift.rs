//! Writes the compact protocol of Apache Thrift, as far as page headers and the footer need it.

/// Type of a value.
#[derive(Clone, Copy)]
pub(super) enum ThriftType {
    Int32 = 5,
    Int64 = 6,
    Text = 8,
    List = 9,
    Struct = 12,
}

/// Struct that is being written.
pub(super) struct Thrift {
    out: Vec<u8>,
    /// The last field of each open struct.
    last: Vec<u8>,
}

impl Thrift {
    /// Returns the bytes of a struct with these fields, given in ascending order.
    pub(super) fn of(fields: impl FnOnce(&mut Thrift)) -> Vec<u8> {
        let mut thrift = Thrift { out: Vec::new(), last: Vec::new() };
        thrift.body(fields);
        thrift.out
    }

    fn body(&mut self, fields: impl FnOnce(&mut Thrift)) {
        self.last.push(0);
        fields(self);
        self.last.pop();
        self.out.push(0);
    }

    fn field(&mut self, id: u8, kind: ThriftType) {
        let last = self.last.last_mut().expect("a struct is open");
        self.out.push((id - *last) << 4 | kind as u8);
        *last = id;
    }

    pub(super) fn int32(&mut self, id: u8, n: i32) {
        self.field(id, ThriftType::Int32);
        self.zigzag(n.into());
    }

    pub(super) fn int64(&mut self, id: u8, n: i64) {
        self.field(id, ThriftType::Int64);
        self.zigzag(n);
    }

    pub(super) fn text(&mut self, id: u8, text: &str) {
        self.field(id, ThriftType::Text);
        self.bytes(text);
    }

    pub(super) fn structure(&mut self, id: u8, fields: impl FnOnce(&mut Thrift)) {
        self.field(id, ThriftType::Struct);
        self.body(fields);
    }

    /// Writes a list, with `each` for its items.
    fn list<T>(&mut self, id: u8, kind: ThriftType, items: &[T], each: impl Fn(&mut Thrift, &T)) {
        self.field(id, ThriftType::List);
        match items.len() {
            n @ 0..15 => self.out.push((n as u8) << 4 | kind as u8),
            n => {
                self.out.push(0xf0 | kind as u8);
                varint(n as u64, &mut self.out);
            }
        }
        items.iter().for_each(|item| each(self, item));
    }

    pub(super) fn structures<T>(&mut self, id: u8, items: &[T], fields: impl Fn(&mut Thrift, &T)) {
        self.list(id, ThriftType::Struct, items, |thrift, item| {
            thrift.body(|thrift| fields(thrift, item));
        });
    }

    pub(super) fn int32s(&mut self, id: u8, items: &[i32]) {
        self.list(id, ThriftType::Int32, items, |thrift, &n| thrift.zigzag(n.into()));
    }

    pub(super) fn texts(&mut self, id: u8, items: &[&str]) {
        self.list(id, ThriftType::Text, items, |thrift, text| thrift.bytes(text));
    }

    fn bytes(&mut self, text: &str) {
        varint(text.len() as u64, &mut self.out);
        self.out.extend(text.bytes());
    }

    fn zigzag(&mut self, n: i64) {
        varint(((n << 1) ^ (n >> 63)) as u64, &mut self.out);
    }
}

/// Appends a number in groups of seven bits, the lowest first.
pub(super) fn varint(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_are_bytes() {
        let bytes = Thrift::of(|t| {
            t.int32(1, -1);
            t.int64(3, 300);
            t.text(4, "ab");
            t.structure(10, |t| t.structure(1, |_| {}));
            t.int32s(11, &[0; 16]);
            t.structures(12, &[7], |t, &n| t.int32(2, n));
        });
        let mut expected = vec![0x15, 1, 0x26, 0xd8, 4, 0x18, 2, b'a', b'b', 0x6c, 0x1c, 0, 0];
        expected.extend([0x19, 0xf5, 16].into_iter().chain([0; 16]));
        expected.extend([0x19, 0x1c, 0x25, 14, 0, 0]);
        assert_eq!(bytes, expected);
    }
}
