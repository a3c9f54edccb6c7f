//! Lowers transform filters: the argument is lowered once per member of the family, images that
//! fell off the board or equal an earlier one are dropped, and the rest is sorted.

use std::iter::repeat_n;

use syntax::Diagnostic;
use syntax::designator::PieceSet;
use syntax::tree::{Filter, FilterKind, Transform, TransformFamily};

use super::Lowerer;
use crate::limits::Limits;
use crate::program::*;
use crate::transform::{Atom, TransformStep, designator_atoms, members, single_steps};

/// A transform filter, merged with the transforms that are directly its argument.
pub(super) struct Merged<'f> {
    /// The members, each with its innermost step first.
    pub(super) members: Vec<Vec<TransformStep>>,
    pub(super) range: Option<Range>,
    pub(super) body: &'f Filter,
}

/// Merges a transform without a range with the transform that is its whole argument.
pub(super) fn merge<'f>(transform: &'f Transform, limits: &Limits) -> Merged<'f> {
    if let (None, FilterKind::Transform(inner)) = (transform.range, &transform.body.kind) {
        let inner = merge(inner, limits);
        let members = members(transform.family)
            .into_iter()
            .flat_map(|outer| {
                inner.members.iter().map(move |steps| {
                    let mut steps = steps.clone();
                    steps.push(outer);
                    steps
                })
            })
            .take(one_too_many(limits))
            .collect();
        return Merged { members, ..inner };
    }
    Merged {
        members: single_steps(transform.family),
        range: transform.range,
        body: &transform.body,
    }
}

/// Number of images that shows that there are too many.
fn one_too_many(limits: &Limits) -> usize {
    usize::try_from(limits.images).map_or(usize::MAX, |most| most.saturating_add(1))
}

impl Lowerer<'_> {
    /// Lowers the body of a transform once per member with `lower`, and returns the distinct images
    /// in the order of evaluation.
    pub(super) fn orbit<T>(
        &mut self,
        merged: &Merged<'_>,
        lower: impl FnMut(&mut Self, &Filter) -> T,
    ) -> Vec<T> {
        let mut lower = lower;
        self.transformed = merged.body.span;
        let images = self.orbit_with(&merged.members, |lowerer| lower(lowerer, merged.body));
        // Within another transform, this one may change another image.
        let is_counted = merged.range.is_some();
        if images.len() == 1 && merged.members.len() > 1 && self.steps.is_empty() && !is_counted {
            let message = "the transforms around this change nothing: turned, moved or with colors exchanged, \
                 it asks for the same";
            self.report(
                Diagnostic::warning("W0404", merged.body.span, message)
                    .with_help("leave the transform away, or put more of the query into it"),
            );
        }
        images
    }

    /// The distinct images under `members`, in the order of evaluation.
    pub(super) fn orbit_with<T>(
        &mut self,
        members: &[Vec<TransformStep>],
        lower: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let (keys, images): (Vec<_>, Vec<_>) = self.images(members, lower).into_iter().unzip();
        let mut images: Vec<Option<T>> = images.into_iter().map(Some).collect();
        let (keys, places) = in_order(keys, true);
        self.atoms.push(Atom::Orbit(keys));
        places.into_iter().filter_map(|place| images[place].take()).collect()
    }

    /// Returns an image for every member that keeps it on the board, whether or not images are
    /// equal.
    pub(super) fn orbit_with_multiplicity<T>(
        &mut self,
        members: &[Vec<TransformStep>],
        lower: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let (keys, images): (Vec<_>, Vec<_>) = self.images(members, lower).into_iter().unzip();
        self.atoms.push(Atom::Orbit(in_order(keys, false).0));
        images
    }

    /// Lowers once for every member, and returns the images that are not discarded, each with its
    /// atoms.
    fn images<T>(
        &mut self,
        members: &[Vec<TransformStep>],
        mut lower: impl FnMut(&mut Self) -> T,
    ) -> Vec<(Vec<Atom>, T)> {
        self.n_images = self.n_images.saturating_add(members.len() as u64);
        let most = self.limits.images;
        if self.n_images > most {
            let message =
                format!("the transforms around this have more than {most} images (limit images)");
            self.error("E0903", self.transformed, message);
            return Vec::new();
        }
        let outer_steps = std::mem::take(&mut self.steps);
        let outer_atoms = std::mem::take(&mut self.atoms);
        let outer_discard = self.discard;
        let outer_makings = self.makings.take();
        let n_passes = std::mem::replace(&mut self.n_passes, 1);
        let is_image = std::mem::replace(&mut self.is_image, true);
        let makings = outer_makings.as_deref();
        self.makings = makings.and_then(|outer| inner_makings(members, outer, n_passes));
        let mut images = Vec::new();
        for (i, member) in members.iter().enumerate() {
            self.steps = member.iter().chain(&outer_steps).copied().collect();
            self.discard = false;
            let n_sort_filters = self.n_sort_filters;
            let image = lower(self);
            let most = self.limits.filters;
            if self.arenas.n_filters() as u64 > most {
                let message = format!(
                    "the images of the transforms around this have more than {most} filters \
                     (limit filters)"
                );
                self.error("E0903", self.transformed, message);
                break;
            }
            // the images of a sort filter are one filter
            if i + 1 < members.len() {
                self.n_sort_filters = n_sort_filters;
            }
            let atoms = std::mem::take(&mut self.atoms);
            if !self.discard {
                images.push((atoms, image));
            }
        }
        self.steps = outer_steps;
        self.makings = outer_makings;
        self.n_passes = n_passes;
        self.is_image = is_image;
        self.atoms = outer_atoms;
        self.discard = outer_discard || images.is_empty();
        images
    }

    /// Lowers the whole query with `lower`, under the transforms of the command line.
    pub(super) fn wrapped(
        &mut self,
        families: &[TransformFamily],
        lower: impl FnMut(&mut Self) -> BoolId,
    ) -> BoolId {
        let mut combined: Vec<Vec<TransformStep>> = vec![Vec::new()];
        for &family in families {
            combined = combined
                .iter()
                .flat_map(|outer| {
                    members(family).into_iter().map(move |step| {
                        let mut steps = vec![step];
                        steps.extend(outer);
                        steps
                    })
                })
                .take(one_too_many(self.limits))
                .collect();
        }
        let images = self.orbit_with(&combined, lower);
        self.new_bool(BoolFilter::Orbit(images.into()))
    }

    /// Returns the index of the next `sort`: comments of these filters come in this order.
    pub(super) fn next_sort_filter(&mut self) -> u32 {
        self.n_sort_filters += 1;
        self.n_sort_filters - 1
    }

    /// Lowers a filter that no transform may change.
    pub(super) fn untransformed<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        self.under(Vec::new(), body)
    }

    /// Lowers the arguments of `max` and `min`. In the reference all images of a transform share
    /// them, so that they have undergone the transforms of all images when the first is evaluated.
    pub(super) fn shared<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        match &self.makings {
            Some(makings) => self.under(makings.concat(), body),
            None => body(self),
        }
    }

    /// Lowers the focus of a path, for which the reference makes the images of transforms twice.
    pub(super) fn focus<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        let n_passes = std::mem::replace(&mut self.n_passes, 2);
        let result = body(self);
        self.n_passes = n_passes;
        result
    }

    /// Lowers under other transforms than those of the current image. The result is the same for
    /// every image, so its atoms are dropped.
    fn under<R>(&mut self, steps: Vec<TransformStep>, body: impl FnOnce(&mut Self) -> R) -> R {
        let makings = self.makings.replace(vec![steps.clone()]);
        let steps = std::mem::replace(&mut self.steps, steps);
        let atoms = std::mem::take(&mut self.atoms);
        let result = body(self);
        self.steps = steps;
        self.makings = makings;
        self.atoms = atoms;
        result
    }

    /// Transforms a designator.
    pub(super) fn transformed_designator(
        &mut self,
        mut pieces: PieceSet,
        squares: u64,
        span: syntax::Span,
    ) -> (PieceSet, board::SquareSet) {
        let mut squares = board::SquareSet(squares);
        for at in 0..self.steps.len() {
            match self.steps[at].pieces_and_squares(pieces, squares) {
                Ok(image) => (pieces, squares) = image,
                Err(_) => {
                    self.error("E0402", span, "rotate45 cannot be applied to a particular square")
                }
            }
        }
        if squares.is_empty() {
            self.discard = true;
        }
        // Only images are compared with others.
        if !self.steps.is_empty() {
            designator_atoms(pieces, squares, &mut self.atoms);
        }
        (pieces, squares)
    }

    /// Transforms (file, rank) steps.
    pub(super) fn transformed_directions(&mut self, steps: &[(i8, i8)]) -> Vec<(i8, i8)> {
        let mut images: Vec<(i8, i8)> =
            steps.iter().map(|&d| self.steps.iter().fold(d, |d, step| step.direction(d))).collect();
        let result = images.clone();
        images.sort_by_cached_key(|&step| place_of(step));
        self.atoms.push(Atom::List(images));
        result
    }
}

/// The transforms that the images under `members` undergo, in the order in which they are made: all
/// members for each enclosing image, in `n_passes` passes. `None` if a member shifts, which could
/// only push everything off the board, or if there are too many to go through for each image.
fn inner_makings(
    members: &[Vec<TransformStep>],
    outer: &[Vec<TransformStep>],
    n_passes: usize,
) -> Option<Vec<Vec<TransformStep>>> {
    const MOST: usize = 1000;
    let n_makings = members.len().saturating_mul(outer.len());
    let shifts = |step: &TransformStep| matches!(step, TransformStep::Shift(..));
    if n_makings > MOST || members.iter().flatten().any(shifts) {
        return None;
    }
    let each = outer.iter().flat_map(|outer| repeat_n(outer, n_passes));
    let makings =
        each.flat_map(|outer| (members.iter()).map(|member| [&member[..], outer].concat()));
    Some(makings.collect())
}

/// Returns the keys of images in order, or each of them once, and their places before.
fn in_order(keys: Vec<Vec<Atom>>, once: bool) -> (Vec<Vec<Atom>>, Vec<usize>) {
    let mut keys: Vec<_> = keys.into_iter().zip(0..).collect();
    keys.sort_unstable();
    keys.dedup_by(|next, key| once && next.0 == key.0);
    keys.into_iter().unzip()
}

/// Returns the place of a step of files and ranks among all.
pub(super) fn place_of((files, ranks): (i8, i8)) -> u32 {
    let place = |n: i8| u32::from(n as u8 ^ 0x80);
    place(files) << 8 | place(ranks)
}
