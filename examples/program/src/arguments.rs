//! Arguments as a struct: [`arguments!`](crate::arguments) and [`choices!`](crate::choices) write what clap's derive would,
//! which takes longer to compile than all the rest of clap.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::ValueParser;
use clap::error::Result as Parsed;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// The arguments of a program, made by [`arguments!`](crate::arguments).
pub trait Arguments: Sized {
    /// The name of the program.
    const NAME: &'static str;

    /// What can be given.
    fn command() -> Command;

    /// What was given.
    ///
    /// # Errors
    ///
    /// As of [`Field::take`].
    fn take(matches: &mut ArgMatches) -> Parsed<Self>;
}

/// The type of one argument.
pub trait Value: Clone + Send + Sync + 'static {
    /// Reads it.
    fn parser() -> ValueParser;
}

/// A field of a struct of arguments.
pub trait Field: Sized {
    /// Says how often it may be given, and as what.
    fn describe(arg: Arg) -> Arg;

    /// What was given.
    ///
    /// # Errors
    ///
    /// If it is missing.
    fn take(matches: &mut ArgMatches, id: &str) -> Parsed<Self>;
}

impl Field for bool {
    fn describe(arg: Arg) -> Arg {
        arg.action(ArgAction::SetTrue)
    }

    fn take(matches: &mut ArgMatches, id: &str) -> Parsed<Self> {
        Ok(matches.get_flag(id))
    }
}

impl<T: Value> Field for Option<T> {
    fn describe(arg: Arg) -> Arg {
        valued::<T>(arg)
    }

    fn take(matches: &mut ArgMatches, id: &str) -> Parsed<Self> {
        Ok(matches.remove_one(id))
    }
}

impl<T: Value> Field for Vec<T> {
    fn describe(arg: Arg) -> Arg {
        valued::<T>(arg).action(ArgAction::Append)
    }

    fn take(matches: &mut ArgMatches, id: &str) -> Parsed<Self> {
        Ok(matches.remove_many(id).map(Iterator::collect).unwrap_or_default())
    }
}

/// [`Field::describe`] of an argument that must be given, unless it has a default.
#[must_use]
pub fn one<T: Value>(arg: Arg) -> Arg {
    valued::<T>(arg).required(true)
}

/// An argument with a value, which is called by the name of the argument unless it says another.
fn valued<T: Value>(arg: Arg) -> Arg {
    let name: &'static str = arg.get_id().as_str().to_uppercase().leak();
    arg.value_name(name).value_parser(T::parser())
}

/// [`Field::take`] of such an argument.
///
/// # Errors
///
/// If it is missing.
pub fn take_one<T: Value>(matches: &mut ArgMatches, id: &str) -> Parsed<T> {
    matches
        .remove_one(id)
        .ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingRequiredArgument))
}

/// The help in documentation comments: joined, without the full stop at the end of a single sentence.
#[must_use]
pub fn help_of(comments: &'static str) -> &'static str {
    let help = comments.trim();
    help.strip_suffix('.').unwrap_or(help)
}

/// The letters with which an option is written: its name with hyphens.
///
/// It is called once for each option while a program starts, and what it returns stays until the program ends.
#[must_use]
pub fn long_of(name: &'static str) -> &'static str {
    if name.contains('_') { name.replace('_', "-").leak() } else { name }
}

/// Declares a struct and makes its fields the arguments of a program: [`Arguments`]. The help is in the documentation
/// comments; what stands in `arg` is a method of [`clap::Arg`] each, but `long` and `short`, which need no value.
///
/// ```
/// program::arguments! {
///     /// Counts something.
///     #[command(name = "count", after_help = "That is all.")]
///     struct Args {
///         /// The file
///         file: Option<std::path::PathBuf>,
///
///         /// At most so many
///         #[arg(long, short, value_name = "N", default_value = "3")]
///         most: u32,
///     }
/// }
///
/// let (mut out, mut err) = (Vec::new(), Vec::new());
/// let words = ["count", "x", "-m", "5"].map(Into::into);
/// let status = program::run(words, &mut out, &mut err, |args: &Args, _| {
///     assert_eq!((args.most, args.file.is_some()), (5, true));
///     Ok(program::Verdict::Solved)
/// });
/// assert_eq!(status, 0);
/// ```
#[macro_export]
macro_rules! arguments {
    (
        $(#[doc = $about:literal])*
        #[command(name = $name:literal, after_help = $after:expr $(,)?)]
        $(#[$meta:meta])*
        $visible:vis struct $args:ident {
            $(
                $(#[doc = $help:literal])*
                $(#[arg($($spec:tt)*)])*
                $shown:vis $field:ident: $type:ty
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        $(#[$meta])*
        $visible struct $args {
            $($(#[doc = $help])* $shown $field: $type,)*
        }

        impl $crate::Arguments for $args {
            const NAME: &'static str = $name;

            fn command() -> $crate::clap::Command {
                let arguments = [$({
                    let arg = $crate::clap::Arg::new(stringify!($field))
                        .help($crate::help_of(concat!($($help),*)));
                    let arg = <$type as $crate::Field>::describe(arg);
                    $(let arg = $crate::arguments!(@ arg $field $($spec)*);)*
                    arg
                }),*];
                $crate::clap::Command::new($name)
                    .about($crate::help_of(concat!($($about),*)))
                    .after_help($after)
                    .args(arguments)
            }

            fn take(matches: &mut $crate::clap::ArgMatches) -> $crate::clap::error::Result<Self> {
                Ok(Self { $($field: <$type as $crate::Field>::take(matches, stringify!($field))?),* })
            }
        }
    };
    (@ $arg:ident $field:ident) => { $arg };
    (@ $arg:ident $field:ident long $(, $($rest:tt)*)?) => {{
        let arg = $arg.long($crate::long_of(stringify!($field)));
        $crate::arguments!(@ arg $field $($($rest)*)?)
    }};
    (@ $arg:ident $field:ident short $(, $($rest:tt)*)?) => {{
        let arg = $arg.short(stringify!($field).chars().next());
        $crate::arguments!(@ arg $field $($($rest)*)?)
    }};
    (@ $arg:ident $field:ident default_value = $value:expr $(, $($rest:tt)*)?) => {{
        let arg = $arg.default_value($value).required(false);
        $crate::arguments!(@ arg $field $($($rest)*)?)
    }};
    (@ $arg:ident $field:ident $method:ident = $value:expr $(, $($rest:tt)*)?) => {{
        let arg = $arg.$method($value);
        $crate::arguments!(@ arg $field $($($rest)*)?)
    }};
}

/// Declares an enum and makes it the type of an argument: each variant with its name, and with its help in a
/// documentation comment if there is one.
///
/// ```
/// program::choices! {
///     /// The form.
///     #[derive(Clone, Copy)]
///     enum Form {
///         /// little is written
///         Short = "short",
///         Long = "long",
///     }
/// }
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        $visible:vis enum $choices:ident {
            $($(#[doc = $help:literal])* $variant:ident = $name:literal),* $(,)?
        }
    ) => {
        $(#[$meta])*
        $visible enum $choices {
            $($(#[doc = $help])* $variant),*
        }

        impl $crate::clap::ValueEnum for $choices {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self::$variant),*]
            }

            fn to_possible_value(&self) -> Option<$crate::clap::builder::PossibleValue> {
                Some(match self {
                    $(Self::$variant => {
                        let value = $crate::clap::builder::PossibleValue::new($name);
                        $(let value = value.help($crate::help_of($help));)*
                        value
                    })*
                })
            }
        }

        $crate::value!($choices: $crate::clap::builder::EnumValueParser::<$choices>::new().into());
    };
}

/// Makes a type that is read from text the type of an argument: `value!(Size)`, where `Size` is `FromStr`.
#[macro_export]
macro_rules! value {
    ($type:ty) => {
        $crate::value!($type: $crate::clap::builder::ValueParser::new(<$type as std::str::FromStr>::from_str));
    };
    ($type:ty: $parser:expr) => {
        impl $crate::Value for $type {
            fn parser() -> $crate::clap::builder::ValueParser {
                $parser
            }
        }

        impl $crate::Field for $type {
            fn describe(arg: $crate::clap::Arg) -> $crate::clap::Arg {
                $crate::one::<Self>(arg)
            }

            fn take(
                matches: &mut $crate::clap::ArgMatches,
                id: &str,
            ) -> $crate::clap::error::Result<Self> {
                $crate::take_one(matches, id)
            }
        }
    };
}

macro_rules! values {
    ($($type:ty)*) => {$(
        value!($type: clap::value_parser!($type).into());
    )*};
}

values! { PathBuf String u8 u16 u32 u64 usize f64 }

// A time is a number of seconds.
value!(Duration: ValueParser::new(crate::seconds));
