//! [`show_fields!`]: `Debug` for types that hold more than is worth showing, or something that cannot be shown.

/// Implements `Debug` for `$Type`: shows it as `$name` with these fields, or values of its fields, and that there are others.
///
/// ```text
/// show_fields! { [K: Key] Queue<K>, "Queue" (this) { limit, entries = this.entries.len() } }
/// ```
macro_rules! show_fields {
    (
        [$($generics:tt)*] $Type:ty $(where [$($bounds:tt)*])?,
        $name:literal $(($this:ident))? { $($field:ident $(= $value:expr)?),* }
    ) => {
        impl<$($generics)*> std::fmt::Debug for $Type $(where $($bounds)*)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $(let $this = self;)?
                let mut shown = f.debug_struct($name);
                $(shown.field(stringify!($field), $crate::debug::show_fields!(@ self $field $($value)?));)*
                shown.finish_non_exhaustive()
            }
        }
    };
    (@ $self:ident $field:ident) => { &$self.$field };
    (@ $self:ident $field:ident $value:expr) => { &$value };
}

pub(crate) use show_fields;
