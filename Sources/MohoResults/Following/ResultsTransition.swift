import MohoRows

/// A transition from one state of a result to the next, caused by a commit.
struct ResultsTransition: Sendable {
  /// The way a transition was computed.
  enum Strategy: Sendable {
    case contentOnly, repositioned, rescanned
  }

  let rows: ResultsRows
  /// The changes of the visible rows, or `nil` if no row has changed.
  let changes: LazyChangeSet?
  /// The changes of the commit, or `nil` if they cannot be determined.
  let touched: TouchedRows?
  let strategy: Strategy
}

/// The work that a commit requires to update a result.
enum RequiredUpdate: Equatable, Sendable {
  /// The commit does not affect the result.
  case nothing
  /// The content of rows may have changed. No row has moved.
  case contentOnly
  /// Only these rows may have been inserted, deleted or moved.
  case reposition(Set<Int64>)
  /// The IDs of all rows must be read again.
  case rescan

  /// The number of rows that are always looked up individually.
  private static let smallCount = 200
  /// The number of rows per individual lookup. If more than one in this many
  /// rows may have moved, reading all IDs costs less.
  private static let rowsPerLookup = 50

  /// Returns whether looking up this many rows individually costs more than
  /// reading all IDs.
  static func exceedsLookups(_ rowCount: Int, of totalCount: Int) -> Bool {
    rowCount > max(smallCount, totalCount / rowsPerLookup)
  }

  /// - Parameters:
  ///   - touched: The changes of the commit, or `nil` if they cannot be
  ///     determined.
  ///   - count: The number of rows of the result.
  init(_ touched: TouchedRows?, count: Int) {
    guard let touched else {
      self = .rescan
      return
    }
    let candidates = touched.moveCandidates
    if touched.isEmpty {
      self = .nothing
    } else if !touched.hasAllMoveCandidates || Self.exceedsLookups(candidates.count, of: count) {
      self = .rescan
    } else {
      self = candidates.isEmpty ? .contentOnly : .reposition(candidates)
    }
  }
}
