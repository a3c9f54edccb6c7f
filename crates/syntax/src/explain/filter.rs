//! Explains every filter.

use super::names::{self, designator};
use super::phrase::{arithmetic, filled, negated, quoted};
use super::{Explainer, Use, Words, is_short, label_of_sort};
use crate::builtin::{Nullary, NumberSource};
use crate::designator::PieceSet;
use crate::tree::{
    Arithmetic, AssignOp, Color, Filter, FilterKind as K, Pattern, PinPart, Type, VariableKind,
};

impl Explainer<'_> {
    /// Returns the words for a filter. There is no wildcard arm, so that no filter is forgotten.
    pub(super) fn words(&mut self, filter: &Filter, used: Use) -> Words {
        let ty = filter.ty;
        match &filter.kind {
            // ---- constants and names
            K::Number(n) => Words::simple(ty, n.to_string()),
            K::Text(text) => Words::simple(ty, quoted(text)),
            K::Designator(d) => {
                let words = Words::simple(ty, designator(*d));
                let place = names::place("on", d.squares);
                match names::one_piece(d.pieces) {
                    Some(king) if names::is_king(d.pieces) && place.is_empty() => {
                        words.saying(format!("{king} is on the board"))
                    }
                    Some(king) if names::is_king(d.pieces) => {
                        words.saying(format!("{king} is{place}"))
                    }
                    Some(_)
                        if d.pieces == PieceSet::EMPTY_SQUARE && d.squares.count_ones() <= 2 =>
                    {
                        words.saying(format!("{} is empty", names::squares(d.squares)))
                    }
                    Some(piece) if d.squares.is_power_of_two() => {
                        words.saying(format!("there is {piece}{place}"))
                    }
                    _ => words,
                }
            }
            K::Nullary(word) => {
                let row = word.row();
                let words = match ty {
                    Type::Boolean => Words::condition(row.says),
                    _ => Words::simple(ty, row.says),
                };
                match row.holds {
                    Some(claim) => words.saying(claim),
                    None => words,
                }
            }
            K::Unary(word, a) => {
                Words::simple(ty, format!("{} {}", word.row().says, self.object(a)))
            }
            K::Binary(word, a, b) => {
                let operands = [self.operand(a), self.operand(b)];
                let row = word.row();
                let noun = filled(row.says, &operands);
                let words = match ty {
                    Type::Boolean => Words::condition(noun),
                    _ => Words::value(ty, noun),
                };
                match row.holds {
                    Some(claim) => words.saying(filled(claim, &operands)),
                    None => words,
                }
            }
            K::AllSquares => {
                Words::simple(ty, "all squares").saying("anything (it always matches)")
            }
            K::NoSquares => Words::simple(ty, "no squares").saying("nothing (it never matches)"),
            K::TextSource(source) => Words::simple(ty, names::text_source(source)),
            K::Variable(id) => {
                let name = self.variable(*id);
                let claim = match self.query.variables.get(id.0 as usize).map(|v| v.kind) {
                    Some(VariableKind::Set) => format!("{name} is not empty"),
                    Some(VariableKind::Piece) => format!("{name} is on the board"),
                    _ => format!("{name} has a value"),
                };
                Words::simple(ty, name).saying(claim)
            }
            K::Dictionary(id) => {
                let name = self.dictionary(*id);
                Words::simple(ty, format!("the dictionary {name}"))
                    .saying(format!("{name} is a dictionary (it always matches)"))
            }

            // ---- composition
            K::Block(items) => self.block(items, ty, used),
            K::Or(items) => self.list(items, " or ", "one of these holds (tried in this order):"),
            K::And(items) => self.list(items, " and ", "all of these hold:"),
            K::Not(a) => {
                let claim = self.claim(a);
                Words::condition(negated(a, &claim))
            }
            K::Relation { op, left, right } => self.relation(*op, left, right, ty),
            K::Equal(a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                Words::condition(format!("{a} and {b} are the same"))
            }
            K::In(a, b) => {
                let (is_text, is_square) = (a.ty == Type::String, self.is_square(a));
                let is_place =
                    matches!(&b.kind, K::Designator(d) if d.pieces == PieceSet::ANYTHING);
                let king = match &a.kind {
                    K::Designator(d) if names::is_king(d.pieces) && d.squares == u64::MAX => {
                        names::one_piece(d.pieces)
                    }
                    _ => None,
                };
                let (a, b) = (self.operand(a), self.operand(b));
                let claim = match () {
                    () if is_place && king.is_some() => {
                        format!("{} is on {b}", king.unwrap_or_default())
                    }
                    () if is_text => format!("{a} occurs in {b}"),
                    () if is_square => format!("{a} is one of {b}"),
                    () => format!("{b} include all of {a}"),
                };
                Words::condition(claim)
            }
            K::If(test, then, otherwise) => {
                self.condition("if", test);
                self.either("then", then, used);
                if let Some(otherwise) = otherwise {
                    self.either("else", otherwise, used);
                }
                let text = match (used, otherwise) {
                    (Use::Condition, Some(_)) => {
                        "one of two things holds, depending on a condition:"
                    }
                    (Use::Condition, None) => "if a condition holds, something else holds, too:",
                    (Use::Value, _) => "one of two values, depending on a condition:",
                };
                Words::heading(ty, text)
            }
            K::While(test, body) => {
                self.condition("while", test);
                self.condition("do", body);
                Words::condition("again and again (it always matches):")
            }
            K::WhileMatch { subject, pattern, body } => {
                let subject = self.value(subject);
                let pattern = self.pattern(pattern);
                self.condition("do", body);
                let text = format!(
                    "for every match of the regular expression {pattern} in {subject} (it always matches):",
                );
                Words::condition(text)
            }
            K::Loop(body) => {
                self.condition("do", body);
                Words::condition("again and again, until it does not match:")
            }
            K::Assert(a) => {
                Words::condition(format!("{}, or the run ends with an error", self.claim(a)))
            }
            K::SquareLoop(square_loop) => self.square_loop(square_loop, ty),
            K::DictionaryLoop { variable, dictionary, body } => {
                self.condition("do", body);
                let (key, name) = (self.variable(*variable), self.dictionary(*dictionary));
                Words::condition(format!("for every key {key} of the dictionary {name}:"))
            }
            K::FunctionDefinition => {
                Words::condition("a function is defined here (it always matches)")
            }
            K::Call { arguments, body } => {
                for (variable, argument) in arguments {
                    self.noun(&format!("{} is", self.variable(*variable)), argument);
                }
                self.either("meaning", body, used);
                Words::heading(ty, "a function is called:")
            }

            // ---- variables
            K::Assign { variable, op, value } => {
                let name = self.variable(*variable);
                let value = self.value(value);
                let claim = match op {
                    AssignOp::Set => format!("{name} becomes {value}"),
                    AssignOp::SetNonEmpty => {
                        format!("{name} becomes {value}, if there are any")
                    }
                    AssignOp::Arithmetic(op) => {
                        format!("{name} becomes {name} {} {value}", arithmetic(*op))
                    }
                    AssignOp::Union => format!("{value} are added to {name}"),
                    AssignOp::Intersect => {
                        format!("{name} keeps only what is also among {value}")
                    }
                };
                Words::condition(claim)
            }
            K::AssignPiece(variable, value) => {
                let claim = format!(
                    "{} becomes the piece on the only square of {}",
                    self.variable(*variable),
                    self.operand(value)
                );
                Words::condition(claim)
            }
            K::AssignSlice { variable, slice, value } => {
                let part = self.part_of_text(slice);
                let claim =
                    format!("{part} of {} becomes {}", self.variable(*variable), self.value(value));
                Words::condition(claim)
            }
            K::Unbind(variable) => {
                Words::condition(format!("{} loses its value", self.variable(*variable)))
            }
            K::UnbindDictionary(id) => {
                Words::condition(format!("the dictionary {} is emptied", self.dictionary(*id)))
            }
            K::UnbindEntry(id, key) => {
                let key = self.value(key);
                let name = self.dictionary(*id);
                Words::condition(format!("the entry of {name} under {key} is removed"))
            }
            K::IsBound(variable) => match variable {
                Some(variable) => {
                    Words::condition(format!("{} has a value", self.variable(*variable)))
                }
                None => Words::condition("nothing (there is no such variable)"),
            },
            K::Lookup(id, key) => {
                let key = self.value(key);
                let noun = format!("the entry of {} under {key}", self.dictionary(*id));
                let claim = format!("there is {noun}");
                Words::simple(ty, noun).saying(claim)
            }
            K::AssignEntry(id, key, value) => {
                let (key, value) = (self.value(key), self.value(value));
                let name = self.dictionary(*id);
                Words::condition(format!("the entry of {name} under {key} becomes {value}"))
            }
            K::DictionaryDeclaration(id) => Words::condition(format!(
                "{} is a dictionary (it always matches)",
                self.dictionary(*id)
            )),

            // ---- numbers
            K::Arithmetic(Arithmetic::Divide, a, b) if is_number_of_move(a, b) => {
                Words::simple(ty, "the number of the last move")
            }
            K::Arithmetic(op, a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                Words::value(ty, format!("{a} {} {b}", arithmetic(*op)))
            }
            K::Negate(a) => self.of(ty, "minus", a),
            K::Elo(color) => Words::simple(
                ty,
                match color {
                    None => "the greater of the two ratings",
                    Some(Color::White) => "the rating of White",
                    Some(Color::Black) => "the rating of Black",
                },
            ),
            K::HhdbEgDiagram => Words::simple(ty, "the number of the diagram in EG"),
            K::Cardinality(a) => self.of(ty, "the number of", a),
            K::PieceIdOf(variable) => {
                Words::simple(ty, format!("the number of the piece {}", self.variable(*variable)))
            }
            K::Length(a) => self.of(ty, "the length of", a),
            K::DictionarySize(id) => {
                Words::simple(ty, format!("the number of entries of {}", self.dictionary(*id)))
            }
            K::Extremum { max, items } => {
                let items: Vec<String> = items.iter().map(|item| self.operand(item)).collect();
                let word = if *max { "greatest" } else { "least" };
                Words::value(ty, format!("the {word} of {}", items.join(", ")))
            }
            K::AsciiCode(a) => self.of(ty, "the code of the character", a),
            K::GroupIndex(n) => Words::simple(ty, format!("the place of capture group {n}")),
            K::HhdbAward(award) => {
                let special = if award.special { "special " } else { "" };
                let rank = if award.max { "the lower rank" } else { "the rank" };
                let sorted = match award.sort {
                    Some(_) => "; games are sorted by it",
                    None => "",
                };
                let award = names::award(award.kind);
                Words::value(ty, format!("{rank} of the study's {special}{award}{sorted}"))
                    .saying(format!("the study has a {special}{award}{sorted}"))
            }

            K::Likeness(likeness) => Words::simple(ty, names::likeness(likeness)),

            // ---- sets
            K::Union(a, b) => self.infix(ty, a, "or", b),
            K::Intersect(..) => self.intersection(filter),
            K::Complement(a) => self.of(ty, "squares other than", a),
            K::SameContent(a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                Words::value(ty, format!("squares with the same content in {a} and {b}"))
            }
            K::Attacks(a, b) => {
                let one = self.single(a);
                let (a, b) = (self.operand(a), self.object(b));
                let words = Words::value(ty, format!("{a} that attack {b}"));
                match one {
                    Some(one) => words.saying(format!("{one} attacks {b}")),
                    None => words,
                }
            }
            K::AttackedBy(a, b) => {
                let one = self.single(a);
                let (a, b) = (self.operand(a), self.object(b));
                let what = if b.starts_with("the square ") { "the piece on " } else { "" };
                let words = Words::value(ty, format!("{a} that are attacked by {what}{b}"));
                match one {
                    Some(one) => words.saying(format!("{one} is attacked by {what}{b}")),
                    None => words,
                }
            }
            K::Ray(ray) => {
                let operands = ray.operands.iter();
                let operands: Vec<String> = operands.map(|operand| self.object(operand)).collect();
                let (last, others) = match operands.split_last() {
                    Some((last, others)) => (last.as_str(), others.join(" over ")),
                    None => ("", String::new()),
                };
                let kind = match (ray.attack, ray.steps.len()) {
                    (true, _) => "a line of attack",
                    (false, 8) => "a straight line",
                    (false, _) => "a straight line in the given directions",
                };
                let line = format!("{kind} from {others} to {last} with nothing else between");
                let end = if ray.first { "first" } else { "last" };
                Words::value(ty, format!("the {end} squares of {line}"))
                    .saying(format!("there is {line}"))
            }
            K::Pin(pin) => {
                let mut place = |word: &str, filter: &Option<Box<Filter>>| match filter {
                    Some(filter) => format!(" {word} {}", self.operand(filter)),
                    None => String::new(),
                };
                let places =
                    [place("by", &pin.from), place("of", &pin.through), place("against", &pin.to)]
                        .concat();
                let what = match pin.value {
                    PinPart::From => "pieces that pin",
                    PinPart::Through => "pieces that are pinned",
                    PinPart::To => "squares against which pieces are pinned",
                };
                Words::value(ty, format!("{what} (pins{places})"))
                    .saying(format!("there are pins{places}"))
            }
            K::Direction { direction, range, operand } => {
                let operand = self.object(operand);
                let steps = match range {
                    Some(range) => match self.range(*range).as_str() {
                        "1" => "1 step ".to_owned(),
                        range => format!("{range} steps "),
                    },
                    None => String::new(),
                };
                let word = direction.says();
                Words::value(ty, format!("squares {steps}{word} {operand}"))
            }
            K::SquareColor { light, operand } => {
                let color = if *light { "light" } else { "dark" };
                let operand = self.operand(operand);
                Words::value(ty, format!("{operand} on {color} squares"))
            }
            K::MakeSquare(file, rank) => {
                let (file, rank) = (self.operand(file), self.operand(rank));
                Words::value(ty, format!("the square on file {file} and rank {rank}"))
                    .saying(format!("there is a square on file {file} and rank {rank}"))
            }
            K::MakeSquareFromText(a) => self.of(ty, "the square that is named by", a),

            K::FenSet(_) => Words::value(ty, "squares with the same content as in the FEN"),

            // ---- strings
            K::Concatenate(a, b) => self.infix(ty, a, "followed by", b),
            K::Substring(a, slice) => {
                let part = self.part_of_text(slice);
                let a = self.operand(a);
                Words::value(ty, format!("{part} of {a}"))
            }
            K::Match { subject, pattern } => {
                let subject = self.operand(subject);
                let pattern = self.pattern(pattern);
                Words::value(
                    ty,
                    format!("the part of {subject} that the regular expression {pattern} matches"),
                )
                .saying(format!("the regular expression {pattern} matches in {subject}"))
            }
            K::Replace { subject, pattern, with } => {
                let (subject, with) = (self.operand(subject), self.operand(with));
                let pattern = self.pattern(pattern);
                let noun = format!(
                    "{subject} with {with} for all that the regular expression {pattern} matches"
                );
                Words::value(ty, noun)
            }
            K::Group(n) => Words::simple(ty, format!("the text of capture group {n}")),
            K::Str(items) => Words::value(ty, format!("the text of {}", self.text_of(items))),
            K::AsciiCharacter(a) => self.of(ty, "the character with the code", a),
            K::ReadFile(a) => self.of(ty, "the contents of the file", a),
            K::CommandPipe { name, items } => {
                let told = self.text_of(items);
                let told = if items.is_empty() { String::new() } else { format!(" and {told}") };
                let noun = format!("what the program {name} answers to this position{told}");
                Words::value(ty, noun)
            }
            K::Engine(question) => Words::simple(ty, names::engine(*question)),

            // ---- positions
            K::At(position, body) => {
                let position = self.operand(position);
                match (used, ty) {
                    (Use::Condition, _) | (_, Type::Boolean) => {
                        let (claim, below) =
                            self.words_of(body, Use::Condition).said(Use::Condition);
                        if is_short(&claim, &below) {
                            return Words::condition(format!("at {position}: {claim}"));
                        }
                        self.add(String::new(), claim, body, below);
                        Words::condition(format!("at {position}:"))
                    }
                    _ => {
                        let (noun, below) = self.words_of(body, used).said(used);
                        if below.is_empty() {
                            return Words::value(ty, format!("{noun} at {position}"));
                        }
                        self.add(String::new(), noun, body, below);
                        Words::heading(ty, &format!("at {position}:"))
                    }
                }
            }
            K::Imagine(imagine) => self.imagine(imagine, ty, used),
            K::ChildPosition(n) => match n.kind {
                K::Number(0) => Words::simple(ty, "the position after the next move"),
                _ => self.of(ty, "the position after the move (counted from 0) number", n),
            },
            K::Find(find) => {
                let body = self.claim(&find.body);
                let place = if find.backward {
                    "on the way from the start to here (this position included)"
                } else {
                    "here or later in the game"
                };
                let noun = match (find.all, find.range) {
                    (false, None) => format!("the first position {place} at which {body}"),
                    _ => format!("the number of positions {place} at which {body}"),
                };
                let claim = match (find.all, find.range) {
                    (_, Some(range)) => format!(
                        "the number of positions {place} at which {body} is {}",
                        self.range(range)
                    ),
                    _ => format!("there is a position {place} at which {body}"),
                };
                Words::value(ty, noun).saying(claim)
            }
            K::Echo(echo) => {
                self.either("at the other", &echo.body, used);
                let (source, target) = (self.variable(echo.source), self.variable(echo.target));
                let other = if echo.all { "a" } else { "another" };
                let claim = format!(
                    "this position ({source}) and {other} position of the game ({target}) belong \
                     together:"
                );
                let noun = format!(
                    "the greatest value that this position ({source}) and {other} position of \
                     the game ({target}) have together:"
                );
                Words::either(ty, noun, claim)
            }
            K::ConsecutiveMoves(moves) => {
                let (source, target) = (self.variable(moves.source), self.variable(moves.target));
                let length = match moves.range {
                    Some(range) => format!(" (it must be {})", self.range(range)),
                    None => String::new(),
                };
                Words::value(
                    ty,
                    format!(
                        "the length{length} of the longest run of moves that leads both to \
                         {source} and to {target}"
                    ),
                )
            }
            K::SimilarPosition { nosort, notransform, file } => {
                let like =
                    if *notransform { "the same as" } else { "like, or the mirror image of," };
                let sorted = if *nosort { "" } else { "; games are sorted by it" };
                let file = String::from_utf8_lossy(&file.0);
                Words::condition(format!("the position is {like} one of {file}{sorted}"))
            }

            // ---- moves
            K::Dash(dash) => self.dash(dash, ty, used, false),
            K::CurrentMove(dash) => self.dash(dash, ty, used, true),
            K::Legal(dash) => self.legal(dash),
            K::Tried(tried) => self.tried(tried, ty, used),
            K::CountMoves(countable) => self.count_moves(countable),
            K::Move(filter) => self.move_filter(filter, ty),
            K::Path(path) => self.path(path, ty),
            K::Line(line) => self.line(line, ty),

            // ---- transforms
            K::Transform(transform) => {
                let body = &transform.body;
                let board = transform.family.says();
                match transform.range {
                    Some(range) => {
                        self.condition("", body);
                        let noun = format!(
                            "the number of ways to see the board ({board}) in which this holds"
                        );
                        let claim = format!("{noun} is {}:", self.range(range));
                        Words::value(ty, format!("{noun}:")).saying(claim)
                    }
                    None => {
                        self.either("", body, used);
                        let claim = format!("with the board {board}:");
                        let what = if ty == Type::Set { "squares" } else { "the greatest value" };
                        Words::either(ty, format!("{what}, {claim}"), claim)
                    }
                }
            }
            K::NoTransform(body) => {
                self.either("", body, used);
                Words::heading(ty, "with the board as it is, whatever transform is around:")
            }

            // ---- game data and output
            K::FenPattern(_) => Words::condition("the board looks as the FEN says"),
            K::Classed { says, .. } => Words::condition(says.to_string()),
            K::Result(result) => Words::condition(format!("the game ended {}", result.text())),
            K::Contains(text, a) => {
                Words::condition(format!("{} contains {}", self.operand(a), quoted(text)))
            }
            K::HasNag(n) => Words::condition(format!("the move that led here has the NAG ${n}")),
            K::RemoveComment => {
                Words::condition("the comments of the file are removed here (it always matches)")
            }
            K::SetTag(name, a) => {
                let a = self.value(a);
                let name = String::from_utf8_lossy(name);
                Words::condition(format!("the tag {name} of the game becomes {a}"))
            }
            K::RemoveTag(name) => {
                let name = String::from_utf8_lossy(name);
                Words::condition(format!("the tag {name} of the game is left out"))
            }
            K::HhdbFlag(flag) => Words::condition(names::hhdb_flag(flag)),
            K::Comment(items) => {
                Words::condition(format!("a comment is written here: {}", self.text_of(items)))
            }
            K::Message { quiet: _, items } => {
                Words::condition(format!("a message is printed: {}", self.text_of(items)))
            }
            K::WriteFile(name, content) => {
                let (name, content) = (self.operand(name), self.operand(content));
                Words::condition(format!("{content} is written to the file {name}"))
            }
            K::Sort { variable, ascending, body } => {
                let body = self.value(body);
                let sort = self.query.sorts.get(variable.0 as usize);
                let label = sort.and_then(|sort| label_of_sort(&sort.label));
                let label = label.map(|label| quoted(label.as_bytes()));
                let order = if *ascending { "least" } else { "greatest" };
                let [claimed, beside] = match label {
                    Some(label) => [format!(" ({label})"), format!(", {label}")],
                    None => Default::default(),
                };
                let claim = format!("games are sorted by {body}, the {order} first{claimed}");
                Words::value(ty, format!("{body} (by which games are sorted{beside})"))
                    .saying(claim)
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Literal(text, _) => quoted(text),
            Pattern::Computed(filter) => format!("in {}", self.operand(filter)),
        }
    }

    pub(super) fn dictionary(&self, id: crate::tree::DictionaryId) -> String {
        let dictionary = self.query.dictionaries.get(id.0 as usize);
        dictionary.map_or(String::new(), |d| d.name.clone())
    }
}

/// Whether the quotient of two numbers is `(ply + 1) / 2`.
fn is_number_of_move(half_moves: &Filter, divisor: &Filter) -> bool {
    let K::Arithmetic(Arithmetic::Add, ply, one) = &half_moves.kind else {
        return false;
    };
    let are_numbers = matches!((&one.kind, &divisor.kind), (K::Number(1), K::Number(2)));
    are_numbers && matches!(ply.kind, K::Nullary(Nullary::NumberSource(NumberSource::Ply)))
}
