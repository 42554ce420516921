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

#[cfg(test)]
mod tests {
    use super::without_places;

    #[test]
    fn what_stands_in_a_place_stays() {
        assert_eq!(without_places("a ${1:b[0:1]}, ${2:c}\n${1:b[0:1]}"), "a b[0:1], c\nb[0:1]");
        assert_eq!(without_places("none"), "none");
        assert_eq!(without_places("open ${1:x"), "open x");
    }
}
