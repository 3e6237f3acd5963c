//! The numbers that a patch may change, and how far.

use crate::scenario::{Edit, Number, suggestion};

/// The limits on what a patch may change. A key is a card (`Pit Ogre`), a number of any card (`health`), or a number of
/// one (`Pit Ogre.health`).
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The only keys that may change; empty allows all.
    pub only: Vec<String>,
    /// Cards and numbers that stay as they are.
    pub pinned: Vec<String>,
    /// The lowest and the highest value that numbers may become, by key; the last matching entry counts.
    pub ranges: Vec<(String, (i64, i64))>,
    /// The price of a point of a number, by key, instead of 1; the last matching entry counts.
    pub prices: Vec<(String, f64)>,
    /// The factor by which a number may grow or shrink where no range says otherwise; a change by one is
    /// allowed where the number may have that value.
    pub factor: f64,
    /// The most numbers that a patch may change.
    pub edits: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            only: Vec::new(),
            pinned: Vec::new(),
            ranges: Vec::new(),
            prices: Vec::new(),
            factor: 2.0,
            edits: 10,
        }
    }
}

/// A number that may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The number.
    pub number: Number,
    /// The range that it may change by, inclusive, which contains 0.
    pub by: (i64, i64),
    /// The price of a change by one point.
    pub price: f64,
}

/// A patch: indices of candidates with the steps that they change by; sorted by index, and no step is 0.
pub type Patch = Vec<(usize, i64)>;

/// A patch as edits of the scenario.
#[must_use]
pub fn edits(candidates: &[Candidate], patch: &[(usize, i64)]) -> Vec<Edit> {
    let edit = |&(at, by): &(usize, i64)| {
        let Number { card, key, .. } = &candidates[at].number;
        Edit { card: card.clone(), key: key.clone(), by }
    };
    patch.iter().map(edit).collect()
}

/// The price of a patch: the sum over its steps of points times the price of a point.
#[must_use]
pub fn price(candidates: &[Candidate], patch: &[(usize, i64)]) -> f64 {
    patch.iter().fold(0.0, |sum, &(at, by)| sum + candidates[at].price * by.unsigned_abs() as f64)
}

/// Whether a key names a number.
#[must_use]
pub fn means(key: &str, number: &Number) -> bool {
    let last = number.key.rsplit('.').next();
    key == number.card || key == number.key || Some(key) == last || key == number.path()
}

/// The numbers that the limits allow to change. `takes_part` says which cards are in any battle.
///
/// # Errors
/// A remedy for the first key that means no number, with the flag and the key in front.
pub fn candidates(
    numbers: Vec<Number>,
    limits: &Limits,
    takes_part: impl Fn(&str) -> bool,
) -> Result<Vec<Candidate>, String> {
    let keys = |flag: &'static str, keys: &[String]| -> Vec<(&'static str, String)> {
        keys.iter().map(|key| (flag, key.clone())).collect()
    };
    let mut all = keys("--only", &limits.only);
    all.extend(keys("--not or --pin", &limits.pinned));
    all.extend(limits.ranges.iter().map(|(key, _)| ("--range", key.clone())));
    all.extend(limits.prices.iter().map(|(key, _)| ("--price", key.clone())));
    for (flag, key) in all {
        if !numbers.iter().any(|number| means(&key, number)) {
            return Err(format!("{flag} {key}: {}", remedy(&key, &numbers)));
        }
    }
    let named = |keys: &[String], number: &Number| keys.iter().any(|key| means(key, number));
    let candidate = |number: Number| {
        let is_meant = |(key, _): &&(String, (i64, i64))| means(key, &number);
        let range = limits.ranges.iter().rev().find(is_meant).map(|(_, range)| *range);
        // A number of which the card has none would make it another card: it is a candidate only when it is named.
        let is_it = |key: &String| *key == number.path();
        let is_named = limits.only.iter().any(is_it) || range.is_some();
        let itself_is_named =
            limits.only.iter().any(is_it) || limits.ranges.iter().any(|(key, _)| is_it(key));
        let has_none = number.values.iter().all(|&value| value == 0);
        let left_out = (!limits.only.is_empty() && !named(&limits.only, &number))
            || named(&limits.pinned, &number)
            || (has_none && !is_named)
            || !(takes_part(&number.card) || itself_is_named);
        if left_out {
            return None;
        }
        let by = match range {
            Some(range) => within(&number, range),
            None => by_factor(&number, limits.factor),
        };
        let by = number.possible.map_or(by, |possible| {
            let (low, high) = within(&number, possible);
            (by.0.max(low), by.1.min(high))
        });
        let prices = limits.prices.iter().rev();
        let price = prices.clone().find(|(key, _)| means(key, &number)).map_or(1.0, |of| of.1);
        (by != (0, 0)).then_some(Candidate { number, by, price })
    };
    Ok(numbers.into_iter().filter_map(candidate).collect())
}

fn remedy(key: &str, numbers: &[Number]) -> String {
    let card = numbers.iter().map(|number| number.card.as_str());
    let card = card.filter(|card| key.strip_prefix(card).is_some_and(|of| of.starts_with('.')));
    if let Some(card) = card.max_by_key(|card| card.len()) {
        let keys = numbers.iter().filter(|number| number.card == card);
        let keys: Vec<&str> = keys.map(|number| number.key.as_str()).collect();
        return format!("{card} has {}", keys.join(", "));
    }
    let (mut cards, mut keys): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for number in numbers {
        if cards.last() != Some(&number.card.as_str()) {
            cards.push(&number.card);
        }
        let last = number.key.rsplit('.').next().unwrap_or_default();
        if !keys.contains(&last) {
            keys.push(last);
        }
    }
    let listing = format!(
        "write a card, one of the numbers {}, or both such as `{}`",
        keys.join(", "),
        numbers.first().map_or_else(String::new, Number::path)
    );
    suggestion(key, cards.iter().chain(&keys).copied(), &listing)
}

/// The range of steps that keep all levels of a number within a range of values; levels already outside may not move
/// farther away.
fn within(number: &Number, (low, high): (i64, i64)) -> (i64, i64) {
    let ends = number.ends();
    ((low - ends.0).min(0), (high - ends.1).max(0))
}

/// The range of steps by which no level of a number grows or shrinks by more than a factor; a step of one is allowed
/// unless it would make the number negative.
fn by_factor(number: &Number, factor: f64) -> (i64, i64) {
    let (mut low, mut high) = (i64::MIN, i64::MAX);
    for &value in &number.values {
        let size = value.unsigned_abs() as f64;
        let (least, most) = ((size / factor).floor() - size, (size * factor).ceil() - size);
        let (least, most) = match value < 0 {
            true => (-most, -least),
            false => (least, most),
        };
        (low, high) = (low.max(least as i64), high.min(most as i64));
    }
    let least = number.ends().0;
    // A number that has no negative level does not go below 0.
    let floor = if least >= 0 { -least } else { i64::MIN };
    (low.min(-1).max(floor), high.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(card: &str, key: &str, values: &[i64]) -> Number {
        let (card, key) = (card.to_owned(), key.to_owned());
        Number { card, noun: "card", key, values: values.to_vec(), possible: None }
    }

    fn numbers() -> Vec<Number> {
        vec![
            number("Ogre", "health", &[4, 6, 9]),
            number("Ogre", "attack", &[0, 0, 0]),
            number("Imp", "health", &[1]),
            number("Imp", "effects.0.amount", &[-3]),
            number("Absent", "health", &[5]),
        ]
    }

    fn found(limits: &Limits) -> Vec<(String, (i64, i64))> {
        let all = candidates(numbers(), limits, |card| card != "Absent").unwrap();
        all.into_iter().map(|one| (one.number.path(), one.by)).collect()
    }

    #[test]
    fn what_takes_part_may_change_up_to_the_factor() {
        let wanted =
            [("Ogre.health", (-2, 4)), ("Imp.health", (-1, 1)), ("Imp.effects.0.amount", (-3, 2))];
        let wanted = wanted.map(|(path, by)| (path.to_owned(), by)).to_vec();
        assert_eq!(found(&Limits::default()), wanted);
    }

    #[test]
    fn limits_name_cards_and_numbers() {
        let of = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        let only = Limits { only: of(&["health"]), pinned: of(&["Imp"]), ..Limits::default() };
        assert_eq!(found(&only), [("Ogre.health".to_owned(), (-2, 4))]);
        // A number of which a card has none is a candidate when it is named, and so is a card that takes no part.
        let named = Limits { only: of(&["Ogre.attack", "Absent.health"]), ..Limits::default() };
        let wanted = [("Ogre.attack".to_owned(), (0, 1)), ("Absent.health".to_owned(), (-3, 5))];
        assert_eq!(found(&named), wanted);
        let ranges = vec![("health".to_owned(), (3, 10))];
        let ranged = Limits { ranges, only: of(&["Ogre"]), ..Limits::default() };
        assert_eq!(found(&ranged), [("Ogre.health".to_owned(), (-1, 1))]);
        // A range for every card's health does not include cards that take no part; one for a certain card does.
        let ranges = vec![("health".to_owned(), (3, 10))];
        let all = Limits { ranges, ..Limits::default() };
        assert!(found(&all).iter().all(|(path, _)| !path.starts_with("Absent")));
        let ranges = vec![("Absent.health".to_owned(), (3, 10))];
        let one = Limits { ranges, ..Limits::default() };
        assert!(found(&one).iter().any(|(path, _)| path == "Absent.health"));
    }

    #[test]
    fn a_key_that_means_nothing_says_what_there_is() {
        let wrong = |key: &str| {
            let limits = Limits { only: vec![key.to_owned()], ..Limits::default() };
            candidates(numbers(), &limits, |_| true).unwrap_err()
        };
        assert_eq!(wrong("Ogre.mana"), "--only Ogre.mana: Ogre has health, attack");
        assert!(wrong("helth").contains("did you mean `health`?"), "{}", wrong("helth"));
    }
}
