//! Prints trees in a compact form, and contains helpers for all tests of the parser.

use super::super::{ParseOptions, Parsed, Source, parse};
use crate::span::Span;
use crate::tree::*;

/// Returns the abbreviation of a type.
fn letter(ty: Type) -> char {
    match ty {
        Type::Boolean => 'b',
        Type::Set => 's',
        Type::Numeric => 'n',
        Type::String => 't',
        Type::Position => 'p',
    }
}

/// Returns the first word that `Debug` prints, in lower case: the name of a variant.
fn variant(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    let word: String = text.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
    word.to_ascii_lowercase()
}

struct Printer<'a> {
    text: &'a str,
    query: &'a Query,
}

impl Printer<'_> {
    fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn name(&self, id: VariableId) -> &str {
        &self.query.variables[id.0 as usize].name
    }

    fn dictionary(&self, id: DictionaryId) -> &str {
        &self.query.dictionaries[id.0 as usize].name
    }

    fn bound(&self, bound: Bound) -> String {
        match bound {
            Bound::Constant(number) => number.to_string(),
            Bound::Variable { id, .. } => self.name(id).to_owned(),
        }
    }

    fn range(&self, range: Option<Range>) -> String {
        range.map_or(String::new(), |range| {
            format!(" {}..{}", self.bound(range.min), self.bound(range.max))
        })
    }

    fn all(&self, filters: &[Filter]) -> String {
        let printed: Vec<String> = filters.iter().map(|f| self.print(f)).collect();
        printed.join(" ")
    }

    fn slot(&self, name: &str, filter: &Option<Child>) -> String {
        filter.as_ref().map_or(String::new(), |f| format!(" {name}={}", self.print(f)))
    }

    fn dash(&self, dash: &Dash) -> String {
        let side = |side: &Option<Child>| side.as_ref().map_or("*".into(), |f| self.print(f));
        let sign = if dash.capture { "[x]" } else { "--" };
        let promotion = match &dash.promotion {
            None => String::new(),
            Some(Promotion::Any) => " =.".into(),
            Some(Promotion::Roles(roles)) => format!(" ={roles:06b}"),
            Some(Promotion::Text(text)) => format!(" ={}", self.print(text)),
        };
        let target = match dash.target.as_slice() {
            [] => String::new(),
            target => format!(" => {}", self.all(target)),
        };
        format!("{sign} {} {}{promotion}{target}", side(&dash.left), side(&dash.right))
    }

    fn legal(&self, dash: &LegalDash) -> String {
        let side = |side: &Option<Child>| side.as_ref().map_or("*".into(), |f| self.print(f));
        let word = if dash.pseudo { "pseudolegal" } else { "legal" };
        let target = dash.target.map_or(String::new(), |t| format!(" {t:?}"));
        format!("{word} {} {}{target}", side(&dash.left), side(&dash.right))
    }

    fn tried(&self, tried: &TriedDash) -> String {
        let word = tried.moves.word();
        let all = if tried.all { " all" } else { "" };
        format!("{word}{all} {}", self.dash(&tried.dash))
    }

    fn repeat(repeat: Option<Repeat>) -> String {
        match repeat {
            None => String::new(),
            Some(Repeat::Optional) => "?".into(),
            Some(Repeat::Star) => "*".into(),
            Some(Repeat::Plus) => "+".into(),
            Some(Repeat::Times { min, max }) => format!("{{{min},{max}}}"),
        }
    }

    fn constituent(&self, constituent: &Constituent) -> String {
        match constituent {
            Constituent::Filter(filter) => self.print(filter),
            Constituent::Dash { dash, filters, repeat } => {
                let filters = match filters.as_slice() {
                    [] => String::new(),
                    filters => format!(" : {}", self.all(filters)),
                };
                format!("<{}{filters}>{}", self.dash(dash), Self::repeat(*repeat))
            }
            Constituent::Group { members, repeat } => {
                let members: Vec<String> = members.iter().map(|m| self.constituent(m)).collect();
                format!("<{}>{}", members.join(" "), Self::repeat(*repeat))
            }
        }
    }

    fn path(&self, path: &Path) -> String {
        let mut text = String::new();
        for (flag, word) in [
            (path.flags.focus_capture, "capture"),
            (path.flags.single_color, "singlecolor"),
            (path.flags.primary, "primary"),
            (path.flags.nestban, "nestban"),
            (path.flags.firstmatch, "firstmatch"),
            (path.flags.keepallbest, "keepallbest"),
            (path.flags.piecepath, "piecepath"),
            (path.flags.verbose, "verbose"),
            (path.flags.quiet, "quiet"),
            (path.lastposition, "lastposition"),
            (path.title.is_some(), "title"),
        ] {
            if flag {
                text += &format!(" {word}");
            }
        }
        text += &self.slot("focus", &path.focus);
        text += &self.slot("max", &path.max);
        text += &self.range(path.range);
        for id in &path.atomic {
            text += &format!(" atomic={}", self.name(*id));
        }
        for constituent in &path.constituents {
            text += &format!(" {}", self.constituent(constituent));
        }
        text
    }

    fn line_part(&self, part: &LineConstituent) -> String {
        let item = match &part.item {
            LineItem::Filter(filter) => self.print(filter),
            LineItem::Group(members) => {
                let members: Vec<String> = members.iter().map(|m| self.line_part(m)).collect();
                format!("<{}>", members.join(" "))
            }
        };
        let repeats: String =
            part.repeats.iter().map(|repeat| Self::repeat(Some(*repeat))).collect();
        item + &repeats
    }

    fn line(&self, line: &Line) -> String {
        let mut text = String::from(if line.flags.forward { " -->" } else { " <--" });
        for (flag, word) in [
            (line.flags.single_color, "singlecolor"),
            (line.flags.primary, "primary"),
            (line.flags.secondary, "secondary"),
            (line.flags.quiet, "quiet"),
            (line.flags.nestban, "nestban"),
            (line.flags.firstmatch, "firstmatch"),
            (line.lastposition, "lastposition"),
        ] {
            if flag {
                text += &format!(" {word}");
            }
        }
        text += &self.range(line.range);
        for part in &line.constituents {
            text += &format!(" {}", self.line_part(part));
        }
        text
    }

    fn slice_text(&self, slice: &Slice) -> String {
        let end = |end: &Option<Child>| end.as_ref().map_or(String::new(), |f| self.print(f));
        match slice {
            Slice::Index(index) => format!("[{}]", self.print(index)),
            Slice::Range(from, to) => format!("[{}:{}]", end(from), end(to)),
        }
    }

    /// Returns the filter in parentheses with its type; leaves are printed without.
    fn print(&self, filter: &Filter) -> String {
        use FilterKind as K;
        let flags = |flags: &[(bool, &str)]| -> String {
            flags.iter().filter(|flag| flag.0).map(|flag| format!(" {}", flag.1)).collect()
        };
        // The text before the children, and, for filters whose children are not printed
        // generically, the text in place of them.
        let (head, rest) = match &filter.kind {
            K::Number(number) => return number.to_string(),
            K::Text(text) => return format!("{:?}", String::from_utf8_lossy(text)),
            K::Designator(_) => return self.slice(filter.span).to_owned(),
            K::Nullary(word) => return word.row().word.into(),
            K::Unary(word, _) => (word.row().word.into(), None),
            K::Binary(word, ..) => (word.row().word.into(), None),
            K::AllSquares => return ".".into(),
            K::NoSquares => return "[]".into(),
            K::RemoveComment => return "removecomment".into(),
            K::HhdbEgDiagram => return "hhdb-egdiagram".into(),
            K::Engine(question) => {
                let lines = match (question.line, question.n_lines) {
                    (1, 1) => String::new(),
                    (line, n) => format!("-{line}/{n}"),
                };
                return format!("engine-{:?}-{:?}{lines}", question.value, question.limit);
            }
            K::Elo(None) => return "elo".into(),
            K::Elo(Some(color)) => return format!("elo-{color:?}"),
            K::TextSource(TextSource::Player(color)) => return format!("player-{color:?}"),
            K::TextSource(TextSource::Hhdb(text)) => return format!("hhdb-{}", variant(text)),
            K::TextSource(TextSource::Tag(name)) => {
                return format!("tag-{}", String::from_utf8_lossy(name));
            }
            K::TextSource(source) => return variant(source),
            K::Variable(id) => return format!("${}:{}", self.name(*id), letter(filter.ty)),
            K::Dictionary(id) => return format!("%{}", self.dictionary(*id)),
            K::Group(number) => return format!("\\{number}"),
            K::GroupIndex(number) => return format!("\\-{number}"),
            K::HhdbFlag(HhdbFlag::Black(text) | HhdbFlag::Mark(text)) => {
                return format!("hhdb-{text}");
            }
            K::HhdbFlag(flag) => return format!("hhdb-{}", variant(flag)),
            K::HasNag(number) => return format!("nag-{number}"),
            K::Result(result) => return result.text().into(),
            K::FunctionDefinition => return "function".into(),
            K::DictionaryDeclaration(id) => return format!("dictionary-{}", self.dictionary(*id)),
            K::DictionarySize(id) => return format!("#{}", self.dictionary(*id)),
            K::PieceIdOf(id) => return format!("pieceid-{}", self.name(*id)),
            K::Unbind(id) => return format!("unbind-{}", self.name(*id)),
            K::UnbindDictionary(id) => return format!("unbind-{}", self.dictionary(*id)),
            K::IsBound(id) => {
                return format!("isbound-{}", id.map_or("nothing", |id| self.name(id)));
            }
            K::HhdbAward(award) => (
                format!("award {:?}", award.kind),
                Some(flags(&[
                    (award.special, "special"),
                    (award.max, "max"),
                    (award.sort.is_some(), "sort"),
                ])),
            ),
            K::ConsecutiveMoves(c) => (
                format!("consecutivemoves {} {}", self.name(c.source), self.name(c.target)),
                Some(self.range(c.range) + &flags(&[(c.quiet, "quiet")])),
            ),
            K::SimilarPosition { nosort, notransform, file } => (
                format!("similarposition {}", String::from_utf8_lossy(&file.0)),
                Some(flags(&[(*nosort, "nosort"), (*notransform, "notransform")])),
            ),
            K::FenPattern(board) => {
                let n_fixed = board.iter().filter(|p| p.0 != 0x1fff).count();
                (format!("fen {n_fixed}"), Some(String::new()))
            }
            K::Classed { means, .. } => ("classed ".into(), Some(self.print(means))),
            K::FenSet(board) => {
                let n_fixed = board.iter().filter(|p| p.0 != 0x1fff).count();
                (format!("fenset {n_fixed}"), Some(String::new()))
            }
            K::Likeness(likeness) => {
                (format!("likeness {:?}", likeness.weights), Some(String::new()))
            }
            K::Dash(dash) => (String::new(), Some(self.dash(dash))),
            K::CurrentMove(dash) => ("currentmove ".into(), Some(self.dash(dash))),
            K::Legal(dash) => (String::new(), Some(self.legal(dash))),
            K::CountMoves(Countable::Played(dash)) => ("count ".into(), Some(self.dash(dash))),
            K::CountMoves(Countable::PlayedFromParent(dash)) => {
                ("count-from-parent ".into(), Some(self.dash(dash)))
            }
            K::CountMoves(Countable::Legal(dash)) => ("count ".into(), Some(self.legal(dash))),
            K::Tried(tried) => (String::new(), Some(self.tried(tried))),
            K::Imagine(imagine) => {
                let changes = imagine.changes.iter().map(|change| match change {
                    Change::Place(man, on) => format!("place {:x} {}", man.0, self.print(on)),
                    Change::Remove(squares) => format!("remove {}", self.print(squares)),
                    Change::Turn(color) => format!("turn {color:?}"),
                    Change::Castling(rights) => format!("castling {rights}"),
                    Change::EnPassant(squares) => format!("enpassant {}", self.print(squares)),
                });
                let changes = changes.collect::<Vec<_>>().join(", ");
                let body = self.print(&imagine.body);
                ("imagine ".into(), Some(format!("{changes} : {body}")))
            }
            K::CountMoves(Countable::Tried(tried)) => ("count ".into(), Some(self.tried(tried))),
            K::Path(path) => ("path".into(), Some(self.path(path))),
            K::Line(line) => ("line".into(), Some(self.line(line))),
            K::Substring(text, slice) => {
                ("sub ".into(), Some(self.print(text) + &self.slice_text(slice)))
            }
            K::AssignSlice { variable, slice, value } => (
                format!("{}{} = ", self.name(*variable), self.slice_text(slice)),
                Some(self.print(value)),
            ),
            K::Pin(pin) => (
                format!("pin {:?}", pin.value),
                Some(
                    self.slot("from", &pin.from)
                        + &self.slot("through", &pin.through)
                        + &self.slot("to", &pin.to),
                ),
            ),
            K::Move(m) => (
                format!("move {:?} {:?}", m.mode, m.value),
                Some(
                    self.slot("from", &m.from)
                        + &self.slot("to", &m.to)
                        + &self.slot("capture", &m.capture)
                        + &self.slot("ep", &m.en_passant_square)
                        + &m.promote.map_or(String::new(), |r| format!(" ={r:06b}"))
                        + &m.castle.map_or(String::new(), |c| format!(" {c:?}"))
                        + &flags(&[
                            (m.en_passant, "enpassant"),
                            (m.null, "null"),
                            (m.primary, "primary"),
                            (m.secondary, "secondary"),
                        ])
                        + &self.slot("comment", &m.comment),
                ),
            ),
            K::Block(_) => ("block".into(), None),
            K::Relation { op, .. } => (op.text().into(), None),
            K::Arithmetic(operation, ..) => (operation.text().into(), None),
            K::Cardinality(_) => ("#".into(), None),
            K::Assign { variable, op, .. } => {
                let op = match op {
                    AssignOp::Set => "=".into(),
                    AssignOp::SetNonEmpty => "=?".into(),
                    AssignOp::Arithmetic(operation) => format!("{}=", variant(operation)),
                    AssignOp::Union => "|=".into(),
                    AssignOp::Intersect => "&=".into(),
                };
                (format!("{} {op}", self.name(*variable)), None)
            }
            K::AssignPiece(id, _) => (format!("piece {} =", self.name(*id)), None),
            K::AssignEntry(id, ..) => (format!("%{} =", self.dictionary(*id)), None),
            K::Lookup(id, _) => (format!("%{}", self.dictionary(*id)), None),
            K::UnbindEntry(id, _) => (format!("unbind-{}", self.dictionary(*id)), None),
            K::SquareLoop(l) => {
                let word = if l.piece { "piece" } else { "square" };
                let all = if l.all { " all" } else { "" };
                (format!("{word}{all} {}", self.name(l.variable)), None)
            }
            K::DictionaryLoop { variable, dictionary, .. } => {
                (format!("each {} %{}", self.name(*variable), self.dictionary(*dictionary)), None)
            }
            K::Call { arguments, body } => {
                let arguments: String = arguments
                    .iter()
                    .map(|(id, f)| format!(" {}={}", self.name(*id), self.print(f)))
                    .collect();
                (format!("call{arguments} "), Some(self.print(body)))
            }
            K::Extremum { max, .. } => ((if *max { "max" } else { "min" }).into(), None),
            K::Ray(ray) => (
                format!("ray {}", ray.steps.len())
                    + &flags(&[(ray.attack, "attack"), (ray.first, "first")]),
                None,
            ),
            K::Direction { direction, range, .. } => {
                (variant(direction) + &self.range(*range), None)
            }
            K::SquareColor { light, .. } => ((if *light { "light" } else { "dark" }).into(), None),
            K::Match { pattern, .. } => (format!("~~ {}", pattern_text(pattern)), None),
            K::WhileMatch { pattern, .. } => (format!("while~~ {}", pattern_text(pattern)), None),
            K::Contains(text, _) => (format!("contains {:?}", String::from_utf8_lossy(text)), None),
            K::CommandPipe { name, .. } => (format!("commandpipe {name}"), None),
            K::RemoveTag(name) => (format!("removetag {}", String::from_utf8_lossy(name)), None),
            K::Replace { pattern, .. } => (format!("replace {}", pattern_text(pattern)), None),
            K::SetTag(name, _) => (format!("settag {}", String::from_utf8_lossy(name)), None),
            K::Find(f) => (
                "find".to_owned()
                    + &flags(&[(f.quiet, "quiet"), (f.all, "all"), (f.backward, "<--")])
                    + &self.range(f.range),
                None,
            ),
            K::Echo(e) => (
                format!("echo {} {}", self.name(e.source), self.name(e.target))
                    + &flags(&[(e.quiet, "quiet"), (e.all, "all")]),
                None,
            ),
            K::Message { quiet, .. } => ("message".to_owned() + &flags(&[(*quiet, "quiet")]), None),
            K::Transform(t) => (variant(&t.family) + &self.range(t.range), None),
            K::Sort { variable, ascending, .. } => {
                let label = &self.query.sorts[variable.0 as usize].label;
                let label = String::from_utf8_lossy(label).into_owned();
                (format!("sort {label}") + &flags(&[(*ascending, "ascending")]), None)
            }
            other => (variant(other), None),
        };
        let rest = rest.unwrap_or_else(|| {
            let mut children = String::new();
            filter.for_each_child(&mut |child| children += &format!(" {}", self.print(child)));
            children
        });
        format!("({head}{rest}):{}", letter(filter.ty))
    }
}

/// Parses a query without its header `cql()`.
pub(in crate::parse) fn parse_body(text: &str) -> (String, Parsed) {
    let text = format!("cql() {text}");
    let source = Source { name: "test", text: text.as_bytes() };
    let parsed = parse(&source, &[], &ParseOptions::default());
    (text, parsed)
}

/// Prints the filters of a query text.
pub(in crate::parse) fn print(text: &str, parsed: &Parsed) -> String {
    let query = &parsed.query;
    Printer { text, query }.all(&query.filters)
}

/// Asserts that a query is parsed to the given filters.
#[track_caller]
pub(in crate::parse) fn check(text: &str, expected: &str) {
    let (text, parsed) = parse_body(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    assert_eq!(print(&text, &parsed), expected, "{text}");
}

/// Asserts that a query has exactly one error, with the given code at the given text.
#[track_caller]
pub(in crate::parse) fn refuse(text: &str, code: &str, place: &str) {
    let (text, parsed) = parse_body(text);
    let found: Vec<(&str, &str)> = parsed
        .diagnostics
        .iter()
        .map(|d| (d.code, &text[d.span.start as usize..d.span.end as usize]))
        .collect();
    assert_eq!(found, [(code, place)], "{text}: {:?}", parsed.diagnostics);
}

/// Prints a literal pattern; a computed one is among the children.
fn pattern_text(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Literal(text, _) => format!("{:?}", String::from_utf8_lossy(text)),
        Pattern::Computed(_) => "computed".to_owned(),
    }
}
