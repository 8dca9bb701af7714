import Foundation
import MohoMapping
import Synchronization
import Testing

private struct Location: MappedModel, Equatable {
  var street: String
  var city: String
  var span: Extent

  init(city: String, street: String, span: Extent) {
    (self.city, self.street, self.span) = (city, street, span)
  }

  static let mapping = Mapping<Location>(
    "Location", Location.init(city:street:span:),
    .key("city", \.city), .key("street", \.street), .key("span", \.span))
}

private struct Task: Sendable {
  var author: ModelReference<Account>?
  var assignee: ModelReference<Account>?
}

private struct Triple: Sendable {
  var a, b, c: String
}

private struct Shown: Sendable {
  var isPlayed: Bool
  var isExpanded = false
}

private struct Mixed: Sendable {
  var title: String
  var summary: String?
}

private struct Bounds: Sendable {
  var lower, upper: Int

  init(_ one: Int, _ two: Int) { (lower, upper) = (min(one, two), max(one, two)) }
}

private struct Shelf: Sendable {
  var front, back: Unlisted
  var label: String?
  var note: String?
}

private struct Drawer: Sendable {
  var content: Unlisted
  var isFull: Bool
  var isOpen = false
  var isNew = true
}

@Suite struct ArgumentOrderTests {
  private func start(_ key: String, _ other: String) -> String {
    "`\(key)` is declared where the initializer takes `\(other)`"
  }

  @Test func aSoundInitializerWithAnotherOrderHasNoIssue() throws {
    #expect(Location.mapping.issues == [])
    #expect(Location.mapping.notes == [])

    let model = Location(city: "Reykjavík", street: "Laugavegur", span: Extent(start: 1, end: 2))
    let recorder = FieldRecorder()
    try Location.mapping.encode(model, to: recorder)
    #expect(try Location.mapping.model(from: ContentDecoder(recorder.contents)) == model)
  }

  @Test func aSwapOfStringsNextToANestedModelIsAnIssue() {
    let mapping = Mapping<Location>(
      "Location", { Location(city: $1, street: $0, span: $2) },
      .key("city", \.city), .key("street", \.street), .key("span", \.span))

    #expect(
      mapping.issues.map(\.description) == [
        "`city` is declared where the initializer takes `street`:"
          + " declare keys in the order of its arguments",
        "`street` is declared where the initializer takes `city`:"
          + " declare keys in the order of its arguments",
      ])
  }

  @Test func swappedOptionalReferencesAreFound() {
    let mapping = Mapping<Task>(
      "Task", Task.init, .toOne("assignee", \.assignee), .toOne("author", \.author))

    #expect(mapping.issues.count == 2)
  }

  @Test func rotatedKeysAreFound() {
    let mapping = Mapping<Triple>(
      "Triple", Triple.init, .key("b", \.b), .key("c", \.c), .key("a", \.a))

    #expect(mapping.issues.count == 3)
    #expect(mapping.issues.first?.description.hasPrefix(start("b", "a")) == true)
  }

  @Test func aSwapOfATransientPropertyAndAKeyIsAnIssue() {
    let mapping = Mapping<Shown>(
      "Shown", Shown.init, .transient(\.isExpanded, default: false), .key("isPlayed", \.isPlayed))

    #expect(mapping.issues.count == 2)
  }

  @Test func keysThatDifferOnlyInOptionalityAreCompared() {
    let mapping = Mapping<Mixed>(
      "Mixed",
      { (title: String?, summary: String?) in Mixed(title: title ?? "", summary: summary) },
      .key("summary", \.summary), .key("title", \.title))

    #expect(mapping.issues.count == 2)
  }

  @Test func anInitializerThatSortsItsArgumentsIsSound() {
    let ascending = Mapping<Bounds>(
      "Bounds", Bounds.init, .key("lower", \.lower), .key("upper", \.upper))
    let descending = Mapping<Bounds>(
      "Bounds", Bounds.init, .key("upper", \.upper), .key("lower", \.lower))

    #expect(ascending.issues == [])
    #expect(descending.issues == [])
  }

  @Test func anInitializerThatIgnoresADerivedKeyIsSound() {
    let mapping = Mapping<Mixed>(
      "Mixed", { (title: String, _: String) in Mixed(title: title) },
      .key("title", \.title), .key("again", \.title))

    #expect(mapping.issues == [])
  }

  @Test func keysWithoutSamplesAreNoted() {
    let mapping = Mapping<Shelf>(
      "Shelf", Shelf.init, .key("front", \.front), .key("back", \.back),
      .key("label", \.label), .key("note", \.note))

    #expect(mapping.issues == [])
    #expect(
      mapping.notes.map(\.description) == [
        "the order of `front`, `back` is checked when models are read:"
          + " there are no samples of `front`, `back`",
        "the order of `label`, `note` is checked when models are read:"
          + " there are no samples of `front`, `back`",
      ])
  }

  @Test func theFirstModelWithDifferentValuesShowsASwap() throws {
    let mapping = Mapping<Shelf>(
      "Shelf", Shelf.init, .key("back", \.back), .key("front", \.front),
      .key("label", \.label), .key("note", \.note))
    func decode(_ back: String, _ front: String) throws -> Shelf {
      try mapping.model(from: ContentDecoder([.string(back), .string(front), .null, .null]))
    }

    #expect(try decode("first", "first").front == .first)
    let error = #expect(throws: MappingError.self) { try decode("first", "second") }
    #expect(error?.code == .invalidDeclaration)
    #expect(error?.description.contains(start("back", "front")) == true)
    #expect(mapping.issues.count == 2)
    #expect(throws: MappingError.self) { try decode("first", "first") }
    #expect(throws: MappingError.self) {
      try mapping.encode(
        Shelf(front: .first, back: .first, label: nil, note: nil), to: FieldRecorder())
    }
  }

  @Test func aModelShowsASwapOfTransientPropertiesWithDifferentDefaults() {
    // The key without samples prevents a check of the others before a model is read.
    let mapping = Mapping<Drawer>(
      "Drawer", Drawer.init, .key("content", \.content), .key("isFull", \.isFull),
      .transient(\.isNew, default: true), .transient(\.isOpen, default: false))

    #expect(mapping.issues == [])
    let error = #expect(throws: MappingError.self) {
      try mapping.model(from: ContentDecoder([.string("first"), .bool(true), nil, nil]))
    }
    #expect(error?.code == .invalidDeclaration)
    #expect(mapping.issues.count == 2)
  }

  @Test func comparingEndsWhenTheOrderIsKnown() throws {
    let mapping = Mapping<Shelf>(
      "Shelf", Shelf.init, .key("front", \.front), .key("back", \.back),
      .key("label", \.label), .key("note", \.note))
    func reads(_ contents: [FieldContent]) throws -> Int {
      let decoder = ContentDecoder(contents)
      _ = try mapping.model(from: decoder)
      return decoder.reads
    }
    let equal: [FieldContent] = [.string("first"), .string("first"), .null, .null]
    let different: [FieldContent] = [.string("first"), .string("second"), .string("a"), .null]

    #expect(try reads(equal) == 4)
    #expect(try reads(different) > 4)
    #expect(try reads(different) == 3)
    #expect(try reads(equal) == 2)
  }

  @Test func repairsThatShowASwapWriteNothing() {
    let mapping = Mapping<Shelf>(
      "Shelf", Shelf.init, .key("back", \.back), .key("front", \.front),
      .key("label", \.label), .key("note", \.note)
    ).repairing(\.label) { $0 ?? "none" }

    let error = #expect(throws: MappingError.self) {
      try mapping.validated(Shelf(front: .first, back: .second, label: nil, note: nil))
    }
    #expect(error?.code == .invalidDeclaration)
  }

  @Test func anInitializerThatChangesItsArgumentsIsSound() throws {
    let mapping = Mapping<Mixed>(
      "Mixed",
      { (title: String, summary: String?) in
        Mixed(title: title.uppercased(), summary: summary?.uppercased())
      },
      .key("title", \.title), .key("summary", \.summary))

    #expect(mapping.issues == [])
    #expect(mapping.notes.count == 1)
    for _ in 0..<1_000 {
      _ = try mapping.model(from: ContentDecoder([.string("a"), .string("b")]))
    }
    let decoder = ContentDecoder([.string("a"), .string("b")])
    _ = try mapping.model(from: decoder)
    #expect(decoder.reads == 2)
  }

  @Test func aModelWithoutKeysOfTheSameTypeIsNotSampled() throws {
    let calls = Mutex(0)
    let mapping = Mapping<Account>(
      "Account",
      { (id: Int, name: String) in
        calls.withLock { $0 += 1 }
        return Account(id: id, name: name)
      }, .key("id", \.id), .key("name", \.name))

    #expect(mapping.issues == [])
    #expect(calls.withLock { $0 } == 0)
  }
}
