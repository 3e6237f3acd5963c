//! How often cards are brought to the battles of `evens worth`, and what of a card's worth hangs on it.

use super::{Desk, code, flat, stderr, stdout};

/// Where the mean of a kind is not known, a card is compared with those that cost as much: who is visibly worth more by that
/// has an impact, and is told.
#[test]
fn who_is_worth_more_for_its_mana_is_told_where_the_mean_is_not_known() {
    let desk = Desk::new();
    desk.page(&["new", "splinterlands", "my.toml"]);
    let worth = ["worth", "my.toml", "--seed", "3", "--battles", "10000", "--json"];
    let output = desk.evens(&worth);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let rows = |table: &str| found["tables"][table].as_array().unwrap().clone();
    let better = |row: &serde_json::Value| {
        row["p_adjusted"].as_f64().is_some_and(|p| p < 0.01)
            && row["for_cost_low"].as_f64().is_some_and(|low| low > 0.0)
    };
    let better: Vec<_> = rows("worth").into_iter().filter(better).collect();
    assert!(better.len() > 5 && better.iter().any(|row| row["worth"].is_null()));
    assert!(!flat(found["page"].as_str().unwrap()).contains("is visibly worth more than"));
    let has_impact = |row: &serde_json::Value| {
        let of_it = |of: &serde_json::Value| of["unit"] == row["unit"] && of["by"] == "all";
        rows("impact").iter().any(of_it)
    };
    assert!(better.iter().all(has_impact), "{:?}", better.iter().map(|row| &row["unit"]));
}

/// Line-ups are drawn for one contender after the other, so that cards of all are brought as often, however few battles there are.
#[test]
fn every_contender_has_as_many_battles() {
    let desk = Desk::new();
    for battles in ["240", "1000"] {
        let worth =
            ["worth", "eldertale/classes", "--battles", battles, "--replace", "0", "--json"];
        let output = desk.evens(&worth);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        let mut shares = std::collections::BTreeMap::<String, Vec<f64>>::new();
        for row in found["tables"]["worth"].as_array().unwrap() {
            let group = row["group"].as_str().unwrap().to_owned();
            shares.entry(group).or_default().push(row["brought"].as_f64().unwrap());
        }
        shares.remove("any");
        let most = shares.values().map(|of| of.iter().copied().fold(0.0, f64::max));
        let most: Vec<f64> = most.collect();
        assert!(most.len() >= 12, "{shares:?}");
        let (least, largest) =
            most.iter().fold((1.0_f64, 0.0_f64), |(a, b), &of| (a.min(of), b.max(of)));
        assert!(largest < 1.8 * least, "{battles}: {shares:?}");
    }
}
