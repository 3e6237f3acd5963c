//! Changes of units that take effect once everything is drawn: the same battles with one card in place of another, or
//! with a card that has lost an ability.

/// What a unit is turned into for a battle. Whatever is drawn before it, teams and line-ups above all, stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Recast {
    /// Another unit in every respect: an index into the layout's units.
    As(u16),
    /// Itself without one of its abilities: an index into [`Engine::abilities`](crate::engine::Engine::abilities).
    Without(usize),
}
