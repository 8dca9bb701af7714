import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Returns the positions of the models that errors are about, with the codes and keys of store
/// errors.
func failures(of error: any Error) -> [String] {
  switch error {
  case let error as MappingError: return error.errors.map { $0.path?.pointer ?? "none" }
  case let error as StoreError:
    return error.errors.map { error in
      guard let error = error as? StoreError else { return failures(of: error).joined() }
      return "\(error.path?.pointer ?? "none") \(error.code) \(error.keys.joined(separator: ","))"
    }
  default: return ["\(error)"]
  }
}

/// Returns the failures of a closure.
func failures<Result>(_ body: () throws -> Result) -> [String] {
  do {
    _ = try body()
    return []
  } catch {
    return failures(of: error)
  }
}

/// Tests that a call that saves several models reports the errors of all of them.
@Suite(.allEngines) struct CombinedErrorTests {
  struct Account: MappedModel, Equatable {
    var id: Int
    var code: String
    var level = 1
    var note = Note(text: "x")

    static let mapping = Mapping<Account>(
      "Account", Account.init,
      .key("id", \.id, .unique), .key("code", \.code, .unique), .key("level", \.level),
      .key("note", \.note)
    )
    .validating(\.code, "text") { !$0.isEmpty }
    .validating(\.level, "1 to 5") { (1...5).contains($0) }
  }

  /// A value that cannot be written if it is empty.
  struct Note: FieldValue, Equatable {
    struct Refusal: Error {}

    var text: String

    static let fieldType = FieldType.string

    static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Note {
      Note(text: try decoder.string(at: index))
    }

    func encode(to encoder: any FieldEncoder, at index: Int) throws {
      guard !text.isEmpty else { throw Refusal() }
      try encoder.encode(text, at: index)
    }
  }

  struct Draft: MappedModel, Equatable {
    var id: Int
    var first: Note
    var second: Note

    static let mapping = Mapping(
      "Draft", Draft.init,
      .key("id", \.id, .unique), .key("first", \.first), .key("second", \.second))
  }

  /// A model without a unique key.
  struct Entry: MappedModel, Equatable {
    var text: String

    static let mapping = Mapping("Entry", Entry.init, .key("text", \.text))
  }

  let store: ModelStore

  init() throws {
    store = try emptyStore(Account.self, Draft.self, Entry.self)
    try store.write { try $0.save(Account(id: 1, code: "a")) }
  }

  /// The ways to save models.
  private static let ways:
    [(name: String, save: @Sendable (StoreWriter, [Account]) throws -> Void)] = [
      ("array", { try $0.save($1) }),
      ("sequence", { try $0.save(AnySequence($1)) }),
      ("mirror", { try $0.save($1, mode: .mirror(ModelRequest(), deletingAtMost: 9)) }),
      ("plan", { _ = try $0.plan(saving: $1) }),
      (
        "fields",
        { writer, models in
          let items = models.map {
            #"{"id":\#($0.id),"code":"\#($0.code)","level":\#($0.level),"note":"x"}"#
          }
          let data = Data("[\(items.joined(separator: ","))]".utf8)
          try writer.save(decoding: JSONAdapter<Account>().fields(from: data))
        }
      ),
      ("new partial models", { try $0.upsert($1.map { Partial($0) }) }),
    ]

  @Test(arguments: ways.indices) func allInvalidModelsAreReported(way: Int) throws {
    let models = [
      Account(id: 5, code: "", level: 9), Account(id: 6, code: "f"),
      Account(id: 7, code: "g", level: 0),
    ]
    let before = try store.dump()

    let found = failures { try store.write { try Self.ways[way].save($0, models) } }

    #expect(found == ["/0/code", "/0/level", "/2/level"], "\(Self.ways[way].name)")
    #expect(try store.dump() == before)
  }

  @Test(arguments: ways.indices) func allRowsThatViolateAConstraintAreReported(way: Int) throws {
    let models = ["a", "b", "a", "b", "c"].enumerated().map { Account(id: $0 + 2, code: $1) }
    let before = try store.dump()

    let error = #expect(throws: StoreError.self) {
      try store.write { try Self.ways[way].save($0, models) }
    }

    let name = Self.ways[way].name
    #expect(error?.code == .notUnique, "\(name)")
    #expect(error?.keys == ["code"], "\(name)")
    let expected = ["/0 not unique code", "/2 not unique code", "/3 not unique code"]
    #expect(error.map { failures(of: $0) } == expected, "\(name)")
    #expect(
      error?.description
        == "not unique: `Account.code` already exists - `Account` 2, `Account` 4, `Account` 5",
      "\(name)")
    #expect(try store.dump() == before)
  }

  @Test func invalidModelsAndConstraintsAreReportedTogether() throws {
    let models = [
      Account(id: 2, code: "a"), Account(id: 3, code: "b", level: 6), Account(id: 4, code: "a"),
    ]

    let error = #expect(throws: StoreError.self) { try store.write { try $0.save(models) } }

    let expected = ["/0 not unique code", "/1/level", "/2 not unique code"]
    #expect(error.map { failures(of: $0) } == expected)
    #expect(
      error?.description == """
        not unique: `Account.code` already exists - `Account` 2, `Account` 4
        failed validation: number 6, expected 1 to 5 - `Account.level` at /1/level
        """)
  }

  @Test func allValuesOfAModelThatCannotBeWrittenAreReported() throws {
    let empty = Note(text: "")
    let drafts = [
      Draft(id: 1, first: empty, second: empty),
      Draft(id: 2, first: Note(text: "x"), second: empty),
    ]
    let paths = ["/0/first", "/0/second", "/1/second"]

    #expect(failures { try store.write { try $0.save(drafts) } } == paths)
    #expect(failures { try store.write { try $0.save(drafts[0]) } } == ["/first", "/second"])
    #expect(
      failures { try store.write { try $0.update(drafts.map { Partial($0) }) } } == paths)
    #expect(
      failures {
        try ManagedRowAdapter<Draft>().rows(from: drafts, in: EditingContext(store))
      } == paths)
  }

  @Test func aRowWithoutAUniqueKeyIsNamedByItsPosition() throws {
    try store.refuseInsertions(into: "Entry")

    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.save([Entry(text: "a"), Entry(text: "b")]) }
    }

    let errors = error?.errors.compactMap { $0 as? StoreError }
    #expect(errors?.map(\.subject) == ["`Entry` at /0", "`Entry` at /1"])
    #expect(errors?.map { $0.path?.pointer } == ["/0", "/1"])
  }

  @Test func aCallEndsAfterAHundredErrors() throws {
    try store.refuseInsertions(into: "Entry")
    let entries = (0..<150).map { Entry(text: "\($0)") }
    let invalid = (0..<150).map { Account(id: $0 + 2, code: "") }

    let error = #expect(throws: StoreError.self) { try store.write { try $0.save(entries) } }
    let other = #expect(throws: MappingError.self) { try store.write { try $0.save(invalid) } }

    #expect(error?.errors.count == 100)
    #expect(error?.description.hasSuffix("`Entry` at /4, and 95 more") == true)
    #expect(other?.errors.count == 100)
  }

  @Test func aTransactionThatCatchesTheErrorsGoesOn() throws {
    try store.write { writer in
      try writer.save(Account(id: 2, code: "b"))
      let models = ["c", "a", "", "b", "d"].enumerated().map { Account(id: $0 + 3, code: $1) }
      #expect(
        failures { try writer.save(models) }
          == ["/1 not unique code", "/2/code", "/3 not unique code"])
      try writer.save(Account(id: 3, code: "c"))
    }

    #expect(
      try store.fetch(ModelRequest<Account>().order(by: \.id)).map(\.code) == ["a", "b", "c"])
  }

  @Test func partialModelsOfStoredRowsAreReported() throws {
    try store.write {
      try $0.save([
        Account(id: 2, code: "b"), Account(id: 3, code: "c"), Account(id: 4, code: "d"),
      ])
    }
    func change(_ id: Int, _ code: String, level: Int? = nil) -> Partial<Account> {
      var partial = Partial<Account>()
      partial[\.id] = id
      partial[\.code] = code
      if let level { partial[\.level] = level }
      return partial
    }
    let changes = [
      change(2, "a"), change(3, "", level: 9), change(4, "e"), change(9, "x"), change(3, "a"),
    ]
    let before = try store.dump()
    let expected = ["/0 not unique code", "/1/code", "/1/level", "/4 not unique code"]

    #expect(failures { try store.write { try $0.update(changes) } } == expected)
    var new = change(9, "a", level: 9)
    new[\.note] = Note(text: "x")
    let all = changes[..<3] + [changes[4], new]
    let saved = ["/0 not unique code", "/1/code", "/1/level", "/3 not unique code", "/4/level"]
    #expect(failures { try store.write { try $0.upsert(all) } } == saved)
    #expect(try store.dump() == before)
  }

  /// The oracle saves the models one by one.
  @Test(arguments: 0..<20) func theErrorsAreThoseOfSingleModels(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let models = (0..<(1 + random.below(60))).map { number in
      Account(
        id: number + 2, code: "\(random.below(40) - 1)".replacing("-1", with: ""),
        level: random.oneIn(8) ? 6 : 1)
    }
    let oracle = try emptyStore(Account.self, Draft.self, Entry.self)
    var expected: [String] = []
    try oracle.write { writer in
      for (index, model) in models.enumerated() {
        do {
          try writer.save(model)
        } catch let error as MappingError {
          expected += error.errors.map { "/\(index)\($0.path?.pointer ?? "")" }
        } catch let error as StoreError {
          expected.append("/\(index) \(error.code) \(error.keys.joined(separator: ","))")
        }
      }
    }
    // The store has no row with a code of these models.
    let found = failures { try store.write { try $0.save(models) } }

    #expect(found == expected, "seed \(seed)")
  }
}
