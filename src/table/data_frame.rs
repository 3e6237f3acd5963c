//! Tables as polars data frames, for Rust programs that go on with them.

use polars::prelude::{Column as PolarsColumn, DataFrame, DataType, IntoColumn, NamedFrom, Series};

use super::{Column, Table, Values};

impl Table {
    /// The table as a data frame of polars: text as `String`, counts and seeds as `UInt64`, numbers as `Float64` with what is
    /// not known as null, flags as `Boolean`, lists as `List`.
    ///
    /// # Panics
    /// When two columns have one name, which no table of ours has.
    #[must_use]
    pub fn data_frame(&self) -> DataFrame {
        let columns = self.columns.iter().map(series).collect();
        DataFrame::new(self.rows(), columns)
            .expect("columns are of one length, each by its own name")
    }
}

fn series(column: &Column) -> PolarsColumn {
    let name = (&*column.name).into();
    let series = match &column.values {
        Values::Text(values) => Series::new(name, values),
        Values::Coded(values) => {
            let texts: Vec<&str> = (0..values.codes.len()).map(|row| values.text(row)).collect();
            Series::new(name, texts)
        }
        Values::Count(values) | Values::Seed(values) => Series::new(name, values),
        Values::Number(values) => {
            let known: Vec<Option<f64>> =
                values.iter().map(|&value| value.is_finite().then_some(value)).collect();
            Series::new(name, known)
        }
        Values::Flag(values) => Series::new(name, values),
        Values::TextList(values) => {
            let row = |row| Series::new("".into(), values.items(row).collect::<Vec<_>>());
            let rows = (0..values.ends.len()).map(row);
            lists(column, rows.collect(), DataType::String)
        }
        Values::CountList(values) => {
            let row = |row| Series::new("".into(), values.items(row));
            let rows = (0..values.ends.len()).map(row);
            lists(column, rows.collect(), DataType::UInt32)
        }
    };
    series.into_column()
}

/// A column of lists with items of this type, which cannot be inferred where there are no rows.
fn lists(column: &Column, rows: Vec<Series>, of: DataType) -> Series {
    let name = (&*column.name).into();
    match rows.is_empty() {
        true => Series::new_empty(name, &DataType::List(Box::new(of))),
        false => Series::new(name, rows),
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::DataType;

    use crate::table::tests::awkward;

    #[test]
    fn a_table_is_a_data_frame_of_the_same_rows() {
        for table in awkward() {
            let frame = table.data_frame();
            assert_eq!(frame.shape(), (table.rows(), table.columns.len()));
            let names = frame.get_column_names();
            assert!(
                names.iter().zip(&table.columns).all(|(name, column)| name.as_str() == column.name)
            );
        }
    }

    #[test]
    fn without_rows_lists_keep_their_type() {
        let frames = awkward().map(|table| table.of_rows(&[]).data_frame());
        let columns = frames.iter().flat_map(|frame| frame.columns());
        let of = columns.filter_map(|column| match column.dtype() {
            DataType::List(of) => Some((**of).clone()),
            _ => None,
        });
        let of: Vec<DataType> = of.collect();
        assert!(
            !of.is_empty() && of.iter().all(|of| matches!(of, DataType::String | DataType::UInt32))
        );
    }
}
