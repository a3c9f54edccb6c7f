//! Writes the image of a square under a symmetry or a shift in CQL 6.2.
//!
//! A transform of CQL 6.2 changes the text of a query, never the content of a set. So the image of
//! a square is computed from its file and rank: `makesquare(9-file x rank x)` is its mirror image,
//! which is empty if there is no such square. Symmetries are written out one after the other. There
//! are too many shifts for that, so they are found by loops over squares.

/// A symmetry of the board, one of eight: files and ranks are exchanged or not, then each is
/// mirrored or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Symmetry {
    exchanges: bool,
    mirrors_files: bool,
    mirrors_ranks: bool,
}

impl Symmetry {
    /// Returns all eight symmetries; the identity is the first.
    pub(super) fn all() -> Vec<Symmetry> {
        let bits = |n: u8| Symmetry {
            exchanges: n & 4 != 0,
            mirrors_files: n & 1 != 0,
            mirrors_ranks: n & 2 != 0,
        };
        (0..8).map(bits).collect()
    }

    /// The mirror image that exchanges files a and h.
    pub(super) const LEFT_TO_RIGHT: Symmetry =
        Symmetry { exchanges: false, mirrors_files: true, mirrors_ranks: false };

    /// The mirror image that exchanges ranks 1 and 8.
    pub(super) const UPSIDE_DOWN: Symmetry =
        Symmetry { exchanges: false, mirrors_files: false, mirrors_ranks: true };

    /// Rotations by 90, 180 and 270 degrees.
    pub(super) const TURNS: [Symmetry; 3] = [
        Symmetry { exchanges: true, mirrors_files: true, mirrors_ranks: false },
        Symmetry { exchanges: false, mirrors_files: true, mirrors_ranks: true },
        Symmetry { exchanges: true, mirrors_files: false, mirrors_ranks: true },
    ];

    fn inverse(self) -> Symmetry {
        if self.exchanges {
            Symmetry {
                mirrors_files: self.mirrors_ranks,
                mirrors_ranks: self.mirrors_files,
                ..self
            }
        } else {
            self
        }
    }

    /// Returns this symmetry followed by `next`.
    fn then(self, next: Symmetry) -> Symmetry {
        let (files, ranks) = if next.exchanges {
            (self.mirrors_ranks, self.mirrors_files)
        } else {
            (self.mirrors_files, self.mirrors_ranks)
        };
        Symmetry {
            exchanges: self.exchanges != next.exchanges,
            mirrors_files: files != next.mirrors_files,
            mirrors_ranks: ranks != next.mirrors_ranks,
        }
    }
}

/// Directions of shifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Directions {
    All,
    Horizontal,
    Vertical,
}

/// A step of a map.
#[derive(Debug, Clone)]
enum MapStep {
    Symmetry(Symmetry),
    /// A shift by the numbers of files and ranks in these variables.
    Shift(Option<String>, Option<String>),
}

/// Maps of the board, with the loops that find the shifts.
#[derive(Debug, Clone)]
pub(super) struct Maps {
    alternatives: Vec<Map>,
    loops: Vec<String>,
}

/// A map of the board, as its steps in the order of application.
#[derive(Debug, Clone)]
pub(super) struct Map(Vec<MapStep>);

impl Maps {
    /// Returns only the identity.
    pub(super) fn identity() -> Maps {
        Maps { alternatives: vec![Map(Vec::new())], loops: Vec::new() }
    }

    /// Returns these maps, each followed by each of the symmetries.
    pub(super) fn turned(self, symmetries: &[Symmetry]) -> Maps {
        let mut alternatives: Vec<Map> = Vec::new();
        for symmetry in symmetries {
            for map in &self.alternatives {
                let mut steps = map.0.clone();
                let mut symmetry = *symmetry;
                if let Some(MapStep::Symmetry(before)) = steps.last() {
                    symmetry = before.then(symmetry);
                    steps.pop();
                }
                let is_new = alternatives.iter().all(|other| match other.0.last() {
                    Some(MapStep::Symmetry(other)) => *other != symmetry,
                    _ => true,
                });
                if is_new {
                    steps.push(MapStep::Symmetry(symmetry));
                    alternatives.push(Map(steps));
                }
            }
        }
        Maps { alternatives, ..self }
    }

    /// Returns these maps, each followed by a shift. If `resting`, the shift by nothing is
    /// included.
    pub(super) fn shifted(mut self, directions: Directions, resting: bool) -> Maps {
        let n = match self.loops.len() {
            0 => String::new(),
            n => (n + 1).to_string(),
        };
        // One square gives the distance from a1, and another one the sign; for a single direction,
        // one square gives both. A transform around the query must not change these squares.
        let (around, dx, dy) = match (directions, resting) {
            (Directions::All, _) => {
                let domain = if resting { "." } else { "(notransform ~a1)" };
                let text = format!(
                    "square u{n} in {domain} {{square v{n} in (notransform a-b1-2) {{\
                     dx{n}=(file u{n}-1)*(3-2*file v{n}) dy{n}=(rank u{n}-1)*(3-2*rank v{n}) "
                );
                (text, true, true)
            }
            (Directions::Horizontal, _) => {
                let first = if resting { 'a' } else { 'b' };
                let text = format!(
                    "square u{n} in (notransform {first}-h1-2) {{\
                     dx{n}=(file u{n}-1)*(3-2*rank u{n}) "
                );
                (text, true, false)
            }
            (Directions::Vertical, _) => {
                let first = if resting { 1 } else { 2 };
                let text = format!(
                    "square u{n} in (notransform a-b{first}-8) {{\
                     dy{n}=(rank u{n}-1)*(3-2*file u{n}) "
                );
                (text, false, true)
            }
        };
        let step = MapStep::Shift(dx.then(|| format!("dx{n}")), dy.then(|| format!("dy{n}")));
        for map in &mut self.alternatives {
            map.0.push(step.clone());
        }
        self.loops.push(around);
        self
    }

    /// Whether squares may be moved off the board.
    pub(super) fn leave_the_board(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Requires `condition` for at least one of the maps.
    pub(super) fn any(&self, condition: impl Fn(&Map) -> String) -> String {
        let conditions: Vec<String> = self.alternatives.iter().map(condition).collect();
        let mut text = format!("{{{}}}", conditions.join(" or\n   "));
        for around in self.loops.iter().rev() {
            let depth = around.matches('{').count();
            text = format!("{{{around}{text}{}}}", "}".repeat(depth));
        }
        text
    }
}

impl Map {
    /// Returns the image of the square `x`.
    pub(super) fn image(&self, x: &str) -> String {
        makesquare(x, self.0.iter().cloned())
    }

    /// Returns the square whose image is `x`.
    pub(super) fn origin(&self, x: &str) -> String {
        let back = self.0.iter().rev().map(|step| match step {
            MapStep::Symmetry(symmetry) => MapStep::Symmetry(symmetry.inverse()),
            MapStep::Shift(dx, dy) => {
                let negated = |d: &Option<String>| d.as_ref().map(|d| format!("-{d}"));
                MapStep::Shift(negated(dx), negated(dy))
            }
        });
        makesquare(x, back)
    }
}

fn makesquare(x: &str, steps: impl Iterator<Item = MapStep>) -> String {
    let mut file = Coordinate::new("file");
    let mut rank = Coordinate::new("rank");
    for step in steps {
        match step {
            MapStep::Symmetry(symmetry) => {
                if symmetry.exchanges {
                    std::mem::swap(&mut file, &mut rank);
                }
                file.mirrored ^= symmetry.mirrors_files;
                rank.mirrored ^= symmetry.mirrors_ranks;
                for (coordinate, mirrors) in
                    [(&mut file, symmetry.mirrors_files), (&mut rank, symmetry.mirrors_ranks)]
                {
                    for shift in &mut coordinate.shifts {
                        shift.0 ^= mirrors;
                    }
                }
            }
            MapStep::Shift(dx, dy) => {
                for (coordinate, shift) in [(&mut file, dx), (&mut rank, dy)] {
                    coordinate.shifts.extend(shift.map(|name| match name.strip_prefix('-') {
                        Some(name) => (true, name.to_owned()),
                        None => (false, name),
                    }));
                }
            }
        }
    }
    format!("makesquare({} {})", file.of(x), rank.of(x))
}

/// The number of a file or rank as an expression: that of a square, possibly mirrored, and shifts.
struct Coordinate {
    word: &'static str,
    mirrored: bool,
    /// Shifts by name; `true` if the shift is subtracted.
    shifts: Vec<(bool, String)>,
}

impl Coordinate {
    fn new(word: &'static str) -> Coordinate {
        Coordinate { word, mirrored: false, shifts: Vec::new() }
    }

    fn of(&self, x: &str) -> String {
        let mirror = if self.mirrored { "9-" } else { "" };
        let mut text = format!("{mirror}{} {x}", self.word);
        for (negative, name) in &self.shifts {
            text.push(if *negative { '-' } else { '+' });
            text += name;
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_computed_from_files_and_ranks() {
        for (symmetry, image) in [
            (Symmetry::default(), "makesquare(file x rank x)"),
            (Symmetry::LEFT_TO_RIGHT, "makesquare(9-file x rank x)"),
            (Symmetry::UPSIDE_DOWN, "makesquare(file x 9-rank x)"),
            (Symmetry::TURNS[0], "makesquare(9-rank x file x)"),
            (Symmetry::TURNS[1], "makesquare(9-file x 9-rank x)"),
            (Symmetry::TURNS[2], "makesquare(rank x 9-file x)"),
        ] {
            let maps = Maps::identity().turned(&[symmetry]);
            assert_eq!(maps.any(|map| map.image("x")), format!("{{{image}}}"));
        }
        // a quarter turn is undone by three quarter turns
        let turned = Maps::identity().turned(&[Symmetry::TURNS[0]]);
        let back = Maps::identity().turned(&[Symmetry::TURNS[2]]);
        assert_eq!(turned.any(|map| map.origin("x")), back.any(|map| map.image("x")));
    }

    #[test]
    fn symmetries_are_composed_and_stand_once() {
        let all = Maps::identity().turned(&Symmetry::all());
        assert_eq!(all.alternatives.len(), 8);
        let twice = all.turned(&Symmetry::all());
        assert_eq!(twice.alternatives.len(), 8);
        let one = Maps::identity().turned(&[Symmetry::TURNS[0]]).turned(&[Symmetry::LEFT_TO_RIGHT]);
        assert_eq!(one.any(|map| map.image("x")), "{makesquare(rank x file x)}");
    }

    #[test]
    fn shifts_are_found_by_loops() {
        let maps =
            Maps::identity().shifted(Directions::Horizontal, false).turned(&[Symmetry::TURNS[0]]);
        assert!(maps.leave_the_board());
        let text = maps.any(|map| format!("{} {}", map.image("x"), map.origin("x")));
        assert_eq!(
            text,
            "{square u in (notransform b-h1-2) {dx=(file u-1)*(3-2*rank u) \
             {makesquare(9-rank x file x+dx) makesquare(rank x-dx 9-file x)}}}"
        );
        let maps =
            Maps::identity().shifted(Directions::All, true).shifted(Directions::Vertical, true);
        let text = maps.any(|map| map.image("x"));
        assert!(text.ends_with("{makesquare(file x+dx rank x+dy+dy2)}}}}}}"), "{text}");
    }
}
