import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import Testing

/// Unknown members beside keys in an object, in the order of the document.
private struct OpenNote: MappedModel, Equatable {
  var id: Int
  var title: String?
  var count: Int?
  var others: JSONValue

  static let mapping = Mapping(
    "OpenNote", OpenNote.init, .key("id", \.id, .unique),
    .key("title", \.title, json: "meta.title"), .key("count", \.count),
    .unknown("others", \.others))
}

/// Unknown members in a dictionary, with a relation.
private struct LinkedNote: MappedModel, Equatable {
  var id: Int
  var title: String?
  var count: Int?
  var others: [String: JSONValue]
  var next: ModelReference<OpenNote>?

  static let mapping = Mapping(
    "LinkedNote", LinkedNote.init, .key("id", \.id, .unique),
    .key("title", \.title, json: "meta.title"), .key("count", \.count),
    .unknown("others", \.others), .toOne("next", \.next))
}

/// Unknown members that an inlined model receives.
private struct NoteMembers: MappedModel, Equatable {
  var count: Int?
  var others: [String: JSONValue]

  static let mapping = Mapping(
    "NoteMembers", NoteMembers.init, .key("count", \.count), .unknown("others", \.others))
}

private struct InlinedNote: MappedModel, Equatable {
  var id: Int
  var members: NoteMembers

  static let mapping = Mapping(
    "InlinedNote", InlinedNote.init, .key("id", \.id, .unique),
    .inlined("members", \.members, default: NoteMembers(others: [:])))
}

/// Documents as plain JSON, changed by merge patches as RFC 7396 defines them.
private struct PatchedDocuments {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The function `MergePatch` of RFC 7396.
  static func merge(_ target: JSONValue?, _ patch: JSONValue) -> JSONValue {
    guard case .object(let members) = patch else { return patch }
    var result: JSONValue = [:]
    if case .object? = target { result = target ?? [:] }
    for member in members {
      if member.value == .null {
        result[member.key] = nil
      } else {
        result[member.key] = merge(result[member.key], member.value)
      }
    }
    return result
  }

  /// A document without members that models omit: keys that are nil, and their
  /// object if it is empty. Members are sorted.
  static func normalized(_ document: JSONValue) -> JSONValue {
    var document = document
    if document["count"] == .null { document["count"] = nil }
    if document["next"] == .null { document["next"] = nil }
    if var meta = document["meta"] {
      if meta["title"] == .null { meta["title"] = nil }
      document["meta"] = meta
      if meta == [:] || meta == .null { document["meta"] = nil }
    }
    return sorted(document)
  }

  private static func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        members.map { JSONValue.Member($0.key, sorted($0.value)) }.sorted { $0.key < $1.key })
    case .array(let elements): .array(elements.map(sorted))
    default: value
    }
  }

  /// A document with keys and other members, or a patch of it.
  mutating func object(id: Int, isPatch: Bool) -> JSONValue {
    var object = members(depth: 2, isPatch: isPatch)
    object["id"] = .integer(Int64(id))
    if random.below(2) == 0 { object["count"] = scalar(isPatch, .integer(Int64(random.below(9)))) }
    if isPatch, random.oneIn(8) {
      object["meta"] = .null
    } else if random.below(2) == 0 {
      var meta = members(depth: 1, isPatch: isPatch)
      if random.below(2) == 0 { meta["title"] = scalar(isPatch, .string("t\(random.below(9))")) }
      object["meta"] = meta
    }
    return object
  }

  private mutating func scalar(_ isPatch: Bool, _ value: JSONValue) -> JSONValue {
    isPatch && random.oneIn(3) ? .null : value
  }

  private mutating func members(depth: Int, isPatch: Bool) -> JSONValue {
    var object: JSONValue = [:]
    for _ in 0..<random.below(4) {
      object[["a", "b", "a.b", "é", ""][random.below(5)]] = value(depth: depth, isPatch: isPatch)
    }
    return object
  }

  private mutating func value(depth: Int, isPatch: Bool) -> JSONValue {
    switch random.below(depth > 0 ? 7 : 4) {
    // Only documents without null can be expressed as differences.
    case 0: isPatch ? .null : .bool(true)
    case 1: .integer(Int64(random.below(9)))
    case 2: .string("s")
    case 3: .array([.integer(Int64(random.below(3))), .null])
    default: members(depth: depth - 1, isPatch: isPatch)
    }
  }
}

@Suite struct MergePatchStoreTests {
  private func adapter<Model: MappedModel>(_: Model.Type) -> JSONAdapter<Model> { JSONAdapter() }

  @Test func absentUnknownMembersStayInTheRow() throws {
    let store = try emptyStore(OpenNote.self)
    let adapter = adapter(OpenNote.self)
    let note = try adapter.model(from: #"{"id":1,"pinned":true,"x":1,"o":{"a":1}}"#)
    try store.write { try $0.save(note) }

    let patch = try adapter.partial(from: #"{"id":1,"x":2,"o":{"b":2}}"#)
    let report = try store.write { try $0.update([patch]) }

    #expect(report == SaveReport(updated: 1))
    let stored = try store.fetch(ModelRequest<OpenNote>())
    #expect(stored.map(\.others) == [["pinned": true, "x": 2, "o": ["a": 1, "b": 2]]])
    #expect(try store.write { try $0.update([patch]) } == SaveReport(unchanged: 1))
    let null = try adapter.partial(from: #"{"id":1,"x":null}"#)
    #expect(try store.write { try $0.save(null) } == SaveReport(updated: 1))
    #expect(
      try store.fetch(ModelRequest<OpenNote>()).map(\.others)
        == [["pinned": true, "o": ["a": 1, "b": 2]]])
  }

  /// Partial models change stored documents as plain JSON is changed.
  @Test(
    arguments: Campaign.seeds(from: "MOHO_PATCH_SEED", count: Campaign.count(short: 4, full: 200)))
  func documentsFollowTheirPatches(seed: UInt64) throws {
    try check(OpenNote.self, id: \.id, seed)
    try check(LinkedNote.self, id: \.id, seed)
    try check(InlinedNote.self, id: \.id, seed)
  }

  private func check<Model: MappedModel & Equatable>(
    _ model: Model.Type, id: any KeyPath<Model, Int> & Sendable, _ seed: UInt64
  ) throws {
    let store = try emptyStore(Model.self)
    let adapter = JSONAdapter<Model>()
    var documents = PatchedDocuments(seed: seed)
    var expected: [Int: JSONValue] = [:]
    for step in 0..<12 {
      let ids = (0..<1 + documents.random.below(3)).map { _ in 1 + documents.random.below(3) }
      var patches = ids.map { documents.object(id: $0, isPatch: true) }
      let way = documents.random.below(6)
      let comment: Comment = "\(Model.self), seed \(seed), step \(step), way \(way): \(patches)"
      if way == 5 {
        patches = [documents.object(id: ids[0], isPatch: false)]
      }
      try change(store, adapter, id, patches, way, comment, expected)
      for (id, patch) in zip(ids, patches) {
        guard way == 1 || expected[id] != nil else { continue }
        if way == 5 {
          expected[id] = patch
        } else {
          expected[id] = PatchedDocuments.merge(expected[id] ?? [:], patch)
        }
      }
      let stored = try store.fetch(ModelRequest<Model>())
      let found = try stored.map { PatchedDocuments.normalized(try adapter.value(from: $0)) }
      let wanted = expected.values.map { PatchedDocuments.normalized($0) }
      #expect(Set(found) == Set(wanted), comment)
    }
  }

  private func change<Model: MappedModel & Equatable>(
    _ store: ModelStore, _ adapter: JSONAdapter<Model>, _ id: any KeyPath<Model, Int> & Sendable,
    _ patches: [JSONValue], _ way: Int, _ comment: Comment, _ expected: [Int: JSONValue]
  ) throws {
    let partials = try patches.map { try adapter.partial(from: $0.data()) }
    func key(of partial: Partial<Model>) -> Int {
      let key: Int? = partial[id]
      return key ?? 0
    }
    switch way {
    case 0: try store.write { _ = try $0.update(partials) }
    case 1: try store.write { _ = try $0.save(partials) }
    case 2:
      let context = EditingContext(store)
      for partial in partials {
        for row in try context.fetch(ModelRequest<Model>()) {
          if try row.model()[keyPath: id] == key(of: partial) { try row.update(from: partial) }
        }
      }
      try context.save()
    case 3:
      // Merged in memory, and then applied.
      for (key, group) in Dictionary(grouping: partials, by: key(of:)) {
        let merged = group.dropFirst().reduce(group[0]) { $0.merging($1) }
        let models = try store.fetch(ModelRequest<Model>()).filter { $0[keyPath: id] == key }
        try store.write { _ = try $0.save(models.map { merged.applied(to: $0) }) }
        #expect(
          models.map { merged.applied(to: $0) }
            == models.map { model in group.reduce(model) { $1.applied(to: $0) } }, comment)
      }
    case 4:
      let merged = Dictionary(grouping: partials, by: key(of:)).values.map { group in
        group.dropFirst().reduce(group[0]) { $0.merging($1) }
      }
      try store.write { _ = try $0.update(merged) }
    default:
      // The difference to another document leads to it.
      let new = try adapter.model(from: patches[0].data())
      for old in try store.fetch(ModelRequest<Model>()) where old[keyPath: id] == new[keyPath: id] {
        var difference = try adapter.partial(from: adapter.mergePatch(from: old, to: new))
        #expect(Partial(from: old, to: new).applied(to: old) == new, comment)
        difference = Partial(new, only: id).merging(difference)
        try store.write { _ = try $0.update([difference]) }
      }
    }
  }
}
