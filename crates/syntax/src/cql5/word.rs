//! The reserved words of CQL 5. Words for directions are not reserved.

macro_rules! words {
    ($($variant:ident $text:literal,)*) => {
        /// A reserved word.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Word { $($variant,)* }

        impl Word {
            /// All reserved words.
            pub const ALL: &'static [Word] = &[$(Word::$variant,)*];

            /// Returns the spelling.
            pub const fn text(self) -> &'static str {
                match self { $(Word::$variant => $text,)* }
            }

            /// Returns the word with this spelling. CQL is case-sensitive.
            pub fn from_text(text: &str) -> Option<Word> {
                match text { $($text => Some(Word::$variant),)* _ => None }
            }
        }
    };
}

words! {
    All "all",
    Ancestor "ancestor",
    Any "any",
    Attack "attack",
    Attacks "attacks",
    BeginVariation "beginvariation",
    Between "between",
    Black "black",
    Btm "btm",
    Check "check",
    Cql "cql",
    Comment "comment",
    CountSquares "countsquares",
    DarkSquares "darksquares",
    Depth "depth",
    Descendant "descendant",
    Dihedral "dihedral",
    Dot ".",
    EchoDihedral "echodihedral",
    EchoFlip "echoflip",
    EchoFlipDihedral "echoflipdihedral",
    EchoFlipHorizontal "echofliphorizontal",
    EchoFlipVertical "echoflipvertical",
    EchoRotate45 "echorotate45",
    EchoRotate90 "echorotate90",
    EchoShift "echoshift",
    EchoShiftHorizontal "echoshifthorizontal",
    EchoShiftVertical "echoshiftvertical",
    Elo "elo",
    EnPassant "enpassant",
    EnPassantSquare "enpassantsquare",
    Event "event",
    Extension "extension",
    Flip "flip",
    FlipColor "flipcolor",
    FlipDihedral "flipdihedral",
    FlipHorizontal "fliphorizontal",
    FlipVertical "flipvertical",
    From "from",
    GameNumber "gamenumber",
    HasComment "hascomment",
    In "in",
    Initial "initial",
    Input "input",
    LcaMax "lcamax",
    LcaSource "lcasource",
    LcaSubstring "lcasubstring",
    LcaSum "lcasum",
    LcaTarget "lcatarget",
    Legal "legal",
    LightSquares "lightsquares",
    Mainline "mainline",
    Match "match",
    MatchCount "matchcount",
    Mate "mate",
    Max "max",
    Min "min",
    Mismatch "mismatch",
    Move "move",
    MoveNumber "movenumber",
    NestBan "nestban",
    Next "next",
    Next2 "next2",
    Not "not",
    Null "null",
    Number "number",
    On "on",
    Or "or",
    Origin "origin",
    Output "output",
    Pgn "pgn",
    Piece "piece",
    Player "player",
    Power "power",
    PowerDifference "powerdifference",
    Previous "previous",
    Previous2 "previous2",
    Primary "primary",
    Promote "promote",
    Ray "ray",
    Relation "relation",
    Result "result",
    Rotate45 "rotate45",
    Rotate90 "rotate90",
    Secondary "secondary",
    Shift "shift",
    ShiftHorizontal "shifthorizontal",
    ShiftVertical "shiftvertical",
    Silent "silent",
    Site "site",
    Sort "sort",
    SourceSquares "sourcesquares",
    Square "square",
    Stalemate "stalemate",
    TargetSquares "targetsquares",
    Terminal "terminal",
    To "to",
    ToMove "tomove",
    Variation "variation",
    Variations "variations",
    White "white",
    Wtm "wtm",
    Year "year",
}
