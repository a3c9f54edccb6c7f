//! Levels of operators; those with lower levels bind tighter. An operand "of level n" may contain
//! operators up to that level.

/// `P : F`
pub(crate) const COLON: u8 = 1;
/// `S[i]`, `S ~~ "re"`
pub(crate) const POSTFIX: u8 = 2;
/// `attacks`, `attackedby`
pub(crate) const ATTACK: u8 = 3;
/// `&`
pub(crate) const INTERSECT: u8 = 4;
/// `|`
pub(crate) const UNION: u8 = 5;
/// `->`, `<-`
pub(crate) const ARROW: u8 = 6;
/// `--`, `[x]`
pub(crate) const DASH: u8 = 7;
/// `*` `/` `%`
pub(crate) const MULTIPLY: u8 = 8;
/// `+` `-`
pub(crate) const ADD: u8 = 9;
/// `<` `==` …
pub(crate) const RELATION: u8 = 10;
/// `in`
pub(crate) const IN: u8 = 11;
/// `and`
pub(crate) const AND: u8 = 12;
/// `or`
pub(crate) const OR: u8 = 13;
