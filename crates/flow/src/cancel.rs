//! Cancels a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle that cancels a run. All clones of a handle share its state.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    is_cancelled: Arc<AtomicBool>,
    /// Handle that cancels this one, too.
    parent: Option<Arc<Cancel>>,
}

impl Cancel {
    /// Cancels the run.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the run has been cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
            || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled())
    }

    /// Returns a handle for a part of the work: it is cancelled on its own, or together with this
    /// handle, which it does not cancel.
    #[must_use]
    pub fn child(&self) -> Cancel {
        Cancel { is_cancelled: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_cancelled_with_its_parent_and_not_the_other_way_round() {
        let parent = Cancel::default();
        let (one, other) = (parent.child(), parent.child().child());
        one.cancel();
        assert!(one.is_cancelled() && !parent.is_cancelled() && !other.is_cancelled());
        parent.cancel();
        assert!(other.is_cancelled());
    }
}
