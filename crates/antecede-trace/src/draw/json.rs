//! JSON in memory, where writing cannot fail.

use struson::writer::{JsonStreamWriter, JsonWriter, WriterSettings};

/// A value that is being written: the members of an object, or the elements of a list.
pub(super) struct Json(JsonStreamWriter<Vec<u8>>);

/// Why nothing below returns an error.
const IN_MEMORY: &str = "a vector takes all bytes, and every number is finite";

impl Json {
    /// The text of an object, on lines of its own.
    pub(super) fn text(members: impl FnOnce(&mut Json)) -> String {
        let settings = WriterSettings { pretty_print: true, ..WriterSettings::default() };
        let mut json = Json(JsonStreamWriter::new_custom(Vec::new(), settings));
        json.object(members);
        let mut bytes = json.0.finish_document().expect(IN_MEMORY);
        bytes.push(b'\n');
        String::from_utf8(bytes).expect("JSON is UTF-8")
    }

    /// The name of the member whose value is written next.
    pub(super) fn name(&mut self, name: &str) -> &mut Self {
        self.0.name(name).expect(IN_MEMORY);
        self
    }

    pub(super) fn object(&mut self, members: impl FnOnce(&mut Json)) {
        self.0.begin_object().expect(IN_MEMORY);
        members(self);
        self.0.end_object().expect(IN_MEMORY);
    }

    pub(super) fn list(&mut self, elements: impl FnOnce(&mut Json)) {
        self.0.begin_array().expect(IN_MEMORY);
        elements(self);
        self.0.end_array().expect(IN_MEMORY);
    }

    pub(super) fn string(&mut self, value: &str) {
        self.0.string_value(value).expect(IN_MEMORY);
    }

    pub(super) fn flag(&mut self, value: bool) {
        self.0.bool_value(value).expect(IN_MEMORY);
    }

    pub(super) fn number(&mut self, value: u64) {
        self.0.number_value(value).expect(IN_MEMORY);
    }

    /// # Panics
    /// If the number is not finite.
    pub(super) fn decimal(&mut self, value: f64) {
        self.0.fp_number_value(value).expect(IN_MEMORY);
    }
}
