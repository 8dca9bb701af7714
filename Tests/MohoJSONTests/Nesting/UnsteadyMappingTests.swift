import Foundation
import MohoJSON
import MohoMapping
import Synchronization
import Testing

/// A model whose mapping is created again for each use, each time with another path.
private struct Unsteady: MappedModel, Equatable {
  var value: Int

  static let uses = Mutex(Uses())

  struct Uses {
    var count = 0
    var keys: [WeakKeys] = []
  }

  static var mapping: Mapping<Unsteady> {
    let number = uses.withLock { uses in
      defer { uses.count += 1 }
      return uses.count
    }
    let mapping = Mapping("Unsteady", Unsteady.init, .key("value", \.value, json: "v\(number % 7)"))
    uses.withLock { $0.keys.append(WeakKeys(keys: mapping.fieldKeys)) }
    return mapping
  }
}

/// The keys of a mapping, while another object retains them.
private struct WeakKeys: Sendable {
  weak let keys: FieldKeys?
}

/// Counts, while an array is read or written, how many keys are kept.
private struct Census: FieldValue, Equatable {
  static let kept = Mutex(0)
  static let fieldType = FieldType.integer

  private static func count() {
    let alive = Unsteady.uses.withLock { uses in uses.keys.count { $0.keys != nil } }
    kept.withLock { $0 = max($0, alive) }
  }

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Census {
    count()
    return Census()
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    Self.count()
    try encoder.encode(Int64(0), at: index)
  }
}

private struct Pair: MappedModel, Equatable {
  var unsteady: Unsteady
  var census: Census

  static let mapping = Mapping(
    "Pair", Pair.init, .key("unsteady", \.unsteady), .key("census", \.census))
}

@Suite(.serialized) struct UnsteadyMappingTests {
  private let adapter = JSONAdapter<Pair>()
  private let all = (0..<7).map { #""v\#($0)":\#($0 * 11)"# }.joined(separator: ",")

  @Test func eachMappingReadsByItsOwnKeys() throws {
    let element = #"{"unsteady":{\#(all)},"census":0}"#
    let text = "[" + Array(repeating: element, count: 1_000).joined(separator: ",") + "]"
    Census.kept.withLock { $0 = 0 }
    let first = Unsteady.uses.withLock { $0.count }

    let values = try adapter.models(from: Data(text.utf8)).map(\.unsteady.value)

    #expect(values == (0..<1_000).map { (first + $0) % 7 * 11 })
    #expect(Census.kept.withLock { 2...70 ~= $0 })
  }

  @Test func eachMappingWritesByItsOwnKeys() throws {
    let pairs = (0..<1_000).map { Pair(unsteady: Unsteady(value: $0), census: Census()) }
    Census.kept.withLock { $0 = 0 }
    let first = Unsteady.uses.withLock { $0.count }

    let text = try adapter.data(from: pairs).text

    let expected = (0..<1_000).map { #"{"unsteady":{"v\#((first + $0) % 7)":\#($0)},"census":0}"# }
    #expect(text == "[" + expected.joined(separator: ",") + "]")
    #expect(Census.kept.withLock { 2...70 ~= $0 })
  }
}
