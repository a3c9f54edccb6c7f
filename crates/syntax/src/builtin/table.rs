//! The rows of all words.

use super::{Bare, Reads, Regular, Row, Signature, sorted};
use crate::parse::level;
use crate::tree::Type;

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
            pub const fn row(self) -> &'static Row {
                match self {
                    $($class::$word => {
                        const ROW: Row = Row {
                            word: $text,
                            reads: Reads::$reads,
                            says: $says,
                            $($field: $value,)*
                            ..Row::NEW
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
            pub const fn row(self) -> &'static Row {
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
        nodes { $($node:ident $node_text:literal $node_manual:literal $($usage:literal)?;)* }
        parameters { $($parameter:ident $parameter_text:literal $parameter_manual:literal $($parameter_usage:literal)?;)* }
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

            /// Returns the regular filter of the word, if it is one.
            pub const fn regular(self) -> Option<Regular> {
                match self {
                    $($(Keyword::$n => Some(Regular::Nullary(Nullary::$n_class($n_class::$n))),)*)*
                    $($(Keyword::$u => Some(Regular::Unary(Unary::$u_class($u_class::$u))),)*)*
                    $($(Keyword::$b => Some(Regular::Binary(Binary::$b_class($b_class::$b))),)*)*
                    $(Keyword::$node => None,)*
                    $(Keyword::$parameter => None,)*
                }
            }

            /// Whether a filter can begin with the word.
            pub const fn begins_filter(self) -> bool {
                !matches!(self, $(Keyword::$parameter)|*)
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
                "where the last move came from" { holds: Some("a move led here") };
            To "to" "moves.md#the-move-that-was-played" Context
                "where the last move went" { holds: Some("a move led here") };
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
                "1 where exactly one move by White on the way here was a variation"
                { holds: Some("exactly one move by White on the way here was a variation") };
            PositionId "positionid" "positions.md#positions" Position
                "the id of the position" { bare: Bare::Misuse };
            SideToMove "sidetomove" "pieces.md#side-to-move" Position
                "the side to move (1 White, -1 Black)"
                { bare: Bare::Misuse };
            Clock "clock" "positions.md#clocks-evaluations-and-marks" Position
                "the seconds that were left behind the last move to the side that made it"
                { holds: Some("the file has the clock of the last move"), newer: true };
            Elapsed "elapsed" "positions.md#clocks-evaluations-and-marks" Position
                "the seconds that the last move took"
                { holds: Some("the file has the time of the last move"), newer: true };
            Eval "eval" "positions.md#clocks-evaluations-and-marks" Position
                "the evaluation in centipawns from White's side"
                { holds: Some("the file has an evaluation in pawns"), newer: true };
            EvalMate "evalmate" "positions.md#clocks-evaluations-and-marks" Position
                "the number of moves to mate, negative if Black mates"
                { holds: Some("the file says that there is a forced mate"), newer: true };
            Nag "nag" "positions.md#comments-and-signs-of-the-file" Position
                "the number of the first sign of the last move"
                { holds: Some("the last move has a sign"), newer: true };
            HalfmoveClock "halfmoveclock" "numbers.md#positions-in-the-game" Position
                "the number of moves since the last capture or move of a pawn"
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
            PieceId "pieceid" "pieces.md#kind-and-identity" Position "the id of the piece on"
                { usage: Some("write `pieceid S`, the number of the piece on S") };
            See "see" "attacks.md#exchanges" Position
                "the most that an exchange wins on"
                { always: true, newer: true, usage: Some("write `see q`, what an exchange on the square of the queen wins") };
        }
        /// Men on squares, by the exchanges there.
        SetToSet(Set, DASH) -> Set {
            Hanging "hanging" "attacks.md#exchanges" Position "men that an exchange loses among"
                { newer: true, usage: Some("write `hanging S`, the men on S that an exchange loses") };
            Defended "defended" "attacks.md#exchanges" Position
                "men that can be taken without gain among"
                { newer: true, usage: Some("write `defended S`, the men on S that no capture wins") };
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
            PositionById "position" "positions.md#positions" Nothing "the position with the id"
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
                "{} comes behind {} on the same line"
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
    // Words that begin a filter with a grammar of its own.
    nodes {
        Anydirection "anydirection" "attacks.md#directions";
        Ascii "ascii" "strings.md#operations" "write `ascii \"a\"` or `ascii 97`";
        Assert "assert" "control.md#assertions" "write `assert F`";
        Atomic "atomic" "paths.md#inside-and-after-a-path";
        Child "child" "positions.md#positions" "write `child` or `child(N)`";
        Comment "comment" "comments.md#into-the-game" "write `comment(\"text\" F)`";
        Commandpipe "commandpipe" "comments.md#other-programs"
                "write `commandpipe(\"NAME\" F)`";
        Consecutivemoves "consecutivemoves" "positions.md#consecutivemoves"
                "write `consecutivemoves(P Q)` with two variables of positions";
        Countmoves "countmoves" "moves.md#moves-that-could-be-played" "write `countmoves legal --`";
        Curpos "curpos" "positions.md#positions";
        Currentmove "currentmove" "moves.md#the-move-that-was-played";
        Currenttransform "currenttransform" "transforms.md#the-transforms";
        Dark "dark" "pieces.md#colors-of-squares" "write `dark S`, the dark squares of S";
        Date "date" "games.md#tags-and-results";
        Diagonal "diagonal" "attacks.md#directions";
        Dictionary "dictionary" "variables.md#dictionaries" "write `dictionary NAME`";
        Dihedral "dihedral" "transforms.md#the-transforms";
        Down "down" "attacks.md#directions";
        Echo "echo" "positions.md#echo" "write `echo (source target) F`";
        Eco "eco" "games.md#tags-and-results";
        Elo "elo" "games.md#tags-and-results";
        Engine "engine" "comments.md#other-programs" "write `engine (depth 12)`";
        Equal "equal" "numbers.md#comparison" "write `equal(F G)`";
        Event "event" "games.md#tags-and-results";
        Eventdate "eventdate" "games.md#tags-and-results";
        Fen "fen" "pieces.md#fen";
        Find "find" "positions.md#find" "write `find F` or, to count, `find 2 F`";
        Flip "flip" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Flipcolor "flipcolor" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Flipdihedral "flipdihedral" "transforms.md#the-transforms";
        Fliphorizontal "fliphorizontal" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Flipvertical "flipvertical" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Function "function" "variables.md#functions" "write `function NAME(x y) {F}`";
        Hascomment "hascomment" "positions.md#comments-and-signs-of-the-file";
        Hhdb "hhdb" "hhdb.md#hhdb";
        Horizontal "horizontal" "attacks.md#directions";
        Imagine "imagine" "positions.md#imagined-positions" "write `imagine remove Q : F`";
        If "if" "control.md#conditions" "write `if C then F` or `if C then F else G`";
        Import "import" "variables.md#functions" "write `import \"themes\"`";
        Isbound "isbound" "variables.md#variables" "write the name of a variable behind it";
        Isunbound "isunbound" "variables.md#variables" "write the name of a variable behind it";
        Left "left" "attacks.md#directions";
        Legal "legal" "moves.md#moves-that-could-be-played"
                "write `legal --`, the moves that could be played";
        Light "light" "pieces.md#colors-of-squares" "write `light S`, the light squares of S";
        Line "line" "paths.md#line";
        Local "local" "variables.md#dictionaries";
        Loop "loop" "control.md#loops" "write `loop F`";
        Maindiagonal "maindiagonal" "attacks.md#directions";
        Makesquare "makesquare" "pieces.md#files-ranks-squares-by-number"
                "write `makesquare(FILE RANK)` or `makesquare \"e4\"`";
        Max "max" "numbers.md#arithmetic" "write `max(M N)` or `min(M N)`";
        Message "message" "comments.md#on-the-screen" "write `comment(\"text\" F)`";
        Min "min" "numbers.md#arithmetic" "write `max(M N)` or `min(M N)`";
        Move "move" "moves.md#move";
        Northeast "northeast" "attacks.md#directions";
        Northwest "northwest" "attacks.md#directions";
        Not "not" "control.md#conditions" "write `not F`";
        Notransform "notransform" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Offdiagonal "offdiagonal" "attacks.md#directions";
        Originalcomment "originalcomment" "positions.md#comments-and-signs-of-the-file";
        Orthogonal "orthogonal" "attacks.md#directions";
        Path "path" "paths.md#path";
        Persistent "persistent" "variables.md#variables";
        Piece "piece" "control.md#squares-and-pieces-in-turn"
                "write `piece x in S F`; a kind of piece is a designator such as `K`";
        Pin "pin" "attacks.md#pins";
        Player "player" "games.md#tags-and-results";
        Previous "previous" "moves.md#the-move-that-was-played";
        Pseudolegal "pseudolegal" "moves.md#moves-that-could-be-played"
                "write `legal --`, the moves that could be played";
        Ray "ray" "attacks.md#rays" "write `ray up (S T)`";
        Readfile "readfile" "comments.md#files";
        Removetag "removetag" "comments.md#into-the-game" "write `removetag \"Annotator\"`";
        Replace "replace" "strings.md#operations" "write `replace(S \"pattern\" \"text\")`";
        Removecomment "removecomment" "positions.md#comments-and-signs-of-the-file";
        Result "result" "games.md#tags-and-results";
        Reverse "reverse" "moves.md#moves-backward" "write `reverse --(F)`";
        Reversecolor "reversecolor" "transforms.md#the-transforms";
        Right "right" "attacks.md#directions";
        Rotate45 "rotate45" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Rotate90 "rotate90" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Settag "settag" "comments.md#into-the-game" "write `settag(\"Name\" S)`";
        Shift "shift" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Shifthorizontal "shifthorizontal" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Shiftvertical "shiftvertical" "transforms.md#the-transforms"
                "a transform is followed by the filter it is applied to: `flip {F G}`";
        Similarposition "similarposition" "positions.md#similarposition";
        Site "site" "games.md#tags-and-results";
        Sort "sort" "numbers.md#sort" "write what to sort by: `sort \"material\" power A`";
        Southeast "southeast" "attacks.md#directions";
        Southwest "southwest" "attacks.md#directions";
        Square "square" "control.md#squares-and-pieces-in-turn" "write `square x in S F`";
        Str "str" "strings.md#operations" "write `str(F G)`";
        String "string" "variables.md#dictionaries";
        Tag "tag" "games.md#tags-and-results";
        Unbind "unbind" "variables.md#variables" "write the name of a variable behind it";
        Up "up" "attacks.md#directions";
        Vertical "vertical" "attacks.md#directions";
        While "while" "control.md#loops" "write `while (C) F`";
        Writefile "writefile" "comments.md#files";
        Xray "xray" "attacks.md#rays" "write `xray(S T)`";
    }
    // Words within other filters, and words without meaning.
    parameters {
        All "all" "positions.md#find";
        And "and" "control.md#conditions";
        Any "any" "pieces.md#piece-designators";
        Arrow "arrow" "comments.md#words-without-effect";
        Attack "attack" "attacks.md#attacks";
        Attacked "attacked" "attacks.md#attacks";
        Attackedby "attackedby" "attacks.md#attacks";
        Attacks "attacks" "attacks.md#attacks";
        By "by" "attacks.md#attacks";
        Capture "capture" "moves.md#move";
        Captures "captures" "moves.md#move";
        Count "count" "positions.md#find";
        Cql "cql" "header.md#parameters";
        CqlAbort "cql_abort" "comments.md#words-without-effect";
        CqlAssertvariations "cql_assertvariations" "comments.md#words-without-effect";
        CqlHhdbhascook "cql_hhdbhascook" "comments.md#words-without-effect";
        Else "else" "control.md#conditions" "write `if C then F` or `if C then F else G`";
        Firstmatch "firstmatch" "paths.md#parameters";
        Focus "focus" "paths.md#parameters";
        In "in" "pieces.md#sets";
        Input "input" "header.md#parameters";
        Keepallbest "keepallbest" "paths.md#parameters";
        Lastposition "lastposition" "paths.md#parameters";
        Matchcount "matchcount" "header.md#parameters";
        Matchstring "matchstring" "header.md#parameters";
        Nestban "nestban" "paths.md#parameters";
        Nosort "nosort" "positions.md#similarposition";
        Null "null" "moves.md#move";
        Oldline "oldline" "comments.md#words-without-effect";
        Or "or" "control.md#conditions";
        Output "output" "header.md#parameters";
        Pgn "pgn" "header.md#parameters";
        Piecepath "piecepath" "paths.md#parameters";
        Promote "promote" "moves.md#move";
        Quiet "quiet" "header.md#parameters";
        Silent "silent" "header.md#parameters";
        Singlecolor "singlecolor" "paths.md#parameters";
        Substring "substring" "strings.md#operations";
        Then "then" "control.md#conditions" "write `if C then F` or `if C then F else G`";
        Through "through" "attacks.md#pins";
        Title "title" "paths.md#parameters";
        Transform "transform" "comments.md#words-without-effect";
        Variations "variations" "header.md#parameters";
        Verbose "verbose" "paths.md#parameters";
    }
}
