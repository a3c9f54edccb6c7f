//! Options shared by the subcommands that read games.

use input::{InputFormat, ReadOptions, TextEncoding};
use pgn::VariantNames;

use crate::args::{LimitArgs, LimitsArgument, Threads};
use crate::failure::Failure;
use crate::search::threads;

/// Encoding given by the user; `None` to detect it from the bytes.
#[derive(Clone, Copy)]
struct Encoding(Option<TextEncoding>);

fn encoding(name: &str) -> Result<Encoding, input::Error> {
    TextEncoding::from_option(name).map(Encoding)
}

/// Options for reading games and printing the report.
#[derive(clap::Args)]
pub(super) struct ReadingArgs {
    /// Set the format of the inputs [default: auto]
    ///
    /// By default, the format is detected from the first bytes.
    #[arg(long, value_name = "FORMAT", value_parser = InputFormat::from_option)]
    input_format: Option<InputFormat>,
    /// Set the encoding of the inputs [default: auto]
    ///
    /// Such as utf-16le or windows-1251.
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<Encoding>,
    /// Use N threads [default: number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Print the report as JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    limits: LimitsArgument,
}

impl ReadingArgs {
    pub(super) fn limits(&self) -> Result<LimitArgs, Failure> {
        self.limits.get()
    }

    pub(super) fn how(&self) -> Result<ReadOptions, Failure> {
        Ok(self.limits()?.how(self.input_format, self.encoding.and_then(|said| said.0)))
    }

    pub(super) fn threads(&self) -> usize {
        threads(match self.threads {
            Some(n) => Threads::Exactly(n.into()),
            None => Threads::Default,
        })
    }
}

/// Additional names of variants.
#[derive(clap::Args)]
pub(super) struct Aliases {
    /// Treat a Variant tag as a known variant; can be repeated
    #[arg(long = "variantalias", value_name = "NAME=VARIANT")]
    names: Vec<String>,
}

impl Aliases {
    /// # Errors
    /// An alias is malformed or names an unknown variant.
    pub(super) fn variants(&self) -> Result<VariantNames, Failure> {
        let mut variants = VariantNames::default();
        for alias in &self.names {
            let added = match alias.split_once('=') {
                Some((name, other)) => (variants.add(name.as_bytes(), other.as_bytes()))
                    .map_err(|error| error.to_string()),
                None => Err(format!("--variantalias needs NAME=VARIANT, not '{alias}'")),
            };
            added.map_err(Failure::Message)?;
        }
        Ok(variants)
    }
}
