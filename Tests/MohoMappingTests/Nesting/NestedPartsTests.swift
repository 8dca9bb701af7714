import Campaigns
import Foundation
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
}

private struct Nested: MappedModel, Codable, Equatable {
  var arrays: Arrays
  var dictionaries: Dictionaries

  static let mapping = Mapping(
    "Nested", Nested.init, .key("arrays", \.arrays), .key("dictionaries", \.dictionaries))

  /// A model with so many levels of arrays, and one with so many levels of dictionaries.
  static func both(_ levels: Int) -> [Nested] {
    [
      Nested(arrays: Arrays(levels: levels), dictionaries: Dictionaries(levels: 1)),
      Nested(arrays: Arrays(levels: 1), dictionaries: Dictionaries(levels: levels)),
    ]
  }

  static func contents(_ levels: Int) -> [[FieldContent]] {
    let arrays = (1..<levels).reduce(FieldContent.array([])) { content, _ in .array([content]) }
    let dictionaries = (1..<levels).reduce(FieldContent.dictionary([:])) { content, _ in
      .dictionary(["a": content])
    }
    return [[arrays, .dictionary([:])], [.array([]), dictionaries]]
  }

  static func documents(_ levels: Int) -> [Data] {
    let arrays = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    let dictionaries =
      String(repeating: #"{"a":"#, count: levels - 1) + "{}"
      + String(repeating: "}", count: levels - 1)
    return [
      Data(#"{"arrays":\#(arrays),"dictionaries":{}}"#.utf8),
      Data(#"{"arrays":[],"dictionaries":\#(dictionaries)}"#.utf8),
    ]
  }
}

/// An array or dictionary that is directly inside another one counts as a level.
@Suite struct NestedPartsTests {
  @Test func partsCanBeNestedToTheLimit() throws {
    try onSmallStack {
      for nested in Nested.both(128) {
        let recorder = FieldRecorder()
        try Nested.mapping.encode(nested, to: recorder)
        #expect(try Nested.mapping.model(from: ContentDecoder(recorder.contents)) == nested)
        let coded = try JSONEncoder().encode(nested)
        #expect(try JSONDecoder().decode(Nested.self, from: coded) == nested)
      }
    }
  }

  @Test(arguments: [129, 100_000])
  func deeperPartsAreNotWritten(levels: Int) throws {
    try onSmallStack {
      for nested in Nested.both(levels) {
        let recorded = #expect(throws: MappingError.self) {
          try Nested.mapping.encode(nested, to: FieldRecorder())
        }
        let coded = #expect(throws: MappingError.self) { try JSONEncoder().encode(nested) }
        for error in [recorded, coded] {
          #expect(error?.code == .tooDeep)
          #expect(error?.expected == "at most 128 levels of arrays")
        }
        #expect(coded?.path?.components.count == 129)
      }
    }
  }

  @Test func deeperPartsAreNotRead() throws {
    try onSmallStack {
      for contents in Nested.contents(129) + Nested.contents(500) {
        let error = #expect(throws: MappingError.self) {
          try Nested.mapping.model(from: ContentDecoder(contents))
        }
        #expect(error?.code == .tooDeep)
      }
      for document in Nested.documents(129) + Nested.documents(300) {
        let error = #expect(throws: MappingError.self) {
          try JSONDecoder().decode(Nested.self, from: document)
        }
        #expect(error?.code == .tooDeep)
        #expect(error?.path?.components.count == 129)
      }
      for document in Nested.documents(100_000) {
        #expect(throws: (any Error).self) {
          try JSONDecoder().decode(Nested.self, from: document)
        }
      }
    }
  }
}
