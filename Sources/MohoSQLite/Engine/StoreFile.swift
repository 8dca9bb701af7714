import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// The file at the path of a store.
struct StoreFile {
  /// The path after resolving symbolic links, like SQLite does.
  private let path: String
  private let attributes: [FileAttributeKey: Any]

  /// Returns nil if the file does not exist, even if a symbolic link leads to its path.
  init?(_ path: String) {
    self.path = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: self.path),
      attributes[.type] as? FileAttributeType != .typeSymbolicLink
    else { return nil }
    self.attributes = attributes
  }

  /// Throws an error if a path cannot be the path of a file, or SQLite must not open the file
  /// there.
  static func check(_ path: String) throws {
    guard !path.isEmpty else {
      throw StoreError(
        .cannotOpen, reason: "the path is empty",
        suggestion: "pass the path of a file, or make a store in memory")
    }
    // SQLite would open the file whose path ends before the character.
    guard !path.utf8.contains(0) else {
      throw StoreError(
        .cannotOpen, reason: "the path contains a null character",
        suggestion: "pass the path without it")
    }
    try StoreFile(path)?.check()
  }

  /// The number of hard links to the file.
  var linkCount: Int { (attributes[.referenceCount] as? NSNumber)?.intValue ?? 1 }

  /// Throws an error if SQLite must not open the file, because it is not a
  /// regular file, because it was truncated although its log has commits, or
  /// because a store of this process has it open by another path.
  ///
  /// Opening a pipe would block. The write-ahead log belongs to the path of a
  /// file, and two logs for one file would corrupt it.
  private func check() throws {
    if let kind {
      throw StoreError(
        .notAFile, reason: "the path refers to a \(kind)",
        suggestion: "use the path of a regular file")
    }
    guard !hasOnlyLog else {
      // SQLite would delete the log.
      throw StoreError(
        .damaged, reason: "the file is empty, but it has a write-ahead log",
        suggestion: "restore the file and its log from a copy")
    }
    guard linkCount > 1, let other = Self.open.withLock({ $0[identity]?.path }), other != path
    else { return }
    throw StoreError(
      .alreadyOpen, reason: "the file is a hard link to \(other), which is already open",
      suggestion: "open the store by that path")
  }

  /// Whether the file is empty although its log is not. A database is not empty when SQLite
  /// creates its log.
  private var hasOnlyLog: Bool {
    // The log first: another process may be creating the database and its log.
    guard let log = Self.size(path + "-wal"), log > 0 else { return false }
    return Self.size(path) == 0
  }

  private static func size(_ path: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// The kind of a special file. Nil for a regular file, and for a folder,
  /// which SQLite rejects itself.
  private var kind: String? {
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular, .typeDirectory: nil
    case .typeCharacterSpecial, .typeBlockSpecial: "device"
    case .typeSocket: "socket"
    default: "pipe or another special file"
    }
  }
}

extension StoreFile {
  /// The device and the inode of a file, which all of its hard links share.
  private struct Identity: Hashable {
    let device: Int
    let number: Int
  }

  private var identity: Identity {
    func integer(_ key: FileAttributeKey) -> Int { (attributes[key] as? NSNumber)?.intValue ?? 0 }
    return Identity(device: integer(.systemNumber), number: integer(.systemFileNumber))
  }

  /// The files that stores of this process have open.
  private static let open = Lock<[Identity: (path: String, count: Int)]>([:])

  /// Marks a file as open until it is released.
  final class Registration: Sendable {
    private let identity: Identity

    /// Returns nil if there is no file at the path.
    init?(_ path: String) {
      guard let file = StoreFile(path) else { return nil }
      identity = file.identity
      StoreFile.open.withLock { open in
        open[identity, default: (file.path, 0)].count += 1
      }
    }

    deinit {
      StoreFile.open.withLock { open in
        guard let known = open[identity] else { return }
        open[identity] = known.count > 1 ? (known.path, known.count - 1) : nil
      }
    }
  }
}
