import Foundation
import GRDB

/// The tables of a microblog, written by hand with GRDB: an upsert for each
/// entity, and nested values as JSON.
final class MicroblogDatabase: Sendable {
  let pool: DatabasePool
  private let server: String
  private let encoder = CodableMicroblogStatus.encoder
  private let decoder = CodableMicroblogStatus.decoder

  init(path: String, server: String) throws {
    self.server = server
    pool = try DatabasePool(path: path)
    try pool.write { try $0.execute(sql: Self.schema) }
  }

  private static let schema = """
    CREATE TABLE account (
      row INTEGER PRIMARY KEY, server TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
      handle TEXT NOT NULL, displayName TEXT NOT NULL, isLocked INTEGER NOT NULL,
      isBot INTEGER NOT NULL, createdAt REAL NOT NULL, note TEXT NOT NULL, url TEXT NOT NULL,
      avatar TEXT NOT NULL, header TEXT NOT NULL, followers INTEGER NOT NULL,
      following INTEGER NOT NULL, statuses INTEGER NOT NULL, isDiscoverable INTEGER,
      fields TEXT NOT NULL, UNIQUE (server, id)) STRICT;
    CREATE TABLE poll (
      row INTEGER PRIMARY KEY, server TEXT NOT NULL, id TEXT NOT NULL, expiresAt REAL,
      isMultiple INTEGER NOT NULL, votes INTEGER NOT NULL, options TEXT NOT NULL,
      UNIQUE (server, id)) STRICT;
    CREATE TABLE tag (row INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, url TEXT NOT NULL) STRICT;
    CREATE TABLE status (
      row INTEGER PRIMARY KEY, server TEXT NOT NULL, id TEXT NOT NULL, createdAt REAL NOT NULL,
      editedAt REAL, replyID TEXT, content TEXT NOT NULL, warning TEXT NOT NULL,
      isSensitive INTEGER NOT NULL, visibility TEXT NOT NULL, language TEXT, uri TEXT NOT NULL,
      url TEXT, replies INTEGER NOT NULL, boosts INTEGER NOT NULL, favorites INTEGER NOT NULL,
      isBookmarked INTEGER, author INTEGER NOT NULL REFERENCES account,
      boost INTEGER REFERENCES status, attachments TEXT NOT NULL, mentions TEXT NOT NULL,
      emojis TEXT NOT NULL, card TEXT, poll INTEGER REFERENCES poll, others TEXT NOT NULL,
      UNIQUE (server, id)) STRICT;
    CREATE INDEX statusByDate ON status (createdAt);
    CREATE INDEX statusByAuthor ON status (author);
    CREATE INDEX statusByBoost ON status (boost);
    CREATE INDEX statusByPoll ON status (poll);
    CREATE TABLE statusTag (
      status INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
      tag INTEGER NOT NULL REFERENCES tag, PRIMARY KEY (status, tag)) STRICT, WITHOUT ROWID;
    CREATE INDEX statusTagByTag ON statusTag (tag);
    """

  /// Returns an upsert that returns the row. Columns in `retained` are not
  /// replaced by null.
  private static func upsert(
    _ table: String, _ columns: String, key: Set<String> = ["server", "id"],
    retained: Set<String> = []
  ) -> String {
    let names = columns.split(separator: ", ").map(String.init)
    let changes = names.filter { !key.contains($0) }.map { name in
      retained.contains(name)
        ? "\(name) = coalesce(excluded.\(name), \(name))" : "\(name) = excluded.\(name)"
    }
    return """
      INSERT INTO \(table) (\(columns)) VALUES (\(names.map { _ in "?" }.joined(separator: ", "))) \
      ON CONFLICT (\(names.filter(key.contains).joined(separator: ", "))) \
      DO UPDATE SET \(changes.joined(separator: ", ")) RETURNING row
      """
  }

  private static let accountColumns = """
    server, id, name, handle, displayName, isLocked, isBot, createdAt, note, url, avatar, header, \
    followers, following, statuses, isDiscoverable, fields
    """
  private static let pollColumns = "server, id, expiresAt, isMultiple, votes, options"
  private static let statusColumns = """
    server, id, createdAt, editedAt, replyID, content, warning, isSensitive, visibility, language, \
    uri, url, replies, boosts, favorites, isBookmarked, author, boost, attachments, mentions, \
    emojis, card, poll, others
    """
  private static let upsertAccount = upsert(
    "account", accountColumns, retained: ["isDiscoverable"])
  private static let upsertPoll = upsert("poll", pollColumns)
  private static let upsertTag = upsert("tag", "name, url", key: ["name"])
  private static let upsertStatus = upsert("status", statusColumns, retained: ["isBookmarked"])

  func save(_ statuses: [CodableMicroblogStatus]) throws {
    try pool.write { database in
      for status in statuses { _ = try save(status, database) }
    }
  }

  private func save(_ status: CodableMicroblogStatus, _ database: Database) throws -> Int64 {
    let author = try save(status.author, database)
    let boost = try status.boost.map { try save($0, database) }
    let poll = try status.poll.map { try save($0, database) }
    let row = try row(
      Self.upsertStatus,
      [
        server, status.id, seconds(status.createdAt), status.editedAt.map(seconds), status.replyID,
        status.content, status.warning, status.isSensitive, status.visibility, status.language,
        status.uri, status.url?.absoluteString, status.counts.replies, status.counts.boosts,
        status.counts.favorites, status.isBookmarked, author, boost, try json(status.attachments),
        try json(status.mentions), try json(status.emojis), try status.card.map(json), poll,
        try json(status.others),
      ], database)
    try database.cachedStatement(sql: "DELETE FROM statusTag WHERE status = ?")
      .execute(arguments: [row])
    for tag in status.tags {
      let tag = try self.row(Self.upsertTag, [tag.name, tag.url.absoluteString], database)
      try database.cachedStatement(sql: "INSERT OR IGNORE INTO statusTag VALUES (?, ?)")
        .execute(arguments: [row, tag])
    }
    return row
  }

  private func save(_ account: CodableMicroblogAccount, _ database: Database) throws -> Int64 {
    try row(
      Self.upsertAccount,
      [
        server, account.id, account.name, account.handle, account.displayName, account.isLocked,
        account.isBot, seconds(account.createdAt), account.note, account.url.absoluteString,
        account.avatar, account.header, account.followers, account.following, account.statuses,
        account.isDiscoverable, try json(account.fields),
      ], database)
  }

  private func save(_ poll: CodableMicroblogPoll, _ database: Database) throws -> Int64 {
    try row(
      Self.upsertPoll,
      [
        server, poll.id, poll.expiresAt.map(seconds), poll.isMultiple, poll.votes,
        try json(poll.options),
      ], database)
  }

  private func row(
    _ sql: String, _ arguments: [(any DatabaseValueConvertible)?], _ database: Database
  ) throws -> Int64 {
    let statement = try database.cachedStatement(sql: sql)
    guard let row = try Int64.fetchOne(statement, arguments: StatementArguments(arguments)) else {
      throw ChecksumMismatch(description: "an upsert returned no row: \(sql)")
    }
    return row
  }

  private func seconds(_ date: Date) -> Double { date.timeIntervalSinceReferenceDate }

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Returns all statuses with their relations.
  func fetchAll() throws -> [CodableMicroblogStatus] { try pool.read { try fetch("", $0) } }

  /// Returns the 40 newest statuses with their relations.
  func fetchPage(_ database: Database) throws -> [CodableMicroblogStatus] {
    try fetch("ORDER BY createdAt DESC LIMIT 40", database)
  }

  /// Fetches statuses, and with one statement each, the rows that they refer to.
  private func fetch(_ clause: String, _ database: Database) throws -> [CodableMicroblogStatus] {
    func rows(_ sql: String) throws -> [Row] {
      try Row.fetchAll(database.makeStatement(sql: "SELECT row, \(sql)"))
    }
    func list(_ rows: some Sequence<Int64>) -> String {
      Set(rows).map(String.init).joined(separator: ", ")
    }
    let top = try rows("\(Self.statusColumns) FROM status \(clause)")
    var found = Dictionary(uniqueKeysWithValues: top.map { ($0[0] as Int64, $0) })
    var missing = Set(top.compactMap { $0[18] as Int64? }.filter { found[$0] == nil })
    while !missing.isEmpty {
      let boosts = try rows("\(Self.statusColumns) FROM status WHERE row IN (\(list(missing)))")
      for row in boosts { found[row[0]] = row }
      missing = Set(boosts.compactMap { $0[18] as Int64? }.filter { found[$0] == nil })
    }
    let all = found.values
    var accounts: [Int64: CodableMicroblogAccount] = [:]
    for row in try rows(
      "\(Self.accountColumns) FROM account WHERE row IN (\(list(all.map { $0[17] })))")
    {
      accounts[row[0]] = try account(row)
    }
    var polls: [Int64: CodableMicroblogPoll] = [:]
    for row in try rows(
      "\(Self.pollColumns) FROM poll WHERE row IN (\(list(all.compactMap { $0[23] as Int64? })))")
    {
      polls[row[0]] = try poll(row)
    }
    var tags: [Int64: [CodableMicroblogTag]] = [:]
    let links = """
      status, name, url FROM statusTag JOIN tag ON row = tag WHERE status IN (\(list(found.keys)))
      """
    for row in try rows(links) {
      tags[row[1], default: []].append(CodableMicroblogTag(name: row[2], url: try url(row[3])))
    }
    var statuses: [Int64: CodableMicroblogStatus] = [:]
    func status(_ row: Row) throws -> CodableMicroblogStatus {
      let key: Int64 = row[0]
      if let status = statuses[key] { return status }
      guard let author = accounts[row[17]] else {
        throw ChecksumMismatch(description: "status \(key) has no author")
      }
      let boost = try (row[18] as Int64?).flatMap { found[$0] }.map(status)
      let status = CodableMicroblogStatus(
        id: row[2], createdAt: date(row[3]), editedAt: (row[4] as Double?).map(date),
        replyID: row[5], content: row[6], warning: row[7], isSensitive: row[8],
        visibility: row[9], language: row[10], uri: row[11],
        url: try (row[12] as String?).map(url),
        counts: CodableMicroblogCounts(replies: row[13], boosts: row[14], favorites: row[15]),
        isBookmarked: row[16], author: author, boost: boost, attachments: try value(row[19]),
        mentions: try value(row[20]), tags: tags[key] ?? [], emojis: try value(row[21]),
        card: try (row[22] as String?).map { try value($0) },
        poll: (row[23] as Int64?).flatMap { polls[$0] }, others: try value(row[24]))
      statuses[key] = status
      return status
    }
    return try top.map(status)
  }

  private func account(_ row: Row) throws -> CodableMicroblogAccount {
    CodableMicroblogAccount(
      id: row[2], name: row[3], handle: row[4], displayName: row[5], isLocked: row[6],
      isBot: row[7], createdAt: date(row[8]), note: row[9], url: try url(row[10]),
      avatar: row[11], header: row[12], followers: row[13], following: row[14],
      statuses: row[15], isDiscoverable: row[16], fields: try value(row[17]))
  }

  private func poll(_ row: Row) throws -> CodableMicroblogPoll {
    CodableMicroblogPoll(
      id: row[2], expiresAt: (row[3] as Double?).map(date), isMultiple: row[4], votes: row[5],
      options: try value(row[6]))
  }

  private func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  private func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else {
      throw ChecksumMismatch(description: "not a URL: \(text)")
    }
    return url
  }

  private func value<Value: Decodable>(_ text: String) throws -> Value {
    try decoder.decode(Value.self, from: Data(text.utf8))
  }
}
