//! The rows of all words.

use super::{Bare, Entry, Reads, Regular, Signature, WordRow, sorted};
use crate::level;
use crate::types::Type;

/// Defines the words of one class as an enum, with their rows.
macro_rules! class {
    (
        $(#[$doc:meta])* $class:ident
        $($word:ident $text:literal $reads:ident $says:literal $($field:ident: $value:expr,)*;)*
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum $class { $($word,)* }

        impl $class {
            /// All words of the class.
            pub const ALL: &'static [$class] = &[$($class::$word,)*];

            /// Returns the row of the word.
            pub const fn row(self) -> &'static WordRow {
                match self {
                    $($class::$word => {
                        const ROW: WordRow = WordRow {
                            word: $text,
                            reads: Reads::$reads,
                            says: $says,
                            $($field: $value,)*
                            ..WordRow::NEW
                        };
                        &ROW
                    })*
                }
            }
        }
    };
}

/// Defines an enum of the classes with the same number of operands.
macro_rules! arity {
    ($(#[$doc:meta])* $arity:ident $($(#[$class_doc:meta])* $class:ident,)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $arity { $($(#[$class_doc])* $class($class),)* }

        impl $arity {
            /// Returns the row of the word.
            pub const fn row(self) -> &'static WordRow {
                match self { $($arity::$class(word) => word.row(),)* }
            }
        }
    };
}

macro_rules! table {
    (
        nullary { $($(#[$n_doc:meta])* $n_class:ident -> $n_value:ident {
            $($n:ident $n_text:literal $n_manual:literal $n_reads:ident $n_says:literal $({ $($n_field:ident: $n_more:expr),* $(,)? })?;)*
        })* }
        unary { $($(#[$u_doc:meta])* $u_class:ident($u_operand:ident, $u_level:ident) -> $u_value:ident {
            $($u:ident $u_text:literal $u_manual:literal $u_reads:ident $u_says:literal $({ $($u_field:ident: $u_more:expr),* $(,)? })?;)*
        })* }
        binary { $($(#[$b_doc:meta])* $b_class:ident($b_operand:ident, $b_level:ident) -> $b_value:ident {
            $($b:ident $b_text:literal $b_manual:literal $b_reads:ident $b_says:literal $({ $($b_field:ident: $b_more:expr),* $(,)? })?;)*
        })* }
        nodes { $($node:ident $node_text:literal $node_manual:literal $node_template:literal $node_says:literal $($usage:literal)?;)* }
        parameters { $($parameter:ident $parameter_text:literal $parameter_manual:literal $([$parameter_template:literal])? $parameter_says:literal $($parameter_usage:literal)?;)* }
    ) => {
        $(class! { $(#[$n_doc])* $n_class
            $($n $n_text $n_reads $n_says $($($n_field: $n_more,)*)?;)* })*
        $(class! { $(#[$u_doc])* $u_class
            $($u $u_text $u_reads $u_says $($($u_field: $u_more,)*)?;)* })*
        $(class! { $(#[$b_doc])* $b_class
            $($b $b_text $b_reads $b_says $($($b_field: $b_more,)*)?;)* })*

        arity! {
            /// A filter without operands.
            Nullary $($(#[$n_doc])* $n_class,)*
        }
        arity! {
            /// A filter with one operand.
            Unary $($(#[$u_doc])* $u_class,)*
        }
        arity! {
            /// A filter with two operands in parentheses.
            Binary $($(#[$b_doc])* $b_class,)*
        }

        impl Nullary {
            /// Returns the type of the value.
            pub const fn ty(self) -> Type {
                match self { $(Nullary::$n_class(_) => Type::$n_value,)* }
            }
        }

        impl Unary {
            /// Returns the types of the operand and of the value.
            pub const fn signature(self) -> Signature {
                match self {
                    $(Unary::$u_class(_) => Signature {
                        operand: Type::$u_operand,
                        level: level::$u_level,
                        value: Type::$u_value,
                    },)*
                }
            }
        }

        impl Binary {
            /// Returns the types of the operands and of the value.
            pub const fn signature(self) -> Signature {
                match self {
                    $(Binary::$b_class(_) => Signature {
                        operand: Type::$b_operand,
                        level: level::$b_level,
                        value: Type::$b_value,
                    },)*
                }
            }
        }

        /// A reserved word, including words that do not begin a filter.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Keyword {
            $($($n,)*)* $($($u,)*)* $($($b,)*)* $($node,)* $($parameter,)*
        }

        impl Keyword {
            /// All reserved words, in alphabetical order of their spelling.
            pub const ALL: &'static [Keyword] = &sorted([
                $($(Keyword::$n,)*)* $($(Keyword::$u,)*)* $($(Keyword::$b,)*)*
                $(Keyword::$node,)* $(Keyword::$parameter,)*
            ]);

            /// Returns the ASCII spelling.
            pub const fn text(self) -> &'static str {
                match self {
                    $($(Keyword::$n => $n_text,)*)*
                    $($(Keyword::$u => $u_text,)*)*
                    $($(Keyword::$b => $b_text,)*)*
                    $(Keyword::$node => $node_text,)*
                    $(Keyword::$parameter => $parameter_text,)*
                }
            }

            /// Returns the section of the reference that explains the word:
            /// `numbers.md#arithmetic`.
            pub const fn manual(self) -> &'static str {
                match self {
                    $($(Keyword::$n => $n_manual,)*)*
                    $($(Keyword::$u => $u_manual,)*)*
                    $($(Keyword::$b => $b_manual,)*)*
                    $(Keyword::$node => $node_manual,)*
                    $(Keyword::$parameter => $parameter_manual,)*
                }
            }

            /// Returns the class of the word.
            pub const fn entry(self) -> Entry {
                match self {
                    $($(Keyword::$n => Entry::Regular(Regular::Nullary(Nullary::$n_class($n_class::$n))),)*)*
                    $($(Keyword::$u => Entry::Regular(Regular::Unary(Unary::$u_class($u_class::$u))),)*)*
                    $($(Keyword::$b => Entry::Regular(Regular::Binary(Binary::$b_class($b_class::$b))),)*)*
                    $(Keyword::$node => Entry::Node { template: $node_template, says: $node_says },)*
                    $(Keyword::$parameter => Entry::Parameter { template: concat!($($parameter_template)?), says: $parameter_says },)*
                }
            }

            /// Returns the help for an incomplete use of the word.
            pub const fn usage(self) -> Option<&'static str> {
                match self {
                    $($(Keyword::$node => Some($usage),)?)*
                    $($(Keyword::$parameter => Some($parameter_usage),)?)*
                    _ => match self.regular() {
                        Some(regular) => regular.row().usage,
                        None => None,
                    },
                }
            }
        }
    };
}

table! {
    // Each row contains the name, the spelling, the section of the manual, the data that the value
    // depends on, and the English description.
    nullary {
        /// Filters with the same value everywhere.
        Constant -> Boolean {
            True "true" "control.md#conditions" Nothing "anything (it always matches)";
            False "false" "control.md#conditions" Nothing "nothing (it never matches)";
            Extension "extension" "comments.md#words-without-effect" Nothing
                "nothing (`extension` never matches)";
            PathDebug "pathdebug" "paths.md#inside-and-after-a-path" Nothing
                "an aid for developers (it always matches)";
        }
        /// The side to move; exchanged by color transforms.
        Turn -> Boolean {
            Wtm "wtm" "pieces.md#side-to-move" Position "White is to move";
            Btm "btm" "pieces.md#side-to-move" Position "Black is to move";
        }
        /// Facts about the position that transforms do not change.
        Predicate -> Boolean {
            Check "check" "pieces.md#check-mate-stalemate" Position "the side to move is in check";
            Mate "mate" "pieces.md#check-mate-stalemate" Position "the side to move is mated";
            Stalemate "stalemate" "pieces.md#check-mate-stalemate" Position
                "the side to move is stalemated";
            Initial "initial" "positions.md#positions" Position
                "this is the first position of the game";
            Terminal "terminal" "positions.md#positions" Position "no move follows in the game";
            Mainline "mainline" "positions.md#positions" Position
                "this position is in the main line";
            Variation "variation" "positions.md#positions" Position
                "this position is in a variation";
            VirtualMainline "virtualmainline" "positions.md#positions" Position
                "on the way here White never deviated from the main line, and there was no null move";
            NullMove "nullmove" "moves.md#the-move-that-was-played" Position
                "the move that led here was a null move";
            EnPassant "enpassant" "moves.md#the-move-that-was-played" Position
                "the move that led here took en passant";
            Castle "castle" "moves.md#the-move-that-was-played" Position
                "the move that led here was castling";
            ShortCastle "o-o" "moves.md#the-move-that-was-played" Position
                "the move that led here was castling on the king's side";
            LongCastle "o-o-o" "moves.md#the-move-that-was-played" Position
                "the move that led here was castling on the queen's side";
            Primary "primary" "moves.md#the-move-that-was-played" Position
                "the move that led here is the main continuation of its position";
            Secondary "secondary" "moves.md#the-move-that-was-played" Position
                "the move that led here begins a variation";
            Forced "forced" "moves.md#moves-that-could-be-played" Position
                "the side to move has exactly one legal move" { newer: true };
            Quiescent "quiescent" "attacks.md#exchanges" Position
                "the side to move is not in check, and no capture wins material by exchange"
                { newer: true };
            LegalPosition "legalposition" "positions.md#imagined-positions" Position
                "nothing on the board is against the rules" { newer: true };
            ReachablePosition "reachableposition" "positions.md#imagined-positions" Position
                "nothing shows that the position cannot come about" { newer: true };
            VariantEnd "variantend" "variants.md#how-a-game-ends" Position
                "the game has ended by a rule of its variant" { newer: true };
            VariantWin "variantwin" "variants.md#how-a-game-ends" Position
                "the side to move has won by a rule of the variant" { newer: true };
            VariantLoss "variantloss" "variants.md#how-a-game-ends" Position
                "the side to move has lost by a rule of the variant" { newer: true };
            VariantDraw "variantdraw" "variants.md#how-a-game-ends" Position
                "the game is drawn by a rule of its variant" { newer: true };
        }
        /// The squares of a move: the dash around the word, or else the last move.
        MoveEnd -> Set {
            From "from" "moves.md#the-move-that-was-played" Context
                "the square from which the last move came" { holds: Some("a move led here") };
            To "to" "moves.md#the-move-that-was-played" Context
                "the square to which the last move went" { holds: Some("a move led here") };
        }
        /// Pawns with a role in the structure, of both colors.
        PawnStructure -> Set {
            ConnectedPawns "connectedpawns" "pieces.md#pawns" Position
                "pawns with a pawn of their color on a neighboring file";
            IsolatedPawns "isolatedpawns" "pieces.md#pawns" Position "isolated pawns";
            DoubledPawns "doubledpawns" "pieces.md#pawns" Position "doubled pawns";
            PassedPawns "passedpawns" "pieces.md#pawns" Position "passed pawns";
        }
        /// Other squares of the position.
        SetSource -> Set {
            EnPassantSquare "enpassantsquare" "moves.md#the-move-that-was-played" Position
                "the square of the pawn that was just taken en passant"
                { holds: Some("the last move took en passant") };
            PureMate "puremate" "pieces.md#check-mate-stalemate" Position
                "the pieces that take part in a pure mate"
                { holds: Some("this is a pure mate") };
            ModelMate "modelmate" "pieces.md#check-mate-stalemate" Position
                "the pieces that take part in a model mate"
                { holds: Some("this is a model mate") };
            IdealMate "idealmate" "pieces.md#check-mate-stalemate" Position
                "the pieces that take part in an ideal mate"
                { holds: Some("this is an ideal mate") };
            PureStalemate "purestalemate" "pieces.md#check-mate-stalemate" Position
                "the pieces that take part in a pure stalemate"
                { holds: Some("this is a pure stalemate") };
            ModelStalemate "modelstalemate" "pieces.md#check-mate-stalemate" Position
                "the pieces that take part in a model stalemate"
                { holds: Some("this is a model stalemate") };
            PromotedPieces "promotedpieces" "pieces.md#kind-and-identity" Position
                "pieces that were pawns at the start" { newer: true };
            IdealStalemate "idealstalemate" "pieces.md#check-mate-stalemate" Position
                "the pieces that take part in an ideal stalemate"
                { holds: Some("this is an ideal stalemate") };
        }
        /// Marks that the file draws on the board.
        Drawn -> Set {
            ColoredSquares "coloredsquares" "positions.md#clocks-evaluations-and-marks" Position
                "squares that the file marks"
                { holds: Some("the file marks squares here"), newer: true };
            ArrowsFrom "arrowsfrom" "positions.md#clocks-evaluations-and-marks" Position
                "squares where arrows of the file begin"
                { holds: Some("the file draws arrows here"), newer: true };
            ArrowsTo "arrowsto" "positions.md#clocks-evaluations-and-marks" Position
                "squares where arrows of the file end"
                { holds: Some("the file draws arrows here"), newer: true };
        }
        /// Strings that describe the position or its variant.
        PositionText -> String {
            StandardFen "standardfen" "positions.md#the-position-as-text" Position
                "the position as FEN with the clock and the number of the move" { newer: true };
            ZobristKey "zobristkey" "positions.md#the-position-as-text" Position
                "the Polyglot key of the position" { newer: true };
            Variant "variant" "variants.md#which-variant" Position
                "the variant that is played" { newer: true };
            Opening "opening" "games.md#openings" Position
                "the name of the opening that was played"
                { holds: Some("the opening of the game has a name"), newer: true };
            OpeningCode "openingcode" "games.md#openings" Position
                "the ECO code of the opening that was played"
                { holds: Some("the opening of the game has a name"), newer: true };
            CurrentMutation "currentmutation" "positions.md#imagined-positions" Position
                "what makes the imagined position of the one in the game"
                { holds: Some("this position is imagined"), newer: true };
        }
        /// A color as a number, 1 or -1; exchanged by color transforms.
        ColorNumber -> Numeric {
            White "white" "pieces.md#side-to-move" Nothing "1 (White)" { bare: Bare::Misuse };
            Black "black" "pieces.md#side-to-move" Nothing "-1 (Black)" { bare: Bare::Misuse };
        }
        /// Numbers about the position or the game.
        NumberSource -> Numeric {
            Ply "ply" "numbers.md#positions-in-the-game" Position
                "the number of moves (of either side) from the start to here"
                { always: true };
            MoveNumber "movenumber" "numbers.md#positions-in-the-game" Position
                "the number of the move" { always: true };
            Depth "depth" "numbers.md#positions-in-the-game" Position
                "the number of variations on the way here" { always: true };
 Try "try" "positions.md#positions" Position
                "1 where White left the main line exactly once on the way here"
                { holds: Some("White left the main line exactly once on the way here") };
            PositionId "positionid" "positions.md#positions" Position
                "the number of the position in the game" { bare: Bare::Misuse };
            SideToMove "sidetomove" "pieces.md#side-to-move" Position
                "the side to move (1 White, -1 Black)"
                { bare: Bare::Misuse };
            Clock "clock" "positions.md#clocks-evaluations-and-marks" Position
                "the number of seconds left after the last move to the side that made it"
                { holds: Some("the file has the clock of the last move"), newer: true };
            Elapsed "elapsed" "positions.md#clocks-evaluations-and-marks" Position
                "the number of seconds that the last move took"
                { holds: Some("the file has the time of the last move"), newer: true };
            Eval "eval" "positions.md#clocks-evaluations-and-marks" Position
                "the evaluation in centipawns from White's side"
                { holds: Some("the file has an evaluation in pawns"), newer: true };
            EvalMate "evalmate" "positions.md#clocks-evaluations-and-marks" Position
                "the number of moves to mate (negative if Black mates)"
                { holds: Some("the file says that there is a forced mate"), newer: true };
            Tablebase "tablebase" "comments.md#tablebases" Position
                "the result in the tablebases for the side to move (2 win … -2 loss)"
                { holds: Some("the tablebases have this position"), newer: true };
            Dtz "dtz" "comments.md#tablebases" Position
                "the distance in the tablebases to a capture or pawn move"
                { holds: Some("the tablebases have the distance of this position"), newer: true };
            Nag "nag" "positions.md#comments-and-signs-of-the-file" Position
                "the number of the first sign of the last move"
                { holds: Some("the last move has a sign"), newer: true };
            HalfmoveClock "halfmoveclock" "numbers.md#positions-in-the-game" Position
                "the number of moves since the last capture or move of a pawn"
                { always: true, newer: true };
            Repetition "repetition" "numbers.md#positions-in-the-game" Position
                "the number of times that this position occurred before in its line"
                { always: true, newer: true };
            Year "year" "games.md#tags-and-results" Game "the year of the game";
            GameNumber "gamenumber" "games.md#numbers-of-games" Game
                "the number of the game" { always: true };
            LastGameNumber "lastgamenumber" "games.md#numbers-of-games" Run
                "the number of the last game"
                { bare: Bare::Misuse };
        }
        /// Counts of moves in the path around the word, or else in the last path that matched.
        PathNumber -> Numeric {
            PathCount "pathcount" "paths.md#inside-and-after-a-path" Context
                "the number of moves that the path has matched";
            PathCountUnfocused "pathcountunfocused" "paths.md#inside-and-after-a-path" Context
                "the number of moves of the path that are not those of its focus";
        }
        /// Positions determined by the current one.
        PositionSource -> Position {
            CurrentPosition "currentposition" "positions.md#positions" Position
                "the current position";
            InitialPosition "initialposition" "positions.md#positions" Nothing
                "the first position of the game";
            SavePosition "saveposition" "positions.md#imagined-positions" Position
                "this imagined position, which is kept until the game ends" { newer: true };
            Parent "parent" "positions.md#positions" Position "the position before the last move";
        }
        /// Start and end of the path around the word, or else of the last path that matched.
        PathPosition -> Position {
            PathStart "pathstart" "paths.md#inside-and-after-a-path" Context
                "the position at which the path begins";
            PathLastPosition "pathlastposition" "paths.md#inside-and-after-a-path" Context
                "the position at which the path ends";
        }
    }
    // As above, with the type of the operand and the loosest operator level in it after the class.
    unary {
        /// Numbers computed from a set of squares.
        SetToNumber(Set, DASH) -> Numeric {
            Power "power" "pieces.md#material" Position "the value in pawns of"
                { always: true, usage: Some("write `power A`, the material of White") };
            Type "type" "pieces.md#kind-and-identity" Position
                "the kind (1 pawn … 6 king) of the piece on"
                { bare: Bare::Misuse, usage: Some("write `type S`, the kind of the piece on S as a number") };
            ColorType "colortype" "pieces.md#kind-and-identity" Position
                "the kind (1 pawn … 6 king, negative for Black) of the piece on"
                { usage: Some("write `colortype S`, the kind and color of the piece on S as a number") };
            File "file" "pieces.md#files-ranks-squares-by-number" Nothing
                "the number of the file of"
                { usage: Some("write `file S`, the file of a square as a number from 1 to 8") };
            Rank "rank" "pieces.md#files-ranks-squares-by-number" Nothing
                "the number of the rank of"
                { usage: Some("write `rank S`, the rank of a square as a number from 1 to 8") };
            PieceId "pieceid" "pieces.md#kind-and-identity" Position "the number of the piece on"
                { usage: Some("write `pieceid S`, the number of the piece on S") };
            See "see" "attacks.md#exchanges" Position
                "the most that an exchange wins on"
                { always: true, newer: true, usage: Some("write `see q`, what an exchange on the square of the queen wins") };
        }
        /// Pieces on squares, by the exchanges there.
        SetToSet(Set, DASH) -> Set {
            Hanging "hanging" "attacks.md#exchanges" Position "pieces that an exchange loses among"
                { newer: true, usage: Some("write `hanging S`, the pieces on S that an exchange loses") };
            Defended "defended" "attacks.md#exchanges" Position
                "pieces that can be taken without gain among"
                { newer: true, usage: Some("write `defended S`, the pieces on S that no capture wins") };
        }
        /// Letters for a piece.
        SetToText(Set, DASH) -> String {
            TypeName "typename" "pieces.md#kind-and-identity" Position "the letter of the piece on"
                { bare: Bare::Misuse, usage: Some("write `typename S`") };
            PieceName "piecename" "pieces.md#kind-and-identity" Position
                "the letter (small for Black) of the piece on"
                { bare: Bare::Misuse, usage: Some("write `piecename S`") };
        }
        /// Arithmetic.
        NumberToNumber(Numeric, ADD) -> Numeric {
            Abs "abs" "numbers.md#arithmetic" Nothing "the absolute value of"
                { bare: Bare::Misuse, usage: Some("write `abs N`") };
            Sqrt "sqrt" "numbers.md#arithmetic" Nothing "the square root of"
                { bare: Bare::Misuse, usage: Some("write `sqrt N`") };
        }
        /// Numbers computed from a string.
        TextToNumber(String, ADD) -> Numeric {
            Int "int" "numbers.md#arithmetic" Nothing "the number that is written in"
                { usage: Some("write `int S`, the number that a string holds") };
        }
        /// Strings computed from a string.
        TextToText(String, MULTIPLY) -> String {
            Uppercase "uppercase" "strings.md#operations" Nothing "the capital letters of"
                { bare: Bare::Never, usage: Some("write `uppercase S`") };
            Lowercase "lowercase" "strings.md#operations" Nothing "the small letters of"
                { bare: Bare::Never, usage: Some("write `lowercase S`") };
        }
        /// Positions by number.
        NumberToPosition(Numeric, ADD) -> Position {
            PositionById "position" "positions.md#positions" Nothing "the position with the number"
                { usage: Some("write `position N`, the position with this number") };
        }
    }
    // As above, with `{}` for each operand in the description.
    binary {
        /// Squares computed from two sets.
        SetsToSet(Set, DASH) -> Set {
            Between "between" "attacks.md#between" Nothing "squares between {} and {}"
                { usage: Some("write `between(S T)`, the squares between S and T") };
        }
        /// Numbers computed from two strings.
        TextsToNumber(String, ADD) -> Numeric {
            IndexOf "indexof" "strings.md#operations" Nothing "the place at which {} begins in {}"
                { holds: Some("{} occurs in {}"), usage: Some("write `indexof(\"text\" S)`") };
        }
        /// Relations of two positions.
        PositionsToBoolean(Position, OR) -> Boolean {
            Ancestor "ancestor" "positions.md#positions" Nothing
                "{} comes before {} on the same line"
                { usage: Some("write `ancestor(P Q)` with two positions") };
            Descendant "descendant" "positions.md#positions" Nothing
                "{} comes after {} on the same line"
                { usage: Some("write `ancestor(P Q)` with two positions") };
        }
        /// Numbers computed from two positions.
        PositionsToNumber(Position, OR) -> Numeric {
            Distance "distance" "positions.md#positions" Nothing
                "the number of moves between {} and {}"
                { bare: Bare::Misuse, usage: Some("write `distance(P Q)` with two positions") };
        }
        /// Positions computed from two others.
        PositionsToPosition(Position, OR) -> Position {
            Lca "lca" "positions.md#positions" Nothing "the last position before both {} and {}"
                { bare: Bare::Misuse, usage: Some("write `lca(P Q)` with two positions") };
        }
    }
    // Words that begin a filter with a grammar of its own, with a template in the notation of
    // snippets and a short explanation.
    nodes {
        Anydirection "anydirection" "attacks.md#directions" "anydirection ${1:A}"
            "the squares in all eight directions from S";
        Ascii "ascii" "strings.md#operations" "ascii ${1:\"a\"}"
            "the code of a character, or the character with a code"
            "write `ascii \"a\"` or `ascii 97`";
        Assert "assert" "control.md#assertions" "assert ${1:check}"
            "ends the search with an error where this does not hold" "write `assert F`";
        Atomic "atomic" "paths.md#inside-and-after-a-path" "atomic ${1:x} = ${2:A}"
            "an assignment that is put back when a path turns back";
        Child "child" "positions.md#positions" "child"
            "the position after the next move, or after that with a number"
            "write `child` or `child(N)`";
        Comment "comment" "comments.md#into-the-game" "comment(${1:\"text\"})"
            "writes into the comment of this position"
            "write `comment(\"text\" F)`; a comment of the file is `originalcomment \"text\"`";
        Commandpipe "commandpipe" "comments.md#other-programs"
            "commandpipe(${1:\"NAME\"} ${2:ply})"
            "what another program answers about this position" "write `commandpipe(\"NAME\" F)`";
        Consecutivemoves "consecutivemoves" "positions.md#consecutivemoves"
            "consecutivemoves(${1:here} ${2:there})"
            "the moves in a row that the ways to two positions have in common"
            "write `consecutivemoves(P Q)` with two variables of positions";
        Countmoves "countmoves" "moves.md#moves-that-could-be-played" "countmoves legal --"
            "the number of such moves" "write `countmoves legal --`";
        Curpos "curpos" "positions.md#positions" "curpos"
            "the current position; an older word for `currentposition`";
        Currentmove "currentmove" "moves.md#the-move-that-was-played" "currentmove --"
            "the move that led here is such a dash";
        Currenttransform "currenttransform" "transforms.md#the-transforms" "currenttransform"
            "the name of the image that is evaluated";
        Dark "dark" "pieces.md#colors-of-squares" "dark ${1:A}" "the dark squares of S"
            "write `dark S`, the dark squares of S";
        Date "date" "games.md#tags-and-results" "date" "the date of the game";
        Diagonal "diagonal" "attacks.md#directions" "diagonal ${1:A}"
            "the squares in the four diagonal directions from S";
        Dictionary "dictionary" "variables.md#dictionaries" "dictionary ${1:D}"
            "declares a dictionary, kept from game to game" "write `dictionary NAME`";
        Dihedral "dihedral" "transforms.md#the-transforms" "dihedral {${1:A}}"
            "the eight turns and mirrorings of the board; an older word for `flip`";
        Down "down" "attacks.md#directions" "down ${1:A}" "the squares below S";
        Echo "echo" "positions.md#echo" "echo (${1:source} ${2:target}) {${3:check}}"
            "whether there is a target that belongs together with this position"
            "write `echo (source target) F`";
        Eco "eco" "games.md#tags-and-results" "eco" "the opening code of the game";
        Elo "elo" "games.md#tags-and-results" "elo"
            "the greater rating, or that of `white` or `black`";
        Endgame "endgame" "pieces.md#endings-and-phases" "endgame ${1:\"rook\"}"
            "whether this is such an ending, by the pieces that are left"
            "write `endgame \"rook\"`, \"pawn\", \"opposite-bishops\" or another class of endings";
        Engine "engine" "comments.md#other-programs" "engine (depth ${1:12})"
            "what a chess engine thinks of this position: score, mate, moves, chances"
            "write `engine (depth 12)`, `engine pv (depth 12)` or `engine (depth 12 line 2)`";
        Equal "equal" "numbers.md#comparison" "equal(${1:A} ${2:A})" "whether two values are equal"
            "write `equal(F G)`";
        Event "event" "games.md#tags-and-results" "event" "the event of the game";
        Eventdate "eventdate" "games.md#tags-and-results" "eventdate" "the date of the event";
        Fen "fen" "pieces.md#fen" "fen" "the position as FEN, or whether it is like one";
        Fenset "fenset" "pieces.md#fen"
            "fenset \"${1:rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR}\""
            "the squares with the same content as in a FEN"
            "write `fenset \"FEN\"`, the squares with the content that the FEN has there";
        Find "find" "positions.md#find" "find ${1:check}"
            "the next position where this holds, this one included"
            "write `find F` or, to count, `find 2 F`";
        Flip "flip" "transforms.md#the-transforms" "flip {${1:A}}"
            "the eight turns and mirrorings of the board"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        Flipcolor "flipcolor" "transforms.md#the-transforms" "flipcolor {${1:A}}"
            "as it is, and with colors exchanged and the board upside down"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        Flipdihedral "flipdihedral" "transforms.md#the-transforms" "flipdihedral {${1:A}}"
            "the eight turns and mirrorings of the board; an older word for `flip`";
        Fliphorizontal "fliphorizontal" "transforms.md#the-transforms" "fliphorizontal {${1:A}}"
            "as it is, and with the first rank and the eighth exchanged, and so on"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        Flipvertical "flipvertical" "transforms.md#the-transforms" "flipvertical {${1:A}}"
            "as it is, and with the a-file and the h-file exchanged, and so on"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        Function "function" "variables.md#functions" "function ${1:name}(${2:x}) {${3:x}}"
            "defines a function" "write `function NAME(x y) {F}`";
        Hascomment "hascomment" "positions.md#comments-and-signs-of-the-file" "hascomment"
            "the comment of the file; an older word for `originalcomment`";
        Hhdb "hhdb" "hhdb.md#hhdb" "hhdb \"<cook>\""
            "what the study database of Harold van der Heijden notes of a study";
        Horizontal "horizontal" "attacks.md#directions" "horizontal ${1:A}"
            "the squares to the left and right of S";
        Imagine "imagine" "positions.md#imagined-positions" "imagine ${1:remove Q} : ${2:check}"
            "whether this holds with changes of the position" "write `imagine remove Q : F`";
        If "if" "control.md#conditions" "if ${1:check} then ${2:true}"
            "asks one filter or another, as a condition holds or not"
            "write `if C then F` or `if C then F else G`";
        Import "import" "variables.md#functions" "import ${1:\"themes\"}"
            "makes the functions of a library known" "write `import \"themes\"`";
        Isbound "isbound" "variables.md#variables" "isbound ${1:here}"
            "whether a variable has a value" "write the name of a variable after it";
        Isunbound "isunbound" "variables.md#variables" "isunbound ${1:here}"
            "whether a variable has no value" "write the name of a variable after it";
        Left "left" "attacks.md#directions" "left ${1:A}" "the squares to the left of S";
        Legal "legal" "moves.md#moves-that-could-be-played" "legal --"
            "there is a legal move like this; it need not be played"
            "write `legal --`, the moves that could be played";
        Light "light" "pieces.md#colors-of-squares" "light ${1:A}" "the light squares of S"
            "write `light S`, the light squares of S";
        Likeness "likeness" "pieces.md#likeness"
            "likeness(\"${1:rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR}\")"
            "how much the position is like that of a FEN, from 0 to 100"
            "write `likeness(\"FEN\")`, or with the points of each part `likeness(\"FEN\" pawns 60 pieces 20 kings 10 material 10)`";
        Line "line" "paths.md#line" "line --> ${1:check}"
            "the older way to describe moves in a row";
        Local "local" "variables.md#dictionaries" "local dictionary ${1:E}"
            "declares a dictionary that is emptied at each game";
        Loop "loop" "control.md#loops" "loop {${1:false}}" "asks again and again until it fails"
            "write `loop F`";
        Maindiagonal "maindiagonal" "attacks.md#directions" "maindiagonal ${1:A}"
            "the squares northeast and southwest of S";
        Makesquare "makesquare" "pieces.md#files-ranks-squares-by-number"
            "makesquare(${1:5} ${2:4})"
            "the square with these numbers of file and rank, or with this name"
            "write `makesquare(FILE RANK)` or `makesquare \"e4\"`";
        Material "material" "pieces.md#material" "material ${1:\"KRPKR\"}"
            "the pieces of both sides are exactly these"
            "write `material \"KRPKR\"`, the pieces of White and then those of Black, or \"Q:RR\", those of either side besides kings and pawns; `power A - power a` is the difference in pawns";
        Max "max" "numbers.md#arithmetic" "max(${1:1} ${2:2})" "the greatest of numbers or strings"
            "write `max(M N)` or `min(M N)`";
        Message "message" "comments.md#on-the-screen" "message(${1:\"text\"})"
            "prints a line on the screen" "write `comment(\"text\" F)`";
        Min "min" "numbers.md#arithmetic" "min(${1:1} ${2:2})" "the least of numbers or strings"
            "write `max(M N)` or `min(M N)`";
        Move "move" "moves.md#move" "move from ${1:A}"
            "the next move is like this; the older way to write a dash";
        Northeast "northeast" "attacks.md#directions" "northeast ${1:A}"
            "the squares northeast of S";
        Northwest "northwest" "attacks.md#directions" "northwest ${1:A}"
            "the squares northwest of S";
        Not "not" "control.md#conditions" "not ${1:check}" "this does not hold" "write `not F`";
        Notransform "notransform" "transforms.md#the-transforms" "notransform {${1:A}}"
            "what the transforms around it leave alone"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        Offdiagonal "offdiagonal" "attacks.md#directions" "offdiagonal ${1:A}"
            "the squares northwest and southeast of S";
        Originalcomment "originalcomment" "positions.md#comments-and-signs-of-the-file"
            "originalcomment" "the comment of the file, or whether it has a text or a sign";
        Orthogonal "orthogonal" "attacks.md#directions" "orthogonal ${1:A}"
            "the squares in the four straight directions from S";
        Path "path" "paths.md#path" "path ${1:--}"
            "the number of moves of the longest sequence that is described, from here on";
        Persistent "persistent" "variables.md#variables" "persistent ${1:total} += ${2:1}"
            "a variable that keeps its value from game to game";
        Piece "piece" "control.md#squares-and-pieces-in-turn" "piece ${1:x} in ${2:A} {${3:check}}"
            "the pieces of a set for which this holds, each called by a name"
            "write `piece x in S F`; a kind of piece is a designator such as `K`";
        Phase "phase" "pieces.md#endings-and-phases" "phase ${1:\"endgame\"}"
            "whether this is the opening, the middlegame or the endgame"
            "write `phase \"opening\"`, `phase \"middlegame\"` or `phase \"endgame\"`";
        Pin "pin" "attacks.md#pins" "pin from ${1:A} through ${2:a} to ${3:k}"
            "the pieces that are pinned; each part may be left out";
        Player "player" "games.md#tags-and-results" "player ${1:white}"
            "the names of the players, or one of them";
        Previous "previous" "moves.md#the-move-that-was-played" "previous --"
            "the move that led here is such a dash";
        Pseudolegal "pseudolegal" "moves.md#moves-that-could-be-played" "pseudolegal --"
            "there is such a move, even if it leaves the king in check"
            "write `legal --`, the moves that could be played";
        Ray "ray" "attacks.md#rays" "ray(${1:A} ${2:a})"
            "the squares of A from which a line leads to the other sets in turn"
            "write `ray up (S T)`";
        Readfile "readfile" "comments.md#files" "readfile ${1:\"file.cql\"}" "what is in a file";
        Removetag "removetag" "comments.md#into-the-game" "removetag ${1:\"Annotator\"}"
            "leaves out a tag of the game" "write `removetag \"Annotator\"`";
        Replace "replace" "strings.md#operations" "replace(${1:\"text\"} ${2:\"t\"} ${3:\"n\"})"
            "a string with another text for what a regular expression matches"
            "write `replace(S \"pattern\" \"text\")`";
        Removecomment "removecomment" "positions.md#comments-and-signs-of-the-file" "removecomment"
            "leaves out the comment of the file";
        Result "result" "games.md#tags-and-results" "result ${1:1-0}" "whether the game ended so";
        Reverse "reverse" "moves.md#moves-backward" "reverse --"
            "there is a move that can have led here" "write `reverse --(F)`";
        Reversecolor "reversecolor" "transforms.md#the-transforms" "reversecolor {${1:A}}"
            "only the image with colors exchanged";
        Right "right" "attacks.md#directions" "right ${1:A}" "the squares to the right of S";
        Rotate45 "rotate45" "transforms.md#the-transforms" "rotate45 {${1:up A}}"
            "with all directions turned by multiples of 45 degrees"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        Rotate90 "rotate90" "transforms.md#the-transforms" "rotate90 {${1:A}}"
            "turned by 0, 90, 180 and 270 degrees"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        San "san" "paths.md#moves-as-players-write-them" "san ${1:\"1.e4 e5 2.Nf3\"}"
            "moves as players write them: in a `path`, or from the start of the game"
            "write `path san \"Bxh7+ Kxh7 Ng5+\"`, or `san \"1.e4 c5 2.Nf3\"` for the first moves of a game";
        Settag "settag" "comments.md#into-the-game" "settag(${1:\"Name\"} ${2:\"text\"})"
            "writes a tag of the game" "write `settag(\"Name\" S)`";
        Shift "shift" "transforms.md#the-transforms" "shift {${1:A}}"
            "moved over the board by any number of files and ranks"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        Shifthorizontal "shifthorizontal" "transforms.md#the-transforms" "shifthorizontal {${1:A}}"
            "moved over the board by any number of files"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        Shiftvertical "shiftvertical" "transforms.md#the-transforms" "shiftvertical {${1:A}}"
            "moved over the board by any number of ranks"
            "a transform is followed by the filter it is applied to: `flip {F G}`";
        Similarposition "similarposition" "positions.md#similarposition"
            "similarposition ${1:\"file.pgn\"}"
            "whether the position occurs in another file, turned or shifted";
        Site "site" "games.md#tags-and-results" "site" "where the game was played";
        Sort "sort" "numbers.md#sort" "sort ${1:\"key\"} ${2:ply}"
            "sorts the games by a value, the greatest first"
            "write what to sort by: `sort \"material\" power A`";
        Southeast "southeast" "attacks.md#directions" "southeast ${1:A}"
            "the squares southeast of S";
        Southwest "southwest" "attacks.md#directions" "southwest ${1:A}"
            "the squares southwest of S";
        Square "square" "control.md#squares-and-pieces-in-turn"
            "square ${1:x} in ${2:A} {${3:check}}"
            "the squares of a set for which this holds, each called by a name"
            "write `square x in S F`";
        Str "str" "strings.md#operations" "str(${1:\"a\"} ${2:ply})" "the values as one text"
            "write `str(F G)`";
        String "string" "variables.md#dictionaries" "string ${1:key} in ${2:D} {${3:check}}"
            "for every key of a dictionary";
        Tag "tag" "games.md#tags-and-results" "tag ${1:\"Name\"}" "the value of a tag";
        Theme "theme" "positions.md#theme" "theme(${1:\"fork\"})"
            "a theme of the library is there"
            "write `theme(\"fork\")`; `import \"themes\"` defines the same themes as functions";
        Unbind "unbind" "variables.md#variables" "unbind ${1:here}"
            "forgets the value of a variable, or entries of a dictionary"
            "write the name of a variable after it";
        Up "up" "attacks.md#directions" "up ${1:A}" "the squares above S";
        Vertical "vertical" "attacks.md#directions" "vertical ${1:A}"
            "the squares above and below S";
        While "while" "control.md#loops" "while (${1:false}) {${2:check}}"
            "asks again and again while the condition holds" "write `while (C) F`";
        Writefile "writefile" "comments.md#files" "writefile(${1:\"file.cqo\"} ${2:\"text\"})"
            "writes a text to a file";
        Xray "xray" "attacks.md#rays" "xray(${1:A} ${2:a})"
            "the squares that are attacked through each other" "write `xray(S T)`";
    }
    // Words within other filters, and words without meaning. Few of them have a template.
    parameters {
        All "all" "positions.md#find"
            "all of them: of `find` all positions, of loops all members, of `echo` all targets";
        And "and" "control.md#conditions" "both hold";
        Any "any" "pieces.md#piece-designators" "an older word for `.`, still reserved";
        Arrow "arrow" "comments.md#words-without-effect" "reserved, without meaning";
        Attack "attack" "attacks.md#attacks" "the older word for `attacks`, and a form of `ray`";
        Attacked "attacked" "attacks.md#attacks"
            "with `by`: the squares on the left that are attacked from the right";
        Attackedby "attackedby" "attacks.md#attacks"
            "the squares on the left that are attacked from the right";
        Attacks "attacks" "attacks.md#attacks"
            "the squares on the left that attack a square on the right";
        By "by" "attacks.md#attacks" "after `attacked`: by whom";
        Capture "capture" "moves.md#move"
            "in `move`: what is taken; after `focus`: moves that take it count as well";
        Captures "captures" "moves.md#move" "an older word of `move`, still reserved";
        Count "count" "positions.md#find"
            "of `find` and transforms: how many match, even if none does";
        Cql "cql" "header.md#parameters" ["cql(input ${1:games.pgn})"]
            "begins a query; its parameters are in the parentheses";
        CqlAbort "cql_abort" "comments.md#words-without-effect" "reserved, without meaning";
        CqlAssertvariations "cql_assertvariations" "comments.md#words-without-effect"
            "reserved, without meaning";
        CqlHhdbhascook "cql_hhdbhascook" "comments.md#words-without-effect"
            "reserved, without meaning";
        Else "else" "control.md#conditions" ["else ${1:true}"]
            "what is asked if the condition of `if` does not hold"
            "write `if C then F` or `if C then F else G`";
        Firstmatch "firstmatch" "paths.md#parameters"
            "of `path` and `line`: the first that fits is enough, not the longest";
        Focus "focus" "paths.md#parameters"
            "of `path`: only moves of the pieces that stand there at the beginning count";
        In "in" "pieces.md#sets"
            "whether the set on the right holds the one on the left, or a string another one";
        Input "input" "header.md#parameters" "in the header: the games";
        Keepallbest "keepallbest" "paths.md#parameters"
            "of `path`: marks all that are as good as the best";
        Lastposition "lastposition" "paths.md#parameters"
            "of `path` and `line`: the value is the position at the end";
        Matchcount "matchcount" "header.md#parameters"
            "in the header: only games with so many matching positions";
        Matchstring "matchstring" "header.md#parameters"
            "in the header: the mark of a matching position";
        Nestban "nestban" "paths.md#parameters"
            "of `path` and `line`: does not begin again inside of one that was found";
        Nosort "nosort" "positions.md#similarposition"
            "of `similarposition`: leaves the order of the games alone";
        Null "null" "moves.md#move" "in `move`: a null move";
        Oldline "oldline" "comments.md#words-without-effect" "reserved, without meaning";
        Or "or" "control.md#conditions" "one of both holds";
        Output "output" "header.md#parameters" "in the header: where the games are written";
        Pgn "pgn" "header.md#parameters" "an older word for `input`, still reserved";
        Piecepath "piecepath" "paths.md#parameters"
            "of `path` with `focus`: a comment with the way that each piece went";
        Promote "promote" "moves.md#move" "in `move`: what the pawn becomes";
        Quiet "quiet" "header.md#parameters" "without automatic comments";
        Silent "silent" "header.md#parameters" "in the header: no comments at all";
        Singlecolor "singlecolor" "paths.md#parameters"
            "of `path` and `line`: only moves of the side to move count";
        Substring "substring" "strings.md#operations" "reserved, without meaning";
        Then "then" "control.md#conditions" ["then ${1:true}"]
            "what is asked if the condition of `if` holds"
            "write `if C then F` or `if C then F else G`";
        Through "through" "attacks.md#pins" "in `pin`: what is pinned";
        Title "title" "paths.md#parameters" "of `path`: a comment where it starts";
        Transform "transform" "comments.md#words-without-effect" "reserved, without meaning";
        Variations "variations" "header.md#parameters" "in the header: searches variations, too";
        Verbose "verbose" "paths.md#parameters" "of `path`: a comment at every move";
    }
}
