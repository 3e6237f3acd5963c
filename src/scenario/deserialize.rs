//! Deserialises a parsed document with serde, by one type for all tables and one for all lists.
//!
//! The deserialiser of `toml` has several types of table (plain ones, dates, values with their places), and each is
//! compiled once more for every file form, together with every representation that a form could be read from but never
//! is. That was a quarter of what the crate had to compile. Here a form is read only from what its shape allows, which
//! [`super::shape`] has checked before.

use std::fmt::Display;
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeString, DeTable, DeValue};

/// Reads a value from a table.
///
/// # Errors
/// A misfit that only the type itself can judge, with the place of the innermost value that it is about.
pub(super) fn deserialize<T: DeserializeOwned>(table: Spanned<DeTable<'_>>) -> Result<T, Misread> {
    let span = table.span();
    read_value(&Spanned::new(span, DeValue::Table(table.into_inner())))
}

/// Reads a value of a document as a `T`.
///
/// # Errors
/// As [`deserialize`].
pub(crate) fn read_value<T: DeserializeOwned>(value: &Spanned<DeValue<'_>>) -> Result<T, Misread> {
    T::deserialize(Place(value)).map_err(|misread| misread.within(value.span()))
}

/// Reads a document of the program's own, such as a bundled card file.
///
/// # Errors
/// When it is not TOML, or not the form of a `T`.
pub(crate) fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, Misread> {
    deserialize(DeTable::parse(text).map_err(Misread::custom)?)
}

/// The error that a value cannot be read, with its place.
#[derive(Debug)]
pub(crate) struct Misread {
    message: String,
    span: Option<Range<usize>>,
}

impl Misread {
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// The byte range of the value at fault.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone().unwrap_or(0..0)
    }

    /// Sets the place to `span`, unless that of an inner value is already set.
    fn within(self, span: Range<usize>) -> Self {
        Self { span: self.span.or(Some(span)), ..self }
    }
}

impl Display for Misread {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Misread {}

impl de::Error for Misread {
    fn custom<T: Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

/// A value with its place in the text.
#[derive(Clone, Copy)]
struct Place<'v, 't>(&'v Spanned<DeValue<'t>>);

impl Place<'_, '_> {
    fn is_not(self, expected: &dyn Expected) -> Misread {
        let float;
        let found = match self.0.get_ref() {
            DeValue::String(text) => Unexpected::Str(text),
            DeValue::Integer(number) => match Whole::of(number) {
                Some(Whole::Signed(number)) => Unexpected::Signed(number),
                Some(Whole::Large(number)) => Unexpected::Unsigned(number),
                None => return Misread::custom("integer number overflowed"),
            },
            DeValue::Float(number) => {
                float = float_of(number);
                Unexpected::Float(float)
            }
            DeValue::Boolean(flag) => Unexpected::Bool(*flag),
            DeValue::Datetime(_) => Unexpected::Other("datetime"),
            DeValue::Array(_) => Unexpected::Seq,
            DeValue::Table(_) => Unexpected::Map,
        };
        Misread::invalid_type(found, expected)
    }
}

/// A whole number of at most 64 bits.
enum Whole {
    Signed(i64),
    /// Above the largest signed one.
    Large(u64),
}

impl Whole {
    fn of(number: &DeInteger<'_>) -> Option<Self> {
        let number = whole_of(number)?;
        let signed = i64::try_from(number).map(Self::Signed);
        signed.or_else(|_| u64::try_from(number).map(Self::Large)).ok()
    }
}

/// The value of a whole number in whatever base it is written; None where it has more than 128 bits.
pub(super) fn whole_of(number: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok()
}

fn float_of(number: &DeFloat<'_>) -> f64 {
    number.as_str().replace('_', "").parse().unwrap_or(f64::NAN)
}

/// All kinds of whole numbers are read in the same way.
macro_rules! whole_numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
            self.deserialize_i64(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Place<'_, '_> {
    type Error = Misread;

    /// For types that accept several kinds of values, such as a number or a list of numbers.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Integer(_) => self.deserialize_i64(visitor),
            DeValue::Float(number) => visitor.visit_f64(float_of(number)),
            DeValue::Boolean(flag) => visitor.visit_bool(*flag),
            DeValue::Datetime(time) => visitor.visit_str(&time.to_string()),
            DeValue::Array(items) => visitor.visit_seq(Items(items.iter())),
            DeValue::Table(table) => visitor.visit_map(Entries::of(table)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.0.get_ref() {
            DeValue::Boolean(flag) => visitor.visit_bool(*flag),
            _ => Err(self.is_not(&visitor)),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let DeValue::Integer(number) = self.0.get_ref() else {
            return Err(self.is_not(&visitor));
        };
        match Whole::of(number) {
            Some(Whole::Signed(number)) => visitor.visit_i64(number),
            Some(Whole::Large(number)) => visitor.visit_u64(number),
            None => Err(self.is_not(&visitor)),
        }
    }

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.0.get_ref() {
            DeValue::Float(number) => visitor.visit_f64(float_of(number)),
            _ => self.deserialize_i64(visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_str(text),
            _ => Err(self.is_not(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.0.get_ref() {
            DeValue::Array(items) => visitor.visit_seq(Items(items.iter())),
            _ => Err(self.is_not(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.0.get_ref() {
            DeValue::Table(table) => visitor.visit_map(Entries::of(table)),
            _ => Err(self.is_not(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.deserialize_map(visitor)
    }

    /// A string names a variant; a table with one key has the variant's content.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        let variant = match self.0.get_ref() {
            DeValue::String(name) => Variant { name, content: None },
            DeValue::Table(table) if table.len() == 1 => {
                let (name, content) = table.iter().next().expect("one entry");
                Variant { name: name.get_ref(), content: Some(Place(content)) }
            }
            _ => return Err(self.is_not(&visitor)),
        };
        visitor.visit_enum(variant)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct tuple_struct identifier
    }
}

/// The items of a list.
struct Items<'v, 't>(std::slice::Iter<'v, Spanned<DeValue<'t>>>);

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Misread;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misread> {
        let Some(item) = self.0.next() else { return Ok(None) };
        let read = seed.deserialize(Place(item));
        read.map(Some).map_err(|misread| misread.within(item.span()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

type Entry<'v, 't> = (&'v Spanned<DeString<'t>>, &'v Spanned<DeValue<'t>>);

/// The entries of a table, in its order.
struct Entries<'v, 't> {
    rest: Box<dyn Iterator<Item = Entry<'v, 't>> + 'v>,
    value: Option<Place<'v, 't>>,
}

impl<'v, 't> Entries<'v, 't> {
    fn of(table: &'v DeTable<'t>) -> Self {
        Self { rest: Box::new(table.iter()), value: None }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misread> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(Place(value));
        let read = seed.deserialize(StrDeserializer::new(key.get_ref()));
        read.map(Some).map_err(|misread: Misread| misread.within(key.span()))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Misread> {
        let value = self.value.take().expect("a key comes before its value");
        seed.deserialize(value).map_err(|misread| misread.within(value.0.span()))
    }
}

/// The name of a variant, and its content.
struct Variant<'v, 't> {
    name: &'v str,
    content: Option<Place<'v, 't>>,
}

impl<'v, 't> Variant<'v, 't> {
    fn content(&self, expected: &dyn Expected) -> Result<Place<'v, 't>, Misread> {
        self.content.ok_or_else(|| Misread::invalid_type(Unexpected::UnitVariant, expected))
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, '_> {
    type Error = Misread;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Misread> {
        Ok((seed.deserialize(StrDeserializer::<Misread>::new(self.name))?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_> {
    type Error = Misread;

    fn unit_variant(self) -> Result<(), Misread> {
        match self.content {
            None => Ok(()),
            Some(content) => Err(content.is_not(&"a name alone")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Misread> {
        let content = self.content(&"a table with the variant's content")?;
        seed.deserialize(content).map_err(|misread| misread.within(content.0.span()))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.content(&visitor)?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.content(&visitor)?.deserialize_map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};

    use super::*;

    /// Every shape that a file form has.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Form {
        name: String,
        flag: bool,
        level: u8,
        change: i16,
        seed: u64,
        share: f64,
        #[serde(default)]
        note: Option<String>,
        weights: BTreeMap<String, f64>,
        pair: (i8, String),
        code: Code,
        kinds: Vec<Kind>,
        amounts: Vec<Amount>,
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Code(u16);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Nobody,
        One(u8),
        Two(u8, u8),
        Several { of: String, at: Vec<u8> },
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Amount {
        Same(i16),
        Each(Vec<i16>),
        By(String),
        Code { code: Code },
    }

    fn parsed(text: &str) -> Spanned<DeTable<'_>> {
        DeTable::parse(text).expect("TOML")
    }

    fn by_toml<T: DeserializeOwned>(text: &str) -> T {
        T::deserialize(toml::de::Deserializer::from(parsed(text))).expect("a form")
    }

    prop_compose! {
        fn kind()(which in 0..4, a in any::<u8>(), b in any::<u8>(), of in "[a-z \"\n]{0,5}") -> Kind {
            match which {
                0 => Kind::Nobody,
                1 => Kind::One(a),
                2 => Kind::Two(a, b),
                _ => Kind::Several { of, at: vec![a, b] },
            }
        }
    }

    prop_compose! {
        fn amount()(which in 0..4, a in any::<i16>(), b in any::<u16>(), by in "[+-][0-9]{1,3}") -> Amount {
            match which {
                0 => Amount::Same(a),
                1 => Amount::Each(vec![a, 0]),
                2 => Amount::By(by),
                _ => Amount::Code { code: Code(b) },
            }
        }
    }

    prop_compose! {
        fn form()(
            name in ".{0,8}",
            flag in any::<bool>(),
            (level, change, seed) in (any::<u8>(), any::<i16>(), 0..=i64::MAX as u64),
            share in -1e9..1e9,
            note in proptest::option::of(".{0,8}"),
            weights in proptest::collection::btree_map(".{0,5}", -9.0..9.0, 0..4),
            pair in (any::<i8>(), "[a-z]{0,3}"),
            code in any::<u16>(),
            kinds in proptest::collection::vec(kind(), 0..5),
            amounts in proptest::collection::vec(amount(), 0..5),
        ) -> Form {
            let code = Code(code);
            Form { name, flag, level, change, seed, share, note, weights, pair, code, kinds, amounts }
        }
    }

    proptest! {
        #[test]
        fn a_form_is_read_as_it_was_written(form in form()) {
            let text = toml::to_string(&form).expect("TOML");
            prop_assert_eq!(deserialize::<Form>(parsed(&text)).expect("a form"), form);
        }

        #[test]
        fn whatever_is_read_is_what_the_deserialiser_of_toml_reads(form in form()) {
            let text = toml::to_string(&form).expect("TOML");
            let ours: serde_json::Value = deserialize(parsed(&text)).expect("a value");
            prop_assert_eq!(ours, by_toml::<serde_json::Value>(&text));
        }
    }

    #[test]
    fn bundled_scenarios_are_read_as_the_deserialiser_of_toml_reads_them() {
        for name in super::super::bundled::names() {
            let (text, _) = super::super::bundled::find(&name).expect("bundled");
            let ours: serde_json::Value = deserialize(parsed(&text)).expect("a value");
            assert_eq!(ours, by_toml::<serde_json::Value>(&text), "{name}");
        }
    }

    #[test]
    fn numbers_may_be_written_in_every_way_of_toml() {
        let text = "a = 1_000\nb = 0xff\nc = 0b1\nd = 0o17\ne = +5\nf = 1_0.5e1\ng = 3\nh = 18446744073709551615";
        #[derive(Debug, PartialEq, Deserialize)]
        struct Numbers {
            a: u32,
            b: u8,
            c: i8,
            d: i64,
            e: u16,
            f: f64,
            g: f32,
            h: u64,
        }
        let wanted = Numbers { a: 1000, b: 255, c: 1, d: 15, e: 5, f: 105.0, g: 3.0, h: u64::MAX };
        assert_eq!(deserialize::<Numbers>(parsed(text)).expect("numbers"), wanted);
    }

    #[test]
    fn what_a_type_cannot_be_is_told_at_the_innermost_value() {
        let faults = |text: &str| {
            let misread = deserialize::<BTreeMap<String, Vec<u8>>>(parsed(text)).expect_err("bad");
            (misread.message().to_owned(), text[misread.span()].to_owned())
        };
        let told = |message: &str, at: &str| (message.to_owned(), at.to_owned());
        assert_eq!(
            faults("a = [1, 300]"),
            told("invalid value: integer `300`, expected u8", "300")
        );
        assert_eq!(
            faults("a = [1, \"x\"]"),
            told("invalid type: string \"x\", expected u8", "\"x\"")
        );
        assert_eq!(
            faults("a = 1.5"),
            told("invalid type: floating point `1.5`, expected a sequence", "1.5")
        );
        assert_eq!(
            faults("a = [99999999999999999999]"),
            told("integer number overflowed", "99999999999999999999")
        );
    }

    #[test]
    fn a_variant_has_the_content_that_its_kind_asks_for() {
        let faults = |text: &str| {
            deserialize::<BTreeMap<String, Kind>>(parsed(text))
                .expect_err("bad")
                .message()
                .to_owned()
        };
        assert!(faults("a = \"one\"").starts_with("invalid type: unit variant"));
        assert!(faults("a = { nobody = 1 }").starts_with("invalid type: integer `1`"));
        assert!(faults("a = { one = 1, two = 2 }").starts_with("invalid type: map"));
        assert!(faults("a = \"many\"").starts_with("unknown variant `many`"));
    }
}
