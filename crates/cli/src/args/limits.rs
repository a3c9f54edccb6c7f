//! Parses `-limits NAME=N,NAME=N,…`.

use engine::Limits;

use input::{InputFormat, ReadOptions, TextEncoding};

use crate::failure::Failure;

/// Limits on evaluation and decompression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LimitArgs {
    /// Limits on evaluating a query.
    pub(crate) query: Limits,
    /// Largest permitted ratio of the decompressed to the compressed size of a file.
    pub(crate) unpacked: u64,
}

impl Default for LimitArgs {
    fn default() -> LimitArgs {
        LimitArgs { query: Limits::default(), unpacked: ReadOptions::default().unpacked }
    }
}

/// `--limits` of a subcommand.
#[derive(clap::Args)]
pub(crate) struct LimitsArgument {
    /// Change a limit, see `cql help limits`; can be repeated
    #[arg(long, value_name = "NAME=N")]
    limits: Vec<String>,
}

impl LimitsArgument {
    /// Returns the limits, with defaults for those that are not given.
    ///
    /// # Errors
    /// A limit has an unknown name or an invalid value.
    pub(crate) fn get(&self) -> Result<LimitArgs, Failure> {
        let mut limits = LimitArgs::default();
        for changed in &self.limits {
            limits.set(changed).map_err(Failure::Message)?;
        }
        Ok(limits)
    }
}

impl LimitArgs {
    /// Returns the options for reading files under these limits.
    pub(crate) fn how(
        &self,
        format: Option<InputFormat>,
        encoding: Option<TextEncoding>,
    ) -> ReadOptions {
        ReadOptions {
            format,
            encoding,
            unpacked: self.unpacked,
            remote: true,
            ..ReadOptions::default()
        }
    }

    /// Sets limits from a comma-separated list.
    ///
    /// # Errors
    /// A limit has an unknown name or an invalid value.
    pub(crate) fn set(&mut self, list: &str) -> Result<(), String> {
        for setting in list.split(',') {
            let (name, value) = setting
                .split_once('=')
                .ok_or_else(|| format!("-limits needs NAME=N, not '{setting}'"))?;
            let name = name.trim().to_ascii_lowercase();
            let value = number(value.trim()).ok_or_else(|| {
                format!(
                    "the limit {name} needs a number such as 5000, 20k, 64M or 1G, not '{value}'"
                )
            })?;
            let mut names = Vec::new();
            let mut known = false;
            let query = self.query.each().into_iter();
            for (other, limit) in query.chain([("unpacked", &mut self.unpacked)]) {
                names.push(other);
                if other == name {
                    *limit = value;
                    known = true;
                }
            }
            if !known {
                let names = names.join(", ");
                return Err(format!("unknown limit '{name}'; the limits are {names}"));
            }
            if self.query.nesting > Limits::MOST_NESTING {
                let most = Limits::MOST_NESTING;
                return Err(format!("the limit nesting can be at most {most}"));
            }
        }
        Ok(())
    }
}

/// Parses digits with an optional suffix: `k` for thousands, `M` for millions, `G` for billions.
fn number(text: &str) -> Option<u64> {
    let factors = [("k", 1000), ("M", 1_000_000), ("G", 1_000_000_000)];
    let (digits, factor) = factors
        .into_iter()
        .find_map(|(letter, factor)| Some((text.strip_suffix(letter)?, factor)))
        .unwrap_or((text, 1));
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        digits.parse::<u64>().ok()?.checked_mul(factor)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_set_by_name() {
        let mut limits = LimitArgs::default();
        limits.set("steps=5k, Memory=64M,unpacked=1G").expect("known");
        assert_eq!(limits.query.steps, 5000);
        assert_eq!(limits.query.memory, 64_000_000);
        assert_eq!(limits.unpacked, 1_000_000_000);
        for (list, part) in [
            ("steps", "NAME=N"),
            ("", "NAME=N"),
            ("steps=many", "5000, 20k"),
            ("steps=-1", "5000, 20k"),
            ("steps=99999999999G", "5000, 20k"),
            ("stepps=1", "the limits are steps, string, memory"),
            ("nesting=401", "at most 400"),
        ] {
            let error = limits.set(list).expect_err(list);
            assert!(error.contains(part), "{list}: {error}");
        }
    }
}
