//! The card catalogue as a file: CSV that opens in a spreadsheet, one row per card and level.

use std::ops::Range;
use std::str::FromStr;

use strum::IntoEnumIterator;

use super::ability::{Abilities, Ability};
use super::cards::{Card, CardKind, Catalogue, Level, Stats};
use crate::scenario::{Fault, Source, did_you_mean};

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

/// The bundled catalogue: the cards of May 2020, and Chanseus the Great.
pub const BUNDLED: &str = include_str!("../../../scenarios/splinterlands/cards/2020-05.csv");

impl Catalogue {
    /// The place of the card with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<u16> {
        self.cards.iter().position(|card| card.name == name).map(|at| at as u16)
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
        let mut reader = Reader { source, faults: Vec::new(), cards: Vec::new() };
        reader.read();
        if reader.faults.is_empty() && reader.cards.is_empty() {
            let remedy = "a catalogue has one row per card and level";
            reader.faults.push(Fault::at(source, 0..0, "no cards", remedy));
        }
        if reader.faults.is_empty() { Ok(Self { cards: reader.cards }) } else { Err(reader.faults) }
    }
}

struct Reader<'a> {
    source: &'a Source,
    faults: Vec<Fault>,
    cards: Vec<Card>,
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
                    let row = Row { record: &record, start, text };
                    if first {
                        if !self.header(&row) {
                            break;
                        }
                    } else {
                        self.row(&row);
                    }
                    first = false;
                }
            }
        }
    }

    fn header(&mut self, row: &Row<'_>) -> bool {
        let right = row.record.iter().map(str::trim).eq(COLUMNS);
        if !right {
            let remedy = format!("the first line must be: {}", COLUMNS.join(","));
            let message = "these are not the columns of a card catalogue";
            self.faults.push(Fault::at(self.source, row.span(usize::MAX), message, remedy));
        }
        right
    }

    fn row(&mut self, row: &Row<'_>) {
        let before = self.faults.len();
        if row.record.len() != COLUMNS.len() {
            let message = format!("{} fields instead of {}", row.record.len(), COLUMNS.len());
            let remedy = format!("the columns are: {}", COLUMNS.join(","));
            self.faults.push(Fault::at(self.source, row.span(usize::MAX), message, remedy));
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
            let fault = Fault::at(self.source, row.span(0), "a card without a name", "name it");
            self.faults.push(fault);
        }
        let summoner = card.kind == CardKind::Summoner;
        let (low, high) = if summoner { (-9, 9) } else { (0, 99) };
        let mut stat = |column| self.number(row, column, low, high) as i8;
        let stats = Stats {
            melee: stat(7),
            ranged: stat(8),
            magic: stat(9),
            armor: stat(10),
            health: stat(11),
            speed: stat(12),
        };
        let abilities = self.abilities(row, 13);
        let level =
            if summoner && row.field(6).is_empty() { 1 } else { self.number(row, 6, 1, 10) };
        if self.faults.len() == before {
            self.add(row, card, level as usize, Level { stats, abilities });
        }
    }

    /// Takes a level in: the first of a new card, or the next of the last one.
    fn add(&mut self, row: &Row<'_>, card: Card, number: usize, level: Level) {
        let levels = usize::from(card.rarity.max_level());
        if let Some(last) = self.cards.last_mut().filter(|last| last.name == card.name) {
            let same = Card { levels: Vec::new(), ..last.clone() } == card;
            if !same || number != last.levels.len() + 1 || number > levels {
                let expected = last.levels.len() + 1;
                let message = format!("this is not level {expected} of `{}`", card.name);
                let remedy = format!(
                    "levels follow each other from 1, at most {levels} for a {} card, and all else but \
                     numbers and abilities stays the same",
                    card.rarity
                );
                self.faults.push(Fault::at(self.source, row.span(6), message, remedy));
                return;
            }
            last.levels.push(level);
            return;
        }
        let message = if self.cards.iter().any(|other| other.name == card.name) {
            format!("`{}` stands here a second time", card.name)
        } else if number != 1 {
            format!("`{}` begins with level {number}", card.name)
        } else if card.kind == CardKind::Monster && level.stats.health < 1 {
            format!("`{}` has no health", card.name)
        } else {
            let copies = if card.kind == CardKind::Summoner { levels } else { 1 };
            self.cards.push(Card { levels: vec![level; copies], ..card });
            return;
        };
        let remedy = "a card's rows stand together, level 1 first, and a monster has health";
        self.faults.push(Fault::at(self.source, row.span(0), message, remedy));
    }

    fn number(&mut self, row: &Row<'_>, column: usize, low: i64, high: i64) -> i64 {
        match row.field(column).parse() {
            Ok(number) if (low..=high).contains(&number) => number,
            _ => {
                let message =
                    format!("`{}` is not a possible {}", row.field(column), COLUMNS[column]);
                let remedy = format!("a whole number from {low} to {high}");
                self.faults.push(Fault::at(self.source, row.span(column), message, remedy));
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
            let near = did_you_mean(word, known.iter().copied());
            let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            let remedy = format!("{near}One of: {}", known.join(", "));
            let message = format!("unknown {} `{word}`", COLUMNS[column]);
            self.faults.push(Fault::at(self.source, row.span(column), message, remedy));
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
                    let near = did_you_mean(name, known);
                    let near =
                        near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
                    let remedy = format!("{near}`evens list abilities` names them all");
                    let message = format!("unknown ability `{name}`");
                    self.faults.push(Fault::at(self.source, row.span(column), message, remedy));
                }
            }
        }
        abilities
    }
}
