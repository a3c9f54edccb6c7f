//! Conversion of rows to Arrow columns.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Int64Builder, ListBuilder, MapBuilder, MapFieldNames,
    StringBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use table::{Cell, CellType, Column};

/// Columns that are being filled.
pub(crate) struct ColumnBuilders {
    schema: SchemaRef,
    columns: Vec<Values>,
    n_rows: usize,
}

enum Values {
    Bool(BooleanBuilder),
    Number(Int64Builder),
    Text(StringBuilder),
    Date(Date32Builder),
    List(ListBuilder<StringBuilder>),
    Map(MapBuilder<StringBuilder, StringBuilder>),
}

/// Returns the Arrow schema of the columns.
pub(crate) fn schema(columns: &[Column]) -> SchemaRef {
    let fields = columns.iter().map(|column| {
        let values = Values::new(column.cell_type).finish();
        Field::new(&column.name, values.data_type().clone(), true)
    });
    Arc::new(Schema::new(fields.collect::<Vec<Field>>()))
}

impl ColumnBuilders {
    pub(crate) fn new(columns: &[Column], schema: SchemaRef) -> ColumnBuilders {
        ColumnBuilders {
            schema,
            columns: columns.iter().map(|column| Values::new(column.cell_type)).collect(),
            n_rows: 0,
        }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Adds the rows of a game.
    pub(crate) fn add(&mut self, mut stored: &[u8]) {
        if self.columns.is_empty() {
            return;
        }
        while !stored.is_empty() {
            for column in &mut self.columns {
                column.push(Cell::read(&mut stored).unwrap_or(Cell::Null));
            }
            self.n_rows += 1;
        }
    }

    /// Takes all rows added since the last call, as a batch.
    pub(crate) fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        self.n_rows = 0;
        let columns = self.columns.iter_mut().map(Values::finish).collect();
        RecordBatch::try_new(self.schema.clone(), columns)
    }
}

impl Values {
    fn new(cell_type: CellType) -> Values {
        match cell_type {
            CellType::Bool => Values::Bool(BooleanBuilder::new()),
            CellType::Number => Values::Number(Int64Builder::new()),
            CellType::Text => Values::Text(StringBuilder::new()),
            CellType::Date => Values::Date(Date32Builder::new()),
            CellType::List => Values::List(ListBuilder::new(StringBuilder::new())),
            CellType::Map => {
                let names = MapFieldNames {
                    entry: "entries".to_owned(),
                    key: "key".to_owned(),
                    value: "value".to_owned(),
                };
                let builder =
                    MapBuilder::new(Some(names), StringBuilder::new(), StringBuilder::new());
                let value = Field::new("value", DataType::Utf8, true);
                Values::Map(builder.with_values_field(value))
            }
        }
    }

    /// Adds a cell; one of another type becomes null.
    fn push(&mut self, cell: Cell) {
        match (self, cell) {
            (Values::Bool(values), Cell::Bool(value)) => values.append_value(value),
            (Values::Number(values), Cell::Number(value)) => values.append_value(value),
            (Values::Text(values), Cell::Text(value)) => values.append_value(value),
            (Values::Date(values), Cell::Date(day)) => values.append_value(day.days_since_1970()),
            (Values::List(values), Cell::List(items)) => {
                items.iter().for_each(|item| values.values().append_value(item.to_plain()));
                values.append(true);
            }
            (Values::Map(values), Cell::Object(fields)) => {
                for (name, value) in fields {
                    values.keys().append_value(name);
                    match value {
                        Cell::Null => values.values().append_null(),
                        value => values.values().append_value(value.to_plain()),
                    }
                }
                // Cannot fail: there are as many keys as values.
                let _ = values.append(true);
            }
            (Values::Bool(values), _) => values.append_null(),
            (Values::Number(values), _) => values.append_null(),
            (Values::Text(values), _) => values.append_null(),
            (Values::Date(values), _) => values.append_null(),
            (Values::List(values), _) => values.append(false),
            (Values::Map(values), _) => {
                let _ = values.append(false);
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Values::Bool(values) => Arc::new(values.finish()),
            Values::Number(values) => Arc::new(values.finish()),
            Values::Text(values) => Arc::new(values.finish()),
            Values::Date(values) => Arc::new(values.finish()),
            Values::List(values) => Arc::new(values.finish()),
            Values::Map(values) => Arc::new(values.finish()),
        }
    }
}
