import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// How often something occurred in the versions of a store.
struct VersionCounts {
  var versions = 0
  /// Values that new keys took out of the unknown members.
  var taken = 0
  /// Values that became unknown members.
  var kept = 0
  var lost = 0
  var renamed = 0
  var transformed = 0
  /// Values that got another type.
  var converted = 0
  /// Older versions that opened the store.
  var reopened = 0
  /// Older versions that the store refused.
  var refused = 0
}

/// A store whose versions are opened in turn, and the documents that were saved.
struct VersionHistory {
  let database: MigratedStore
  var random: SeededGenerator
  var kinds: [VersionedKind] = [.undeclared, .undeclared, .undeclared]
  /// Whether the current version declares the other name of each key.
  var isRenamed = [false, false, false]
  var documents: [Int: JSONValue] = [:]
  /// The declared migrations of all versions.
  var migrations: [Migration] = []
  /// Whether the versions are numbered.
  let isNumbered: Bool
  /// The declarations of the versions before the current one.
  var former: [FormerVersion] = []
  var counts = VersionCounts()

  /// What a version declared.
  struct FormerVersion {
    let number: Int
    let kinds: [VersionedKind]
    let isRenamed: [Bool]
    let migrationCount: Int
  }

  init(seed: UInt64) throws {
    database = try MigratedStore()
    random = SeededGenerator(seed: seed)
    isNumbered = random.oneIn(3)
  }

  /// The options of the current version.
  func options(
    _ policy: MigrationPolicy = .inferred, _ renamings: [Renaming] = []
  ) -> MigrationOptions {
    MigrationOptions(
      policy: policy, renamings: renamings, migrations: migrations,
      version: isNumbered ? counts.versions : 0)
  }

  func name(_ slot: Int) -> any KeyNaming.Type {
    isRenamed[slot] ? OtherName.self : FormerName.self
  }

  func part(_ slot: Int) -> SchemaPart {
    .key(name(slot).name(["a", "b", "c"][slot]), of: "Versioned")
  }

  /// The value of a key in a document.
  static func value(_ slot: Int, in document: JSONValue) -> JSONValue? {
    let value =
      slot == 0 ? document["a"] : slot == 1 ? document["meta"]?["b"] : document["tags"]?[1]
    return value == .null ? nil : value
  }

  /// The document with another value of a key, or without it. An element of an array
  /// becomes null instead, and an array that lacks it stays as it is.
  static func setting(_ slot: Int, to value: JSONValue?, in document: JSONValue) -> JSONValue {
    var document = document
    switch slot {
    case 0: document["a"] = value
    case 1:
      var meta = document["meta"]
      if value != nil { meta = meta ?? [:] }
      meta?["b"] = value
      document["meta"] = meta
    default:
      if case .array(var elements)? = document["tags"], elements.count > 1 {
        elements[1] = value ?? .null
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

  /// Calls a closure with the model of the current version.
  func withModel(_ body: (any MappedModel.Type) throws -> Void) throws {
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

  /// Expects that a store contains the documents.
  func expectDocuments<Model: MappedModel>(
    _ store: ModelStore, _ model: Model.Type, _ comment: Comment
  ) throws {
    let adapter = JSONAdapter<Model>()
    let written = try store.fetch(ModelRequest<Model>()).map {
      Self.normalized(try adapter.value(from: $0))
    }
    #expect(Set(written) == Set(documents.values.map(Self.normalized)), comment)
    #expect(written.count == documents.count, comment)
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
      let store = try database.open(model, with: options())
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
