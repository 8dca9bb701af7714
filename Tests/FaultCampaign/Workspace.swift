import CFaultyFiles
import Foundation
import GRDB
import Moho

/// A folder with the file of a store, whose calls can fail.
struct Workspace {
  private let folder: String
  /// The files of a store with rows, while it is not open.
  private let filled: [String: [UInt8]]

  var path: String { folder + "store.sqlite" }

  /// - Parameter parent: An empty folder.
  init(in parent: String) throws {
    guard let resolved = realpath(parent, nil) else { throw CocoaError(.fileNoSuchFile) }
    folder = String(cString: resolved) + "/"
    free(resolved)
    let path = folder + "store.sqlite"
    do {
      let store = try Operation.open.openStore(path)
      try store.write { writer in
        try writer.save((1...40).map { Mark.number($0) })
        try writer.save((1...4).map { Podcast.number($0) })
      }
      try store.writer.close()
    }
    filled = try Self.files(in: folder)
    faulty_watch(folder)
  }

  /// The files from which an operation starts.
  func files(before operation: Operation) -> [String: [UInt8]] {
    operation == .create ? [:] : filled
  }

  /// Replaces the files. No connection may be open.
  func restore(_ files: [String: [UInt8]]) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder + name)
    }
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(filePath: folder + name))
    }
  }

  private static func files(in folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = [UInt8](try Data(contentsOf: URL(filePath: folder + name)))
    }
    return files
  }
}

/// What a plain connection reads in the file of a store.
struct FileState: Hashable {
  /// The definitions and rows of all tables, except times and random identifiers.
  private(set) var lines: [String] = []
  /// What SQLite and its foreign keys report.
  private(set) var problems: [String] = []

  init(_ path: String) throws {
    // A store that was released can still be closing its connections on another thread.
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { database in
      lines = try Self.lines(database)
      problems = try String.fetchAll(database, sql: "PRAGMA integrity_check")
        .filter { $0 != "ok" }
      problems += try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { "\($0)" }
    }
    try queue.close()
  }

  /// The lines that a connection reads.
  static func lines(_ database: Database) throws -> [String] {
    let objects = try Row.fetchAll(
      database, sql: "SELECT type, name, sql FROM main.sqlite_schema ORDER BY name")
    var lines = objects.map { "\($0)" }
    for object in objects where object["type"] == "table" {
      let (name, sql): (String, String?) = (object["name"], object["sql"])
      // A plain connection does not have the tokenizers of the store.
      if sql?.hasPrefix("CREATE VIRTUAL") == true { continue }
      let rows = try Row.fetchAll(database, sql: "SELECT * FROM main.\"\(name)\"")
      lines += rows.map { row in
        row.filter { !name.hasPrefix("_moho") || !["date", "history"].contains($0.0) }
          .reduce(into: name) { $0 += "|\($1.1)" }
      }.sorted()
    }
    return lines
  }

  /// The first difference between two states.
  static func difference(_ found: [String], _ expected: [String]) -> String {
    for change in found.difference(from: expected) {
      switch change {
      case .insert(_, let line, _): return "has \(line.prefix(120))"
      case .remove(_, let line, _): return "lacks \(line.prefix(120))"
      }
    }
    return "is equal"
  }
}
