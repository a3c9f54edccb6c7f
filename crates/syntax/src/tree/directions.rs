//! Directions and transforms: a row for each, with its words and its meaning.

/// Defines an enum by a table. A row contains the name, the words of the language (the usual one
/// first), the meaning in English, and another value.
macro_rules! table {
    (
        $(#[$doc:meta])*
        $name:ident, $(#[$column_doc:meta])* $column:ident: $type:ty;
        $($variant:ident [$($word:literal)+] $says:literal $value:expr;)+
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant,)+ }

        impl $name {
            /// All values, in the order of the table.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// Returns the value for a word of the language.
            pub fn from_word(word: &str) -> Option<$name> {
                match word {
                    $($($word)|+ => Some($name::$variant),)+
                    _ => None,
                }
            }

            /// Returns the usual word.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => [$($word),+][0],)+ }
            }

            /// Returns the meaning in English.
            pub(crate) const fn says(self) -> &'static str {
                match self { $($name::$variant => $says,)+ }
            }

            $(#[$column_doc])*
            pub const fn $column(self) -> $type {
                match self { $($name::$variant => $value,)+ }
            }
        }
    };
}

table! {
    /// The basic and compound directions.
    DirectionName,
    /// The (file, rank) steps of the direction.
    steps: &'static [(i8, i8)];

    Up ["up"] "above" &[(0, 1)];
    Down ["down"] "below" &[(0, -1)];
    Left ["left"] "to the left of" &[(-1, 0)];
    Right ["right"] "to the right of" &[(1, 0)];
    NorthEast ["northeast"] "up and to the right of" &[(1, 1)];
    NorthWest ["northwest"] "up and to the left of" &[(-1, 1)];
    SouthEast ["southeast"] "down and to the right of" &[(1, -1)];
    SouthWest ["southwest"] "down and to the left of" &[(-1, -1)];
    Vertical ["vertical"] "above or below" &[(0, 1), (0, -1)];
    Horizontal ["horizontal"] "to the left or right of" &[(-1, 0), (1, 0)];
    Orthogonal ["orthogonal"] "in a straight line from" &[(0, 1), (0, -1), (-1, 0), (1, 0)];
    Diagonal ["diagonal"] "on a diagonal from" &[(1, 1), (-1, 1), (1, -1), (-1, -1)];
    MainDiagonal ["maindiagonal"] "on the rising diagonal from" &[(1, 1), (-1, -1)];
    OffDiagonal ["offdiagonal"] "on the falling diagonal from" &[(-1, 1), (1, -1)];
    AnyDirection ["anydirection"] "in any direction from"
        &[(0, 1), (0, -1), (-1, 0), (1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)];
}

table! {
    /// The families of transforms. The meanings describe the boards on which a filter is tried.
    TransformFamily,
    /// Number of members of the family.
    size: u32;

    Flip ["flip" "flipdihedral" "dihedral"] "turned or mirrored in any of 8 ways" 8;
    FlipColor ["flipcolor"] "as it is, or with White and Black exchanged" 2;
    FlipHorizontal ["fliphorizontal"] "as it is, or upside down, with ranks 1 and 8 exchanged" 2;
    FlipVertical ["flipvertical"] "as it is, or mirrored, with the a-file and the h-file exchanged" 2;
    Rotate90 ["rotate90"] "turned by 0, 90, 180 or 270 degrees" 4;
    Rotate45 ["rotate45"] "with its directions turned by multiples of 45 degrees" 8;
    Shift ["shift"] "shifted anywhere on the board" 225;
    ShiftHorizontal ["shifthorizontal"] "shifted to the left or right" 15;
    ShiftVertical ["shiftvertical"] "shifted up or down" 15;
    ReverseColor ["reversecolor"] "with colors exchanged and upside down" 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::Keyword;

    #[test]
    fn words_are_of_the_language() {
        let directions = DirectionName::ALL.iter().map(|name| name.word());
        let families = TransformFamily::ALL.iter().map(|family| family.word());
        for word in directions.chain(families) {
            assert!(Keyword::from_text(word).is_some(), "{word}");
        }
        for &name in DirectionName::ALL {
            assert_eq!(DirectionName::from_word(name.word()), Some(name));
        }
    }
}
