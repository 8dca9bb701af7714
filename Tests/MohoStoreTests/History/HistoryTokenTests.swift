import CommandTesting
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// Tokens, restarts and deleted transactions.
@Suite(.allEngines) struct HistoryTokenTests {
  private func open(_ path: String, _ policy: HistoryPolicy = .enabled()) throws -> ModelStore {
    var configuration = StoreConfiguration()
    configuration.history = policy
    return try ModelStore(
      path: path, models: RecordedEpisode.self, configuration: configuration)
  }

  private func open(
    _ database: MigratedStore, _ policy: HistoryPolicy = .enabled()
  ) throws -> ModelStore {
    try database.open(
      Schema([RecordedEpisode.self]), with: MigrationOptions(history: policy))
  }

  private func save(_ ids: Int..., in store: ModelStore) throws {
    try store.write { try $0.save(ids.map { RecordedEpisode(id: $0) }) }
  }

  private func keys(_ store: ModelStore, since token: HistoryToken?) throws -> [[String]] {
    try store.fetchHistory(since: token).map { $0.changes.map { "\($0.key)" } }
  }

  @Test func aTokenIsStoredAsJSON() throws {
    let store = try recordingStore()
    let tokens = try (1...3).map { id in
      try save(id, in: store)
      return try store.currentHistoryToken()
    }

    let copies = try JSONDecoder().decode(
      [HistoryToken].self, from: JSONEncoder().encode(tokens))

    #expect(copies == tokens)
    #expect(tokens == tokens.shuffled().sorted())
    #expect(try keys(store, since: copies[1]) == [["3"]])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(HistoryToken.self, from: Data("{}".utf8))
    }
  }

  @Test func historyContinuesAfterARestart() throws {
    let database = try MigratedStore()
    do {
      let token: HistoryToken
      do {
        let store = try open(database)
        try save(1, in: store)
        token = try store.currentHistoryToken()
        try save(2, in: store)
      }
      let store = try open(database, .unchanged)
      try save(3, in: store)

      #expect(try keys(store, since: token) == [["2"], ["3"]])
      #expect(try keys(store, since: nil) == [["1"], ["2"], ["3"]])
    }
  }

  @Test func historyOfAnExistingStoreBeginsWhenItIsEnabled() throws {
    let database = try MigratedStore()
    do {
      do { try save(1, in: open(database, .unchanged)) }
      let store = try open(database)
      #expect(try keys(store, since: nil) == [])
      try save(1, 2, in: store)

      #expect(try keys(store, since: nil) == [["2"]])
    }
  }

  @Test func aDisabledHistoryIsDeleted() throws {
    let database = try MigratedStore()
    do {
      let token: HistoryToken
      do {
        let store = try open(database)
        try save(1, in: store)
        token = try store.currentHistoryToken()
      }
      do {
        let store = try open(database, .disabled)
        try save(2, in: store)
        let table = store.isOnPostgres ? "pg_class" : "sqlite_schema"
        let (name, schema) =
          store.isOnPostgres
          ? ("relname", "relnamespace = current_schema()::regnamespace") : ("name", "true")
        #expect(
          try store.values(
            "SELECT \(name) FROM \(table) WHERE \(name) LIKE '%history%' AND \(schema)") == [])
        #expect(throws: StoreError.self) { try store.fetchHistory(since: token) }
      }
      let store = try open(database)
      try save(3, in: store)

      let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: token) }
      #expect(error?.code == .foreignHistoryToken)
      #expect(try keys(store, since: nil) == [["3"]])
    }
  }

  @Test(.engine(.sqlite)) func aReadOnlyStoreReadsHistory() throws {
    try withStorePath { path in
      let store = try open(path)
      try save(1, in: store)
      for policy in [HistoryPolicy.unchanged, .enabled(), .disabled] {
        var configuration = StoreConfiguration(isReadOnly: true)
        configuration.history = policy
        let reader = try ModelStore(
          path: path, models: RecordedEpisode.self, configuration: configuration)
        #expect(try keys(reader, since: nil) == [["1"]])
      }
    }
  }

  @Test(.engine(.sqlite)) func tokensOfOtherStoresAreErrors() throws {
    try withStorePath { path in
      let (copyPath, backupPath) = (path + ".copy", path + ".backup")
      let (old, token, other): (HistoryToken, HistoryToken, HistoryToken)
      do {
        let store = try open(path)
        try save(1, in: store)
        old = try store.currentHistoryToken()
        try store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try FileManager.default.copyItem(atPath: path, toPath: copyPath)
        try FileManager.default.copyItem(atPath: path, toPath: backupPath)
        try save(2, in: store)
        token = try store.currentHistoryToken()
        other = try recordingStore().currentHistoryToken()
      }
      let (copy, backup) = (try open(copyPath), try open(backupPath))
      // Another change, at another time.
      try copy.write { writer in
        try writer.save(RecordedEpisode(id: 3))
        try writer.execute(sql: "UPDATE \"_moho history\" SET date = date + 1 WHERE row = 3")
      }

      #expect(try keys(copy, since: old) == [["3"]])
      #expect(try keys(backup, since: old) == [])
      for (store, token) in [(copy, token), (backup, token), (backup, other)] {
        let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: token) }
        #expect(error?.code == .foreignHistoryToken)
        #expect(throws: StoreError.self) { try store.fetchChanges(since: token) }
        #expect(throws: StoreError.self) {
          try store.write { try $0.deleteHistory(before: token) }
        }
      }
      let negative = HistoryToken(history: token.history, sequence: -1, time: 0)
      #expect(throws: StoreError.self) { try backup.fetchHistory(since: negative) }
    }
  }

  @Test func aLimitContinuesWithTheLastToken() throws {
    let store = try recordingStore()
    for id in 1...5 { try save(id, in: store) }
    try store.write(author: "x") { try $0.save(RecordedEpisode(id: 6)) }

    var token: HistoryToken?
    var found: [String] = []
    while true {
      let batch = try store.fetchHistory(since: token, excludingAuthors: ["x"], limit: 2)
      guard let last = batch.last else { break }
      #expect(batch.count <= 2)
      found += batch.flatMap(\.changes).map { "\($0.key)" }
      token = last.token
    }

    #expect(found == ["1", "2", "3", "4", "5"])
    #expect(try store.fetchHistory(since: nil, limit: 0) == [])
    #expect(try store.fetchHistory(since: nil, limit: -1) == [])
  }

  @Test func manyTransactionsAreReadInBatches() throws {
    let store = try recordingStore()
    try store.write { writer in
      for id in 1...1_100 {
        try store.write(author: id.isMultiple(of: 2) ? "even" : "odd") {
          try $0.save(RecordedEpisode(id: id))
        }
      }
    }
    try store.onConnection { database in
      for id in 1...1_100 {
        try database.execute(sql: "DELETE FROM Episode WHERE id = \(id)")
      }
    } postgres: { connection in
      for id in 1...1_100 {
        _ = try connection.values(#"DELETE FROM "Episode" WHERE id = \#(id)"#)
      }
    }

    var (count, rows) = (0, 0)
    try store.read { reader in
      try reader.forEachTransaction(since: nil) { transaction in
        count += 1
        rows += transaction.changes.count
        if transaction.author != nil { #expect(transaction.changes.count == 1) }
      }
    }

    // A transaction of another program is one transaction on PostgreSQL.
    #expect(count > 1_100 || store.isOnPostgres && count == 1_101)
    #expect(rows == 2_200)
    #expect(try store.fetchChanges(since: nil).isEmpty)
    #expect(
      try store.fetchHistory(since: nil, excludingAuthors: ["even"]).prefix(550).count == 550)
  }

  @Test func changesOfAnotherProgramPrecedeTheNextTransactionOnce() throws {
    let store = try recordingStore()
    let sql = #"INSERT INTO "Episode" (id, title) VALUES (1, 'x')"#
    try store.onConnection { database in
      try database.execute(sql: sql)
    } postgres: { connection in
      _ = try connection.values(sql)
    }

    try save(2, 3, in: store)

    #expect(try keys(store, since: nil) == [["1"], ["2", "3"]])
  }

  @Test func deletedTransactionsInvalidateOlderTokens() throws {
    let store = try recordingStore()
    let tokens = try (1...4).map { id in
      try save(id, in: store)
      return try store.currentHistoryToken()
    }

    try store.write { try $0.deleteHistory(before: tokens[1]) }

    let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: tokens[0]) }
    #expect(
      error.map { "\($0)" } == """
        deleted history: changes after the token have been deleted from the history; \
        read all rows, and continue from the current token
        """)
    #expect(try keys(store, since: tokens[1]) == [["3"], ["4"]])
    #expect(try keys(store, since: nil) == [["3"], ["4"]])
    #expect(try keys(store, since: tokens[3]) == [])

    try store.write { try $0.deleteHistory(before: tokens[3]) }
    #expect(try keys(store, since: nil) == [])
    if !store.isOnPostgres { #expect(try store.currentHistoryToken() == tokens[3]) }
    try save(5, in: store)
    #expect(try keys(store, since: tokens[3]) == [["5"]])
    #expect(try store.fetchCount(ModelRequest<RecordedEpisode>()) == 5)
  }

  @Test func transactionsAreDeletedByDate() throws {
    let store = try recordingStore()
    try save(1, 2, in: store)
    try store.ageHistory(by: 10)
    try save(3, in: store)
    try store.ageHistory(by: 10)
    try save(4, in: store)

    func delete(_ days: Double) throws -> [[String]] {
      let date = Date.now.addingTimeInterval(-days * 86_400)
      try store.write { try $0.deleteHistory(before: date) }
      return try keys(store, since: nil)
    }

    #expect(try delete(21) == [["1", "2"], ["3"], ["4"]])
    #expect(try delete(19) == [["3"], ["4"]])
    #expect(try delete(15) == [["3"], ["4"]])
    #expect(try delete(9) == [["4"]])
    #expect(try delete(-1) == [])
    #expect(try delete(-1) == [])
  }

  @Test func writesDeleteOldTransactions() throws {
    let database = try MigratedStore()
    do {
      do {
        let store = try open(database)
        try save(1, 2, in: store)
        try store.ageHistory(by: 10)
        try save(3, in: store)
      }
      let day: TimeInterval = 86_400
      var store = try open(database, .enabled(maximumAge: 11 * day))
      try save(4, in: store)
      #expect(try keys(store, since: nil) == [["1", "2"], ["3"], ["4"]])
      store = try open(database, .enabled(maximumAge: 9 * day))
      try save(4, in: store)
      // A write without changes.
      if !store.isOnPostgres {
        #expect(try keys(store, since: nil) == [["1", "2"], ["3"], ["4"]])
      }
      try save(5, in: store)
      #expect(try keys(store, since: nil) == [["3"], ["4"], ["5"]])
      store = try open(database, .unchanged)
      try store.ageHistory(by: 100)
      try save(6, in: store)
      #expect(try keys(store, since: nil) == [["3"], ["4"], ["5"], ["6"]])
    }
  }

  @Test(.engine(.sqlite)) func oneWriteDeletesALimitedNumberOfChanges() throws {
    try withStorePath { path in
      do {
        let store = try open(path)
        try store.write { writer in
          for step in 0..<25 {
            try store.write(author: "\(step)") { writer in
              try writer.save((0..<1_000).map { RecordedEpisode(id: step * 1_000 + $0) })
            }
          }
        }
        try store.ageHistory(by: 10)
      }
      let store = try open(path, .enabled(maximumAge: 86_400))
      let counts = try (0..<3).map { step in
        try save(-1 - step, in: store)
        return try store.fetchHistory(since: nil).count
      }

      #expect(counts == [16, 7, 3])
    }
  }

  @Test(.engine(.sqlite)) func otherProgramsAreRecorded() throws {
    try withStorePath { path in
      let store = try open(path)
      try save(1, in: store)
      let token = try store.currentHistoryToken()
      // A connection without the functions and settings of a store.
      let external = try DatabaseQueue(path: path)
      try external.write { try $0.execute(sql: "UPDATE \"Episode\" SET title = 'x'") }
      try external.write {
        try $0.execute(sql: "INSERT INTO \"Episode\" (id, title) VALUES (7, '')")
      }
      try save(8, in: store)
      try external.write { try $0.execute(sql: "DELETE FROM \"Episode\" WHERE id = 7") }

      let history = try store.fetchHistory(since: token)
      #expect(
        history.flatMap(\.changes).map(\.description).sorted() == [
          "delete `Episode` 7", "insert `Episode` 7", "insert `Episode` 8",
          "update `Episode` 1: title",
        ])
      #expect(history.allSatisfy { $0.author == nil })
      #expect(
        try store.fetchChanges(since: token).description == """
          update `Episode` 1: title
          insert `Episode` 8
          """)
    }
  }

  @Test(
    .engine(.sqlite),
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"), "requires sqlite3"))
  func sqlite3IsRecorded() throws {
    try withStorePath { path in
      let store = try open(path)
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/sqlite3")
      process.arguments = [path, "INSERT INTO \"Episode\" (id, title) VALUES (7, 'x')"]
      try process.run()
      process.waitUntilExit()

      #expect(process.terminationStatus == 0)
      #expect(try keys(store, since: nil) == [["7"]])
    }
  }

  @Test(.engine(.sqlite)) func savesOfAKilledProgramAreRecordedCompletely() throws {
    try withStorePath { path in
      func history() throws -> [HistoryTransaction] {
        let store = try ModelStore(
          path: path, models: KilledTrack.self, configuration: .recording)
        return try store.fetchHistory(since: nil)
      }
      #expect(try history() == [])
      var first = 0
      for kill in 0..<10 {
        let crasher = try KillableProgram(["save", "\(first)", "1000000"], store: path)
        crasher.kill(after: 0.001 * Double(kill))
        let saved = try crasher.lines().lines.compactMap(Int.init)

        let store = try ModelStore(path: path, models: KilledTrack.self)
        let tracks = try store.fetch(ModelRequest<KilledTrack>()).map(\.id)
        let found = try history()
        #expect(found.allSatisfy { $0.changes.count == 10 })
        #expect(
          found.flatMap(\.changes).compactMap(\.row.stored).sorted()
            == tracks.map(Int64.init).sorted())
        #expect(found.count >= first + saved.count)
        first = found.count
      }
    }
  }

  @Test(.engine(.sqlite)) func twoStoresInADatabaseShareAHistory() throws {
    let queue = try DatabaseQueue()
    let one = try ModelStore(
      adopting: queue, models: RecordedEpisode.self, configuration: .recording)
    let two = try ModelStore(adopting: queue, models: RecordedNote.self)
    try save(1, in: one)
    try two.write { try $0.save(RecordedNote(text: "x")) }

    #expect(try keys(one, since: nil) == [["1"]])
    // `unchanged` records the entities of all stores.
    #expect(try two.fetchHistory(since: nil).map(\.changes.count) == [1])

    var configuration = StoreConfiguration()
    configuration.history = .disabled
    _ = try ModelStore(adopting: queue, models: RecordedNote.self, configuration: configuration)
    try save(2, in: one)
    #expect(try keys(one, since: nil) == [["1"], ["2"]])
  }
}

/// The model of the program that is killed.
private struct KilledTrack: MappedModel {
  var id: Int
  var batch: Int
  var title: String
  var length: Double?

  static let mapping = Mapping(
    "Track", KilledTrack.init, .key("id", \.id, .unique), .key("batch", \.batch, .indexed),
    .key("title", \.title), .key("length", \.length))
}
