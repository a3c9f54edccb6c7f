//! Reads the options of a search from the help text.

/// Text of `-help`, with a placeholder for the subcommands.
pub(crate) const HELP: &str = include_str!("help.txt");

/// A heading of the help with the options under it.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) entries: Vec<Entry>,
}

/// Options that share a description.
pub(crate) struct Entry {
    /// The options with their values, as the help writes them: `-i`, `-input FILE.pgn`.
    pub(crate) forms: Vec<&'static str>,
    pub(crate) description: String,
}

/// Parses the options of the help, group by group.
pub(crate) fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    // A description follows two blanks, or is on the next line.
    for line in HELP.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if indent == 0 && !text.is_empty() {
            let entries = Vec::new();
            groups.push(Group { title: text, entries });
        }
        let Some(group) = groups.last_mut() else {
            continue;
        };
        match group.entries.last_mut() {
            _ if indent == 2 && text.starts_with('-') => {
                let (forms, description) = text.split_once("  ").unwrap_or((text, ""));
                let description = description.trim_start().to_owned();
                let more = forms.split(',').map(str::trim);
                match group.entries.last_mut() {
                    // The previous line ends with a comma, so its list continues here.
                    Some(last) if last.forms.last() == Some(&"") => {
                        last.forms.pop();
                        last.forms.extend(more);
                        last.description += &description;
                    }
                    _ => group.entries.push(Entry { forms: more.collect(), description }),
                }
            }
            Some(last) if indent > 2 => {
                if !last.description.is_empty() {
                    last.description.push(' ');
                }
                last.description += text;
            }
            _ => {}
        }
    }
    groups.retain(|group| !group.entries.is_empty());
    groups
}

/// Returns the help on an option of a search; `option` may have dashes.
pub(crate) fn entry(option: &str) -> Option<String> {
    let wanted = option.trim_start_matches('-').to_ascii_lowercase();
    let groups = groups();
    let mut entries = groups.iter().flat_map(|group| &group.entries);
    let is_it = |entry: &&Entry| entry.forms.iter().any(|form| name_of(form).0 == wanted);
    let entry = entries.find(is_it)?;
    let (forms, description) = (entry.forms.join(", "), &entry.description);
    Some(format!("{forms}\n    {description}\n"))
}

/// Returns the option of a search with the name nearest to `name`, which has no dashes.
pub(crate) fn nearest(name: &str) -> Option<&'static str> {
    let groups = groups();
    let forms = groups.iter().flat_map(|group| &group.entries);
    let names = forms.flat_map(|entry| &entry.forms).map(|form| name_of(form).0);
    syntax::parse::nearest(name, names)
}

/// Splits an option of the help into its name, without dashes, and its value.
pub(crate) fn name_of(form: &'static str) -> (&'static str, &'static str) {
    let (name, value) = form.split_once(' ').unwrap_or((form, ""));
    (name.trim_start_matches('-'), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(forms: &str, description: &str) {
        let groups = groups();
        let mut entries = groups.iter().flat_map(|group| &group.entries);
        let entry = entries.find(|entry| entry.forms.join(", ") == forms);
        let found = entry.map(|entry| entry.description.as_str());
        assert_eq!(found, Some(description), "{forms}");
    }

    #[test]
    fn the_help_is_read_as_it_is_written() {
        check(
            "-o, -output FILE",
            "write to FILE (default: 'output' in the header, else QUERY-out.pgn); tags in the \
             name ('by-{White}.pgn') make one file per value",
        );
        check(
            "-flip, -flipcolor, -flipvertical, -fliphorizontal, -shift, -shifthorizontal, \
             -shiftvertical, -rotate90, -rotate45, -reversecolor",
            "search all images of the whole query; the first option is outermost",
        );
        check(
            "-steps N",
            "limit the steps of loops and searches in a game (400000000); if each of the first 10 \
             games exceeds the limit, the run ends",
        );
        check("-v, -version", "print the version");
    }
}
