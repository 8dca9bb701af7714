import Campaigns
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite
import MohoTesting
import StoreTesting
import Testing

private struct Label: MappedModel, Equatable {
  var name: String
  var deck = ""
  var rank = 0

  static let mapping = Mapping(
    "Label", Label.init,
    .key("name", \.name, .unique), .key("deck", \.deck, default: ""),
    .key("rank", \.rank, default: 0))

  static let keys: Set<String> = ["name", "deck", "rank"]

  func changedKeys(to other: Label) -> Set<String> {
    if name != other.name { return Self.keys }
    return (deck == other.deck ? [] : ["deck"] as Set)
      .union(rank == other.rank ? [] : ["rank"] as Set)
  }
}

extension ModelStore {
  fileprivate static func labels() throws -> ModelStore {
    try emptyStore(Label.self, history: .enabled())
  }
}

/// Rows whose identities and unique keys are used again.
@Suite(.allEngines) struct ReusedRowChangesTests {
  private let store: ModelStore
  private let labels = ModelRequest<Label>()
  private let token: HistoryToken

  init() throws {
    store = try .labels()
    try store.write { try $0.save([Label(name: "a"), Label(name: "b")]) }
    token = try store.currentHistoryToken()
  }

  private func changes(_ names: [String], _ shown: [Int64]?) throws -> RequestChanges {
    for name in names {
      try store.write { writer in
        if name.hasPrefix("-") {
          try writer.execute(sql: "DELETE FROM \"Label\" WHERE name = '\(name.dropFirst())'")
        } else {
          try writer.save(Label(name: name))
        }
      }
    }
    return try store.fetchChanges(of: labels, since: token, shown: shown)
  }

  // PostgreSQL does not assign identities again.
  @Test(.engine(.sqlite), arguments: [nil, [1, 2]] as [[Int64]?])
  func aRowWithTheIdentityOfAShownRowIsUpdated(shown: [Int64]?) throws {
    let changes = try changes(["-b", "c", "b"], shown)

    #expect(changes.inserted == [3])
    #expect(changes.updated == [2: Label.keys])
    #expect(changes.removed == [])
  }

  // PostgreSQL does not assign identities again.
  @Test(.engine(.sqlite), arguments: [nil, [1, 2]] as [[Int64]?])
  func noRowIsBothUpdatedAndRemoved(shown: [Int64]?) throws {
    let changes = try changes(["-b", "-a", "o", "a"], shown)

    #expect(changes.inserted == [])
    #expect(changes.updated == [1: Label.keys, 2: Label.keys])
    #expect(changes.removed == [])
  }

  @Test func aValueThatChangesForthAndBackIsUpdated() throws {
    try store.write { try $0.execute(sql: "UPDATE \"Label\" SET rank = 1 WHERE name = 'a'") }
    let changes = try changes(["a"], [1, 2])

    #expect(changes.updated == [1: ["rank"]])
  }
}

/// Compares the changes of a request with the rows that it had and has, and with
/// the values of all rows after each statement.
@Suite(.allEngines) struct RandomRequestChangesTests {
  private static let seeds = Campaign.seeds(
    from: "MOHO_RANDOM_SEED", count: Campaign.count(short: 40, full: 2_000))

  @Test(arguments: seeds) func changesAreThoseOfShownRows(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let run = try LabelRun(isLimited: random.oneIn(3))
    for _ in 0..<10 {
      try run.reset()
      for _ in 0...random.below(5) { try run.write(&random) }
      let comment: Comment = "seed \(seed): \(run.log)"
      let shown = try run.changes(shown: run.shown.sorted())
      let members = try run.members()
      #expect(shown.inserted == members.subtracting(run.shown), comment)
      #expect(shown.removed == run.shown.subtracting(members), comment)
      let both = run.shown.intersection(members)
      #expect(shown.updated == run.touched.filter { both.contains($0.key) }, comment)
      if run.hasSilentDeletions { continue }
      let changes = try run.changes(shown: nil)
      let existed = run.touched.filter { run.before.contains($0.key) }
      let new = Set(run.touched.keys).subtracting(run.before)
      #expect(changes.inserted == new.intersection(members), comment)
      #expect(changes.updated == existed.filter { members.contains($0.key) }, comment)
      let left = existed.filter { row, keys in
        !members.contains(row) && (run.rows[row] == nil || keys.contains("deck"))
      }
      #expect(changes.removed == Set(left.keys), comment)
    }
  }
}

/// Random writes, and what they have changed since the rows were shown.
private final class LabelRun {
  private let store: ModelStore
  private let request: ModelRequest<Label>
  private var token: HistoryToken

  private(set) var log: [String] = []
  private(set) var rows: [Int64: Label] = [:]
  private(set) var before: Set<Int64> = []
  private(set) var shown: Set<Int64> = []
  /// The keys whose values differ after a statement.
  private(set) var touched: [Int64: Set<String>] = [:]
  /// Whether `REPLACE` may have deleted rows without a record in the history.
  private(set) var hasSilentDeletions = false

  init(isLimited: Bool) throws {
    store = try .labels()
    let cards = ModelRequest<Label>().filter { $0.deck == "x" }.order(by: \.rank)
    request = isLimited ? cards.limit(2) : cards
    token = try store.currentHistoryToken()
  }

  /// Shows the rows of the request.
  func reset() throws {
    token = try store.currentHistoryToken()
    before = Set(rows.keys)
    shown = try members()
    touched = [:]
    log = []
    hasSilentDeletions = false
  }

  func members() throws -> Set<Int64> { Set(try store.fetchIdentities(request)) }

  func changes(shown: [Int64]?) throws -> RequestChanges {
    try store.fetchChanges(of: request, since: token, shown: shown)
  }

  func write(_ random: inout SeededGenerator) throws {
    let (rows, touched, log) = (rows, touched, log)
    let statements = (0...random.below(4)).map { _ in Statement(&random) }
    do {
      try store.write { writer in
        for statement in statements {
          self.log.append(statement.description)
          switch statement {
          case .save(let label): try writer.save(label)
          case .sql(let sql), .replace(let sql, _): try writer.execute(sql: sql)
          case .undone(let sql): try writer.executeUndone(sql)
          }
          try observe(writer.reader)
          if case .replace(_, let name) = statement {
            touchAll(name)
            hasSilentDeletions = true
          }
        }
      }
    } catch let error as StoreError where error.code == .notUnique {
      (self.rows, self.touched, self.log) = (rows, touched, log)
    }
  }

  private func touchAll(_ name: String) {
    for (row, label) in rows where label.name == name { touched[row] = Label.keys }
  }

  private func observe(_ reader: StoreReader) throws {
    let all = ModelRequest<Label>().order(by: \.name)
    let now = Dictionary(
      uniqueKeysWithValues: zip(try reader.fetchIdentities(all), try reader.fetch(all)))
    for row in Set(rows.keys).union(now.keys) {
      let keys: Set<String> =
        if let old = rows[row], let new = now[row] { old.changedKeys(to: new) } else { Label.keys }
      if !keys.isEmpty { touched[row, default: []].formUnion(keys) }
    }
    rows = now
  }
}

private enum Statement: CustomStringConvertible {
  case save(Label)
  case sql(String)
  /// SQL in a call that fails.
  case undone(String)
  case replace(String, name: String)

  static func name(_ random: inout SeededGenerator) -> String {
    ["a", "b", "c", "d"][random.below(4)]
  }

  static func replace(_ name: String, _ random: inout SeededGenerator) -> String {
    let values = "'\(name)', '\(random.oneIn(4) ? "y" : "x")', \(random.below(3))"
    return random.oneIn(2)
      ? "INSERT OR REPLACE INTO \"Label\" (name, deck, rank) VALUES (\(values))"
      : "INSERT OR REPLACE INTO \"Label\" (rowid, name, deck, rank)"
        + " VALUES (\(1 + random.below(5)), \(values))"
  }

  init(_ random: inout SeededGenerator) {
    let (name, other) = (Self.name(&random), Self.name(&random))
    let (rank, deck) = (random.below(3), random.oneIn(4) ? "y" : "x")
    let isOnSQLite = TestedEngine.current == .sqlite
    let identity = isOnSQLite ? "rowid" : "_moho_id"
    switch random.below(12) {
    case 0, 1: self = .sql("DELETE FROM \"Label\" WHERE name = '\(name)'")
    case 2: self = .sql("UPDATE \"Label\" SET rank = \(rank) WHERE name = '\(name)'")
    case 3: self = .sql("UPDATE \"Label\" SET deck = '\(deck)' WHERE name >= '\(name)'")
    case 4: self = .sql("UPDATE \"Label\" SET name = '\(other)' WHERE name = '\(name)'")
    case 5 where isOnSQLite && random.oneIn(2):
      self = .replace(Self.replace(name, &random), name: name)
    case 6:
      self =
        random.oneIn(3)
        ? .sql("DELETE FROM \"Label\"") : .sql("UPDATE \"Label\" SET rank = rank + 1")
    case 7: self = .sql("UPDATE \"Label\" SET rank = rank - 1")
    case 8:
      self = .sql(
        "INSERT INTO \"Label\" (\(identity), name, deck, rank)"
          + " VALUES (\(1 + random.below(5)), '\(name)', '\(deck)', \(rank))")
    case 9:
      self = .sql(
        "UPDATE \"Label\" SET \(identity) = \(1 + random.below(6)) WHERE name = '\(name)'")
    default: self = .save(Label(name: name, deck: deck, rank: rank))
    }
    if case .sql(let sql) = self, random.oneIn(6) { self = .undone(sql) }
  }

  var description: String {
    switch self {
    case .save(let label): "save \(label.name) \(label.deck) \(label.rank)"
    case .sql(let sql), .replace(let sql, _): sql
    case .undone(let sql): "undone: \(sql)"
    }
  }
}
