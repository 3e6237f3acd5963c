//! Whose scores are to be even, and which scores those are.

use super::Wishes;
use crate::cli::{Failure, records};
use crate::digest::fingerprint;
use crate::scenario::{Fault, Faults, Source, suggestion};
use crate::studies::tune::{self as study, Contender, Target, Who};
use crate::tally::{Breakdown, Layout, OutcomeMeasure};

/// How `--even` names those who meet each other as sides.
pub(super) const CONTENDERS: &str = "contenders";
/// How `--even` names every two of them, by match-up.
pub(super) const MATCHUPS: &str = "matchups";

/// Whose scores are to be even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whom {
    /// Sides, each against all that it meets.
    Contenders,
    /// Every two of them, by match-up.
    Matchups,
    /// Units of this kind.
    Units(&'static str),
}

impl Whom {
    pub(super) fn noun(self) -> &'static str {
        match self {
            Whom::Contenders => "contender",
            Whom::Matchups => "match-up",
            Whom::Units(kind) => kind,
        }
    }

    /// The plays, each of which depends on those before it.
    pub(super) fn plays(self) -> &'static [&'static str] {
        match self {
            Whom::Contenders | Whom::Matchups => &["the pilot", "the rest", "the confirmation"],
            Whom::Units(_) => &["the exploration", "the confirmation"],
        }
    }

    pub(super) fn breakdown(self) -> Breakdown {
        match self {
            Whom::Contenders | Whom::Matchups => Breakdown::Whole,
            Whom::Units(_) => Breakdown::Condition,
        }
    }

    /// All who may have to be even, as far as that is known before a battle is played.
    pub(super) fn candidates(self, layout: &Layout) -> Vec<Contender> {
        match self {
            Whom::Contenders => study::contenders(layout),
            Whom::Matchups => study::matchups(layout),
            Whom::Units(kind) => {
                let units = layout.units.iter().enumerate().filter(|(_, unit)| unit.kind == kind);
                let candidate = |(at, unit): (usize, &crate::tally::Unit)| Contender {
                    name: unit.name.clone(),
                    who: Who::Unit(at),
                    target: OutcomeMeasure::even(layout.sides),
                };
                units.map(candidate).collect()
            }
        }
    }
}

pub(super) fn whom(even: &str, layout: &Layout) -> Result<Whom, Failure> {
    let kinds = kinds(layout);
    match even {
        CONTENDERS => return Ok(Whom::Contenders),
        MATCHUPS if layout.sides == 2 => return Ok(Whom::Matchups),
        MATCHUPS => {
            let complaint =
                format!("--even {MATCHUPS}: battles of this scenario have {} sides", layout.sides);
            return Err(Failure::Usage(format!("{complaint}, say --even {CONTENDERS}")));
        }
        _ => {}
    }
    if let Some(&kind) = kinds.iter().find(|&&kind| kind == even) {
        return Ok(Whom::Units(kind));
    }
    let mut known = vec![CONTENDERS, MATCHUPS];
    known.extend(&kinds);
    let fallback = if kinds.is_empty() {
        "the units of this scenario are not drawn, so only contenders and match-ups can be made even".to_owned()
    } else {
        format!("one of {}", known.join(", "))
    };
    let remedy = suggestion(even, known.iter().copied(), &fallback);
    Err(Failure::Usage(format!("--even {even}: {remedy}")))
}

/// Targets from the command line and from a file, and that file, if there is one.
pub(super) struct Targets<'w> {
    targets: Vec<Target>,
    from_arguments: &'w [Target],
    file: Option<Source>,
}

impl<'w> Targets<'w> {
    pub(super) fn read(wanted: &'w Wishes) -> Result<Self, Failure> {
        let mut targets = wanted.targets.clone();
        let file = wanted.target_file.as_deref().map(records::source).transpose()?;
        if let Some(file) = &file {
            targets.extend(study::read_targets(file)?);
        }
        Ok(Self { targets, from_arguments: &wanted.targets, file })
    }

    /// A digest of the file of targets, if there is one: another file may have its name later.
    pub(super) fn digest(&self) -> Option<String> {
        self.file.as_ref().map(|file| fingerprint([file.inner().as_str()]))
    }

    /// Whether any of them is for a contender.
    pub(super) fn name_contenders(&self, layout: &Layout) -> bool {
        let contenders = layout.contenders().names;
        self.targets.iter().any(|target| contenders.contains(&target.name.as_str()))
    }

    /// Gives contenders their targets. For units `shares` is None before battles are played.
    pub(super) fn assign(
        &self,
        contenders: &mut [Contender],
        whom: Whom,
        layout: &Layout,
        shares: Option<&[f64]>,
    ) -> Result<(), Failure> {
        let places = |contender: &Contender| match &contender.who {
            Who::Sides(places) => places.len() as f64,
            Who::Unit(_) => 1.0,
        };
        let of_sides: Vec<f64> = contenders.iter().map(places).collect();
        let shares = match whom {
            Whom::Contenders => Some(of_sides.as_slice()),
            Whom::Matchups => None,
            Whom::Units(_) => shares,
        };
        let Err(fault) = study::assign(contenders, &self.targets, shares, layout.sides) else {
            return Ok(());
        };
        let of_file = self.file.as_ref().filter(|_| fault.which >= self.from_arguments.len());
        let target = &self.targets[fault.which];
        Err(match of_file {
            Some(file) => {
                let at = Fault::at(file, target.span.clone(), fault.message, fault.remedy);
                Faults::one(file.name(), at).into()
            }
            None => Failure::Usage(format!(
                "--target {}: {}: {}",
                target.name, fault.message, fault.remedy
            )),
        })
    }
}

/// The kinds of unit that are drawn.
pub(super) fn kinds(layout: &Layout) -> Vec<&'static str> {
    let mut kinds: Vec<&str> = Vec::new();
    for unit in layout.units.iter().filter(|_| layout.units_are_drawn) {
        if !kinds.contains(&unit.kind) {
            kinds.push(unit.kind);
        }
    }
    kinds
}

pub(super) fn nobody_to_even(layout: &Layout) -> String {
    let remedy = match kinds(layout).as_slice() {
        [] => "give the sides different contenders".to_owned(),
        kinds => {
            let options: Vec<String> = kinds.iter().map(|kind| format!("--even {kind}")).collect();
            format!("give the sides different contenders, or say {}", options.join(" or "))
        }
    };
    format!("nobody meets anybody else here: {remedy}")
}
