import Campaigns
import Foundation
import MohoJSON
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

/// A version of a model that declares a key for a member that was unknown.
private struct Newer: MappedModel {
  var value: JSONValue?
  var others: [String: JSONValue]

  static let mapping = Mapping(
    "Newer", Newer.init, .key("value", \.value, json: "o"), .unknown("others", \.others))
}

/// A model inside a `Codable` value counts as four.
@Suite struct NestedCodableTests {
  private static let adapters = [JSONAdapter<Doll>(), JSONAdapter<Doll>().withoutFastPath]

  @Test func modelsInCodableKeysCanBeNestedToTheLimit() throws {
    try onSmallStack { () throws in
      for adapter in Self.adapters {
        let doll = Doll(levels: 32)
        #expect(try adapter.data(from: doll) == Data(Doll.text(32).utf8))
        #expect(try adapter.model(from: Doll.text(32)) == doll)
      }
    }
  }

  @Test(arguments: [33, 100_000])
  func deeperModelsInCodableKeysAreNotWritten(levels: Int) throws {
    try onSmallStack {
      let error = #expect(throws: MappingError.self) {
        try JSONAdapter<Doll>().data(from: Doll(levels: levels))
      }
      #expect(error?.code == .tooDeep)
    }
  }

  @Test func deeperModelsInCodableKeysAreNotRead() throws {
    try onSmallStack {
      for adapter in Self.adapters {
        for levels in [33, 255] {
          let error = #expect(throws: MappingError.self) {
            try adapter.model(from: Doll.text(levels))
          }
          #expect(error?.code == .tooDeep)
          #expect(error?.path?.components.count == 64)
        }
        #expect(throws: (any Error).self) { try adapter.model(from: Doll.text(100_000)) }
      }
    }
  }

  @Test func keysTakeValuesOf120LevelsOutOfUnknownMembers() throws {
    try onSmallStack {
      let arrays = String(repeating: "[", count: 120) + String(repeating: "]", count: 120)
      let objects =
        String(repeating: #"{"a":"#, count: 119) + "{}" + String(repeating: "}", count: 119)
      let taking = try #require(MemberTaking(Newer.mapping))
      for value in [arrays, objects] {
        for documents in [[], [#"{"o":\#(value),"x":1}"#]] {
          let taken = try taking.members(
            of: .string(#"{"o":\#(value)}"#), adding: documents, where: { _ in true })
          #expect(taken?.contents == [0: .string(value)])
          #expect(taken?.losses.isEmpty == true)
        }
      }
    }
  }
}
