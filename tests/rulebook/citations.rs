//! Checks that what comments cite exists.

/// The numbers of the decisions that comments cite: `decision 5`, `decisions 3, 5 and 7`, `decisions 3 to 7`.
fn cited(source: &str) -> Vec<usize> {
    let bare = |line: &str| line.trim_start().trim_start_matches(['/', '!']).trim().to_owned();
    let text = source.lines().map(bare).collect::<Vec<_>>().join(" ");
    let mut cited = Vec::new();
    for after in text.split("ecision").skip(1) {
        for word in after.strip_prefix('s').unwrap_or(after).split_whitespace() {
            let number = word.trim_end_matches([',', '.', ';', ':', ')']);
            match number.parse() {
                Ok(number) => cited.push(number),
                Err(_) if ["and", "to"].contains(&word) => continue,
                Err(_) => break,
            }
            if word.ends_with(['.', ';', ':', ')']) {
                break;
            }
        }
    }
    cited
}

/// Asserts that a game's README numbers its decisions from 1 to `last`, and that comments cite no others.
pub fn assert_decisions_resolve(source: &str, readme: &str, last: usize) {
    let is_there = |number: usize| readme.contains(&format!("\n{number}. **"));
    assert!((1..=last).all(is_there) && !is_there(last + 1), "1 to {last}");
    let cited = cited(source);
    assert!(cited.len() > 5, "{cited:?}");
    assert!(cited.iter().all(|number| (1..=last).contains(number)), "{cited:?}");
}

#[test]
fn numbers_are_read_out_of_sentences() {
    let text = "/// See decision 5. The decisions\n    /// 3, 4 and 17; 9 of\n// (SA-1; decisions 20 to 22) 8";
    assert_eq!(cited(text), [5, 3, 4, 17, 20, 22]);
}
