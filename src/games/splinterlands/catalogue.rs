//! The card catalogue as a file: CSV that opens in a spreadsheet, one row per card and level.

use std::collections::BTreeSet;
use std::ops::Range;
use std::str::FromStr;

use strum::IntoEnumIterator;

use super::ability::{Abilities, Ability};
use super::cards::{Card, CardKind, Catalogue, Level, Rarity, Stats};
use crate::scenario::{Fault, IN_ONE_LINE, Source, can_be_a_name, suggestion};

/// The columns, in order.
const COLUMNS: [&str; 14] = [
    "name",
    "id",
    "faction",
    "type",
    "rarity",
    "mana",
    "level",
    "melee",
    "ranged",
    "magic",
    "armor",
    "health",
    "speed",
    "abilities",
];
/// What separates abilities in their column.
const SEPARATOR: &str = "; ";
/// Stands for the whole row where a column is expected.
const WHOLE_ROW: usize = COLUMNS.len();

/// The bundled catalogue: the cards of May 2020, and Chanseus the Great.
pub const BUNDLED: &str = include_str!("../../../scenarios/splinterlands/cards/2020-05.csv");

impl Catalogue {
    /// The place of the card with this name; None if there is none.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<u16> {
        self.cards.iter().position(|card| card.name == name).map(|at| at as u16)
    }

    /// The names of all cards, or only of those of one kind.
    pub fn names(&self, kind: Option<CardKind>) -> impl Iterator<Item = &str> {
        let wanted = move |card: &&Card| kind.is_none_or(|kind| card.kind == kind);
        self.iter().filter(wanted).map(|card| card.name.as_str())
    }

    /// The catalogue as CSV.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut write = |record: &[String]| writer.write_record(record).expect("memory takes all");
        write(&COLUMNS.map(str::to_owned));
        for card in &self.cards {
            for (at, level) in card.levels.iter().enumerate() {
                let Stats { melee, ranged, magic, armor, health, speed } = level.stats;
                let numbers = [melee, ranged, magic, armor, health, speed].map(|n| n.to_string());
                let names: Vec<String> = level.abilities.iter().map(|a| a.to_string()).collect();
                let mut record = vec![
                    card.name.clone(),
                    card.id.to_string(),
                    card.faction.to_string(),
                    card.kind.to_string(),
                    card.rarity.to_string(),
                    card.mana.to_string(),
                    if card.kind == CardKind::Monster {
                        (at + 1).to_string()
                    } else {
                        String::new()
                    },
                ];
                record.extend(numbers);
                record.push(names.join(SEPARATOR));
                write(&record);
                if card.kind == CardKind::Summoner {
                    break;
                }
            }
        }
        let bytes = writer.into_inner().expect("memory takes all");
        String::from_utf8(bytes).expect("names are text")
    }

    /// Reads a catalogue.
    ///
    /// # Errors
    /// Every fault in the file.
    pub fn from_csv(source: &Source) -> Result<Self, Vec<Fault>> {
        let mut reader = Reader {
            source,
            faults: Vec::new(),
            cards: Vec::new(),
            blamed: BTreeSet::new(),
            last_name: 0..0,
            short: Vec::new(),
        };
        reader.read();
        reader.finish_card();
        reader.blame_short_cards();
        if reader.faults.is_empty() && reader.cards.is_empty() {
            let remedy = "a catalogue has one row per card and level";
            reader.faults.push(Fault::at(source, 0..0, "no cards", remedy));
        }
        reader.faults.extend(too_many(source, reader.cards.len()));
        if !reader.faults.is_empty() {
            return Err(reader.faults);
        }
        Ok(reader.cards.into_iter().collect())
    }
}

/// The most cards that a catalogue may have.
const MOST_CARDS: usize = 10_000;

/// The number of faults after which the rest of the file is not checked.
const MOST_FAULTS: usize = 1_000;

/// The fault of having so many cards; None if there are not too many.
pub(super) fn too_many(source: &Source, cards: usize) -> Option<Fault> {
    let remedy = format!("a catalogue has at most {MOST_CARDS}: leave out those that nobody plays");
    (cards > MOST_CARDS).then(|| Fault::at(source, 0..0, format!("{cards} cards or more"), remedy))
}

/// What is wrong with the columns of a catalogue; None if hardly any of them is there, so that another kind of file was
/// meant.
fn wrong_columns(found: &csv::StringRecord) -> Option<String> {
    let found: Vec<&str> = found.iter().map(str::trim).collect();
    let named = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let is = if names.len() == 1 { "is" } else { "are" };
        format!("{} {is}", names.join(", "))
    };
    let missing: Vec<&str> = COLUMNS.into_iter().filter(|column| !found.contains(column)).collect();
    let other: Vec<&str> =
        found.iter().copied().filter(|column| !COLUMNS.contains(column)).collect();
    if missing.len() > COLUMNS.len() / 2 {
        return None;
    }
    let mut wrong = Vec::new();
    if !missing.is_empty() {
        wrong.push(format!("{} missing", named(&missing)));
    }
    if !other.is_empty() {
        wrong.push(format!("{} unknown", named(&other)));
    }
    Some(match &wrong[..] {
        [] if found.len() == COLUMNS.len() => "they stand in another order".to_owned(),
        [] => "some stand there twice".to_owned(),
        wrong => wrong.join(" and "),
    })
}

struct Reader<'a> {
    source: &'a Source,
    faults: Vec<Fault>,
    cards: Vec<Card>,
    /// The names of the cards that have a faulty row.
    blamed: BTreeSet<String>,
    /// Where the name stands in the row of the last card's last level.
    last_name: Range<usize>,
    /// Where the names of cards that lack levels stand, and what is to be said of a card if it is the only one.
    short: Vec<(Range<usize>, String, Rarity)>,
}

/// One row, with the bytes it came from.
struct Row<'a> {
    record: &'a csv::StringRecord,
    start: usize,
    text: &'a str,
}

impl Row<'_> {
    fn field(&self, column: usize) -> &str {
        self.record.get(column).unwrap_or("").trim()
    }

    /// The bytes of a field; the whole row where the field cannot be told apart (it is quoted).
    fn span(&self, column: usize) -> Range<usize> {
        let line = self.text[self.start..].lines().next().unwrap_or("");
        let whole = self.start..self.start + line.len();
        if line.contains('"') {
            return whole;
        }
        let mut at = self.start;
        for (index, field) in line.split(',').enumerate() {
            if index == column {
                return at..at + field.len();
            }
            at += field.len() + 1;
        }
        whole
    }
}

impl Reader<'_> {
    fn read(&mut self) {
        let source = self.source;
        let text = source.inner();
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut record = csv::StringRecord::new();
        let mut first = true;
        loop {
            match reader.read_record(&mut record) {
                Ok(false) => break,
                Err(error) => {
                    let at = error.position().map_or(0, |position| position.byte() as usize);
                    let remedy = "the file must be CSV in UTF-8";
                    self.faults.push(Fault::at(source, at..at, error.to_string(), remedy));
                    break;
                }
                Ok(true) => {
                    let start = record.position().map_or(0, |position| position.byte() as usize);
                    // Where a line ends in two characters, the reader counts the second as part of the next record.
                    let ends =
                        text[start..].bytes().take_while(|byte| matches!(byte, b'\r' | b'\n'));
                    let start = start + ends.count();
                    let row = Row { record: &record, start, text };
                    if first {
                        if !self.header(&row) {
                            break;
                        }
                    } else {
                        self.row(&row);
                    }
                    first = false;
                    // Every name is compared with all before it, and nobody means to have so many cards.
                    if self.cards.len() > MOST_CARDS || self.faults.len() > MOST_FAULTS {
                        break;
                    }
                }
            }
        }
    }

    fn header(&mut self, row: &Row<'_>) -> bool {
        let right = row.record.iter().map(str::trim).eq(COLUMNS);
        if !right {
            let remedy = format!("the first line must be: {}", COLUMNS.join(","));
            let mut message = "these are not the columns of a card catalogue".to_owned();
            if let Some(wrong) = wrong_columns(row.record) {
                message = format!("{message}: {wrong}");
            }
            self.blame(row, WHOLE_ROW, message, remedy);
        }
        right
    }

    fn row(&mut self, row: &Row<'_>) {
        let before = self.faults.len();
        if row.record.len() != COLUMNS.len() {
            let message = format!("{} fields instead of {}", row.record.len(), COLUMNS.len());
            let remedy = format!("the columns are: {}", COLUMNS.join(","));
            self.blame(row, WHOLE_ROW, message, remedy);
            return;
        }
        let card = Card {
            name: row.field(0).to_owned(),
            id: self.number(row, 1, 0, i64::from(u16::MAX)) as u16,
            faction: self.word(row, 2),
            kind: self.word(row, 3),
            rarity: self.word(row, 4),
            mana: self.number(row, 5, 0, 99) as u8,
            levels: Vec::new(),
        };
        if card.name.is_empty() {
            self.blame(row, 0, "a card without a name", "name it");
        } else if !can_be_a_name(&card.name) {
            let message = format!("`{}` cannot be a name", card.name.escape_debug());
            self.blame(row, 0, message, IN_ONE_LINE);
        }
        let summoner = card.kind == CardKind::Summoner;
        let (low, high) = card.kind.range();
        let mut stat = |column| self.number(row, column, low.into(), high.into()) as i8;
        let stats = Stats {
            melee: stat(7),
            ranged: stat(8),
            magic: stat(9),
            armor: stat(10),
            health: stat(11),
            speed: stat(12),
        };
        let abilities = self.abilities(row, 13);
        if !summoner && stats.health < 1 && self.faults.len() == before {
            let message = format!("`{}` has no health", card.name);
            self.blame(row, 11, message, "a monster has at least 1");
        }
        let level =
            if summoner && row.field(6).is_empty() { 1 } else { self.number(row, 6, 1, 10) };
        if !self.blamed.contains(&card.name) {
            self.add(row, card, level as usize, Level { stats, abilities });
        }
    }

    /// Adds a level: the first of a new card, or the next of the last card.
    fn add(&mut self, row: &Row<'_>, card: Card, number: usize, level: Level) {
        let is_next = |last: &&mut Card| last.name == card.name && card.kind == CardKind::Monster;
        let Some(last) = self.cards.last_mut().filter(is_next) else {
            return self.add_card(row, card, number, level);
        };
        let (rarity, next) = (last.rarity, last.levels.len() + 1);
        if (Card { levels: Vec::new(), ..last.clone() }) != card {
            let message = format!("`{}` is another card than in the row above", card.name);
            let remedy = "only numbers and abilities differ from level to level";
            self.blame(row, 0, message, remedy);
        } else if number != next || number > usize::from(rarity.max_level()) {
            let message = if next > usize::from(rarity.max_level()) {
                format!("`{}` has all its levels already", card.name)
            } else {
                format!("this is not level {next} of `{}`", card.name)
            };
            let remedy = format!("levels follow each other from 1 to {}", rarity.max_level());
            self.blame(row, 6, message, remedy);
        } else {
            last.levels.push(level);
            self.last_name = row.span(0);
        }
    }

    fn add_card(&mut self, row: &Row<'_>, card: Card, number: usize, level: Level) {
        self.finish_card();
        if self.cards.iter().any(|other| other.name == card.name) {
            let message = format!("`{}` stands here a second time", card.name);
            self.blame(row, 0, message, "the rows of a card stand together, one for each level");
        } else if number != 1 {
            let message = format!("`{}` begins with level {number}", card.name);
            self.blame(row, 6, message, "levels follow each other from 1");
        } else {
            let levels = usize::from(card.rarity.max_level());
            let written = if card.kind == CardKind::Summoner { levels } else { 1 };
            self.last_name = row.span(0);
            self.cards.push(Card { levels: vec![level; written], ..card });
        }
    }

    /// Notes the last card if it lacks levels.
    fn finish_card(&mut self) {
        let Some(last) = self.cards.last() else { return };
        let (found, levels) = (last.levels.len(), usize::from(last.rarity.max_level()));
        if found < levels && !self.blamed.contains(&last.name) {
            let message = format!("`{}` ends with level {found}", last.name);
            self.short.push((self.last_name.clone(), message, last.rarity));
        }
    }

    /// Reports the cards that lack levels. A list that has one level of each card has one fault, not hundreds.
    fn blame_short_cards(&mut self) {
        let fault = match &self.short[..] {
            [] => return,
            [(span, message, rarity)] => {
                let remedy = format!("{rarity} cards have {} levels", rarity.max_level());
                Fault::at(self.source, span.clone(), message, remedy.to_lowercase())
            }
            [(span, first, _), ..] => {
                let levels: Vec<String> = Rarity::iter()
                    .map(|rarity| format!("{rarity} cards have {}", rarity.max_level()))
                    .collect();
                let message = format!("{} cards lack levels: {first}", self.short.len());
                let remedy = format!(
                    "each level of a monster has a row of its own ({}); a card whose numbers hold for every level is written \
                     shorter in a scenario, as one of its `new_cards`",
                    levels.join(", ").to_lowercase()
                );
                Fault::at(self.source, span.clone(), message, remedy)
            }
        };
        self.faults.push(fault);
    }

    /// Reports a fault in a column and marks the card as faulty, so that a level that is missing because its row is
    /// faulty is not reported as another fault.
    fn blame(
        &mut self,
        row: &Row<'_>,
        column: usize,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.faults.push(Fault::at(self.source, row.span(column), message, remedy));
        self.blamed.insert(row.field(0).to_owned());
    }

    fn number(&mut self, row: &Row<'_>, column: usize, low: i64, high: i64) -> i64 {
        match row.field(column).parse() {
            Ok(number) if (low..=high).contains(&number) => number,
            _ => {
                let message =
                    format!("`{}` is not a possible {}", row.field(column), COLUMNS[column]);
                let remedy = format!("a whole number from {low} to {high}");
                self.blame(row, column, message, remedy);
                low.max(1)
            }
        }
    }

    fn word<T>(&mut self, row: &Row<'_>, column: usize) -> T
    where
        T: FromStr + IntoEnumIterator + Into<&'static str>,
    {
        let word = row.field(column);
        word.parse().unwrap_or_else(|_| {
            let known: Vec<&str> = T::iter().map(Into::into).collect();
            let listing = format!("one of: {}", known.join(", "));
            let remedy = suggestion(word, known.iter().copied(), &listing);
            let message = format!("unknown {} `{word}`", COLUMNS[column]);
            self.blame(row, column, message, remedy);
            T::iter().next().expect("a choice has words")
        })
    }

    fn abilities(&mut self, row: &Row<'_>, column: usize) -> Abilities {
        let mut abilities = Abilities::empty();
        let names = row.field(column).split(SEPARATOR.trim()).map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            match Ability::from_str(name) {
                Ok(ability) => abilities |= ability,
                Err(_) => {
                    let known = Ability::iter().map(Into::into);
                    let listing = "`evens list abilities` names them all";
                    let remedy = suggestion(name, known, listing);
                    let message = format!("unknown ability `{name}`");
                    self.blame(row, column, message, remedy);
                }
            }
        }
        abilities
    }
}
