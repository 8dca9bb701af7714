import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Refusal: Error {}

private struct Label: Sendable, Equatable {
  var text: String
}

extension Transform where Value == Label {
  /// A transform that cannot write an empty label.
  fileprivate static let label = Transform<Label>(
    .string, read: { Label(text: try $0.string(at: $1)) },
    write: { label, encoder, index in
      guard !label.text.isEmpty else { throw Refusal() }
      try encoder.encode(label.text, at: index)
    })
}

private struct Item: MappedModel, Equatable {
  var id: Int
  var code: Label

  static let mapping = Mapping(
    "Item", Item.init, .key("id", \.id, .unique), .key("code", \.code, .label))
}

/// A custom field value. An empty one cannot be written.
private struct Mark: FieldValue, Equatable {
  var text: String

  static let fieldType = FieldType.string

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Mark {
    Mark(text: try decoder.string(at: index))
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    guard !text.isEmpty else { throw Refusal() }
    try encoder.encode(text, at: index)
  }
}

private struct Marked: MappedModel {
  var mark: Mark

  static let mapping = Mapping("Marked", Marked.init, .key("mark", \.mark, .unique))
}

private struct Scribble: MappedModel, Equatable {
  var note = Label(text: "x")

  static let mapping = Mapping("Scribble", Scribble.init, .key("note", \.note, .label))
}

/// A model that is stored in a single row.
private struct Plain: MappedModel, Equatable {
  var id = 1
  var code = Label(text: "x")
  var labels: [Label] = []
  var byName: [String: Label] = [:]
  var parts: [Item] = []
  var part: Item?
  var inlined = Scribble()

  static let mapping = Mapping(
    "Plain", Plain.init,
    .key("id", \.id, .unique),
    .key("code", \.code, json: "a.b", .label),
    .key("labels", \.labels, Transform<Label>.label.array),
    .key("byName", \.byName, Transform<Label>.label.dictionary),
    .key("parts", \.parts, json: "x.parts"),
    .key("part", \.part),
    .inlined("inlined", \.inlined))

  static let failing: [(model: Plain, path: String, subject: String)] = {
    let label = Label(text: "")
    let items = [Item(id: 1, code: Label(text: "x")), Item(id: 2, code: label)]
    return [
      (Plain(code: label), "/code", "Plain.code"),
      (Plain(labels: [Label(text: "x"), label]), "/labels/1", "Plain.labels"),
      (Plain(byName: ["a": label]), "/byName/a", "Plain.byName"),
      (Plain(parts: items), "/parts/1/code", "Item.code"),
      (Plain(part: items[1]), "/part/code", "Item.code"),
      (Plain(inlined: Scribble(note: label)), "/inlined/note", "Scribble.note"),
    ]
  }()
}

/// A model with related models that are stored in rows of their own.
private struct Crate: MappedModel, Equatable {
  var id = 1
  var code = Label(text: "x")
  var labels: [Label] = []
  var items: [Item] = []
  var main: Item?

  static let mapping = Mapping(
    "Crate", Crate.init,
    .key("id", \.id, .unique),
    .key("code", \.code, .label),
    .key("labels", \.labels, Transform<Label>.label.array),
    .toMany("items", \.items),
    .toOne("main", \.main))

  static let failing: [(model: Crate, path: String, subject: String)] = {
    let label = Label(text: "")
    let items = [Item(id: 1, code: Label(text: "x")), Item(id: 2, code: label)]
    return [
      (Crate(code: label), "/code", "Crate.code"),
      (Crate(labels: [label]), "/labels/0", "Crate.labels"),
      (Crate(items: items), "/items/1/code", "Item.code"),
      (Crate(main: items[1]), "/main/code", "Item.code"),
    ]
  }()
}

/// Tests that a value that cannot be written causes one error with one path,
/// regardless of the destination.
@Suite(.allEngines) struct WritingFailureTests {
  private let store: ModelStore

  init() throws {
    store = try emptyStore(Plain.self, Crate.self, Item.self)
  }

  private func expectFailure(
    _ path: String, _ subject: String, _ body: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: MappingError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.underlying is Refusal, sourceLocation: sourceLocation)
    #expect(error?.path?.pointer == path, sourceLocation: sourceLocation)
    #expect(
      "\(error?.model ?? "").\(error?.key ?? "")" == subject, sourceLocation: sourceLocation)
  }

  private func expectEverywhere<Model: MappedModel>(
    _ model: Model, _ sound: Model, _ path: String, _ subject: String
  ) throws {
    expectFailure(path, subject) { _ = try store.write { try $0.save(model) } }
    expectFailure("/1" + path, subject) { _ = try store.write { try $0.save([sound, model]) } }
    expectFailure("/1" + path, subject) { _ = try store.plan(saving: [sound, model]) }
    try store.write { try $0.save(sound) }
    expectFailure("/0" + path, subject) { _ = try store.write { try $0.update([Partial(model)]) } }

    let context = EditingContext(store)
    let adapter = ManagedRowAdapter<Model>()
    let row = try adapter.row(from: sound, in: context)
    expectFailure(path, subject) { try adapter.row(from: model, in: context) }
    expectFailure("/1" + path, subject) { try adapter.rows(from: [sound, model], in: context) }
    expectFailure(path, subject) { try adapter.update(row, from: Partial(model)) }
  }

  @Test(arguments: Plain.failing.indices)
  func aModelInOneRowNamesTheKeyAndThePath(_ number: Int) throws {
    let (model, path, subject) = Plain.failing[number]

    try expectEverywhere(model, Plain(), path, subject)
  }

  @Test(arguments: Crate.failing.indices)
  func aModelInSeveralRowsNamesTheKeyAndThePath(_ number: Int) throws {
    let (model, path, subject) = Crate.failing[number]

    try expectEverywhere(model, Crate(), path, subject)
  }

  @Test func aValueThatIsSetNamesTheKeyAndThePath() throws {
    let context = EditingContext(store)
    let row = try ManagedRowAdapter<Plain>().row(from: Plain(), in: context)
    let label = Label(text: "")

    expectFailure("/code", "Plain.code") { try row.set(\Plain.code, to: label) }
    expectFailure("/labels/0", "Plain.labels") { try row.set(\Plain.labels, to: [label]) }
    expectFailure("/parts/0/code", "Item.code") {
      try row.set(\Plain.parts, to: [Item(id: 1, code: label)])
    }
    expectFailure("/parts/0/code", "Item.code") {
      try row.set("parts", to: [Item(id: 1, code: label)])
    }
  }

  @Test func aConditionOnAValueThatIsNotWrittenNamesTheKey() throws {
    let request = ModelRequest<Marked>().filter { $0.mark == Mark(text: "") }
    let store = try emptyStore(Marked.self)

    let error = #expect(throws: StoreError.self) { try store.fetch(request) }

    #expect(error?.code == .invalidRequest)
    #expect(error?.reason == #"invalid value: `Mark(text: "")` - `Marked.mark`: Refusal()"#)
  }

  @Test func errorsOfTheStoreStayThoseOfTheStore() throws {
    struct Odd: MappedModel {
      var id: Int
      var other: ModelReference<Item>

      static let mapping = Mapping(
        "Odd", Odd.init, .key("id", \.id, .unique), .toOne("other", \.other))
    }
    let store = try emptyStore(Odd.self, Item.self)

    #expect(throws: StoreError.self) {
      try store.write { try $0.save(Odd(id: 1, other: ModelReference(key: 5))) }
    }
  }
}
