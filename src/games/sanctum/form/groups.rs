//! Groups: their minions and the spells on them.

use super::{File, GroupForm, MINIONS_LISTED, SPELLS_LISTED, check_names};
use crate::games::sanctum::catalogue::{Catalogue, Spell};
use crate::games::sanctum::effect::{Effect, Verb};
use crate::games::sanctum::legal::{Illegal, fault_of_size, faults_of_minion};
use crate::games::sanctum::line_ups::{Bench, Listed};
use crate::games::sanctum::setup::{Company, Profile};
use crate::games::sanctum::state::{COUNTED, GROUP, GROUP_EFFECTS, TOP_LEVEL};
use crate::scenario::{Checker, Spot};

/// The groups in the order of the file, each none where it has a fault; and the bench of minions and groups for
/// line-ups.
pub(super) fn companies(
    file: &File,
    catalogue: &Catalogue,
    checker: &mut Checker<'_>,
) -> (Vec<Option<Company>>, Bench) {
    let spot = Spot::top().key("groups");
    let names = file.groups.iter().map(|group| group.name.as_str());
    check_names(names, &spot, "group", checker);
    let in_catalogue = catalogue.minions.iter().map(|minion| (minion.name.clone(), minion.clone()));
    let mut bench = Bench { minions: in_catalogue.collect(), groups: Vec::new() };
    let mut check = GroupCheck { catalogue, bench: &mut bench, checker };
    let companies: Vec<Option<Company>> = file
        .groups
        .iter()
        .enumerate()
        .map(|(at, form)| check.company(form, &spot.index(at)))
        .collect();
    warn_of_marks(&companies, catalogue, &spot, checker);
    (companies, bench)
}

/// Warns of effects that ask for marks where nobody in the scenario marks anybody.
fn warn_of_marks(
    companies: &[Option<Company>],
    catalogue: &Catalogue,
    spot: &Spot,
    checker: &mut Checker<'_>,
) {
    fn effects(company: &Company) -> impl Iterator<Item = &Effect> {
        let of_minions = company.minions.iter().flat_map(|minion| &minion.effects);
        of_minions.chain(&company.effects)
    }
    let marks = |company: &Company| effects(company).any(|effect| effect.does == Verb::Mark);
    if companies.iter().any(Option::is_none) || companies.iter().flatten().any(marks) {
        return;
    }
    for (at, company) in companies.iter().flatten().enumerate() {
        let mut asking: Vec<u16> = effects(company)
            .filter(|effect| effect.if_marks > 0)
            .map(|effect| effect.source)
            .collect();
        asking.sort_unstable();
        asking.dedup();
        for source in asking {
            let name = &catalogue.names[usize::from(source)];
            let message = format!("`{name}` waits for marks (`if_marks`), and nobody marks");
            let remedy = "give somebody an effect that does `mark`";
            checker.warn(&spot.index(at).key("minions"), message, remedy);
        }
    }
}

/// Whether a minion of this name can be written in a group's list.
pub(super) fn can_list_minion(name: &str) -> bool {
    let read = Written::read(name);
    let is_plain = read.count == 1 && read.level.is_none() && read.spells.is_empty();
    !name.is_empty() && is_plain && read.name == name
}

/// Whether a spell of this name can be written after a minion in a group's list.
pub(super) fn can_list_spell(name: &str) -> bool {
    !name.is_empty() && name.trim() == name && !name.contains('+')
}

struct GroupCheck<'a, 'c, 't> {
    catalogue: &'a Catalogue,
    bench: &'c mut Bench,
    checker: &'c mut Checker<'t>,
}

/// One entry of a group's list of minions, as it is written.
struct Written<'a> {
    count: usize,
    name: &'a str,
    level: Option<&'a str>,
    spells: Vec<&'a str>,
}

impl<'a> Written<'a> {
    /// Reads `[COUNT] NAME[@LEVEL] [+ SPELL]...`.
    fn read(text: &'a str) -> Self {
        let mut parts = text.split('+').map(str::trim);
        let minion = parts.next().unwrap_or_default();
        let (count, rest) = match minion.split_once(' ') {
            Some((count, rest)) => match count.parse() {
                Ok(count) => (count, rest.trim()),
                Err(_) => (1, minion),
            },
            None => (1, minion),
        };
        let (name, level) = match rest.rsplit_once('@') {
            Some((name, level)) => (name.trim(), Some(level.trim())),
            None => (rest, None),
        };
        Self { count, name, level, spells: parts.collect() }
    }

    /// The same entry for a single minion, without a count.
    fn without_count(&self) -> String {
        let level = self.level.map(|level| format!("@{level}")).unwrap_or_default();
        let spells: String = self.spells.iter().map(|spell| format!(" + {spell}")).collect();
        format!("{}{level}{spells}", self.name)
    }
}

impl<'a> GroupCheck<'a, '_, '_> {
    fn company(&mut self, form: &GroupForm, spot: &Spot) -> Option<Company> {
        let mut company =
            Company { name: form.name.clone(), minions: Vec::new(), effects: Vec::new() };
        let (mut listed, mut on_all) = (Vec::new(), Vec::new());
        let mut is_whole = true;
        let mut size = 0_usize;
        let minions_spot = spot.key("minions");
        for (at, text) in form.minions.iter().enumerate() {
            let written = Written::read(text);
            size = size.saturating_add(written.count);
            match self.profile(&written, &minions_spot.index(at)) {
                Some(profile) => {
                    let room = GROUP.min(written.count);
                    let place = self.bench.place(written.without_count(), profile.clone());
                    listed.extend(std::iter::repeat_n(place, room));
                    company.minions.extend(std::iter::repeat_n(profile, room));
                }
                None => is_whole = false,
            }
        }
        if let Some(illegal) = fault_of_size(size) {
            let remedy = format!("a group has at most {GROUP}");
            self.checker.fault(&minions_spot, illegal.to_string(), remedy);
            is_whole = false;
        }
        for (at, name) in form.spells.iter().enumerate() {
            let spot = spot.key("spells").index(at);
            match self.spell(name, &spot) {
                Some(spell) => {
                    on_all.extend((!spell.on_group).then(|| spell.clone()));
                    self.cast_on_group(spell, &mut company, is_whole, &spot);
                }
                None => is_whole = false,
            }
        }
        if company.effects.len() > GROUP_EFFECTS {
            let message = format!("{} effects on the group as a whole", company.effects.len());
            let remedy = format!("there is room for {GROUP_EFFECTS}: take out some of its spells");
            self.checker.fault(&spot.key("spells"), message, remedy);
            is_whole = false;
        }
        self.check_minions(&company, &minions_spot);
        self.bench.groups.push(Listed {
            company: company.clone(),
            minions: listed,
            spells: on_all,
        });
        is_whole.then_some(company)
    }

    fn profile(&mut self, written: &Written<'_>, spot: &Spot) -> Option<Profile> {
        let mut profile = match self.catalogue.minion(written.name) {
            Some(profile) => profile.clone(),
            None => {
                let names = self.catalogue.minions.iter().map(|minion| minion.name.as_str());
                self.checker.unknown_name(spot, "minion", written.name, names, MINIONS_LISTED);
                return None;
            }
        };
        let mut is_known = written.count > 0;
        if !is_known {
            let message = format!("none of `{}`", written.name);
            self.checker.fault(spot, message, "give a number from 1 to 8, or take it out");
        }
        if let Some(text) = written.level {
            match text.parse::<u8>() {
                Ok(level) if level <= TOP_LEVEL => profile.level = level,
                _ => {
                    let message = format!("`{text}` is no level");
                    self.checker.fault(spot, message, format!("levels go from 0 to {TOP_LEVEL}"));
                    is_known = false;
                }
            }
        }
        for name in &written.spells {
            let Some(spell) = self.spell(name, spot) else {
                is_known = false;
                continue;
            };
            if spell.on_group || !spell.can_be_on(&profile) {
                let message = format!("`{name}` cannot be on `{}`", written.name);
                let remedy = if spell.on_group {
                    "put it under the group's `spells`".to_owned()
                } else {
                    format!("it can be on: {}", spell.can_be_on_in_words())
                };
                self.checker.fault(spot, message, remedy);
                is_known = false;
                continue;
            }
            spell.cast_on(&mut profile);
            profile.name = format!("{} + {name}", profile.name);
        }
        is_known.then_some(profile)
    }

    fn spell(&mut self, name: &str, spot: &Spot) -> Option<&'a Spell> {
        let found = self.catalogue.spell(name);
        if found.is_none() {
            let names = self.catalogue.spells.iter().map(|spell| spell.name.as_str());
            self.checker.unknown_name(spot, "spell", name, names, SPELLS_LISTED);
        }
        found
    }

    fn cast_on_group(&mut self, spell: &Spell, company: &mut Company, is_whole: bool, spot: &Spot) {
        if spell.on_group {
            company.effects.extend(&spell.effects);
            return;
        }
        let mut on = company.minions.iter_mut().filter(|minion| spell.can_be_on(minion)).peekable();
        if on.peek().is_none() && is_whole {
            let message = format!("`{}` can be on nobody in this group", spell.name);
            self.checker.warn(
                spot,
                message,
                format!("it can be on: {}", spell.can_be_on_in_words()),
            );
        }
        on.for_each(|minion| spell.cast_on(minion));
    }

    /// Reports minions that spells have left unfit to fight, each name once.
    fn check_minions(&mut self, company: &Company, spot: &Spot) {
        let mut told: Vec<&str> = Vec::new();
        for minion in &company.minions {
            if told.contains(&minion.name.as_str()) {
                continue;
            }
            told.push(&minion.name);
            for illegal in faults_of_minion(minion) {
                let remedy = match illegal {
                    Illegal::Dead(_) => "its spells take more than it has".to_owned(),
                    Illegal::TooMuch(_) => "give it other spells".to_owned(),
                    Illegal::Counted { .. } | Illegal::Size(_) => {
                        format!("a minion can count {COUNTED} of them")
                    }
                };
                self.checker.fault(spot, illegal.to_string(), remedy);
            }
        }
    }
}
