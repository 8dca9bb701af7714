/// The statements that a connection has prepared, by SQL text and types of
/// arguments.
///
/// A statement is prepared when it runs for the second time. The least recently
/// used statements are deallocated.
struct PreparedStatements {
  struct Key: Hashable {
    let sql: String
    let types: [UInt32]
  }

  /// The way to run a statement.
  enum Use: Equatable {
    case unprepared
    case prepare(name: String)
    case prepared(name: String)
  }

  private struct Entry {
    var name: String?
    var lastUse: Int
  }

  private let capacity: Int
  private var entries: [Key: Entry] = [:]
  private var clock = 0

  init(capacity: Int = 256) { self.capacity = capacity }

  /// Returns the way to run a statement. After ``Use/prepare(name:)``, the caller
  /// must prepare it, and call ``didPrepare(_:name:)``.
  mutating func use(_ key: Key) -> Use {
    clock += 1
    guard let entry = entries[key] else {
      entries[key] = Entry(name: nil, lastUse: clock)
      return .unprepared
    }
    entries[key]?.lastUse = clock
    return entry.name.map { .prepared(name: $0) } ?? .prepare(name: "moho_\(clock)")
  }

  mutating func didPrepare(_ key: Key, name: String) { entries[key]?.name = name }

  /// Removes the least recently used statements if there are too many, and
  /// returns the names of those that must be deallocated.
  mutating func removeOldest() -> [String] {
    guard entries.count > capacity else { return [] }
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }
      .prefix(entries.count - capacity * 3 / 4)
    for (key, _) in oldest { entries[key] = nil }
    return oldest.compactMap(\.value.name)
  }

  mutating func removeAll() { entries = [:] }
}
