//! Limits of a query: on time, memory and the size of the output.
//!
//! The defaults are far above the needs of a query that was written to find something. Exceeding a
//! limit is an evaluation error of the game in which it happens or, if it shows before the first
//! game, an error of the query.

/// The limits of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Steps that a game may take: rounds and candidates of loops and searches, the filters that
    /// are evaluated there, instructions of regular expressions. A step takes about ten
    /// nanoseconds; filters that take longer count as several.
    pub steps: u64,
    /// Bytes of a string.
    pub string: u64,
    /// Bytes of the strings and dictionary entries that are held at once; persistent ones count
    /// for as long as they live.
    pub memory: u64,
    /// Positions that a query imagines in a game, by moves or otherwise.
    pub imagined: u64,
    /// Imagined positions that are kept until the game ends; never more than 10,000.
    pub saved: u64,
    /// Comments of a game.
    pub comments: u64,
    /// Bytes of the comments of a game; each comment counts 64 bytes besides its text.
    pub comment_bytes: u64,
    /// Bytes that a game may write: its text or rows, lines of messages, tags and files.
    pub output: u64,
    /// Images that all transforms of a query make together.
    pub images: u64,
    /// Filters of a query, those of all images counted.
    pub filters: u64,
    /// Maximum depth of nested filters.
    pub nesting: u64,
    /// Bytes of a regular expression.
    pub regex: u64,
}

/// A limit that is exceeded while a game is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::steps`]
    Steps,
    /// [`Limits::string`]
    String,
    /// [`Limits::memory`]
    Memory,
    /// [`Limits::imagined`]
    Imagined,
    /// [`Limits::saved`]
    Saved,
    /// [`Limits::comments`]
    Comments,
    /// [`Limits::comment_bytes`]
    CommentBytes,
    /// [`Limits::output`]
    Output,
    /// No configurable limit: the filter has no meaning under the rules of the game.
    Rules(&'static str),
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 400_000_000,
            string: 16_000_000,
            memory: 64_000_000,
            imagined: 50_000_000,
            saved: 1000,
            comments: 1_000_000,
            comment_bytes: 128_000_000,
            output: 100_000_000,
            images: 200_000,
            filters: 2_000_000,
            nesting: Limits::MOST_NESTING,
            regex: 100_000,
        }
    }
}

impl Limits {
    /// Greatest value of the limit on nesting, because reading and evaluating filters recurses.
    pub const MOST_NESTING: u64 = 400;

    /// The name and the value of each limit.
    pub fn each(&mut self) -> [(&'static str, &mut u64); 12] {
        [
            ("steps", &mut self.steps),
            ("string", &mut self.string),
            ("memory", &mut self.memory),
            ("imagined", &mut self.imagined),
            ("saved", &mut self.saved),
            ("comments", &mut self.comments),
            ("comment-bytes", &mut self.comment_bytes),
            ("output", &mut self.output),
            ("images", &mut self.images),
            ("filters", &mut self.filters),
            ("nesting", &mut self.nesting),
            ("regex", &mut self.regex),
        ]
    }

    /// The message for a game that exceeds a limit.
    pub fn message(&self, limit: Limit) -> String {
        let (what, name, value) = match limit {
            Limit::Rules(filter) => {
                return format!("`{filter}` has no meaning by the rules of this variant");
            }
            Limit::Steps => ("the query takes too many steps on this game", "steps", self.steps),
            Limit::String => ("a string becomes too long", "string", self.string),
            Limit::Memory => {
                ("the variables and dictionaries hold too much", "memory", self.memory)
            }
            Limit::Imagined => ("the query imagines too many positions", "imagined", self.imagined),
            Limit::Saved => ("the query keeps too many positions", "saved", self.saved),
            Limit::Comments => ("the query makes too many comments", "comments", self.comments),
            Limit::CommentBytes => {
                ("the comments of the query become too long", "comment-bytes", self.comment_bytes)
            }
            Limit::Output => ("the query writes too much for this game", "output", self.output),
        };
        format!("{what} (the limit is {name}={value})")
    }
}
