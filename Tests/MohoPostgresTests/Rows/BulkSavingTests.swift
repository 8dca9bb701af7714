import Fixtures
import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// A model with two unique keys, whose rows have generated identities.
private struct Coded: MappedModel, Equatable {
  var code: String
  var slot: Int?
  var text: String

  static let mapping = Mapping(
    "Coded", Coded.init, .key("code", \.code, .unique), .key("slot", \.slot, .unique),
    .key("text", \.text))
}

/// Tests what saving many models with one statement must not change.
@Suite(.requiresPostgres)
struct BulkSavingTests {
  private let url: String
  private let store: ModelStore

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    store = try ModelStore(postgres: url, models: Episode.self, Coded.self)
  }

  private func coded(_ code: String, _ slot: Int? = nil, _ text: String = "") -> Coded {
    Coded(code: code, slot: slot, text: text)
  }

  private func rows(_ sql: String) throws -> [[String?]] {
    try AdministratorConnection(url).execute(sql)
  }

  @Test func `a row that is equal is neither written nor locked`() throws {
    let models = (0..<5_000).map { (number: Int) in coded("\(number)", number) }
    try store.write { try $0.save(models) }
    let before = try rows(#"SELECT code, xmin, xmax, ctid FROM "Coded" ORDER BY code"#)
    var changed = models
    changed[17].text = "new"

    let report = try store.write { try $0.save(changed) }

    #expect(report == SaveReport(updated: 1, unchanged: 4_999))
    let after = try rows(#"SELECT code, xmin, xmax, ctid FROM "Coded" ORDER BY code"#)
    #expect(zip(before, after).filter { $0 != $1 }.map { $0.0[0] } == ["17"])
  }

  @Test func `nil replaces stored values except those that it must not replace`() throws {
    struct Rated: MappedModel, Equatable {
      var code: String
      var note: String?
      var rating: Int?
      static let mapping = Mapping<Rated>(
        "Rated", Rated.init, .key("code", \.code, .unique), .key("note", \.note),
        .key("rating", \.rating)
      )
      .merging(\.rating, .incomingUnlessNil)
    }
    let store = try ModelStore(postgres: PostgresServer.shared().emptySchema(), models: Rated.self)
    try store.write { try $0.save([Rated(code: "a", note: "old", rating: 5)]) }

    let report = try store.write { try $0.save([Rated(code: "a", note: nil, rating: nil)]) }

    #expect(report == SaveReport(updated: 1))
    #expect(try store.fetch(ModelRequest<Rated>()) == [Rated(code: "a", note: nil, rating: 5)])
  }

  @Test func `stored models take no identities of the sequence`() throws {
    let models = (0..<100).map { coded("\($0)") }
    for _ in 1...3 { try store.write { try $0.save(models) } }

    try store.write { try $0.save(coded("last")) }

    #expect(try rows(#"SELECT _moho_id FROM "Coded" WHERE code = 'last'"#) == [["101"]])
  }

  @Test func `identities have the order of the models`() throws {
    let models = (0..<4_500).map { coded("\(($0 * 7_919) % 4_500)") }

    try store.write { try $0.save(models) }

    #expect(
      try rows(#"SELECT code FROM "Coded" ORDER BY _moho_id"#).map { $0[0] }
        == models.map { $0.code })
  }

  @Test func `a model may have the unique value that a later row gives up`() throws {
    try store.write { try $0.save([coded("a", 1), coded("b", 2), coded("c", 3)]) }

    // Each value moves to the next row, which is only possible from the end.
    let report = try store.write { try $0.save([coded("c", 4), coded("b", 3), coded("a", 2)]) }

    #expect(report == SaveReport(updated: 3))
    let slots = try store.fetch(ModelRequest<Coded>().order(by: \.code)).map(\.slot)
    #expect(slots == [2, 3, 4])
  }

  @Test func `the model that violates a constraint is named`() throws {
    try store.write { try $0.save(coded("a", 7)) }
    var models = (0..<3_000).map { (number: Int) in coded("\(number)", 100 + number) }
    models[2_345].slot = 7

    let error = #expect(throws: StoreError.self) { try store.write { try $0.save(models) } }

    #expect(error?.code == .notUnique)
    #expect(error?.entity == "Coded")
    #expect(error?.keys == ["slot"])
    #expect(error?.subject?.contains("2345") == true)
    #expect(try store.fetchCount(ModelRequest<Coded>()) == 1)
  }

  @Test func `a transaction goes on after a failed call`() throws {
    try store.write { writer in
      try writer.save(coded("a", 1))
      #expect(throws: StoreError.self) { try writer.save(coded("b", 1)) }
      #expect(throws: StoreError.self) { try writer.save([coded("c", 2), coded("d", 1)]) }
      #expect(throws: StoreError.self) { try writer.save(coded("e", 2, "\u{0}")) }
      try writer.save(coded("f", 3))
    }

    let codes = try store.fetch(ModelRequest<Coded>().order(by: \.code)).map(\.code)
    #expect(codes == ["a", "f"])
  }

  @Test func `a text with U+0000 names its key`() throws {
    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.save([coded("a"), coded("b", nil, "x\u{0}")]) }
    }

    #expect(error?.code == .invalidValue)
    #expect(error?.entity == "Coded")
    #expect(error?.keys == ["text"])
  }

  /// Models of about 25,000 bytes, so that a batch has about 80 of them.
  private func largeModels(_ numbers: some Sequence<Int>) -> [Coded] {
    numbers.map {
      coded("\($0)", $0 % 3 == 0 ? nil : $0, "\($0) " + String(repeating: "x", count: 25_000))
    }
  }

  @Test func `batches of new models are saved as they are`() throws {
    let models = largeModels((0..<300).map { $0 * 7_919 % 300 })

    let report = try store.write { try $0.save(models) }

    #expect(report == SaveReport(inserted: 300))
    #expect(
      try store.fetch(ModelRequest<Coded>().order(by: \.code))
        == models.sorted { $0.code.utf8.lexicographicallyPrecedes($1.code.utf8) })
    #expect(
      try rows(#"SELECT code FROM "Coded" ORDER BY _moho_id"#).map { $0[0] } == models.map(\.code))
  }

  @Test(arguments: [[250], [99, 250, 251], Array(100..<300)])
  func `a batch after batches of new models may have stored models`(stored: [Int]) throws {
    let models = largeModels(0..<300)
    try store.write { writer in
      try writer.save(stored.map { $0 % 2 == 0 ? models[$0] : coded("\($0)", nil, "old") })
    }

    let report = try store.write { try $0.save(models) }

    let updated = stored.count { $0 % 2 != 0 }
    #expect(
      report
        == SaveReport(
          inserted: 300 - stored.count, updated: updated, unchanged: stored.count - updated))
    #expect(try Set(store.fetch(ModelRequest<Coded>()).map(\.text)) == Set(models.map(\.text)))
  }

  @Test func `only the models that differ from stored ones are written`() throws {
    let models = largeModels(0..<400)
    try store.write { try $0.save(models.filter { $0.code != "399" }) }
    let before = try rows(#"SELECT code, xmin, ctid FROM "Coded" WHERE slot < 400 ORDER BY code"#)
    var changed = models
    for index in [5, 205, 398] { changed[index].text = "new" }

    let report = try store.write { try $0.save(changed) }

    #expect(report == SaveReport(inserted: 1, updated: 3, unchanged: 396))
    let after = try rows(#"SELECT code, xmin, ctid FROM "Coded" WHERE slot < 400 ORDER BY code"#)
    #expect(Set(before).subtracting(after).compactMap { $0[0] }.sorted() == ["205", "398", "5"])
    #expect(try Set(store.fetch(ModelRequest<Coded>()).map(\.text)) == Set(changed.map(\.text)))
  }

  @Test func `repeated models in several batches are saved once`() throws {
    var models = largeModels(0..<300)
    models[290] = models[3]
    models[290].text = "last"

    let report = try store.write { try $0.save(models) }

    #expect(report == SaveReport(inserted: 299, unchanged: 1))
    let stored = try store.fetch(ModelRequest<Coded>())
    #expect(stored.filter { $0.code == "3" }.map(\.text) == ["last"])
  }

  @Test func `the model of a later batch that violates a constraint is named`() throws {
    try store.write { try $0.save(coded("a", 7_000)) }
    var models = largeModels(0..<300)
    models[250].slot = 7_000

    let error = #expect(throws: StoreError.self) { try store.write { try $0.save(models) } }

    #expect(error?.code == .notUnique)
    #expect(error?.keys == ["slot"])
    #expect(error?.subject?.contains("250") == true)
    #expect(try store.fetchCount(ModelRequest<Coded>()) == 1)
  }

  @Test func `dates that are stored as one date are one unique key`() throws {
    struct Moment: MappedModel, Equatable {
      var date: Date
      var text: String
      static let mapping = Mapping(
        "Moment", Moment.init, .key("date", \.date, .unique), .key("text", \.text))
    }
    let store = try ModelStore(postgres: PostgresServer.shared().emptySchema(), models: Moment.self)
    let date = Date(timeIntervalSinceReferenceDate: 1)
    let moments = [
      Moment(date: date, text: "a"), Moment(date: date + 1e-9, text: "b"),
      Moment(date: date - 1e-9, text: "c"),
    ]

    let report = try store.write { try $0.save(moments) }

    #expect(report == SaveReport(inserted: 1, unchanged: 2))
    #expect(try store.fetch(ModelRequest<Moment>()) == [Moment(date: date, text: "c")])
  }

  @Test(arguments: [PostgresConfiguration.Isolation.serializable, .readCommitted])
  func `stores that save the same models at the same time count each row once`(
    isolation: PostgresConfiguration.Isolation
  ) async throws {
    var configuration = PostgresConfiguration()
    configuration.isolation = isolation
    let stores = try (0..<4).map { _ in
      try ModelStore(postgres: url, models: Episode.self, Coded.self, configuration: configuration)
    }
    let models = (0..<200).map { (number: Int) in coded("\(number)", number) }

    let reports = try await withThrowingTaskGroup { group in
      for store in stores {
        group.addTask { try await store.write { try $0.save(models) } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    #expect(reports.map(\.inserted).reduce(0, +) == 200)
    #expect(reports.map(\.updated).reduce(0, +) == 0)
    #expect(try await store.fetchCount(ModelRequest<Coded>()) == 200)
  }

  @Test func `plans leave no triggers, functions or tables`() throws {
    let catalog = """
      SELECT count(*) FROM pg_class WHERE relname LIKE '%moho plan%'
      UNION ALL SELECT count(*) FROM pg_trigger WHERE tgname LIKE '%moho plan%'
      UNION ALL SELECT count(*) FROM pg_proc WHERE proname LIKE '%moho plan%'
      """
    let plan = try store.plan(saving: [coded("a", 1)])
    #expect(plan.inserts.count == 1)

    try store.apply(plan)

    #expect(try rows(catalog) == [["0"], ["0"], ["0"]])
    #expect(try store.fetch(ModelRequest<Coded>()) == [coded("a", 1)])
  }
}
