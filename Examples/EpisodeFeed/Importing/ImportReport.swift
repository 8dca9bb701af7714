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

  mutating func add(_ report: ImportReport) {
    inserted += report.inserted
    updated += report.updated
    unchanged += report.unchanged
    deleted += report.deleted
    skipped += report.skipped
    skippedValues += report.skippedValues
  }

  /// The counts other than zero as a sentence, such as `3 new episodes, 1 changed.`
  var sentence: String {
    var parts = [
      inserted == 1 ? "1 new episode" : "\(inserted == 0 ? "No" : "\(inserted)") new episodes"
    ]
    if updated > 0 { parts.append("\(updated) changed") }
    if deleted > 0 { parts.append("\(deleted) deleted") }
    if skipped > 0 { parts.append("\(skipped) invalid \(skipped == 1 ? "item" : "items") skipped") }
    if skippedValues > 0 {
      parts.append("\(skippedValues) invalid \(skippedValues == 1 ? "value" : "values") skipped")
    }
    return parts.joined(separator: ", ") + "."
  }

  /// The counts on one line.
  public var description: String {
    "inserted \(inserted), updated \(updated), unchanged \(unchanged), deleted \(deleted),"
      + " skipped \(skipped)"
      + (skippedValues == 0
        ? "" : ", \(skippedValues) value\(skippedValues == 1 ? "" : "s") skipped")
  }
}
