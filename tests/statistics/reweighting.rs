//! Win rates of one run under very many lists of weights.

use evens::batch::{Detail, Forgetful, run_strata};
use evens::chance::Seeded;
use evens::engine::Scenario;
use evens::statistics::Reweighting;

/// The results keep the order of the lists of weights, however many cores share them.
#[test]
fn very_many_weights_at_once_are_each_as_one_by_one() {
    let scenario = Scenario::read("splinterlands/sweep-rulesets").unwrap();
    let engine = scenario.engine();
    let model = engine.draw_model().unwrap();
    let battles = vec![2; engine.layout().strata()];
    let tally =
        run_strata(engine, &battles, 1, 1, Detail::default(), &mut Forgetful, &mut |_| true);
    let reweighting = Reweighting::new(engine.layout(), &tally.unwrap());
    let mut random = Seeded::from_seed(3);
    let weights: Vec<f64> =
        (0..50 * model.names().len()).map(|_| 0.25 + 4.0 * random.unit()).collect();
    let found = reweighting.win_rates(model, 0, 1, &weights);
    assert_eq!(found.len(), 50);
    let mut odds = vec![0.0; model.conditions()];
    for (weights, found) in weights.chunks(model.names().len()).zip(found) {
        model.probabilities(weights, &mut odds);
        assert!((reweighting.win_rate(0, 1, &odds) - found).abs() < 1e-12);
    }
}
