//! Files of inputs: what they expect of a run, and how a run differs from it.

use run_inputs::{Expectation, Expected, Mistake, Reader, Table, Tolerance, agree, sections};

fn read(text: &str) -> Result<Expectation, Mistake> {
    let mut read = None;
    sections(text, |_, value, _| {
        read = Some(Expectation::read(
            value,
            &[Table { name: "out", by_lane: true }, Table { name: "buf", by_lane: false }],
        )?);
        Ok(())
    })?;
    Ok(read.expect("a section"))
}

#[test]
fn what_differs_is_told_with_its_place() {
    let text = "[expect]\ntolerance = 1\n[expect.out]\n1 = [[1.0], [2.0]]\n\
                [expect.buf]\n0 = [7, 8, 9]\n";
    let expectation = read(text).unwrap();
    assert_eq!(expectation.words(2), 5);
    let found = |expected: &Expected, word: usize, lane: usize| match expected.table.name {
        "out" => Some((1.0_f32 + lane as f32).to_bits() + 1 + lane as u32),
        _ => [7, 0].get(word).copied(),
    };
    let all: Vec<String> =
        expectation.compare(&[0, 1], found).iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "buf.0 word 1: 0.0 (0x00000000), expected 1.1e-44 (0x00000008)",
            "buf.0 word 2: there is none, expected 1.3e-44 (0x00000009)",
            "out.1 word 0 of lane 1: 2.0000005 (0x40000002), expected 2.0 (0x40000000)",
        ]
    );
}

#[test]
fn one_vector_counts_for_every_lane() {
    assert_eq!(read("[expect.out]\n0 = [1.0, 2.0]\n").unwrap().words(4), 8);
}

#[test]
fn a_table_that_expects_nothing_is_a_mistake() {
    assert_eq!(read("[expect]\n").unwrap_err().message, "nothing is expected");
    let message = read("[expect.in]\n0 = [1]\n").unwrap_err().message;
    assert_eq!(message, "`in`: there are tolerance, out, buf");
}

#[test]
fn words_agree_by_bits_by_class_or_by_distance() {
    let exact = Tolerance { ulps: 0 };
    assert!(agree(1, 1, exact) && agree(0x7fc0_0000, 0xffff_ffff, exact));
    assert!(!agree(0, 0x8000_0000, exact) && !agree(1, 2, exact));
    assert!(agree(0x3f80_0000, 0x3f80_0002, Tolerance { ulps: 2 }));
    assert!(agree(0, 0x8000_0000, Tolerance { ulps: 1 }));
    assert!(!agree(0x3f80_0000, 0xbf80_0000, Tolerance { ulps: 2 }));
}

/// The value of a line, or the mistake in it with the text where it is.
fn value<T>(
    line: &str,
    read: impl Fn(&Reader<'_>) -> Result<T, Mistake>,
) -> Result<T, (String, String)> {
    let text = format!("before = 1\nvalue = {line}\n");
    let mut found = None;
    let ended = sections(&text, |name, value, place| {
        assert_eq!(&text[place], name);
        if name == "value" {
            found = Some(read(value)?);
        }
        Ok(())
    });
    match ended {
        Ok(()) => Ok(found.expect("a value")),
        Err(mistake) => {
            assert_eq!(mistake.line(&text), 2);
            Err((mistake.message, text[mistake.range].to_owned()))
        }
    }
}

fn mistake(message: &str, place: &str) -> (String, String) {
    (message.to_owned(), place.to_owned())
}

#[test]
fn a_word_is_a_number_of_32_bits() {
    let word = |line: &str| value(line, |it| it.word());
    for (line, bits) in [
        ("7", 7),
        ("0x10", 16),
        ("0o17", 15),
        ("0b101", 5),
        ("-1", u32::MAX),
        ("4294967295", u32::MAX),
        ("-2147483648", 1 << 31),
        ("1.5", 1.5_f32.to_bits()),
        ("-0.0", 1 << 31),
        ("inf", f32::INFINITY.to_bits()),
    ] {
        assert_eq!(word(line), Ok(bits), "{line}");
    }
    for line in ["4294967296", "-2147483649"] {
        assert_eq!(word(line), Err(mistake("an integer has 32 bits", line)));
    }
    assert_eq!(word("\"1\""), Err(mistake("a number is expected", "\"1\"")));
    assert_eq!(value("-3", |it| it.float()), Ok(-3.0));
    assert_eq!(value("2.5", |it| it.float()), Ok(2.5));
    assert_eq!(value("3", |it| it.number()), Ok(3));
    assert_eq!(value("3.0", |it| it.number()), Err(mistake("an integer is expected", "3.0")));
    assert_eq!(value("[1, 2.0]", |it| it.floats()), Ok(vec![1.0, 2.0]));
}

#[test]
fn lists_are_filled_up_to_what_they_stand_for() {
    assert_eq!(value("[4, 2]", |it| it.size()), Ok([4, 2, 1]));
    assert_eq!(
        value("[4, 2, 1, 1]", |it| it.size()),
        Err(mistake("there are three axes", "[4, 2, 1, 1]"))
    );
    assert_eq!(value("[1, 2]", |it| it.vector()), Ok([1, 2, 0, 0]));
    assert_eq!(value("[[1], [2, 3]]", |it| it.vectors()), Ok(vec![[1, 0, 0, 0], [2, 3, 0, 0]]));
    let five = "[1, 2, 3, 4, 5]";
    assert_eq!(value(five, |it| it.vector()), Err(mistake("a vector has four components", five)));
    assert_eq!(value("5", |it| it.words()), Err(mistake("an array is expected", "5")));
    assert_eq!(value("5", |it| it.word_lists()), Ok(vec![vec![5]]));
    assert_eq!(value("[5, 6]", |it| it.word_lists()), Ok(vec![vec![5, 6]]));
    assert_eq!(value("[[5, 6], [7]]", |it| it.word_lists()), Ok(vec![vec![5, 6], vec![7]]));
    assert_eq!(value("[5]", |it| it.is_nested()), Ok(false));
    assert_eq!(value("[[5]]", |it| it.is_nested()), Ok(true));
    let of_each = |line: &str| {
        value(line, |it| it.items_or_self().iter().map(Reader::word).collect::<Result<Vec<_>, _>>())
    };
    assert_eq!((of_each("5"), of_each("[5, 6]")), (Ok(vec![5]), Ok(vec![5, 6])));
}

#[test]
fn a_choice_is_one_of_the_words() {
    const WRAPS: [(&str, u8); 2] = [("repeat", 1), ("clamp", 2)];
    let choices = |line: &str| value(line, |it| it.choices(&WRAPS));
    assert_eq!(value("\"clamp\"", |it| it.choice(&WRAPS)), Ok(2));
    assert_eq!(choices("\"clamp\""), Ok([2, 2, 2]));
    assert_eq!(choices("[\"repeat\", \"clamp\"]"), Ok([1, 2, 0]));
    let message = "one of \"repeat\", \"clamp\" is expected";
    assert_eq!(choices("[\"repeat\", 5]"), Err(mistake(message, "5")));
    assert_eq!(
        value("\"a.png\"", |it| Ok(it.string().map(str::to_owned))),
        Ok(Some("a.png".into()))
    );
    assert_eq!(value("5", |it| Ok(it.string().is_none())), Ok(true));
}

#[test]
fn numbered_entries_become_a_list() {
    let lists = |line: &str| value(line, |it| it.numbered(|it| it.words(), Vec::new()));
    assert_eq!(lists("{ 2 = [3], 0 = [1] }"), Ok(vec![vec![1], vec![], vec![3]]));
    assert_eq!(lists("{ 4095 = [] }").map(|it| it.len()), Ok(4096));
    assert_eq!(lists("{ 4096 = [] }"), Err(mistake("`4096` is not a number below 4096", "[]")));
    assert_eq!(lists("{ x = [] }"), Err(mistake("`x` is not a number below 4096", "[]")));
    assert_eq!(lists("5"), Err(mistake("a table is expected", "5")));
}

#[test]
fn values_of_each_lane_are_compared_with_its_own() {
    let expectation = read("[expect.out]\n2 = [[1], [2], [3]]\n").unwrap();
    assert_eq!(expectation.words(3), 3);
    let all = expectation.compare(&[1, 2], |_, _, lane| Some(lane as u32 + 1));
    assert!(all.is_empty(), "{all:?}");
    let all = expectation.compare(&[0, 2], |_, _, _| None);
    let places: Vec<_> = all.iter().map(|it| (&*it.name, it.lane, it.word, it.expected)).collect();
    assert_eq!(places, [("out.2", Some(0), 0, 1), ("out.2", Some(2), 0, 3)]);
}
