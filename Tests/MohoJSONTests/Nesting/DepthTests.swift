import Foundation
import MohoJSON
import MohoMapping
import Synchronization
import Testing

private struct Node: MappedModel, Equatable {
  var children: [Node]
  var named: [String: Node]

  static let mapping = Mapping(
    "Node", Node.init,
    .key("children", \.children, default: [Node]()),
    .key("named", \.named, default: [String: Node]()))
}

extension Node: Codable {}

private struct Inner: MappedModel, Equatable {
  var next: [Outer]
  static let mapping = Mapping("Inner", Inner.init, .key("next", \.next))
}

private struct Outer: MappedModel, Equatable {
  var inner: Inner
  static let mapping = Mapping("Outer", Outer.init, .inlined("inner", \.inner))
}

extension Outer: Codable {}

/// A value that counts how often it is read.
private struct Counted: FieldValue, Equatable {
  static let reads = Mutex(0)
  static let fieldType = FieldType.integer

  let number: Int64

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Counted {
    reads.withLock { $0 += 1 }
    return Counted(number: try decoder.int64(at: index))
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(number, at: index)
  }

  // The check of a mapping would read for a sample.
  static func sample(_ sample: FieldSample) -> Counted? {
    Int64.sample(sample).map { Counted(number: $0) }
  }
}

private struct Branch: MappedModel {
  var before: Counted
  var tree: Tree
  var after: Counted

  static let mapping = Mapping<Branch>(
    "Branch", Branch.init,
    .key("before", \.before), .key("tree", \.tree), .key("after", \.after)
  ).validating(\.before, "a value") { _ in true }
}

private indirect enum Tree: MappedModel {
  case branch(Branch)
  case leaf(Leaf)

  static let mapping = Mapping<Tree>(
    "Tree", discriminator: "type",
    .variant("branch", Tree.branch) { if case .branch(let branch) = $0 { branch } else { nil } },
    .variant("leaf", Tree.leaf) { if case .leaf(let leaf) = $0 { leaf } else { nil } })
}

private struct Leaf: MappedModel {
  var count: Int
  static let mapping = Mapping("Leaf", Leaf.init, .key("count", \.count))
}

@Suite struct DepthTests {
  private let adapter = JSONAdapter<Node>()

  private func nodes(_ levels: Int) -> Node {
    (1..<levels).reduce(Node(children: [], named: [:])) { node, level in
      level.isMultiple(of: 2)
        ? Node(children: [node], named: [:]) : Node(children: [], named: ["a": node])
    }
  }

  private func text(_ levels: Int) -> Data {
    let (opening, closing) = (#"{"children":["#, "]}")
    return Data(
      (String(repeating: opening, count: levels - 1) + "{}"
        + String(repeating: closing, count: levels - 1)).utf8)
  }

  @Test func models128LevelsDeepAreReadAndWritten() throws {
    let node = nodes(128)

    #expect(try adapter.model(from: adapter.data(from: node)) == node)
    #expect(try adapter.models(from: adapter.data(from: [node, node])) == [node, node])
    let coded = try JSONEncoder().encode(node)
    #expect(try JSONDecoder().decode(Node.self, from: coded) == node)
  }

  @Test(arguments: [129, 300, 900])
  func deeperModelsAreErrorsWithTheirPaths(levels: Int) throws {
    let text = text(levels)

    let error = #expect(throws: MappingError.self) { try adapter.model(from: text) }

    let path = FieldPath((0..<128).flatMap { _ in [.key("children"), .index(0)] })
    #expect(error?.code == .tooDeep)
    #expect(error?.errors.count == 1)
    #expect(error?.path == path)
    #expect(error?.position?.offset == 128 * #"{"children":["#.utf8.count)
    #expect(
      error?.description.hasPrefix(
        "too deep: object, expected at most 128 levels of models - `Node.children` at /children/0/")
        == true)
  }

  @Test func deeperModelsAreNotWritten() throws {
    for node in [nodes(129), nodes(300)] {
      let error = #expect(throws: MappingError.self) { try adapter.data(from: node) }
      #expect(error?.code == .tooDeep)
      #expect(error?.path?.components.count == 256)
      let coded = #expect(throws: MappingError.self) { try JSONEncoder().encode(node) }
      #expect(coded?.code == .tooDeep)
      #expect(coded?.path == error?.path)
    }
  }

  @Test func decodersHaveTheSameLimit() throws {
    #expect(try JSONDecoder().decode(Node.self, from: text(128)) == adapter.model(from: text(128)))

    let error = #expect(throws: MappingError.self) {
      try JSONDecoder().decode(Node.self, from: text(129))
    }

    #expect(error?.code == .tooDeep)
    #expect(error?.path?.components.count == 256)
  }

  @Test func inlinedModelsDoNotCountAsLevels() throws {
    let outer = (1..<128).reduce(Outer(inner: Inner(next: []))) { outer, _ in
      Outer(inner: Inner(next: [outer]))
    }
    let outers = JSONAdapter<Outer>()

    #expect(try outers.model(from: outers.data(from: outer)) == outer)
    let deeper = Outer(inner: Inner(next: [outer]))
    #expect(throws: MappingError.self) { try outers.data(from: deeper) }
    let text = Data(#"{"next":[\#(try outers.data(from: outer).text)]}"#.utf8)
    #expect(throws: MappingError.self) { try outers.model(from: text) }
    let coded = try JSONEncoder().encode(outer)
    #expect(try JSONDecoder().decode(Outer.self, from: coded) == outer)
  }

  @Test func valuesThatModelsSkipCanBeDeeper() throws {
    let more = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)

    #expect(
      try adapter.model(from: Data(#"{"more":\#(more)}"#.utf8)) == Node(children: [], named: [:]))
  }

  /// And once more where the scanner reads the keys before the parser does.
  @Test(.serialized, arguments: [false, true])
  func deepErrorsReadEachKeyAtMostTwice(scans: Bool) {
    let adapter = scans ? JSONAdapter<Tree>() : JSONAdapter<Tree>().withoutFastPath
    let levels = 100
    let text =
      (0..<levels).map { _ in #"{"type":"branch","before":0,"after":0,"tree":"# }.joined()
      + #"{"type":"leaf","count":"x"}"# + String(repeating: "}", count: levels)
    Counted.reads.withLock { $0 = 0 }

    let error = #expect(throws: MappingError.self) {
      try adapter.model(from: Data(text.utf8))
    }

    #expect(error?.errors.map(\.key) == ["count"])
    // What is before the key that failed is read once more for its rule.
    #expect(Counted.reads.withLock { $0 } == (scans ? 4 : 3) * levels)
  }
}
