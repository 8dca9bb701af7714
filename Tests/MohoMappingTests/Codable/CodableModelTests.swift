import Foundation
import MohoMapping
import Testing

/// A type that is `Codable` where it is declared, and holds models in a type
/// that the compiler makes `Codable`.
private struct Note: MappedModel, Codable, Equatable {
  var text: String
  var length: Double

  static let mapping = Mapping(
    "Note", Note.init, .key("text", \.text, json: "body.text"), .key("length", \.length))
}

private struct Notebook: Codable, Equatable {
  var notes: [Note]
  var pinned: Note?
}

@Suite struct CodableModelTests {
  private let models = [Recording.full, .bare]

  @Test func modelsReadBackEqualFromJSON() throws {
    let data = try JSONEncoder().encode(models)

    #expect(try JSONDecoder().decode([Recording].self, from: data) == models)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func modelsReadBackEqualFromPropertyLists(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format

    let data = try encoder.encode(models)

    #expect(try PropertyListDecoder().decode([Recording].self, from: data) == models)
  }

  @Test func keysAreWrittenAtTheirPaths() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys

    let text = String(decoding: try encoder.encode(Recording.bare), as: UTF8.self)

    #expect(
      text == """
        {"chapters":[],"digest":"","extras":{},"flags":{"explicit":false},"gain":0,"id":0,\
        "meta":{"recorded_at":"1970-01-01T00:00:00Z","title":""},"price":0,"quality":"low",\
        "rating":3,"scores":[],"size":0,"uuid":"00000000-0000-0000-0000-000000000000"}
        """)
  }

  @Test func aTypeThatIsDeclaredCodableGoesByItsMapping() throws {
    let notebook = Notebook(notes: [Note(text: "a", length: 1)], pinned: nil)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys

    let data = try encoder.encode(notebook)

    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"notes":[{"body":{"text":"a"},"length":1}]}"#)
    #expect(try JSONDecoder().decode(Notebook.self, from: data) == notebook)
  }

  @Test func everyKeyThatFailsIsAnErrorWithItsPathFromTheRoot() {
    let text = #"{"notes":[{"body":{"text":"a"},"length":1},{"body":7,"length":"1"}]}"#

    let error = #expect(throws: MappingError.self) {
      try JSONDecoder().decode(Notebook.self, from: Data(text.utf8))
    }

    #expect(
      error?.description == """
        invalid type: number 7, expected object - `Note.text` at /notes/1/body
        invalid type: string "1", expected number - `Note.length` at /notes/1/length
        """)
  }

  @Test(arguments: ["[]", "7", "\"x\""])
  func aModelIsAnObject(text: String) {
    let error = #expect(throws: MappingError.self) {
      try JSONDecoder().decode(Note.self, from: Data(text.utf8))
    }

    #expect(error?.code == .invalidType)
    #expect(error?.model == "Note")
    #expect(error?.path == FieldPath([]))
  }

  @Test func modelsAreValidated() throws {
    let text = String(decoding: try JSONEncoder().encode(Recording.bare), as: UTF8.self)
      .replacing(#""gain":0"#, with: #""gain":2"#)

    let error = #expect(throws: MappingError.self) {
      try JSONDecoder().decode(Recording.self, from: Data(text.utf8))
    }

    #expect(
      error?.description
        == "failed validation: number 2, expected a gain from -1 to 1 - `Recording.gain` at /gain")
  }

  @Test func aValueThatTheFormatDoesNotHoldIsAnErrorOfItsKey() throws {
    let notebook = Notebook(notes: [Note(text: "a", length: .infinity)])

    let error = #expect(throws: MappingError.self) { try JSONEncoder().encode(notebook) }

    #expect(
      error?.description == "invalid value: inf, expected value that the format can represent"
        + " - `Note.length` at /notes/0/length")
    let list = try PropertyListEncoder().encode(notebook)
    #expect(try PropertyListDecoder().decode(Notebook.self, from: list) == notebook)
  }

  @Test func aDateWithoutTextAndAnInvalidDecimalAreErrors() {
    var recording = Recording.bare
    recording.recordedAt = Date(timeIntervalSince1970: 1e15)
    let dated = #expect(throws: MappingError.self) { try JSONEncoder().encode([recording]) }
    recording = .bare
    recording.price = .nan
    let priced = #expect(throws: MappingError.self) { try JSONEncoder().encode([recording]) }

    #expect(dated?.path?.description == "[0].meta.recorded_at")
    #expect(dated?.key == "recordedAt")
    #expect(
      priced?.description
        == "invalid value: number NaN, expected finite number - `Recording.price` at /0/price")
  }

  @Test func aCustomConformanceIsPreserved() throws {
    let data = try JSONEncoder().encode(Plain(value: 5))

    #expect(String(decoding: data, as: UTF8.self) == "5")
  }
}

private struct Plain: MappedModel, Encodable {
  var value: Int

  static let mapping = Mapping("Plain", Plain.init, .key("value", \.value))

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
