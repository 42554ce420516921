//! Enumerations that print as code, and those whose members have names in tables.

/// Makes an enumeration whose `Debug` text is code for its value: `Unit::Salu`.
macro_rules! spelled {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$doc:meta])* $variant:ident,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $($name::$variant => concat!(stringify!($name), "::", stringify!($variant)),)*
                })
            }
        }
    };
}

/// Makes an enumeration that prints as code, whose members have the names of a table's cells.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$member_doc:meta])* $member:ident $name:literal,)* }) => {
        spelled! {
            $(#[$doc])*
            pub enum $type { $($(#[$member_doc])* $member,)* }
        }
        names! { $type { $($member $name,)* } }
    };
}

/// Makes an enumeration whose members have names, such as those of a table's cells.
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* $type:ident { $($(#[$member_doc:meta])* $member:ident $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type { $($(#[$member_doc])* $member,)* }
        $crate::names! { $type { $($member $name,)* } }
    };
}

/// Gives the members of an enumeration names, such as those of a table's cells.
#[macro_export]
macro_rules! names {
    ($type:ident { $($member:ident $name:literal,)* }) => {
        impl $type {
            /// All of them.
            pub const ALL: [$type; [$($name),*].len()] = [$($type::$member),*];

            /// Returns its name.
            pub const fn name(self) -> &'static str {
                match self { $($type::$member => $name,)* }
            }

            /// Returns the one of a name.
            pub fn named(name: &str) -> Option<$type> {
                match name { $($name => Some($type::$member),)* _ => None }
            }
        }
    };
}
