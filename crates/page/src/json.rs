//! Objects of JSON for the page.

use serde::Serialize;
use serde_json::{Value, to_value};

/// Makes an object of its members, as `json!` does, or adds them to another one: `..object, …`. The
/// macro `json!` writes out the conversion of each value and what happens if it fails; here, values of
/// one type share a call, so that the code is smaller.
macro_rules! object {
    (..$object:expr, $($name:literal: $value:expr),* $(,)?) => {{
        let mut object = $object;
        $($crate::json::add(&mut object, $name, &$value);)*
        object
    }};
    ($($members:tt)*) => {
        object! { ..serde_json::Value::Object(serde_json::Map::new()), $($members)* }
    };
}

/// Adds a member to an object.
///
/// # Panics
/// The value has a key that is no text.
pub(crate) fn add<T: Serialize>(object: &mut Value, name: &str, value: &T) {
    object[name] = to_value(value).expect("keys are texts");
}
