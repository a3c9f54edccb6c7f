//! `cql studio`: a page for the browser and the server behind it.
//!
//! The server answers on the loopback interface only, and only those who know the token that the
//! program has printed (`guard`). It reads the games that it was started with and those that were
//! dropped on the page (`library`), and nothing else: queries are evaluated as with `--secure`.
//! What takes time comes in lines of JSON while it is found (`lines`), and ends when nobody
//! listens. What the page is told is known by the crate `page`; here is who has the games (`pass`).
//!
//! The page is built from `web/` and part of the program (`assets`).

mod api;
mod assets;
mod build;
mod download;
mod folder;
mod guard;
mod library;
mod lines;
mod pass;
mod server;
#[cfg(test)]
mod tests;
mod upload;
mod workspace;

pub use server::{Options, Ready, USUAL_PORT, serve};
