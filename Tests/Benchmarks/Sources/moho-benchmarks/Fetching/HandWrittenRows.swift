import Foundation
import GRDBSQLite

/// Reads episodes with hand-written calls of the SQLite C API.
struct HandWrittenRows {
  let path: String
  let settings: String
  let select: String

  // SAFETY: The statement is finalized and the connection closed after their
  // last use. Texts are copied before the next step.
  func read() throws -> [FeedEpisode] {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    try check(sqlite3_open_v2(path, &database, flags, nil))
    try check(sqlite3_exec(database, settings, nil, nil, nil))
    try check(sqlite3_prepare_v2(database, select, -1, &statement, nil))
    var episodes: [FeedEpisode] = []
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      episodes.append(
        FeedEpisode(
          id: Int(sqlite3_column_int64(statement, 0)),
          guid: text(statement, 1),
          title: text(statement, 2),
          summary: text(statement, 3),
          author: text(statement, 4),
          publishedAt: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 5)),
          number: Int(sqlite3_column_int64(statement, 6)),
          season: sqlite3_column_type(statement, 7) == SQLITE_NULL
            ? nil : Int(sqlite3_column_int64(statement, 7)),
          isExplicit: sqlite3_column_int64(statement, 8) != 0,
          duration: sqlite3_column_double(statement, 9),
          rating: sqlite3_column_double(statement, 10),
          mediaURL: text(statement, 11),
          mediaSize: Int(sqlite3_column_int64(statement, 12))))
      code = sqlite3_step(statement)
    }
    try check(code == SQLITE_DONE ? SQLITE_OK : code)
    return episodes
  }

  private func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
    let start = sqlite3_column_text(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else {
      throw ChecksumMismatch(description: String(cString: sqlite3_errstr(code)))
    }
  }
}
