//! State of a path while it is searched and after it has matched.

/// The best match of a path or line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Best {
    pub(crate) value: i32,
    pub(crate) end: u32,
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
pub(crate) struct PathProgress {
    pub(crate) start: u32,
    pub(crate) count: i32,
    pub(crate) best_end: Option<u32>,
}
