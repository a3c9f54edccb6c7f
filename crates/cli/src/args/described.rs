//! The options of a search as the help describes them.

/// What to print for `-help`, with a place for the subcommands.
pub(crate) const HELP: &str = include_str!("help.txt");

/// A heading of the help with the options below it.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) entries: Vec<Entry>,
}

/// Options that the help describes together.
pub(crate) struct Entry {
    /// As they are written, with their values: `-i`, `-input FILE.pgn`.
    pub(crate) forms: Vec<&'static str>,
    pub(crate) description: String,
}

/// The options of the help, group by group.
pub(crate) fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    // Descriptions begin behind two blanks, or on the next line.
    for line in HELP.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if indent == 0 && !text.is_empty() {
            let entries = Vec::new();
            groups.push(Group {
                title: text,
                entries,
            });
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
                    // A comma at the end of the line before.
                    Some(last) if last.forms.last() == Some(&"") => {
                        last.forms.pop();
                        last.forms.extend(more);
                        last.description += &description;
                    }
                    _ => group.entries.push(Entry {
                        forms: more.collect(),
                        description,
                    }),
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

/// What the help says of an option of a search, which is written with its dashes or without.
pub(crate) fn entry(option: &str) -> Option<String> {
    let wanted = option.trim_start_matches('-').to_ascii_lowercase();
    let groups = groups();
    let mut entries = groups.iter().flat_map(|group| &group.entries);
    let is_it = |entry: &&Entry| entry.forms.iter().any(|form| name_of(form).0 == wanted);
    let entry = entries.find(is_it)?;
    let (forms, description) = (entry.forms.join(", "), &entry.description);
    Some(format!("{forms}\n    {description}\n"))
}

/// The option of a search that a name without dashes is nearly the one of.
pub(crate) fn nearest(name: &str) -> Option<&'static str> {
    let groups = groups();
    let forms = groups.iter().flat_map(|group| &group.entries);
    let names = forms
        .flat_map(|entry| &entry.forms)
        .map(|form| name_of(form).0);
    syntax::parse::nearest(name, names)
}

/// The name of an option without dashes, and its value.
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
            "where to write (else 'output' in the header, else QUERY-out.pgn); with tags in the name \
             ('by-{White}.pgn') a file for each value",
        );
        check(
            "-flip, -flipcolor, -flipvertical, -fliphorizontal, -shift, -shifthorizontal, \
             -shiftvertical, -rotate90, -rotate45, -reversecolor",
            "search all images of the whole query; the first one is outermost",
        );
        check(
            "-steps N",
            "steps of loops and searches that a game may take (400000000); when each of the \
             first 10 takes more, the run ends",
        );
        check("-v, -version", "the version");
    }
}
