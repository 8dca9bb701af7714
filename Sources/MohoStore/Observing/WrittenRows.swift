/// The rows of one table that a transaction has written, and what they held
/// before it.
package struct WrittenRows: Sendable, Equatable {
  /// What is known of a row before the transaction.
  package enum Before: Sendable, Equatable {
    /// There was no such row.
    case absent
    /// The fingerprints of its columns, in the order of
    /// ``Schema/columnNames(of:)``.
    case row([UInt64])
    /// Nothing: SQLite has no pre-update hook, or the rows are too many to keep
    /// what they held.
    case unknown
  }

  /// What is known of each row, by its identity.
  package private(set) var before: [Int64: Before] = [:]

  /// Whether every row is here that was written. Where SQLite has no pre-update
  /// hook, rows that `REPLACE` has deleted are not, nor are the former
  /// identities of rows whose identity has changed.
  package internal(set) var isComplete: Bool

  /// How many rows there are at most of which more than the identity is kept.
  static let limit = 16_384

  package init(isComplete: Bool) { self.isComplete = isComplete }

  /// Whether what a row holds is still to be kept.
  func needs(_ row: Int64) -> Bool { before[row] == nil }

  /// Whether the limit is not yet reached.
  var keepsValues: Bool { before.count < Self.limit }

  /// Notes a row that has not been written before in the transaction.
  mutating func note(_ row: Int64, _ known: @autoclosure () -> Before) {
    if needs(row) { before[row] = known() }
  }
}
