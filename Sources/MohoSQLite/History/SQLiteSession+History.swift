import Foundation
import MohoRows

extension SQLiteSession {
  func currentHistoryToken() throws -> HistoryToken {
    try perform { try HistoryReader($0, schema.compiled).currentToken }
  }

  func forEachTransaction(
    since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryTransaction) throws -> Bool
  ) throws {
    try perform { database in
      let reader = try HistoryReader(database, schema.compiled)
      try reader.forEach(after: reader.position(of: token), excluding: authors, body)
    }
  }

  func forEachRowChange(
    of entity: String, since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryRowChange) throws -> Void
  ) throws {
    try perform { database in
      let reader = try HistoryReader(database, schema.compiled)
      try reader.forEachRow(
        of: entity, after: reader.position(of: token), excluding: authors, body)
    }
  }

  func deleteHistory(before end: HistoryEnd) throws {
    try perform { database in
      let reader = try HistoryReader(database, schema.compiled)
      switch end {
      case .date(let date): try HistoryRecorder.delete(before: date, database)
      case .token(let token):
        let position = try reader.position(of: token)
        try HistoryRecorder.delete(upTo: position, database, atMost: position)
      }
    }
  }
}
