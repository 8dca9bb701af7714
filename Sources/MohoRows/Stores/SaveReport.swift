/// The numbers of rows and links that were changed by saving models, in all
/// tables.
public struct SaveReport: Sendable, Hashable {
  /// The number of inserted rows.
  public private(set) var inserted: Int
  /// The number of updated rows.
  public private(set) var updated: Int
  /// The number of rows that were already equal to their models and were not
  /// written. A model that occurs several times is counted each time.
  public private(set) var unchanged: Int
  /// The number of partial models without a row to update.
  public private(set) var missing: Int
  /// The number of rows that were deleted because they are no longer linked or
  /// not among the models. Rows deleted by delete rules are not included.
  public package(set) var deleted: Int
  /// The number of links that were inserted or moved to another position. Links
  /// in columns of inserted or updated rows are not included.
  public package(set) var linked: Int
  /// The number of links that were removed. Links in columns of updated rows are
  /// not included.
  public package(set) var unlinked: Int

  /// Creates a report.
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

  /// The sum of two reports.
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

  /// Counts an unchanged row as updated.
  package mutating func countUpdateOfUnchanged() {
    unchanged -= 1
    updated += 1
  }

  package mutating func count(_ outcome: SaveOutcome) {
    switch outcome {
    case .inserted: inserted += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    case .missing: missing += 1
    }
  }
}

/// The result of saving a row.
package enum SaveOutcome {
  case inserted
  case updated
  case unchanged
  /// The row to update does not exist.
  case missing
}

extension SaveReport: CustomStringConvertible {
  /// The numbers other than 0, such as `2 inserted, 1 unchanged`, or `nothing`
  /// if all numbers are 0.
  public var description: String {
    let counts = [
      (inserted, "inserted"), (updated, "updated"), (unchanged, "unchanged"),
      (missing, "missing"), (deleted, "deleted"), (linked, "linked"), (unlinked, "unlinked"),
    ]
    let parts = counts.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
