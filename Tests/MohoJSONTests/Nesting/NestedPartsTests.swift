import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Arrays inside each other. They are created when they are written, so that the value
/// itself has no depth.
private struct Arrays: FieldValue, Equatable {
  static let fieldType = FieldType.array
  static let fieldSchema = FieldSchema.array(of: .any)

  var levels: Int

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Arrays {
    Arrays(levels: (try [Arrays].decode(from: decoder, at: index).first?.levels ?? 0) + 1)
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try (levels > 1 ? [Arrays(levels: levels - 1)] : []).encode(to: encoder, at: index)
  }

  static func text(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }
}

/// Dictionaries inside each other.
private struct Dictionaries: FieldValue, Equatable {
  static let fieldType = FieldType.dictionary
  static let fieldSchema = FieldSchema.dictionary(of: .any)

  var levels: Int

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Dictionaries {
    let members = try [String: Dictionaries].decode(from: decoder, at: index)
    return Dictionaries(levels: (members["a"]?.levels ?? 0) + 1)
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try (levels > 1 ? ["a": Dictionaries(levels: levels - 1)] : [:])
      .encode(to: encoder, at: index)
  }

  static func text(_ levels: Int) -> String {
    String(repeating: #"{"a":"#, count: levels - 1) + "{}"
      + String(repeating: "}", count: levels - 1)
  }
}

private struct Nested: MappedModel, Equatable {
  var arrays = Arrays(levels: 1)
  var dictionaries = Dictionaries(levels: 1)

  static let mapping = Mapping(
    "Nested", Nested.init, .key("arrays", \.arrays), .key("dictionaries", \.dictionaries))

  static func both(_ levels: Int) -> [Nested] {
    [Nested(arrays: Arrays(levels: levels)), Nested(dictionaries: Dictionaries(levels: levels))]
  }

  static func documents(_ levels: Int) -> [Data] {
    [
      Data(#"{"arrays":\#(Arrays.text(levels)),"dictionaries":{}}"#.utf8),
      Data(#"{"arrays":[],"dictionaries":\#(Dictionaries.text(levels))}"#.utf8),
    ]
  }
}

/// An array or dictionary that is directly inside another one counts as a level.
@Suite struct NestedPartsTests {
  @Test(arguments: [false, true])
  func partsCanBeNestedToTheLimit(isDiagnostic: Bool) throws {
    try onSmallStack { () throws in
      let adapter =
        isDiagnostic ? JSONAdapter<Nested>().withoutFastPath : JSONAdapter<Nested>()
      for (nested, document) in zip(Nested.both(128), Nested.documents(128)) {
        #expect(try adapter.data(from: nested) == document)
        #expect(try adapter.model(from: document) == nested)
        #expect(try adapter.model(from: adapter.data(from: nested, formatting: .pretty)) == nested)
      }
    }
  }

  @Test(arguments: [129, 100_000])
  func deeperPartsAreNotWritten(levels: Int) throws {
    try onSmallStack {
      for nested in Nested.both(levels) {
        let error = #expect(throws: MappingError.self) {
          try JSONAdapter<Nested>().data(from: nested)
        }
        #expect(error?.code == .tooDeep)
        #expect(error?.expected == "at most 128 levels of arrays")
        #expect(error?.path?.components.count == 129)
      }
    }
  }

  @Test(arguments: [129, 300, 2_000])
  func deeperPartsAreNotRead(levels: Int) throws {
    try onSmallStack {
      for adapter in [JSONAdapter<Nested>(), JSONAdapter<Nested>().withoutFastPath] {
        for document in Nested.documents(levels) {
          let error = #expect(throws: MappingError.self) { try adapter.model(from: document) }
          #expect(error?.code == .tooDeep)
          #expect(error?.expected == "at most 128 levels of arrays")
          #expect(error?.path?.components.count == 129)
        }
      }
    }
  }

  @Test func documentsOf100000LevelsAreErrors() throws {
    try onSmallStack {
      for document in Nested.documents(100_000) {
        #expect(throws: JSONError.self) { try JSONAdapter<Nested>().model(from: document) }
      }
    }
  }
}
