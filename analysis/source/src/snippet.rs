//! Text with places to fill in, as editors take it: `${1:what stands there}`.

/// A snippet with what stands in its places: the text for editors that fill in none.
pub fn without_places(snippet: &str) -> String {
    let mut text = String::with_capacity(snippet.len());
    let mut rest = snippet;
    while let Some((before, place)) = rest.split_once("${") {
        text.push_str(before);
        let (_, place) = place.split_once(':').unwrap_or_default();
        let (value, after) = place.split_once('}').unwrap_or((place, ""));
        text.push_str(value);
        rest = after;
    }
    text.push_str(rest);
    text
}
