import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Unknown members beside keys in an object and an array, in the order of the document.
private struct OpenNote: MappedModel, Equatable {
  var id: Int
  var title: String?
  var count: Int?
  var tag: String?
  var others: JSONValue

  static let mapping = Mapping(
    "OpenNote", OpenNote.init, .key("id", \.id, .unique),
    .key("title", \.title, json: "meta.title"), .key("count", \.count),
    .key("tag", \.tag, json: "tags[1]"), .unknown("others", \.others))
}

/// Unknown members in a dictionary, with a relation.
private struct LinkedNote: MappedModel, Equatable {
  var id: Int
  var title: String?
  var count: Int?
  var tag: String?
  var others: [String: JSONValue]
  var next: ModelReference<OpenNote>?

  static let mapping = Mapping(
    "LinkedNote", LinkedNote.init, .key("id", \.id, .unique),
    .key("title", \.title, json: "meta.title"), .key("count", \.count),
    .key("tag", \.tag, json: "tags[1]"), .unknown("others", \.others), .toOne("next", \.next))
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
  var title: String?
  var members: NoteMembers
  var tag: String?

  static let mapping = Mapping(
    "InlinedNote", InlinedNote.init, .key("id", \.id, .unique),
    .key("title", \.title, json: "meta.title"),
    .inlined("members", \.members, default: NoteMembers(others: [:])),
    .key("tag", \.tag, json: "tags[1]"))
}

/// A model with a key that cannot write the text `bad`.
private struct NamedNote: MappedModel {
  var name: String
  var others: [String: JSONValue]
  var next: ModelReference<OpenNote>?

  static let mapping = Mapping(
    "NamedNote", NamedNote.init,
    .key(
      "name", \.name,
      Transform<String>.standard.map(
        to: { $0 },
        from: { name in
          if name == "bad" { throw CancellationError() }
          return name
        }), .unique), .unknown("others", \.others), .toOne("next", \.next))
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
  /// object or array if it is empty. Members are sorted.
  static func normalized(_ document: JSONValue) -> JSONValue {
    var document = document
    if case .array(var tags)? = document["tags"] {
      // Null before another element is padding.
      if tags.count == 2, tags[1] == .null { tags = tags[0] == .null ? [] : [tags[0]] }
      document["tags"] = .array(tags)
    }
    if document["tags"] == .array([JSONValue]()) || document["tags"] == .null {
      document["tags"] = nil
    }
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
      object["tags"] = .null
    } else if random.below(2) == 0 {
      object["tags"] = .array((0..<random.below(5)).map { tag(at: $0) })
    }
    if isPatch, random.oneIn(8) {
      object["meta"] = .null
    } else if random.below(2) == 0 {
      var meta = members(depth: 1, isPatch: isPatch)
      if random.below(2) == 0 { meta["title"] = scalar(isPatch, .string("t\(random.below(9))")) }
      object["meta"] = meta
    }
    return object
  }

  /// An element of an array, in which null is a value.
  private mutating func tag(at index: Int) -> JSONValue {
    if random.oneIn(4) { return .null }
    return index == 1 ? .string("t\(random.below(9))") : value(depth: 1, isPatch: true)
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

@Suite(.allEngines) struct MergePatchStoreTests {
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
    #expect(try store.write { try $0.upsert(null) } == SaveReport(updated: 1))
    #expect(
      try store.fetch(ModelRequest<OpenNote>()).map(\.others)
        == [["pinned": true, "o": ["a": 1, "b": 2]]])
  }

  @Test(arguments: ["", #","next":null"#])
  func anErrorNamesThePositionOfThePartialModelOnce(relation: String) throws {
    let store = try emptyStore(NamedNote.self)
    let adapter = adapter(NamedNote.self)
    let patches = try ["good", "bad"].map {
      try adapter.partial(from: #"{"name":"\#($0)","x":1\#(relation)}"#)
    }

    let error = #expect(throws: MappingError.self) { try store.write { try $0.update(patches) } }

    let path = try #require(error?.path)
    #expect("\(path)".split(separator: "[").count == 1 && "\(path)".hasPrefix("[1]"), "\(path)")
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
      var ids = (0..<1 + documents.random.below(3)).map { _ in 1 + documents.random.below(3) }
      var patches = ids.map { documents.object(id: $0, isPatch: true) }
      let way = documents.random.below(7)
      let comment: Comment = "\(Model.self), seed \(seed), step \(step), way \(way): \(patches)"
      if way >= 5 {
        patches = [patches[0], documents.object(id: ids[0], isPatch: false)]
      }
      if way == 6 {
        patches[1] = try difference(store, adapter, id, to: patches[1], after: patches[0], comment)
        ids = [ids[0], ids[0]]
      } else {
        if way == 5 { patches.removeFirst() }
        try change(store, adapter, id, patches, way, comment, expected)
      }
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

  /// Updates a row with the difference of its former document to another one, after
  /// another change of the row. Returns the difference as a merge patch.
  private func difference<Model: MappedModel & Equatable>(
    _ store: ModelStore, _ adapter: JSONAdapter<Model>, _ id: any KeyPath<Model, Int> & Sendable,
    to document: JSONValue, after concurrent: JSONValue, _ comment: Comment
  ) throws -> JSONValue {
    let new = try adapter.model(from: document.data())
    func row() throws -> Model? {
      try store.fetch(ModelRequest<Model>()).first { $0[keyPath: id] == new[keyPath: id] }
    }
    guard let old = try row() else { return [:] }
    let patch = try adapter.mergePatch(from: old, to: new)
    let read = try adapter.partial(from: patch)
    try store.write { _ = try $0.update([adapter.partial(from: concurrent.data())]) }
    // A patch replaces whole arrays, and a difference in memory changes elements.
    if let changed = try row(),
      try adapter.value(from: old)["tags"] == adapter.value(from: new)["tags"]
    {
      let models = [Partial(from: old, to: new).applied(to: changed), read.applied(to: changed)]
      let values = try models.map { PatchedDocuments.normalized(try adapter.value(from: $0)) }
      #expect(values[0] == values[1], comment)
    }
    try store.write { _ = try $0.update([Partial(new, only: id).merging(read)]) }
    return try JSONDocument(parsing: patch).value() ?? [:]
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
    case 1: try store.write { _ = try $0.upsert(partials) }
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
