import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Tests that a single error reports all invalid keys of a row, each one once.
@Suite(.allEngines) struct ContextFailureTests {
  @Test func aValueOfAnotherTypeIsRefusedWhenItIsSet() throws {
    let store = try emptyStore(Rated.self)
    let row = try EditingContext(store).insert(Rated.self).row
    try row.set("name", to: "five stars")

    let error = #expect(throws: MappingError.self) { try row.set("name", to: 5) }

    #expect(
      error?.description
        == "invalid type: number 5, expected string - `Rated.name` at /name")
    #expect(try row["name"] == .string("five stars"))
    #expect(throws: MappingError.self) { try row.set("stars", to: "five") }
    try row.set("stars", to: FieldContent.null)
  }

  @Test func aMissingValueHidesNoFailedRule() throws {
    let store = try emptyStore(Rated.self)
    let context = EditingContext(store)
    let row = try context.insert(Rated.self).row
    try row.set("name", to: FieldContent.null)
    try row.set("stars", to: 9)
    try row.set("kind", to: "unheard of")

    let failures = try #require(
      #expect(throws: RowValidationError.self) { try context.save() }?.failures)

    #expect(failures.map(\.keys) == [["name"], ["stars"], ["kind"]])
    #expect(failures.map(\.kind) == [.missingValue, .failedRule, .failedRule])
  }

  /// SQLite stores all dates.
  @Test(.engine(.postgres)) func theErrorAboutAValueThatCannotBeStoredNamesTheRow() throws {
    let store = try emptyStore(
      entities: Entity("Reading", attributes: [Attribute("moment", .date)]))
    let context = EditingContext(store)
    func add(_ count: Int, seconds: Double) throws {
      for _ in 0..<count {
        try context.insert("Reading")
          .set("moment", to: Date(timeIntervalSinceReferenceDate: seconds))
      }
    }

    try add(1, seconds: 1e19)
    let single = #expect(throws: MappingError.self) { try context.save() }
    context.rollback()
    try add(2, seconds: 0)
    try add(1, seconds: 1e19)
    let last = #expect(throws: MappingError.self) { try context.save() }

    #expect(single?.row == "`Reading` 1")
    #expect(last?.row == "`Reading` 4")
    #expect(try store.count("Reading") == 0)
  }

  private struct Checked: MappedModel {
    var a: Int
    var b: String
    var c: Double?
    var d: [Int]
    var e: Bool

    static let mapping = Mapping<Checked>(
      "Checked", { Checked(a: $0, b: $1, c: $2, d: $3, e: $4) },
      .key("a", \.a), .key("b", \.b), .key("c", \.c), .key("d", \.d), .key("e", \.e)
    )
    .validating(\.a, "above 0") { $0 > 0 }
    .validating(\.b, "text that is not empty") { !$0.isEmpty }
    .validating(\.c, "below 1") { ($0 ?? 0) < 1 }
    .validating(\.d, "one or more") { !$0.isEmpty }
    .validating(\.e, "true") { $0 }
    .validating("a model as a whole") { _ in true }
  }

  /// A valid value for each key, and invalid ones: null, a text of another form,
  /// and a violation of the rule.
  private static let values: [(key: String, valid: FieldContent, invalid: [FieldContent])] = [
    ("a", .int64(1), [.null, .int64(0)]),
    ("b", .string("x"), [.null, .string("")]),
    ("c", .double(0.5), [.double(2)]),
    ("d", .string("[1]"), [.null, .string("[]"), .string("no list")]),
    ("e", .bool(true), [.null, .bool(false)]),
  ]

  @Test(arguments: UInt64(0)..<UInt64(Campaign.count(short: 40, full: 1_200)))
  func everyInvalidKeyIsListedOnce(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try emptyStore(Checked.self)
    let context = EditingContext(store)
    var expected: [RowIdentity: [String]] = [:]
    for _ in 0..<4 {
      let row = try context.insert(Checked.self).row
      expected[row.identity] = []
      for (key, valid, invalid) in Self.values {
        let choice = random.below(invalid.count * 2)
        if choice < invalid.count { expected[row.identity]?.append(key) }
        try row.set(key, to: choice < invalid.count ? invalid[choice] : valid)
      }
    }

    var found: [RowIdentity: [String]] = expected.mapValues { _ in [] }
    do {
      try context.save()
    } catch let error as RowValidationError {
      for failure in error.failures { found[failure.row]? += failure.keys }
    }

    #expect(found.mapValues { $0.sorted() } == expected, "seed \(seed)")
  }
}
