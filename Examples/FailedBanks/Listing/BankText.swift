import Foundation
import Moho
import TextTables

/// Formats banks as lines of text.
public enum BankText {
  /// The first rows of a list. Each section has a heading with the number of
  /// its rows. Only the batches of the listed rows are read.
  ///
  /// - Throws: `StoreError`, or `ResultsError` if a row has changed since the
  ///   snapshot.
  public static func lines(
    _ snapshot: ResultsSnapshot<FailedBank>, limit: Int? = nil, width: Int? = nil
  ) throws -> [String] {
    var rest = limit ?? .max
    var tables: [(heading: String?, rows: [[String]])] = []
    for (number, section) in snapshot.sections.enumerated() where rest > 0 {
      let banks = try (0..<min(section.count, rest)).map {
        try snapshot.model(at: RowPath(section: number, row: $0))
      }
      rest -= banks.count
      let heading = section.name.isEmpty ? nil : "\(section.name) (\(section.count))"
      tables.append((heading, banks.map(columns)))
    }
    return TextTable.lines(of: tables, width: width)
  }

  /// The titles of a section index: the first letters of the states, or the
  /// last two digits of the years.
  public static func indexTitles(
    _ snapshot: ResultsSnapshot<FailedBank>, of list: BankList
  ) -> [String] {
    let titles =
      list.sections == .year
      ? snapshot.indexTitles { String($0.name.suffix(2)) } : snapshot.indexTitles()
    return titles.map(\.title)
  }

  /// The change records of an update, with the names of the banks.
  ///
  /// - Throws: The errors of ``lines(_:limit:width:)``.
  public static func lines(_ update: ResultsUpdate<FailedBank>) throws -> [String] {
    try update.changes.sections.map(\.description)
      + update.changes.rows.map { change in
        guard let path = change.new else { return "\(change)" }
        return try "\(change)  \(update.after.model(at: path).name)"
      }
  }

  private static func columns(_ bank: FailedBank) -> [String] {
    [
      day(bank.details.closedOn), "\(bank.cert)", bank.name, "\(bank.city), \(bank.state)",
      bank.details.acquirer,
    ]
  }

  private static func day(_ date: Date) -> String {
    date.formatted(.iso8601.year().month().day())
  }
}
