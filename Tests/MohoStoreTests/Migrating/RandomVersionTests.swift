import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// A store whose versions are opened in turn, and the documents that were saved.
private struct VersionHistory {
  let database: MigratedStore
  var random: SeededGenerator
  var kinds: [VersionedKind] = [.undeclared, .undeclared, .undeclared]
  /// Whether the current version declares the other name of each key.
  var isRenamed = [false, false, false]
  var documents: [Int: JSONValue] = [:]
  /// The declared migrations of all versions.
  var migrations: [Migration] = []
  var counts = (versions: 0, taken: 0, kept: 0, lost: 0, renamed: 0, transformed: 0)

  init(seed: UInt64) throws {
    database = try MigratedStore()
    random = SeededGenerator(seed: seed)
  }

  private func name(_ slot: Int) -> any KeyNaming.Type {
    isRenamed[slot] ? OtherName.self : FormerName.self
  }

  private func part(_ slot: Int) -> SchemaPart {
    .key(name(slot).name(["a", "b", "c"][slot]), of: "Versioned")
  }

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

  /// The document with another value of a key that is not in an array.
  private static func setting(
    _ slot: Int, to value: JSONValue, in document: JSONValue
  ) -> JSONValue {
    var document = document
    if slot == 0 {
      document["a"] = value
    } else {
      var meta = document["meta"] ?? [:]
      meta["b"] = value
      document["meta"] = meta
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

  private mutating func value(_ kind: VersionedKind) -> JSONValue {
    switch kind {
    case .undeclared:
      value(VersionedKind.allCases.dropFirst()[1 + random.below(VersionedKind.allCases.count - 1)])
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
        ? VersionedKind.allCases[random.below(VersionedKind.allCases.count)] : .undeclared
    }
    var losses: [String: Int] = [:]
    var steps: [(inout MigrationSteps) -> Void] = []
    let transformed = transform(old, &steps, &losses)
    if !steps.isEmpty {
      let name = "version \(counts.versions)"
      migrations.append(Migration(name) { for step in steps { step(&$0) } })
    }
    var kept: [SchemaPart] = []
    var discarded: [SchemaPart] = []
    for slot in kinds.indices where old[slot] != .undeclared && kinds[slot] == .undeclared {
      let part = part(slot)
      if random.oneIn(4) {
        discarded.append(part)
        documents = documents.mapValues { Self.removing(slot, from: $0) }
      } else {
        kept.append(part)
        counts.kept += documents.values.filter { Self.value(slot, in: $0) != nil }.count
      }
    }
    let renamings = rename(old)
    // What a new key cannot read must be named with its count.
    for slot in kinds.indices where old[slot] == .undeclared && kinds[slot] != .undeclared {
      for (id, document) in documents where transformed[slot]?.contains(id) != true {
        guard let value = Self.value(slot, in: document) else { continue }
        guard !kinds[slot].reads(value) else {
          counts.taken += 1
          continue
        }
        losses["\(part(slot))", default: 0] += 1
        documents[id] = Self.removing(slot, from: document)
        counts.lost += 1
      }
    }
    counts.versions += 1
    try withModel { model in
      try check(
        model, losses, renamings, keeping: kept, discarding: discarded,
        "\(comment), \(renamings), \(migrations.last?.plan.map(\.summary) ?? [])")
    }
  }

  /// Renames keys that stay declared.
  private mutating func rename(_ old: [VersionedKind]) -> [Renaming] {
    var renamings: [Renaming] = []
    for slot in kinds.indices where kinds[slot] != .undeclared {
      guard old[slot] != .undeclared, random.oneIn(3) else { continue }
      let former = part(slot).key ?? ""
      isRenamed[slot].toggle()
      renamings.append(Renaming(key: part(slot).key ?? "", of: "Versioned", from: former))
      counts.renamed += 1
    }
    return renamings
  }

  /// Transforms values of keys that stay declared, in place or into a new key.
  ///
  /// - Returns: The documents with transformed values of new keys, by key.
  private mutating func transform(
    _ old: [VersionedKind], _ steps: inout [(inout MigrationSteps) -> Void],
    _ losses: inout [String: Int]
  ) -> [Int: Set<Int>] {
    var transformed: [Int: Set<Int>] = [:]
    for slot in kinds.indices where old[slot] == .undeclared && kinds[slot] != .undeclared {
      isRenamed[slot] = random.oneIn(2)
    }
    for source in kinds.indices where old[source] == kinds[source] && kinds[source].isTransformable
    {
      guard random.oneIn(3) else { continue }
      counts.transformed += 1
      let (key, transform) = (part(source).key ?? "", kinds[source].transform)
      let target = kinds.indices.first { slot in
        slot < 2 && old[slot] == .undeclared && kinds[slot] != .undeclared
          && transformed[slot] == nil
      }
      guard let target, random.oneIn(2) else {
        steps.append { $0.transform(key, of: "Versioned", transform) }
        for (id, document) in documents {
          guard let value = Self.value(source, in: document) else { continue }
          documents[id] = Self.replacing(source, by: VersionedKind.transformed(value), in: document)
        }
        continue
      }
      kinds[target] = kinds[source]
      let newKey = part(target).key
      steps.append { $0.transform(key, of: "Versioned", into: newKey, transform) }
      transformed[target] = []
      for (id, document) in documents {
        guard let value = Self.value(source, in: document) else { continue }
        if Self.value(target, in: document) != nil {
          losses["\(part(target))", default: 0] += 1
          counts.lost += 1
        }
        transformed[target]?.insert(id)
        documents[id] = Self.setting(target, to: VersionedKind.transformed(value), in: document)
      }
    }
    return transformed
  }

  /// The document with another value of a key that has a value.
  private static func replacing(
    _ slot: Int, by value: JSONValue, in document: JSONValue
  ) -> JSONValue {
    guard slot == 2 else { return setting(slot, to: value, in: document) }
    var document = document
    if case .array(var elements)? = document["tags"], elements.count > 1 {
      elements[1] = value
      document["tags"] = .array(elements)
    }
    return document
  }

  /// Calls a closure with the model of the current version.
  private func withModel(_ body: (any MappedModel.Type) throws -> Void) throws {
    func open<
      A: VersionedValue, B: VersionedValue, C: VersionedValue, NameA: KeyNaming,
      NameB: KeyNaming, NameC: KeyNaming
    >(
      _: A.Type, _: B.Type, _: C.Type, _: NameA.Type, _: NameB.Type, _: NameC.Type
    ) throws {
      try body(Versioned<A, B, C, NameA, NameB, NameC>.self)
    }
    try open(kinds[0].type, kinds[1].type, kinds[2].type, name(0), name(1), name(2))
  }

  private func check<Model: MappedModel>(
    _ model: Model.Type, _ losses: [String: Int], _ renamings: [Renaming],
    keeping kept: [SchemaPart], discarding discarded: [SchemaPart], _ comment: Comment
  ) throws {
    func policy(_ discarded: [SchemaPart], _ kept: [SchemaPart]) -> MigrationOptions {
      MigrationOptions(
        policy: .inferred(discarding: discarded, keepingAsUnknown: kept), renamings: renamings,
        migrations: migrations)
    }
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
    #expect(
      try database.plan(model, with: MigrationOptions(migrations: migrations)).isEmpty, comment)
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
    func save<Model: MappedModel>(_ model: Model.Type) throws {
      let adapter = JSONAdapter<Model>()
      let models = try saved.map { try adapter.model(from: $0.data()) }
      let store = try database.open(model, with: MigrationOptions(migrations: migrations))
      try store.write { _ = try $0.save(models) }
    }
    try withModel { try save($0) }
  }

  /// A document without null elements at the end of arrays and without objects that
  /// only contain keys that are nil.
  private static func normalized(_ document: JSONValue) -> JSONValue {
    var document = document
    if document["meta"] == [:] { document["meta"] = nil }
    return document.withSortedMembers
  }
}

/// Keys come, go and come back with another type and another name, and their values are
/// transformed. No member of a document is lost without being named in a plan.
@Suite(.allEngines) struct RandomVersionTests {
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
