//! The Debug Adapter Protocol: its messages, and whole sessions in which a client of our own
//! speaks it, as editors do.

mod client;
mod recorded;
mod schema;
mod sessions;

use debug_adapter::base64::encode;
use debug_adapter::show::{chart, row, word};
use debug_adapter::{read_message, write_message};

#[test]
fn what_is_written_is_read() {
    let mut bytes = Vec::new();
    for number in 0..3 {
        write_message(&mut bytes, &serde_json::json!({ "seq": number, "ä": "é" })).unwrap();
    }
    let mut stream = &bytes[..];
    for number in 0..3 {
        let message = read_message(&mut stream).unwrap().expect("a message");
        assert_eq!(message["seq"], number);
    }
    assert!(read_message(&mut stream).unwrap().is_none());
}

#[test]
fn what_is_no_message_is_told() {
    let message = |bytes: &[u8]| read_message(&mut &*bytes).unwrap_err().to_string();
    assert_eq!(message(b"Content-Length: 2\r\n\r\n{x"), "a message is not JSON");
    assert_eq!(message(b"Length: 2\r\n\r\n{}"), "a message has no Content-Length");
    assert_eq!(message(b"Content-Length: 99999999\r\n\r\n"), "a message is longer than 16 MiB");
    assert_eq!(message(&[b'x'; 9000]), "a header line has no end");
    assert!(message(b"Content-Length: 9\r\n\r\n{}").starts_with("the client's stream"));
}

#[test]
fn the_vectors_of_the_document() {
    let encoded =
        ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| encode(text.as_bytes()));
    let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
    assert_eq!(encoded, expected);
}

#[test]
fn lanes_are_a_row_and_a_chart() {
    let words: Vec<u32> = [0.0_f32, 7.0, f32::NAN, 3.5].map(f32::to_bits).to_vec();
    let values: Vec<String> = words.iter().map(|bits| word(*bits)).collect();
    assert_eq!(row(&values, 0, 0b1011), "0, 7.0*, (NaN*), 3.5*");
    assert_eq!(chart(&words, 0b1011), "▁█·▅");
    assert_eq!(chart(&words, 0b1111), "▁█!▅");
    assert_eq!(chart(&[5, 6, 7], 0b111), "▁▅█");
    assert_eq!(chart(&[5, 5], 0b11), "▁▁");
}
