import Moho

/// What an import did to the store.
public struct ImportReport: Sendable, Hashable, CustomStringConvertible {
  /// How many episodes are new.
  public var inserted = 0
  /// How many have changed.
  public var updated = 0
  /// How many were equal already and have not been written.
  public var unchanged = 0
  /// How many are gone, because the feed has them no longer.
  public var deleted = 0
  /// How many items of the feed were left out.
  public var skipped = 0

  /// Makes a report.
  public init(
    inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0, skipped: Int = 0
  ) {
    self.inserted = inserted
    self.updated = updated
    self.unchanged = unchanged
    self.deleted = deleted
    self.skipped = skipped
  }

  mutating func add(_ report: SaveReport) {
    inserted += report.inserted
    updated += report.updated
    unchanged += report.unchanged
  }

  /// The counts on one line.
  public var description: String {
    "inserted \(inserted), updated \(updated), unchanged \(unchanged), deleted \(deleted),"
      + " skipped \(skipped)"
  }
}
