import Moho

/// The numbers of episodes that an import has changed.
public struct ImportReport: Sendable, Hashable, CustomStringConvertible {
  /// New episodes.
  public var inserted = 0
  /// Episodes that have changed.
  public var updated = 0
  /// Episodes that were equal to their rows and were not written.
  public var unchanged = 0
  /// Episodes that were deleted because the feed no longer has them.
  public var deleted = 0
  /// Invalid items of the feed.
  public var skipped = 0
  /// Invalid values that were left out of imported episodes.
  public var skippedValues = 0

  /// Creates a report.
  public init(
    inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0, skipped: Int = 0,
    skippedValues: Int = 0
  ) {
    self.inserted = inserted
    self.updated = updated
    self.unchanged = unchanged
    self.deleted = deleted
    self.skipped = skipped
    self.skippedValues = skippedValues
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
      + (skippedValues == 0
        ? "" : ", \(skippedValues) value\(skippedValues == 1 ? "" : "s") skipped")
  }
}
