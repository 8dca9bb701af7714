import Foundation
import MohoPostgres
import MohoRows
import MohoSQLite

// A program for tests to kill. It prints a line after each completed step,
// before the next step begins.

func report(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

let arguments = CommandLine.arguments.dropFirst().map { $0 }
guard arguments.count >= 2 else {
  FileHandle.standardError.write(
    Data("usage: StoreCrasher save PATH FIRST COUNT | migrate PATH\n".utf8))
  exit(64)
}
let path = arguments[1]

do {
  switch arguments[0] {
  case "save":
    let first = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
    let count = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
    let store =
      path.hasPrefix("postgresql:")
      ? try ModelStore(postgres: path, models: Track.self)
      : try ModelStore(path: path, models: Track.self)
    report("open")
    for batch in first..<first + count {
      try store.write { writer in
        // Saving one track at a time gives tests more moments for the kill.
        for track in Track.batch(batch) { try writer.save(track) }
      }
      report("\(batch)")
    }
  case "migrate":
    report("open")
    let renamings = [Renaming(\LaterTrack.name, from: "title")]
    if path.hasPrefix("postgresql:") {
      var configuration = PostgresConfiguration()
      configuration.renamings = renamings
      _ = try ModelStore(postgres: path, models: LaterTrack.self, configuration: configuration)
    } else {
      _ = try ModelStore(
        path: path, models: LaterTrack.self,
        configuration: StoreConfiguration(renamings: renamings))
    }
    report("done")
  default:
    exit(64)
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
