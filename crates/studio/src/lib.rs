//! `cql studio`: a page for the browser and its server.
//!
//! The server listens on the loopback interface only and requires the token that the program has
//! printed (`guard`). It reads the games that it was started with and those that were dropped on
//! the page (`library`), and nothing else: queries are evaluated as with `--secure`. Long answers
//! are streamed as lines of JSON (`lines`) and end when the page closes the connection. The crate
//! `page` computes the answers; the server supplies the games (`pass`).
//!
//! The page is built from `web/` and is part of the program (`assets`).

mod analyst;
mod api;
mod api_error;
mod app;
mod assets;
mod build;
mod download;
mod engine;
mod folder;
mod guard;
mod library;
mod lines;
mod pass;
mod report;
mod server;
#[cfg(test)]
mod tests;
mod tree;
mod upload;
mod wanted;
mod watcher;
mod workspace;

pub use analyst::{Analyst, TellLines};
pub use server::{BoundServer, ServerOptions, USUAL_PORT, serve};
