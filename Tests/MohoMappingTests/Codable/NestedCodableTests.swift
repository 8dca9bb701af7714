import Campaigns
import Foundation
import MohoMapping
import Testing

/// A model that contains itself through its `Codable` conformance. The inner model is
/// created when it is encoded, so that the value itself has no depth.
private struct Doll: MappedModel, Codable, Equatable {
  var levels: Int

  var inner: [Doll] { levels > 1 ? [Doll(levels: levels - 1)] : [] }

  static let mapping = Mapping(
    "Doll", { (inner: [Doll]) in Doll(levels: (inner.first?.levels ?? 0) + 1) },
    .key("inner", \.inner, .codable))

  static func text(_ levels: Int) -> String {
    String(repeating: #"{"inner":["#, count: levels - 1) + #"{"inner":[]}"#
      + String(repeating: "]}", count: levels - 1)
  }
}

/// A model whose key leads through four objects to models of the same type.
private struct Maze: MappedModel, Codable, Equatable {
  var levels: Int

  var inner: [Maze] { levels > 1 ? [Maze(levels: levels - 1)] : [] }

  static let mapping = Mapping(
    "Maze", { (inner: [Maze]) in Maze(levels: (inner.first?.levels ?? 0) + 1) },
    .key("inner", \.inner, json: "a.b.c.d.e"))
}

/// A model inside a `Codable` value counts as four.
@Suite struct NestedCodableTests {
  @Test func modelsInCodableKeysCanBeNestedToTheLimit() throws {
    try onSmallStack { () throws in
      let doll = Doll(levels: 32)
      #expect(try JSONDecoder().decode(Doll.self, from: JSONEncoder().encode(doll)) == doll)
      #expect(try JSONEncoder().encode(doll) == Data(Doll.text(32).utf8))
      let recorder = FieldRecorder()
      try Doll.mapping.encode(doll, to: recorder)
      #expect(recorder.contents == [.string("[\(Doll.text(31))]")])
      #expect(try Doll.mapping.model(from: ContentDecoder(recorder.contents)) == doll)
    }
  }

  @Test(arguments: [33, 100_000])
  func deeperModelsInCodableKeysAreNotWritten(levels: Int) throws {
    try onSmallStack { () throws in
      let doll = Doll(levels: levels)
      for error in [
        #expect(throws: MappingError.self) { try JSONEncoder().encode(doll) },
        #expect(throws: MappingError.self) { try Doll.mapping.encode(doll, to: FieldRecorder()) },
      ] {
        #expect(error?.code == .tooDeep)
        #expect(error?.expected == "at most 128 levels of models")
      }
    }
  }

  @Test func deeperModelsInCodableKeysAreNotRead() throws {
    try onSmallStack { () throws in
      for levels in [33, 255] {
        let text = Doll.text(levels)
        let decoded = #expect(throws: MappingError.self) {
          try JSONDecoder().decode(Doll.self, from: Data(text.utf8))
        }
        #expect(decoded?.code == .tooDeep)
        #expect(decoded?.path?.components.count == 64)
        let read = #expect(throws: MappingError.self) {
          try Doll.mapping.model(from: ContentDecoder([.string("[\(text)]")]))
        }
        #expect(read?.code == .tooDeep)
      }
      #expect(throws: (any Error).self) {
        try JSONDecoder().decode(Doll.self, from: Data(Doll.text(100_000).utf8))
      }
    }
  }

  /// Paths lead through more levels than there are models.
  @Test func longPathsOfNestedModelsHaveALimit() throws {
    try onSmallStack { () throws in
      let maze = Maze(levels: 42)
      #expect(try JSONDecoder().decode(Maze.self, from: JSONEncoder().encode(maze)) == maze)
      for levels in [44, 128] {
        let error = #expect(throws: MappingError.self) {
          try JSONEncoder().encode(Maze(levels: levels))
        }
        #expect(error?.code == .tooDeep)
        #expect(error?.expected == "at most 256 levels")
      }
    }
  }
}
