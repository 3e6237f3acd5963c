//! Validates a document against its JSON Schema and reports every misfit at its place in the text.
//!
//! The schema is the one that `evens schema` prints, made by schemars from the file forms, so editors complete exactly
//! what the program accepts. Only the parts of JSON Schema that schemars emits for those forms are understood.

use std::ops::Range;

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::deserialize::whole_of;
use super::suggest::suggestion;
use super::sweep::with_lists;
use super::{Checker, Spot};
use crate::numerals;

/// The most entries of a list and the most keys of a table.
const MOST_ENTRIES: usize = 10_000;

/// Reports every place where the checker's document does not fit `schema`.
pub fn check(schema: &Value, checker: &mut Checker<'_>) {
    let (source, settings) = (checker.source().clone(), checker.settings().cloned());
    let settings = settings.as_ref().map(|settings| settings.inner().as_str());
    let mut walk = Walk { root: schema, source: source.inner(), settings, found: Vec::new() };
    walk.table(schema, checker.tree(), &Spot::top());
    for misfit in walk.found {
        if misfit.at_key {
            checker.key_fault(&misfit.spot, misfit.message, misfit.remedy);
        } else {
            checker.fault(&misfit.spot, misfit.message, misfit.remedy);
        }
    }
}

struct Misfit {
    spot: Spot,
    at_key: bool,
    message: String,
    remedy: String,
}

struct Walk<'s> {
    root: &'s Value,
    /// The document's text.
    source: &'s str,
    /// The settings of the command line, whose places are counted on from the end of the document.
    settings: Option<&'s str>,
    found: Vec<Misfit>,
}

impl<'s> Walk<'s> {
    fn value(&mut self, schema: &'s Value, value: &Spanned<DeValue<'_>>, spot: &Spot) {
        let schema = self.resolve(schema);
        if let Some(branches) = alternatives(schema) {
            let branches: Vec<&Value> = branches
                .iter()
                .map(|branch| self.resolve(branch))
                .filter(|branch| branch["type"] != "null")
                .collect();
            return self.alternatives(schema, &branches, value, spot);
        }
        if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
            let choices: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
            return self.choice(&choices, value, spot);
        }
        if let Some(constant) = schema.get("const").and_then(Value::as_str) {
            return self.choice(&[constant], value, spot);
        }
        match (type_of(schema), value.get_ref()) {
            (Some("object"), DeValue::Table(table)) => self.table(schema, table, spot),
            (Some("array"), DeValue::Array(items)) => {
                let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
                if (items.len() as u64) < least {
                    let entries = if least == 1 { "entry" } else { "entries" };
                    let message = format!("needs at least {least} {entries}");
                    self.misfit(spot, message, remedy_of_few(schema, least));
                }
                let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
                if (items.len() as u64) > most {
                    let entries = if most == 1 { "entry" } else { "entries" };
                    self.misfit(spot, format!("has at most {most} {entries}"), doc(schema));
                }
                if items.len() > MOST_ENTRIES {
                    let message = format!("{} entries", items.len());
                    let remedy = format!("a list has at most {MOST_ENTRIES}");
                    return self.misfit(spot, message, remedy);
                }
                let before = self.found.len();
                for (index, item) in items.iter().enumerate() {
                    self.value(&schema["items"], item, &spot.index(index));
                }
                // A misfit of an entry without a description of its own gets that of the list.
                for misfit in &mut self.found[before..] {
                    if misfit.remedy.is_empty() {
                        misfit.remedy = doc(schema);
                    }
                }
            }
            (Some("integer"), DeValue::Integer(number)) => match whole_of(number) {
                Some(number) if (i128::from(i64::MIN)..=u64::MAX.into()).contains(&number) => {
                    self.bounds(schema, number as f64, spot);
                }
                _ => self.misfit(spot, "this number has too many digits", doc(schema)),
            },
            (Some("number"), DeValue::Integer(number)) => match whole_of(number) {
                Some(number) => self.bounds(schema, number as f64, spot),
                None => self.misfit(spot, "this number has too many digits", doc(schema)),
            },
            (Some("number"), DeValue::Float(number)) => {
                let number: f64 = number.as_str().replace('_', "").parse().unwrap_or(f64::NAN);
                if number.is_finite() {
                    self.bounds(schema, number, spot);
                } else {
                    self.misfit(spot, format!("{number} is not a finite number"), doc(schema));
                }
            }
            (Some("string"), DeValue::String(_)) | (Some("boolean"), DeValue::Boolean(_)) => {}
            (Some("array"), found) => self.not_a_list(schema, found, value.span(), spot),
            (Some("integer"), DeValue::Float(number)) => {
                let text = number.as_str().replace('_', "");
                let whole =
                    text.parse().ok().filter(|of: &f64| of.fract() == 0.0 && of.abs() < 1e15);
                // On the command line the key stands there already.
                let key = spot.last_key().filter(|_| value.span().start < self.source.len());
                let remedy = match (whole.map(|whole| marked(whole as i64)), key) {
                    (Some(whole), Some(key)) => {
                        format!("write it as `{} = {whole}`", written(key))
                    }
                    (Some(whole), None) => format!("write it as `{whole}`"),
                    (None, _) => doc(schema),
                };
                let is_long = text.parse().is_ok_and(|of: f64| of.abs() >= 1e15);
                let what = match is_long {
                    true => "this number has too many digits",
                    false => "expected a whole number, found a number",
                };
                self.misfit(spot, what, remedy);
            }
            (Some(wanted), found) => {
                let message = format!(
                    "expected {}, found {}",
                    described(wanted),
                    described(found.type_str())
                );
                // A list or a table gives no hint at which single value was meant.
                let is_single = !matches!(found, DeValue::Array(_) | DeValue::Table(_));
                let written = is_single.then(|| self.text(value.span()));
                let plain = match without_quotes(wanted, found) {
                    plain if plain.is_empty() => of_name(schema, found, written),
                    plain => plain,
                };
                let remedy = match (plain, spot.last_key()) {
                    (plain, Some(key)) if plain.is_empty() && !doc(schema).is_empty() => {
                        with_example(key, schema, written)
                    }
                    (plain, _) if plain.is_empty() => doc(schema),
                    (plain, _) => format!("{plain}. {}", doc(schema)).trim_end().to_owned(),
                };
                self.misfit(spot, message, remedy);
            }
            (None, _) => {}
        }
    }

    fn table(&mut self, schema: &'s Value, table: &DeTable<'_>, spot: &Spot) {
        let nothing = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        let extra = schema.get("additionalProperties");
        if table.len() > MOST_ENTRIES {
            let message = format!("{} keys", table.len());
            return self.misfit(spot, message, format!("a table has at most {MOST_ENTRIES}"));
        }
        for (key, value) in table {
            let key: &str = key.get_ref();
            let spot = spot.key(key);
            match (properties.and_then(|known| known.get(key)), extra) {
                (Some(property), _) => self.value(property, value, &spot),
                (None, Some(Value::Bool(false))) => {
                    let known: Vec<&str> =
                        properties.unwrap_or(&nothing).keys().map(String::as_str).collect();
                    // A key below a table's header belongs to that table, even where it was meant for the scenario.
                    let is_of_scenario = self.root["properties"].get(key).is_some();
                    let remedy = match is_of_scenario && !std::ptr::eq(schema, self.root) {
                        true => format!(
                            "`{key}` is a key of the scenario: move it up, before the first table"
                        ),
                        false => among(key, &known),
                    };
                    self.key_misfit(&spot, format!("unknown key `{key}`"), remedy);
                }
                (None, Some(rest @ Value::Object(_))) => {
                    let before = self.found.len();
                    self.value(rest, value, &spot);
                    // Tables of names and numbers have no description for each number.
                    let is_number =
                        matches!(type_of(self.resolve(rest)), Some("number" | "integer"));
                    for misfit in self.found[before..].iter_mut().filter(|_| is_number) {
                        if misfit.remedy.is_empty() {
                            misfit.remedy =
                                format!("write a number, such as `{} = 2`", written(key));
                        }
                    }
                }
                (None, _) => {}
            }
        }
        for required in strings(schema.get("required")) {
            if !table.contains_key(required) {
                let property = properties.and_then(|known| known.get(required));
                let remedy = property.map(|property| self.how_to_add(spot, required, property));
                self.misfit(spot, format!("`{required}` is missing"), remedy.unwrap_or_default());
            }
        }
    }

    /// The remedy for a missing key: what to write.
    fn how_to_add(&self, spot: &Spot, key: &str, property: &'s Value) -> String {
        let schema = self.resolve(property);
        let entry = (type_of(schema) == Some("array")).then(|| self.resolve(&schema["items"]));
        let (header, table) = match entry {
            Some(entry) if type_of(entry) == Some("object") => {
                (format!("[[{}]]", spot.key(key).header()), entry)
            }
            Some(_) => return format!("{} Write it as `{key} = [...]`", doc(schema)),
            None if type_of(schema) == Some("object") => {
                (format!("[{}]", spot.key(key).header()), schema)
            }
            None => return self.value_to_add(key, schema),
        };
        let needed: Vec<String> =
            strings(table.get("required")).iter().map(|key| format!("`{key}`")).collect();
        let with = if needed.is_empty() {
            String::new()
        } else {
            format!(" with {}", needed.join(" and "))
        };
        format!(
            "add a table `{header}`{with}: {}",
            doc(if table.get("description").is_some() { table } else { schema })
        )
    }

    /// The description of a missing key with its possible values: an example, or the words where it is one of a few.
    fn value_to_add(&self, key: &str, schema: &'s Value) -> String {
        let whole = [schema];
        let branches: Vec<&Value> = match alternatives(schema) {
            Some(branches) => branches.iter().map(|branch| self.resolve(branch)).collect(),
            None => whole.to_vec(),
        };
        let words: Vec<&str> =
            branches.iter().flat_map(|branch| words(branch)).chain(keys(&branches)).collect();
        let is_number = |branch: &&&Value| type_of(branch) == Some("integer");
        match branches.iter().find(is_number) {
            Some(_) if branches.len() > 1 => {
                format!("{} Write it as `{} = 1`", doc(schema), written(key))
            }
            None if !words.is_empty() => format!("{} One of: {}", doc(schema), words.join(", ")),
            _ => with_example(key, schema, None),
        }
    }

    /// Reports a value that should be a list.
    fn not_a_list(
        &mut self,
        schema: &'s Value,
        found: &DeValue<'_>,
        span: Range<usize>,
        spot: &Spot,
    ) {
        let entry = self.resolve(&schema["items"]);
        let key = spot.last_key();
        let kind = kind_of(found);
        let fits =
            type_of(entry) == Some(kind) || type_of(entry) == Some("number") && kind == "integer";
        let remedy = match key {
            Some(_) if fits && kind == "object" => {
                format!(
                    "write `[[{}]]`, with two brackets, above each of them: there may be several",
                    spot.header()
                )
            }
            Some(key) if fits => {
                let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
                let why = match least {
                    0 | 1 => "there may be several".to_owned(),
                    least => format!("there are at least {least}"),
                };
                let least = least.clamp(1, 9) as usize;
                let at = span.start.checked_sub(self.source.len());
                let setting = self.settings.zip(at);
                match setting.and_then(|(settings, at)| with_lists(settings, at, key, least)) {
                    Some(flag) => {
                        format!("make each value a list, `{flag}`: {why}. {}", doc(schema))
                    }
                    None => {
                        let entries = vec![self.text(span); least].join(", ");
                        format!("write `{key} = [{entries}]`: {why}. {}", doc(schema))
                    }
                }
            }
            _ => doc(schema),
        };
        let message = format!("expected a list, found {}", described(found.type_str()));
        // For a table the header is at fault, not the whole table.
        if kind == "object" {
            self.key_misfit(spot, message, remedy)
        } else {
            self.misfit(spot, message, remedy)
        }
    }

    /// A short piece of the document, for a remedy that can be copied; `...` where it is long, has a line break, or is not in the document.
    fn text(&self, span: Range<usize>) -> &str {
        self.source
            .get(span)
            .filter(|text| text.len() <= 60 && !text.contains('\n'))
            .unwrap_or("...")
    }

    /// Checks a value that may have one of several forms: a choice of words, tables told apart by a tag, or tables told
    /// apart by their only key.
    fn alternatives(
        &mut self,
        schema: &'s Value,
        branches: &[&'s Value],
        value: &Spanned<DeValue<'_>>,
        spot: &Spot,
    ) {
        if let [only] = branches {
            return self.value(only, value, spot);
        }
        let words: Vec<&str> = branches.iter().flat_map(|branch| words(branch)).collect();
        let kind = kind_of(value.get_ref());
        if kind != "object" {
            // Forms of different types, such as a number and a list, or free text and a number, are told apart by the
            // type.
            let is_word = |branch: &Value| branch.get("const").or(branch.get("enum")).is_some();
            let of_kind = |branch: &&&Value| type_of(branch) == Some(kind) && !is_word(branch);
            if let Some(branch) = branches.iter().find(of_kind) {
                return self.value(branch, value, spot);
            }
        }
        let kinds: Vec<&str> = branches.iter().filter_map(|branch| type_of(branch)).collect();
        let no_kind_fits = || {
            let kinds: Vec<&str> = kinds.iter().copied().map(described).collect();
            let found = described(value.get_ref().type_str());
            format!("expected {}, found {found}", listed(&kinds))
        };
        if kind == "object" && words.is_empty() && !kinds.contains(&"object") {
            return self.misfit(spot, no_kind_fits(), doc(schema));
        }
        let DeValue::Table(table) = value.get_ref() else {
            if kinds.iter().any(|kind| *kind != "object" && *kind != "string") {
                return self.misfit(spot, no_kind_fits(), doc(schema));
            }
            if words.is_empty() {
                let message =
                    format!("expected a table, found {}", described(value.get_ref().type_str()));
                return self.misfit(spot, message, doc(schema));
            }
            return self.word(&words, &keys(branches), value, spot);
        };
        let tables: Vec<&'s Value> =
            branches.iter().copied().filter(|branch| branch["type"] == "object").collect();
        if let ([only], true) = (&tables[..], branches.len() > 1 && words.is_empty()) {
            return self.table(only, table, spot);
        }
        if let Some(tag) = tables.first().and_then(|branch| tag_of(branch)) {
            let names: Vec<&str> = tables
                .iter()
                .filter_map(|branch| branch["properties"][tag]["const"].as_str())
                .collect();
            let Some(named) = table.get(tag) else {
                let remedy = format!("one of: {}", names.join(", "));
                return self.misfit(spot, format!("`{tag}` is missing"), remedy);
            };
            match tables.iter().find(|branch| {
                branch["properties"][tag]["const"].as_str() == named.get_ref().as_str()
            }) {
                Some(branch) => self.table(branch, table, spot),
                None => self.choice(&names, named, &spot.key(tag)),
            }
            return;
        }
        let names: Vec<&str> = words.iter().copied().chain(keys(branches)).collect();
        let mut given = table.keys();
        match (given.next(), given.next()) {
            (Some(key), None) => {
                let key: &str = key.get_ref();
                match tables.iter().find(|branch| branch["properties"].get(key).is_some()) {
                    Some(branch) => self.table(branch, table, spot),
                    None if words.contains(&key) => {
                        let remedy = match spot.last_key() {
                            Some(name) => format!("write `{} = \"{key}\"`", written(name)),
                            None => format!("write `\"{key}\"`"),
                        };
                        self.key_misfit(&spot.key(key), format!("`{key}` takes no table"), remedy);
                    }
                    None => {
                        let remedy = among(key, &names);
                        self.key_misfit(&spot.key(key), format!("unknown `{key}`"), remedy);
                    }
                }
            }
            _ => {
                let remedy = format!("one of: {}", names.join(", "));
                self.misfit(spot, "expected a table with exactly one key", remedy);
            }
        }
    }

    /// Checks a value where some of the forms are words and others tables with one key.
    fn word(&mut self, words: &[&str], tables: &[&str], value: &Spanned<DeValue<'_>>, spot: &Spot) {
        match value.get_ref() {
            DeValue::String(word) if tables.contains(&word.as_ref()) => {
                let remedy = format!("write `{{ {word} = {{ ... }} }}`");
                self.misfit(spot, format!("`{word}` takes a table"), remedy);
            }
            DeValue::String(word) if !words.contains(&word.as_ref()) => {
                let all: Vec<&str> = words.iter().chain(tables).copied().collect();
                self.misfit(spot, format!("`{word}` is not possible here"), among(word, &all));
            }
            _ => self.choice(words, value, spot),
        }
    }

    fn choice(&mut self, choices: &[&str], value: &Spanned<DeValue<'_>>, spot: &Spot) {
        match value.get_ref() {
            DeValue::String(word) if choices.contains(&word.as_ref()) => {}
            DeValue::String(word) => {
                self.misfit(spot, format!("`{word}` is not possible here"), among(word, choices));
            }
            other => {
                let message = format!("expected a string, found {}", described(other.type_str()));
                self.misfit(spot, message, format!("one of: {}", choices.join(", ")));
            }
        }
    }

    fn bounds(&mut self, schema: &'s Value, number: f64, spot: &Spot) {
        let low = schema.get("minimum").and_then(Value::as_f64);
        let high = schema.get("maximum").and_then(Value::as_f64);
        if low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high) {
            let message = match (low, high) {
                (Some(low), Some(high)) => format!("must lie between {low} and {high}"),
                (Some(low), None) => format!("must be at least {low}"),
                (None, high) => format!("must be at most {}", high.unwrap_or(f64::INFINITY)),
            };
            self.misfit(spot, message, doc(schema));
        }
    }

    fn resolve(&self, schema: &'s Value) -> &'s Value {
        match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let name = reference.trim_start_matches("#/$defs/");
                self.resolve(&self.root["$defs"][name])
            }
            None => schema,
        }
    }

    fn misfit(&mut self, spot: &Spot, message: impl Into<String>, remedy: impl Into<String>) {
        self.report(spot, false, message.into(), remedy.into());
    }

    fn key_misfit(&mut self, spot: &Spot, message: String, remedy: String) {
        self.report(spot, true, message, remedy);
    }

    fn report(&mut self, spot: &Spot, at_key: bool, message: String, remedy: String) {
        self.found.push(Misfit { spot: spot.clone(), at_key, message, remedy });
    }
}

fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array)
}

/// The words that a branch of a choice allows.
fn words(branch: &Value) -> Vec<&str> {
    match branch.get("const").and_then(Value::as_str) {
        Some(word) => vec![word],
        None => strings(branch.get("enum")),
    }
}

/// The keys that tell tables with a single key apart.
fn keys<'s>(branches: &[&'s Value]) -> Vec<&'s str> {
    let tables = branches.iter().filter(|branch| branch["type"] == "object");
    tables.flat_map(|branch| strings(branch.get("required"))).collect()
}

/// The property that tells the branches of a tagged table apart.
fn tag_of(branch: &Value) -> Option<&str> {
    let properties = branch.get("properties")?.as_object()?;
    properties
        .iter()
        .find(|(_, property)| property.get("const").is_some())
        .map(|(key, _)| key.as_str())
}

fn type_of(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|&name| name != "null"),
        _ => None,
    }
}

/// The JSON Schema type of a TOML value.
fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::Table(_) => "object",
        DeValue::Array(_) => "array",
        DeValue::Integer(_) => "integer",
        DeValue::Float(_) => "number",
        DeValue::Boolean(_) => "boolean",
        DeValue::String(_) | DeValue::Datetime(_) => "string",
    }
}

fn strings(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array)
        .map(|items| items.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

/// The remedy for a word that must be one of a few.
fn among(word: &str, choices: &[&str]) -> String {
    suggestion(word, choices.iter().copied(), &format!("one of: {}", choices.join(", ")))
}

/// A number with its thousands separated as in TOML: `10_000`.
fn marked(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// Joins words as `a, b or c`.
fn listed(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// The remedy for a list with too few entries. An empty list is not the same as none: leaving a list out may have a
/// meaning of its own.
fn remedy_of_few(schema: &Value, least: u64) -> String {
    let doc = doc(schema);
    if least == 1 && doc.contains("Left out:") {
        return format!("leave it out, or name some. {doc}");
    }
    doc
}

fn doc(schema: &Value) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ")
}

/// The description of a key with an example of a value; `found` is the present value.
fn with_example(key: &str, schema: &Value, found: Option<&str>) -> String {
    let (low, high) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
    let within = |number: f64| number.min(high.unwrap_or(number)).max(low.unwrap_or(number));
    let value = match type_of(schema) {
        Some("integer") => {
            // `"100k"` is a number on the command line, and what was meant is clear.
            let meant = found.and_then(|found| numerals::read(found.trim_matches('"')));
            let meant = meant.map(|meant| meant as f64).filter(|&meant| within(meant) == meant);
            marked(meant.unwrap_or_else(|| within(10.0)) as i64)
        }
        Some("number") => within(0.5).to_string(),
        Some("boolean") => "true".to_owned(),
        Some("string") => match found {
            Some(found) if !found.contains(['"', '\'', '\n']) => format!("\"{found}\""),
            _ => "\"...\"".to_owned(),
        },
        _ => return doc(schema),
    };
    format!("{} Write it as `{} = {value}`", doc(schema), written(key)).trim_start().to_owned()
}

/// The remedy for a number or a truth value in quotes, or for a text with a sign where a number is wanted; empty for
/// anything else.
fn without_quotes(wanted: &str, found: &DeValue<'_>) -> String {
    let Some(text) = found.as_str().map(str::trim) else { return String::new() };
    if text.starts_with(['+', '-']) && matches!(wanted, "integer" | "number") {
        if text.parse::<f64>().is_err() {
            return "write the number that it shall be; `\"+4\"` is 4 more where a card has a number already".to_owned();
        }
        return "differences are added to the numbers of cards that are there already: write the number that it \
                shall be"
            .to_owned();
    }
    let fits = match wanted {
        "integer" => text.parse::<i64>().is_ok() || is_in_another_base(text),
        "number" => text.parse::<f64>().is_ok_and(f64::is_finite),
        "boolean" => text.parse::<bool>().is_ok(),
        _ => false,
    };
    if fits { format!("write it without quotes: `{text}`") } else { String::new() }
}

/// Whether it is a whole number as TOML writes hexadecimal, octal and binary ones.
fn is_in_another_base(text: &str) -> bool {
    [("0x", 16), ("0o", 8), ("0b", 2)].into_iter().any(|(begins, base)| {
        text.strip_prefix(begins).is_some_and(|digits| i64::from_str_radix(digits, base).is_ok())
    })
}

/// The remedy for a name where a table of it is wanted that needs nothing else; empty for anything else.
fn of_name(schema: &Value, found: &DeValue<'_>, written: Option<&str>) -> String {
    let Some(written) = written.filter(|_| matches!(found, DeValue::String(_))) else {
        return String::new();
    };
    let required = schema.get("required").and_then(Value::as_array);
    let takes_name = schema["properties"]["name"].is_object()
        && required.is_none_or(|keys| keys.iter().all(|key| key == "name"));
    if takes_name { format!("write `{{ name = {written} }}`") } else { String::new() }
}

/// A text in quotes, as it is written in TOML.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A key as it is written in TOML: in quotes where it needs them.
pub(super) fn written(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !key.is_empty() && key.chars().all(is_bare) { key.to_owned() } else { format!("{key:?}") }
}

fn described(kind: &str) -> &str {
    match kind {
        "object" | "table" => "a table",
        "array" => "a list",
        "integer" => "a whole number",
        "number" | "float" => "a number",
        "string" => "a string",
        "boolean" => "true or false",
        other => other,
    }
}
