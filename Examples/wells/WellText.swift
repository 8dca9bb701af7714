import Foundation
import Moho
import TextTables
import WellField

/// Formats wells, times and sizes as text.
enum WellText {
  static func lines(_ wells: [Well], width: Int?) -> [String] {
    let rows = wells.map { well in
      [
        "\(number(well.depth)) m", well.name, well.county,
        well.begunOn.formatted(.iso8601.year().month().day()),
        well.isActive ? "" : "filled in",
      ]
    }
    return TextTable(rows: rows, rightAligned: [0], width: width).lines
  }

  /// The number of records of each kind in a change set.
  static func summary(of changes: ChangeSet) -> String {
    let kinds: [(RowChange.Kind, String)] = [
      (.insert, "new"), (.delete, "deleted"), (.move, "moved"), (.update, "changed"),
    ]
    let parts = kinds.compactMap { kind, name in
      let count = changes.rows.count { $0.kind == kind }
      return count > 0 ? "\(number(count)) \(name)" : nil
    }
    return parts.joined(separator: ", ")
  }

  /// A number with commas between groups of three digits.
  static func number(_ number: Int) -> String {
    let digits = Array(String(number.magnitude).reversed())
    let groups = stride(from: 0, to: digits.count, by: 3).map {
      String(digits[$0..<min($0 + 3, digits.count)])
    }
    return (number < 0 ? "-" : "") + String(groups.joined(separator: ",").reversed())
  }

  static func time(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds >= 1 { return String(format: "%.2f s", seconds) }
    return String(format: seconds >= 0.01 ? "%.0f ms" : "%.2f ms", seconds * 1_000)
  }

  static func size(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1e6) }
}
