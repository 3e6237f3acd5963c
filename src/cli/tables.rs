//! `evens tables`: the data dictionary of everything that is written.

use clap::Args;

use super::list::{ListFormat, write};
use super::printed::print_tables;
use super::terminal::{Terminal, print};
use super::{Exit, Failure};
use crate::report::{self, wrap::lines_of};
use crate::scenario::suggestion;
use crate::table::dictionary::{DescribedTable, Dictionary, columns, markdown, overview};
use crate::table::{Format, Table};

const EXAMPLES: &str = "\
Examples:
  evens tables                       every table, and what a row of it is
  evens tables units battles         every column of these
  evens tables effects               the tables of a command
  evens tables --format markdown     all columns of all tables";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A table or a command; several may be given, and none is all
    #[arg(value_name = "TABLE|COMMAND")]
    names: Vec<String>,
    /// The format of the dictionary: without names, `plain` lists the tables alone
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: ListFormat,
    /// Print one JSON object: the lists `tables` and `columns`, beside what every command says in JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let dictionary = Dictionary::of_this_program();
    let chosen = chosen(&dictionary, &arguments.names)?;
    if arguments.json {
        print_tables("tables", &[overview(&chosen), columns(&chosen)])?;
        return Ok(Exit::Success);
    }
    match arguments.format {
        ListFormat::Plain if arguments.names.is_empty() => print(&format!(
            "{}\n`evens tables NAME` tells the columns of a table, or of all tables of a command.\n",
            report::plain(&overview(&chosen), terminal.columns)
        ))?,
        ListFormat::Plain => {
            let each = chosen.iter().map(|table| told(table, terminal.columns));
            print(&each.collect::<Vec<_>>().join("\n"))?;
        }
        ListFormat::Csv => write(&columns(&chosen), Format::Csv)?,
        ListFormat::Json => write(&columns(&chosen), Format::Json)?,
        ListFormat::Markdown => print(markdown(&chosen).trim_start_matches('\n'))?,
    }
    Ok(Exit::Success)
}

/// The tables that are asked for, each once, in the order of the dictionary.
fn chosen<'d>(
    dictionary: &'d Dictionary,
    names: &[String],
) -> Result<Vec<&'d DescribedTable>, Failure> {
    for name in names {
        if dictionary.named(name).is_empty() {
            let remedy = suggestion(name, dictionary.names(), "`evens tables` lists all tables");
            return Err(Failure::Usage(format!(
                "no table or command is called `{name}`; {remedy}"
            )));
        }
    }
    let is_asked = |table: &&DescribedTable| {
        names.is_empty()
            || names.iter().any(|name| dictionary.named(name).iter().any(|of| of == table))
    };
    Ok(dictionary.tables.iter().filter(is_asked).collect())
}

/// The text that describes a table and its columns.
fn told(table: &DescribedTable, width: usize) -> String {
    let DescribedTable { table: name, commands, row, .. } = table;
    let mut listed: Table = columns(&[table]);
    listed.columns.remove(0);
    let commands = commands.join(", evens ");
    let head = format!("{name}, by evens {commands}. One row: {row}.");
    let head = textwrap::fill(&head, lines_of(width));
    format!("{head}\n\n{}", report::plain(&listed, width))
}
