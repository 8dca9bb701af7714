import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

/// Reads and opens stores with rows that break rules that a new version has tightened.
@Suite(.allEngines) struct InvalidRowTests {
  private struct Old: MappedModel, Equatable {
    var id: Int
    var title: String
    static let mapping = Mapping(
      "Episode", Old.init, .key("id", \.id, .unique), .key("title", \.title))
  }

  private struct New: MappedModel, Equatable {
    var id: Int
    var title: String
    static let mapping = Mapping(
      "Episode", New.init, .key("id", \.id, .unique), .key("title", \.title)
    ).validating(\.title, "text without x") { !$0.contains("x") }
  }

  private struct Trimmed: MappedModel, Equatable {
    var id: Int
    var title: String
    static let mapping = Mapping(
      "Episode", Trimmed.init, .key("id", \.id, .unique), .key("title", \.title)
    ).repairing(\.title) { $0.replacing("x", with: "") }
      .validating(\.title, "text with at most 2 characters") { $0.count <= 2 }
  }

  private let database: MigratedStore
  private let all = ModelRequest<New>().order(by: \.id, .descending)

  init() throws {
    database = try MigratedStore()
    let titles = ["a", "bx", "c", "dddx", "e"]
    try database.open(Old.self, with: MigrationOptions(version: 1)).write {
      try $0.save(titles.enumerated().map { Old(id: $0.offset + 1, title: $0.element) })
    }
  }

  private func options(_ policy: RulePolicy, _ version: Int = 2) -> MigrationOptions {
    MigrationOptions(version: version, rulePolicy: policy)
  }

  @Test func anErrorNamesTheRow() throws {
    let store = try database.open(New.self, with: options(.unchecked))

    let error = #expect(throws: MappingError.self) { try store.fetch(all) }

    #expect(error?.row == "`Episode` 4")
    #expect(
      error?.description
        == #"failed validation: string "dddx", expected text without x - `Episode.title`"#
        + " at /Episode/4/title")
    #expect(throws: MappingError.self) { try store.fetchFirst(all.filter { $0.id == 2 }) }
    #expect(try store.fetch(all.filter { $0.id != 2 && $0.id != 4 }).count == 3)
  }

  @Test func anErrorOfARuleOfTheModelNamesTheRow() throws {
    struct Ruled: MappedModel {
      var id: Int
      var title: String
      static let mapping = Mapping(
        "Episode", Ruled.init, .key("id", \.id, .unique), .key("title", \.title)
      ).validating("different titles") { $0.id != 3 }
    }
    let store = try database.open(Ruled.self, with: options(.unchecked))

    let error = #expect(throws: MappingError.self) { try store.fetch(ModelRequest<Ruled>()) }

    #expect(error?.row == "`Episode` 3")
    #expect(error?.description.hasSuffix(" - `Episode`, row `Episode` 3") == true)
    #expect(try store.invalidRows(of: Ruled.self).count == 1)
  }

  @Test func rowsThatCanBeReadAreReturned() throws {
    let store = try database.open(New.self, with: options(.unchecked))

    let result = try store.fetchLossy(all)
    let limited = try store.fetchLossy(all.limit(2).offset(1))

    #expect(result.models.map(\.id) == [5, 3, 1])
    #expect(result.identities.map(\.stored) == [5, 3, 1])
    #expect(result.failures.map(\.identity.stored) == [4, 2])
    #expect(result.failures.map(\.error.key) == ["title", "title"])
    #expect(result.failures.map(\.error.row) == ["`Episode` 4", "`Episode` 2"])
    #expect(limited.models.map(\.id) == [3])
    #expect(limited.failures.map(\.identity.stored) == [4])
  }

  @Test func invalidRowsAreCountedAndListedUpToALimit() throws {
    let store = try database.open(New.self, with: options(.unchecked))

    let rows = try store.invalidRows(of: New.self, limit: 1)

    #expect(rows.entity == "Episode")
    #expect(rows.count == 2)
    #expect(rows.failures.map(\.identity.stored) == [2])
    #expect(rows.description.hasPrefix("2 invalid rows of `Episode`\n  failed validation: "))
    #expect(try store.invalidRows(of: Old.self).isEmpty)
  }

  @Test func rowsOfManyBatchesAreFound() throws {
    let store = try database.open(Old.self, with: options(.unchecked, 1))
    try store.write {
      try $0.save((6...1_700).map { Old(id: $0, title: $0 % 400 == 0 ? "x" : "") })
    }

    let result = try store.fetchLossy(ModelRequest<New>().order(by: \.id))

    #expect(result.failures.map(\.identity.stored) == [2, 4, 400, 800, 1200, 1600])
    #expect(
      result.models.map(\.id) == (1...1_700).filter { ![2, 4].contains($0) && $0 % 400 != 0 })
  }

  @Test func openingANewVersionReportsOnce() throws {
    let reports = Mutex<[[InvalidRows]]>([])
    let policy = RulePolicy.report { rows in reports.withLock { $0.append(rows) } }

    for version in [2, 2, 3] { try database.open(New.self, with: options(policy, version)) }
    try database.open(Old.self, with: options(policy, 4))

    #expect(reports.withLock { $0.map { $0.map(\.count) } } == [[2], [2]])
  }

  @Test func openingRefusesAndChangesNothing() throws {
    let before = try database.contents()

    let error = #expect(throws: StoreError.self) {
      try database.open(New.self, with: options(.refuse))
    }

    #expect(error?.code == .invalidRows)
    #expect(error?.entity == "Episode")
    #expect(error?.keys == ["title"])
    #expect(error?.reason.hasPrefix("2 invalid rows of `Episode`; failed validation: ") == true)
    #expect(try database.contents() == before)
    try database.open(Old.self, with: options(.refuse))
  }

  @Test func openingRepairsAndReportsTheRest() throws {
    let reports = Mutex<[InvalidRows]>([])
    let policy = RulePolicy.repair { rows in reports.withLock { $0 += rows } }

    try database.open(Trimmed.self, with: options(policy))

    #expect(
      try database.values(#"SELECT title FROM "Episode" ORDER BY id"#)
        == [#""a""#, #""b""#, #""c""#, #""dddx""#, #""e""#])
    #expect(reports.withLock { $0.map(\.count) } == [1])
    #expect(reports.withLock { $0.flatMap(\.failures).map(\.identity.stored) } == [4])
  }

  @Test func aNewStoreChecksNothing() throws {
    try MigratedStore().open(New.self, with: options(.refuse))
  }
}
