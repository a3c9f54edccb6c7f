//! State of a path while it is searched and after it has matched.

/// The best match of a path or line.
#[derive(Debug, Clone, Copy)]
pub(in crate::eval) struct Best {
    pub(in crate::eval) value: i32,
    pub(in crate::eval) end: u32,
}

/// The most recent path that matched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathStatus {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) count: i32,
}

/// A path that is being searched.
#[derive(Debug, Clone)]
pub(in crate::eval) struct Progress {
    pub(in crate::eval) start: u32,
    pub(in crate::eval) count: i32,
    pub(in crate::eval) best_end: Option<u32>,
}
