//! `evens man`: writes the manual pages.

use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;

use super::terminal::{print_data, say};
use super::{Exit, Failure};
use crate::table::{Content, OutputError, Target};

const EXAMPLES: &str = "\
Examples:
  evens man | man -l -                      reads the page of evens itself
  evens man run | man -l -                  that of a command
  evens man --folder ~/.local/share/man/man1";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The command whose page is printed [default: that of evens itself]
    command: Option<String>,
    /// Write all pages into this folder instead: evens.1, evens-run.1 and so on
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    folder: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut whole = super::command();
    whole.build();
    if let Some(folder) = &arguments.folder {
        let unmade = |source| OutputError::Open { path: folder.clone(), source };
        std::fs::create_dir_all(folder).map_err(unmade)?;
        let pages = std::iter::once(("evens.1".to_owned(), whole.clone())).chain(
            whole
                .get_subcommands()
                .filter(|command| command.get_name() != "help")
                .map(|command| (format!("evens-{}.1", command.get_name()), command.clone())),
        );
        // All are opened first, so that none is written where one cannot be.
        let open = |(name, command)| {
            Ok((Target::open(&folder.join::<String>(name), Content::Manual)?, page(command)?))
        };
        let pages = pages.map(open).collect::<Result<Vec<_>, Failure>>()?;
        let count = pages.len();
        for (target, text) in pages {
            target.fill(&text)?;
        }
        say(&format!("wrote {count} pages to {}\n", folder.display()));
        return Ok(Exit::Success);
    }
    let command = match &arguments.command {
        None => whole,
        Some(name) => whole.find_subcommand(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = whole.get_subcommands().map(clap::Command::get_name).collect();
            Failure::Usage(format!("there is no command `{name}`; there are: {}", known.join(", ")))
        })?,
    };
    print_data(&page(command)?)?;
    Ok(Exit::Success)
}

/// A page in roff.
fn page(command: clap::Command) -> Result<String, Failure> {
    // `evens run` has its page under `evens-run`, as manual pages do.
    let name: &'static str = command.get_bin_name().unwrap_or("evens").replace(' ', "-").leak();
    let mut text = Vec::new();
    let rendered = Man::new(command.name(name)).section("1").manual("evens").render(&mut text);
    rendered.map_err(|error| Failure::System { what: "cannot make the page".to_owned(), error })?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
