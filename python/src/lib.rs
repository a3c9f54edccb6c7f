//! The half of the Python package `babson` that is written in Rust, its module `babson._babson`.
//!
//! Queries are compiled (`query`), games come from files, bytes or Python's readers (`source`), and
//! a search (`task`) runs in a thread of its own, so that the interpreter is free meanwhile. The
//! results become Arrow columns (`matches`, `arrow`), game objects (`games`), or a file (`output`).
//! Games can be counted and compared (`counts`), examined and repaired (`doctor`), cut into shards
//! for other processes (`shards`) and stored in archives (`archives`); puzzles get the names of their
//! themes (`puzzles`).
//! The public interface is described in `babson/__init__.py`.

mod archives;
mod arrow;
mod counts;
mod doctor;
mod games;
mod matches;
mod output;
mod puzzles;
mod query;
mod shards;
mod source;
mod task;
mod wait;

use pyo3::prelude::*;

#[pymodule]
fn _babson(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<query::Diagnostic>()?;
    module.add_class::<query::Query>()?;
    module.add_class::<source::Source>()?;
    module.add_class::<task::Fault>()?;
    module.add_class::<task::Report>()?;
    module.add_class::<matches::Matches>()?;
    module.add_class::<games::Game>()?;
    module.add_class::<games::MatchingGames>()?;
    module.add_class::<games::Position>()?;
    module.add_function(wrap_pyfunction!(query::compile, module)?)?;
    module.add_function(wrap_pyfunction!(query::fmt, module)?)?;
    module.add_function(wrap_pyfunction!(doctor::doctor, module)?)?;
    module.add_function(wrap_pyfunction!(games::games, module)?)?;
    module.add_class::<shards::Shard>()?;
    module.add_function(wrap_pyfunction!(shards::shards, module)?)?;
    module.add_function(wrap_pyfunction!(archives::index, module)?)?;
    module.add_function(wrap_pyfunction!(output::write, module)?)?;
    module.add_function(wrap_pyfunction!(output::count, module)?)?;
    module.add_function(wrap_pyfunction!(puzzles::themes, module)?)?;
    module.add_function(wrap_pyfunction!(puzzles::tag_puzzles, module)?)?;
    module.add_function(wrap_pyfunction!(counts::stats, module)?)?;
    module.add_function(wrap_pyfunction!(counts::tree, module)?)?;
    module.add_function(wrap_pyfunction!(counts::duplicates, module)?)?;
    module.add_function(wrap_pyfunction!(output::diagram, module)?)
}
