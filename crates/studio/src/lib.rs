//! `cql studio`: a page for the browser and the server behind it.
//!
//! The server answers on the loopback interface only, and only those who know the token that the
//! program has printed (`guard`). It reads the games that it was started with and those that were
//! dropped on the page (`library`), and nothing else: queries are evaluated as with `--secure`.
//! What takes time comes in lines of JSON while it is found (`lines`), and ends when nobody
//! listens. What editors know of a query is known by the crate `ide` (`ask`).
//!
//! The page is built from `web/` and part of the program (`assets`).

mod api;
mod ask;
mod assets;
mod book;
mod cells;
mod collection;
mod export;
mod funnel;
mod game;
mod guard;
mod holds;
mod job;
mod library;
mod lines;
mod query;
mod row;
mod search;
mod server;
#[cfg(test)]
mod tests;
mod upload;
mod workspace;

pub use server::{Options, Ready, serve};
