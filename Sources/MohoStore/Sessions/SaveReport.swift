/// What saving models did to the rows of all tables.
public struct SaveReport: Sendable, Hashable {
  /// How many rows are new.
  public private(set) var inserted: Int
  /// How many rows have changed.
  public private(set) var updated: Int
  /// How many rows were equal already and have not been written. A model that
  /// is met again counts each time.
  public private(set) var unchanged: Int
  /// How many partial models had no row to update.
  public private(set) var missing: Int
  /// How many rows were deleted, because they are no longer linked or not among
  /// the models; not those that their deletion took along.
  public internal(set) var deleted: Int
  /// How many links were made or got another place, beside those in the columns
  /// of rows that were inserted or updated.
  public internal(set) var linked: Int
  /// How many links were taken away, beside those in the columns of rows that
  /// were updated.
  public internal(set) var unlinked: Int

  /// Makes a report.
  public init(
    inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, missing: Int = 0, deleted: Int = 0,
    linked: Int = 0, unlinked: Int = 0
  ) {
    self.inserted = inserted
    self.updated = updated
    self.unchanged = unchanged
    self.missing = missing
    self.deleted = deleted
    self.linked = linked
    self.unlinked = unlinked
  }

  /// The sums of two reports.
  public static func + (one: SaveReport, other: SaveReport) -> SaveReport {
    SaveReport(
      inserted: one.inserted + other.inserted,
      updated: one.updated + other.updated,
      unchanged: one.unchanged + other.unchanged,
      missing: one.missing + other.missing,
      deleted: one.deleted + other.deleted,
      linked: one.linked + other.linked,
      unlinked: one.unlinked + other.unlinked)
  }

  /// Counts a row as updated that was counted as unchanged.
  mutating func countUpdateOfUnchanged() {
    unchanged -= 1
    updated += 1
  }

  mutating func count(_ outcome: SaveOutcome) {
    switch outcome {
    case .inserted: inserted += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    case .missing: missing += 1
    }
  }
}

extension SaveReport: CustomStringConvertible {
  /// The numbers that are not 0, such as `2 inserted, 1 unchanged`; `nothing`
  /// where all are.
  public var description: String {
    let counts = [
      (inserted, "inserted"), (updated, "updated"), (unchanged, "unchanged"),
      (missing, "missing"), (deleted, "deleted"), (linked, "linked"), (unlinked, "unlinked"),
    ]
    let parts = counts.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
