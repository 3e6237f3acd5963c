//! The committed JSON Schemas, which editors use for scenarios, are those that the program makes.

use std::path::Path;

use evens::games::NAMES;
use evens::scenario::{Form, schema};
use evens::with_game;

fn schema_text<G: Form>() -> String {
    format!("{:#}\n", schema::<G>())
}

/// `UPDATE_SCHEMAS=1 cargo test --test schema` writes them anew.
#[test]
fn the_committed_schemas_are_up_to_date() {
    for &name in NAMES {
        let made = with_game!(name, G => schema_text::<G>()).expect("a game of the list");
        let path = format!("scenarios/schema/{name}.json");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(&path);
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::write(&file, &made).expect("the folder is there");
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            committed == made,
            "{path} is stale: write it anew with `UPDATE_SCHEMAS=1 cargo test --test schema`"
        );
    }
}
