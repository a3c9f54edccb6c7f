//! Links what runs before the Rust runtime: `closed.c`, and, if the program is built for a processor
//! with AVX2, `processor.c`, which checks the instructions of the processor.

use std::env::var;

fn main() {
    for file in ["closed.c", "processor.c"] {
        println!("cargo:rerun-if-changed={file}");
    }
    if var("CARGO_CFG_UNIX").is_err() {
        return;
    }
    let mut build = cc::Build::new();
    build.file("closed.c");
    let features = var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if features.split(',').any(|feature| feature == "avx2") {
        build.file("processor.c").flag("-march=x86-64");
    }
    build.link_lib_modifier("+whole-archive").compile("start");
}
