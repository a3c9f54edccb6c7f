//! Links `processor.c`, which checks the instructions of the processor at start, if the program is
//! built for a processor with AVX2.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=processor.c");
    let features = var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let needs_later = features.split(',').any(|feature| feature == "avx2");
    let is_unix = var("CARGO_CFG_UNIX").is_ok();
    if needs_later && is_unix {
        cc::Build::new()
            .file("processor.c")
            .flag("-march=x86-64")
            .link_lib_modifier("+whole-archive")
            .compile("processor");
    }
}
