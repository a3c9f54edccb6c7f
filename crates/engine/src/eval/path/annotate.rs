//! Adds the automatic comments of a path.

use syntax::tree::CommentLevel;

use super::super::evaluator::Evaluator;
use super::focus::Focus;
use super::progress::Best;
use compiler::program::Path;

impl Evaluator<'_> {
    /// Marks the match and the equally good ones, which end at `ends`.
    pub(super) fn annotate_path(
        &mut self,
        path: &Path,
        focus: Focus,
        count: i32,
        best: Best,
        ends: &[u32],
    ) {
        let level = self.level();
        let silent = level == CommentLevel::Silent;
        let spoken = path.title.is_some() || path.flags.piecepath || path.flags.verbose;
        if silent
            || (!spoken && (level != CommentLevel::Normal || path.flags.quiet && ends.len() < 2))
        {
            return;
        }
        for (i, &end) in ends.iter().enumerate() {
            self.annotate_match(path, focus, count, best, end);
            if i > 0 {
                self.automatic_comment(end, b"alternative".to_vec());
            }
        }
    }

    fn annotate_match(&mut self, path: &Path, focus: Focus, count: i32, best: Best, end: u32) {
        let start = self.at;
        if let Some(title) = &path.title {
            self.comment_at(start, title.to_vec());
        }
        if path.flags.piecepath {
            let tracks = self.tracks(path, best.end);
            if !tracks.is_empty() {
                self.comment_at(start, format!("Focus path: {tracks}").into_bytes());
            }
        }
        if path.flags.verbose {
            let moves = self.moves_on_the_way(focus, end);
            for (i, &position) in moves.iter().rev().enumerate() {
                let mut text = path.title.as_deref().unwrap_or_default().to_vec();
                if path.title.is_some() {
                    text.extend_from_slice(b": ");
                }
                text.extend(format!("move {} of {count}", i + 1).bytes());
                self.comment_at(position, text);
            }
        }
        if path.flags.quiet || self.level() != CommentLevel::Normal {
            return;
        }
        let mut text = format!("End path of length {count} that starts at ").into_bytes();
        text.extend(self.position_text(start));
        if path.max.is_some() {
            text.extend(format!(" Max value: {}", best.value).bytes());
        }
        self.automatic_comment(end, text);
        let mut text = b"Start path that ends at ".to_vec();
        text.extend(self.position_text(end));
        self.automatic_comment(start, text);
    }
}
