import Foundation
import GRDB

// An external process that writes to a database while tests observe it. Each
// line of its input is a transaction: a JSON array of SQL statements. It
// answers each line with `committed` or `refused`.

func answer(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: ExternalWriter PATH\n".utf8))
  exit(64)
}

do {
  var configuration = Configuration()
  configuration.busyMode = .timeout(60)
  let database = try DatabaseQueue(
    path: CommandLine.arguments[1], configuration: configuration)
  answer("open")
  while let line = readLine() {
    let statements = try JSONDecoder().decode([String].self, from: Data(line.utf8))
    do {
      try database.inTransaction(.immediate) { database in
        // After another connection has changed the schema, SQLite 3.40 cannot
        // begin with a deletion from a table that has a full-text index.
        try database.execute(sql: "SELECT 1 FROM sqlite_schema")
        for statement in statements { try database.execute(sql: statement) }
        return .commit
      }
      answer("committed")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      answer("refused")
    }
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
