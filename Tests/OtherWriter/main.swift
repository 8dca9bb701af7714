import Foundation
import GRDB

// A program that writes to a database beside the tests, one transaction for each
// line of its input: a JSON array of statements. It answers each with a line,
// which says whether it was committed.

func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: OtherWriter PATH\n".utf8))
  exit(64)
}

do {
  var configuration = Configuration()
  configuration.busyMode = .timeout(60)
  let database = try DatabaseQueue(
    path: CommandLine.arguments[1], configuration: configuration)
  say("open")
  while let line = readLine() {
    let statements = try JSONDecoder().decode([String].self, from: Data(line.utf8))
    do {
      try database.inTransaction(.immediate) { database in
        for statement in statements { try database.execute(sql: statement) }
        return .commit
      }
      say("committed")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      say("refused")
    }
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
