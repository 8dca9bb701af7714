import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import Testing

/// The type of a key in a version of a model.
private protocol VersionedValue: Sendable, Equatable {
  static func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Self> & Sendable, at path: String
  ) -> KeyMapping<Model, Self>
}

/// The type of a key that a version does not declare.
private struct Undeclared: VersionedValue {
  static func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Self> & Sendable, at path: String
  ) -> KeyMapping<Model, Self> {
    .transient(keyPath, default: Undeclared())
  }
}

extension Optional: VersionedValue where Wrapped: FieldValue & Equatable {
  fileprivate static func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Self> & Sendable, at path: String
  ) -> KeyMapping<Model, Self> {
    .key(name, keyPath, json: path)
  }
}

/// A version of a model with three keys, some of which are declared.
private struct Versioned<A: VersionedValue, B: VersionedValue, C: VersionedValue>: MappedModel {
  var id: Int
  var a: A
  var b: B
  var c: C
  var others: [String: JSONValue]

  static var mapping: Mapping<Versioned> {
    Mapping<Versioned>(
      "Versioned", Versioned.init, .key("id", \.id, .unique), A.key("a", \Versioned.a, at: "a"),
      B.key("b", \Versioned.b, at: "meta.b"), C.key("c", \Versioned.c, at: "tags[1]"),
      .unknown("others", \.others))
  }
}

/// The types of the keys, with an independent definition of the JSON that they read.
private enum Kind: CaseIterable {
  case undeclared, integer, string, boolean, list, date

  var type: any VersionedValue.Type {
    switch self {
    case .undeclared: Undeclared.self
    case .integer: Int?.self
    case .string: String?.self
    case .boolean: Bool?.self
    case .list: [Int]?.self
    case .date: Date?.self
    }
  }

  func reads(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.integer, .integer), (.string, .string), (.boolean, .bool): true
    case (.list, .array(let elements)): elements.allSatisfy { $0.kind == .integer }
    case (.date, .string(let text)): text.hasPrefix("20")
    default: false
    }
  }
}

/// A store whose versions are opened in turn, and the documents that were saved.
private struct VersionHistory {
  let database: MigratedStore
  var random: SeededGenerator
  var kinds: [Kind] = [.undeclared, .undeclared, .undeclared]
  var documents: [Int: JSONValue] = [:]
  var counts = (versions: 0, taken: 0, kept: 0, lost: 0)

  init(seed: UInt64) throws {
    database = try MigratedStore()
    random = SeededGenerator(seed: seed)
  }

  static let names = ["a", "b", "c"]
  static let paths = [["a"], ["meta", "b"], ["tags", "1"]]

  /// The value of a key in a document.
  static func value(_ slot: Int, in document: JSONValue) -> JSONValue? {
    let value =
      slot == 0 ? document["a"] : slot == 1 ? document["meta"]?["b"] : document["tags"]?[1]
    return value == .null ? nil : value
  }

  /// The document without the value of a key.
  static func removing(_ slot: Int, from document: JSONValue) -> JSONValue {
    var document = document
    switch slot {
    case 0: document["a"] = nil
    case 1:
      var meta = document["meta"]
      meta?["b"] = nil
      document["meta"] = meta
    default:
      if case .array(var elements)? = document["tags"], elements.count > 1 {
        elements[1] = .null
        document["tags"] = .array(elements)
      }
    }
    return document
  }

  /// A document that the current version can read.
  mutating func document(id: Int) -> JSONValue {
    var document: JSONValue = ["id": .integer(Int64(id))]
    if random.below(3) > 0 { document["x"] = value(.undeclared) }
    if random.below(3) > 0 { document["a"] = value(kinds[0]) }
    if random.below(3) > 0 {
      var meta: JSONValue = ["y": .integer(Int64(random.below(9)))]
      if random.below(3) > 0 { meta["b"] = value(kinds[1]) }
      document["meta"] = meta
    }
    if random.below(3) > 0 { document["tags"] = .array([5, value(kinds[2]), "end"]) }
    return document
  }

  private mutating func value(_ kind: Kind) -> JSONValue {
    switch kind {
    case .undeclared:
      value(Kind.allCases.dropFirst()[1 + random.below(Kind.allCases.count - 1)])
    case .integer: .integer(Int64(random.below(99)))
    case .string: .string("s\(random.below(9))")
    case .boolean: .bool(random.below(2) == 0)
    case .list: .array((0..<random.below(3)).map { .integer(Int64($0)) })
    case .date: .string("20\(10 + random.below(9))-01-02T03:04:05Z")
    }
  }

  mutating func nextVersion(_ comment: Comment) throws {
    let old = kinds
    for slot in kinds.indices where random.below(2) == 0 {
      // The type of a stored key changes by way of the unknown members.
      kinds[slot] =
        old[slot] == .undeclared
        ? Kind.allCases[random.below(Kind.allCases.count)] : .undeclared
    }
    var kept: [SchemaPart] = []
    var discarded: [SchemaPart] = []
    for slot in kinds.indices where old[slot] != .undeclared && kinds[slot] == .undeclared {
      let part = SchemaPart.key(Self.names[slot], of: "Versioned")
      if random.oneIn(4) {
        discarded.append(part)
        documents = documents.mapValues { Self.removing(slot, from: $0) }
      } else {
        kept.append(part)
        counts.kept += documents.values.filter { Self.value(slot, in: $0) != nil }.count
      }
    }
    // What a new key cannot read must be named with its count.
    var losses: [String: Int] = [:]
    for slot in kinds.indices where old[slot] == .undeclared && kinds[slot] != .undeclared {
      for (id, document) in documents {
        guard let value = Self.value(slot, in: document) else { continue }
        guard !kinds[slot].reads(value) else {
          counts.taken += 1
          continue
        }
        losses["\(SchemaPart.key(Self.names[slot], of: "Versioned"))", default: 0] += 1
        documents[id] = Self.removing(slot, from: document)
        counts.lost += 1
      }
    }
    counts.versions += 1
    func open<A: VersionedValue, B: VersionedValue, C: VersionedValue>(
      _: A.Type, _: B.Type, _: C.Type
    ) throws {
      try check(
        Versioned<A, B, C>.self, losses, keeping: kept, discarding: discarded, comment)
    }
    try open(kinds[0].type, kinds[1].type, kinds[2].type)
  }

  private func policy(_ discarded: [SchemaPart], _ kept: [SchemaPart]) -> MigrationOptions {
    MigrationOptions(policy: .inferred(discarding: discarded, keepingAsUnknown: kept))
  }

  private func check<Model: MappedModel>(
    _ model: Model.Type, _ losses: [String: Int], keeping kept: [SchemaPart],
    discarding discarded: [SchemaPart], _ comment: Comment
  ) throws {
    let options = policy(discarded, kept)
    let plan = try database.plan(model, with: options)
    let named = Dictionary(plan.losses.map { ("\($0.part)", $0.count) }) { $1 }
    #expect(named == losses, comment)
    if !losses.isEmpty {
      let error = #expect(throws: StoreError.self, comment) {
        try database.open(model, with: options)
      }
      #expect(error?.code == .wouldLoseData, comment)
    }
    let store = try database.open(
      model, with: policy(discarded + plan.losses.map(\.part), kept))
    let adapter = JSONAdapter<Model>()
    let written = try store.fetch(ModelRequest<Model>()).map {
      Self.normalized(try adapter.value(from: $0))
    }
    #expect(Set(written) == Set(documents.values.map(Self.normalized)), comment)
    #expect(written.count == documents.count, comment)
    #expect(try database.plan(model).isEmpty, comment)
  }

  mutating func save(_ comment: Comment) throws {
    var saved: [JSONValue] = []
    for _ in 0..<random.below(3) {
      let id = 1 + random.below(6)
      let document = document(id: id)
      documents[id] = document
      saved.removeAll { $0["id"] == document["id"] }
      saved.append(document)
    }
    func save<A: VersionedValue, B: VersionedValue, C: VersionedValue>(
      _: A.Type, _: B.Type, _: C.Type
    ) throws {
      let adapter = JSONAdapter<Versioned<A, B, C>>()
      let models = try saved.map { try adapter.model(from: $0.data()) }
      try database.open(Versioned<A, B, C>.self).write { _ = try $0.save(models) }
    }
    try save(kinds[0].type, kinds[1].type, kinds[2].type)
  }

  /// A document without null elements at the end of arrays and without objects that
  /// only contain keys that are nil.
  private static func normalized(_ document: JSONValue) -> JSONValue {
    var document = document
    if document["meta"] == [:] { document["meta"] = nil }
    return document.withSortedMembers
  }
}

/// Keys come, go and come back with another type. No member of a document is lost
/// without being named in a plan.
@Suite struct RandomVersionTests {
  @Test(
    arguments: Campaign.seeds(
      from: "MOHO_VERSION_SEED", count: Campaign.count(short: 4, full: 300)))
  func noMemberIsLostWithoutBeingNamed(seed: UInt64) throws {
    var history = try VersionHistory(seed: seed)
    for version in 1...8 {
      try history.nextVersion("seed \(seed), version \(version), \(history.kinds)")
      try history.save("seed \(seed), version \(version)")
    }
    if Campaign.isFull { print("versions \(seed): \(history.counts)") }
  }
}
