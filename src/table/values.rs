//! The values of a column.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The values of a column, one a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Values {
    /// Text.
    Text(Vec<String>),
    /// Counts.
    Count(Vec<u64>),
    /// Numbers; NaN stands for "not known" and is written as an empty cell or null.
    Number(Vec<f64>),
    /// Text with few distinct values, each of which is kept once.
    Coded(Coded),
    /// Lists of text.
    TextList(TextLists),
    /// Lists of counts.
    CountList(CountLists),
    /// Yes or no.
    Flag(Vec<bool>),
    /// Seeds: any 64 bits, which formats without integers of 64 bits write in hexadecimal.
    Seed(Vec<u64>),
}

/// The type of a column's values, however they are kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ColumnKind {
    /// Text.
    Text,
    /// Whole numbers from 0.
    Count,
    /// Numbers, which may be not known.
    Number,
    /// Lists of text.
    TextList,
    /// Lists of whole numbers from 0.
    CountList,
    /// Yes or no.
    Flag,
    /// Seeds of 64 bits.
    Seed,
}

/// Dictionary-encoded text: each distinct text is kept once, and rows are codes until a file is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coded {
    /// The distinct texts.
    pub words: Words,
    /// By row: the index of its text in `words`.
    pub codes: Vec<u32>,
}

/// Dictionary-encoded lists of text: each distinct text is kept once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextLists {
    /// The distinct texts.
    pub words: Words,
    /// The items of all rows, one row after the other, as indices into `words`.
    pub codes: Vec<u32>,
    /// By row: the index into `codes` at which its items end.
    pub ends: Vec<u32>,
    /// The separator between items where people read them.
    pub joint: Cow<'static, str>,
}

/// Lists of counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountLists {
    /// The items of all rows, one row after the other.
    pub items: Vec<u32>,
    /// By row: the index into `items` at which its items end.
    pub ends: Vec<u32>,
}

/// A dictionary of distinct texts, shared by all chunks of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words(Arc<Vec<String>>);

impl Words {
    /// A dictionary of these texts, in this order.
    #[must_use]
    pub fn new(words: Vec<String>) -> Self {
        Self(Arc::new(words))
    }

    /// Whether both hold the same texts. A shared dictionary is recognised without comparing texts.
    #[cfg(any(feature = "parquet", test))]
    fn are_the_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self == other
    }

    /// The code of a text, which is added if it is new.
    fn code(&mut self, text: &str) -> u32 {
        let found = self.0.iter().position(|word| word == text);
        found.unwrap_or_else(|| {
            Arc::make_mut(&mut self.0).push(text.to_owned());
            self.0.len() - 1
        }) as u32
    }
}

impl std::ops::Deref for Words {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::new)
    }
}

impl Coded {
    /// A column over this dictionary, without rows yet.
    #[must_use]
    pub fn new(words: Words) -> Self {
        Self { words, codes: Vec::new() }
    }

    /// The text of a row.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn text(&self, row: usize) -> &str {
        &self.words[self.codes[row] as usize]
    }
}

impl TextLists {
    /// A column of lists over this dictionary, without rows yet.
    #[must_use]
    pub fn new(words: Words, joint: impl Into<Cow<'static, str>>) -> Self {
        Self { words, codes: Vec::new(), ends: Vec::new(), joint: joint.into() }
    }

    /// A column of these lists, one a row; `joint` stands between their items where people read them.
    pub fn of<S: AsRef<str>>(
        joint: impl Into<Cow<'static, str>>,
        lists: impl IntoIterator<Item = impl IntoIterator<Item = S>>,
    ) -> Self {
        let mut known = rustc_hash::FxHashMap::default();
        let mut words = Vec::new();
        let mut all = Self::new(Words::default(), joint);
        for list in lists {
            for item in list {
                let item = item.as_ref();
                let code = match known.get(item) {
                    Some(&code) => code,
                    None => {
                        let code = words.len() as u32;
                        words.push(item.to_owned());
                        known.insert(item.to_owned(), code);
                        code
                    }
                };
                all.codes.push(code);
            }
            all.end_row();
        }
        Self { words: Words::new(words), ..all }
    }

    /// Adds a row of these items.
    pub(super) fn push<'t>(&mut self, items: impl IntoIterator<Item = &'t str>) {
        for item in items {
            let code = self.words.code(item);
            self.codes.push(code);
        }
        self.end_row();
    }

    /// Ends a row: the codes added since the last row are its items.
    pub fn end_row(&mut self) {
        self.ends.push(self.codes.len() as u32);
    }

    /// The items of a row.
    pub fn items(&self, row: usize) -> impl ExactSizeIterator<Item = &str> {
        self.codes[range(&self.ends, row)].iter().map(|&code| self.words[code as usize].as_str())
    }

    /// The items of a row as people read them.
    #[must_use]
    pub fn joined(&self, row: usize) -> String {
        self.items(row).collect::<Vec<_>>().join(&self.joint)
    }
}

impl CountLists {
    /// Ends a row: the items added since the last row belong to it.
    pub fn end_row(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    /// The items of a row.
    #[must_use]
    pub fn items(&self, row: usize) -> &[u32] {
        &self.items[range(&self.ends, row)]
    }

    /// The items of a row as people read them.
    #[must_use]
    pub fn joined(&self, row: usize) -> String {
        let items: Vec<String> = self.items(row).iter().map(u32::to_string).collect();
        items.join(", ")
    }
}

/// The range of a row's items, given where the items of each row end.
fn range(ends: &[u32], row: usize) -> std::ops::Range<usize> {
    let start = row.checked_sub(1).map_or(0, |before| ends[before]);
    start as usize..ends[row] as usize
}

impl Values {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Text(values) => values.len(),
            Values::Count(values) | Values::Seed(values) => values.len(),
            Values::Number(values) => values.len(),
            Values::Coded(values) => values.codes.len(),
            Values::TextList(values) => values.ends.len(),
            Values::CountList(values) => values.ends.len(),
            Values::Flag(values) => values.len(),
        }
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of these values.
    #[must_use]
    pub fn kind(&self) -> ColumnKind {
        match self {
            Values::Text(_) | Values::Coded(_) => ColumnKind::Text,
            Values::Count(_) => ColumnKind::Count,
            Values::Number(_) => ColumnKind::Number,
            Values::TextList(_) => ColumnKind::TextList,
            Values::CountList(_) => ColumnKind::CountList,
            Values::Flag(_) => ColumnKind::Flag,
            Values::Seed(_) => ColumnKind::Seed,
        }
    }

    /// Whether the column is right-aligned, as numbers are.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        matches!(self.kind(), ColumnKind::Count | ColumnKind::Number)
    }

    /// A row as people read it, numbers with all their digits.
    #[must_use]
    pub fn shown(&self, row: usize) -> Cow<'_, str> {
        match self {
            Values::Text(values) => Cow::Borrowed(&values[row]),
            Values::Coded(values) => Cow::Borrowed(values.text(row)),
            Values::Count(values) => Cow::Owned(values[row].to_string()),
            Values::Number(values) => Cow::Owned(super::sink::number_text(values[row])),
            Values::TextList(values) => Cow::Owned(values.joined(row)),
            Values::CountList(values) => Cow::Owned(values.joined(row)),
            Values::Flag(values) => Cow::Borrowed(if values[row] { "yes" } else { "no" }),
            Values::Seed(values) => Cow::Owned(seed_text(values[row])),
        }
    }

    /// The values of the given rows, in the given order.
    #[must_use]
    pub(super) fn of_rows(&self, rows: &[usize]) -> Self {
        fn picked<T: Clone>(values: &[T], rows: &[usize]) -> Vec<T> {
            rows.iter().map(|&row| values[row].clone()).collect()
        }
        match self {
            Values::Text(values) => Values::Text(picked(values, rows)),
            Values::Count(values) => Values::Count(picked(values, rows)),
            Values::Number(values) => Values::Number(picked(values, rows)),
            Values::Flag(values) => Values::Flag(picked(values, rows)),
            Values::Seed(values) => Values::Seed(picked(values, rows)),
            Values::Coded(of) => {
                Values::Coded(Coded { words: of.words.clone(), codes: picked(&of.codes, rows) })
            }
            Values::TextList(of) => {
                let mut lists = TextLists::new(of.words.clone(), of.joint.clone());
                for &row in rows {
                    lists.codes.extend_from_slice(&of.codes[range(&of.ends, row)]);
                    lists.end_row();
                }
                Values::TextList(lists)
            }
            Values::CountList(of) => {
                let mut lists = CountLists::default();
                for &row in rows {
                    lists.items.extend_from_slice(of.items(row));
                    lists.end_row();
                }
                Values::CountList(lists)
            }
        }
    }

    /// Adds some rows of another chunk of the same column.
    ///
    /// # Panics
    /// When they are of another kind.
    #[cfg(any(feature = "parquet", test))]
    pub(super) fn append(&mut self, more: &Self, rows: std::ops::Range<usize>) {
        match (self, more) {
            (Values::Text(to), Values::Text(from)) => to.extend_from_slice(&from[rows]),
            (Values::Count(to), Values::Count(from)) | (Values::Seed(to), Values::Seed(from)) => {
                to.extend_from_slice(&from[rows]);
            }
            (Values::Number(to), Values::Number(from)) => to.extend_from_slice(&from[rows]),
            (Values::Flag(to), Values::Flag(from)) => to.extend_from_slice(&from[rows]),
            (Values::Coded(to), Values::Coded(from)) => {
                add_codes(&mut to.words, &mut to.codes, &from.words, &from.codes[rows]);
            }
            (Values::TextList(to), Values::TextList(from)) => {
                let items = add_ends(&mut to.ends, &from.ends, rows);
                add_codes(&mut to.words, &mut to.codes, &from.words, &from.codes[items]);
            }
            (Values::CountList(to), Values::CountList(from)) => {
                let items = add_ends(&mut to.ends, &from.ends, rows);
                to.items.extend_from_slice(&from.items[items]);
            }
            (to, from) => panic!(
                "all chunks of a table have the same columns: {} and {}",
                to.kind(),
                from.kind()
            ),
        }
    }

    /// Forgets all rows, and keeps the memory that they took.
    #[cfg(any(feature = "parquet", test))]
    pub(super) fn clear(&mut self) {
        match self {
            Values::Text(values) => values.clear(),
            Values::Count(values) | Values::Seed(values) => values.clear(),
            Values::Number(values) => values.clear(),
            Values::Flag(values) => values.clear(),
            Values::Coded(values) => values.codes.clear(),
            Values::TextList(values) => {
                values.codes.clear();
                values.ends.clear();
            }
            Values::CountList(values) => {
                values.items.clear();
                values.ends.clear();
            }
        }
    }

    /// Removes the first rows and returns them.
    #[cfg(test)]
    pub(crate) fn take_first(&mut self, rows: usize) -> Self {
        fn cut<T>(values: &mut Vec<T>, at: usize) -> Vec<T> {
            let rest = values.split_off(at);
            std::mem::replace(values, rest)
        }
        fn cut_ends(ends: &mut Vec<u32>, rows: usize) -> (Vec<u32>, usize) {
            let first = cut(ends, rows);
            let items = first.last().copied().unwrap_or(0);
            ends.iter_mut().for_each(|end| *end -= items);
            (first, items as usize)
        }
        match self {
            Values::Text(values) => Values::Text(cut(values, rows)),
            Values::Count(values) => Values::Count(cut(values, rows)),
            Values::Number(values) => Values::Number(cut(values, rows)),
            Values::Flag(values) => Values::Flag(cut(values, rows)),
            Values::Seed(values) => Values::Seed(cut(values, rows)),
            Values::Coded(of) => {
                Values::Coded(Coded { words: of.words.clone(), codes: cut(&mut of.codes, rows) })
            }
            Values::TextList(of) => {
                let (ends, items) = cut_ends(&mut of.ends, rows);
                let (words, joint) = (of.words.clone(), of.joint.clone());
                Values::TextList(TextLists { words, codes: cut(&mut of.codes, items), ends, joint })
            }
            Values::CountList(of) => {
                let (ends, items) = cut_ends(&mut of.ends, rows);
                Values::CountList(CountLists { items: cut(&mut of.items, items), ends })
            }
        }
    }
}

/// Appends the ends of some rows of other lists to `ends`; returns the range of their items in the other lists.
#[cfg(any(feature = "parquet", test))]
fn add_ends(
    ends: &mut Vec<u32>,
    more: &[u32],
    rows: std::ops::Range<usize>,
) -> std::ops::Range<usize> {
    let end_before = |row: usize| row.checked_sub(1).map_or(0, |before| more[before]);
    let (start, end) = (end_before(rows.start), end_before(rows.end));
    let before = ends.last().copied().unwrap_or(0);
    ends.extend(more[rows].iter().map(|end| before + (end - start)));
    start as usize..end as usize
}

/// A seed as text, for formats without integers of 64 bits: hexadecimal, with all its digits, so that no reader takes
/// it for a number that it would round.
#[must_use]
pub(crate) fn seed_text(seed: u64) -> String {
    format!("{seed:#018x}")
}

/// Parses a seed that was written as hexadecimal text; None when the text is none.
pub(super) fn seed_of_text(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// Appends codes of another dictionary; they are renumbered unless both dictionaries hold the same texts.
#[cfg(any(feature = "parquet", test))]
fn add_codes(words: &mut Words, codes: &mut Vec<u32>, other: &Words, more: &[u32]) {
    if words.are_the_same(other) {
        codes.extend_from_slice(more);
        return;
    }
    let renumbered: Vec<u32> = other.iter().map(|word| words.code(word)).collect();
    codes.extend(more.iter().map(|&code| renumbered[code as usize]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(lists: &[&[&str]]) -> TextLists {
        TextLists::of(", ", lists.iter().map(|list| list.iter().copied()))
    }

    #[test]
    fn chunks_of_lists_with_other_words_are_joined_and_cut_again() {
        let mut all = Values::TextList(lists(&[&["Pit Ogre", "Medusa"], &[]]));
        let more = Values::TextList(lists(&[&["Medusa"], &["Sea Genie", "Pit Ogre"]]));
        all.append(&more, 0..1);
        all.append(&more, 1..2);
        let Values::TextList(of) = &all else { panic!("lists") };
        let joined: Vec<String> = (0..4).map(|row| of.joined(row)).collect();
        assert_eq!(joined, ["Pit Ogre, Medusa", "", "Medusa", "Sea Genie, Pit Ogre"]);
        let first = all.take_first(3);
        assert_eq!((first.len(), all.len()), (3, 1));
        let (Values::TextList(first), Values::TextList(rest)) = (&first, &all) else {
            panic!("lists")
        };
        assert_eq!(first.items(2).collect::<Vec<_>>(), ["Medusa"]);
        assert_eq!(rest.items(0).collect::<Vec<_>>(), ["Sea Genie", "Pit Ogre"]);
        let picked = all.of_rows(&[0, 0]);
        let Values::TextList(picked) = &picked else { panic!("lists") };
        assert_eq!(picked.joined(1), "Sea Genie, Pit Ogre");
    }

    #[test]
    fn chunks_of_counts_are_joined_and_cut_again() {
        let mut all = Values::CountList(CountLists { items: vec![1, 2, 3], ends: vec![2, 3] });
        all.append(&Values::CountList(CountLists { items: vec![7, 4], ends: vec![1, 1, 2] }), 1..3);
        let first = all.take_first(1);
        assert_eq!(first, Values::CountList(CountLists { items: vec![1, 2], ends: vec![2] }));
        assert_eq!(all, Values::CountList(CountLists { items: vec![3, 4], ends: vec![1, 1, 2] }));
        all.clear();
        assert!(all.is_empty());
        all.append(&first, 0..1);
        assert_eq!(all, first);
    }

    #[test]
    fn rows_that_are_kept_read_back() {
        let values = vec![
            Values::Coded(Coded { words: Words::new(vec!["A".to_owned()]), codes: vec![0, 0] }),
            Values::TextList(lists(&[&["a, b"], &[]])),
            Values::Flag(vec![true, false]),
            Values::Seed(vec![u64::MAX, 0]),
        ];
        let bytes = postcard::to_allocvec(&values).expect("memory");
        assert_eq!(postcard::from_bytes::<Vec<Values>>(&bytes).expect("what was written"), values);
    }
}
