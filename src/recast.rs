//! Units that are other than they are, once everything is drawn: the same battles with another card in the place of one, or
//! with one that has lost an ability.

/// What a unit is to be in a battle. What is drawn before it, teams and line-ups above all, stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Recast {
    /// All that another unit is: an index into the layout's units.
    As(u16),
    /// What it is, without one of its abilities: an index into [`Engine::abilities`](crate::engine::Engine::abilities).
    Without(usize),
}
