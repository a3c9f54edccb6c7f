//! The square that a symmetry or a shift takes another one to, as CQL 6.2 can say it.
//!
//! A transform of CQL 6.2 turns what is written, never what a set holds. So the image of a square
//! is computed from its file and rank: `makesquare(9-file x rank x)` is its mirror image, and
//! empty where there is no such square. Symmetries are written one after the other; the far too
//! many shifts are what loops over squares find.

/// Files and ranks exchanged, then each mirrored: one of eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Symmetry {
    exchanges: bool,
    mirrors_files: bool,
    mirrors_ranks: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub(super) fn all() -> Vec<Symmetry> {
        let bits = |n: u8| Symmetry {
            exchanges: n & 4 != 0,
            mirrors_files: n & 1 != 0,
            mirrors_ranks: n & 2 != 0,
        };
        (0..8).map(bits).collect()
    }

    /// The a-file becomes the h-file.
    pub(super) const LEFT_TO_RIGHT: Symmetry = Symmetry {
        exchanges: false,
        mirrors_files: true,
        mirrors_ranks: false,
    };

    /// Rank 1 becomes rank 8.
    pub(super) const UPSIDE_DOWN: Symmetry = Symmetry {
        exchanges: false,
        mirrors_files: false,
        mirrors_ranks: true,
    };

    /// By 90, 180 and 270 degrees.
    pub(super) const TURNS: [Symmetry; 3] = [
        Symmetry {
            exchanges: true,
            mirrors_files: true,
            mirrors_ranks: false,
        },
        Symmetry {
            exchanges: false,
            mirrors_files: true,
            mirrors_ranks: true,
        },
        Symmetry {
            exchanges: true,
            mirrors_files: false,
            mirrors_ranks: true,
        },
    ];

    fn inverse(self) -> Symmetry {
        match self.exchanges {
            true => Symmetry {
                mirrors_files: self.mirrors_ranks,
                mirrors_ranks: self.mirrors_files,
                ..self
            },
            false => self,
        }
    }

    /// This one, then `next`.
    fn then(self, next: Symmetry) -> Symmetry {
        let (files, ranks) = match next.exchanges {
            true => (self.mirrors_ranks, self.mirrors_files),
            false => (self.mirrors_files, self.mirrors_ranks),
        };
        Symmetry {
            exchanges: self.exchanges != next.exchanges,
            mirrors_files: files != next.mirrors_files,
            mirrors_ranks: ranks != next.mirrors_ranks,
        }
    }
}

/// The directions of shifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Directions {
    All,
    Horizontal,
    Vertical,
}

/// One of the steps that a map consists of.
#[derive(Debug, Clone)]
enum Step {
    Symmetry(Symmetry),
    /// By these numbers of files and ranks, if at all.
    Shift(Option<String>, Option<String>),
}

/// Maps of the board, and the loops around them that find the shifts.
#[derive(Debug, Clone)]
pub(super) struct Maps {
    alternatives: Vec<Map>,
    loops: Vec<String>,
}

/// A map of the board: its steps, the first one in front.
#[derive(Debug, Clone)]
pub(super) struct Map(Vec<Step>);

impl Maps {
    /// The identity alone.
    pub(super) fn identity() -> Maps {
        Maps {
            alternatives: vec![Map(Vec::new())],
            loops: Vec::new(),
        }
    }

    /// These maps, and behind each of them one of the symmetries.
    pub(super) fn turned(self, symmetries: &[Symmetry]) -> Maps {
        let mut alternatives: Vec<Map> = Vec::new();
        for symmetry in symmetries {
            for map in &self.alternatives {
                let mut steps = map.0.clone();
                let mut symmetry = *symmetry;
                if let Some(Step::Symmetry(before)) = steps.last() {
                    symmetry = before.then(symmetry);
                    steps.pop();
                }
                let is_new = alternatives.iter().all(|other| match other.0.last() {
                    Some(Step::Symmetry(other)) => *other != symmetry,
                    _ => true,
                });
                if is_new {
                    steps.push(Step::Symmetry(symmetry));
                    alternatives.push(Map(steps));
                }
            }
        }
        Maps {
            alternatives,
            ..self
        }
    }

    /// These maps, and behind each of them a shift; the one that changes nothing among them if
    /// `resting`.
    pub(super) fn shifted(mut self, directions: Directions, resting: bool) -> Maps {
        let n = match self.loops.len() {
            0 => String::new(),
            n => (n + 1).to_string(),
        };
        // The distance is that of a square from a1, the sign that of a second square; or both
        // are of one. A transform around the whole must not turn these squares.
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
        let step = Step::Shift(dx.then(|| format!("dx{n}")), dy.then(|| format!("dy{n}")));
        for map in &mut self.alternatives {
            map.0.push(step.clone());
        }
        self.loops.push(around);
        self
    }

    /// Whether squares may leave the board.
    pub(super) fn leave_the_board(&self) -> bool {
        !self.loops.is_empty()
    }

    /// What holds if `condition` does for one of the maps at least.
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
    /// Where the square `x` goes.
    pub(super) fn image(&self, x: &str) -> String {
        makesquare(x, self.0.iter().cloned())
    }

    /// Where the square that goes to `x` is.
    pub(super) fn origin(&self, x: &str) -> String {
        let back = self.0.iter().rev().map(|step| match step {
            Step::Symmetry(symmetry) => Step::Symmetry(symmetry.inverse()),
            Step::Shift(dx, dy) => {
                let negated = |d: &Option<String>| d.as_ref().map(|d| format!("-{d}"));
                Step::Shift(negated(dx), negated(dy))
            }
        });
        makesquare(x, back)
    }
}

fn makesquare(x: &str, steps: impl Iterator<Item = Step>) -> String {
    let mut file = Coordinate::new("file");
    let mut rank = Coordinate::new("rank");
    for step in steps {
        match step {
            Step::Symmetry(symmetry) => {
                if symmetry.exchanges {
                    std::mem::swap(&mut file, &mut rank);
                }
                file.mirrored ^= symmetry.mirrors_files;
                rank.mirrored ^= symmetry.mirrors_ranks;
                for (coordinate, mirrors) in [
                    (&mut file, symmetry.mirrors_files),
                    (&mut rank, symmetry.mirrors_ranks),
                ] {
                    for shift in &mut coordinate.shifts {
                        shift.0 ^= mirrors;
                    }
                }
            }
            Step::Shift(dx, dy) => {
                for (coordinate, shift) in [(&mut file, dx), (&mut rank, dy)] {
                    coordinate
                        .shifts
                        .extend(shift.map(|name| match name.strip_prefix('-') {
                            Some(name) => (true, name.to_owned()),
                            None => (false, name),
                        }));
                }
            }
        }
    }
    format!("makesquare({} {})", file.of(x), rank.of(x))
}

/// The number of a file or rank: that of a square, mirrored or not, and shifts.
struct Coordinate {
    word: &'static str,
    mirrored: bool,
    /// Whether it is taken away, and its name.
    shifts: Vec<(bool, String)>,
}

impl Coordinate {
    fn new(word: &'static str) -> Coordinate {
        Coordinate {
            word,
            mirrored: false,
            shifts: Vec::new(),
        }
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
        // a quarter of a turn is undone by three quarters
        let turned = Maps::identity().turned(&[Symmetry::TURNS[0]]);
        let back = Maps::identity().turned(&[Symmetry::TURNS[2]]);
        assert_eq!(
            turned.any(|map| map.origin("x")),
            back.any(|map| map.image("x"))
        );
    }

    #[test]
    fn symmetries_are_composed_and_stand_once() {
        let all = Maps::identity().turned(&Symmetry::all());
        assert_eq!(all.alternatives.len(), 8);
        let twice = all.turned(&Symmetry::all());
        assert_eq!(twice.alternatives.len(), 8);
        let one = Maps::identity()
            .turned(&[Symmetry::TURNS[0]])
            .turned(&[Symmetry::LEFT_TO_RIGHT]);
        assert_eq!(one.any(|map| map.image("x")), "{makesquare(rank x file x)}");
    }

    #[test]
    fn shifts_are_found_by_loops() {
        let maps = Maps::identity()
            .shifted(Directions::Horizontal, false)
            .turned(&[Symmetry::TURNS[0]]);
        assert!(maps.leave_the_board());
        let text = maps.any(|map| format!("{} {}", map.image("x"), map.origin("x")));
        assert_eq!(
            text,
            "{square u in (notransform b-h1-2) {dx=(file u-1)*(3-2*rank u) \
             {makesquare(9-rank x file x+dx) makesquare(rank x-dx 9-file x)}}}"
        );
        let maps = Maps::identity()
            .shifted(Directions::All, true)
            .shifted(Directions::Vertical, true);
        let text = maps.any(|map| map.image("x"));
        assert!(
            text.ends_with("{makesquare(file x+dx rank x+dy+dy2)}}}}}}"),
            "{text}"
        );
    }
}
